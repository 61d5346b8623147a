// A house way as data: the clauses of a chart file, the first that fits (crates/paigow-rules/src/house_way/charts).

import { ACE, JOKER, choose, rankOf, rankOfLetter, shapeOf } from "../cards.js";
import { categoryOf, compare, highValue } from "../hands.js";

const atLeast = (cards, letters) =>
  [...letters].every((letter, i) => i < cards.length && rankOf(cards[i]) >= rankOfLetter(letter));

const isOneOf = (group, letters) => [...letters].some((l) => rankOfLetter(l) === group.rank);

// Bally's exception: every straight among the seven is T-J-Q-K-A made with the joker, beside a
// natural ace, and there is no other flush.
function aceHighByJokerOnly(hand) {
  if (!hand.joker || !hand.cards.some((card) => card !== JOKER && rankOf(card) === ACE)) {
    return false;
  }
  const made = [...choose(hand.cards, 5)]
    .map((five) => ({ five, value: highValue(five, hand.ranking) }))
    .filter(({ value }) =>
      ["straight", "flush", "straight flush", "royal flush"].includes(categoryOf(value)));
  return made.length > 0 && made.every(({ five, value }) =>
    categoryOf(value) !== "flush" && value[1] === ACE + 1 && five.includes(JOKER));
}

export const HELD = {
  "held": (hand) => hand.straightOrFlush,
  "not-held": (hand) => !hand.straightOrFlush,
  "ace-high-by-joker-only": aceHighByJokerOnly,
};

const leavingListed = (hand, listed) =>
  hand.fronts.filter((front) => listed.includes(categoryOf(hand.high(front))));

// The categories that a clause lists as best are the second argument.
export const FRONTS = {
  "first-group": (hand) => hand.pickHighest([...choose(hand.groups[0].cards, hand.size)]),
  "second-group": (hand) => hand.pickHighest([...choose(hand.groups[1].cards, hand.size)]),
  "first-group-and-highest": (hand) =>
    hand.pick(hand.groups[0].cards.map((card) => [card, hand.singletons[0]])
      .filter((front) => hand.low(front)[0] === 0)),
  "two-highest": (hand) => hand.pick([hand.singletons.slice(0, 2)]),
  "second-and-third": (hand) => hand.pick([hand.singletons.slice(1, 3)]),
  "highest": (hand) => hand.pick([hand.singletons.slice(0, 1)]),
  "second-highest": (hand) => hand.pick([hand.singletons.slice(1, 2)]),
  "pair-leaving-complete": (hand) => hand.pickHighest(hand.fronts.filter((front) =>
    hand.low(front)[0] === 1 && hand.leavesComplete(front))),
  "highest-leaving-complete": (hand) =>
    hand.pickHighest(hand.fronts.filter((front) => hand.leavesComplete(front))),
  "highest-leaving-best": (hand) => hand.pickHighest(hand.fronts.filter((front) =>
    categoryOf(hand.high(front)) === categoryOf(hand.best))),
  "highest-leaving-listed": (hand, listed) => hand.pickHighest(leavingListed(hand, listed)),
  "lowest-leaving-listed": (hand, listed) => hand.pickLowest(leavingListed(hand, listed)),
};

// Fronts for which a clause has to list categories.
export const NEED_LISTED = ["highest-leaving-listed", "lowest-leaving-listed"];

// Fronts that exist only with hands of six.
export const ONLY_SIX = ["highest", "second-highest"];
export const ONLY_SEVEN =
  ["first-group-and-highest", "two-highest", "second-and-third", "pair-leaving-complete"];

function frontOf(clause, hand) {
  if (!clause.groups.includes(shapeOf(hand.groups))) return null;
  if (clause.first_rank && !isOneOf(hand.groups[0], clause.first_rank)) return null;
  if (clause.second_rank && !isOneOf(hand.groups[1], clause.second_rank)) return null;
  if (clause.straight_or_flush && !HELD[clause.straight_or_flush](hand)) return null;
  if (clause.singletons_at_least && !atLeast(hand.singletons, clause.singletons_at_least)) {
    return null;
  }
  if (clause.best && !clause.best.includes(categoryOf(hand.best))) return null;
  const front = FRONTS[clause.front](hand, clause.best);
  if (front === null) return null;
  const value = hand.low(front);
  const ordered = [...front].sort((a, b) => rankOf(b) - rankOf(a));
  if (clause.front_at_least && value[0] === 0 && !atLeast(ordered, clause.front_at_least)) {
    return null;
  }
  if (clause.front_beats) {
    const other = FRONTS[clause.front_beats](hand, clause.best);
    if (other !== null && compare(value, hand.low(other)) <= 0) return null;
  }
  return front;
}

export function setByChart(chart, hand) {
  for (const clause of chart.clause) {
    const low = frontOf(clause, hand);
    if (low !== null) return { low, clause: clause.id };
  }
  throw new Error(`no clause of ${chart.id} sets the hand`);
}
