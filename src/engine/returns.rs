//! What the bets of a game return, and that none returns more than it takes.

use super::ListedGame;
use crate::exact::{self, BaseGame, Mark, Returns, ShowdownCounts};
use crate::game::{BetId, BonusBet, Counts, Fraction, Odds};
use crate::house_way::Fault;

impl ListedGame {
    /// Returns what a wager on `bet` is handed back on average per unit staked, stake
    /// included, what hands of other seats pay not included and before any rounding.
    ///
    /// Of the base wager and of bets on both hands it is that of the house way on both
    /// sides; with a double down, per unit of the base stake, doubled on the hands on which
    /// it pays. Returns nothing for a bet that the ruleset does not have or that has no
    /// wager of its own, and for bets on both hands if the pairs of hands under this house
    /// way and these rules are not among the counts that are compiled in.
    #[must_use]
    pub fn exact_return(&self, bet: BetId) -> Option<Fraction> {
        if bet.is_of_two_hands() {
            return Fraction::ONE.minus(self.two_hands(bet)?.edge()?);
        }
        self.ruleset.bonus_bet(bet)?.exact_return(self.ruleset.hand_cards())
    }

    /// Returns the variance of what [`Self::exact_return`] is the average of, per unit
    /// staked squared; nothing where that says nothing.
    #[must_use]
    pub fn exact_variance(&self, bet: BetId) -> Option<Fraction> {
        if bet.is_of_two_hands() {
            return self.two_hands(bet)?.variance();
        }
        self.ruleset.bonus_bet(bet)?.exact_variance(self.ruleset.hand_cards())
    }

    /// Returns what a bet on two hands comes to, the house way on both sides.
    fn two_hands(&self, bet: BetId) -> Option<Returns> {
        let base = self.base_game()?;
        if bet == BetId::Base {
            return Some(base.readings.first()?.returns.clone());
        }
        let bonus = self.ruleset.bonus_bet(bet)?;
        ShowdownCounts::of(bonus, &base.counts)?.returns(bonus)
    }

    /// Returns the base game, the house way on both sides, nothing where it is not counted.
    #[must_use]
    pub fn base_game(&self) -> Option<BaseGame> {
        exact::base_game(&self.ruleset, &self.house_way, &self.house_way)
    }

    /// Returns the counts of the rows of a bet on both hands, nothing for another bet or
    /// where they are not counted.
    #[must_use]
    pub fn showdown_counts(&self, bet: &BonusBet) -> Option<Counts> {
        showdown_counts(bet, &self.base_game()?)
    }

    /// Returns every bet on two hands that returns more than it takes at some stake, unless
    /// the ruleset allows it. Where no counts are compiled in and any may be, the pairs of
    /// hands are counted here, in seconds; a ruleset of which they cannot be is faulty for
    /// that.
    pub(super) fn advantages(&self) -> Vec<Fault> {
        if self.ruleset.allows_player_advantage() {
            return Vec::new();
        }
        if let Err(Fault { path, message }) = Mark::of(&self.ruleset) {
            let message = format!(
                "{message}, so that nobody knows what the base wager returns: change it, or say \
                 allow_player_advantage = true if it is meant"
            );
            return vec![Fault { path, message }];
        }
        if !self.needs_counts() {
            return Vec::new();
        }
        let Some(base) = self.base_game().or_else(|| self.counted()) else {
            let message = "has odds or a commission by which its return cannot be told".to_owned();
            return vec![Fault { path: "base.pays".to_owned(), message }];
        };
        let mut faults = Vec::new();
        let mut judge = |path: String, name: &str, returned: Option<Fraction>| {
            let message = match returned {
                Some(returned) if returned <= Fraction::ONE => return,
                Some(returned) => format!(
                    "{name} returns up to {} times the stake ({returned}) under the house way {}: \
                     more than it takes. Lower what it pays, or say allow_player_advantage = \
                     true if that is meant",
                    returned.decimal(6),
                    self.house_way.id(),
                ),
                None => format!("{name} has odds by which its return cannot be told"),
            };
            faults.push(Fault { path, message });
        };
        judge("base.pays".to_owned(), BetId::Base.name(), self.highest_base(&base));
        for (index, bet) in self.ruleset.bonus_bets().iter().enumerate() {
            if bet.id.is_of_two_hands() {
                let counts = showdown_counts(bet, &base);
                let returned = counts.and_then(|counts| bet.highest_return_of(&counts));
                judge(format!("bets[{index}].rows"), bet.id.name(), returned);
            }
        }
        faults
    }

    /// Whether a bet on two hands may return more than it takes under some house way.
    ///
    /// A base wager alone does not at even money or less: a pair of hands that wins loses
    /// when the hands change sides, both being set alike, and a copy loses on either side.
    fn needs_counts(&self) -> bool {
        let base = self.ruleset.base();
        !Odds::EVEN.pays_at_least(base.pays)
            || base.push.is_some()
            || self.ruleset.double_down().is_some()
            || self.ruleset.bonus_bets().iter().any(|bet| bet.id.is_of_two_hands())
    }

    /// Returns the base game by a count of all pairs of hands.
    fn counted(&self) -> Option<BaseGame> {
        BaseGame::of(&self.ruleset, &exact::make_counts(&self.ruleset, &self.house_way)?)
    }

    /// Returns the most that a base wager of any stake is handed back on average, per unit
    /// of it.
    fn highest_base(&self, base: &BaseGame) -> Option<Fraction> {
        let rules = self.ruleset.base();
        let own = base.readings.first()?;
        let pays = Fraction::new(rules.pays.num().into(), rules.pays.den().into())?;
        // What the reading counts a win as, and what it can come to.
        let counted = pays.times(Fraction::ONE.minus(own.commission)?)?;
        let most = rules.most_won()?;
        let pairs = i128::try_from(own.returns.pairs()).ok()?;
        let mut sum = Fraction::ONE;
        for (net, of) in own.returns.results() {
            let net = if net > Fraction::ZERO {
                // Twice as much where it is doubled.
                let times = net.times(Fraction::new(counted.den(), counted.num())?)?;
                times.times(most)?
            } else {
                net
            };
            sum = sum.plus(net.times(Fraction::new(i128::try_from(of).ok()?, pairs)?)?)?;
        }
        Some(sum)
    }
}

/// Returns the counts of the rows of a bet on both hands.
fn showdown_counts(bet: &BonusBet, base: &BaseGame) -> Option<Counts> {
    ShowdownCounts::of(bet, &base.counts)?.to_counts()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Catalogue;
    use crate::fairness::seed::house_way_hash;
    use crate::game::{self, Ruleset};
    use crate::house_way::{self, HouseWay};

    fn edited(id: &str, edits: &[(&str, &str)]) -> Ruleset {
        let shipped = game::shipped().iter().find(|ruleset| ruleset.id() == id).unwrap();
        let mut text = shipped.text().to_owned();
        for (from, to) in edits {
            assert!(text.contains(from), "{from}");
            text = text.replacen(from, to, 1);
        }
        Ruleset::parse(&text).unwrap()
    }

    fn told(ways: Vec<HouseWay>, ruleset: Ruleset) -> Vec<String> {
        match Catalogue::new(ways, vec![ruleset]) {
            Ok(_) => Vec::new(),
            Err(faults) => faults.iter().map(ToString::to_string).collect(),
        }
    }

    fn faults(id: &str, edits: &[(&str, &str)]) -> Vec<String> {
        told(house_way::shipped().to_vec(), edited(id, edits))
    }

    #[test]
    fn what_two_hands_decide_may_return_all_that_it_takes_and_no_more() {
        let down =
            ("coverage = \"player-dealer\"", "coverage = \"player-dealer\"\nrounding = \"down\"");
        let wrangler = |pays: &str| {
            let pair = |pays: &str| format!("pays = \"{pays}\"\ncondition = \"push_with");
            faults("mikes", &[(&pair("2/1"), &pair(pays)), down])
        };
        // By the counts 963,391,160,428,028 pairs push with a pair, and 2,433,915,132,264,776
        // without, of 8,250,459,031,214,400: 2 to 1 returns 94.03 %, 5 to 2 99.87 %, 3 to 1
        // 105.71 %.
        assert_eq!(wrangler("5/2"), Vec::<String>::new());
        let found = wrangler("3/1");
        assert_eq!(found.len(), 1, "{found:?}");
        let told = "mikes.bets[0].rows: wrangler_push returns up to 1.057080 times the stake";
        assert!(found[0].starts_with(told), "{found:?}");
        let base = |pays: &str| {
            faults(
                "mikes",
                &[("[base]\npays = \"1/1\"", &format!("[base]\npays = \"{pays}\"")), down],
            )
        };
        // Won are 28.773190 % and lost 30.049631 %: 26/25 returns 99.87 %, 21/20 100.16 %.
        assert_eq!(base("26/25"), Vec::<String>::new());
        let found = base("21/20");
        let told = "mikes.base.pays: base returns up to 1.001622 times the stake";
        assert!(found[0].starts_with(told), "{found:?}");
        let allowed = ("allow_player_advantage = false", "allow_player_advantage = true");
        let wide = ("[base]\npays = \"1/1\"", "[base]\npays = \"2/1\"");
        assert_eq!(faults("mikes", &[wide, allowed]), Vec::<String>::new());
    }

    #[test]
    fn a_base_game_that_cannot_be_counted_is_refused() {
        let push = "push_on_dealer = \"queen_high\"";
        let allowed = ("allow_player_advantage = false", "allow_player_advantage = true");
        for hand in ["two_pair", "three_of_a_kind", "royal_flush"] {
            let other = format!("push_on_dealer = \"{hand}\"");
            let found = faults("express", &[(push, &other)]);
            let told = "express.base.push_on_dealer: only a push on a pai gow, nine_high to \
                        ace_high, is counted";
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].starts_with(told), "{found:?}");
            assert!(found[0].ends_with("or say allow_player_advantage = true if it is meant"));
            assert_eq!(faults("express", &[(push, &other), allowed]), Vec::<String>::new());
        }
        let double = "pays = \"2/1\"";
        let bank = ("bank_per_base = 2", "bank_per_base = 4");
        let found = faults("mini", &[("pays = \"1/1\"", double), bank]);
        let told = "mini.base.pays: beside a double down only even money is counted";
        assert!(found.len() == 1 && found[0].starts_with(told), "{found:?}");
        assert_eq!(
            faults("mini", &[("pays = \"1/1\"", double), bank, allowed]),
            Vec::<String>::new()
        );
    }

    /// Mike's rules with Wrangler Push and a house way of one's own: his, which puts other
    /// cards in front wherever he puts the two highest singletons.
    fn own_way(edits: &[(&str, &str)]) -> Vec<String> {
        let shipped = |id: &str| house_way::shipped().iter().find(|way| way.id() == id).unwrap();
        let hash = |way: &HouseWay| house_way_hash(way.id(), way.text().as_bytes()).to_string();
        let chart = shipped("mikes").text().replace("\"two-highest\"", "\"second-and-third\"");
        let way = HouseWay::parse(&chart).unwrap();
        let named = (hash(shipped("mikes")), hash(&way));
        let edits = [&[(named.0.as_str(), named.1.as_str())], edits].concat();
        told(vec![way], edited("mikes", &edits))
    }

    #[test]
    fn a_house_way_of_ones_own_is_counted_before_it_is_loaded() {
        // 100,000 rounds of six seats, each settled by the engine, returned 1.0610 of each
        // stake, with a standard error of 0.0018.
        let found = own_way(&[]);
        assert_eq!(found.len(), 1, "{found:?}");
        let told = "mikes.bets[0].rows: wrangler_push returns up to 1.06";
        assert!(found[0].starts_with(told), "{found:?}");
        assert!(found[0].contains("under the house way mikes: more than it takes"), "{found:?}");
        // 11.778 % of those stakes won on the pair: 1 to 1 for it takes so much off.
        let lower =
            ("pays = \"2/1\"\ncondition = \"push_with", "pays = \"1/1\"\ncondition = \"push_with");
        assert_eq!(own_way(&[lower]), Vec::<String>::new());
        let allowed = ("allow_player_advantage = false", "allow_player_advantage = true");
        assert_eq!(own_way(&[allowed]), Vec::<String>::new());
    }

    #[test]
    fn even_money_needs_no_count() {
        let needs = |id: &str, edits: &[(&str, &str)]| {
            let game = Catalogue::shipped().game_named(id).unwrap().clone();
            ListedGame { ruleset: edited(id, edits), ..game }.needs_counts()
        };
        // A push, a double down, a bet on two hands, odds: each may favour the player.
        for (id, expected) in [
            ("online", false),
            ("mania", false),
            ("express", true),
            ("mini", true),
            ("mikes", true),
        ] {
            assert_eq!(needs(id, &[]), expected, "{id}");
        }
        let odds =
            |pays: &str| needs("online", &[("pays = \"1/1\"", &format!("pays = \"{pays}\""))]);
        assert!(odds("2/1"));
    }

    #[test]
    fn the_returns_of_all_wagers_are_known() {
        let shipped = Catalogue::shipped();
        for game in shipped.games() {
            let bonus = game.ruleset.bonus_bets().iter().map(|bet| bet.id);
            for bet in std::iter::once(BetId::Base).chain(bonus) {
                let returned = game.exact_return(bet).unwrap();
                assert!(returned < Fraction::ONE, "{} {}", game.ruleset.id(), bet.name());
            }
            assert_eq!(game.exact_return(BetId::Envy), None);
        }
        // 3 x 963,391,160,428,028 and 2 x 2,433,915,132,264,776 of all pairs.
        let mikes = shipped.game_named("mikes").unwrap();
        let back = 3 * 963_391_160_428_028 + 2 * 2_433_915_132_264_776;
        assert_eq!(
            mikes.exact_return(BetId::WranglerPush),
            Fraction::new(back, 8_250_459_031_214_400)
        );
    }
}
