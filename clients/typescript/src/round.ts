// One round, step by step. Every step may be repeated: after a lost answer, a crash, in another process.

import { clone, create, equals, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { permitted, roundOf } from "./beacon.js";
import { BadSignature, BeaconUnavailable, Refused, SignedOtherwise, TooLate, WrongStep } from "./errors.js";
import {
  ClientPolicy, DealResponseSchema, DecisionSchema, OpenRoundRequestSchema, RecordSchema, SettleRequestSchema,
  SettleResponseSchema, VoidReason, VoidRoundRequestSchema, VoidRoundResponseSchema, WagerSheetSchema, type DealResponse,
  type Decision, type OpenRoundRequest, type PrepareOpenResponse, type Record, type SeatAction, type SettleRequest,
  type SettleResponse, type VoidRoundResponse, type WagerSheet,
} from "./gen/paigow/v1/paigow_service_pb.js";
import { hex } from "./players.js";
import { ACTION, body, checkToSign, isSignedBy, pae, parse, recordHash, wagersOf, type Payload } from "./records.js";
import { CLOSE, WAGERS, type Place, type StoredLock } from "./store.js";
import type { Table } from "./table.js";

const REASONS: { [reason in VoidReason]?: string } = {
  [VoidReason.CLIENT_SEED]: "client_seed", [VoidReason.PLAYER_LEFT]: "player_left",
  [VoidReason.EQUIPMENT]: "equipment", [VoidReason.OPERATOR]: "operator",
  [VoidReason.EPOCH_REVOKED]: "epoch_revoked", [VoidReason.MISDEAL]: "misdeal",
};

/** The part of a seat in the opening of a round. */
export interface SeatOpening {
  commit?: string;
  publicKey?: string;
  houseWayIfAbsent?: boolean;
}

/** Returns the answer that has closed a round: of `Settle`, or of `VoidRound`. */
export function closeOf(stored: Uint8Array): SettleResponse | VoidRoundResponse {
  const [kind, answer] = [stored[0], stored.subarray(1)];
  return kind === SETTLED ? fromBinary(SettleResponseSchema, answer) : fromBinary(VoidRoundResponseSchema, answer);
}

// How a round has ended, before the answer that ended it: S and V.
const SETTLED = 0x53;
const VOID = 0x56;
const closed = (kind: number, answer: Uint8Array) => new Uint8Array([kind, ...answer]);

const opened = (seats: { [seat: number]: SeatOpening }) => Object.entries(seats)
  .map(([seat, opening]) => ({ seat: Number(seat), ...opening })).sort((one, other) => one.seat - other.seat);

/**
 * A round at a table, made by `Table.nextRound()`.
 *
 * `open`, `deal`, `decide` and `settle` come in this order; `void` ends a round at any step before it is settled.
 * A step that is done already returns its result again.
 */
export class Round {
  constructor(private readonly table: Table, readonly place: Place) {}

  private get store() {
    return this.table.ledger.store;
  }

  // The results of the steps

  /** Returns the ticket, once the round is open. */
  async ticket(): Promise<Record | undefined> {
    const found = await this.store.get(this.place, "ticket");
    return found && fromBinary(RecordSchema, found);
  }

  /** Returns the answer of the deal, once there is one. */
  async dealt(): Promise<DealResponse | undefined> {
    const found = await this.store.get(this.place, "dealt");
    return found && fromBinary(DealResponseSchema, found);
  }

  /** Returns the wagers, once they are final. */
  async sheet(): Promise<WagerSheet | undefined> {
    const lock = await this.store.lock(this.place, WAGERS);
    const found = lock?.content ?? await this.store.get(this.place, "sheet");
    return found && fromBinary(WagerSheetSchema, found);
  }

  /** Whether the ledger has locked the decisions: only `settle` is left. */
  async isLocked(): Promise<boolean> {
    return (await this.store.lock(this.place, CLOSE)) !== undefined;
  }

  /** Whether the round is settled or void. */
  async isClosed(): Promise<boolean> {
    return (await this.store.get(this.place, "closed")) !== undefined;
  }

  // Open

  private async opening(): Promise<OpenRoundRequest> {
    return fromBinary(OpenRoundRequestSchema, needs(await this.store.get(this.place, "place"), "nextRound"));
  }

  /** Returns the prefix of each seat's commitment: a player commits to SHA-256(prefix, seed). */
  async commitPrefixes(): Promise<Map<number, Uint8Array>> {
    const { prefixes } = await this.prepareOpen(await this.opening());
    return new Map(prefixes.map(({ seat, prefix }) => [seat, prefix]));
  }

  /** Has the engine check an opening. Sets a round of the beacon that the engine takes, where the policy wants one. */
  private async prepareOpen(open: OpenRoundRequest): Promise<PrepareOpenResponse> {
    if (this.table.waitsForBeacon) {
      const { beacon, source } = this.table.beacon();
      open.beaconRound = source.round(beacon);
    }
    return this.table.engine.call("prepareOpen", { open }).catch((error: unknown) => {
      open.beaconRound = permitted(error);
      return this.table.engine.call("prepareOpen", { open });
    });
  }

  /** Opens the round with the commitments and keys of the seats. Returns the ticket. */
  async open(seats: { [seat: number]: SeatOpening } = {}): Promise<Record> {
    const done = await this.ticket();
    if (done) return done;
    const request = await this.opening();
    for (const { seat, commit, publicKey, houseWayIfAbsent = false } of opened(seats)) {
      const like = create(OpenRoundRequestSchema, {
        ...(commit !== undefined && { clientCommits: [{ seat, commit }] }),
        ...(publicKey !== undefined && { seatKeys: [{ seat, publicKey, houseWayIfAbsent }] }) });
      request.clientCommits.push(...like.clientCommits);
      request.seatKeys.push(...like.seatKeys);
    }
    if (this.table.waitsForBeacon && !await this.store.get(this.place, "opened")) await this.prepareOpen(request);
    // Stored before the request: another opening with commitments would be a fork of the round.
    const asked = await this.store.put(this.place, "opened", toBinary(OpenRoundRequestSchema, request));
    const { ticket } = await this.table.engine.call("openRound", fromBinary(OpenRoundRequestSchema, asked))
      .catch(async (error: unknown) => {
        if (error instanceof Refused && error.code === "InvalidArgument") await this.store.forgetOpening(this.place);
        throw error;
      });
    const stored = await this.store.put(this.place, "ticket", toBinary(RecordSchema, needs(ticket, "open")));
    return fromBinary(RecordSchema, stored);
  }

  // Deal

  /**
   * Locks the wagers and deals. `seeds` are the client seeds by seat. Without a sheet it goes on with the wagers
   * that were locked. Returns the answer with the players' cards.
   *
   * Rejects with `SignedOtherwise` if other wagers are final, or if a void is locked. A round that waits for a beacon
   * rejects with `BeaconUnavailable` while its signature is not there, and with `TooLate` if its value is public and no
   * wagers are locked.
   */
  async deal(given?: MessageInitShape<typeof WagerSheetSchema>, seeds: { [seat: number]: Uint8Array } = {}):
    Promise<DealResponse> {
    const sheet = given && withSeeds(create(WagerSheetSchema, given), seeds);
    const done = await this.dealt();
    if (done) {
      await this.isSameSheet(sheet);
      return done;
    }
    const ticket = needs(await this.ticket(), "open");
    let dealt: DealResponse;
    if (this.table.policy.lockRequired) {
      const lock = this.table.ledger.record(await this.wagerLock(ticket, sheet));
      const beaconSignature = await this.beaconSignature(ticket, lock);
      const close = await this.store.lock(this.place, CLOSE);
      if (close) throw new SignedOtherwise("the void of the round is locked: void it", close.content);
      dealt = await this.table.engine.call("deal", { start: { case: "ticket", value: ticket },
        wagers: { case: "lock", value: lock }, beaconSignature }).catch((error: unknown) => {
          if (!(error instanceof Refused) || error.reason !== "BEACON_SIGNATURE") throw error;
          throw new BeaconUnavailable(`no signature of the beacon's round ${roundOf(ticket)}: ${error.message}`, { cause: error });
        });
    } else {
      const final = needs(sheet ?? await this.sheet(), "deal with a sheet");
      await this.store.put(this.place, "sheet", toBinary(WagerSheetSchema, final));
      await this.isSameSheet(final);
      dealt = await this.table.engine.call("deal", { start: { case: "ticket", value: ticket },
        wagers: { case: "sheet", value: final } });
    }
    return fromBinary(DealResponseSchema, await this.store.put(this.place, "dealt", toBinary(DealResponseSchema, dealt)));
  }

  /** Gives the lock to the log, and returns the signature of the beacon's round that the ticket waits for, if for any. */
  private async beaconSignature(ticket: Record, lock: Record): Promise<string> {
    const round = roundOf(ticket);
    if (round === undefined) return "";
    const { source } = this.table.beacon();
    source.giveLock(lock);
    return source.signature(round);
  }

  private async wagerLock(ticket: Record, sheet: WagerSheet | undefined): Promise<StoredLock> {
    const lock = await this.table.ledger.stored(this.place, WAGERS);
    if (lock) {
      await this.isSameSheet(sheet);
      return lock;
    }
    const wagers = needs(sheet, "deal with a sheet");
    const prepared = await this.table.engine.call("prepareDeal", { ticket, sheet: wagers });
    const expected = { ...wagersOf(wagers), prev: recordHash(ticket.envelope),
      round_id: body(ticket.envelope)["round_id"]!, step: "wagers" };
    const round = roundOf(ticket);
    if (round !== undefined) {
      const { beacon, source } = this.table.beacon();
      if (source.isPublished(beacon, round)) {
        throw new TooLate(`the beacon has published its round ${round}, and no wagers are locked: void the round`);
      }
    }
    return this.table.ledger.lock(this.place, WAGERS, prepared.lock, expected, toBinary(WagerSheetSchema, wagers));
  }

  private async isSameSheet(sheet: WagerSheet | undefined): Promise<void> {
    const locked = await this.sheet();
    if (sheet && locked && !equals(WagerSheetSchema, sheet, locked)) {
      throw new SignedOtherwise("the wagers of the round are final, and others", toBinary(WagerSheetSchema, locked));
    }
  }

  // Decide

  private async decided(): Promise<SettleRequest> {
    const found = await this.store.get(this.place, "decisions");
    return found ? fromBinary(SettleRequestSchema, found) : create(SettleRequestSchema);
  }

  /**
   * Takes the decision of a seat. Returns the bytes that the player signs, if the seat has a key: hand the
   * signature to `sign`. A later decision of a seat replaces an earlier one.
   */
  async decide(given: MessageInitShape<typeof DecisionSchema>, absent: number[] = []): Promise<Uint8Array> {
    const decision = create(DecisionSchema, given);
    const dealt = needs(await this.dealt(), "deal");
    if (await this.isLocked()) throw new WrongStep("the decisions are locked");
    const decided = await this.decided();
    const decisions = [...decided.decisions.filter(({ seat }) => seat !== decision.seat), decision];
    const prepared = await this.prepareSettle(dealt, decisions, absent);
    const found = prepared.actions.find(({ seat }) => seat === decision.seat);
    const action = needs(found?.action, "deal");
    checkAction(dealt, needs(found, "deal"), decision);
    const others = decided.actions.filter(({ envelope }) => body(envelope)["seat"] !== decision.seat);
    const made = create(SettleRequestSchema, { decisions, actions: [...others, needs(action.record, "deal")] });
    await this.store.replaceDecisions(this.place, toBinary(SettleRequestSchema, made));
    return action.toSign;
  }

  /**
   * Takes the signature of a seat's decision, 64 bytes. Rejects with `BadSignature` if it does not verify under the
   * key of the seat: a lock over it could not settle.
   */
  async sign(seat: number, signature: Uint8Array): Promise<void> {
    const decided = await this.decided();
    const action = decided.actions.find(({ envelope }) => body(envelope)["seat"] === seat);
    if (!action) throw new WrongStep(`seat ${seat} has not decided`);
    const publicKey = needs((await this.seatKeys()).get(seat), "open with the seat's key");
    const { kind, payload } = parse(action.envelope);
    if (!isSignedBy(publicKey, pae(kind, payload), signature)) {
      throw new BadSignature(`the key of seat ${seat} has not made this signature`);
    }
    action.signatures = create(RecordSchema, { signatures: [{ publicKey, signature }] }).signatures;
    await this.store.replaceDecisions(this.place, toBinary(SettleRequestSchema, decided));
  }

  private async seatKeys(): Promise<Map<number, string>> {
    const request = fromBinary(OpenRoundRequestSchema, needs(await this.store.get(this.place, "opened"), "open"));
    return new Map(request.seatKeys.map(({ seat, publicKey }) => [seat, publicKey]));
  }

  private async prepareSettle(dealt: DealResponse, decisions: Decision[], absent: number[]) {
    return this.table.engine.call("prepareSettle", {
      records: dealt.records, decisions: [...decisions].sort((one, other) => one.seat - other.seat),
      absentSeats: [...absent].sort((one, other) => one - other), spent: await this.spent() });
  }

  // Settle

  /**
   * Locks the decisions, settles, and checks the settlement. `absent` are the seats of players who are gone.
   * Returns the answer; rejects with `NotVerified` if it must not be paid.
   */
  async settle(absent: number[] = []): Promise<SettleResponse> {
    if (await this.isClosed()) return this.settled();
    const dealt = needs(await this.dealt(), "deal");
    const request = create(SettleRequestSchema, { records: dealt.records, spent: await this.spent() });
    if (this.table.policy.lockRequired) {
      const [lock, actions] = await this.finalLock(dealt, absent);
      request.actions = actions;
      request.lock = this.table.ledger.record(lock);
    } else {
      const { actions, decisions } = await this.finalDecisions(absent);
      if (actions.some(({ signatures }) => signatures.length > 0)) request.actions = actions;
      else request.decisions = decisions;
    }
    const settled = await this.table.engine.call("settle", request);
    await this.table.check([...dealt.records, ...settled.records]);
    await this.close(closed(SETTLED, toBinary(SettleResponseSchema, settled)));
    return this.settled();
  }

  private async close(answer: Uint8Array): Promise<void> {
    await this.store.put(this.place, "closed", answer);
    const wagers = this.table.source && await this.store.lock(this.place, WAGERS);
    if (wagers) this.table.source?.forgetLock(wagers.envelope);
  }

  private async settled(): Promise<SettleResponse> {
    const answer = closeOf(needs(await this.store.get(this.place, "closed"), "settle"));
    if (answer.$typeName !== "paigow.v1.SettleResponse") throw new WrongStep("the round is void");
    return answer;
  }

  /** Returns the decisions without unsigned ones of absent seats. */
  private async finalDecisions(absent: number[]): Promise<{ actions: Record[]; decisions: Decision[] }> {
    const decided = await this.decided();
    const keys = await this.seatKeys();
    const actions = decided.actions.filter(({ envelope, signatures }) => {
      const seat = Number(body(envelope)["seat"]);
      const [isAbsent, isSigned] = [absent.includes(seat), signatures.length > 0];
      if (isAbsent && isSigned) throw new WrongStep(`seat ${seat} has signed its decision: it is not absent`);
      // The lock would cover an action that can never settle.
      if (!isAbsent && !isSigned && keys.has(seat)) throw new WrongStep(`seat ${seat} has not signed its decision`);
      return !isAbsent;
    });
    return { actions, decisions: decided.decisions.filter(({ seat }) => !absent.includes(seat)) };
  }

  private async finalLock(dealt: DealResponse, absent: number[]): Promise<[StoredLock, Record[]]> {
    const lock = await this.table.ledger.stored(this.place, CLOSE);
    if (lock) {
      if (body(lock.envelope)["step"] === "void") {
        throw new SignedOtherwise("the void of the round is locked: void it", lock.content);
      }
      return [lock, fromBinary(SettleRequestSchema, lock.content).actions];
    }
    const decided = await this.finalDecisions(absent);
    const prepared = await this.prepareSettle(dealt, decided.decisions, absent);
    if (prepared.undecidedSeats.length > 0) {
      throw new WrongStep(`seats that have not decided: ${prepared.undecidedSeats.join(", ")}`);
    }
    const own = new Map(decided.actions.map((action) => [recordHash(action.envelope), action]));
    const seats = new Set(decided.decisions.map(({ seat }) => seat));
    const hashes: string[] = [];
    // The engine writes the action of an absent seat. The actions of others are those that they decided.
    const actions = prepared.actions.map(({ seat, action }) => {
      const record = needs(action?.record, "deal");
      const hash = recordHash(record.envelope);
      hashes.push(hash);
      const found = own.get(hash);
      if (seats.has(seat) && !found) throw new WrongStep(`the decision of seat ${seat} has changed: decide again`);
      return found ?? record;
    });
    const deal = needs(dealt.records[2], "deal").envelope;
    const expected: Payload = { actions: hashes, prev: recordHash(deal), round_id: body(deal)["round_id"]!, step: "final",
      ...(absent.length > 0 && { absent: [...absent].sort((one, other) => one - other) }), ...await this.superseded() };
    const content = toBinary(SettleRequestSchema, create(SettleRequestSchema, { actions }));
    return [await this.table.ledger.lock(this.place, CLOSE, prepared.lock, expected, content), actions];
  }

  /**
   * Decides again after the engine has refused a locked decision: the lock is spent then, and the next one
   * supersedes it. Returns what `decide` returns.
   */
  async mend(decision: MessageInitShape<typeof DecisionSchema>): Promise<Uint8Array> {
    await this.store.spend(this.place, CLOSE);
    return this.decide(decision);
  }

  private async spent() {
    return (await this.store.spent(this.place, CLOSE)).map((lock) => ({
      actions: fromBinary(SettleRequestSchema, lock.content).actions, lock: this.table.ledger.record(lock) }));
  }

  private async superseded(): Promise<Payload> {
    const spent = (await this.store.spent(this.place, CLOSE)).map(({ envelope }) => recordHash(envelope));
    return spent.length > 0 ? { supersedes: spent } : {};
  }

  // Void

  /**
   * Voids the round: stakes and fees go back, nothing is revealed. Returns the answer.
   *
   * If the wagers are locked, it deals first, so that the void names the deal that another process may have.
   *
   * Rejects with `SignedOtherwise` if the decisions are locked, or if the wagers were locked meanwhile. In the
   * second case void it again: that void is over ticket and wagers.
   */
  async void(reason: VoidReason = VoidReason.OPERATOR): Promise<VoidRoundResponse> {
    if (await this.isClosed()) return this.voided();
    const request = create(VoidRoundRequestSchema, { reason, spent: await this.spent() });
    if (await this.ticket()) {
      await this.dealLockedWagers();
      request.records = await this.soFar();
    } else {
      request.open = await this.unopened();
    }
    if (this.table.policy.lockRequired) {
      const lock = (await this.table.ledger.stored(this.place, CLOSE)) ?? await this.voidLock(request, reason);
      if (body(lock.envelope)["step"] !== "void") {
        throw new SignedOtherwise("the decisions of the round are locked: settle it", lock.content);
      }
      // The reason of the lock, if a void with another one was locked before.
      request.reason = fromBinary(VoidRoundRequestSchema, lock.content).reason;
      request.lock = this.table.ledger.record(lock);
    }
    const voided = await this.table.engine.call("voidRound", request);
    await this.close(closed(VOID, toBinary(VoidRoundResponseSchema, voided)));
    return this.voided();
  }

  /**
   * Returns the opening of a round without a ticket. One that names a round of the beacon is stored: the void names the
   * ticket that the engine makes of it. The engine opens no round without commitments where the policy wants them: then
   * nothing is stored.
   */
  private async unopened(): Promise<OpenRoundRequest> {
    const opened = await this.store.get(this.place, "opened");
    if (opened) return fromBinary(OpenRoundRequestSchema, opened);
    const request = await this.opening();
    if (!this.table.waitsForBeacon || this.table.policy.client === ClientPolicy.COMMITTED) return request;
    const { beacon, source } = this.table.beacon();
    request.beaconRound = source.round(beacon);
    return fromBinary(OpenRoundRequestSchema,
      await this.store.put(this.place, "opened", toBinary(OpenRoundRequestSchema, request)));
  }

  /**
   * Deals if the wagers are locked and the close is not. If the engine refuses the deal, or its value does not
   * come, no later record names a deal.
   */
  private async dealLockedWagers(): Promise<void> {
    const wagers = await this.store.lock(this.place, WAGERS);
    if (!wagers || await this.dealt() || await this.isLocked()) return;
    try {
      await this.deal();
    } catch (error) {
      if (!(error instanceof Refused || error instanceof BeaconUnavailable)) throw error;
    }
  }

  private async voided(): Promise<VoidRoundResponse> {
    const answer = closeOf(needs(await this.store.get(this.place, "closed"), "void"));
    if (answer.$typeName !== "paigow.v1.VoidRoundResponse") throw new WrongStep("the round is settled");
    return answer;
  }

  private async voidLock(request: ReturnType<typeof create<typeof VoidRoundRequestSchema>>, reason: VoidReason): Promise<StoredLock> {
    const { records, open, spent } = request;
    const prepared = await this.table.engine.call("prepareVoid", { records, open, reason, spent });
    const written = body(needs(prepared.lock?.record, "open").envelope);
    const [first, last] = [records.at(0), records.at(-1)];
    const expected: Payload = { reason: REASONS[reason] ?? "", step: "void", ...await this.superseded(),
      prev: last ? recordHash(last.envelope) : written["prev"]!,
      round_id: first ? body(first.envelope)["round_id"]! : written["round_id"]! };
    return this.table.ledger.lock(this.place, CLOSE, prepared.lock, expected,
      toBinary(VoidRoundRequestSchema, create(VoidRoundRequestSchema, { reason })));
  }

  /** The ticket, and the records that follow it: the lock of the wagers, the deal. */
  private async soFar(): Promise<Record[]> {
    const dealt = await this.dealt();
    if (dealt) return dealt.records;
    const ticket = needs(await this.ticket(), "open");
    const lock = await this.table.ledger.stored(this.place, WAGERS);
    return lock ? [ticket, this.table.ledger.record(lock)] : [ticket];
  }

  /**
   * Returns the records of the round, in the order of a transcript. For a closed round these are the records that its
   * close follows. A deal that another process got after the void was locked is not among them.
   */
  async records(): Promise<Record[]> {
    const close = await this.store.get(this.place, "closed");
    const answered = close ? closeOf(close).records : [];
    const hasTicket = answered[0] && parse(answered[0].envelope).kind.startsWith("application/vnd.pge.ticket.");
    if (hasTicket) return answered;
    const before = await this.soFar();
    const follows = answered[0] && body(answered[0].envelope)["prev"];
    const last = before.findIndex(({ envelope }) => recordHash(envelope) === follows);
    return [...before.slice(0, last < 0 ? before.length : last + 1), ...answered];
  }
}

/** The player signs these bytes: they are the player's decision, and nothing else. */
function checkAction(dealt: DealResponse, { action }: SeatAction, decision: Decision): void {
  const deal = needs(dealt.records[2], "deal").envelope;
  const hand = needs(dealt.hands.find(({ seat }) => seat === decision.seat), "deal");
  // The deal has the cards in the order of their codes in the answer.
  const numbers = (body(deal)["visible"] as Payload)[String(decision.seat)] as number[];
  const numberOf = new Map(hand.cards.map((card, place) => [card, numbers[place]!]));
  const unsigned = needs(action, "deal");
  const expected: Payload = { prev: recordHash(deal), seat: decision.seat,
    ...(decision.doubleDown && { double_down: true }) };
  if (decision.setting.case === "low") {
    expected["low"] = decision.setting.value.cards.map((card) => numberOf.get(card) ?? -1).sort((one, other) => one - other);
  } else {
    expected["house_way"] = body(needs(unsigned.record, "deal").envelope)["house_way"] ?? "";
  }
  checkToSign(unsigned, ACTION, expected);
}

function withSeeds(sheet: WagerSheet, seeds: { [seat: number]: Uint8Array }): WagerSheet {
  const made = clone(WagerSheetSchema, sheet);
  const seen = new Set<number>();
  // A seed is sent with the first wager of its seat.
  for (const wager of made.wagers) {
    const seed = seeds[wager.seat];
    if (seed && !seen.has(wager.seat)) wager.clientSeed = hex(seed);
    seen.add(wager.seat);
  }
  return made;
}

function needs<T>(value: T | undefined, step: string): T {
  if (value === undefined) throw new WrongStep(`first: ${step}`);
  return value;
}
