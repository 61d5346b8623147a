//! Wagers and decisions of imagined players: varied, and the same every time.

use paigow_proto::v1 as pb;
use paigow_rules::cards::{Card, codes};
use paigow_rules::hands::{HighHand, JokerUse, LowHand, Ranking, Wheel, is_foul};

/// The increment of SplitMix64: 2^64 over the golden ratio, odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream of numbers for one round, by SplitMix64 (Steele, Lea, Flood 2014). Cards and dice never
/// come from it.
pub(super) struct PlayerChoices(u64);

impl PlayerChoices {
    /// The choices of a round. Those of round `n` do not depend on the rounds that were played
    /// before.
    pub(super) fn of_round(seed: u64, round_no: u64) -> Self {
        let start = Self(seed).next();
        Self(start ^ Self(round_no).next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `bound`. The slight bias does not matter for a choice.
    fn below(&mut self, bound: u32) -> i32 {
        let number = self.next() % u64::from(bound.max(1));
        i32::try_from(number).unwrap_or(i32::MAX)
    }

    fn one_in(&mut self, count: u32) -> bool {
        self.below(count) == 0
    }

    /// Makes a sheet for a ruleset.
    ///
    /// About half of the seats have a base wager of one to ten times the least, and half of the
    /// bonus bets beside it. The sheet has the required table facts. If a player may bank, one does
    /// so now and then.
    pub(super) fn sheet(&mut self, ruleset: &pb::Ruleset) -> pb::WagerSheet {
        let seats = u32::try_from(ruleset.seats).unwrap_or(1);
        let mut taken: Vec<i32> = (1..=ruleset.seats).filter(|_| self.one_in(2)).collect();
        if taken.is_empty() {
            taken.push(1 + self.below(seats));
        }
        let least = ruleset.bets.first().map_or(1, |base| base.minimum_minor);
        // A game without a minimum of its own is played for hundreds of minor units.
        let unit = if least > 1 { least } else { 100 };
        // Wagers are multiples of it, whether or not the game needs a chip.
        let chip = (unit / 10).max(1);
        let mut wagers = Vec::new();
        for seat in &taken {
            for (place, bet) in ruleset.bets.iter().enumerate() {
                let is_base = place == 0;
                if !is_base && self.one_in(2) {
                    continue;
                }
                let steps = i64::from(1 + self.below(if is_base { 10 } else { 5 }));
                let step = if is_base { unit } else { chip };
                let amount_minor = (step * steps).max(bet.minimum_minor).min(bet.maximum_minor);
                let choice = match (bet.asks_choice, bet.asks_choice && self.one_in(2)) {
                    (true, true) => pb::Choice::Red,
                    (true, false) => pb::Choice::Black,
                    (false, _) => pb::Choice::Unspecified,
                };
                wagers.push(pb::Wager {
                    seat: *seat,
                    bet: bet.id.clone(),
                    amount_minor,
                    choice: choice.into(),
                    client_seed: String::new(),
                });
            }
        }
        let currency = ruleset
            .currency
            .clone()
            .unwrap_or_else(|| pb::Currency { code: "USD".to_owned(), exponent: 2 });
        let mut sheet =
            pb::WagerSheet { currency: Some(currency), wagers, ..pb::WagerSheet::default() };
        for fact in ruleset.facts.iter().filter(|fact| fact.required) {
            match fact.name() {
                pb::TableFactName::ActionPile => sheet.action_pile = Some(self.below(7)),
                // Now and then it is less than the possible wins, so that coverage is exercised.
                pb::TableFactName::BankMinor => {
                    sheet.bank_minor = Some(unit * i64::from(10 + self.below(90)));
                }
                pb::TableFactName::BankerSeat => sheet.banker_seat = Some(1 + self.below(seats)),
                pb::TableFactName::ChipMinor => sheet.chip_minor = Some(chip),
                // The seed, or up to twice as much.
                pb::TableFactName::MeterMinor => {
                    sheet.meter_minor =
                        Some(fact.minimum + fact.minimum / 100 * i64::from(self.below(100)));
                }
                pb::TableFactName::TableMinMinor => sheet.table_min_minor = Some(unit),
                pb::TableFactName::TableMaxMinor => sheet.table_max_minor = Some(unit * 1000),
                // A fact of a later server, whose error names the missing fact.
                pb::TableFactName::Unspecified => {}
            }
        }
        if ruleset.banking.is_some() && self.one_in(3) {
            let place = self.below(u32::try_from(taken.len()).unwrap_or(1));
            sheet.banker_seat =
                usize::try_from(place).ok().and_then(|place| taken.get(place)).copied();
            // Enough for every seat: ten units each, doubled.
            sheet.bank_minor = Some(unit * 20 * i64::from(ruleset.seats));
        }
        sheet
    }

    /// Decides for every hand with a base wager. Two of three seats play the house way. The others
    /// put cards of their own choice in front, never foul. If a seat may double its wager, one of
    /// three does. A banker's hand is set by the house way.
    pub(super) fn decisions(
        &mut self,
        ruleset: &pb::Ruleset,
        sheet: &pb::WagerSheet,
        deal: &pb::DealResponse,
    ) -> Vec<pb::Decision> {
        let has_base = |hand: &&pb::DealtHand| {
            sheet.wagers.iter().any(|wager| wager.seat == hand.seat && wager.bet == "base")
        };
        let joker = match ruleset.joker() {
            pb::JokerUse::Wild => JokerUse::Wild,
            pb::JokerUse::SemiWild | pb::JokerUse::Unspecified => JokerUse::SemiWild,
        };
        // The rank of A-2-3-4-5 does not make a setting foul.
        let ranking = Ranking { wheel: Wheel::Second, joker };
        let mut decide = |hand: &pb::DealtHand| {
            let banks = sheet.banker_seat == Some(hand.seat);
            let own = if self.one_in(3) && !banks { self.low(&hand.cards, ranking) } else { None };
            let setting = match own {
                Some(cards) => pb::decision::Setting::Low(pb::LowHand { cards }),
                None => pb::decision::Setting::HouseWay(true),
            };
            let double_down = ruleset.double_down.is_some() && self.one_in(3);
            pb::Decision { seat: hand.seat, setting: Some(setting), double_down }
        };
        deal.hands.iter().filter(has_base).map(&mut decide).collect()
    }

    /// Returns one card of six, or two of seven, that may go in front.
    fn low(&mut self, hand: &[String], ranking: Ranking) -> Option<Vec<String>> {
        let cards: Vec<Card> = hand.iter().filter_map(|code| code.parse().ok()).collect();
        let count = cards.len();
        let fronts: Vec<Vec<Card>> = match count {
            6 => cards.iter().map(|card| vec![*card]).collect(),
            7 => (0..7)
                .flat_map(|i| (i + 1..7).map(move |j| (i, j)))
                .map(|(i, j)| vec![cards[i], cards[j]])
                .collect(),
            _ => return None,
        };
        let first = usize::try_from(self.below(u32::try_from(fronts.len()).ok()?)).unwrap_or(0);
        fronts.iter().cycle().skip(first).take(fronts.len()).find_map(|low| {
            let behind: Vec<Card> =
                cards.iter().copied().filter(|card| !low.contains(card)).collect();
            let high: [Card; 5] = behind.try_into().ok()?;
            let foul = is_foul(LowHand::of_cards(low, ranking)?, HighHand::of(&high, ranking));
            let texts = || codes(low).split(' ').map(str::to_owned).collect();
            (!foul).then(texts)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        // The published outputs for the seed 1234567 (rosettacode.org, SplitMix64).
        let mut numbers = PlayerChoices(1_234_567);
        for expected in [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ] {
            assert_eq!(numbers.next(), expected);
        }
    }

    #[test]
    fn a_round_has_the_same_choices_whichever_were_before() {
        let first = |seed, round| PlayerChoices::of_round(seed, round).next();
        assert_eq!(first(7, 100), first(7, 100));
        assert_ne!(first(7, 100), first(7, 101));
        assert_ne!(first(7, 100), first(8, 100));
    }

    #[test]
    fn cards_of_ones_own_choice_are_never_foul() {
        // One pair: in front of the rest it would be foul.
        let hand = ["2c", "2d", "5h", "9s", "Jc", "Kd", "Ah"].map(str::to_owned);
        for seed in 0..200 {
            let low = PlayerChoices(seed).low(&hand, Wheel::Second.into()).unwrap();
            assert_ne!(low, ["2c", "2d"]);
        }
        assert_eq!(
            PlayerChoices(0).low(&hand[..6], Wheel::Second.into()).map(|low| low.len()),
            Some(1)
        );
        assert_eq!(PlayerChoices(0).low(&hand[..5], Wheel::Second.into()), None);
    }
}
