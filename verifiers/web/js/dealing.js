// Which cards of the deck go to which position (crates/paigow-rules/src/game/dealing.rs; PGE-FAIR-1, section 5.4).

const mod = (value, n) => ((value % n) + n) % n;

// How many positions are dealt to: with hands of seven always seven, also if seats are empty.
const positionsOf = ({ hand, seats }) => (hand === 7 ? 7 : seats + 1);

// The position that the dice name, counted over all of them; without dice seat 1.
const firstOf = (ruleset, dice) => (ruleset.dealing.dice === "none" ? 1
  : mod(dice.reduce((a, b) => a + b, 0) - 1, positionsOf(ruleset)));

// The positions in the order in which they are dealt to; `active` are the seats with a base wager.
function orderOf(ruleset, dice, active) {
  const n = positionsOf(ruleset);
  const first = firstOf(ruleset, dice);
  const step = ruleset.dealing.direction === "clockwise" ? 1 : -1;
  const order = Array.from({ length: n }, (_, k) => mod(first + step * k, n));
  if (ruleset.dealing.dead_hands === "all-positions") return order;
  const dealt = order.filter((q) => q === 0 || active.includes(q));
  // If the named seat is passed over, the next seat is the first. The dealer never is.
  return first !== 0 && dealt[0] === 0 ? [...dealt.slice(1), 0] : dealt;
}

// Returns position -> cards in dealt order, for every position that is dealt to; 0 is the dealer.
export function dealtHands(ruleset, deck, dice, { actionPile = 0, active = [] } = {}) {
  const { procedure, streets } = ruleset.dealing;
  const order = orderOf(ruleset, dice, active);
  if (procedure === "zigzag") {
    const first = firstOf(ruleset, dice);
    return new Map(order.map((q) => [q, pile(deck, mod(actionPile + q - first, 7))]));
  }
  const sizes = procedure === "streets" ? streets : [ruleset.hand];
  return new Map(order.map((q, k) => [q, street(deck, k, sizes, order.length)]));
}

const packet = (deck, k, size) => deck.slice(size * k, size * (k + 1));

// Seven piles: even rows left to right, odd rows right to left.
const pile = (deck, p) =>
  Array.from({ length: 7 }, (_, r) => deck[7 * r + (r % 2 === 0 ? p : 6 - p)]);

function street(deck, k, streets, hands) {
  const cards = [];
  let start = 0;
  for (const size of streets) {
    cards.push(...deck.slice(start + size * k, start + size * (k + 1)));
    start += size * hands;
  }
  return cards;
}

// The position where settlement begins: the first one dealt to, or the lowest seat dealt to if that is the dealer's.
export function actionSeat(ruleset, dice, active) {
  const order = orderOf(ruleset, dice, active);
  return order[0] || Math.min(...order.filter((q) => q > 0));
}
