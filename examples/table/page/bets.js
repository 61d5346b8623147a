// The wagers that a player is placing: amounts and their faults. Nothing here touches the page.

import { inChips } from "./chips.js";
import { amountText } from "./money.js";

export const feeOf = (fees, base) =>
  (base > 0 ? (fees ?? []).find((band) => band.up_to_minor === null || base <= band.up_to_minor)?.fee_minor ?? 0 : 0);

export class BetSlip {
  constructor(rules, chips) {
    Object.assign(this, { rules, chips });
    this.clear();
  }

  clear() {
    this.placed = new Map(this.rules.bets.map((bet) => [bet.id, { chips: [], choice: null }]));
  }

  text(minor) {
    return amountText(minor, this.rules.currency);
  }

  bet(id) {
    return this.rules.bets.find((bet) => bet.id === id);
  }

  amount(id) {
    return (this.placed.get(id)?.chips ?? []).reduce((sum, chip) => sum + chip, 0);
  }

  choice(id) {
    return this.placed.get(id).choice;
  }

  get stake() {
    return this.rules.bets.reduce((sum, bet) => sum + this.amount(bet.id), 0);
  }

  get fee() {
    return feeOf(this.rules.fees, this.amount("base"));
  }

  get total() {
    return this.stake + this.fee;
  }

  // Adds a chip. Returns a sentence if it does not fit; nothing is added then.
  add(id, chip, balance) {
    const bet = this.bet(id);
    if (bet.needs_base && this.amount("base") === 0) return "Place the base wager first.";
    if (this.amount(id) + chip > bet.maximum_minor) return `The maximum is ${this.text(bet.maximum_minor)}.`;
    const { chips } = this.placed.get(id);
    chips.push(chip);
    if (this.total <= balance) return null;
    chips.pop();
    return `Your balance of ${this.text(balance)} is too small for this chip.`;
  }

  removeLast(id) {
    this.placed.get(id).chips.pop();
  }

  choose(id, choice) {
    this.placed.get(id).choice = choice;
  }

  // Returns the faults, by bet.
  problems(balance) {
    const wrong = new Map();
    for (const bet of this.rules.bets) {
      const amount = this.amount(bet.id);
      if (amount === 0) continue;
      if (amount < bet.minimum_minor) wrong.set(bet.id, `The minimum is ${this.text(bet.minimum_minor)}.`);
      else if (amount > bet.maximum_minor) wrong.set(bet.id, `The maximum is ${this.text(bet.maximum_minor)}.`);
      else if (bet.needs_base && this.amount("base") === 0) wrong.set(bet.id, "This bet needs a base wager.");
      else if (bet.asks_choice && this.choice(bet.id) === null) wrong.set(bet.id, "Choose red or black.");
    }
    if (this.stake === 0) wrong.set("base", `Place at least ${this.text(this.bet("base").minimum_minor)}.`);
    else if (this.total > balance) wrong.set("base",
      `Your balance is ${this.text(balance)}. These bets take ${this.text(this.total)}.`);
    return wrong;
  }

  // The wagers in the form that the server takes.
  wagers() {
    return this.rules.bets.filter((bet) => this.amount(bet.id) > 0).map((bet) => ({
      bet: bet.id, amount_minor: this.amount(bet.id), ...(bet.asks_choice ? { choice: this.choice(bet.id) } : {}),
    }));
  }

  // Places earlier wagers again, as far as the table still has these bets.
  repeat(wagers) {
    this.clear();
    for (const { bet, amount_minor: minor, choice = null } of wagers) {
      if (this.placed.has(bet)) this.placed.set(bet, { chips: inChips(minor, this.chips), choice });
    }
  }
}
