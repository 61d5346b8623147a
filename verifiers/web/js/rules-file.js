// The keys of ruleset and house-way files, read as strictly as the engine reads them: an unknown key
// or word could mean anything.

import { LOOKS_AT, PUSH_ON, hasWord, termFault } from "./conditions.js";
import { CATEGORIES } from "./hands.js";
import { fraction, meterShare } from "./money.js";
import { FRONTS, HELD, NEED_LISTED, ONLY_SEVEN, ONLY_SIX } from "./house-way/chart.js";
import { FACTS, bad, enumerated, exactly, hash, integer, list, map, object, optional, text } from "./payload.js";

const words = text(/^/, "not a text");
const flag = enumerated(true, false);
const id = text(/^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/, "not an id");
const odds = text(/^[1-9][0-9]{0,8}\/[1-9][0-9]{0,8}$/, "not odds as \"8/1\"");
const pays = text(/^(?:push|(?:meter:)?[1-9][0-9]{0,8}\/[1-9][0-9]{0,8})$/,
  "not odds as \"8/1\", \"push\", or a share as \"meter:1/10\"");
const amount = integer(0, 10 ** 15);
const rounding = enumerated("down", "half-up", "up");
const wheel = enumerated("second", "lowest");
const joker = enumerated("semi-wild", "wild");
const limits = { minimum_minor: optional(amount), maximum_minor: optional(amount) };
const commission = object({ rate: odds, rounding, increment: enumerated("minor-unit", "quarter-chip") });
const bands = list(object({ up_to_minor: optional(integer(1, Number.MAX_SAFE_INTEGER)), fee_minor: amount }));
const facts = list(enumerated(...FACTS));

// Every ruleset has the first two.
const betId = text(/^(?!(?:base|double_down)$)(?=.{1,32}$)[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/, "not the id of a bet");
// By language tag: two or three letters, and subtags of two to eight.
const titles = { title: words, titles: optional(map(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, words, "no language tag")) };

// A term, a list of terms, or a list of such lists, for the subject of a bet and the number of cards in a hand.
const filled = (item) => (value, path) => {
  list(item)(value, path);
  if (value.length === 0) bad(path, "an empty list");
};
export const condition = (looksAt, hand) => (value, path) => {
  const term = (one, at) => {
    words(one, at);
    const fault = termFault(one, looksAt, hand);
    if (fault !== null) bad(at, fault);
  };
  if (!Array.isArray(value)) term(value, path);
  else filled(Array.isArray(value[0]) ? filled(term) : term)(value, path);
};

const bet = (hand) => (value, path) => object({
  id: betId, ...titles, looks_at: enumerated(...LOOKS_AT), needs_base: flag, ...limits,
  others: optional(object({ bet: betId, ...titles, threshold_minor: amount })),
  meter: optional(object({ seed_minor: amount, contribution: odds })),
  rows: list(object({ id, ...titles, pays, others_minor: optional(amount), notify_floor: optional(flag),
    condition: condition(value.looks_at, hand) })),
}, ofSeats)(value, path);

// The cards of each other seat are paid.
const seatHand = exactly("seat-hand", "others goes with seat-hand alone");
function ofSeats(value, path) {
  if (value.looks_at === "seat-set-hands" && !value.needs_base) {
    bad(`${path}.needs_base`, "a seat without a base wager sets no hands");
  }
  if (Object.hasOwn(value, "others")) seatHand(value.looks_at, `${path}.looks_at`);
  ofMeter(value, path);
  const has = (word) => value.rows.some((row) => hasWord(row.condition, word));
  if (has("named_colour:") && (has("red:") || has("black:") || value.others || value.meter)) {
    bad(path, "named_colour does not go with red, black, others or meter");
  }
}

// A share of the meter does not grow with the stake: that is fixed.
function ofMeter(value, path) {
  const shares = value.rows.map((row) => meterShare(row)).filter((share) => share !== null);
  if (value.meter === undefined) {
    if (shares.length > 0) bad(path, "pays of a meter, and has none");
    return;
  }
  if (value.looks_at !== "seat-hand") bad(`${path}.looks_at`, "a meter goes with seat-hand alone");
  if (value.minimum_minor === undefined || value.minimum_minor !== value.maximum_minor) {
    bad(path, "a meter goes with a fixed stake");
  }
  const [num, den] = fraction(value.meter.contribution);
  if (num >= den) bad(`${path}.meter.contribution`, "must be below 1");
  if (shares.some(([part, whole]) => part > whole)) bad(path, "pays more than the meter");
}

// A sheet states the one meter that is the house's.
function oneMeter(file, path) {
  const meters = (file.bets ?? []).filter((bet) => bet.meter).length;
  if (meters > (file.coverage === "house" ? 1 : 0)) bad(path, "more than one meter, or not the house's");
  if (file.facts.required.includes("meter_minor") !== (meters === 1)) {
    bad(`${path}.facts.required`, "meter_minor goes with a meter");
  }
}

const ruleset = (hand) => object({
  schema: exactly(1, "not a schema of this release"), id,
  family: id, title: words, source: words,
  notes: optional(list(words)), cards: integer(53, 53), joker,
  hand: integer(6, 7), seats: integer(1, 7), wheel, house_way: object({ id, hash }),
  coverage: enumerated("house", "player-dealer"), expose: optional(enumerated("dealer")), allow_player_advantage: flag,
  max_payout_minor: optional(amount), max_seat_payout_minor: optional(amount),
  max_round_payout_minor: optional(amount), rounding: optional(rounding),
  currency: optional(object({ code: text(/^[A-Z]{3,8}$/, "not a currency"), exponent: integer(0, 4) })),
  dealing: object({ procedure: enumerated("packets", "streets", "zigzag"), streets: optional(list(integer(1, 6))),
    direction: enumerated("clockwise", "counter-clockwise"), dice: enumerated("three", "none"),
    dead_hands: enumerated("all-positions", "active-only") }),
  facts: object({ required: facts, optional: facts }),
  base: object({ pays: odds, ...limits, commission: optional(commission),
    push_on_dealer: optional(condition(PUSH_ON, hand)), push_beats_foul: optional(flag) }),
  double_down: optional(object({ dealer_qualifies: text(/^([2-9TJQKA])\1$/, "not a pair") })),
  banking: optional(object({ banker_sets: enumerated("house-way"), bank_per_base: integer(1, 100), commission })),
  fees: optional(object({ player: bands, player_dealer: bands })), bets: optional(list(bet(hand))),
}, oneMeter);

const ranks = text(/^[2-9TJQKA]+$/, "not letters of ranks");
const common = { id, title: words, source: words, cards: integer(6, 7), wheel, joker: optional(joker) };
const named = { id: text(/^[A-Za-z0-9.-]{1,64}$/, "not the id of a clause"), text: words };
const sizes = list(text(/^[1-5](?:\+[1-4]){1,6}$/, "not sizes of groups"));
// A chart for so many cards.
function chart(cards) {
  const others = cards === 6 ? ONLY_SEVEN : ONLY_SIX;
  const front = enumerated(...Object.keys(FRONTS).filter((name) => !others.includes(name)));
  return object({ ...common, clause: list(object({
    ...named, front, groups: sizes,
    first_rank: optional(ranks), second_rank: optional(ranks), singletons_at_least: optional(ranks),
    front_at_least: optional(ranks), front_beats: optional(front), best: optional(list(enumerated(...CATEGORIES))),
    straight_or_flush: optional(enumerated(...Object.keys(HELD))),
  })) });
}
// The file of a way in code has only its sentences.
const coded = object({ ...common, code: enumerated("online"), clause: list(object(named)) });

// Both throw BadPayload.
export function checkRuleset(file) {
  ruleset(file.hand)(file, "");
  if (file.joker === "wild" && file.hand === 6) bad("joker", "wild with hands of six");
}
export function checkHouseWay(file) {
  (Object.hasOwn(file, "code") ? coded : chart(file.cards))(file, "");
  if (file.joker === "wild" && (file.cards === 6 || file.code !== undefined)) {
    bad("joker", "wild with six cards, or in a way in code");
  }
  for (const [at, clause] of file.clause.entries()) {
    if (!clause.best && [clause.front, clause.front_beats].some((front) => NEED_LISTED.includes(front))) {
      bad(`clause[${at}]`, "needs best, the categories");
    }
  }
}
