// The rows of bonus bets, judged on the subject of the bet (crates/paigow-rules/src/game/bets).

import { asksColour, holds } from "./conditions.js";
import { bestFive } from "./hands.js";

// The highest-paying row that holds: rows are in paying order. `judged`: the cards that decide the bet, the
// seat's hand as it is set, or both hands as the house way sets them. A foul hand loses. `more`: the colour that the
// wager names, and whether the joker is wild.
export const rowOf = (bet, judged, more) => {
  if (judged.foul) return null;
  return bet.rows.find(({ condition }) => holds(condition, bet.looks_at, judged, more)) ?? null;
};

// A wager on it names a colour.
export const asksChoice = (bet) => bet.rows.some(({ condition }) => asksColour(condition));

export const isPairOrBetter = (cards, rank) => {
  const [category, top] = bestFive(cards);
  return category > 1 || (category === 1 && top >= rank);
};
