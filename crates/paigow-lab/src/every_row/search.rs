//! The search for rounds that pay named rows.
//!
//! A round of the derived suite follows from the secret of its epoch and its place. Anyone with
//! the secret of a development epoch can deal the first round of many tables offline, and take the
//! tables whose round is wanted. Nothing here decides a card.

use std::collections::BTreeMap;

use crate::in_parts::in_parts;
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::secret::{EpochSecret, RoundSeed};
use paigow_fairness::seed::{self, Coordinates};
use paigow_fairness::shuffle;
use paigow_round::ListedGame;
use paigow_rules::cards::{BySeat, Card, Hand, Seat};
use paigow_rules::game::{
    BetEvidence, BetSubject, BonusBet, ColourChoice, DealtHand, SetHand, WagerTable,
};

/// How many rounds are dealt before the search looks at what is still wanted. The result depends on
/// it, and on nothing that the machine has.
const BATCH: u64 = 1 << 17;

/// How many rounds are one task of a thread.
const TASK: u64 = 1 << 12;

/// A row of a pay table, by the places of its bet and of the row in the ruleset.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct RowPlace {
    pub(super) bet: usize,
    pub(super) row: usize,
}

/// The first table whose first round pays a row, and the first seat that it pays there.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct PaidPlace {
    /// The number of the table, from 1.
    pub(super) table: u64,
    pub(super) seat: Seat,
}

/// The result of a search.
#[derive(Debug)]
pub(super) struct SearchResult {
    /// The first table for each row that was found.
    pub(super) found: BTreeMap<RowPlace, PaidPlace>,
    /// The rows that no round pays.
    pub(super) missing: Vec<RowPlace>,
    /// How many rounds were dealt, one at each table from number 1 on.
    pub(super) searched: u64,
}

/// Tables under a known epoch secret.
#[derive(Clone, Debug)]
pub(super) struct TablePlaces {
    /// The epoch of their rounds.
    pub(super) epoch: u32,
    /// The tenant of their rounds.
    pub(super) tenant: Identifier,
    /// The beginning of their names.
    pub(super) prefix: String,
}

impl TablePlaces {
    /// Returns the place of the first round at a table; [`None`] if its name is too long or has a
    /// character that no name has.
    pub(super) fn first_round(&self, table: u64) -> Option<Coordinates> {
        let name = format!("{}-{table}", self.prefix);
        let (epoch, tenant) = (self.epoch, self.tenant.clone());
        Some(Coordinates { epoch, tenant, table: name.parse().ok()?, round_no: 1 })
    }
}

/// The first rounds of tables under a known epoch secret.
pub(super) struct RoundSearch<'a> {
    pub(super) game: &'a ListedGame,
    pub(super) wagers: &'a WagerTable,
    pub(super) places: &'a TablePlaces,
    pub(super) secret: &'a EpochSecret,
    pub(super) salt: &'a Hash,
    pub(super) threads: usize,
}

/// Returns the colour that a seat names on a bet that asks for one: odd seats red, even seats black.
pub(super) const fn colour_of(seat: Seat) -> ColourChoice {
    if seat.number() % 2 == 1 { ColourChoice::Red } else { ColourChoice::Black }
}

/// A bet with the rows that are looked for, and those above them.
struct WantedBet {
    place: usize,
    bet: BonusBet,
    wanted: Vec<bool>,
}

impl RoundSearch<'_> {
    /// Deals the first round of tables from number 1 on until every row was paid, or `limit` rounds were dealt.
    pub(super) fn run(&self, limit: u64) -> SearchResult {
        let bets = self.game.ruleset.bonus_bets();
        let rows = bets
            .iter()
            .enumerate()
            .flat_map(|(bet, terms)| (0..terms.rows.len()).map(move |row| RowPlace { bet, row }));
        let mut missing: Vec<RowPlace> = rows.collect();
        let mut found = BTreeMap::new();
        let mut searched = 0;
        while !missing.is_empty() && searched < limit {
            let end = (searched + BATCH).min(limit);
            for (row, paid) in self.batch(searched, end, &wanted_bets(bets, &missing)) {
                keep_first(&mut found, row, paid);
            }
            missing.retain(|row| !found.contains_key(row));
            searched = end;
        }
        SearchResult { found, missing, searched }
    }

    /// Deals the first round of the tables with the numbers `done + 1` to `end`.
    fn batch(&self, done: u64, end: u64, bets: &[WantedBet]) -> BTreeMap<RowPlace, PaidPlace> {
        let mut tasks = Vec::new();
        let mut first = done;
        while first < end {
            let last = (first + TASK).min(end);
            tasks.push((first, last));
            first = last;
        }
        let run = |&(first, last): &(u64, u64), found: &mut BTreeMap<RowPlace, PaidPlace>| {
            for table in first + 1..=last {
                if let Some(place) = self.places.first_round(table) {
                    self.judge(&self.seed(&place), table, bets, found);
                }
            }
        };
        let mut all = BTreeMap::new();
        for part in in_parts(&tasks, self.threads, BTreeMap::new, run) {
            for (row, paid) in part {
                keep_first(&mut all, row, paid);
            }
        }
        all
    }

    /// Returns the seed that the server uses at a place where no seat has a client seed.
    fn seed(&self, place: &Coordinates) -> RoundSeed {
        let server_seed = place.derived_server_seed(self.secret, self.salt);
        seed::round_seed(&server_seed, &place.round_id(), &seed::client_block([]), &[])
    }

    fn judge(
        &self,
        seed: &RoundSeed,
        table: u64,
        bets: &[WantedBet],
        found: &mut BTreeMap<RowPlace, PaidPlace>,
    ) {
        let ruleset = &self.game.ruleset;
        let dealt = ruleset.deal(self.wagers, &shuffle::full_deck(seed), shuffle::dice(seed));
        for wanted in bets {
            let alike = wanted.bet.looks_at == BetSubject::DealerHand;
            for (seat, _) in self.wagers.seats().take(if alike { 1 } else { usize::MAX }) {
                let evidence = self.evidence(&wanted.bet, seat, dealt.hands());
                let Some(row) = wanted.bet.judge(&evidence) else { continue };
                let row = wanted.bet.rows.iter().position(|other| other.id == row.id);
                let row = row.filter(|row| wanted.wanted[*row]);
                if let Some(row) = row {
                    let place = RowPlace { bet: wanted.place, row };
                    keep_first(found, place, PaidPlace { table, seat });
                }
            }
        }
    }

    /// Returns what a bet looks at; the settlement of the server has the last word.
    fn evidence(&self, bet: &BonusBet, seat: Seat, hands: &BySeat<Hand>) -> BetEvidence {
        let cards = |seat: Seat| -> &[Card] { hands.get(seat).map_or(&[], |hand| &hand[..]) };
        let dealt = |cards: &[Card]| DealtHand::of(cards, bet.joker);
        let mut evidence = BetEvidence::none();
        match bet.looks_at {
            BetSubject::SeatHand => evidence.hand = dealt(cards(seat)),
            BetSubject::DealerHand => evidence.dealer = dealt(cards(Seat::DEALER)),
            BetSubject::FirstThree => evidence.first_three = cards(seat).get(..3).and_then(dealt),
            BetSubject::SeatSetHands => {
                let set = self.game.house_way.set(cards(seat));
                evidence.set = set.map(|set| SetHand { high: set.high_value, low: set.low_value });
            }
            BetSubject::Showdown => {
                let way = &self.game.house_way;
                let dealer = cards(Seat::DEALER);
                evidence.showdown = self.game.ruleset.showdown(way, cards(seat), dealer);
            }
        }
        evidence.choice = bet.asks_colour().then(|| colour_of(seat));
        evidence
    }
}

/// Returns the bets that have missing rows. Rows below the last missing one are left out: they
/// change nothing for those above.
fn wanted_bets(bets: &[BonusBet], missing: &[RowPlace]) -> Vec<WantedBet> {
    let of_bet = |(place, bet): (usize, &BonusBet)| {
        let rows = missing.iter().filter(|row| row.bet == place).map(|row| row.row);
        let last = rows.clone().max()?;
        let mut wanted = vec![false; last + 1];
        rows.for_each(|row| wanted[row] = true);
        let mut bet = bet.clone();
        bet.rows.truncate(last + 1);
        Some(WantedBet { place, bet, wanted })
    };
    bets.iter().enumerate().filter_map(of_bet).collect()
}

/// Keeps the lower of two places.
fn keep_first(found: &mut BTreeMap<RowPlace, PaidPlace>, row: RowPlace, paid: PaidPlace) {
    let first = found.entry(row).or_insert(paid);
    *first = (*first).min(paid);
}
