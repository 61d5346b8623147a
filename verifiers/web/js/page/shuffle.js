// The shuffle, draw by draw (PGE-FAIR-1, section 5): the word, the rejected words, the cards exchanged.

import { deckOf } from "../shuffle.js";
import { toHex } from "../bytes.js";
import { nameOf } from "../cards.js";
import { cardView, spoken } from "./cards.js";
import { h, hashText, lazyDetails } from "./dom.js";

function stepsOf(seed, cards) {
  const steps = [];
  deckOf(seed, cards, (step) => steps.push(step));
  return steps;
}

// The deck before draw `count`.
function deckBefore(steps, cards, count) {
  const deck = Array.from({ length: cards }, (_, card) => card);
  for (const { i, j } of steps.slice(0, count)) [deck[i], deck[j]] = [deck[j], deck[i]];
  return deck;
}

const sentence = ({ i, j, bound, word, value, rejected, card }) => [
  ...rejected.map((bad) => `Word ${bad} is in the incomplete block at the top and is thrown away. `),
  `Word ${word} mod ${bound} = ${value}: place ${i + 1} changes with place ${j + 1}, `,
  `and the ${spoken(card)} stands at place ${i + 1} for good.`];

function stepper(steps, cards) {
  const row = h("div", { class: "deck-row" });
  const text = h("p", { class: "draw", "aria-live": "polite" });
  const range = h("input", { type: "range", min: 0, max: steps.length, value: 0,
    "aria-label": "Draw", oninput: () => show(Number(range.value)) });
  const button = (label, move) => h("button", { type: "button", class: "button",
    onclick: () => show(Math.min(steps.length, Math.max(0, move(Number(range.value))))) }, label);
  function show(count) {
    range.value = String(count);
    const done = count === 0 ? null : steps[count - 1];
    row.replaceChildren(...deckBefore(steps, cards, count).map((card, place) => {
      const changed = done && (place === done.i || place === done.j);
      // When one card is left, it stays where it is.
      const fixed = place < count || count === steps.length;
      return cardView(card, `${fixed ? "fixed" : "open"} ${changed ? "changed" : ""}`);
    }));
    text.replaceChildren(...(done === null ? ["The deck in its order, before the first draw."]
      : [h("strong", {}, `Draw ${count} of ${steps.length}. `), ...sentence(done)]));
  }
  show(0);
  return h("div", { class: "stepper" },
    h("p", { class: "row" }, button("Start", () => 0), button("Back", (at) => at - 1), range,
      button("Next", (at) => at + 1), button("End", () => steps.length)), text, row);
}

function drawTable(steps) {
  const head = ["Draw", "Word", "Thrown away", "Bound", "Remainder", "Exchange", "Card fixed"];
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "All draws" },
    h("table", { class: "draws" },
      h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, steps.map(({ i, j, bound, word, value, rejected, card }) => h("tr", {},
        h("th", { scope: "row" }, String(i + 1)), h("td", {}, String(word)),
        h("td", {}, rejected.join(", ") || "–"), h("td", {}, String(bound)),
        h("td", {}, String(value)), h("td", {}, `${i + 1} ↔ ${j + 1}`), h("td", {}, nameOf(card)))))));
}

export function shuffleView(audit) {
  const { seed } = audit.played;
  const { cards } = audit.listed;
  return lazyDetails("The shuffle, step by step", () => {
    const steps = stepsOf(seed, cards);
    const thrown = steps.reduce((sum, { rejected }) => sum + rejected.length, 0);
    return h("div", { class: "shuffle" },
      h("p", {}, "The round seed is the key of ChaCha20; its stream ", h("code", {}, "pge.deck"),
        ` gives words of 32 bits. Each draw takes one word modulo the cards left; a word from the
        incomplete block at the top would favour some cards and is thrown away, which happened
        ${thrown} times here. Round seed: `, hashText(toHex(seed))),
      stepper(steps, cards), lazyDetails("All draws as a table", () => drawTable(steps)));
  });
}
