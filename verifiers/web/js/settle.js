// The results of a round, recomputed from cards, wagers and decisions (crates/paigow-rules/src/game).

import { ascending, rankOf, rankOfLetter, without } from "./cards.js";
import { isPairOrBetter, rowOf } from "./bets.js";
import { PUSH_ON, holds } from "./conditions.js";
import { CATEGORIES, compare, highValue, isFoul, lowValue, rankingOf } from "./hands.js";
import { actionSeat } from "./dealing.js";
import { setByHouseWay } from "./house-way/index.js";
import { fraction, meterShare, smaller, times, total } from "./money.js";
import { activeSeats, betOf, feesOf, hasBase } from "./sheet.js";

const WIN = "win", LOSE = "lose", PUSH = "push", COPY = "copy";

// Low and high cards with their values.
function settingOf(ruleset, low, high, clause = null) {
  const ranking = rankingOf(ruleset);
  const value = highValue(high, ranking);
  return { low: ascending(low), high: ascending(high), clause, highValue: value,
    lowValue: lowValue(low, ranking), foul: isFoul(low, value, ranking) };
}

// A hand as the house way sets it.
export function byHouseWay(ruleset, houseWay, cards) {
  const { low, high, clause } = setByHouseWay(houseWay, cards);
  return settingOf(ruleset, low, high, clause);
}

// The dealer's hand that the deal shows, set by the house way; undefined if the ruleset exposes none.
export function exposedHand(ruleset, houseWay, cards) {
  if (ruleset.expose !== "dealer") return undefined;
  const { low, high } = byHouseWay(ruleset, houseWay, cards);
  return { high, low };
}

const sign = (a, b) => ({ "1": WIN, "0": COPY, "-1": LOSE })[compare(a, b)];

// Both hands won wins, both lost loses, else a push; the dealer or banker wins a copy. A foul hand
// loses both.
function against(own, bank) {
  if (own.foul) return { high: LOSE, low: LOSE, outcome: LOSE };
  const high = sign(own.highValue, bank.highValue);
  const low = sign(own.lowValue, bank.lowValue);
  const wins = [high, low].filter((result) => result === WIN).length;
  return { high, low, outcome: [LOSE, PUSH, WIN][wins] };
}

// House way against house way, however the player set the hand.
export function bothByHouseWay(ruleset, houseWay, cards, dealer) {
  const [own, bank] = [cards, dealer].map((hand) => byHouseWay(ruleset, houseWay, hand));
  return { ...against(own, bank), seat: own, dealer: bank };
}

// The line of a wager if it is covered, without its money.
const line = (bet, stake, status, more = {}) => ({ bet, stake, status, win: 0n, commission: 0n,
  uncovered: null, row: null, pays: null, causedBy: null, ...more });

const ofOutcome = { [WIN]: "won", [LOSE]: "lost", [PUSH]: "push" };

function evenMoney(bet, stake, outcome, pays, rounding) {
  const status = ofOutcome[outcome];
  if (status !== "won") return line(bet, stake, status);
  return line(bet, stake, status, { pays, win: times(stake, pays, rounding) });
}

// `ofMeter`: the win of a wager of each row from the meter.
function bonusLine(ruleset, bet, { amount, choice }, judged, ofMeter = new Map()) {
  const row = rowOf(bet, judged, { choice, isWild: rankingOf(ruleset).isWild });
  if (row === null) return line(bet.id, amount, "lost");
  if (row.pays === "push") return line(bet.id, amount, "push", { row: row.id });
  if (meterShare(row)) return line(bet.id, amount, "won", { row: row.id, win: ofMeter.get(row.id) });
  const pays = fraction(row.pays);
  return line(bet.id, amount, "won",
    { row: row.id, pays, win: times(amount, pays, ruleset.rounding) });
}

// The cards and hands that decide the bets of a sheet.
class Round {
  constructor(ruleset, houseWay, sheet, hands, dice, decisions) {
    Object.assign(this, { ruleset, houseWay, sheet, hands, dice, decisions });
    this.seats = [...sheet.seats.keys()].sort((a, b) => a - b);
    this.active = activeSeats(sheet).sort((a, b) => a - b);
    this.banker = sheet.facts.banker_seat ?? null;
    this.isWild = rankingOf(ruleset).isWild;
    this.dealer = byHouseWay(ruleset, houseWay, hands.get(0));
    this.settings = new Map(this.active.map((seat) => [seat, this.set(seat)]));
  }

  set(seat) {
    const cards = this.hands.get(seat);
    const { low } = this.decisions.get(seat);
    if (low === undefined) return byHouseWay(this.ruleset, this.houseWay, cards);
    return settingOf(this.ruleset, low, without(cards, low));
  }

  stake(seat, bet) {
    return this.sheet.seats.get(seat).get(bet).amount;
  }

  // The hand against which a seat's base wager is settled: the dealer's, or a banking player's.
  opponent(seat) {
    const banks = this.banker !== null && seat !== this.banker;
    return banks
      ? { setting: this.settings.get(this.banker), cards: this.hands.get(this.banker) }
      : { setting: this.dealer, cards: this.hands.get(0) };
  }

  base(seat) {
    const result = against(this.settings.get(seat), this.opponent(seat).setting);
    const { push_on_dealer: condition, push_beats_foul: first } = this.ruleset.base;
    const foul = this.settings.get(seat).foul;
    const { dealer, isWild } = this;
    const pushes = condition !== undefined && holds(condition, PUSH_ON, this.hands.get(0), { dealer, isWild });
    if (pushes && (first || !foul)) result.outcome = PUSH;
    return result;
  }

  // The double down pushes, even on a foul hand, unless the dealer or banker qualifies.
  double(seat, outcome) {
    const rank = rankOfLetter(this.ruleset.double_down.dealer_qualifies[0]);
    return isPairOrBetter(this.opponent(seat).cards, rank) ? outcome : PUSH;
  }

  // The cards or hands that decide a bet of a seat.
  judged(bet, seat) {
    if (bet.looks_at === "seat-set-hands") return this.settings.get(seat);
    if (bet.looks_at !== "house-way-hands") return cardsOf(bet, this.hands, seat);
    return bothByHouseWay(this.ruleset, this.houseWay, this.hands.get(seat), this.hands.get(0));
  }

  bonus(seat, id) {
    const bet = betOf(this.ruleset, id);
    const wager = this.sheet.seats.get(seat).get(id);
    return bonusLine(this.ruleset, bet, wager, this.judged(bet, seat), this.ofMeter(bet));
  }

  // The win of each wager of a row from the meter, by row. The wagers divide it, the row that pays least comes first,
  // and all together never win more than the meter has.
  ofMeter(bet) {
    const wins = new Map();
    if (bet.meter === undefined) return wins;
    const paid = this.seats.filter((seat) => this.sheet.seats.get(seat).has(bet.id))
      .map((seat) => rowOf(bet, this.judged(bet, seat), { isWild: this.isWild })?.id);
    const meter = this.sheet.facts.meter_minor;
    let left = meter;
    for (const row of [...bet.rows].reverse()) {
      const share = meterShare(row);
      const wagers = BigInt(paid.filter((id) => id === row.id).length);
      if (share === null || wagers === 0n) continue;
      const each = smaller(times(meter, share, "down"), left) / wagers;
      wins.set(row.id, each);
      left -= each * wagers;
    }
    return wins;
  }

  // Fixed amounts for each other player's qualifying hand; a player has a base wager.
  others(seat, id) {
    const bet = betOf(this.ruleset, id);
    if (!bet.others || this.stake(seat, id) < BigInt(bet.others.threshold_minor)) return [];
    return this.active.filter((other) => other !== seat).flatMap((other) => {
      const row = rowOf(bet, this.judged(bet, other), { isWild: this.isWild });
      if (row === null || row.others_minor === undefined) return [];
      return [line(bet.others.bet, 0n, "won",
        { row: row.id, win: BigInt(row.others_minor), causedBy: other })];
    });
  }

  linesOf(seat) {
    const { ruleset } = this;
    const lines = [];
    // Lines for wins by hands of other seats come after the seat's wagers.
    const others = [];
    const outcome = this.settings.has(seat) ? this.base(seat).outcome : null;
    for (const id of this.sheet.seats.get(seat).keys()) {
      if (id !== "base") {
        lines.push(this.bonus(seat, id));
        others.push(...this.others(seat, id));
        continue;
      }
      const pays = fraction(ruleset.base.pays);
      const stake = this.stake(seat, "base");
      lines.push(evenMoney("base", stake, outcome, pays, ruleset.rounding));
      if (this.decisions.get(seat).double_down) {
        lines.push(evenMoney("double_down", stake, this.double(seat, outcome), pays, ruleset.rounding));
      }
    }
    return [...lines, ...others];
  }
}

// The cards that decide a bet.
export function cardsOf(bet, hands, seat) {
  if (bet.looks_at === "dealer-hand") return hands.get(0);
  return bet.looks_at === "first-three" ? hands.get(seat).slice(0, 3) : hands.get(seat);
}

// Lines that the deal alone decides, before any decision is taken (crates/paigow-rules/src/game/dealing.rs).
export function finalLines(ruleset, sheet, hands) {
  const bets = (ruleset.bets ?? []).filter((bet) => bet.looks_at === "first-three");
  return [...sheet.seats].sort(([a], [b]) => a - b).flatMap(([seat, wagers]) =>
    bets.filter((bet) => wagers.has(bet.id)).map((bet) =>
      [seat, bonusLine(ruleset, bet, wagers.get(bet.id), cardsOf(bet, hands, seat))]));
}

function commissionOn(win, terms, facts) {
  const increment = terms.increment === "quarter-chip" ? (facts.chip_minor + 3n) / 4n : 1n;
  return smaller(win, times(win, fraction(terms.rate), terms.rounding, increment));
}

// The commission is on base and double together. The double's line has the part that the base's line does
// not have.
function takeCommission(terms, facts, lines) {
  let won = 0n;
  for (const one of lines.filter((line) => !isBonus(line))) {
    one.commission = commissionOn(won + one.win, terms, facts) - commissionOn(won, terms, facts);
    won += one.win;
  }
}

// The player-dealer wins or loses no more than the bank: p is what the player-dealer holds.
function cover(lines, bank) {
  let p = bank;
  for (const one of lines) {
    if (p === 0n || p === 2n * bank) {
      if (one.status === "lost") one.uncovered = one.stake;
      if (one.status === "won") one.uncovered = one.win;
      one.status = "uncovered";
      one.win = 0n;
    } else if (one.status === "lost") {
      const collected = smaller(one.stake, 2n * bank - p);
      if (collected < one.stake) one.uncovered = one.stake - collected;
      p += collected;
    } else if (one.status === "won") {
      const paid = smaller(one.win, p);
      if (paid < one.win) one.uncovered = one.win - paid;
      one.win = paid;
      p -= paid;
    }
  }
  return p - bank;
}

// The amount handed back, stake included, after commission.
function returnOf({ status, stake, win, commission, uncovered }) {
  if (status === "lost") return uncovered ?? 0n;
  return stake + win - commission;
}

const lineNet = (one) => returnOf(one) - one.stake;
const beforeCommission = (one) => lineNet(one) + one.commission;
const isBonus = (one) => one.bet !== "base" && one.bet !== "double_down";

function writeLine(one) {
  const written = { bet: one.bet, commission: String(one.commission),
    return: String(returnOf(one)), stake: String(one.stake), status: one.status,
    win: String(one.win) };
  if (one.row !== null) written.row = one.row;
  if (one.pays !== null) written.pays = { den: Number(one.pays[1]), num: Number(one.pays[0]) };
  if (one.causedBy !== null) written.caused_by_seat = one.causedBy;
  if (one.uncovered !== null) written.uncovered = String(one.uncovered);
  return written;
}

export const writeFinalLines = (lines) =>
  lines.map(([seat, one]) => ({ ...writeLine(one), seat }));

const lowCategory = (value) => CATEGORIES[value[0]];

const writeSetting = (setting, houseWayHash) => ({
  ...(setting.clause === null ? {} : { clause: setting.clause, house_way: houseWayHash }),
  high: setting.high, high_category: CATEGORIES[setting.highValue[0]],
  low: setting.low, low_category: lowCategory(setting.lowValue),
});

// `decisions`: Map seat -> { low?, double_down? }, one for each seat with a base wager.
export function resultsOf({ ruleset, houseWay, houseWayHash, sheet, hands, dice, decisions }) {
  const round = new Round(ruleset, houseWay, sheet, hands, dice, decisions);
  const lines = new Map(round.seats.map((seat) => [seat, round.linesOf(seat)]));
  const fees = feesOf(ruleset, sheet);
  const isOthers = (seat) => round.banker !== null && seat !== round.banker;
  for (const [seat, own] of lines) {
    // The player who banks pays commission on the round as a whole.
    const terms = round.banker === null ? ruleset.base.commission : ruleset.banking.commission;
    if (terms && seat !== round.banker) takeCommission(terms, sheet.facts, own);
  }
  const nets = new Map();
  let bankNet = 0n;
  let houseNet = 0n;
  let commission = 0n;
  if (ruleset.coverage === "player-dealer") {
    const start = actionSeat(ruleset, dice, activeSeats(sheet));
    const around = [...lines.keys()].sort((a, b) => (a < start) - (b < start) || a - b);
    bankNet = cover(around.flatMap((seat) => lines.get(seat)), sheet.facts.bank_minor);
    bankNet -= fees.get(0) ?? 0n;
  } else {
    for (const [seat, own] of lines) {
      for (const one of own) {
        const lost = -beforeCommission(one);
        // If a player banks, the bank is that player's against the others. The rest is the house's.
        if (round.banker === null || (isOthers(seat) && !isBonus(one))) bankNet += lost;
        else houseNet += lost;
      }
    }
  }
  for (const [seat, own] of lines) {
    nets.set(seat, total(own.map(lineNet)) - (fees.get(seat) ?? 0n));
    commission += total(own.map((one) => one.commission));
  }
  if (round.banker !== null) {
    const outside = lines.get(round.banker).filter((one) => !isBonus(one)).map(lineNet);
    const won = bankNet + total(outside);
    const due = won > 0n ? commissionOn(won, ruleset.banking.commission, sheet.facts) : 0n;
    nets.set(round.banker, nets.get(round.banker) - due);
    commission += due;
  }
  const allFees = total([...fees.values()]);
  houseNet += commission + allFees;
  if (total([...nets.values()]) + bankNet + houseNet !== 0n) throw new Error("money does not add up");

  const seats = Object.create(null);
  for (const seat of round.seats) {
    const written = { lines: lines.get(seat).map(writeLine), net: String(nets.get(seat)) };
    if (hasBase(sheet, seat)) {
      const setting = round.settings.get(seat);
      const { high, low, outcome } = round.base(seat);
      Object.assign(written, writeSetting(setting, houseWayHash),
        { foul: setting.foul, high_result: high, low_result: low, outcome });
    }
    seats[seat] = written;
  }
  return {
    bank: { ...writeSetting(round.dealer, houseWayHash), net: String(bankNet) },
    commission: String(commission), fees: String(allFees), house_net: String(houseNet), seats,
  };
}
