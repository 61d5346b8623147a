// The table as it was played: the dealer's hand, the seats, every bet's line and money.

import { decimal } from "../money.js";
import { sentencesOf } from "../house-way/index.js";
import { betOf } from "../sheet.js";
import { cardRow, heldOrder } from "./cards.js";
import { h } from "./dom.js";

const TITLES = { base: "Base wager", double_down: "Double down" };

// A title in the first of the reader's languages that exists, else as in the ruleset.
function titleOf({ title, titles = {} }) {
  const wanted = navigator.languages.flatMap((tag) => [tag, tag.split("-")[0]]);
  const tag = wanted.find((one) => Object.hasOwn(titles, one) || one === "en");
  return titles[tag] ?? title;
}
const OUTCOMES = { win: "wins", lose: "loses", push: "pushes" };
const RESULTS = { win: "wins", lose: "loses", copy: "copies, which the dealer wins" };
const STATUS = { won: "won", lost: "lost", push: "push", uncovered: "not covered",
  returned: "returned", void: "void" };

export class TableView {
  constructor(round, audit) {
    Object.assign(this, { round, audit });
    this.ruleset = audit.listed.ruleset;
    this.houseWay = audit.world.rules.houseWayOf(this.ruleset);
    this.currency = audit.sheet.currency;
  }

  money(text, signed = false) {
    const minor = BigInt(text);
    const sign = signed && minor > 0n ? "+" : "";
    return sign + decimal(minor, this.currency.exponent).replace("-", "−");
  }

  hand(name, category, cards) {
    return h("div", { class: "hand" },
      h("p", { class: "hand-name" }, name, " ", h("span", { class: "category" }, category)),
      cardRow(heldOrder(cards), `${name}: ${category}`));
  }

  setting(one) {
    return h("div", { class: "setting" },
      this.hand("Low hand", one.low_category, one.low),
      this.hand("High hand", one.high_category, one.high));
  }

  // An amount with its currency, for a sentence.
  amount(text) {
    return `${this.money(text)} ${this.currency.code}`;
  }

  clause(one) {
    if (one.clause === undefined) {
      return h("p", { class: "clause" }, "Set by the player.");
    }
    return h("details", { class: "clause" }, h("summary", {}, "Set by the house way"),
      h("p", {}, h("q", {}, sentencesOf(this.houseWay, one.clause).join(" "))),
      h("p", {}, `${this.houseWay.title}, clause `, h("code", {}, one.clause)));
  }

  dealer(results) {
    const banker = this.ruleset.coverage === "player-dealer" ? "Player-dealer" : "Dealer";
    return h("section", { class: "seat dealer", "aria-label": banker },
      h("h4", {}, banker, h("span", { class: "source" }, this.houseWay.title)),
      this.setting(results.bank), this.clause(results.bank),
      this.round.deal.json.dealer === undefined ? null
        : h("p", { class: "quiet" }, "Shown before the players decided."));
  }

  lineRow(one) {
    const bet = betOf(this.ruleset, one.bet);
    const owner = (this.ruleset.bets ?? []).find((each) => each.others?.bet === one.bet) ?? bet;
    const row = owner?.rows.find((each) => each.id === one.row);
    const named = bet ?? owner?.others;
    const pays = one.pays ? `${one.pays.num} to ${one.pays.den}` : "";
    const why = [row && titleOf(row), one.caused_by_seat && `hand of seat ${one.caused_by_seat}`,
      pays, one.uncovered && `${this.money(one.uncovered)} had no cover`,
      one.commission !== "0" && `commission ${this.money(one.commission)}`]
      .filter(Boolean).join(" · ");
    return h("tr", { class: one.status },
      h("th", { scope: "row" }, named ? titleOf(named) : TITLES[one.bet],
        why === "" ? null : h("span", { class: "why" }, why)),
      h("td", { class: "amount", "data-name": "Stake" }, this.money(one.stake)),
      h("td", { "data-name": "Result" }, h("span", { class: "tag" }, STATUS[one.status])),
      h("td", { class: "amount", "data-name": "Back" }, this.money(one.return)));
  }

  lines(one, fee, seat) {
    const head = ["Bet", "Stake", "Result", "Back"];
    const fees = fee === undefined ? null : h("tr", {}, h("th", { scope: "row" }, "Collection fee"),
      h("td", { class: "amount" }, this.money(fee)), h("td", {}), h("td", { class: "amount" }, this.money("0")));
    return h("table", { class: "lines" },
      h("caption", { class: "visually-hidden" }, `Bets of seat ${seat}, in ${this.currency.code}`),
      h("thead", {}, h("tr", {}, head.map((text, i) =>
        h("th", { scope: "col", class: i % 2 ? "amount" : "" }, text)))),
      h("tbody", {}, one.lines.map((line) => this.lineRow(line)), fees),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row", colspan: 3 }, "Net"),
        h("td", { class: "amount net" }, this.money(one.net, true)))));
  }

  seat(number, one, fee) {
    const banks = this.audit.sheet.facts.banker_seat === Number(number);
    const outcome = one.outcome === undefined ? null
      : h("span", { class: `outcome ${one.outcome}` }, OUTCOMES[one.outcome]);
    const body = one.outcome === undefined ? [h("p", { class: "clause" }, "No base wager.")] : [
      this.setting(one),
      this.compared(one), this.clause(one)];
    return h("section", { class: "seat", "aria-label": `Seat ${number}` },
      h("h4", {}, `Seat ${number}${banks ? ", banking" : ""}`, outcome), body,
      this.lines(one, fee, number));
  }

  compared(one) {
    return h("p", { class: "compared" }, one.foul
      ? "Foul: the low hand outranks the high hand, which loses both."
      : `Low hand ${RESULTS[one.low_result]}, high hand ${RESULTS[one.high_result]}.`);
  }

  // The cards of one seat beside the dealer's. Without a seat, only the dealer's.
  picture(seat) {
    const { bank, seats } = this.audit.recomputed;
    const mine = seat === null ? null : seats[seat];
    const hasCards = mine !== null && mine.outcome !== undefined;
    const name = this.ruleset.coverage === "player-dealer" ? "Player-dealer" : "Dealer";
    return h("div", { class: "table picture" },
      hasCards ? h("div", { class: "seat" }, h("h4", {}, "You", h("span", { class: `outcome ${mine.outcome}` },
        mine.outcome)), this.setting(mine), this.compared(mine)) : null,
      h("div", { class: "seat dealer" }, h("h4", {}, name), this.setting(bank)));
  }

  // The money of the whole table, which must sum to zero.
  sums(results) {
    const pairs = [["Bank", this.money(results.bank.net, true)],
      ["House", this.money(results.house_net, true)],
      ["of which commission", this.money(results.commission)],
      ["of which fees", this.money(results.fees)]];
    return h("dl", { class: "sums" },
      pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  }

  view() {
    const results = this.audit.recomputed;
    const fees = this.round.deal.json.fees ?? {};
    const { dice } = this.audit.played;
    return h("div", { class: "table" },
      h("p", { class: "dice" }, dice.length === 0 ? "This game throws no dice."
        : ["Dice ", dice.map((die) => h("span", { class: "die", role: "img",
          "aria-label": String(die) }, "⚀⚁⚂⚃⚄⚅"[die - 1])),
        ` make ${dice.reduce((a, b) => a + b)}. `],
      ` Amounts in ${this.currency.code}.`),
      this.dealer(results),
      h("div", { class: "seats" },
        Object.entries(results.seats).map(([number, one]) => this.seat(number, one, fees[number]))),
      this.sums(results));
  }
}
