// The middle of the felt: the dealer, the dice, the phase.

import { backs, byRank, row } from "./cards.js";
import { capital, h, svg } from "./dom.js";
import { highName, lowName } from "./hand.js";
import { rankingOf } from "/verify/js/hands.js";

export const PHASES = {
  betting: "Place your bets", opening: "The round opens", setting: "Set your hands", settling: "The hands are compared",
};

const DOTS = { 1: [[1, 1]], 2: [[0, 0], [2, 2]], 3: [[0, 0], [1, 1], [2, 2]], 4: [[0, 0], [2, 0], [0, 2], [2, 2]],
  5: [[0, 0], [2, 0], [1, 1], [0, 2], [2, 2]], 6: [[0, 0], [2, 0], [0, 1], [2, 1], [0, 2], [2, 2]] };
const die = (value) => svg("svg", { viewBox: "0 0 40 40", class: "die", "aria-hidden": "true" },
  svg("rect", { x: 1, y: 1, width: 38, height: 38, rx: 8, class: "paper" }),
  (DOTS[value] ?? []).map(([x, y]) => svg("circle", { cx: 10 + 10 * x, cy: 10 + 10 * y, r: 4 })));

export const dice = (values) => h("div", { class: "dice", role: "img", "aria-label": `Dice: ${values.join(", ")}` },
  values.map(die));

const named = (which, codes, name) => h("div", { class: "dealer-hand" },
  row(byRank(codes)), h("span", { class: "dealer-name" }, h("span", { class: "unseen" }, `${which} hand: `),
    capital(name)));

// The dealer's place: both hands if they are known, else cards face down if cards are dealt, else empty.
export function dealer(view, rules, last) {
  const hands = last?.dealer ?? view.dealer;
  const ranking = rankingOf(rules);
  const isDealt = ["setting", "settling"].includes(view.phase);
  return [
    h("h2", { class: "dealer-title" }, "Dealer"),
    hands ? h("div", { class: "dealer-hands" }, named("Low", hands.low, hands.low_name ?? lowName(hands.low, ranking)),
      named("High", hands.high, hands.high_name ?? highName(hands.high, ranking)))
      : isDealt ? backs(rules.hand_cards) : h("p", { class: "felt-print" }, rules.game),
  ];
}
