// Chips: their values, and amounts as chips.

import { h } from "./dom.js";
import { majorUnit, shortText } from "./money.js";

const VALUES = [1, 5, 25, 100, 500];

// Returns the chips of a table in minor units. Where even its least wager takes many chips, each is worth more.
export function chipsOf({ currency, bets }) {
  const least = Math.min(...bets.map((bet) => bet.minimum_minor));
  let unit = majorUnit(currency.exponent);
  while (least > 100 * unit) unit *= 10;
  const most = Math.max(...bets.map((bet) => bet.maximum_minor));
  return VALUES.map((value, at) => ({ minor: value * unit, value: value * (unit / majorUnit(currency.exponent)),
    kind: at }))
    .filter((chip) => chip.minor <= most);
}

// Returns the chips that make up an amount, greatest first. The last one is a remainder that no chip fits.
export function inChips(minor, chips) {
  const made = [];
  let rest = minor;
  for (const chip of [...chips].reverse()) {
    while (rest >= chip.minor) {
      made.push(chip.minor);
      rest -= chip.minor;
    }
  }
  if (rest > 0) made.push(rest);
  return made;
}

const kindOf = (minor, chips) => chips.findLast((chip) => chip.minor <= minor)?.kind ?? 0;

export const chipFace = (kind, text) => h("span", { class: `chip kind-${kind}` }, h("span", { class: "chip-text" }, text));

// A stack of at most five chips. The amount beside it is the whole amount.
export function stack(minor, chips) {
  const shown = inChips(minor, chips).slice(0, 5);
  return h("span", { class: "stack", "aria-hidden": "true" },
    shown.map((one) => h("span", { class: `chip kind-${kindOf(one, chips)}` })));
}

// An amount with one chip before it.
export const amountChip = (minor, chips, currency) => h("span", { class: "amount-chip" },
  h("span", { class: `chip tiny kind-${kindOf(minor, chips)}`, "aria-hidden": "true" }), shortText(minor, currency));
