// High and low hands: their values, their order, and foul hands (crates/paigow-rules/src/hands).

import { ACE, JOKER, choose, groupsOf, rankOf, shapeOf, suitOf, without } from "./cards.js";

// Weakest first: the place is the strength.
export const CATEGORIES = [
  "high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house",
  "four of a kind", "straight flush", "royal flush", "five of a kind", "five aces",
];
const place = (name) => CATEGORIES.indexOf(name);
const STRAIGHT = place("straight");

const SHAPES = {
  "5": "five of a kind", "4+1": "four of a kind", "3+2": "full house", "3+1+1": "three of a kind",
  "2+2+1": "two pair", "2+1+1+1": "pair", "1+1+1+1+1": "high card",
};

// A value is a list of numbers, compared from the left; the first is the category.
export function compare(a, b) {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i] > b[i] ? 1 : -1;
  }
  return 0;
}

export const best = (values) => values.reduce((a, b) => (compare(a, b) >= 0 ? a : b));
export const categoryOf = (value) => CATEGORIES[value[0]];
export const isComplete = (value) => value[0] >= STRAIGHT;

// The ranking of hands under a ruleset or a house way: where A-2-3-4-5 is, and whether the joker is wild. The file of
// a house way may leave out that it is semi-wild.
export const rankingOf = ({ wheel, joker }) => ({ wheel, isWild: joker === "wild" });
const SEMI_WILD = { wheel: "second", isWild: false };

// A-2-3-4-5 is below A-high and above K-high, or the lowest (`wheel`).
const ACE_HIGH = ACE + 1;
const strengthOf = (top, wheel) => {
  if (top === ACE) return ACE_HIGH;
  return top === 5 && wheel === "second" ? ACE : top;
};

const STRAIGHTS = Array.from({ length: 10 }, (_, i) => {
  const top = ACE - i;
  return { top, ranks: [0, 1, 2, 3, 4].map((k) => (top - k === 1 ? ACE : top - k)) };
});

// The strength of the best straight of these ranks, the joker replacing a missing one; 0 without a
// straight.
function straightOf(ranks, wheel) {
  if (new Set(ranks).size !== ranks.length || ranks.length < 4) return 0;
  const made = STRAIGHTS.filter((one) => ranks.every((rank) => one.ranks.includes(rank)));
  return Math.max(0, ...made.map(({ top }) => strengthOf(top, wheel)));
}

// The value of five cards.
export function highValue(cards, { wheel, isWild } = SEMI_WILD) {
  const groups = groupsOf(cards, isWild);
  const shape = shapeOf(groups);
  const kind = shape === "5" && groups[0].rank === ACE ? "five aces" : SHAPES[shape];
  const grouped = [place(kind), ...groups.map((group) => group.rank)];
  const naturals = cards.filter((card) => card !== JOKER);
  const ranks = naturals.map(rankOf);
  const straight = straightOf(ranks, wheel);
  const flush = naturals.every((card) => suitOf(card) === suitOf(naturals[0]));
  const values = [grouped];
  if (straight > 0 && flush) {
    values.push([place(straight === ACE_HIGH ? "royal flush" : "straight flush"), straight]);
  }
  if (straight > 0) values.push([STRAIGHT, straight]);
  if (flush) {
    // The joker is the highest rank that the others lack.
    let top = ACE;
    while (ranks.includes(top)) top -= 1;
    const all = ranks.length < 5 ? [...ranks, top] : ranks;
    values.push([place("flush"), ...all.sort((a, b) => b - a)]);
  }
  return best(values);
}

// The value of the low hand: two cards, or one in Mini, where the joker is above an ace. A wild joker
// pairs the other card.
export function lowValue(cards, { isWild } = SEMI_WILD) {
  if (cards.length === 1) return [0, cards[0] === JOKER ? ACE + 1 : rankOf(cards[0])];
  if (isWild && cards.includes(JOKER)) {
    const [rank] = without(cards, [JOKER]).map(rankOf);
    return [1, rank, rank];
  }
  const [a, b] = cards.map(rankOf).sort((x, y) => y - x);
  return a === b ? [1, a, a] : [0, a, b];
}

// The low hand is higher than the high hand as far as its cards go.
export function isFoul(low, high, ranking = SEMI_WILD) {
  if (high[0] >= place("two pair")) return false;
  const front = lowValue(low, ranking);
  if (low.length === 1) return high[0] === 0 && rankOf(low[0]) > high[1];
  if (high[0] === place("pair")) return front[0] === 1 && front[1] > high[1];
  return front[0] === 1 || compare(front.slice(1), high.slice(1, 3)) > 0;
}

// The values of all fives of a hand.
export const fives = (cards, ranking = SEMI_WILD) =>
  [...choose(cards, 5)].map((five) => highValue(five, ranking));

export const bestFive = (cards, ranking = SEMI_WILD) => best(fives(cards, ranking));
