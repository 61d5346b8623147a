//! `paigow-lab ruin`: the risk of ruin of a player, the house or a player-dealer, and the return of a
//! player-dealer with a limited bank, by simulation.

mod report;
mod sums;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io::Write;
use std::ops::Range;

use self::report::RuinDocument;
use self::sums::{RuinSums, SessionResult};
use super::in_order::in_order;
use super::simulate::{in_parts, progress_bar, seeds, sheet};
use super::{CommandError, CommandOutcome};
use paigow_fairness::shuffle;
use paigow_round::ListedGame;
use paigow_rules::cards::{BySeat, Seat};
use paigow_rules::game::{
    BetId, BetLine, Coverage, Decision, MAX_BANK, Settlement, WagerSheet, WagerTable,
};

/// How many sessions a thread plays at a time.
const SESSIONS_OF_A_JOB: u64 = 16;

/// The most that all wagers of a session may add up to, in minor units. The squares of its results
/// then fit whole numbers.
const MOST_WAGERED: i128 = 1_000_000_000_000;

/// The owner of a bankroll that sessions are played with.
#[derive(Clone, Copy, Debug, Eq, PartialEq, clap::ValueEnum)]
pub enum BankrollOwner {
    /// The player at seat 1.
    Player,
    /// The house: its wins and losses as the bank, and its fees and commission.
    House,
    /// The player-dealer of a ruleset that has one. His bankroll is the bank of each round.
    PlayerDealer,
}

impl BankrollOwner {
    const fn name(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::House => "house",
            Self::PlayerDealer => "player-dealer",
        }
    }
}

/// A bet and the stake of each seat on it, in minor units.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SessionWager {
    bet: String,
    stake_minor: i64,
}

impl SessionWager {
    /// Reads `bet=minor`, as `base=2500`.
    ///
    /// # Errors
    ///
    /// If it does not have this form, or if the stake is not above 0.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wager = text.split_once('=').and_then(|(bet, stake)| {
            let stake_minor = stake.parse().ok().filter(|stake| *stake > 0)?;
            Some(Self { bet: bet.to_owned(), stake_minor })
        });
        wager.ok_or_else(|| "expected BET=MINOR, as base=2500".to_owned())
    }
}

/// The request of `paigow-lab ruin`.
#[derive(Clone, Debug)]
pub struct RuinRequest {
    /// The owner of the bankroll.
    pub of: BankrollOwner,
    /// The bankroll at the start of each session, in minor units.
    pub bankroll_minor: i64,
    /// The wagers of each seat in each round.
    pub wagers: Vec<SessionWager>,
    /// How many seats play.
    pub seats: u8,
    /// How many sessions are played.
    pub sessions: u64,
    /// How many rounds a session has at most.
    pub rounds: u64,
    /// The seed from which all round seeds follow.
    pub seed: [u8; 32],
    /// The number of threads; [`None`] is one for each processor.
    pub threads: Option<usize>,
    /// Writes JSON instead of text.
    pub json: bool,
}

/// Plays the sessions, and reports how many of them end in ruin, and the returns of the rounds.
///
/// The seed of round `r` of session `s`, both from 0, is that of round `s * rounds + r` of a
/// simulation with the same master seed.
///
/// # Errors
///
/// - The ruleset has no such seats, bets or player-dealer, or exposes the dealer's hand.
/// - The bankroll does not cover the first round.
/// - A session would wager more than 10^12 minor units.
/// - Output fails.
pub fn run(
    game: &ListedGame,
    request: &RuinRequest,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let table = SessionTable::new(game, request)?;
    let sums = play(&table, request)?;
    let document = RuinDocument::new(game, request, &sums);
    if request.json {
        let text = serde_json::to_string_pretty(&document).map_err(std::io::Error::other)?;
        writeln!(out, "{text}")?;
    } else {
        document.text(out)?;
    }
    Ok(CommandOutcome::Well)
}

/// The table at which all sessions are played.
struct SessionTable<'a> {
    game: &'a ListedGame,
    of: BankrollOwner,
    bankroll: i64,
    /// The least bankroll for which a round is played, in minor units.
    needed: i64,
    /// The wagers. If the owner is the player-dealer, the bankroll is the bank.
    sheet: WagerSheet,
    table: WagerTable,
    decisions: BySeat<Decision>,
    /// The seat of the player.
    player: Seat,
}

impl<'a> SessionTable<'a> {
    fn new(game: &'a ListedGame, request: &RuinRequest) -> Result<Self, CommandError> {
        let ruleset = &game.ruleset;
        let RuinRequest { of, bankroll_minor: bankroll, .. } = *request;
        let wrong = |what: String| Err(CommandError::Usage(what));
        if !(1..=ruleset.seats()).contains(&request.seats) {
            let seats = ruleset.seats();
            return wrong(format!(
                "--seats {}: {} has seats 1 to {seats}",
                request.seats,
                ruleset.id()
            ));
        }
        if ruleset.exposes_dealer() {
            return Err(CommandError::Data(format!(
                "{}: the deal shows the dealer's hand, and here no player looks at it: the figures \
                 would not be those of this game",
                ruleset.id()
            )));
        }
        let banked = ruleset.coverage() == Coverage::PlayerDealer;
        if of == BankrollOwner::PlayerDealer && !banked {
            return wrong(format!("--of player-dealer: {} has none", ruleset.id()));
        }
        let mut stakes = Vec::new();
        for SessionWager { bet, stake_minor } in &request.wagers {
            let known = |id: &BetId| id.name() == bet.as_str();
            let ids = ruleset.bonus_bets().iter().map(|bonus| bonus.id);
            let Some(id) = std::iter::once(BetId::BASE).chain(ids).find(known) else {
                return wrong(format!("--wager {bet}: {} has no such bet", ruleset.id()));
            };
            stakes.push((id, *stake_minor));
        }
        let of_seat: i128 = stakes.iter().map(|(_, stake)| i128::from(*stake)).sum();
        let of_session = of_seat * i128::from(request.seats) * i128::from(request.rounds);
        if of_session > MOST_WAGERED {
            return wrong(format!(
                "a session would wager {of_session} minor units; at most {MOST_WAGERED}"
            ));
        }
        let mut sheet = sheet::wagers(ruleset, request.seats, &stakes);
        if of == BankrollOwner::PlayerDealer {
            sheet.facts.bank_minor = Some(bankroll);
        }
        let table = sheet::checked(ruleset, &sheet)?;
        let needed = match of {
            BankrollOwner::Player => i64::try_from(of_seat).unwrap_or(i64::MAX),
            BankrollOwner::House | BankrollOwner::PlayerDealer => 1,
        };
        if bankroll < needed {
            return wrong(format!("--bankroll {bankroll}: a round needs {needed}"));
        }
        let decisions = sheet::house_way_decisions(request.seats, false);
        let player = Seat::players(1).next().expect("every table has a seat 1");
        Ok(Self { game, of, bankroll, needed, sheet, table, decisions, player })
    }

    /// Returns the table of a round before which the owner has this balance.
    fn with(&self, balance: i64) -> Result<Cow<'_, WagerTable>, CommandError> {
        if self.of != BankrollOwner::PlayerDealer {
            return Ok(Cow::Borrowed(&self.table));
        }
        let mut sheet = self.sheet.clone();
        sheet.facts.bank_minor = Some(balance.min(MAX_BANK));
        sheet::checked(&self.game.ruleset, &sheet).map(Cow::Owned)
    }

    /// Plays a session.
    fn session(&self, request: &RuinRequest, number: u64) -> Result<SessionResult, CommandError> {
        let ruleset = &self.game.ruleset;
        let mut result = SessionResult::default();
        let mut balance = self.bankroll;
        for round in number * request.rounds..(number + 1) * request.rounds {
            let seed = seeds::round(&request.seed, round);
            let (deck, dice) = (shuffle::full_deck(&seed), shuffle::dice(&seed));
            let table = self.with(balance)?;
            let dealt = ruleset.deal(&table, &deck, dice);
            let failed = |error| CommandError::Data(format!("round {round}: {error}"));
            let settlement = ruleset
                .settle(&self.game.house_way, &table, &dealt, &self.decisions)
                .map_err(failed)?;
            let net = self.net(&settlement);
            let lines = self.lines(&settlement);
            let (wagered, uncovered) = lines.fold((0, 0), |(wagered, uncovered), line| {
                (wagered + line.stake, uncovered + line.uncovered.unwrap_or(0))
            });
            result.add_round(net, wagered, uncovered);
            // At most 10^18 at first, and 10^12 wagered at odds of at most 9,000 to 1: it fits.
            balance += net;
            if balance < self.needed {
                result.ruined = true;
                break;
            }
        }
        Ok(result)
    }

    /// Returns the net result of the round for the owner of the bankroll.
    fn net(&self, settlement: &Settlement) -> i64 {
        let Settlement { bank, house_net, seats, .. } = settlement;
        match self.of {
            BankrollOwner::Player => seats.get(self.player).map_or(0, |seat| seat.net),
            BankrollOwner::PlayerDealer => bank.net,
            BankrollOwner::House if self.game.ruleset.coverage() == Coverage::PlayerDealer => {
                *house_net
            }
            BankrollOwner::House => bank.net + house_net,
        }
    }

    /// Returns the wagers of the figures: those of seat 1 for the player, else of all seats.
    fn lines<'s>(&self, settlement: &'s Settlement) -> impl Iterator<Item = &'s BetLine> {
        let only = (self.of == BankrollOwner::Player).then_some(self.player);
        let seats = settlement.seats.iter();
        let seats = seats.filter(move |(seat, _)| only.is_none_or(|only| only == *seat));
        seats.flat_map(|(_, seat)| &seat.lines)
    }
}

fn play(table: &SessionTable<'_>, request: &RuinRequest) -> Result<RuinSums, CommandError> {
    let threads = request.threads.unwrap_or_else(paigow_files::system::processors);
    table.game.house_way.compile_now();
    let bar = progress_bar(request.sessions, "sessions");
    let mut sums = RuinSums::default();
    in_order(
        threads,
        |mut sessions: Range<u64>| {
            sessions.try_fold(RuinSums::default(), |mut sums, number| {
                sums.add_session(&table.session(request, number)?);
                Ok(sums)
            })
        },
        |part: Result<RuinSums, CommandError>| {
            let part = part?;
            bar.inc(part.sessions);
            sums.add(&part);
            Ok::<(), CommandError>(())
        },
        |give| in_parts(0..request.sessions, SESSIONS_OF_A_JOB, give),
    )?;
    bar.finish_and_clear();
    Ok(sums)
}
