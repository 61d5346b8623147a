// The common part of all house ways: fronts and the choice between them (crates/paigow-rules/src/house_way).

import { JOKER, choose, groupsOf, rankOf, suitOf, without } from "../cards.js";
import { categoryOf, compare, highValue, isComplete, isFoul, lowValue } from "../hands.js";

export class Hand {
  constructor(cards, ranking) {
    this.cards = cards;
    this.ranking = ranking;
    this.groups = groupsOf(cards, ranking.isWild);
    this.singletons = this.groups.filter((group) => group.cards.length === 1)
      .map((group) => group.cards[0]);
    // How many cards go in front.
    this.size = cards.length - 5;
    this.fronts = [...choose(cards, this.size)];
    const values = this.fronts.map((front) => highValue(without(cards, front), ranking));
    this.values = values;
    this.best = values.reduce((a, b) => (compare(a, b) >= 0 ? a : b));
    // A straight, a flush or a straight flush among the cards.
    this.straightOrFlush = values.some((value) =>
      ["straight", "flush", "straight flush", "royal flush"].includes(categoryOf(value)));
    this.joker = cards.includes(JOKER);
  }

  high(front) {
    return highValue(without(this.cards, front), this.ranking);
  }

  isFoul(front) {
    return isFoul(front, this.high(front), this.ranking);
  }

  low(front) {
    return lowValue(front, this.ranking);
  }

  leavesComplete(front) {
    return isComplete(this.high(front));
  }

  // C1: of equal fronts, the one that is not foul, leaves the highest high hand, has the fewest
  // jokers and the lowest suits. None if all are foul.
  pick(fronts) {
    const legal = fronts.filter((front) => !this.isFoul(front));
    if (legal.length === 0) return null;
    return legal.reduce((a, b) => (this.prefer(a, b) <= 0 ? a : b));
  }

  prefer(a, b) {
    const jokers = (front) => front.filter((card) => card === JOKER).length;
    return compare(this.high(b), this.high(a)) || jokers(a) - jokers(b) ||
      compare(suits(a), suits(b));
  }

  // C2: the fronts with the highest value, then C1.
  pickHighest(fronts) {
    return this.pickBy(fronts, (a, b) => compare(a, b) >= 0);
  }

  // The fronts with the lowest value, then C1.
  pickLowest(fronts) {
    return this.pickBy(fronts, (a, b) => compare(a, b) <= 0);
  }

  pickBy(fronts, isFirst) {
    const legal = fronts.filter((front) => !this.isFoul(front));
    if (legal.length === 0) return null;
    const wanted = legal.map((front) => this.low(front)).reduce((a, b) => (isFirst(a, b) ? a : b));
    return this.pick(legal.filter((front) => compare(this.low(front), wanted) === 0));
  }
}

// The suits of a front, its higher rank first and lower suits first among equals.
const suits = (front) =>
  [...front].sort((a, b) => rankOf(b) - rankOf(a) || suitOf(a) - suitOf(b)).map(suitOf);
