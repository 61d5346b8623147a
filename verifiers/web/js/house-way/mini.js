// Mini Pai Gow, rules M1 to M13 (crates/paigow-rules/src/house_way/coded/mini.toml): six cards, one of them low.

import { JOKER, rankOf, shapeOf } from "../cards.js";
import { categoryOf } from "../hands.js";

const STRAIGHT_FLUSHES = ["straight flush", "royal flush"];
const order = (card) => (card === JOKER ? 15 : rankOf(card));

// The highest card, then the one that leaves the highest high hand, then the lowest suit.
function lowOf(hand, candidates) {
  const top = Math.max(...candidates.map(order));
  return hand.pick(candidates.filter((card) => order(card) === top).map((card) => [card]));
}

function rule(hand) {
  const [first, second] = hand.groups;
  switch (shapeOf(hand.groups)) {
    case "5+1": return ["M1", second.cards];
    case "4+2": return ["M2", second.cards];
    case "4+1+1": return ["M3", second.cards];
    case "3+3": return ["M4", first.cards];
    case "3+2+1": return ["M5", hand.singletons];
    case "2+2+2": return ["M6", first.cards];
  }
  const best = categoryOf(hand.best);
  const leaves = (names) =>
    hand.cards.filter((card) => names.includes(categoryOf(hand.high([card]))));
  const lettered = (id, cards) =>
    [id + (new Set(cards.map(order)).size > 1 ? "a" : "b"), cards];
  if (STRAIGHT_FLUSHES.includes(best)) return lettered("M7", leaves(STRAIGHT_FLUSHES));
  if (best === "flush") return lettered("M8", leaves(["flush"]));
  if (best === "straight") return lettered("M9", leaves(["straight"]));
  switch (shapeOf(hand.groups)) {
    case "3+1+1+1": return ["M10", hand.singletons.slice(0, 1)];
    case "2+2+1+1": return ["M11", hand.singletons.slice(0, 1)];
    case "2+1+1+1+1": return ["M12", hand.singletons.slice(0, 1)];
    default: return ["M13", hand.singletons.slice(1, 2)];
  }
}

export function setByMini(hand) {
  const [clause, candidates] = rule(hand);
  return { low: lowOf(hand, candidates), clause };
}
