// A report in the form that `paigow-lab audit --json` prints: canonical proto JSON of AuditResponse,
// where members that are zero or empty are left out.

import { toHex } from "./bytes.js";
import { nameOf } from "./cards.js";

const upper = (prefix, text) => `${prefix}_${text.toUpperCase()}`;
const cards = (numbers) => numbers.map(nameOf);

// Numbers of 64 bits are texts in proto JSON.
const isNumber = (name) => name.endsWith("Minor") || ["num", "den", "roundNo"].includes(name);

function lean(members) {
  return Object.fromEntries(Object.entries(members).filter(([name, value]) =>
    value !== undefined && value !== null && value !== "" && !(value === "0" && isNumber(name)) &&
    value !== 0 && value !== false && !(Array.isArray(value) && value.length === 0)));
}

// `two pair` is HAND_CATEGORY_TWO_PAIR.
const categoryOf = (words) => upper("HAND_CATEGORY", words.replaceAll(" ", "_"));

const settingOf = (one) => lean({
  clauseId: one.clause, high: cards(one.high), highCategory: categoryOf(one.high_category),
  houseWay: one.house_way !== undefined, low: cards(one.low), lowCategory: categoryOf(one.low_category),
});

const lineOf = (one) => lean({
  bet: one.bet, stakeMinor: one.stake, status: upper("LINE_STATUS", one.status), row: one.row,
  pays: one.pays && lean({ num: String(one.pays.num), den: String(one.pays.den) }),
  winMinor: one.win, commissionMinor: one.commission, returnMinor: one.return,
  uncoveredMinor: one.uncovered, causedBySeat: one.caused_by_seat,
});

// The part of a net that neither lines nor fee explain is the commission of the player who banks.
const bankCommission = (one, fee) => one.lines.reduce(
  (sum, line) => sum + BigInt(line.return) - BigInt(line.stake), -BigInt(fee) - BigInt(one.net));

const seatOf = ([seat, one], fee) => lean({
  seat: Number(seat), lines: one.lines.map(lineOf), netMinor: one.net,
  feeMinor: fee, bankCommissionMinor: String(bankCommission(one, fee)),
  base: one.outcome && lean({
    setting: settingOf(one), foul: one.foul, outcome: upper("OUTCOME", one.outcome),
    high: upper("COMPARISON", one.high_result), low: upper("COMPARISON", one.low_result),
  }),
});

const checkOf = (check) => lean({
  code: check.code, status: upper("CHECK_STATUS", check.status), where: check.where,
  expected: check.expected === undefined ? undefined : String(check.expected),
  found: check.found === undefined ? undefined : String(check.found),
});

const claimOf = ({ name, status, why }) => lean({ name, status: upper("CLAIM_STATUS", status), why });

// Verdict, checks and claims of a round or of the whole file.
const concluded = ({ verdict, code, checks, claims }) => ({
  verdict: upper("VERDICT", verdict), code, checks: checks.map(checkOf), claims: claims.map(claimOf),
});

// The answer about one round, whose ticket is canonical. Its verdict comes with the report.
export function roundAnswer(round, audit) {
  const { ticket } = audit;
  const isClosed = round.settle !== null && !audit.refused.has(round.settle.line);
  const disposition = isClosed && { settled: "SETTLE", void: "VOID" }[round.settle.json.disposition];
  const results = audit.recomputed;
  return lean({
    roundId: ticket.round_id, table: ticket.table, roundNo: ticket.round_no,
    disposition: disposition && `DISPOSITION_${disposition}`,
    roundSeed: audit.played && toHex(audit.played.seed), dice: audit.played?.dice,
    deck: audit.played && cards(audit.played.deck),
    bank: results && lean({ cards: cards(audit.hands.get(0)), netMinor: results.bank.net,
      setting: settingOf(results.bank), seat: audit.sheet.facts.banker_seat }),
    seats: results && Object.entries(results.seats).map(
      (pair) => seatOf(pair, round.deal.json.fees[pair[0]] ?? "0")),
    commissionMinor: results?.commission, feesMinor: results?.fees,
    houseNetMinor: results?.house_net,
  });
}

// `rounds` are the answers about rounds with their numbers: { number, answer }.
export const reportAnswer = (report, rounds) => lean({
  ...concluded(report), because: report.because,
  rootKeys: report.terms.keys, threshold: report.terms.threshold, witnessKeys: report.terms.witnesses,
  beaconChains: report.terms.beacons,
  rounds: rounds.map(({ number, answer }) => lean({ ...answer, ...concluded(report.rounds[number - 1]) })),
});
