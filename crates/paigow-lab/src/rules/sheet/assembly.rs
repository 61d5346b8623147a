//! From a ruleset and its house way to the sheet of its rules.

use super::{
    BankingSheet, BaseFigures, BaseSheet, BetSheet, BonusFigures, CategorySheet, ClauseSheet,
    CommissionSheet, CountedDeals, CurrencySheet, DealingSheet, DeckSheet, DoubleDownSheet,
    FactSheet, FeeBandSheet, FeesSheet, HandsSheet, HouseWaySheet, LimitSheet, LimitsSheet,
    MeterFigures, MinorUnits, NOT_COUNTED_EXPOSED, PayOdds, PushSheet, RowSheet, RulesFileName,
    Sheet, SheetFraction, ToOthersSheet,
};
use crate::readings;
use crate::rules::{figures, words};
use paigow_round::ListedGame;
use paigow_rules::game::{
    BetId, BetSubject, BonusBet, Commission, Coverage, DeadHands, DealDirection, DealProcedure,
    FeeSchedule, Fraction, MAX_STAKE, PayRow, RowCounts, Ruleset, StakeLimits, TableFact,
};
use paigow_rules::hands::{Category, JokerUse, Wheel};

impl Sheet {
    /// Collects the rules of a game.
    #[must_use]
    pub fn of(game: &ListedGame) -> Self {
        let ruleset = &game.ruleset;
        let bonus_bets = ruleset.bonus_bets();
        Self {
            schema: 1,
            ruleset: RulesFileName {
                id: ruleset.id().to_owned(),
                family: ruleset.family().to_owned(),
                title: ruleset.title().to_owned(),
                source: ruleset.source().to_owned(),
                hash: game.hash.to_string(),
            },
            house_way: house_way(game),
            notes: ruleset.notes().to_vec(),
            currency: ruleset.currency().map(|currency| CurrencySheet {
                code: currency.code().to_owned(),
                exponent: currency.exponent(),
            }),
            general: words::general(ruleset),
            deck: DeckSheet { cards: ruleset.cards(), words: words::deck(ruleset) },
            hands: hands(ruleset),
            dealing: dealing(ruleset),
            setting: words::setting(ruleset),
            base: base(game),
            double_down: ruleset.double_down().map(|terms| DoubleDownSheet {
                dealer_qualifies: terms.qualifying_pair.letter().to_string().repeat(2),
                words: words::double_down(terms, ruleset),
            }),
            banking: ruleset.banking().map(|terms| BankingSheet {
                bank_per_base: terms.bank_per_base,
                commission: commission(&terms.commission),
                words: words::banking(terms, ruleset),
            }),
            player_dealer: match ruleset.coverage() {
                Coverage::House => None,
                Coverage::PlayerDealer => Some(words::player_dealer(ruleset)),
            },
            fees: ruleset.fee_schedules().map(|fees| FeesSheet {
                player: bands(&fees.player),
                player_dealer: bands(&fees.player_dealer),
                words: words::fees(),
            }),
            bonus_words: if bonus_bets.is_empty() {
                Vec::new()
            } else {
                words::all_bonus_bets(ruleset)
            },
            bonus_bets: bonus_bets.iter().map(|bet| bonus_bet(bet, game)).collect(),
            limits: limits(ruleset),
            facts: facts(ruleset),
            void: words::void(),
            readings: readings::of(game),
        }
    }
}

fn house_way(game: &ListedGame) -> HouseWaySheet {
    let way = &game.house_way;
    let clause = |clause: &paigow_rules::house_way::Clause| ClauseSheet {
        id: clause.id.clone(),
        text: clause.text.clone(),
    };
    HouseWaySheet {
        id: way.id().to_owned(),
        title: way.title().to_owned(),
        source: way.source().to_owned(),
        hash: game.house_way_hash.to_string(),
        cards: way.cards(),
        clauses: way.clauses().iter().map(clause).collect(),
    }
}

fn hands(ruleset: &Ruleset) -> HandsSheet {
    let category = |category: Category| CategorySheet {
        name: category.name(),
        words: words::category(category),
    };
    let is_made = |category: &Category| {
        *category != Category::FiveOfAKind || ruleset.joker() == JokerUse::Wild
    };
    HandsSheet {
        cards: ruleset.hand_cards(),
        high: ruleset.hand_cards() - ruleset.low_cards(),
        low: ruleset.low_cards(),
        wheel: match ruleset.wheel() {
            Wheel::Second => "second",
            Wheel::Lowest => "lowest",
        },
        joker: match ruleset.joker() {
            JokerUse::SemiWild => "semi-wild",
            JokerUse::Wild => "wild",
        },
        categories: Category::ALL.into_iter().rev().filter(is_made).map(category).collect(),
        words: words::ranking(ruleset),
    }
}

fn dealing(ruleset: &Ruleset) -> DealingSheet {
    let dealing = ruleset.dealing();
    let (procedure, streets) = match &dealing.procedure {
        DealProcedure::Packets => ("packets", vec![ruleset.hand_cards()]),
        DealProcedure::Zigzag => ("zigzag", vec![ruleset.hand_cards()]),
        DealProcedure::Streets(streets) => {
            ("streets", streets.iter().map(|&street| street.into()).collect())
        }
    };
    DealingSheet {
        seats: ruleset.seats(),
        positions: ruleset.positions(),
        procedure,
        streets,
        direction: match dealing.direction {
            DealDirection::Clockwise => "clockwise",
            DealDirection::CounterClockwise => "counter-clockwise",
        },
        dice: if dealing.dice { 3 } else { 0 },
        dead_hands: match dealing.dead_hands {
            DeadHands::AllPositions => "all-positions",
            DeadHands::ActiveOnly => "active-only",
        },
        exposes_dealer: ruleset.exposes_dealer(),
        words: words::dealing(ruleset),
    }
}

fn base(game: &ListedGame) -> BaseSheet {
    let ruleset = &game.ruleset;
    let base = ruleset.base();
    BaseSheet {
        pays: PayOdds(base.pays),
        commission: base.commission.as_ref().map(commission),
        push_on_dealer: base.push.as_ref().map(|push| PushSheet {
            condition: push.condition.to_string(),
            words: words::condition(&push.condition, BetSubject::DealerHand, ruleset),
            beats_foul: push.beats_foul,
        }),
        words: words::base(ruleset),
        figures: base_figures(game),
        without_figures: ruleset.exposes_dealer().then(|| NOT_COUNTED_EXPOSED.to_owned()),
        return_by_best_play: game
            .best_play_edge()
            .and_then(|edge| Fraction::ONE.minus(edge))
            .map(SheetFraction),
    }
}

fn base_figures(game: &ListedGame) -> Option<BaseFigures> {
    let outcomes = game.base_game()?.outcomes;
    let pairs = |pairs: u128| u64::try_from(pairs).ok();
    Some(BaseFigures {
        pairs: pairs(outcomes.pairs())?,
        win: pairs(outcomes.win)?,
        push: pairs(outcomes.push)?,
        lose: pairs(outcomes.lose)?,
        return_by_house_way: SheetFraction(game.exact_return(BetId::BASE)?),
    })
}

fn commission(terms: &Commission) -> CommissionSheet {
    CommissionSheet {
        rate: PayOdds(terms.rate),
        rounding: terms.rounding,
        increment: terms.increment,
    }
}

fn bands(schedule: &FeeSchedule) -> Vec<FeeBandSheet> {
    let band = |band: &paigow_rules::game::FeeBand| FeeBandSheet {
        up_to_minor: band.up_to.map(MinorUnits),
        fee_minor: MinorUnits(band.fee),
    };
    schedule.bands().iter().map(band).collect()
}

fn bonus_bet(bet: &BonusBet, game: &ListedGame) -> BetSheet {
    let ruleset = &game.ruleset;
    let counts = game.row_counts(bet);
    let rows = bet.rows.iter().enumerate();
    BetSheet {
        bet: bet.id.to_string(),
        title: bet.title.clone(),
        needs_base: bet.needs_base,
        words: words::bonus_bet(bet, ruleset),
        rows: rows
            .map(|(place, row)| pay_row(row, place, counts.as_ref(), bet.looks_at, ruleset))
            .collect(),
        to_others: bet.to_others.as_ref().map(|terms| ToOthersSheet {
            bet: terms.bet.to_string(),
            title: terms.title.clone(),
            threshold_minor: MinorUnits(terms.threshold),
            words: words::to_others(terms, bet, ruleset),
        }),
        without_figures: counts.is_none().then(words::without_figures),
        figures: counts.and_then(|counts| exact(bet, &counts, game)),
    }
}

fn pay_row(
    row: &PayRow,
    place: usize,
    counts: Option<&RowCounts>,
    looks_at: BetSubject,
    ruleset: &Ruleset,
) -> RowSheet {
    let hands = counts.and_then(|counts| Some((*counts.rows.get(place)?, counts.total)));
    RowSheet {
        id: row.id.clone(),
        title: row.title.clone(),
        pays: row.pays.odds().map(PayOdds),
        meter_share: row.pays.meter_share().map(|share| PayOdds(share.share())),
        result: row.pays.status(),
        to_others_minor: row.to_others.map(MinorUnits),
        notify_floor: row.notify_floor,
        condition: row.condition.to_string(),
        words: words::row(row, looks_at, ruleset),
        hands: hands.map(|(hands, _)| hands),
        probability: hands.and_then(|(hands, total)| figures::probability(hands, total)),
        one_in: hands.and_then(|(hands, total)| figures::one_in(hands, total)),
    }
}

fn exact(bet: &BonusBet, counts: &RowCounts, game: &ListedGame) -> Option<BonusFigures> {
    let cards = game.ruleset.hand_cards();
    let others = game.ruleset.seats().saturating_sub(1);
    let to_others = bet.to_others.as_ref().and_then(|_| bet.exact_to_others(cards));
    let is_showdown = bet.looks_at == BetSubject::Showdown;
    let highest = bet.highest_return(cards, others).or_else(|| bet.highest_return_of(counts));
    Some(BonusFigures {
        counted: CountedDeals::of(is_showdown),
        hands: counts.total,
        losing: counts.losing,
        return_of_table: SheetFraction(game.exact_return(bet.id)?),
        meter: bet.meter_return(counts).map(|returned| MeterFigures {
            break_even_minor: SheetFraction(returned.break_even),
            long_run_return: SheetFraction(returned.in_the_long_run),
        }),
        to_others_minor: to_others.map(SheetFraction),
        highest_return: SheetFraction(highest?),
    })
}

fn limits(ruleset: &Ruleset) -> LimitsSheet {
    let limit = |bet: BetId, title: &str, limits: StakeLimits| LimitSheet {
        bet: bet.to_string(),
        title: title.to_owned(),
        minimum_minor: MinorUnits(limits.minimum),
        maximum_minor: Some(limits.maximum).filter(|most| *most < MAX_STAKE).map(MinorUnits),
    };
    let mut bets = vec![limit(BetId::BASE, "Base wager", ruleset.base().limits)];
    let bonus_bets = ruleset.bonus_bets().iter();
    bets.extend(bonus_bets.map(|bet| limit(bet.id, &bet.title, bet.limits)));
    let most = ruleset.payout_limits();
    LimitsSheet {
        bets,
        max_payout_minor: most.wager.map(MinorUnits),
        max_seat_payout_minor: most.seat.map(MinorUnits),
        max_round_payout_minor: most.round.map(MinorUnits),
        words: words::limits(ruleset),
    }
}

fn facts(ruleset: &Ruleset) -> Vec<FactSheet> {
    let (required, optional) = (ruleset.required_facts(), ruleset.optional_facts());
    let told = |fact: &TableFact| required.contains(fact) || optional.contains(fact);
    let sheet = |fact: TableFact| FactSheet {
        name: fact.name(),
        required: required.contains(&fact),
        words: words::fact(fact, ruleset),
    };
    TableFact::ALL.into_iter().filter(told).map(sheet).collect()
}
