// From words to cards and dice without bias (PGE-FAIR-1, sections 5.2 to 5.4).

import { words } from "./chacha20.js";

// A word of the incomplete block at the top is rejected, so that no residue is favoured.
export function uniform(stream, bound, rejected = () => {}) {
  const limit = 0x100000000 - (0x100000000 % bound);
  for (;;) {
    const { value: word, done } = stream.next();
    if (done) throw new Error("no more words");
    if (word < limit) return { word, value: word % bound };
    rejected(word);
  }
}

// Forward Fisher-Yates on the deck in order. `step` gets every draw, to show it: place, bound, word, the
// rejected words, and the places that exchange cards.
export function shuffle(stream, cards, step = null) {
  const deck = Array.from({ length: cards }, (_, card) => card);
  for (let i = 0; i < cards - 1; i++) {
    const rejected = [];
    const bound = cards - i;
    const { word, value } = uniform(stream, bound, (bad) => rejected.push(bad));
    const j = i + value;
    [deck[i], deck[j]] = [deck[j], deck[i]];
    if (step) step({ i, j, bound, word, value, rejected, card: deck[i], moved: deck[j] });
  }
  return deck;
}

export const deckOf = (roundSeed, cards, step = null) =>
  shuffle(words(roundSeed, "pge.deck"), cards, step);

export function diceOf(roundSeed) {
  const stream = words(roundSeed, "pge.dice");
  return [0, 1, 2].map(() => 1 + uniform(stream, 6).value);
}
