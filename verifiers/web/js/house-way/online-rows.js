// The F rows of a flush and the S rows of a straight in the online chart (crates/paigow-rules/src/house_way/coded/online.toml).

import { ACE, JOKER, rankOf, suitOf, without } from "../cards.js";
import { compare, lowValue } from "../hands.js";

const isNatural = (card) => card !== JOKER;
const descending = (cards) => [...cards].sort((a, b) => rankOf(b) - rankOf(a));

const countOf = (cards, suit) =>
  cards.filter((card) => card === JOKER || suitOf(card) === suit).length;

// The suit with five cards or more, the joker included; there are never two.
export function flushSuit(hand) {
  const found = [0, 1, 2, 3].find((suit) => countOf(hand.cards, suit) >= 5);
  return found ?? null;
}

export const leavesFlush = (cards) => [0, 1, 2, 3].some((suit) => countOf(cards, suit) >= 5);

export function flushRows(hand, suit) {
  const suited = descending(hand.cards.filter((card) => isNatural(card) && suitOf(card) === suit));
  const others = hand.cards.filter((card) => isNatural(card) && suitOf(card) !== suit);
  const [row, front] = {
    5: () => ["F5", others],
    6: () => (hand.joker ? ["F6J", [JOKER, ...others]] : ["F6", [suited[0], ...others]]),
    7: () => (hand.joker ? ["F7J", [JOKER, suited[0]]] : ["F7", suited.slice(0, 2)]),
  }[countOf(hand.cards, suit)]();
  return { row, front };
}

// Every choice of one card a position: natural cards of its rank, or the joker if there is no such card.
function* filled(held, positions) {
  if (positions.length === 0) {
    yield [];
    return;
  }
  for (const card of held(positions[0])) {
    for (const rest of filled(held, positions.slice(1))) yield [card, ...rest];
  }
}

// Runs of `length` positions, 1 being an ace low and 14 an ace high, at most one held by the joker.
function windows(hand, suit, length) {
  const natural = (position) => hand.cards.filter((card) => isNatural(card) &&
    (suit === null || suitOf(card) === suit) && rankOf(card) === (position === 1 ? ACE : position));
  const found = [];
  for (let start = 1; start + length - 1 <= 14; start++) {
    const positions = Array.from({ length }, (_, i) => start + i);
    const missing = positions.filter((position) => natural(position).length === 0);
    if (missing.length > (hand.joker ? 1 : 0)) continue;
    const held = (position) => (missing.includes(position) ? [JOKER] : natural(position));
    for (const cards of filled(held, positions)) found.push({ start, cards });
  }
  return found;
}

const ROWS = ["S5", "S6A", "S6J", "S6", "S7AJ", "S7A", "S7J1", "S7J2", "S7J7", "S7J6", "S7"];

function rowOf(hand, { start, cards }) {
  const rest = without(hand.cards, cards);
  const length = cards.length;
  const last = cards[length - 1];
  const joker = cards.indexOf(JOKER);
  const ace = start === 1 && cards[0] !== JOKER;
  if (length === 5) return ["S5", rest];
  if (length === 6) {
    if (ace) return ["S6A", [cards[0], ...rest]];
    if (joker === 0 || joker === 5) return ["S6J", [JOKER, ...rest]];
    return ["S6", [last, ...rest]];
  }
  if (ace && (joker === 1 || joker === 6)) return ["S7AJ", [cards[0], JOKER]];
  if (ace) return ["S7A", [cards[0], last]];
  switch (joker) {
    case 0: return ["S7J1", [JOKER, last]];
    case 1: return ["S7J2", [JOKER, cards[0]]];
    case 6: return ["S7J7", [JOKER, cards[5]]];
    case 5: return ["S7J6", [JOKER, last]];
    default: return ["S7", [cards[5], last]];
  }
}

export function straightRows(hand, suit) {
  const length = [7, 6, 5].find((size) => windows(hand, suit, size).length > 0);
  const rows = windows(hand, suit, length).map((window) => rowOf(hand, window));
  const front = hand.pickHighest(rows.map(([, cards]) => cards));
  const same = (cards) => front !== null && compare(lowValue(cards), lowValue(front)) === 0 &&
    cards.every((card) => front.includes(card));
  const giving = rows.filter(([, cards]) => same(cards)).map(([row]) => row);
  return { row: ROWS.find((row) => giving.includes(row)), front };
}
