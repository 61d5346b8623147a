//! Settles a round: every wager in order, then every net, to the minor unit.

use std::collections::{BTreeMap, BTreeSet};

use super::bets::{BetId, DealtHand, Evidence, Pays, Showdown};
use super::coverage::{Pool, Verdict};
use super::dealing::Dealt;
use super::laying::{Hand, Laid, lay_down, outcome};
use super::money::Odds;
use super::ruleset::Ruleset;
use super::settlement::{
    BankResult, BaseResult, Decision, Line, LineStatus, Outcome, SeatResult, SettleError,
    Settlement,
};
use super::table::{BankTerms, Placed, Table};
use crate::cards::Seat;
use crate::house_way::HouseWay;

/// Settles all wagers of `table` on the cards of `dealt`.
pub(super) fn settle(
    ruleset: &Ruleset,
    house_way: &HouseWay,
    table: &Table,
    dealt: &Dealt,
    decisions: &BTreeMap<Seat, Decision>,
) -> Result<Settlement, SettleError> {
    if table.ruleset() != ruleset.id() {
        return Err(SettleError::Foreign { part: "table" });
    }
    if house_way.id() != ruleset.house_way().id {
        return Err(SettleError::Foreign { part: "house way" });
    }
    let hands = hands(table, dealt).ok_or(SettleError::Foreign { part: "deal" })?;
    let dealer_hand = hands.get(&Seat::DEALER).ok_or(SettleError::Foreign { part: "deal" })?;
    let laid = lay_down(table, &hands, decisions, house_way, ruleset.wheel())
        .map_err(|faults| SettleError::Decisions { faults })?;
    let dealer = Laid::by_house_way(house_way, dealer_hand, ruleset.wheel());

    let mut pool = match table.bank {
        BankTerms::PlayerDealer { bank } => Pool::new(bank),
    };
    let mut seats = BTreeMap::new();
    for (seat, placed) in in_order(table, dealt.action_seat) {
        let hand = hands.get(&seat).ok_or(SettleError::Foreign { part: "deal" })?;
        let base = laid.get(&seat).map(|laid| base_result(laid, &dealer));
        let by_house_way = Laid::by_house_way(house_way, hand, ruleset.wheel());
        let evidence = evidence(hand, &by_house_way, &dealer);
        let mut lines = Vec::new();
        for wager in placed {
            let judged = judge(ruleset, wager, base.as_ref(), &evidence)?;
            lines.push(line(wager, judged, &mut pool)?);
        }
        let fee = dealt.fees.get(&seat).copied().unwrap_or(0);
        let net = lines.iter().map(Line::net).sum::<i128>() - i128::from(fee);
        seats.insert(seat, SeatResult { base, lines, net: minor(net)? });
    }

    let fees: i128 = dealt.fees.values().copied().map(i128::from).sum();
    let own_fee = dealt.fees.get(&Seat::DEALER).copied().unwrap_or(0);
    let bank_net = pool.net() - i128::from(own_fee);
    // Every bet of a player-dealer game is without commission.
    let settlement = Settlement {
        bank: BankResult { setting: dealer.shown(), net: minor(bank_net)? },
        seats,
        commission: 0,
        fees: minor(fees)?,
        house_net: minor(fees)?,
    };
    conserve(settlement)
}

/// Returns the hands of all positions, or nothing if the deal is not that of `table`
/// or has a card twice, which no house way can set.
fn hands(table: &Table, dealt: &Dealt) -> Option<BTreeMap<Seat, Hand>> {
    let cards = || dealt.hands.values().flatten();
    if cards().collect::<BTreeSet<_>>().len() != cards().count() {
        return None;
    }
    if !table.seats().map(|(seat, _)| seat).eq(dealt.visible().map(|(seat, _)| seat)) {
        return None;
    }
    let hand = |(&seat, cards): (&Seat, &Vec<_>)| Some((seat, cards.as_slice().try_into().ok()?));
    dealt.hands.iter().map(hand).collect()
}

/// Returns the seats with a wager in the order of settlement: clockwise from the
/// action seat, position 0 skipped.
fn in_order(table: &Table, action_seat: Seat) -> impl Iterator<Item = (Seat, &[Placed])> {
    let (before, from): (Vec<_>, Vec<_>) = table.seats().partition(|&(seat, _)| seat < action_seat);
    from.into_iter().chain(before)
}

fn base_result(laid: &Laid, dealer: &Laid) -> BaseResult {
    let (high_result, low_result) = laid.against(dealer);
    BaseResult {
        shown: laid.shown(),
        foul: laid.is_foul(),
        high_result,
        low_result,
        outcome: outcome(high_result, low_result),
    }
}

fn evidence(hand: &Hand, by_house_way: &Laid, dealer: &Laid) -> Evidence {
    let (high, low) = by_house_way.against(dealer);
    let showdown = Showdown {
        outcome: outcome(high, low),
        seat_low: by_house_way.low,
        dealer_low: dealer.low,
    };
    Evidence { hand: DealtHand::of(hand), showdown: Some(showdown), ..Evidence::none() }
}

/// What the cards say of one wager.
struct Judged {
    verdict: Verdict,
    pays: Option<Odds>,
    row: Option<String>,
}

fn judge(
    ruleset: &Ruleset,
    wager: &Placed,
    base: Option<&BaseResult>,
    evidence: &Evidence,
) -> Result<Judged, SettleError> {
    let foreign = SettleError::Foreign { part: "table" };
    if wager.bet == BetId::Base {
        let rules = ruleset.base();
        let (verdict, pays) = match base.ok_or(foreign)?.outcome {
            Outcome::Win => {
                (Verdict::Won(rules.pays.win(wager.stake, rules.rounding)), Some(rules.pays))
            }
            Outcome::Lose => (Verdict::Lost, None),
            Outcome::Push => (Verdict::Push, None),
        };
        return Ok(Judged { verdict, pays, row: None });
    }
    let bonus = ruleset.bonus_bet(wager.bet).ok_or(foreign)?;
    let Some(row) = bonus.judge(evidence) else {
        return Ok(Judged { verdict: Verdict::Lost, pays: None, row: None });
    };
    let verdict = match row.pays {
        Pays::Odds(odds) => Verdict::Won(odds.win(wager.stake, bonus.rounding)),
        Pays::Push => Verdict::Push,
    };
    Ok(Judged { verdict, pays: row.pays.odds(), row: Some(row.id.clone()) })
}

fn line(wager: &Placed, judged: Judged, pool: &mut Pool) -> Result<Line, SettleError> {
    let covered = pool.settle(wager.stake, judged.verdict);
    let status = if covered.is_covered {
        match judged.verdict {
            Verdict::Won(_) => LineStatus::Won,
            Verdict::Lost => LineStatus::Lost,
            Verdict::Push => LineStatus::Push,
        }
    } else {
        LineStatus::Uncovered
    };
    Ok(Line {
        bet: wager.bet,
        stake: wager.stake,
        status,
        row: judged.row,
        pays: judged.pays,
        win: minor(covered.win)?,
        commission: 0,
        returned: minor(covered.returned)?,
        uncovered: covered.uncovered.map(minor).transpose()?,
    })
}

fn minor(amount: i128) -> Result<i64, SettleError> {
    i64::try_from(amount).map_err(|_| SettleError::Overflow)
}

/// Hands on a settlement in which no money came from nowhere or went there.
fn conserve(settlement: Settlement) -> Result<Settlement, SettleError> {
    let seats: i128 = settlement.seats.values().map(|seat| i128::from(seat.net)).sum();
    let sum = seats + i128::from(settlement.bank.net) + i128::from(settlement.house_net);
    if sum == 0 { Ok(settlement) } else { Err(SettleError::Conservation { off_by_minor: sum }) }
}
