// Which cards of the deck go to which position (rules/README.md, Dealing; fairness.md 5.4).

// `first` is the place where dealing begins; the k-th position in order is k places from it.
const mod = (value, n) => ((value % n) + n) % n;

const DEFAULT = { procedure: "packets", direction: "clockwise", dice: "three",
  dead_hands: "all-positions" };

// Returns position -> cards in dealt order, for every position that is dealt to; 0 is the dealer.
// `ruleset` null is a ruleset that is not at hand: packets of seven. `active` says which seats have
// a base wager, for rulesets without dead hands.
export function dealtHands(ruleset, deck, dice, { actionPile = 0, active = [] } = {}) {
  const { procedure, direction, dice: dicePolicy, dead_hands: dead, streets } =
    ruleset?.dealing ?? DEFAULT;
  const size = ruleset?.hand ?? 7;
  const seats = ruleset?.seats ?? 6;
  const n = size === 7 ? 7 : seats + 1;
  if (dicePolicy === "none") {
    // Packets to the seats from 1 on and then to the dealer, whoever sits.
    const order = [...Array.from({ length: seats }, (_, i) => i + 1), 0];
    return new Map(order.map((position, k) => [position, packet(deck, k, size)]));
  }
  const first = mod(dice.reduce((a, b) => a + b, 0) - 1, n);
  const placeOf = (position) =>
    mod(direction === "clockwise" ? position - first : first - position, n);
  let order = Array.from({ length: n }, (_, q) => q).sort((a, b) => placeOf(a) - placeOf(b));
  if (dead === "active-only") order = order.filter((q) => q === 0 || active.includes(q));
  if (procedure === "zigzag") {
    const pileOf = (position) => mod(actionPile + position - first, n);
    return new Map(order.map((position) => [position, pile(deck, pileOf(position))]));
  }
  if (procedure === "streets") {
    return new Map(order.map((position, k) => [position, street(deck, k, streets, order.length)]));
  }
  return new Map(order.map((position, k) => [position, packet(deck, k, size)]));
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

// Where settlement of a player-dealer's table begins: the first seat, or 1 if the dice name the
// player-dealer.
export function actionSeat(dice) {
  return mod(dice.reduce((a, b) => a + b, 0) - 1, 7) || 1;
}
