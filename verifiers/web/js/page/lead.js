// The first part of the report: the course of the reader's seat, the claims that are shown, and those that are
// open, with their dates.

import { auditRound } from "../audit/index.js";
import { dayOf } from "../audit/terms.js";
import { decimal } from "../money.js";
import { cardRow, exposedDealer } from "./cards.js";
import { h, plural, sentence } from "./dom.js";
import { TableView } from "./table.js";
import { publicView } from "./timeline.js";
import { TITLES, VERDICTS } from "./words.js";

const isOverdue = ({ rounds, verdict }) => verdict === "incomplete" && rounds.some(({ standing }) => standing.isOverdue);

// Whether the file has no record at all, which accuses nobody.
const isNoTranscript = ({ file, verdict }) => verdict === "incomplete" && file === undefined;

export function headline(report) {
  if (isNoTranscript(report)) return "This is not a transcript";
  return isOverdue(report) ? "The operator's secret is overdue" : VERDICTS[report.verdict];
}

// The latest day on which a secret that the file lacks is due, or null.
function dueOf({ rounds }) {
  const days = rounds.map(({ standing }) => standing.awaits).filter((one) => one !== null).map(({ due }) => due);
  return days.length === 0 ? null : dayOf(days.reduce((a, b) => (a > b ? a : b)));
}

// The reason of the verdict, for a reader without the words of the protocol.
export function becauseOf(report) {
  const due = dueOf(report);
  if (isNoTranscript(report)) {
    return "The file has no record of a round. That accuses nobody: choose the file that the game gave you.";
  }
  if (report.verdict === "pending") {
    return `The operator has to publish the secret behind the shuffle; it is due after ${due}. Then check again, with `
      + "the published file beside this one.";
  }
  if (isOverdue(report)) {
    return `The secret behind the shuffle was due on ${due} and is not in this file. Ask the operator for the `
      + "published file, and check again with both.";
  }
  return sentence(report.because);
}

// The seats that a round has wagers or cards of.
const seatsOf = ({ lock, deal }) => [...new Set([...Object.keys(lock?.json?.seats ?? {}),
  ...Object.keys(deal?.json?.visible ?? {})])].map(Number).filter((seat) => seat > 0).sort();

// Whether a seat plays in a round.
export function plays(round, seat) {
  try {
    return seatsOf(round).includes(seat);
  } catch {
    return false;
  }
}

// The sentence and the picture of a round, counted from 0.
export function leadOf(report, index, reader) {
  const round = report.file.rounds[index];
  const seat = report.terms.seat?.number ?? null;
  const { outcomes, audit } = auditRound(round, report.world);
  const total = report.rounds.length;
  const isGood = outcomes.every(({ status }) => status !== "failed");
  const which = `${total === 1 ? "" : `Round ${index + 1} of ${total}. `}${isGood ? "" : "As this page computes it: "}`;
  if (outcomes[0].status !== "passed" || audit.listed === null) {
    return [h("p", { class: "happened" }, `${which}The records of this round cannot be relied on.`)];
  }
  const { text, picture } = audit.recomputed ? played(new TableView(round, audit), seat) : unsettled(round, seat);
  return [h("p", { class: "happened" }, which, text), picture, publicView(report, index, { round, audit, outcomes }),
    seat === null ? seatChooser(seatsOf(round), reader) : null].filter((part) => part !== null);
}

function seatChooser(seats, reader) {
  if (seats.length === 0) return null;
  return h("p", { class: "row seat-chooser" }, h("span", {}, "Which seat was yours?"), seats.map((seat) =>
    h("button", { type: "button", class: "button", onclick: () => reader.chooseSeat(seat) }, `Seat ${seat}`)));
}

// Says in words whether a stake won or lost.
function outcomeOf(view, net) {
  const amount = BigInt(net);
  if (amount === 0n) return "came out even";
  return `${amount > 0n ? "won" : "lost"} ${view.amount(String(amount < 0n ? -amount : amount))}`;
}

function played(view, seat) {
  const { seats, bank } = view.audit.recomputed;
  const numbers = Object.keys(seats);
  if (seat === null) {
    const all = numbers.map((number) => `seat ${number} ${outcomeOf(view, seats[number].net)}`);
    return { text: sentence(all.length > 0 ? all.join(", ") : "nobody played in this round"), picture: view.picture(null) };
  }
  const mine = seats[seat];
  const banked = view.audit.sheet.facts.banker_seat === seat ? `As the bank you ${outcomeOf(view, bank.net)}. ` : "";
  if (mine === undefined) {
    return { text: banked || `Nobody played at seat ${seat} in this round.`, picture: view.picture(null) };
  }
  const sum = (name) => mine.lines.reduce((total, line) => total + BigInt(line[name]), 0n);
  const { fees = {} } = view.round.deal.json;
  const fee = BigInt(fees[seat] ?? 0) === 0n ? "" : `, paid a fee of ${view.amount(fees[seat])}`;
  return { picture: view.picture(seat), text: `At seat ${seat} you staked ${view.amount(String(sum("stake")))}, got `
    + `${view.amount(String(sum("return")))} back${fee} and ${outcomeOf(view, mine.net)}. ${banked}` };
}

function unsettled({ lock, deal, settle, hasUnreadableWagers }, seat) {
  const cards = seat === null ? undefined : deal?.json.visible[seat];
  const picture = cards === undefined && deal?.json?.dealer === undefined ? null : h("div", {}, exposedDealer(deal),
    cards === undefined ? null : h("p", {}, cardRow(cards, `Cards of seat ${seat}`)));
  if (settle?.json.disposition === "void") {
    const { exponent = 0, code = "" } = (hasUnreadableWagers ? null : lock)?.json.currency ?? {};
    const back = seat === null ? undefined : settle.json.returns[seat];
    return { picture, text: "The round was void: nothing was won or lost, and every stake and fee goes back."
      + (back === undefined ? "" : ` Seat ${seat} gets ${decimal(BigInt(back), exponent)} ${code}.`) };
  }
  if (settle === null) return { picture, text: "The round is not settled in this file." };
  return { picture, text: "This page could not compute the result of the round." };
}

// The claims in three groups: shown, open until a date, not shown. With `isConditional` all of them rest on keys
// that the reader has not pinned.
export function groupsView(report, isConditional) {
  if (isNoTranscript(report)) return null;
  const due = dueOf(report);
  const group = (status, title, mark) => {
    const claims = report.claims.filter((claim) => claim.status === status);
    return claims.length === 0 ? null : h("div", { class: `group ${status}` }, h("h3", {}, title),
      h("ul", {}, claims.map(({ name }) => h("li", {}, h("span", { class: "mark", "aria-hidden": "true" }, mark),
        TITLES[name]))));
  };
  return h("div", { class: "groups" }, group("shown", isConditional ? "Shown, if the keys are the right ones" : "Shown", "✓"),
    group("pending", due === null ? "Open" : `Open until after ${due}`, "…"), group("not_shown", "Not shown", "–"),
    h("p", { class: "quiet" }, `${plural(report.rounds.length, "round")}, ${plural(report.file?.records ?? 0, "record")}. `
      + "The reasons are below."));
}
