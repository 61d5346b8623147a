// Cards are numbers: 13 * suit + rank, clubs first, deuce first; the joker is 52 (PGE-FAIR-1, section 5.3).

export const JOKER = 52;
export const ACE = 14;
const RANKS = "23456789TJQKA";
const SUITS = "cdhs";

// 2 to 14; the joker is an ace wherever an ace is asked for.
export const rankOf = (card) => (card === JOKER ? ACE : (card % 13) + 2);
// 0 to 3; the joker has a suit of its own, after all others.
export const suitOf = (card) => Math.floor(card / 13);
export const isRed = (card) => suitOf(card) === 1 || suitOf(card) === 2;

export const nameOf = (card) =>
  card === JOKER ? "Jk" : RANKS[card % 13] + SUITS[suitOf(card)];

export function cardOf(name) {
  if (name === "Jk") return JOKER;
  const card = 13 * SUITS.indexOf(name[1]) + RANKS.indexOf(name[0]);
  if (name.length !== 2 || !SUITS.includes(name[1]) || !RANKS.includes(name[0])) {
    throw new Error(`${name} is not a card`);
  }
  return card;
}

export const rankOfLetter = (letter) => {
  const at = RANKS.indexOf(letter);
  if (letter.length !== 1 || at < 0) throw new Error(`${letter} is not a rank`);
  return at + 2;
};

export const without = (cards, taken) => cards.filter((card) => !taken.includes(card));
export const ascending = (cards) => [...cards].sort((a, b) => a - b);

// Every way to take `count` of `items`, in the order of the items.
export function* choose(items, count, from = 0) {
  if (count === 0) {
    yield [];
    return;
  }
  for (let i = from; i <= items.length - count; i++) {
    for (const rest of choose(items, count - 1, i + 1)) yield [items[i], ...rest];
  }
}

// Groups of equal rank: larger first, then higher (crates/paigow-rules/src/house_way). The joker is among the aces
// or, if it is wild, in the first of the other groups.
export function groupsOf(cards, isWild = false) {
  if (isWild && cards.includes(JOKER)) {
    const [first, ...others] = groupsOf(without(cards, [JOKER]));
    return [{ ...first, cards: [...first.cards, JOKER] }, ...others];
  }
  const byRank = new Map();
  for (const card of cards) {
    const rank = rankOf(card);
    byRank.set(rank, [...(byRank.get(rank) ?? []), card]);
  }
  return [...byRank].map(([rank, members]) => ({ rank, cards: members }))
    .sort((a, b) => b.cards.length - a.cards.length || b.rank - a.rank);
}

export const shapeOf = (groups) => groups.map((group) => group.cards.length).join("+");
