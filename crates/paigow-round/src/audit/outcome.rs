//! Seeds, deck, cards, results: the outcome recomputed.

use std::collections::BTreeMap;

use super::epochs;
use super::report::{Finding, ReplayedRound, amounts, joined};
use super::round::RoundAudit;
use crate::record::{
    DealRecord, ExposedDealer, SettleRecord, SettledRecord, VoidedRecord, WagerLock,
};
use crate::results::{final_lines_json, first_difference, results_json, void_returns};
use crate::spent::DecisionTerms;
use crate::{ENGINE_ID, ListedGame};
use paigow_fairness::json::WriteJson as _;
use paigow_fairness::secret::ServerSeed;
use paigow_fairness::seed;
use paigow_fairness::shuffle;
use paigow_rules::cards::{BySeat, Card, DECK_LEN, Deck, Hand, Seat};
use paigow_rules::game::{TableDeal, WagerTable};

/// The reason why `RESULTS` is skipped if the ledger locked wagers that no engine reads.
const UNREADABLE_WAGERS: &str = "the lock of the wagers cannot be read";

/// Returns the settled close, if it can be relied on. A void reveals nothing to check.
fn settled<'r>(round: &'r RoundAudit<'_>) -> Result<(usize, &'r SettledRecord), Finding> {
    round.grounds()?;
    match round.closed()? {
        (line, SettleRecord::Settled(settled)) => Ok((line, settled)),
        (_, SettleRecord::Void(_)) => {
            Err(Finding::skipped("the round is void: nothing is revealed"))
        }
    }
}

/// Returns the game of the round, if its rules are loaded and this engine plays them.
fn game<'a>(round: &RoundAudit<'a>) -> Result<&'a ListedGame, Finding> {
    let (ticket, _) = round.grounds()?;
    if let Some(game) = round.context.catalogue.game(&ticket.ruleset) {
        if ticket.engine.as_str() == ENGINE_ID {
            return Ok(game);
        }
        return Err(Finding::skipped(format!("the round belongs to engine {}", ticket.engine)));
    }
    Err(Finding::skipped(format!("ruleset {} is not among the rule files", ticket.ruleset)))
}

/// Returns the wagers, if the lock can be relied on and its rules take them.
fn table(
    round: &RoundAudit<'_>,
    game: &ListedGame,
) -> Result<Result<WagerTable, Finding>, Finding> {
    let line = round.usable(round.lines.wager_lock.as_ref(), "lock of the wagers")?;
    let lock = round.wager_lock.as_ref().ok_or_else(|| Finding::skipped("no lock"))?;
    let table = match game.ruleset.check(&lock.sheet()) {
        Ok(table) => table,
        Err(faults) => {
            let what = faults.first().map_or_else(String::new, ToString::to_string);
            return Ok(Err(Finding::failed(line, "wagers that the ruleset takes", what)));
        }
    };
    let canonical =
        WagerLock::of_table(lock.prev, lock.round_id, &table, lock.client_seeds.clone());
    if canonical.to_bytes() == lock.to_bytes() {
        Ok(Ok(table))
    } else {
        Ok(Err(Finding::failed(line, "wagers in the ruleset's order", "another order")))
    }
}

/// Calls `judge` with the terms that decisions of the round are checked against, if all of them can
/// be relied on.
pub(super) fn with_decision_terms<T>(
    round: &RoundAudit<'_>,
    judge: impl FnOnce(&DecisionTerms<'_>) -> T,
) -> Result<T, Finding> {
    let (ticket, _) = round.grounds()?;
    round.usable(round.lines.deal.as_ref(), "deal")?;
    let (Some(line), Some(deal)) = (&round.lines.deal, &round.deal) else {
        return Err(Finding::skipped("no deal"));
    };
    let game = game(round)?;
    let Ok(table) = table(round, game)? else { return Err(other_wagers()) };
    let (deal, visible) = (line.hash, &deal.visible);
    let seat_keys = &ticket.seat_keys;
    Ok(judge(&DecisionTerms { game, table: &table, deal, visible, seat_keys }))
}

fn other_wagers() -> Finding {
    Finding::skipped("the wagers are not the ruleset's: see RESULTS")
}

/// Returns the server seed of a closed round, with the line of the close. A settlement reveals it.
/// That of a void follows from the reveal of the epoch, or from the epoch's close in the vrf suite.
fn server_seed(round: &RoundAudit<'_>) -> Result<(usize, ServerSeed), Finding> {
    let (ticket, world) = round.grounds()?;
    match round.closed()? {
        (line, SettleRecord::Settled(settled)) => Ok((line, settled.server_seed.clone())),
        (line, SettleRecord::Void(_)) => {
            let void = || Finding::skipped("the round is void: nothing is revealed");
            let salt = world.epoch.salt.ok_or_else(void)?;
            let seed = match world.epoch.vrf_key {
                Some(key) => {
                    let (_, proof) = epochs::proof_of_void(round)?.ok_or_else(void)?;
                    let seed = ticket.coordinates.proven_server_seed(&key, &salt, proof);
                    seed.ok_or_else(void)?
                }
                None => {
                    let reveal = epochs::revealed(round, world.epoch.epoch);
                    let (_, reveal) = reveal.map_err(|_| void())?;
                    ticket.coordinates.derived_server_seed(&reveal.secret, &salt)
                }
            };
            let opened =
                seed::round_commit(&seed, &ticket.round_id, &ticket.ruleset, &ticket.engine);
            // If it does not open, SEED_PROOF or SEED_WAS_NOT_CHOSEN reports that.
            if opened == ticket.commit { Ok((line, seed)) } else { Err(void()) }
        }
    }
}

/// `COMMIT`: the server seed opens the ticket's commitment.
pub(super) fn commit(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| {
        let (ticket, _) = round.grounds()?;
        let (line, settled) = settled(round)?;
        let opened = seed::round_commit(
            &settled.server_seed,
            &ticket.round_id,
            &ticket.ruleset,
            &ticket.engine,
        );
        Ok(Finding::equal(line, &ticket.commit, &opened, "the ticket's commitment"))
    })
}

/// `REPLAY`: round seed, deck and dice follow from the seeds.
pub(super) fn replay(round: &mut RoundAudit<'_>) -> Finding {
    let mut replayed = None;
    let finding = Finding::or_skip(|| {
        let (ticket, world) = round.grounds()?;
        let (line, server_seed) = server_seed(round)?;
        round.usable(round.lines.wager_lock.as_ref(), "lock of the wagers")?;
        let deal_line = round.usable(round.lines.deal.as_ref(), "deal")?;
        let (Some(lock), Some(deal)) = (&round.wager_lock, &round.deal) else {
            return Err(Finding::skipped("no lock or no deal"));
        };
        let block = seed::client_block(&lock.client_seeds);
        let external = ticket.external_of(deal.beacon.as_ref());
        let expected = seed::round_seed(&server_seed, &ticket.round_id, &block, &external);
        let listed = world.signed.manifest.ruleset(&ticket.ruleset);
        let cards = listed.map_or(DECK_LEN, |listed| usize::from(listed.cards));
        let deck = shuffle::deck(&expected, cards);
        if let Some(SettleRecord::Settled(settled)) = &round.settle {
            if expected != settled.round_seed {
                return Ok(Finding::failed(line, "the round seed of these seeds", "another"));
            }
            if deck != settled.deck {
                return Ok(Finding::failed(line, "the deck of the round seed", "another"));
            }
        }
        let thrown = shuffle::dice(&expected);
        let draws = round.context.catalogue.game(&ticket.ruleset).map(|g| g.ruleset.draws_dice());
        let dice_fit = match draws {
            Some(true) => deal.dice == thrown,
            Some(false) => deal.dice.is_empty(),
            None => deal.dice == thrown || deal.dice.is_empty(),
        };
        if !dice_fit {
            return Ok(Finding::failed(
                deal_line,
                format!("the dice {}", joined(thrown)),
                joined(&deal.dice),
            ));
        }
        replayed = Some(ReplayedRound {
            round_seed: expected,
            deck,
            dice: (!deal.dice.is_empty()).then_some(thrown),
            dealer: Hand::EMPTY,
            settlement: None,
        });
        Ok(Finding::Passed)
    });
    round.replayed = replayed;
    finding
}

/// `DECK_COMMIT`: the deal's commitment is to this deck.
pub(super) fn deck_commit(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| {
        let line = round.usable(round.lines.deal.as_ref(), "deal")?;
        let replayed =
            round.replayed.as_ref().ok_or_else(|| Finding::skipped("no deck replayed"))?;
        let deal = round.deal.as_ref().ok_or_else(|| Finding::skipped("no deal"))?;
        let expected = seed::deck_commit(&replayed.round_seed, &replayed.deck);
        Ok(Finding::equal(line, &expected, &deal.deck_commit, "deck_commit"))
    })
}

/// `CARDS_SHOWN`: the cards of seats and dealer are those that the deck deals them.
pub(super) fn cards_shown(round: &mut RoundAudit<'_>) -> Finding {
    let mut dealer = None;
    let finding = Finding::or_skip(|| {
        let line = round.usable(round.lines.deal.as_ref(), "deal")?;
        let (close_line, close) = round.closed()?;
        let replayed =
            round.replayed.as_ref().ok_or_else(|| Finding::skipped("no deck replayed"))?;
        let deal = round.deal.as_ref().ok_or_else(|| Finding::skipped("no deal"))?;
        let game = game(round)?;
        let Ok(table) = table(round, game)? else { return Err(other_wagers()) };
        let dealt = deal_cards(game, &table, replayed)?;
        let shown: BySeat<Vec<Card>> =
            dealt.visible().map(|(seat, cards)| (seat, cards.to_vec())).collect();
        let banker = dealt.dealer();
        if shown != deal.visible {
            return Ok(Finding::failed(
                line,
                "the cards that the deck deals to the seats",
                "others",
            ));
        }
        if let SettleRecord::Settled(settled) = close
            && banker[..] != settled.dealer
        {
            let expected = "the cards that the deck deals to position 0";
            return Ok(Finding::failed(close_line, expected, "others"));
        }
        dealer = Some(banker);
        Ok(Finding::Passed)
    });
    if let (Some(replayed), Some(dealer)) = (&mut round.replayed, dealer) {
        replayed.dealer = dealer;
    }
    finding
}

/// `DEALER_SHOWN`: if the ruleset exposes the dealer's hand, the deal shows it as the house way
/// sets it. Otherwise the deal shows no card of it.
pub(super) fn dealer_shown(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| {
        let line = round.usable(round.lines.deal.as_ref(), "deal")?;
        round.closed()?;
        let replayed =
            round.replayed.as_ref().ok_or_else(|| Finding::skipped("no deck replayed"))?;
        let deal = round.deal.as_ref().ok_or_else(|| Finding::skipped("no deal"))?;
        let game = game(round)?;
        let Ok(table) = table(round, game)? else { return Err(other_wagers()) };
        let dealt = deal_cards(game, &table, replayed)?;
        let exposed = match game.ruleset.exposed_hand(&game.house_way, &dealt) {
            Ok(exposed) => exposed.as_ref().map(ExposedDealer::of),
            Err(error) => return Ok(Finding::failed(line, "a hand to expose", error.to_string())),
        };
        if deal.dealer == exposed {
            return Ok(Finding::Passed);
        }
        let (expected, found) = match (exposed.is_some(), deal.dealer.is_some()) {
            (true, true) => ("the dealer's hand as the house way sets it", "another"),
            (true, false) => ("the dealer's hand, which the ruleset exposes", "none"),
            (false, _) => ("no hand of the dealer, which the ruleset does not expose", "a hand"),
        };
        Ok(Finding::failed(line, expected, found))
    })
}

fn deal_cards(
    game: &ListedGame,
    table: &WagerTable,
    replayed: &ReplayedRound,
) -> Result<TableDeal, Finding> {
    let deck = Deck::of(&replayed.deck)
        .ok_or_else(|| Finding::skipped("the manifest lists another deck for the ruleset"))?;
    let dice = shuffle::dice(&replayed.round_seed);
    Ok(game.ruleset.deal(table, &deck, dice))
}

/// Checks the amounts that a void hands back: the stakes of the lock, and the fees of a deal (D13).
///
/// A deal only ever follows wagers that its rules take, and its fees follow from these rules.
/// Without a deal the rules are not asked: the ledger took the stakes, whatever the rules say about
/// them.
fn void_results(
    round: &RoundAudit<'_>,
    line: usize,
    voided: &VoidedRecord,
) -> Result<Finding, Finding> {
    let records = [(&round.lines.wager_lock, "lock of the wagers"), (&round.lines.deal, "deal")];
    for (record, what) in records {
        if record.is_some() {
            round.usable(record.as_ref(), what)?;
        }
    }
    let fees = round.deal.as_ref().map(|deal| &deal.fees);
    if let Some(deal) = &round.lines.deal {
        let game = game(round)?;
        match table(round, game)? {
            Err(failed) => return Ok(failed),
            Ok(table) => {
                let due = game.ruleset.fees(&table);
                if fees != Some(&due) {
                    return Ok(other_fees(deal.number, &due, fees));
                }
                // The cards are known only after the reveal of the epoch's secret.
                if let (Some(record), Some(replayed)) = (&round.deal, &round.replayed) {
                    let dealt = deal_cards(game, &table, replayed)?;
                    if let Err(failed) = final_lines(game, &table, &dealt, deal.number, record) {
                        return Ok(failed);
                    }
                }
            }
        }
    }
    let stakes = round.wager_lock.iter().flat_map(|lock| &lock.wagers);
    let expected = void_returns(stakes.map(|w| (w.seat, w.amount_minor)), fees);
    let said = |returns: &BTreeMap<Seat, i64>| amounts(returns.iter().map(|(s, a)| (*s, a)));
    let unread =
        || Some(Finding::skipped(UNREADABLE_WAGERS)).filter(|_| round.has_unreadable_wagers);
    let finding = match expected {
        Some(expected) => Finding::equal_as(line, &expected, &voided.returns, "returns", said),
        None => Finding::failed(line, "returns that fit 64 bits", said(&voided.returns)),
    };
    Ok(finding.unless_failed(unread))
}

fn other_fees(line: usize, due: &BySeat<i64>, found: Option<&BySeat<i64>>) -> Finding {
    let found = found.map_or_else(|| "none stated".to_owned(), amounts);
    Finding::failed(line, format!("fees {}", amounts(due)), found)
}

/// Checks that the lines that the deal record calls final follow from the cards.
fn final_lines(
    game: &ListedGame,
    table: &WagerTable,
    dealt: &TableDeal,
    line: usize,
    deal: &DealRecord,
) -> Result<(), Finding> {
    let lines = game
        .ruleset
        .final_lines(table, dealt)
        .map_err(|error| Finding::failed(line, "wagers that settle", error.to_string()))?;
    if final_lines_json(&lines) == deal.lines {
        return Ok(());
    }
    Err(Finding::failed(line, "the lines that the deal makes final", "others"))
}

/// `RESULTS`: fees, settings, lines and money are recomputed. For a void, the amounts that go back.
pub(super) fn results(round: &mut RoundAudit<'_>) -> Finding {
    let mut settlement = None;
    let finding = Finding::or_skip(|| {
        round.grounds()?;
        let (line, close) = round.closed()?;
        let settled = match close {
            SettleRecord::Void(voided) => return void_results(round, line, voided),
            SettleRecord::Settled(settled) => settled,
        };
        let game = game(round)?;
        let table = match table(round, game)? {
            Ok(table) => table,
            Err(failed) => return Ok(failed),
        };
        let deal_line = round.usable(round.lines.deal.as_ref(), "deal")?;
        let deal = round.deal.as_ref().ok_or_else(|| Finding::skipped("no deal"))?;
        let replayed =
            round.replayed.as_ref().ok_or_else(|| Finding::skipped("no deck replayed"))?;
        if replayed.dealer.is_empty() {
            return Err(Finding::skipped("the cards shown are not those of the deck"));
        }
        let dealt = deal_cards(game, &table, replayed)?;
        if deal.fees != dealt.fees {
            return Ok(other_fees(deal_line, &dealt.fees, Some(&deal.fees)));
        }
        if let Err(failed) = final_lines(game, &table, &dealt, deal_line, deal) {
            return Ok(failed);
        }
        for line in &round.lines.actions {
            round.usable(Some(line), "action")?;
        }
        let mut decisions = BySeat::new();
        for (line, (action, house_way)) in round.lines.actions.iter().zip(&round.actions) {
            if house_way.is_some_and(|hash| hash != game.house_way_hash) {
                let expected = "the house way of the ruleset";
                return Ok(Finding::failed(line.number, expected, "another"));
            }
            decisions.insert(action.seat, action.decision.clone());
        }
        let ours = match game.ruleset.settle(&game.house_way, &table, &dealt, &decisions) {
            Ok(settlement) => settlement,
            Err(error) => {
                return Ok(Finding::failed(line, "decisions that settle", error.to_string()));
            }
        };
        let expected = results_json(&ours, &game.house_way_hash);
        let finding = match first_difference(&expected, &settled.results) {
            None => Finding::Passed,
            Some(path) => {
                Finding::failed(line, "the results recomputed", format!("another {path}"))
            }
        };
        settlement = Some(ours);
        Ok(finding)
    });
    if let Some(replayed) = &mut round.replayed {
        replayed.settlement = settlement;
    }
    finding
}
