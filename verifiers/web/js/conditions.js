// The conditions of rows: terms on the cards that decide a bet, or on hands as they are set
// (docs/write-rules/bets.md). Each term is a word, most often without an argument, and is judged by itself.

import { ACE, JOKER, choose, groupsOf, isRed, rankOf, rankOfLetter, suitOf, without } from "./cards.js";
import { CATEGORIES, categoryOf } from "./hands.js";

const naturals = (cards) => cards.filter((card) => card !== JOKER);
const ranksOf = (letters) => [...letters].map(rankOfLetter);

// The cards of each suit, the joker in every one, as it may complete any of them.
const suits = (cards) => [0, 1, 2, 3].map((suit) => cards.filter((card) => card === JOKER || suitOf(card) === suit));

// The ranks that are held at least `times` times, the joker among the aces or, if it is wild, beside any card.
function held(cards, times, isWild, from = 2) {
  const own = isWild ? naturals(cards) : cards;
  const asked = times - (cards.length - own.length);
  return groupsOf(own).filter((group) => group.cards.length >= asked && group.rank >= from);
}

// How many ranks are held twice or more. A wild joker pairs a single card, if there is one.
function pairsOf(cards, isWild) {
  const own = isWild ? naturals(cards) : cards;
  const groups = groupsOf(own);
  const isBesideOne = own.length < cards.length && groups.some((group) => group.cards.length === 1);
  return groups.filter((group) => group.cards.length > 1).length + (isBesideOne ? 1 : 0);
}

// Three of a rank and two of another, of the two ranks held most often.
function isFull(cards, isWild) {
  const [most, second] = groupsOf(cards, isWild).map((group) => group.cards.length);
  return (most >= 3 && second >= 2) || (isWild && cards.includes(JOKER) && most >= 4 && second >= 1);
}

// All of these ranks are there, the joker for one of them.
function hasAll(cards, ranks) {
  const own = naturals(cards);
  const missing = ranks.filter((rank) => !own.some((card) => rankOf(card) === rank));
  return missing.length <= cards.length - own.length;
}

// The runs of successive ranks by their length, up to seven; the ace is below the two or above the king.
const LADDER = ranksOf("A23456789TJQKA");
const RUNS = Array.from({ length: 8 }, (_, length) =>
  Array.from({ length: LADDER.length - length + 1 }, (_, from) => LADDER.slice(from, from + length)));

const hasRun = (cards, length) => RUNS[length].some((ranks) => hasAll(cards, ranks));
const hasSuited = (cards, count) => suits(cards).some((own) => own.length >= count);
const hasSuitedRun = (cards, length) => suits(cards).some((own) => hasRun(own, length));

const ROYAL = ranksOf("TJQKA");
const hasRoyal = (cards) => suits(cards).some((own) => hasAll(own, ROYAL));

const ofColour = (cards, red) => naturals(cards).filter((card) => isRed(card) === red).length;

// The suits that have all of these ranks, by cards other than the joker.
const suitsWith = (cards, letters) =>
  suits(naturals(cards)).flatMap((own, suit) => (hasAll(own, ranksOf(letters)) ? [suit] : []));

function isInOneSuit(cards, argument) {
  const [first, second] = argument.split("+").map((letters) => suitsWith(cards, letters));
  return first.some((suit) => second === undefined || second.some((other) => other !== suit));
}

const isRoyalBeside = (cards, letters) => [...choose(cards, 5)].some((five) =>
  hasRoyal(five) && suitsWith(without(cards, five), letters).length > 0);

// Each rank as often as it is written, or more often.
function hasRanks(cards, letters, { isWild }) {
  const asked = ranksOf(letters);
  const times = (ranks, rank) => ranks.filter((one) => one === rank).length;
  const own = (isWild ? naturals(cards) : cards).map(rankOf);
  const missing = [...new Set(asked)].map((rank) => Math.max(0, times(asked, rank) - times(own, rank)));
  return missing.reduce((a, b) => a + b, 0) <= cards.length - own.length;
}

// Whether a text is a valid argument, for a bet on this many cards.
const isLetters = (text) => /^[2-9TJQKA]+$/.test(text);
const isSuited = (text) => isLetters(text) && text.length >= 2 && new Set(text).size === text.length;
const RANK = (text) => isLetters(text) && text.length === 1;
const RANKS = (text, cards) => isLetters(text) && text.length <= cards;
const SUITED = (text, cards) => {
  const groups = text.split("+");
  return groups.length <= 2 && groups.every(isSuited) && groups.join("").length <= cards;
};
const TWO_SUITED = (text) => isSuited(text) && text.length === 2;
const UP_TO_3 = (text) => /^[0-3]$/.test(text);
const UP_TO_7 = (text) => /^[0-7]$/.test(text);
const LENGTH = (text, cards) => /^[2-7]$/.test(text) && Number(text) <= cards;

// The subjects of bets. A straight and a flush have five cards, or three of three.
const SEAT = "seat-hand", DEALER = "dealer-hand", THREE = "first-three";
const SET = "seat-set-hands", BOTH = "house-way-hands";
// A push of the base wager depends on the dealer's cards and on how the house way sets them.
export const PUSH_ON = "push_on_dealer";
export const LOOKS_AT = [SEAT, DEALER, THREE, SET, BOTH];
const ON_CARDS = [SEAT, DEALER, THREE];
const ON_HANDS = [SEAT, DEALER];

// A word has a test of the judged cards or hands, by the argument and further facts; and the subjects that may have it.
const plain = (test, on = ON_CARDS) => ({ test, on, isArgument: (text) => text === "" });
const asking = (isArgument, test, on = ON_CARDS) => ({ test, on, isArgument });

// The words that also have a form without the joker.
const RANKED = {
  royal_flush: plain(hasRoyal, ON_HANDS),
  straight_flush: plain((cards, _, { straight }) => hasSuitedRun(cards, straight)),
  four_of_a_kind: plain((cards, _, { isWild }) => held(cards, 4, isWild).length > 0, ON_HANDS),
  full_house: plain((cards, _, { isWild }) => isFull(cards, isWild), ON_HANDS),
  flush: plain((cards, _, { straight }) => hasSuited(cards, straight)),
  straight: plain((cards, _, { straight }) => hasRun(cards, straight)),
  three_of_a_kind: plain((cards, _, { isWild }) => held(cards, 3, isWild).length > 0),
  two_pair: plain((cards, _, { isWild }) => pairsOf(cards, isWild) > 1, ON_HANDS),
  pair: plain((cards, _, { isWild }) => held(cards, 2, isWild).length > 0),
};
const NATURAL = Object.fromEntries(Object.entries(RANKED).map(([word, { test, on }]) =>
  [`natural_${word}`, plain((cards, ...more) => test(naturals(cards), ...more), on)]));

// Both hands, set by the house way: { high, low, outcome, seat, dealer }.
const result = (of, wanted) => plain((both) => both[of] === wanted, [BOTH]);

// A word on a hand as it is set, and the same word on the dealer's beside a seat's.
const onSetHand = (word, isArgument, test) => ({
  [word]: asking(isArgument, (judged, argument, { dealer }) => test(dealer ?? judged.seat ?? judged, argument),
    [SET, BOTH, PUSH_ON]),
  [`dealer_${word}`]: asking(isArgument, ({ dealer }, argument) => test(dealer, argument), [BOTH]),
});
// The joker alone in front is an ace.
const isHighest = ([category, highest], letter) =>
  category === 0 && Math.min(highest, ACE) === rankOfLetter(letter);
const CATEGORY = (text) => CATEGORIES.includes(text.replaceAll("_", " ")) && !text.includes(" ");

// A word with a colon has an argument.
const WORDS = new Map(Object.entries({
  ...RANKED, ...NATURAL,
  five_aces: plain((cards, _, { isWild }) => held(cards, 5, isWild, ACE).length > 0, ON_HANDS),
  five_of_a_kind: plain((cards, _, { isWild }) => held(cards, 5, isWild).length > 0, ON_HANDS),
  pai_gow: plain((cards, _, { straight, isWild }) =>
    held(cards, 2, isWild).length === 0 && !hasRun(cards, straight) && !hasSuited(cards, straight)),
  joker: plain((cards) => cards.includes(JOKER)),
  "highest:": asking(RANK, (cards, letter) => Math.max(...cards.map(rankOf)) === rankOfLetter(letter)),
  "pair:": asking(RANK, (cards, letter, { isWild }) =>
    held(cards, 2, isWild, rankOfLetter(letter)).length > 0),
  "pairs:": asking(UP_TO_3, (cards, count, { isWild }) => pairsOf(cards, isWild) === Number(count)),
  "suited:": asking(LENGTH, (cards, count) => hasSuited(cards, Number(count))),
  "run:": asking(LENGTH, (cards, count) => hasRun(cards, Number(count))),
  "suited_run:": asking(LENGTH, (cards, count) => hasSuitedRun(cards, Number(count))),
  "ranks:": asking(RANKS, hasRanks),
  "one_suit:": asking(SUITED, isInOneSuit),
  "royal_flush_beside:": asking((text, cards) => TWO_SUITED(text) && cards === 7, isRoyalBeside, ON_HANDS),
  "red:": asking(UP_TO_7, (cards, count) => ofColour(cards, true) === Number(count)),
  "black:": asking(UP_TO_7, (cards, count) => ofColour(cards, false) === Number(count)),
  one_colour: plain((cards) => new Set(naturals(cards).map(isRed)).size === 1),
  "named_colour:": asking(UP_TO_7, (cards, count, { choice }) =>
    choice !== undefined && ofColour(cards, choice === "red") === Number(count), [SEAT]),
  win: result("outcome", "win"), push: result("outcome", "push"), lose: result("outcome", "lose"),
  high_win: result("high", "win"), high_copy: result("high", "copy"), high_lose: result("high", "lose"),
  low_win: result("low", "win"), low_copy: result("low", "copy"), low_lose: result("low", "lose"),
  ...onSetHand("low_pair:", RANK, ({ lowValue: [category, rank] }, letter) =>
    category === 1 && rank >= rankOfLetter(letter)),
  ...onSetHand("low_highest:", RANK, ({ lowValue }, letter) => isHighest(lowValue, letter)),
  ...onSetHand("high_highest:", RANK, ({ highValue }, letter) => isHighest(highValue, letter)),
  ...onSetHand("high:", CATEGORY, ({ highValue }, word) => categoryOf(highValue) === word.replaceAll("_", " ")),
}));

// A term in its parts; a word that is not known has no entry.
function partsOf(term) {
  const [, no, word, argument] = /^(no_)?([^:]*:?)([^]*)$/.exec(term);
  return { word, entry: WORDS.get(word), argument, isNegated: no !== undefined };
}

// The fault of a term on `looksAt`, if a hand has `hand` cards; null for a good term.
export function termFault(term, looksAt, hand) {
  const { word, entry, argument } = partsOf(term);
  if (entry === undefined) return `${term}: not a term`;
  const isKnown = entry.on.includes(looksAt) || (looksAt === PUSH_ON && entry.on.includes(DEALER));
  if (!isKnown) return `${term}: not a term on ${looksAt}`;
  const isGood = entry.isArgument(argument, looksAt === THREE ? 3 : hand);
  return isGood ? null : `${term}: an argument that ${word} cannot have`;
}

// The lists of terms, of which one must hold. A condition is such lists, or one list, or one term.
const listsOf = (condition) => {
  if (!Array.isArray(condition)) return [[condition]];
  return Array.isArray(condition[0]) ? condition : [condition];
};

// `judged`: the cards that decide a bet or a push, the seat's hand as it is set, or both hands. `choice`: the colour that the wager
// names. `dealer`: for a push, the dealer's hand as it is set. `isWild`: whether the joker is wild.
export function holds(condition, looksAt, judged, { choice, dealer, isWild = false } = {}) {
  const more = { straight: looksAt === THREE ? 3 : 5, choice, dealer, isWild };
  return listsOf(condition).some((terms) => terms.every((term) => {
    const { entry, argument, isNegated } = partsOf(term);
    return entry.test(judged, argument, more) !== isNegated;
  }));
}

// Whether a condition has a word. One with "named_colour:" needs a colour that the wager names.
export const hasWord = (condition, word) => listsOf(condition).flat().some((term) => partsOf(term).word === word);
export const asksColour = (condition) => hasWord(condition, "named_colour:");
