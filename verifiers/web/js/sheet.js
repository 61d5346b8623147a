// Checks the wagers of a lock against the ruleset (crates/paigow-rules/src/game/check).

import { asksChoice } from "./bets.js";
import { fraction, meterShare, times, total } from "./money.js";

export class Refused extends Error {}

const refuse = (what) => {
  throw new Refused(what);
};

const MAX_STAKE = 10n ** 15n;
// Amounts, and the largest of each. Twice of a bank fits 64 bits, as what the wagers of a house's
// table may move together has to.
const AMOUNTS = { bank_minor: 10n ** 18n, chip_minor: MAX_STAKE, meter_minor: MAX_STAKE,
  table_max_minor: MAX_STAKE, table_min_minor: MAX_STAKE };
const MAX_MOVED = 2n ** 63n - 1n;

function checkCurrency(ruleset, currency) {
  if (currency === undefined) refuse("the lock names no currency");
  const own = ruleset.currency;
  if (own && (own.code !== currency.code || own.exponent !== currency.exponent)) {
    refuse(`the ruleset's amounts are in ${own.code}`);
  }
  if (currency.exponent > 4) refuse("an exponent above 4");
}

function readFacts(ruleset, given) {
  if (given === undefined) refuse("the lock has no table facts");
  const facts = {};
  for (const name of ruleset.facts.required) {
    if (!Object.hasOwn(given, name)) refuse(`${name}: the ruleset needs it`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (![...ruleset.facts.required, ...ruleset.facts.optional].includes(name)) {
      refuse(`${name}: the ruleset does not ask for it`);
    }
    facts[name] = Object.hasOwn(AMOUNTS, name) ? BigInt(value) : value;
    if (Object.hasOwn(AMOUNTS, name) && (facts[name] < 1n || facts[name] > AMOUNTS[name])) {
      refuse(`${name}: must be 1 to ${AMOUNTS[name]}`);
    }
  }
  if (facts.table_min_minor > (facts.table_max_minor ?? MAX_STAKE)) {
    refuse("table_min_minor: above the table's maximum");
  }
  const meter = (ruleset.bets ?? []).find((bet) => bet.meter)?.meter;
  if (meter && facts.meter_minor < BigInt(meter.seed_minor)) refuse("meter_minor: below the seed");
  if (facts.banker_seat > ruleset.seats) refuse(`banker_seat: must be 1 to ${ruleset.seats}`);
  if (facts.action_pile !== undefined && (facts.action_pile < 0 || facts.action_pile > 6)) {
    refuse("action_pile: must be 0 to 6");
  }
  return facts;
}

// The bets of a seat, in the order in which they are settled.
export const betOrder = (ruleset) => ["base", ...(ruleset.bets ?? []).map((bet) => bet.id)];
export const betOf = (ruleset, id) => (ruleset.bets ?? []).find((bet) => bet.id === id);

// Returns Map bet -> the most that a seat may stake on it, 0 if the table does not offer the bet.
function readLimits(order, given = []) {
  const posted = new Map(given.map(({ bet, max }) => [bet, BigInt(max)]));
  for (const [bet, max] of posted) {
    if (!order.includes(bet)) refuse(`bet_limits: the ruleset has no bet ${bet}`);
    if (max > MAX_STAKE) refuse(`bet_limits: ${bet} must be 0 to ${MAX_STAKE}`);
  }
  const inOrder = order.filter((bet) => posted.has(bet));
  if (given.length !== inOrder.length || given.some(({ bet }, i) => bet !== inOrder[i])) {
    refuse("bet_limits: a bet twice, or in another order than the ruleset's");
  }
  return posted;
}

function checkWager(ruleset, facts, posted, { bet: id, amount, choice }) {
  const bet = id === "base" ? ruleset.base : betOf(ruleset, id);
  if (bet === undefined) refuse(`${id}: the ruleset has no such bet`);
  const asked = id !== "base" && asksChoice(bet);
  if (asked !== (choice !== undefined)) refuse(`${id}: a choice is missing, or out of place`);
  if (amount < BigInt(bet.minimum_minor ?? 1)) refuse(`${id}: below the minimum`);
  if (bet.maximum_minor !== undefined && amount > BigInt(bet.maximum_minor)) {
    refuse(`${id}: above the maximum`);
  }
  // The table's minimum is for the base alone, its maximum for every bet.
  if (id === "base" && amount < (facts.table_min_minor ?? 1n)) {
    refuse(`${id}: below the table's minimum`);
  }
  if (amount > (facts.table_max_minor ?? MAX_STAKE)) refuse(`${id}: above the table's maximum`);
  if (amount > (posted.get(id) ?? MAX_STAKE)) refuse(`${id}: above the posted limit of the bet`);
  if (facts.chip_minor !== undefined && amount % facts.chip_minor !== 0n) {
    refuse(`${id}: not a multiple of the lowest chip`);
  }
  const most = mostWon(ruleset, facts, bet, amount);
  if (ruleset.max_payout_minor !== undefined && most > BigInt(ruleset.max_payout_minor)) {
    refuse(`${id}: could win more than ${ruleset.max_payout_minor}`);
  }
  // Twice if it can be doubled.
  const times = id === "base" && ruleset.double_down ? 2n : 1n;
  return { staked: amount * times, won: most * times + mostByOthers(ruleset, bet, amount) };
}

// The most that a wager may win by the hands of all other seats.
function mostByOthers(ruleset, { others, rows }, amount) {
  if (others === undefined || amount < BigInt(others.threshold_minor)) return 0n;
  const most = Math.max(...rows.map((row) => row.others_minor ?? 0));
  return BigInt(most) * BigInt(ruleset.seats - 1);
}

// The most that a wager may win.
function mostWon(ruleset, facts, bet, amount) {
  const wins = (bet.rows ?? [bet]).filter((row) => row.pays !== "push").map((row) => {
    const share = meterShare(row);
    return share ? times(facts.meter_minor, share, "down") : times(amount, fraction(row.pays), ruleset.rounding);
  });
  return wins.reduce((a, b) => (a > b ? a : b), 0n);
}

// A player who banks has a base wager, and money for twice the others' (crates/paigow-rules/src/game).
function checkBanker(ruleset, facts, seats) {
  const { banker_seat: banker, bank_minor: bank } = facts;
  if (!ruleset.banking) return;
  if ((banker === undefined) !== (bank === undefined)) refuse("banker_seat and bank_minor go together");
  if (banker === undefined) return;
  if (!seats.get(banker)?.has("base")) refuse("banker_seat: the banker has no base wager");
  const others = [...seats].filter(([seat]) => seat !== banker)
    .map(([, wagers]) => wagers.get("base")?.amount ?? 0n);
  if (bank < BigInt(ruleset.banking.bank_per_base) * total(others)) {
    refuse("bank_minor: less than the others' base wagers need");
  }
}

// Returns { currency, facts, seats: Map seat -> Map bet -> { amount, choice } }, or throws Refused.
export function readSheet(ruleset, lock) {
  checkCurrency(ruleset, lock.currency);
  const facts = readFacts(ruleset, lock.facts);
  const order = betOrder(ruleset);
  const posted = readLimits(order, lock.bet_limits);
  const seats = new Map();
  const wins = [];
  let staked = 0n;
  for (const [number, { wagers }] of Object.entries(lock.seats)) {
    const seat = Number(number);
    if (seat < 1 || seat > ruleset.seats) refuse(`wagers are for seats 1 to ${ruleset.seats}`);
    const laid = new Map();
    let won = 0n;
    for (const { bet, amount, choice } of wagers) {
      if (laid.has(bet)) refuse(`seat ${seat} has ${bet} already`);
      const wager = { bet, amount: BigInt(amount), choice };
      const most = checkWager(ruleset, facts, posted, wager);
      won += most.won;
      staked += most.staked;
      laid.set(bet, wager);
    }
    const places = [...laid.keys()].map((bet) => order.indexOf(bet));
    if (places.some((place, i) => i > 0 && place < places[i - 1])) refuse("wagers in another order");
    for (const bet of laid.keys()) {
      if (bet !== "base" && betOf(ruleset, bet).needs_base && !laid.has("base")) {
        refuse(`${bet} at seat ${seat} needs a base wager`);
      }
    }
    if (laid.size === 0) refuse(`seat ${seat} has no wager`);
    seats.set(seat, laid);
    wins.push(won);
  }
  if (seats.size === 0) refuse("a round needs a wager");
  const isAbove = (won, most) => most !== undefined && won > BigInt(most);
  if (wins.some((won) => isAbove(won, ruleset.max_seat_payout_minor))) {
    refuse(`a seat could win more than ${ruleset.max_seat_payout_minor}`);
  }
  if (isAbove(total(wins), ruleset.max_round_payout_minor)) {
    refuse(`the round could win more than ${ruleset.max_round_payout_minor}`);
  }
  // A limited bank bounds them by itself.
  if (ruleset.coverage === "house" && staked + total(wins) > MAX_MOVED) refuse("the wagers could move too much together");
  checkBanker(ruleset, facts, seats);
  return { currency: lock.currency, facts, seats };
}

export const hasBase = (sheet, seat) => sheet.seats.get(seat)?.has("base") ?? false;
export const activeSeats = (sheet) => [...sheet.seats.keys()].filter((seat) => hasBase(sheet, seat));

// Flat fees by bands, taken before the deal, if they are not 0. The dealer's is at position 0.
export function feesOf(ruleset, sheet) {
  const fees = new Map();
  if (!ruleset.fees) return fees;
  const bases = activeSeats(sheet).map((seat) => [seat, sheet.seats.get(seat).get("base").amount]);
  const sum = total(bases.map(([, amount]) => amount));
  if (sum > 0n) fees.set(0, band(ruleset.fees.player_dealer, sum));
  for (const [seat, amount] of bases) fees.set(seat, band(ruleset.fees.player, amount));
  return new Map([...fees].filter(([, fee]) => fee > 0n));
}

const band = (bands, amount) => BigInt(
  bands.find((one) => one.up_to_minor === undefined || amount <= BigInt(one.up_to_minor)).fee_minor);

// The fault of one seat's decision, whatever the others decide; null if the rules accept it. `cards`
// are those that the seat was dealt.
export function decisionFault(ruleset, sheet, { seat, low, double_down: double }, cards) {
  if (!hasBase(sheet, seat)) return `one of seat ${seat}`;
  if (double && !ruleset.double_down) return "a double down";
  if (low === undefined) return null;
  if (sheet.facts.banker_seat === seat) return "a banker's hand that he set himself";
  const isDealt = low.every((card) => cards.includes(card)) && cards.length === low.length + 5;
  return low.length === ruleset.hand - 5 && isDealt ? null : "low cards that the seat was not dealt";
}
