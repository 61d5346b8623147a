// A house way: a file of clauses, and the code that one of them needs.

import { ascending, without } from "../cards.js";
import { rankingOf } from "../hands.js";
import { Hand } from "./splits.js";
import { setByChart } from "./chart.js";
import { setByOnline } from "./online.js";

const CODED = { online: setByOnline };

// Sets a hand: low and high cards ascending, and the id of the clause that decided.
export function setByHouseWay(houseWay, cards) {
  const hand = new Hand(cards, rankingOf(houseWay));
  const { low, clause } = houseWay.code
    ? CODED[houseWay.code](hand)
    : setByChart(houseWay, hand);
  return { low: ascending(low), high: ascending(without(cards, low)), clause };
}

// The sentences that a clause id cites: `O4c/F6J` cites a rule and a row.
export function sentencesOf(houseWay, clause) {
  return clause.split("/").map((id) => houseWay.clause.find((one) => one.id === id)?.text ?? "");
}
