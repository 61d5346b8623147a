// The settlement of a round: hand by hand, then each line of money.

import { byRank, row } from "./cards.js";
import { capital, h } from "./dom.js";
import { amountText, netText } from "./money.js";

const RESULTS = { win: "wins", lose: "loses", copy: "copy" };
const OUTCOMES = { win: "Win", lose: "Loss", push: "Push" };
const STATUS = { won: "Won", lost: "Lost", push: "Push", returned: "Returned", uncovered: "Not covered", void: "Void" };

export const toneOf = (minor) => (minor > 0 ? "gain" : minor < 0 ? "loss" : "even");

// One hand, with its name and how it compares with the dealer's.
export function handLine(which, codes, name, result = null) {
  return h("div", { class: "hand-line" },
    h("span", { class: "hand-which" }, which),
    row(byRank(codes), { small: true }),
    h("span", { class: "hand-name" }, capital(name ?? ""),
      result === null ? null : h("span", { class: `result ${result}` }, RESULTS[result] ?? result)));
}

function lineOf(line, currency) {
  const more = [
    line.row || null, line.pays ? `pays ${line.pays}` : null,
    line.win_minor > 0 ? `wins ${amountText(line.win_minor, currency)}` : null,
    line.commission_minor > 0 ? `commission ${amountText(line.commission_minor, currency)}` : null,
    line.caused_by_seat === null ? null : `by the hand of seat ${line.caused_by_seat}`,
  ].filter((one) => one !== null);
  return h("tr", {},
    h("th", { scope: "row" }, line.title, more.length === 0 ? null : h("small", {}, more.join(", "))),
    h("td", {}, line.stake_minor === 0 ? "–" : amountText(line.stake_minor, currency)),
    h("td", { class: `status ${line.status}` }, STATUS[line.status] ?? line.status),
    h("td", {}, amountText(line.return_minor, currency)));
}

function money(seat, currency) {
  return h("table", { class: "money" },
    h("thead", {}, h("tr", {}, ["Bet", "Stake", "Result", "You get"].map((text) =>
      h("th", { scope: "col" }, text === "You get" ? "Returned" : text)))),
    h("tbody", {}, seat.lines.map((line) => lineOf(line, currency)),
      seat.fee_minor > 0 ? h("tr", {}, h("th", { scope: "row" }, "Fee"), h("td", {}), h("td", {}),
        h("td", {}, `−${amountText(seat.fee_minor, currency)}`)) : null),
    h("tfoot", {}, h("tr", { class: toneOf(seat.net_minor) }, h("th", { scope: "row", colspan: 3 }, "Net"),
      h("td", { "data-test": `net-${seat.seat}`, "data-minor": seat.net_minor }, netText(seat.net_minor, currency)))));
}

const clauseOf = ({ clause, clause_text: text }) =>
  (clause ? h("p", { class: "clause-note" }, h("strong", {}, "House way: "), text, " ", h("code", {}, clause)) : null);

function seatPart(seat, currency, own) {
  const isOwn = seat.seat === own;
  const hasHand = (seat.low ?? []).length > 0;
  const badge = seat.foul ? "Foul" : OUTCOMES[seat.outcome] ?? null;
  const title = h("h3", { class: "seat-title" }, isOwn ? `You, seat ${seat.seat}`
    : `${seat.name || "Player"}, seat ${seat.seat}`,
    badge === null ? null : h("span", { class: `badge ${seat.foul ? "lose" : seat.outcome}` }, badge));
  const notes = [
    seat.absent ? h("p", { class: "absent" }, "The house way set this hand: the player was gone.") : null,
    seat.foul ? h("p", { class: "absent" }, "The low hand is higher than the high hand. The hand is foul and loses.")
      : null,
    seat.by === "house way" ? clauseOf(seat) : null,
  ];
  return h("section", { class: `settled-seat ${isOwn ? "is-own" : ""}` }, title,
    hasHand ? [handLine("Low", seat.low, seat.low_name, seat.low_result),
      handLine("High", seat.high, seat.high_name, seat.high_result)] : null,
    notes, seat.lines.length > 0 || seat.fee_minor > 0 ? money(seat, currency)
      : h("p", { class: "quiet" }, "No wager was settled."));
}

export const checkLink = (href, text = "Check this round") =>
  h("a", { class: "button", href, target: "_blank", rel: "noopener", "data-test": "check" }, text);

// The sentence and the picture of the public log, when it has the round.
const publicPlace = ({ logged, publicPart }) => publicPart ?? h("p", { class: "quiet", "data-test": "public-waits" },
  logged ? "Your browser reads the proofs of the public log."
    : "The public log does not have all records of this round yet.");

// `own` is the seat of this player in the round, or null; `link` leads to the verifier.
export function settlement(last, rules, own, link) {
  const { currency } = rules;
  const name = `Round ${last.round.round_no}`;
  const seats = [...last.seats].sort((a, b) => Number(b.seat === own) - Number(a.seat === own) || a.seat - b.seat);
  const body = last.end === "void"
    ? [h("p", { class: "void" }, h("strong", {}, "This round is void. "), last.reason ?? "",
      " All stakes and fees go back to the players."),
      seats.map((seat) => h("p", { class: "quiet", "data-test": `net-${seat.seat}`, "data-minor": seat.net_minor },
        `${seat.seat === own ? "You" : seat.name}, seat ${seat.seat}: ${netText(seat.net_minor, currency)}`))]
    : [h("section", { class: "settled-seat dealer-part" }, h("h3", { class: "seat-title" }, "Dealer"),
      handLine("Low", last.dealer.low, last.dealer.low_name),
      handLine("High", last.dealer.high, last.dealer.high_name), clauseOf(last.dealer)),
    seats.map((seat) => seatPart(seat, currency, own))];
  return h("details", { class: "panel settlement", "data-test": "settlement", "data-end": last.end,
    "data-round": last.round.round_no, open: true },
    h("summary", {}, h("h2", {}, `${name}: ${last.end === "void" ? "void" : "settlement"}`)),
    h("p", {}, checkLink(link)),
    publicPlace(last),
    last.isCompared ? h("p", { class: "quiet", "data-test": "compared" },
      "Your browser compared the transcript: it has your cards, and the deal that your key has signed for.") : null,
    body);
}

// Returns tone and words of the result, which the felt shows; null if the player had no seat in the round.
export function resultWords(last, own, currency) {
  if (last.end === "void") return ["even", "The round is void. Your stakes are back."];
  const seat = last.seats.find((one) => one.seat === own);
  if (seat === undefined) return null;
  const { net_minor: net } = seat;
  if (net > 0) return ["gain", `You win ${amountText(net, currency)}`];
  if (net < 0) return ["loss", `You lose ${amountText(-net, currency)}`];
  return ["even", seat.outcome === "push" ? "Push: your stake is back" : "You come out even"];
}
