// The checks of one round (D6), each with the records that it relies on.

import { fromHex, toHex } from "../bytes.js";
import { dealtHands } from "../dealing.js";
import { canonical, sameJson } from "../json.js";
import { clientCommit, deckCommit, roundCommit, roundId, roundSeed, serverSeed } from "../seeds.js";
import { finalLines, resultsOf, writeFinalLines } from "../settle.js";
import { Refused, activeSeats, feesOf, hasBase, readSheet } from "../sheet.js";
import { deckOf, diceOf } from "../shuffle.js";
import { fail, skip } from "./report.js";
import { difference } from "./difference.js";
import { needCommitment } from "./manifests.js";

const seatsOf = (members) => Object.keys(members ?? {}).map(Number);
const same = (a, b) => a.length === b.length && a.every((one, i) => one === b[i]);
const bytes = (member) => fromHex(member);

export class RoundAudit {
  // `world`: { manifests, rules, reveals, closes, roots }; `round` as `file.js` reads it.
  constructor(round, world) {
    Object.assign(this, { round, world });
    this.manifest = null;
    this.listed = null;
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

  // What is kept of a round when its audit is let go.
  get summary() {
    if (this.listed === null) return {};
    const { lock, chain } = this.policy;
    return { disposition: this.round.settle?.json.disposition ?? null, lock, chain,
      seeds: Object.keys(this.ticket.client).length };
  }

  // How the locks say that the round ends; the close must agree (CHAIN).
  get closesAsVoid() {
    const { close } = this.round;
    return close === null ? this.isVoid : close.json.step === "void";
  }

  get place() {
    const { epoch, tenant, table, round_no: roundNo } = this.ticket;
    return { epoch, tenant, table, roundNo };
  }

  // Every signature shown is verified (D12); none at all only where the policy allows it.
  signatures() {
    const { ticket, lock, deal, actions, close, settle } = this.round;
    const engine = this.world.manifests.receiptKeys(this.manifest);
    const ledger = this.listed.tenant.ledger_keys.map((key) => fromHex(key.pk));
    const check = (slot, record, keys, role, mayBeUnsigned) => {
      if (record === null) return;
      const signed = record.signatures.length > 0 ? record.allSignedBy(keys) : mayBeUnsigned;
      if (!signed) {
        fail(`a signature by ${role}`, "another, or none", { line: record.line, refuses: [slot] });
      }
    };
    check("ticket", ticket, engine, "a receipt key of the manifest", false);
    check("lock", lock, ledger, "a ledger key of the tenant", this.policy.lock === "off");
    check("deal", deal, engine, "a receipt key of the manifest", false);
    for (const action of actions) {
      const key = this.ticket.seat_keys[action.json.seat];
      const free = key === undefined && this.policy.seat_auth !== "required";
      check("action", action, key === undefined ? [] : [fromHex(key)], "the seat's key", free);
    }
    check("close", close, ledger, "a ledger key of the tenant", this.policy.lock === "off");
    check("settle", settle, engine, "a receipt key of the manifest", false);
  }

  chain() {
    const { ticket, lock, deal, actions, close, settle } = this.round;
    const link = (record, slot, member, to, name) => {
      const expected = to === null ? `a ${name} in the file` : to.hash;
      if (record.json[member] !== to?.hash) {
        fail(expected, record.json[member], { line: record.line, refuses: [slot] });
      }
    };
    const ofRound = (record, slot) => {
      if (record.json.round_id !== this.ticket.round_id) {
        fail(this.ticket.round_id, record.json.round_id, { line: record.line, refuses: [slot] });
      }
    };
    if (lock) {
      if (lock.json.step !== "wagers") fail("a lock of the wagers", lock.json.step, { line: lock.line });
      link(lock, "lock", "prev", ticket, "ticket");
      ofRound(lock, "lock");
    }
    if (deal) {
      link(deal, "deal", "prev", lock, "lock of the wagers");
      link(deal, "deal", "ticket", ticket, "ticket");
      ofRound(deal, "deal");
    }
    for (const action of actions) link(action, "action", "prev", deal, "deal");
    if (close) {
      const { step } = close.json;
      if (step === "wagers") fail("a lock that closes the round", step, { line: close.line });
      const last = step === "final" ? deal : deal ?? lock ?? ticket;
      const tail = step === "void" && actions.length > 0 ? actions[actions.length - 1] : last;
      const prev = close.json.prev === last?.hash ? last : tail;
      link(close, "close", "prev", prev, "deal");
      ofRound(close, "close");
    }
    if (settle) {
      const wanted = this.isVoid ? "void" : "final";
      if (close && close.json.step !== wanted) {
        fail(`a close that is ${close.json.step}`, settle.json.disposition,
          { line: settle.line, refuses: ["settle"] });
      }
      link(settle, "settle", "prev", close, "lock that closes the round");
      link(settle, "settle", "ticket", ticket, "ticket");
      if (!this.isVoid) link(settle, "settle", "deal", deal, "deal");
      ofRound(settle, "settle");
    }
  }

  checkPolicy() {
    const at = { line: this.round.ticket.line, refuses: ["ticket"] };
    const { policy } = this;
    const stated = this.ticket.policy;
    // The published example of the format has no policy in its ticket, and no rules at hand.
    if (stated === undefined ? this.listed.ruleset !== null : !sameJson(stated, policy)) {
      fail("the policy of the manifest", "another policy, or none", at);
    }
    if (policy.chain === "required" && this.ticket.round_no !== "1" &&
      this.ticket.prev === this.ticket.manifest) {
      fail("the close of the round before", "a round that starts over", at);
    }
    const committed = seatsOf(this.ticket.client);
    if (policy.client === "none" && committed.length > 0) fail("no client commitments", "some", at);
    if (policy.client === "committed" && committed.length === 0) {
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
    const { suite } = this.ticket;
    if (suite === "fresh" && (policy.lock !== "required" || policy.chain !== "required")) {
      fail("lock and chain required, as the suite is fresh", "a softer policy", at);
    }
  }

  id() {
    const expected = toHex(roundId(this.place));
    if (expected !== this.ticket.round_id) {
      fail(expected, this.ticket.round_id, { line: this.round.ticket.line, refuses: ["ticket"] });
    }
  }

  genesis() {
    const { tenant, table, round_no: number, prev, manifest } = this.ticket;
    const at = { line: this.round.ticket.line, refuses: ["ticket"] };
    if (number === "1") {
      if (prev !== manifest) fail(manifest, prev, at);
      return;
    }
    if (prev === manifest && this.policy.chain === "off") return;
    const before = this.world.closes.get(`${tenant} ${table} ${BigInt(number) - 1n}`);
    if (before === undefined) skip("the round before is not in the file");
    if (!before.has(prev)) fail([...before].join(" or "), prev, at);
  }

  clientCommit() {
    const { lock } = this.round;
    if (lock === null) skip("no lock of the wagers in the file");
    // Seeds that do not open can only be voided (D10): where nothing was dealt they are no fault.
    if (this.closesAsVoid && this.round.deal === null) skip("the round is void");
    const at = { line: lock.line, refuses: ["lock"] };
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
    const { close, actions } = this.round;
    if (close === null) skip("no final lock in the file");
    const at = { line: close.line };
    if (this.closesAsVoid) {
      if (actions.length > 0) fail("no action in a void", "actions", at);
      skip("the round is void");
    }
    if (close.json.step !== "final") skip("no final lock in the file");
    const hashes = actions.map((action) => action.hash);
    if (!same(close.json.actions, hashes)) {
      fail(`the actions [${close.json.actions.join(", ")}]`, `[${hashes.join(", ")}]`, at);
    }
    const seats = actions.map((action) => action.json.seat);
    if (seats.some((seat, i) => i > 0 && seat <= seats[i - 1])) {
      fail("one action of each seat, seats ascending", `[${seats}]`, at);
    }
  }

  // The server seed as the close reveals it, or as the revealed epoch secret gives it for a round
  // that shows none.
  get serverSeed() {
    const shown = this.round.settle?.json.server_seed;
    return shown === undefined ? this.derivedSeed : bytes(shown);
  }

  get derivedSeed() {
    const secret = this.world.reveals.get(this.ticket.epoch);
    if (secret === undefined || !this.listed.epoch.salt) return null;
    return serverSeed(bytes(secret), bytes(this.listed.epoch.salt), this.place);
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
    // Whether an epoch's secret opens a void round is asked by SEED_WAS_NOT_CHOSEN.
    if (this.isVoid) skip("a void reveals nothing");
    const opened = this.opens(bytes(settle.json.server_seed));
    if (opened !== this.ticket.commit) {
      fail(this.ticket.commit, opened, { line: this.round.ticket.line, refuses: ["settle"] });
    }
  }

  get clientSeeds() {
    return Object.entries(this.round.lock.json.seats)
      .filter(([, one]) => one.client_seed !== undefined)
      .map(([seat, one]) => [Number(seat), bytes(one.client_seed)]);
  }

  get hasDice() {
    return (this.listed.ruleset?.dealing.dice ?? "three") === "three";
  }

  // Seed, deck and dice from the revealed seeds alone; the bytes of the file are only compared.
  replay() {
    this.needSeed();
    const { lock, deal, settle } = this.round;
    if (lock === null) skip("no lock of the wagers in the file");
    if (deal === null) skip("no deal in the file");
    const seed = roundSeed(this.serverSeed, bytes(this.ticket.round_id), this.clientSeeds);
    const deck = deckOf(seed, this.listed.cards);
    const dice = this.hasDice ? diceOf(seed) : [];
    this.played = { seed, deck, dice };
    if (settle && !this.isVoid) {
      const at = { line: settle.line, refuses: ["settle"] };
      if (toHex(seed) !== settle.json.round_seed) fail(toHex(seed), settle.json.round_seed, at);
      if (!same(deck, settle.json.deck)) fail(`the deck ${deck}`, `${settle.json.deck}`, at);
    }
    if (!same(dice, deal.json.dice)) {
      fail(`the dice [${dice}]`, `[${deal.json.dice}]`, { line: deal.line, refuses: ["deal"] });
    }
  }

  needPlayed() {
    this.needSeed();
    if (!this.round.deal) skip("no deal in the file");
    if (!this.played) skip("the round could not be replayed");
  }

  deckCommit() {
    this.needPlayed();
    const expected = toHex(deckCommit(this.played.seed, this.played.deck));
    const { deal } = this.round;
    if (expected !== deal.json.deck_commit) {
      fail(expected, deal.json.deck_commit, { line: deal.line, refuses: ["deal"] });
    }
  }

  // The sheet of the lock, or null with the reason; without rules the wagers alone say who sits.
  get sheet() {
    if (this.cachedSheet === undefined) {
      try {
        this.cachedSheet = readSheet(this.listed.ruleset, this.round.lock.json);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.cachedSheet = null;
        this.sheetFault = error.message;
      }
    }
    return this.cachedSheet;
  }

  get hands() {
    if (!this.played) return null;
    const { deck, dice } = this.played;
    if (this.listed.ruleset === null) return dealtHands(null, deck, dice);
    return dealtHands(this.listed.ruleset, deck, dice,
      { actionPile: this.sheet.facts.action_pile, active: activeSeats(this.sheet) });
  }

  cardsShown() {
    this.needPlayed();
    const { deal, lock, settle } = this.round;
    if (this.listed.ruleset !== null && this.sheet === null) {
      skip("the wagers are not the ruleset's: see RESULTS");
    }
    const hands = this.hands;
    const seats = this.sheet ? [...this.sheet.seats.keys()] : seatsOf(lock.json.seats);
    const expected = Object.fromEntries(seats.map((seat) => [seat, hands.get(seat)]));
    if (!sameJson(expected, deal.json.visible)) {
      fail(canonical(expected), canonical(deal.json.visible),
        { line: deal.line, refuses: ["deal"] });
    }
    if (settle && !this.isVoid && !same(hands.get(0), settle.json.dealer)) {
      fail(`the dealer's cards ${hands.get(0)}`, `${settle.json.dealer}`,
        { line: settle.line, refuses: ["settle"] });
    }
  }

  // One decision for every seat with a base wager, none for others (rules/README.md, D12).
  get decisions() {
    const { actions } = this.round;
    const { ruleset } = this.listed;
    const decisions = new Map();
    for (const action of actions) {
      const { seat, low, house_way: way, double_down: double } = action.json;
      const bad = (found) => fail("a decision that the rules take", found, { line: action.line });
      if (!hasBase(this.sheet, seat) || decisions.has(seat)) bad(`another of seat ${seat}`);
      if (way !== undefined && way !== ruleset.house_way.hash) bad("another house way");
      if (double && !ruleset.double_down) bad("a double down");
      if (low) {
        const cards = this.hands.get(seat);
        if (low.length !== ruleset.hand - 5 || !low.every((card) => cards.includes(card))) {
          bad("low cards that the seat was not dealt");
        }
        if (this.sheet.facts.banker_seat === seat) bad("a banker's hand that he set himself");
      }
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
    const { lock, deal, settle } = this.round;
    const { ruleset } = this.listed;
    if (settle === null) skip("no close of the round in the file");
    if (this.isVoid && deal === null) {
      this.compare("returns", this.returns(new Map()), settle.json.returns, settle);
      return;
    }
    if (ruleset === null) skip(`ruleset ${this.ticket.ruleset} is not at hand`);
    const houseWay = this.world.rules.houseWayOf(ruleset);
    if (houseWay === null) skip(`house way ${ruleset.house_way.hash} is not at hand`);
    if (lock === null) skip("no lock of the wagers in the file");
    if (deal === null) skip("no deal in the file");
    if (this.sheet === null) {
      fail("wagers that the ruleset takes", this.sheetFault, { line: lock.line });
    }
    const fees = feesOf(ruleset, this.sheet);
    const written = Object.fromEntries([...fees].map(([seat, fee]) => [seat, String(fee)]));
    this.compare("fees", written, deal.json.fees, deal);
    const { hands, sheet } = this;
    // The cards of a void round are known only once its epoch's secret is.
    if (hands !== null) {
      const lines = writeFinalLines(finalLines(ruleset, sheet, hands));
      this.compare("lines", lines.length > 0 ? lines : undefined, deal.json.lines, deal);
    }
    if (this.isVoid) {
      this.compare("returns", this.returns(fees), settle.json.returns, settle);
      return;
    }
    const expected = resultsOf({ ruleset, houseWay, houseWayHash: ruleset.house_way.hash, sheet,
      hands, dice: this.played.dice, decisions: this.decisions });
    this.recomputed = expected;
    if (settle.json.results === undefined) fail("results", "none", { line: settle.line });
    this.compare("results", expected, settle.json.results, settle);
  }

  compare(what, expected, found, record) {
    if (sameJson(expected, found)) return;
    const [path, wanted, there] = difference(expected, found, what);
    fail(`${path} ${wanted}`, there, { line: record.line });
  }

  // A void hands back every stake that was locked, and the fees that were taken (D13). Where
  // nothing was dealt no rules are asked: the ledger took the stakes, whatever they say of them.
  returns(fees) {
    const returns = new Map(fees);
    for (const [number, { wagers }] of Object.entries(this.round.lock?.json.seats ?? {})) {
      const seat = Number(number);
      const stakes = wagers.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
      returns.set(seat, (returns.get(seat) ?? 0n) + stakes);
    }
    return Object.fromEntries([...returns].filter(([, amount]) => amount !== 0n)
      .map(([seat, amount]) => [seat, String(amount)]));
  }

  seedWasNotChosen() {
    if (this.listed.epoch.suite === "fresh") skip("fresh");
    needCommitment(this.listed.epoch);
    const derived = this.derivedSeed;
    if (derived === null) skip("not revealed");
    const opened = this.opens(derived);
    // The seed that a close shows opens the same commitment, or COMMIT has failed.
    if (opened !== this.ticket.commit) {
      fail(opened, this.ticket.commit, { line: this.round.ticket.line });
    }
  }
}
