//! What bets on two hands may pay where their pairs of hands are not counted.

use super::Ruleset;
use crate::game::bets::{BonusBet, Condition, LooksAt, Pays, PushCondition};
use crate::game::money::Odds;
use crate::house_way::Fault;

impl Ruleset {
    /// Returns every bet whose return hangs on pairs of hands and that pays more than is
    /// published of such a bet: even money on the base wager, 2 to 1 and 1 to 1 on Wrangler
    /// Push. Nothing if the file says `allow_player_advantage = true`.
    ///
    /// It is the bound where the pairs are not counted; where they are, their exact return
    /// decides.
    #[must_use]
    pub fn uncounted_advantage(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        if self.allow_player_advantage {
            return faults;
        }
        if !Odds::EVEN.pays_at_least(self.base.pays) {
            let message = "pays more than even money, and what that returns is not known: say \
                           allow_player_advantage = true if it is meant";
            faults.push(Fault { path: "base.pays".to_owned(), message: message.to_owned() });
        }
        for (index, bet) in self.bonus_bets.iter().enumerate() {
            if bet.id.looks_at() == Some(LooksAt::Showdown) {
                above_published(index, bet, &mut faults);
            }
        }
        faults
    }
}

fn above_published(bet_index: usize, bet: &BonusBet, faults: &mut Vec<Fault>) {
    for (index, row) in bet.rows.iter().enumerate() {
        let published = match row.condition {
            Condition::Push(PushCondition::WithThreesOrBetter) => "2/1",
            Condition::Push(PushCondition::Push) => "1/1",
            Condition::Hand(_) | Condition::ThreeCards(_) | Condition::Colour(_) => continue,
        };
        let most = Odds::parse(published).expect("odds in lowest terms");
        if !Pays::Odds(most).pays_at_least(row.pays) {
            let message = format!(
                "pays more than the published {published}, and what that returns is not known: \
                 say allow_player_advantage = true if it is meant"
            );
            faults.push(Fault { path: format!("bets[{bet_index}].rows[{index}].pays"), message });
        }
    }
}
