// Setting the hand: two places for cards, by drag and drop, by tap or click, and by keyboard.

import { face, spoken } from "./cards.js";
import { announce, button, capital, h, plural, show } from "./dom.js";
import { draggable } from "./drag.js";
import { Hand } from "./hand.js";
import { amountText } from "./money.js";

const KEYS = "Arrow keys: next card. Space or Enter: move the card to the other hand. H: house way. S: sort. "
  + "C: go to “Set hand”.";

export class SettingPlace {
  // `actions` has `houseWay()` and `decide(low, doubles)`. Both reject with the reason of a refusal.
  constructor(rules, actions) {
    Object.assign(this, { rules, actions });
    this.element = h("div", { class: "setting" });
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.round = null;
  }

  // Takes the cards of a round. Cards that lie here already stay as the player has put them.
  set(view) {
    const round = JSON.stringify([view.round, view.cards]);
    const own = view.seats.find((seat) => seat.seat === view.you.seat);
    this.base = own.wagers.find((wager) => wager.bet === "base")?.amount_minor ?? 0;
    this.balance = view.you.balance_minor;
    if (round !== this.round) {
      Object.assign(this, { round, hand: new Hand(this.rules, view.cards), clause: null, doubles: false,
        isArmed: false, isBusy: false, failure: null });
      [this.current] = this.hand.cards;
      const count = plural(this.rules.low_cards, "card");
      announce(`Your cards: ${this.hand.cards.map(spoken).join(", ")}. Choose ${count} for the low hand.`);
    }
    this.draw();
  }

  move(code) {
    this.hand.move(code);
    this.current = code;
    this.clause = null;
    this.changed();
    this.focusCard();
    announce(`${capital(spoken(code))} is in the ${this.hand.isLow(code) ? "low" : "high"} hand. ${this.names()}`);
  }

  names() {
    const { hand } = this;
    if (!hand.isComplete) return `${plural(hand.missing, "more card")} for the low hand.`;
    const foul = hand.isFoul ? " This is a foul hand: the low hand is higher than the high hand." : "";
    return `Low hand: ${hand.lowName}. High hand: ${hand.highName}.${foul}`;
  }

  changed() {
    Object.assign(this, { isArmed: false, failure: null });
    this.draw();
  }

  async houseWay() {
    try {
      this.isBusy = true;
      this.draw();
      const way = await this.actions.houseWay();
      this.hand.set(way.low);
      this.clause = way;
      this.isArmed = false;
      this.failure = null;
      announce(`The house way: ${way.clause_text} ${this.names()}`);
    } catch (error) {
      this.failure = error.message;
    } finally {
      this.isBusy = false;
      this.draw();
    }
  }

  async confirm() {
    if (!this.hand.isComplete) return;
    if (this.hand.isFoul && !this.isArmed) {
      this.isArmed = true;
      announce("A foul hand loses. Press again to set it anyway.");
      this.draw();
      return;
    }
    Object.assign(this, { isBusy: true, failure: null });
    this.draw();
    try {
      await this.actions.decide(this.hand.low, this.doubles);
    } catch (error) {
      this.failure = error.message;
    } finally {
      this.isBusy = false;
      this.draw();
    }
  }

  focusCard() {
    this.element.querySelector(`[data-test="card-${this.current}"]`)?.focus();
  }

  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const isCard = event.target.matches(".playing");
    const { cards, lowCards, highCards } = this.hand;
    const at = cards.indexOf(this.current);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to = {
      ArrowUp: lowCards[0], ArrowDown: highCards[0], Home: cards[0], End: cards.at(-1),
      ...(step === undefined ? {} : { [event.key]: cards[(at + step + cards.length) % cards.length] }),
    }[event.key];
    if (isCard && to !== undefined) {
      this.current = to;
      this.focusCard();
    } else if (event.key === "h" || event.key === "H") this.houseWay();
    else if (event.key === "s" || event.key === "S") this.sort();
    else if (event.key === "c" || event.key === "C") this.element.querySelector("[data-test=set-hand]").focus();
    else return;
    event.preventDefault();
  }

  sort() {
    this.hand.isSorted = !this.hand.isSorted;
    this.draw();
  }

  draw() {
    const { hand } = this;
    const state = [this.round, hand.cards, hand.low, this.clause?.clause, this.doubles, this.isArmed, this.isBusy,
      this.failure, hand.isSorted, this.balance];
    show(this.element, JSON.stringify(state), () => [
      h("div", { class: "hands" }, this.place("low"), this.place("high")),
      this.messages(),
      this.controls(),
      h("p", { class: "keys" }, KEYS),
    ]);
  }

  place(which) {
    const { hand } = this;
    const isLow = which === "low";
    const codes = isLow ? hand.lowCards : hand.highCards;
    const size = isLow ? this.rules.low_cards : 5;
    const name = isLow ? hand.lowName : hand.highName;
    const empty = Array.from({ length: Math.max(0, size - codes.length) },
      () => h("li", { class: "slot empty", "aria-hidden": "true" }));
    const hint = isLow ? `Choose ${plural(Math.max(hand.missing, 0), "card")}` : "The other cards stay here";
    return h("section", { class: `place ${which} ${hand.isFoul ? "is-foul" : ""}`, "data-hand": which,
      "data-test": which, "aria-labelledby": `title-${which}` },
      h("h3", { class: "place-title", id: `title-${which}` }, isLow ? "Low hand" : "High hand", " ",
        h("span", { class: "place-name", "data-test": `${which}-name` }, name === null ? hint : name)),
      h("ul", { class: "cards" }, codes.map((code) => this.card(code)), empty));
  }

  card(code) {
    const { hand } = this;
    const isLow = hand.isLow(code);
    const element = h("button", {
      type: "button", class: "card playing", "data-test": `card-${code}`, tabindex: code === this.current ? "0" : "-1",
      "aria-label": `${capital(spoken(code))}, in the ${isLow ? "low" : "high"} hand`,
      onfocus: () => {
        this.current = code;
        for (const one of this.element.querySelectorAll(".playing")) one.tabIndex = one === element ? 0 : -1;
      },
      onclick: () => this.move(code),
    }, face(code));
    draggable(element, ".place", (place) => {
      if ((place.dataset.hand === "low") !== isLow) this.move(code);
    });
    return h("li", { class: "slot" }, element);
  }

  messages() {
    const { hand, clause } = this;
    return h("div", { class: "messages" },
      hand.isFoul ? h("p", { class: "foul", "data-test": "foul", role: "alert" },
        h("strong", {}, "Foul hand. "), "The low hand is higher than the high hand. A foul hand loses.") : null,
      clause === null ? null : h("p", { class: "clause", "data-test": "clause" },
        h("strong", {}, "House way. "), clause.clause_text, " ", h("code", {}, clause.clause)),
      this.failure ? h("p", { class: "failure", role: "alert" }, this.failure) : null);
  }

  controls() {
    const { hand } = this;
    const words = this.isArmed ? "Set a foul hand anyway" : "Set hand";
    return h("div", { class: "actions" },
      button(hand.isSorted ? "As dealt" : "Sort", "sort", () => this.sort(), { class: "button on-felt" }),
      button("House way", "house-way", () => this.houseWay(), { class: "button on-felt", disabled: this.isBusy }),
      this.rules.double_down === null || this.base === 0 ? null : this.doubling(),
      h("button", { type: "button", class: `button gold ${this.isArmed ? "danger" : ""}`, "data-test": "set-hand",
        disabled: this.isBusy || !hand.isComplete, onclick: () => this.confirm() }, words));
  }

  doubling() {
    const isShort = this.balance < this.base;
    const pair = this.rules.double_down.qualifying_pair;
    const why = isShort ? "Your balance is too small." : `The dealer needs a pair of ${pair}s or higher.`;
    return h("label", { class: "toggle", title: why },
      h("input", { type: "checkbox", "data-test": "double-down", checked: this.doubles,
        disabled: isShort || this.isBusy, "aria-describedby": "double-why",
        onchange: (event) => {
          this.doubles = event.target.checked;
          this.changed();
        } }),
      h("span", {}, `Double down (+${amountText(this.base, this.rules.currency)})`, h("small", { id: "double-why" }, why)));
  }
}
