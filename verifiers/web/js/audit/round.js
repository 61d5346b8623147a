// The checks of one round (D6), each with the records that it relies on.

import { fromHex, toHex } from "../bytes.js";
import { dealtHands } from "../dealing.js";
import { canonical, sameJson } from "../json.js";
import {
  clientCommit, deckCommit, epochCommit, provenSeed, roundCommit, roundId, roundSeed, serverSeed,
} from "../seeds.js";
import { exposedHand, finalLines, resultsOf, writeFinalLines } from "../settle.js";
import { Refused, activeSeats, decisionFault, feesOf, readSheet } from "../sheet.js";
import { deckOf, diceOf } from "../shuffle.js";
import { beaconOf } from "./manifest-rules.js";
import { checkAnnounced } from "./places.js";
import { fail, skip } from "./report.js";
import { difference } from "./difference.js";
import { externalOf } from "./external.js";
import { checkSupersedes, wronglyAbsent } from "./spent.js";

// The outcome code that this file implements (D15): another may settle differently.
const ENGINE = "pge-1";

const seatsOf = (members) => Object.keys(members ?? {}).map(Number);
const same = (a, b) => a.length === b.length && a.every((one, i) => one === b[i]);
const bytes = (member) => fromHex(member);
const skipSuite = (suite) => skip(`this check is not for the ${suite} suite`);

export class RoundAudit {
  // `world`: { manifests, rules, reveals, closes, seeds, epochCloses, log, terms }; `round` as `file.js` reads it.
  constructor(round, world) {
    Object.assign(this, { round, world });
    this.manifest = null;
    this.listed = null;
    this.places = null;
    this.isReadable = this.isTicketCanonical = false;
    // The lines that a check of this round refused.
    this.refused = new Set();
  }

  get ticket() {
    return this.round.ticket.json;
  }

  get policy() {
    return this.listed.tenant.policy;
  }

  get isVoid() {
    return this.round.settle?.json.disposition === "void";
  }

  // The end of the round that the locks state; the close must agree (CHAIN).
  get closesAsVoid() {
    return this.round.close?.json.step === "void";
  }

  get place() {
    const { epoch, tenant, table, round_no: roundNo } = this.ticket;
    return { epoch, tenant, table, roundNo };
  }

  // Every signature shown is verified (D12). No signature at all only if the policy allows it.
  signatures() {
    const { ticket, lock, deal, actions, close, settle } = this.round;
    const engine = this.world.manifests.receiptKeys(this.manifest);
    const ledger = this.listed.tenant.ledger_keys.map((key) => fromHex(key.pk));
    const check = (record, keys, role, mayBeUnsigned) => {
      if (record === null) return;
      const signed = record.signatures.length > 0 ? record.allSignedBy(keys) : mayBeUnsigned;
      if (!signed) {
        fail(`a signature by ${role}`, "another, or none", { line: record.line });
      }
    };
    for (const record of [ticket, deal, settle]) check(record, engine, "a receipt key of the manifest", false);
    for (const record of [lock, close]) {
      check(record, ledger, "a ledger key of the tenant", this.policy.lock === "off");
    }
    // A spent lock settles nothing: only the ledger's signature counts there.
    for (const { lock: spent } of this.round.spent) check(spent, ledger, "a ledger key of the tenant", false);
    const absent = close?.json.absent ?? [];
    for (const action of actions) {
      const { seat } = action.json;
      const own = this.seatKey(seat) === undefined ? [] : [fromHex(this.seatKey(seat).key)];
      const mustSign = (own.length > 0 || this.policy.seat_auth === "required") && !absent.includes(seat);
      // The ledger countersigns the actions that it accepts.
      if (!action.allSignedBy([...own, ...ledger]) || (mustSign && action.signedBy(own) === 0)) {
        fail("a signature by the seat's key, and others by ledger keys only", "another, or none", { line: action.line });
      }
    }
  }

  // The ticket's entry for a seat's key, if it has one.
  seatKey(seat) {
    const { seat_keys: keys } = this.ticket;
    return Object.hasOwn(keys, seat) ? keys[seat] : undefined;
  }

  chain() {
    const { ticket, lock, deal, actions, close, settle } = this.round;
    const isSame = (record, expected, found) => {
      if (expected !== found) fail(expected, found, { line: record.line });
    };
    const link = (record, member, to) =>
      isSame(record, to === null ? "a record before it" : to.hash, record.json[member]);
    const ofRound = (record) => isSame(record, this.ticket.round_id, record.json.round_id);
    if (lock && !this.round.hasUnreadableWagers) {
      ofRound(lock);
      link(lock, "prev", ticket);
    }
    if (deal) {
      ofRound(deal);
      link(deal, "ticket", ticket);
      link(deal, "prev", lock);
    }
    for (const { lock: spent } of this.round.spent) {
      ofRound(spent);
      link(spent, "prev", deal);
    }
    for (const action of actions) link(action, "prev", deal);
    if (close) {
      ofRound(close);
      link(close, "prev", close.json.step === "final" ? deal : deal ?? lock ?? ticket);
    }
    if (settle) {
      ofRound(settle);
      link(settle, "ticket", ticket);
      link(settle, "prev", close);
      if (!this.isVoid) link(settle, "deal", deal);
      isSame(settle, `a close behind a lock that is ${this.isVoid ? "void" : "final"}`,
        `a close behind a lock that is ${close.json.step}`);
      if (this.isVoid) isSame(settle, close.json.reason, settle.json.reason);
    }
  }

  checkPolicy() {
    const at = { line: this.round.ticket.line };
    const { policy } = this;
    if (!sameJson(this.ticket.policy, policy)) fail("the policy of the manifest", "another policy", at);
    const clauses = Object.values(this.ticket.seat_keys).map(({ absent }) => absent !== undefined);
    if (policy.absent === undefined && clauses.includes(true)) fail("no clause for absent seats", "one", at);
    if (policy.absent === "required" && clauses.includes(false)) fail("the clause for absent seats", "a key without it", at);
    const seatKeys = Object.values(this.ticket.seat_keys).map(({ key }) => key);
    if (seatKeys.length > 0) {
      // A later manifest cannot make a key bad that was good when the ticket named it.
      const listed = this.world.manifests.keysUpTo(this.manifest);
      const other = seatKeys.find((key) => listed.has(key));
      if (other !== undefined) fail("seat keys that have no other role", other, at);
    }
    const { type, chain } = this.ticket.external;
    if (type !== policy.external) fail(`an external source ${policy.external}`, type, at);
    if (type === "drand" && beaconOf(this.manifest.json, chain) === undefined) {
      fail("the chain of the manifest's beacon", chain, at);
    }
    if (policy.chain === "required" && this.ticket.round_no !== "1" &&
      this.ticket.prev === this.ticket.manifest) {
      fail("the close of the round before", "a round that starts over", at);
    }
    if (policy.client === "committed" && seatsOf(this.ticket.client).length === 0) {
      fail("client commitments", "none", at);
    }
    if (policy.lock === "required" && this.round.deal !== null && this.round.lock === null) {
      fail("a lock of the wagers", "none", at);
    }
    const keyed = seatsOf(this.ticket.seat_keys);
    if (policy.seat_auth === "off" && keyed.length > 0) fail("no seat keys", "some", at);
    if (policy.seat_auth === "required" &&
      this.round.actions.some((action) => !keyed.includes(action.json.seat))) {
      fail("a key of every seat with a decision", "a seat without one", at);
    }
    checkAnnounced(this);
  }

  id() {
    const expected = toHex(roundId(this.place));
    if (expected !== this.ticket.round_id) {
      fail(expected, this.ticket.round_id, { line: this.round.ticket.line });
    }
  }

  genesis() {
    const { epoch, tenant, table, round_no: number, prev, manifest } = this.ticket;
    const at = { line: this.round.ticket.line };
    if (number === "1") {
      if (prev !== manifest) fail(manifest, prev, at);
      return;
    }
    // If a chain is required, POLICY has failed.
    if (prev === manifest) skip("the chain is off: the round stands by itself");
    const { after } = this.world.terms;
    const id = toHex(roundId({ ...this.place, roundNo: String(BigInt(number) - 1n) }));
    if (Object.hasOwn(after, id)) {
      if (after[id] !== prev) fail(after[id], prev, at);
      return;
    }
    const before = this.world.closes.get(`${epoch} ${tenant} ${table} ${BigInt(number) - 1n}`);
    if (before === undefined) skip("the round before is not in the file");
    if (!before.has(prev)) fail([...before].join(" or "), prev, at);
  }

  clientCommit() {
    const { lock } = this.round;
    if (lock === null) skip("no lock of the wagers in the file");
    // Seeds that do not open can only be voided (D10). If nothing was dealt, they are not a fault.
    if (this.closesAsVoid && this.round.deal === null) skip("the round is void");
    const at = { line: lock.line };
    const committed = seatsOf(this.ticket.client);
    const { seats } = lock.json;
    const wagering = seatsOf(seats).filter((seat) => seats[seat].wagers.length > 0);
    const revealing = seatsOf(seats).filter((seat) => seats[seat].client_seed !== undefined);
    const wanted = {
      none: committed.length === 0 && revealing.length === 0,
      optional: same(committed, revealing) && committed.every((seat) => wagering.includes(seat)),
      committed: same(committed, revealing) && same(committed, wagering),
    };
    if (!wanted[this.policy.client]) {
      fail(`seeds of the seats ${committed}, for the policy client: ${this.policy.client}`,
        `of ${revealing}, with wagers of ${wagering}`, at);
    }
    for (const seat of revealing) {
      const id = bytes(this.ticket.round_id);
      const opened = toHex(clientCommit(id, seat, bytes(seats[seat].client_seed)));
      if (opened !== this.ticket.client[seat]) {
        fail(`seat ${seat}: ${this.ticket.client[seat]}`, opened, at);
      }
    }
  }

  lockCoversActions() {
    for (const { actions, lock } of this.round.spent) {
      if (this.refused.has(lock.line)) skip("a spent lock was refused by an earlier check");
      // A lock may list an action twice, which spends it. The file has the record once.
      const listed = [...new Set(lock.json.actions)];
      const hashes = actions.map((action) => action.hash);
      if (!same(listed, hashes)) {
        fail(`the actions [${listed.join(", ")}]`, `[${hashes.join(", ")}]`, { line: lock.line });
      }
    }
    const { close, actions } = this.round;
    if (close === null) skip("no final lock in the file");
    if (this.refused.has(close.line)) skip("the lock that closes the round was refused by an earlier check");
    if (actions.some(({ line }) => this.refused.has(line))) skip("an action was refused by an earlier check");
    const at = { line: close.line };
    if (this.closesAsVoid) {
      if (actions.length > 0) fail("no action in a void", "actions", at);
      skip("the round is void");
    }
    const hashes = actions.map((action) => action.hash);
    if (!same(close.json.actions, hashes)) {
      fail(`the actions [${close.json.actions.join(", ")}]`, `[${hashes.join(", ")}]`, at);
    }
    const seats = actions.map((action) => action.json.seat);
    if (seats.some((seat, i) => i > 0 && seat <= seats[i - 1])) {
      fail("one action of each seat, seats ascending", `[${seats}]`, at);
    }
    if (this.listed === null || this.refused.has(this.round.ticket.line)) return;
    const wrong = wronglyAbsent(this, close, actions);
    if (wrong !== undefined) fail("absent seats that registered the clause, by house way", `seat ${wrong}`, at);
  }

  supersedes() {
    checkSupersedes(this);
  }

  // The server seed that the close reveals. For a round that shows none, the one that the revealed epoch secret or
  // a proof in the close of the epoch gives.
  get serverSeed() {
    const shown = this.round.settle?.json.server_seed;
    if (shown !== undefined) return bytes(shown);
    const seed = this.isVrf ? this.provenSeed : this.derivedSeed;
    // If it does not open the commitment, SEED_PROOF or SEED_WAS_NOT_CHOSEN reports it.
    return seed !== null && this.opens(seed) === this.ticket.commit ? seed : null;
  }

  get isVrf() {
    return this.listed.epoch.suite === "vrf";
  }

  // The proof of the server seed: of the settle record, or of the close of the epoch if the round is void. It is
  // { proof, line }; `proof` may be undefined.
  get seedProof() {
    const { settle } = this.round;
    if (!this.isVoid) return { proof: settle?.json.seed_proof, line: settle?.line };
    const { epochCloses } = this.world;
    return { proof: epochCloses.seedProofOf(this.ticket), line: epochCloses.of(this.ticket)?.line };
  }

  // The server seed that this proof shows, or null.
  get provenSeed() {
    if (this.cachedProvenSeed === undefined) {
      const { proof } = this.seedProof;
      const { salt, vrf_key: key } = this.listed.epoch;
      this.cachedProvenSeed = proof === undefined ? null
        : provenSeed(bytes(key), bytes(salt), this.place, bytes(proof));
    }
    return this.cachedProvenSeed;
  }

  // The reveal of the ticket's epoch, or null. Of two that count, one that no check of this round
  // has refused.
  get reveal() {
    return this.world.reveals.find(({ json, line }) =>
      json.epoch === this.ticket.epoch && !this.refused.has(line)) ?? null;
  }

  get derivedSeed() {
    if (this.listed.epoch.suite !== "derived" || this.reveal === null) return null;
    return serverSeed(bytes(this.reveal.json.epoch_secret), bytes(this.listed.epoch.salt), this.place);
  }

  epochCommit() {
    const { epoch } = this.listed;
    if (epoch.suite !== "derived") skipSuite(epoch.suite);
    const { reveal } = this;
    if (reveal === null) skip("not revealed");
    const opened = toHex(epochCommit(epoch.epoch, bytes(reveal.json.epoch_secret)));
    if (opened !== epoch.commit) fail(epoch.commit, opened, { line: reveal.line });
  }

  needSeed() {
    if (this.round.settle === null) skip("no close of the round in the file");
    if (this.serverSeed !== null) return;
    skip("a void reveals nothing");
  }

  opens(seed) {
    const { round_id: id, ruleset, engine } = this.ticket;
    return toHex(roundCommit(seed, bytes(id), bytes(ruleset), engine));
  }

  commit() {
    const { settle } = this.round;
    if (settle === null) skip("no close of the round in the file");
    // SEED_WAS_NOT_CHOSEN checks whether an epoch's secret opens a void round.
    if (this.isVoid) skip("a void reveals nothing");
    const opened = this.opens(bytes(settle.json.server_seed));
    if (opened !== this.ticket.commit) {
      fail(this.ticket.commit, opened, { line: settle.line });
    }
  }

  get clientSeeds() {
    return Object.entries(this.round.lock.json.seats)
      .filter(([, one]) => one.client_seed !== undefined)
      .map(([seat, one]) => [Number(seat), bytes(one.client_seed)]);
  }

  // Without the rules it is unknown whether the game has dice.
  get hasDice() {
    const { ruleset } = this.listed;
    return ruleset === null ? this.round.deal.json.dice.length > 0 : ruleset.dealing.dice === "three";
  }

  // Seed, deck and dice from the revealed seeds alone; the bytes of the file are only compared.
  replay() {
    this.needSeed();
    const { lock, deal, settle } = this.round;
    if (lock === null) skip("no lock of the wagers in the file");
    if (deal === null) skip("no deal in the file");
    const seed = roundSeed(this.serverSeed, bytes(this.ticket.round_id), this.clientSeeds,
      externalOf(this.ticket, deal.json));
    const deck = deckOf(seed, this.listed.cards);
    const dice = this.hasDice ? diceOf(seed) : [];
    if (settle && !this.isVoid) {
      const at = { line: settle.line };
      if (toHex(seed) !== settle.json.round_seed) fail(toHex(seed), settle.json.round_seed, at);
      if (!same(deck, settle.json.deck)) fail(`the deck ${deck}`, `${settle.json.deck}`, at);
    }
    if (!same(dice, deal.json.dice)) {
      fail(`the dice [${dice}]`, `[${deal.json.dice}]`, { line: deal.line });
    }
    this.played = { seed, deck, dice };
  }

  needPlayed() {
    if (!this.round.deal) skip("no deal in the file");
    if (!this.played) skip("the round could not be replayed");
  }

  deckCommit() {
    this.needPlayed();
    const expected = toHex(deckCommit(this.played.seed, this.played.deck));
    const { deal } = this.round;
    if (expected !== deal.json.deck_commit) {
      fail(expected, deal.json.deck_commit, { line: deal.line });
    }
  }

  // The ruleset, if it is loaded and this code plays it, or why not (D15).
  get rules() {
    const { ruleset } = this.listed;
    if (ruleset === null) return { missing: `ruleset ${this.ticket.ruleset} is not among the rule files` };
    const { engine } = this.ticket;
    return engine === ENGINE ? { ruleset } : { missing: `the round belongs to engine ${engine}` };
  }

  needRules() {
    if (this.listed === null) skip("no manifest to rely on");
    const { ruleset, missing } = this.rules;
    if (missing) skip(missing);
    return ruleset;
  }

  // The sheet of the lock, or null with the reason in `sheetFault`.
  get sheet() {
    if (this.cachedSheet === undefined) {
      try {
        this.cachedSheet = readSheet(this.needRules(), this.round.lock.json);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.cachedSheet = null;
        this.sheetFault = error.message;
      }
    }
    return this.cachedSheet;
  }

  // The lock, which the ruleset has to accept.
  needSheet() {
    const { lock } = this.round;
    if (lock === null) skip("no lock of the wagers in the file");
    if (this.refused.has(lock.line)) skip("the lock of the wagers was refused by an earlier check");
    if (this.sheet === null) fail("wagers that the ruleset takes", this.sheetFault, { line: lock.line });
    return lock;
  }

  get hands() {
    if (!this.played) return null;
    const { deck, dice } = this.played;
    return dealtHands(this.listed.ruleset, deck, dice,
      { actionPile: this.sheet.facts.action_pile, active: activeSeats(this.sheet) });
  }

  // The players' cards and the dealer's cards, from the deck.
  get dealt() {
    const { deal } = this.round;
    const { missing } = this.rules;
    if (missing) skip(missing);
    if (this.round.lock !== null && this.sheet === null) skip("the wagers are not the ruleset's: see RESULTS");
    this.needSheet();
    const { hands } = this;
    return { dealer: hands.get(0),
      visible: Object.fromEntries([...this.sheet.seats.keys()].map((seat) => [seat, hands.get(seat)])) };
  }

  cardsShown() {
    const { deal, settle } = this.round;
    if (settle === null) skip("no close of the round in the file");
    this.needPlayed();
    const { dealer, visible } = this.dealt;
    if (!sameJson(visible, deal.json.visible)) {
      fail(canonical(visible), canonical(deal.json.visible), { line: deal.line });
    }
    if (!this.isVoid && !same(dealer, settle.json.dealer)) {
      fail(`the dealer's cards ${dealer}`, `${settle.json.dealer}`, { line: settle.line });
    }
  }

  // The dealer's hand that the deal shows, if the ruleset exposes it.
  dealerShown() {
    const { deal, settle } = this.round;
    if (settle === null) skip("no close of the round in the file");
    this.needPlayed();
    const { dealer } = this.dealt;
    const { ruleset } = this.listed;
    const expected = exposedHand(ruleset, this.world.rules.houseWayOf(ruleset), dealer);
    const shown = deal.json.dealer;
    if (!sameJson(expected, shown)) {
      fail(expected === undefined ? "no hand of the dealer" : canonical(expected),
        shown === undefined ? "none" : canonical(shown), { line: deal.line });
    }
  }

  // One decision for every seat with a base wager, none for others (crates/paigow-rules/src/game/check, D12).
  get decisions() {
    const { actions } = this.round;
    const { ruleset } = this.listed;
    const decisions = new Map();
    for (const { json: { house_way: way }, line } of actions) {
      if (way !== undefined && way !== ruleset.house_way.hash) {
        fail("the house way of the ruleset", way, { line });
      }
    }
    for (const action of actions) {
      const { seat, low, double_down: double } = action.json;
      // The close is at fault: it settled a decision that the rules do not accept. Of two decisions of a
      // seat the last counts here: LOCK_COVERS_ACTIONS requires one.
      const fault = decisionFault(ruleset, this.sheet, action.json, this.hands.get(seat) ?? []);
      if (fault !== null) fail("a decision that the rules take", fault, { line: this.round.settle.line });
      decisions.set(seat, { low, double_down: double ?? false });
    }
    const missing = activeSeats(this.sheet).filter((seat) => !decisions.has(seat));
    if (missing.length > 0) {
      fail("a decision of every seat with a base wager", `none of ${missing}`,
        { line: this.round.settle.line });
    }
    return decisions;
  }

  results() {
    const { deal, settle } = this.round;
    if (settle === null) skip("no close of the round in the file");
    if (this.isVoid) {
      this.voidResults();
      return;
    }
    const ruleset = this.needRules();
    const lock = this.needSheet();
    this.needPlayed();
    if (this.refused.has(deal.line)) skip("the deal was refused by an earlier check");
    const { hands, sheet } = this;
    this.compareFees();
    this.compareLines();
    const action = this.round.actions.find(({ line }) => this.refused.has(line));
    if (action) skip("an action was refused by an earlier check");
    const expected = resultsOf({ ruleset, houseWay: this.world.rules.houseWayOf(ruleset),
      houseWayHash: ruleset.house_way.hash, sheet, hands, dice: this.played.dice,
      decisions: this.decisions });
    this.recomputed = expected;
    this.compare("results", expected, settle.json.results, settle);
  }

  compareFees() {
    const fees = [...feesOf(this.listed.ruleset, this.sheet)].map(([seat, fee]) => [seat, String(fee)]);
    this.compare("fees", Object.fromEntries(fees), this.round.deal.json.fees, this.round.deal);
  }

  compareLines() {
    const lines = writeFinalLines(finalLines(this.listed.ruleset, this.sheet, this.hands));
    this.compare("lines", lines.length > 0 ? lines : undefined, this.round.deal.json.lines, this.round.deal);
  }

  // A void hands back every stake, and the fees that the deal took (D13). A deal only follows
  // wagers that the rules accept.
  voidResults() {
    const { lock, deal, settle } = this.round;
    // A refused record does not show what goes back.
    if (lock && this.refused.has(lock.line)) skip("the lock of the wagers was refused by an earlier check");
    if (deal && this.refused.has(deal.line)) skip("the deal was refused by an earlier check");
    if (deal) {
      this.needRules();
      this.needSheet();
      this.compareFees();
      // The cards are known only once the epoch's secret is.
      if (this.played) this.compareLines();
    }
    const back = new Map();
    const add = (seat, amount) => back.set(seat, (back.get(seat) ?? 0n) + BigInt(amount));
    const seats = this.round.hasUnreadableWagers ? {} : lock?.json.seats ?? {};
    for (const [seat, { wagers }] of Object.entries(seats)) {
      for (const { amount } of wagers) add(seat, amount);
    }
    for (const [seat, fee] of Object.entries(deal?.json.fees ?? {})) add(seat, fee);
    const returns = [...back].filter(([, amount]) => amount > 0n).map(([seat, amount]) => [seat, String(amount)]);
    this.compare("returns", Object.fromEntries(returns), settle.json.returns, settle);
    if (this.round.hasUnreadableWagers) skip("the lock of the wagers cannot be read");
  }

  compare(what, expected, found, record) {
    if (sameJson(expected, found)) return;
    const [path, wanted, there] = difference(expected, found, what);
    fail(`${path} ${wanted}`, there, { line: record.line });
  }

  // The settlement proves its server seed with the key of the epoch (vrf suite).
  checkSeedProof() {
    const { proof, line } = this.seedProof;
    const { suite } = this.listed.epoch;
    if (!this.isVrf) {
      if (!this.isVoid && proof !== undefined) fail("no seed proof", `one in the ${suite} suite`, { line });
      skipSuite(suite);
    }
    const { settle } = this.round;
    if (settle === null) skip("no close of the round in the file");
    if (this.isVoid && proof === undefined) skip("no close of the epoch with a proof of the void round");
    if (proof === undefined) fail("a proof of the server seed", "none", { line });
    const seed = this.provenSeed;
    if (seed === null) fail("a proof that verifies under the key of the epoch", proof, { line });
    if (this.isVoid) {
      const opened = this.opens(seed);
      if (opened !== this.ticket.commit) fail(this.ticket.commit, opened, { line });
    } else if (toHex(seed) !== settle.json.server_seed) {
      fail(toHex(seed), settle.json.server_seed, { line });
    }
  }

  seedWasNotChosen() {
    if (this.listed.epoch.suite !== "derived") skipSuite(this.listed.epoch.suite);
    const derived = this.derivedSeed;
    if (derived === null) skip("not revealed");
    const { settle } = this.round;
    const shown = settle === null || this.refused.has(settle.line) ? undefined : settle.json.server_seed;
    if (shown !== undefined && shown !== toHex(derived)) fail(toHex(derived), shown, { line: settle.line });
    const opened = this.opens(derived);
    if (opened !== this.ticket.commit) {
      fail(opened, this.ticket.commit, { line: this.round.ticket.line });
    }
  }
}
