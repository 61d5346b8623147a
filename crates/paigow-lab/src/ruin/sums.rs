//! Sums over sessions, in whole numbers: the order of the parts does not matter.

/// The result of a session, in minor units.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct SessionResult {
    pub(super) ruined: bool,
    pub(super) rounds: i128,
    pub(super) net: i128,
    pub(super) wagered: i128,
    pub(super) uncovered: i128,
}

impl SessionResult {
    pub(super) fn add_round(&mut self, net: i64, wagered: i64, uncovered: i64) {
        self.rounds += 1;
        self.net += i128::from(net);
        self.wagered += i128::from(wagered);
        self.uncovered += i128::from(uncovered);
    }
}

/// Two amounts of each session, `of` and `by`: their sums, and those of their squares and products.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct PairSums {
    pub(super) of: i128,
    pub(super) by: i128,
    pub(super) of_squares: i128,
    pub(super) by_squares: i128,
    pub(super) products: i128,
}

impl PairSums {
    fn add_session(&mut self, of: i128, by: i128) {
        self.add(&Self { of, by, of_squares: of * of, by_squares: by * by, products: of * by });
    }

    fn add(&mut self, other: &Self) {
        self.of += other.of;
        self.by += other.by;
        self.of_squares += other.of_squares;
        self.by_squares += other.by_squares;
        self.products += other.products;
    }
}

/// The sums over all sessions.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct RuinSums {
    pub(super) sessions: u64,
    pub(super) ruined: u64,
    /// The rounds of the sessions that end in ruin.
    pub(super) rounds_to_ruin: i128,
    pub(super) net_by_round: PairSums,
    pub(super) net_by_wagered: PairSums,
    pub(super) uncovered_by_wagered: PairSums,
}

impl RuinSums {
    pub(super) fn add_session(&mut self, session: &SessionResult) {
        let SessionResult { ruined, rounds, net, wagered, uncovered } = *session;
        self.sessions += 1;
        if ruined {
            self.ruined += 1;
            self.rounds_to_ruin += rounds;
        }
        self.net_by_round.add_session(net, rounds);
        self.net_by_wagered.add_session(net, wagered);
        self.uncovered_by_wagered.add_session(uncovered, wagered);
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.sessions += other.sessions;
        self.ruined += other.ruined;
        self.rounds_to_ruin += other.rounds_to_ruin;
        self.net_by_round.add(&other.net_by_round);
        self.net_by_wagered.add(&other.net_by_wagered);
        self.uncovered_by_wagered.add(&other.uncovered_by_wagered);
    }
}
