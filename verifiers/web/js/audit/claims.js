// Claims: sentences about a round that state no more than its checks found (D6).

import { claims as texts } from "../data.js";
import { roundId } from "../seeds.js";
import { toHex } from "../bytes.js";
import { dayOf } from "./terms.js";

const [text] = texts;
const { claims: CLAIMS, after_the_reveal: AFTER_THE_REVEAL, always_open: ALWAYS_OPEN } = JSON.parse(text);
export { ALWAYS_OPEN, CLAIMS };

// The checks that a claim rests on in a round, by its source of external randomness and its suite, and those that it
// rests on in any.
const checksOf = ({ checks, checks_of_external: external = {}, checks_of_suite: own = {} }, round) => {
  if (Object.hasOwn(external, round.external)) return external[round.external];
  return Object.hasOwn(own, round.suite) ? own[round.suite] : checks;
};
const allChecksOf = ({ checks, checks_of_external: external = {}, checks_of_suite: own = {} }) =>
  [checks, ...Object.values(external), ...Object.values(own)].flat();

const STRENGTH = { not_shown: 0, pending: 1, shown: 2 };

export const isDue = ({ epoch, due }) => `the secret of epoch ${epoch} is due after ${dayOf(due)}`;

// The facts about a round that its verdict and its claims need in addition to its checks.
export function standingOf(audit) {
  const { round, world, isReadable, isTicketCanonical } = audit;
  const epoch = audit.listed?.epoch;
  const awaits = epoch?.suite === "derived" && audit.reveal === null
    ? { epoch: epoch.epoch, due: BigInt(epoch.settle_until) } : null;
  return {
    place: isTicketCanonical ? { ...audit.place, isChained: audit.ticket.policy.chain === "required" } : null,
    roundId: isTicketCanonical ? audit.ticket.round_id : null, close: closeOf(audit),
    suite: isTicketCanonical ? audit.ticket.suite : null,
    external: isTicketCanonical ? audit.ticket.external.type : null,
    hasUnreadableWagers: round.hasUnreadableWagers,
    isVoid: isReadable && (round.close?.json.step === "void" || round.settle?.json.disposition === "void"),
    awaits, isOverdue: awaits !== null && world.terms.asOf !== null && BigInt(world.terms.asOf) > awaits.due,
    places: audit.places, withoutSeatKey: withoutSeatKey(audit, world.terms.seat), endOfLog: world.logEnds.of(audit),
  };
}

// Whether a telling of a round has its close: "here", "refused" or "missing".
function closeOf({ round: { settle }, refused }) {
  if (settle === null) return "missing";
  return refused.has(settle.line) ? "refused" : "here";
}

// Notes which tellings without a close are of a round that another telling closes.
export function noteCloses(standings) {
  const closed = new Set(standings.filter(({ close }) => close === "here").map(({ roundId }) => roundId));
  for (const standing of standings) {
    if (standing.close === "missing" && standing.roundId !== null && closed.has(standing.roundId)) {
      standing.close = "elsewhere";
    }
  }
}

// Why the caller's seat does not act with the key that the caller names; null if it does.
function withoutSeatKey(audit, seat) {
  if (!seat?.key) return "rests on the ledger's key: no key of a seat is named as yours";
  if (!audit.isTicketCanonical || audit.seatKey(seat.number)?.key !== seat.key) {
    return `rests on the ledger's key: the key of seat ${seat.number} is another or none`;
  }
  if (audit.isReadable && audit.round.close?.json.absent?.includes(seat.number)) {
    return `seat ${seat.number} is listed as absent: its decision needs no signature`;
  }
  const acts = audit.round.actions.some((action) =>
    !audit.refused.has(action.line) && action.json.seat === seat.number);
  return acts ? null : `seat ${seat.number} has no decision in the round`;
}

export const missing = (table, first, last) => (first === last
  ? `round ${first} of table ${table} is not in the file`
  : `rounds ${first} to ${last} of table ${table} are not in the file`);

// The numbers of the rounds of each table under `chain: required`.
export class Tables {
  constructor(standings, after) {
    this.after = after;
    this.tables = new Map();
    for (const { place } of standings) {
      if (!place?.isChained) continue;
      const key = Tables.keyOf(place);
      if (!this.tables.has(key)) this.tables.set(key, { place, numbers: new Set() });
      this.tables.get(key).numbers.add(BigInt(place.roundNo));
    }
    for (const table of this.tables.values()) {
      table.numbers = [...table.numbers].sort((a, b) => (a < b ? -1 : 1));
      table.gap = gapOf(table);
      table.missing = table.gap ?? this.before(table);
    }
  }

  static keyOf = ({ epoch, tenant, table }) => `${epoch} ${tenant} ${table}`;

  // The rounds before the first, if the caller named no close of the last of them.
  before({ place, numbers: [lowest] }) {
    if (lowest === 1n) return null;
    const id = toHex(roundId({ ...place, roundNo: String(lowest - 1n) }));
    return Object.hasOwn(this.after, id) ? null : missing(place.table, 1n, lowest - 1n);
  }

  // The first gap of the file, or null.
  get gap() {
    const gaps = [...this.tables].filter(([, { gap }]) => gap !== null).sort(([a], [b]) => (a < b ? -1 : 1));
    return gaps[0]?.[1].gap ?? null;
  }

  // Why not every round of the table of a round is there; null if all are.
  withoutEveryRound({ place }) {
    if (place === null) return "the ticket cannot be read";
    if (!place.isChained) return "the chain is off: rounds may be left out";
    return this.tables.get(Tables.keyOf(place)).missing;
  }
}

function gapOf({ place, numbers }) {
  const at = numbers.findIndex((number, i) => i > 0 && number > numbers[i - 1] + 1n);
  return at < 0 ? null : missing(place.table, numbers[at - 1] + 1n, numbers[at] - 1n);
}

// Each claim that applies to a round, by its checks.
export function claimsOfRound(standing, checks, tables) {
  const made = new Map(checks.map((check) => [check.code, check]));
  const unmet = { seat_key: standing.withoutSeatKey, every_round: tables.withoutEveryRound(standing),
    end_of_log: standing.endOfLog.why ?? null };
  const isLeftOut = standing.isVoid || standing.close === "elsewhere";
  const weigh = (claim) => {
    if (claim.rounds === "all" || !isLeftOut) return weighed(claim, standing, made, unmet);
    // Unreadable wagers were not recomputed, though they were voided.
    const isUnread = standing.hasUnreadableWagers && checksOf(claim, standing).includes("RESULTS");
    return isUnread ? { status: "not_shown", why: `RESULTS: ${made.get("RESULTS").found}` } : null;
  };
  return CLAIMS.map((claim) => ({ name: claim.name, ...weigh(claim) })).filter(({ status }) => status);
}

function weighed(claim, standing, made, unmet) {
  const need = claim.needs.find((one) => unmet[one] !== null);
  if (need) return { status: "not_shown", why: unmet[need] };
  const { awaits, isOverdue, places, endOfLog } = standing;
  const checks = checksOf(claim, standing);
  const open = checks.filter((code) => made.get(code).status !== "passed");
  if (open.length === 0 && claim.needs.includes("end_of_log")) return { status: "shown", why: endOfLog.end };
  if (open.length === 0) {
    return { status: "shown", why: checks.includes("PLACE_LISTED") ? `one of ${places} tables` : "" };
  }
  for (const code of open) {
    const check = made.get(code);
    if (check.status === "failed") return { status: "not_shown", why: `${code} failed` };
    if (awaits === null || isOverdue || !AFTER_THE_REVEAL.includes(code)) {
      return { status: "not_shown", why: `${code}: ${check.found}` };
    }
  }
  return { status: "pending", why: isDue(awaits) };
}

// Each claim of the file, with the weakest status among the rounds that it applies to.
export function claimsOfFile(rounds, checks) {
  const failed = checks.filter(({ status }) => status === "failed").map(({ code }) => code);
  return CLAIMS.map((claim) => {
    const bad = allChecksOf(claim).find((code) => failed.includes(code));
    if (bad) return { name: claim.name, status: "not_shown", why: `${bad} failed` };
    let weakest = null;
    for (const { number, claims } of rounds) {
      const one = claims.find(({ name }) => name === claim.name);
      if (one && (weakest === null || STRENGTH[one.status] < STRENGTH[weakest.status])) {
        weakest = { ...one, why: one.status === "shown" ? one.why : `round ${number}: ${one.why}` };
      }
    }
    return weakest ?? { name: claim.name, status: "not_shown", why: "no round that it applies to" };
  });
}

export const noClaims = (why) => CLAIMS.map(({ name }) => ({ name, status: "not_shown", why }));
