// Placing bets: a spot for each bet, the chips, and what is wrong in place.

import { BetSlip } from "./bets.js";
import { chipFace, chipsOf, stack } from "./chips.js";
import { announce, button, h, show } from "./dom.js";
import { draggable } from "./drag.js";
import { amountText, shortText } from "./money.js";
import { loadWagers, saveWagers } from "./store.js";

const waits = (bet, slip) => bet.needs_base && slip.amount("base") === 0;

export class Betting {
  // `onBet` sends the wagers. It rejects with the reason of a refusal.
  constructor(rules, onBet) {
    Object.assign(this, { rules, onBet });
    this.chips = chipsOf(rules);
    this.slip = new BetSlip(rules, this.chips);
    this.chip = this.chips.find((chip) => chip.value === 25) ?? this.chips[0];
    this.errors = new Map();
    this.isBusy = false;
    this.element = h("div", { class: "betting" });
    this.element.addEventListener("keydown", (event) => this.onKey(event));
  }

  set(view) {
    this.balance = view.you.balance_minor;
    this.draw();
  }

  text(minor) {
    return amountText(minor, this.rules.currency);
  }

  changed() {
    this.failure = null;
    this.draw();
  }

  add(id, chip) {
    const refused = this.slip.add(id, chip.minor, this.balance);
    this.errors = new Map(refused === null ? [] : [[id, refused]]);
    const { title } = this.slip.bet(id);
    announce(refused === null ? `${title}: ${this.text(this.slip.amount(id))}.` : `${title}: ${refused}`);
    this.changed();
  }

  remove(id) {
    this.slip.removeLast(id);
    this.errors.delete(id);
    announce(`${this.slip.bet(id).title}: ${this.text(this.slip.amount(id))}.`);
    this.changed();
  }

  clear() {
    this.slip.clear();
    this.errors.clear();
    announce("All spots are clear.");
    this.changed();
  }

  repeat() {
    this.slip.repeat(loadWagers(this.rules.id) ?? []);
    this.errors = this.slip.problems(this.balance);
    announce(`Your last bets are placed again: ${this.text(this.slip.total)} in all. They are not sent yet.`);
    this.changed();
  }

  async send() {
    this.errors = this.slip.problems(this.balance);
    this.changed();
    if (this.errors.size > 0) {
      announce([...this.errors].map(([id, sentence]) => `${this.slip.bet(id).title}: ${sentence}`).join(" "));
      return;
    }
    this.isBusy = true;
    this.draw();
    const wagers = this.slip.wagers();
    try {
      await this.onBet(wagers);
      saveWagers(this.rules.id, wagers);
      this.slip.clear();
    } catch (error) {
      this.failure = error.message;
    } finally {
      this.isBusy = false;
      this.draw();
    }
  }

  // Digits choose a chip; on a spot, minus takes the last chip away.
  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input")) return;
    const chip = this.chips[Number(event.key) - 1];
    if (chip !== undefined) {
      this.chip = chip;
      announce(`The chip is ${shortText(chip.minor, this.rules.currency)}.`);
      this.changed();
    } else if (["-", "Backspace", "Delete"].includes(event.key)) {
      const id = event.target.closest(".spot")?.dataset.bet;
      if (id !== undefined && this.slip.amount(id) > 0) this.remove(id);
      else return;
    } else return;
    event.preventDefault();
  }

  draw() {
    const { slip } = this;
    const key = JSON.stringify([[...slip.placed], this.chip.minor, [...this.errors], this.balance, this.isBusy,
      this.failure]);
    show(this.element, key, () => [
      h("div", { class: this.rules.bets.length <= 3 ? "spots few" : "spots" },
        this.rules.bets.map((bet) => this.spot(bet))),
      this.rack(),
      this.summary(),
    ]);
  }

  spot(bet) {
    const amount = this.slip.amount(bet.id);
    const error = this.errors.get(bet.id) ?? null;
    const [least, most, chip] = [bet.minimum_minor, bet.maximum_minor, this.chip.minor]
      .map((minor) => shortText(minor, this.rules.currency));
    const placed = amount === 0 ? "no bet" : this.text(amount);
    const tones = [bet.id === "base" && "is-base", waits(bet, this.slip) && "waits", error !== null && "is-wrong"];
    const [says, limits] = [`error-${bet.id}`, `range-${bet.id}`];
    const circle = h("button", {
      type: "button", class: `circle ${amount > 0 ? "has-chips" : ""}`, "data-test": `spot-${bet.id}`,
      "data-minor": amount, "aria-describedby": error === null ? limits : `${limits} ${says}`,
      "aria-invalid": error !== null && "true", "aria-label": `${bet.title}: ${placed}. Add ${chip}`,
      onclick: () => this.add(bet.id, this.chip),
    }, amount === 0 ? h("span", { class: "spot-plus", "aria-hidden": "true" }, "+")
      : [stack(amount, this.chips), h("span", { class: "spot-amount" }, shortText(amount, this.rules.currency))]);
    return h("div", { class: ["spot", ...tones.filter(Boolean)].join(" "), "data-bet": bet.id },
      h("span", { class: "spot-title" }, bet.title), circle,
      h("span", { class: "spot-range", id: limits }, h("span", { class: "unseen" }, "Minimum and maximum: "),
        `${least} – ${most}`),
      amount === 0 ? null : button("−", `remove-${bet.id}`, () => this.remove(bet.id),
        { class: "take", "aria-label": `${bet.title}: take the last chip away`, title: "Take the last chip away" }),
      bet.asks_choice && amount > 0 ? this.choice(bet) : null,
      error === null ? null : h("span", { class: "spot-error", id: says, "data-test": `error-${bet.id}` }, error));
  }

  choice(bet) {
    const one = (colour) => h("button", {
      type: "button", class: `colour ${colour}`, "data-test": `choice-${colour}`,
      "aria-pressed": String(this.slip.choice(bet.id) === colour),
      onclick: () => {
        this.slip.choose(bet.id, colour);
        this.errors.delete(bet.id);
        this.changed();
      },
    }, colour === "red" ? "Red" : "Black");
    return h("span", { class: "choice", role: "group", "aria-label": `${bet.title}: colour` }, one("red"), one("black"));
  }

  rack() {
    return h("div", { class: "rack", role: "group", "aria-label": "Chips. Choose one, then a spot" },
      this.chips.map((chip, at) => {
      const words = shortText(chip.minor, this.rules.currency);
      const element = h("button", {
        type: "button", class: "chip-button", "data-test": `chip-${chip.value}`, "aria-pressed": String(chip === this.chip),
        "aria-label": `Chip of ${words}`, title: `${words} (key ${at + 1})`,
        onclick: () => {
          this.chip = chip;
          this.changed();
        },
      }, chipFace(chip.kind, String(chip.value)));
      draggable(element, ".spot", (spot) => {
        this.chip = chip;
        this.add(spot.dataset.bet, chip);
      });
      return element;
    }));
  }

  summary() {
    const { slip } = this;
    const last = loadWagers(this.rules.id);
    const isEmpty = slip.stake === 0;
    const fee = slip.fee === 0 ? null : ` + fee ${this.text(slip.fee)}`;
    return h("div", { class: "actions" },
      this.failure ? h("p", { class: "failure", role: "alert" }, this.failure) : null,
      isEmpty && last !== null
        ? button("Same bet again", "repeat", () => this.repeat(), { class: "button on-felt" }) : null,
      isEmpty ? null : button("Clear", "clear", () => this.clear(), { class: "button on-felt" }),
      h("button", { type: "button", class: "button gold", "data-test": "bet", disabled: this.isBusy,
        onclick: () => this.send() },
        isEmpty ? "Bet" : ["Bet ", h("strong", {}, this.text(slip.stake)), fee]));
  }
}

// The wagers that the player has sent.
export function placedBets(wagers, rules, chips, fee) {
  return h("ul", { class: "placed" }, wagers.map((wager) => h("li", {},
    stack(wager.amount_minor, chips),
    h("span", {}, rules.bets.find((bet) => bet.id === wager.bet)?.title ?? wager.bet,
      wager.choice ? ` (${wager.choice})` : ""),
    h("strong", {}, amountText(wager.amount_minor, rules.currency)))),
  fee === 0 ? null : h("li", {}, h("span", {}, "Fee"), h("strong", {}, amountText(fee, rules.currency))));
}

