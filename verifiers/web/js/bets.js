// The rows of bonus bets, judged on all the cards dealt (crates/paigow-rules/src/game/bets).

import { ACE, JOKER, choose, groupsOf, isRed, rankOf, shapeOf, suitOf, without } from "./cards.js";
import { bestFive, categoryOf, fives, highValue } from "./hands.js";

const naturals = (cards) => cards.filter((card) => card !== JOKER);
const hasJoker = (cards) => cards.includes(JOKER);
const sameSuit = (cards) => cards.every((card) => suitOf(card) === suitOf(cards[0]));

// Some five of the cards make the category as their best.
const holds = (...names) => (cards) =>
  fives(cards).some((value) => names.includes(categoryOf(value)));

const anyStraightOrFlush = holds("straight", "flush", "straight flush", "royal flush");

// All seven cards of one suit within seven successive ranks; an ace is low or high.
function isSevenCardStraightFlush(cards) {
  const suited = naturals(cards);
  if (!sameSuit(suited)) return false;
  const ranks = suited.map(rankOf);
  const lows = ranks.map((rank) => (rank === ACE ? 1 : rank));
  const span = (list) => Math.max(...list) - Math.min(...list);
  return span(ranks) <= 6 || span(lows) <= 6;
}

// Two cards of these ranks, of one suit.
const isSuited = ([a, b], ...ranks) =>
  a !== JOKER && b !== JOKER && suitOf(a) === suitOf(b) &&
  ranks.every((rank) => rankOf(a) === rank || rankOf(b) === rank);

// A royal flush of five cards, the joker allowed, and two suited cards of these ranks beside it.
const royalAnd = (...ranks) => (cards) => [...choose(cards, 5)].some((five) =>
  categoryOf(highValue(five)) === "royal flush" && isSuited(without(cards, five), ...ranks));

// A-2-3-4-5 of one suit, with no joker anywhere in the seven.
const wheelsOf = (cards) => (hasJoker(cards) ? [] : [...choose(cards, 5)].filter((five) =>
  sameSuit(five) && five.every((card) => rankOf(card) === ACE || rankOf(card) <= 5)));

// Seven ranks and nothing else, also not with the joker; the rank of the highest card, or 0.
function paiGowHigh(cards) {
  const groups = groupsOf(cards);
  if (groups.length < cards.length || anyStraightOrFlush(cards)) return 0;
  return groups[0].rank;
}

const high = (rank) => (cards) => paiGowHigh(cards) === rank;

const isThreePair = (cards) =>
  shapeOf(groupsOf(cards)) === "2+2+2+1" && !anyStraightOrFlush(cards);

// `one_colour = "no_pair"` asks for seven different ranks, "any" does not (crates/paigow-rules/src/game).
const oneColour = (joker) => (cards, { bet }) => {
  const colours = new Set(naturals(cards).map(isRed));
  const ranks = bet.one_colour === "no_pair" ? groupsOf(cards).length === cards.length : true;
  return hasJoker(cards) === joker && colours.size === 1 && ranks && !anyStraightOrFlush(cards);
};

const ofColour = (count) => (cards, { choice }) =>
  naturals(cards).filter((card) => isRed(card) === (choice === "red")).length === count;

const SEVEN = {
  natural_seven_card_straight_flush: (cards) => !hasJoker(cards) && isSevenCardStraightFlush(cards),
  joker_seven_card_straight_flush: (cards) => hasJoker(cards) && isSevenCardStraightFlush(cards),
  royal_match: royalAnd(13, 12),
  royal_flush_with_ace_queen: royalAnd(ACE, 12),
  luhn_tao_wheel: (cards) => wheelsOf(cards).length > 0,
  luhn_tao_wheel_with_ace_queen: (cards) =>
    wheelsOf(cards).some((five) => isSuited(without(cards, five), ACE, 12)),
  natural_ace_to_five_straight_flush: (cards) =>
    wheelsOf(cards).length > 0 && !isSevenCardStraightFlush(cards),
  five_aces: holds("five aces"),
  royal_flush: holds("royal flush"),
  straight_flush: holds("straight flush", "royal flush"),
  four_of_a_kind: holds("four of a kind"),
  full_house: holds("full house"),
  flush: holds("flush"),
  straight: holds("straight"),
  three_of_a_kind: holds("three of a kind"),
  two_pair: holds("two pair"),
  three_pair: isThreePair,
  nine_high: high(9), ten_high: high(10), jack_high: high(11), queen_high: high(12),
  king_high: high(13), ace_high: high(ACE),
  one_colour: oneColour(false),
  one_colour_with_joker: oneColour(true),
  seven_of_colour: ofColour(7), six_of_colour: ofColour(6),
  five_of_colour: ofColour(5), four_of_colour: ofColour(4),
};

// Three cards: straights A-2-3 to Q-K-A, the joker completing or an ace.
function isThreeStraight(cards) {
  const ranks = naturals(cards).map(rankOf);
  if (new Set(ranks).size < ranks.length) return false;
  const lows = ranks.map((rank) => (rank === ACE ? 1 : rank));
  return [ranks, lows].some((list) => Math.max(...list) - Math.min(...list) <= 2);
}

const THREE = {
  natural_straight_flush: (cards) =>
    !hasJoker(cards) && sameSuit(cards) && isThreeStraight(cards),
  three_of_a_kind: (cards) => groupsOf(cards)[0].cards.length === 3,
  straight_flush: (cards) => sameSuit(naturals(cards)) && isThreeStraight(cards),
  straight: isThreeStraight,
  flush: (cards) => sameSuit(naturals(cards)),
  pair: (cards) => groupsOf(cards)[0].cards.length === 2,
};

// Both hands, set by the house way (crates/paigow-rules/src/game/bets). `setting` has the outcome and both
// low hands.
const PAIRED_AT_LEAST_THREES = ([a, b]) => rankOf(a) === rankOf(b) && rankOf(a) >= 3;
const SETTING = {
  push: (_, { setting }) => setting.outcome === "push",
  push_with_threes_or_better: (_, { setting }) =>
    setting.outcome === "push" && setting.lows.some(PAIRED_AT_LEAST_THREES),
};

// By the cards that decide a bet, the conditions that its rows may name.
const ON_HANDS = Object.keys(SEVEN).filter((name) => !name.startsWith("one_colour") && !name.endsWith("_of_colour"));
export const CONDITIONS = {
  "seat-hand": ON_HANDS, "dealer-hand": ON_HANDS, "first-three": Object.keys(THREE),
  "named-colour": Object.keys(SEVEN).filter((name) => name.endsWith("_of_colour")),
  "house-way-hands": Object.keys(SETTING),
};
export const OF_ONE_COLOUR = ["one_colour", "one_colour_with_joker"];

// The highest-paying row that holds: rows stand in paying order.
export function rowOf(bet, cards, context = {}) {
  const tests = bet.looks_at === "first-three" ? THREE : SEVEN;
  const row = bet.rows.find(({ condition }) => {
    const test = SETTING[condition] ?? tests[condition];
    return test(cards, { bet, ...context });
  });
  return row ?? null;
}

export const isPairOrBetter = (cards, rank) => {
  const [category, top] = bestFive(cards);
  return category > 1 || (category === 1 && top >= rank);
};
