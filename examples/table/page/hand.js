// The hand that a player is setting: which cards are low, what both hands are, whether they are foul. The verifier's
// own modules value the hands, so that this page and the check of the round agree.

import { cardOf } from "/verify/js/cards.js";
import { categoryOf, highValue, isFoul, lowValue, rankingOf } from "/verify/js/hands.js";

import { byRank } from "./cards.js";

const NAMES = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
const name = (rank) => NAMES[rank - 2];
const several = (rank) => (rank === 6 ? "sixes" : `${name(rank)}s`);
const WHEELS = { second: 14, lowest: 5 };

export function highName(cards, ranking) {
  const value = highValue(cards.map(cardOf), ranking);
  const category = categoryOf(value);
  const [, ...ranks] = value;
  const names = ranks.map(name);
  const [a, b] = ranks;
  switch (category) {
    case "high card": return `${names[0]} high, ${names.slice(1).join(" ")}`;
    case "pair": return `pair of ${several(a)}, ${names.slice(1).join(" ")}`;
    case "two pair": return `two pair, ${several(a)} and ${several(b)}, ${names[2]}`;
    case "three of a kind": return `three ${several(a)}, ${names.slice(1).join(" ")}`;
    case "flush": return `flush, ${names.join(" ")}`;
    case "full house": return `full house, ${several(a)} over ${several(b)}`;
    case "four of a kind": return `four ${several(a)}, ${names[1]}`;
    case "five of a kind": return `five ${several(a)}`;
    case "straight": case "straight flush":
      if (a === 15) return `${category}, ace high`;
      return a === WHEELS[ranking.wheel] ? `${category}, ace to five` : `${category}, ${names[0]} high`;
    default: return category;
  }
}

export function lowName(cards, ranking) {
  const [pair, a, b] = lowValue(cards.map(cardOf), ranking);
  if (pair === 1) return `pair of ${several(a)}`;
  if (b === undefined) return a === 15 ? "joker" : name(a);
  return `${name(a)} ${name(b)}`;
}

export class Hand {
  constructor(rules, cards) {
    this.rules = rules;
    this.dealt = cards;
    this.ranking = rankingOf(rules);
    this.low = [];
    this.isSorted = true;
  }

  order(codes) {
    return this.isSorted ? byRank(codes) : this.dealt.filter((code) => codes.includes(code));
  }

  get lowCards() {
    return this.order(this.low);
  }

  get highCards() {
    return this.order(this.dealt.filter((code) => !this.low.includes(code)));
  }

  // All cards, in the order in which they lie on the table.
  get cards() {
    return [...this.lowCards, ...this.highCards];
  }

  isLow(code) {
    return this.low.includes(code);
  }

  // Moves a card to the other hand. Where the low hand is full, the card that came first makes room.
  move(code) {
    if (this.isLow(code)) this.low = this.low.filter((one) => one !== code);
    else this.low = [...this.low, code].slice(-this.rules.low_cards);
  }

  set(low) {
    this.low = [...low];
  }

  get isComplete() {
    return this.low.length === this.rules.low_cards;
  }

  get missing() {
    return this.rules.low_cards - this.low.length;
  }

  get lowName() {
    return this.isComplete ? lowName(this.low, this.ranking) : null;
  }

  get highName() {
    return this.isComplete ? highName(this.highCards, this.ranking) : null;
  }

  get isFoul() {
    if (!this.isComplete) return false;
    const high = this.highCards.map(cardOf);
    return isFoul(this.low.map(cardOf), highValue(high, this.ranking), this.ranking);
  }
}
