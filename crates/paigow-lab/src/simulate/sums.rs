//! The sums of a simulation. They are whole numbers only, so that parts can be added in any order.

use paigow_rules::game::{BetId, BetLine, Comparison, LineStatus, Ruleset, Settlement};

/// The sums of one bet.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct BetSums {
    /// How many lines there were: wagers, or wins by the hands of others.
    pub(super) lines: u64,
    pub(super) won: u64,
    pub(super) push: u64,
    pub(super) lost: u64,
    pub(super) uncovered: u64,
    /// In minor units.
    pub(super) staked: i128,
    pub(super) returned: i128,
    /// The sum over all rounds of the square of the bet's return in the round.
    pub(super) squares: i128,
    /// The sum over all rounds of the product of the returns of each two seats in the round. Each
    /// pair of seats counts twice.
    pub(super) products: i128,
    /// The sum over all rounds of the squares of the terms of [`Self::products`].
    pub(super) product_squares: i128,
    /// How often each row occurred, in the order of the names in [`SimulatedBets`].
    pub(super) rows: Vec<u64>,
}

/// The bets of a simulation and the names of their rows, in order.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct SimulatedBets(pub(super) Vec<(BetId, Vec<String>)>);

impl SimulatedBets {
    /// Returns the bets of a ruleset: the base wager and the double down, then each bonus bet and
    /// its wins by the hands of others.
    pub(super) fn of(ruleset: &Ruleset) -> Self {
        let mut bets = vec![(BetId::BASE, nine())];
        bets.extend(ruleset.double_down().map(|_| (BetId::DOUBLE_DOWN, Vec::new())));
        for bonus in ruleset.bonus_bets() {
            let rows: Vec<String> = bonus.rows.iter().map(|row| row.id.clone()).collect();
            bets.push((bonus.id, rows.clone()));
            bets.extend(bonus.to_others.as_ref().map(|others| (others.bet, rows)));
        }
        Self(bets)
    }

    fn place(&self, bet: BetId) -> Option<usize> {
        self.0.iter().position(|(known, _)| *known == bet)
    }
}

/// The nine ways in which two hands can compare.
fn nine() -> Vec<String> {
    let words = ["win", "copy", "lose"];
    let pairs = words.iter().flat_map(|high| words.iter().map(move |low| (high, low)));
    pairs.map(|(high, low)| format!("high-{high}-low-{low}")).collect()
}

/// The place of a comparison among the [`nine`].
pub(super) const fn ninth(high: Comparison, low: Comparison) -> usize {
    const fn place(comparison: Comparison) -> usize {
        match comparison {
            Comparison::Win => 0,
            Comparison::Copy => 1,
            Comparison::Lose => 2,
        }
    }
    3 * place(high) + place(low)
}

/// The sums of all bets over some rounds.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct SimulationSums {
    pub(super) rounds: u64,
    /// In the order of [`SimulatedBets`].
    pub(super) bets: Vec<BetSums>,
}

impl SimulationSums {
    pub(super) fn of(bets: &SimulatedBets) -> Self {
        let empty = |rows: usize| BetSums { rows: vec![0; rows], ..BetSums::default() };
        Self { rounds: 0, bets: bets.0.iter().map(|(_, rows)| empty(rows.len())).collect() }
    }

    /// Adds a round.
    pub(super) fn add_round(&mut self, bets: &SimulatedBets, settlement: &Settlement) {
        self.rounds += 1;
        let mut returned = vec![0_i128; bets.0.len()];
        let mut own_squares = vec![0_i128; bets.0.len()];
        let mut of_seat = vec![0_i128; bets.0.len()];
        for seat in settlement.seats.values() {
            for line in &seat.lines {
                let Some(place) = bets.place(line.bet) else { continue };
                let (names, sums) = (&bets.0[place].1, &mut self.bets[place]);
                of_seat[place] += i128::from(line.returned);
                sums.add_line(line);
                let row = match (&line.row, line.bet, &seat.base) {
                    (None, BetId::BASE, Some(base)) => {
                        Some(ninth(base.high_result, base.low_result))
                    }
                    (row, _, _) => row.as_ref().and_then(|row| names.iter().position(|n| n == row)),
                };
                if let Some(row) = row {
                    sums.rows[row] += 1;
                }
            }
            let of_round = returned.iter_mut().zip(&mut own_squares);
            for (of_seat, (returned, squares)) in of_seat.iter_mut().zip(of_round) {
                let of_seat = std::mem::take(of_seat);
                *returned += of_seat;
                *squares += of_seat * of_seat;
            }
        }
        let of_round = returned.into_iter().zip(own_squares);
        for (sums, (returned, own_squares)) in self.bets.iter_mut().zip(of_round) {
            let product = returned * returned - own_squares;
            sums.squares += returned * returned;
            sums.products += product;
            sums.product_squares += product * product;
        }
    }

    /// Adds other rounds.
    pub(super) fn add(&mut self, other: &Self) {
        self.rounds += other.rounds;
        for (ours, theirs) in self.bets.iter_mut().zip(&other.bets) {
            ours.add(theirs);
        }
    }
}

impl BetSums {
    fn add_line(&mut self, line: &BetLine) {
        self.lines += 1;
        self.staked += i128::from(line.stake);
        self.returned += i128::from(line.returned);
        match line.status {
            LineStatus::Won => self.won += 1,
            LineStatus::Push => self.push += 1,
            LineStatus::Lost => self.lost += 1,
            LineStatus::Uncovered => self.uncovered += 1,
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.won += other.won;
        self.push += other.push;
        self.lost += other.lost;
        self.uncovered += other.uncovered;
        self.staked += other.staked;
        self.returned += other.returned;
        self.squares += other.squares;
        self.products += other.products;
        self.product_squares += other.product_squares;
        for (ours, theirs) in self.rows.iter_mut().zip(&other.rows) {
            *ours += theirs;
        }
    }
}
