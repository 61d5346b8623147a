//! `ListRulesets`, `GetRuleset` and `ListHouseWays`.

use super::engine::PageRoom;
use super::{count, currency, fraction, terms};
use crate::request::ListRulesets;
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_proto::v1 as pb;
use paigow_round::{ListedGame, OperatorPermit, Reason, Refusal, RoundContext};
use paigow_rules::game::{BetId, BonusBet, Fraction, PayRow, Titles};
use paigow_rules::house_way::HouseWay;

/// The number of decimal places of an exact return.
const RETURN_PLACES: usize = 12;

/// The rulesets of a context in the messages of the contract, computed once.
#[derive(Debug)]
pub struct DescribedRulesets {
    /// Those that any manifest lists, by id and content hash, closed for new rounds.
    all: Vec<(Hash, pb::Ruleset)>,
}

/// A caller that asks for rulesets.
#[derive(Clone, Copy, Debug)]
pub struct RulesetReader<'c> {
    /// Its tenant.
    pub tenant: &'c Identifier,
    /// The operations that the operator permits to the caller.
    pub permit: &'c OperatorPermit,
}

impl DescribedRulesets {
    /// Computes the rulesets of a context.
    #[must_use]
    pub fn of(context: &RoundContext) -> Self {
        let games = context.games_of_chain().into_iter();
        Self { all: games.map(|game| (game.hash, ruleset(game))).collect() }
    }

    /// Lists a page of the rulesets that a caller may see. `context` is that of [`Self::of`].
    ///
    /// # Errors
    ///
    /// `FIELD_INVALID` for a token that names none of them.
    pub fn list(
        &self,
        context: &RoundContext,
        reader: RulesetReader<'_>,
        request: ListRulesets,
    ) -> Result<pb::ListRulesetsResponse, Refusal> {
        let game = |hash: &Hash| context.catalogue.game(hash);
        let seen: Vec<&(Hash, pb::Ruleset)> = self
            .all
            .iter()
            .filter(|(hash, _)| game(hash).is_some_and(|game| reader.permit.allows(game)))
            .collect();
        let first = match request.after {
            None => 0,
            Some(last) => {
                let place = seen.iter().position(|(hash, _)| *hash == last);
                let unknown = || {
                    let message = "no page ends with it now: begin with the first page";
                    Refusal::at(Reason::FieldInvalid, "page_token", message)
                };
                place.ok_or_else(unknown)? + 1
            }
        };
        let rest = seen.get(first..).unwrap_or_default();
        let mut room = PageRoom::new(request.page_size);
        let len = rest.iter().take_while(|(_, ruleset)| room.takes(ruleset)).count();
        let (page, more) = rest.split_at(len);
        let last = page.last().filter(|_| !more.is_empty());
        Ok(pb::ListRulesetsResponse {
            rulesets: page.iter().map(|one| reader.shown(context, one)).collect(),
            next_page_token: last.map_or_else(String::new, |(hash, _)| hash.to_string()),
        })
    }

    /// Returns the returns of the base wagers of the newest manifest's rulesets, as far as a caller
    /// may see these rulesets. `context` is that of [`Self::of`].
    #[must_use]
    pub fn base_returns(
        &self,
        context: &RoundContext,
        reader: RulesetReader<'_>,
    ) -> Vec<pb::BaseReturn> {
        let newest = &context.manifests.newest().manifest;
        let is_seen = |hash: &Hash| {
            let game = context.catalogue.game(hash);
            newest.ruleset(hash).is_some() && game.is_some_and(|game| reader.permit.allows(game))
        };
        let seen = self.all.iter().filter(|(hash, _)| is_seen(hash));
        let of = |(_, ruleset): &(Hash, pb::Ruleset)| {
            let base = ruleset.bets.first();
            pb::BaseReturn {
                ruleset: ruleset.id.clone(),
                ruleset_hash: ruleset.hash.clone(),
                by_house_way: base.and_then(|base| base.exact_return.clone()),
                by_best_play: base.and_then(|base| base.best_play_return.clone()),
            }
        };
        seen.map(of).collect()
    }

    /// Returns a ruleset by its id or content hash. `context` is that of [`Self::of`].
    ///
    /// # Errors
    ///
    /// `RULESET` or `RULESET_NOT_LOADED`.
    pub fn get(
        &self,
        context: &RoundContext,
        reader: RulesetReader<'_>,
        name: &str,
    ) -> Result<pb::GetRulesetResponse, Refusal> {
        let game = context.game_of_chain(name).map_err(|fault| fault.refusal())?;
        let found = self.all.iter().find(|(hash, _)| *hash == game.hash);
        Ok(pb::GetRulesetResponse { ruleset: found.map(|one| reader.shown(context, one)) })
    }
}

impl RulesetReader<'_> {
    /// Returns a ruleset as this caller may use it.
    fn shown(self, context: &RoundContext, (hash, ruleset): &(Hash, pb::Ruleset)) -> pb::Ruleset {
        let may_begin = |game: &ListedGame| {
            context.is_listed_for(self.tenant, game) && self.permit.lets_begin(game)
        };
        let open_for_new_rounds = context.catalogue.game(hash).is_some_and(may_begin);
        pb::Ruleset { open_for_new_rounds, ..ruleset.clone() }
    }
}

/// Lists the house ways that can set hands.
#[must_use]
pub fn house_ways(context: &RoundContext) -> pb::ListHouseWaysResponse {
    let newest = &context.manifests.newest().manifest;
    let listed = |hash: &Hash| newest.house_ways.iter().any(|way| way.hash == *hash);
    let ways = context.catalogue.house_ways().into_iter().filter(|(hash, _)| listed(hash));
    let written = ways.map(|(hash, way)| house_way(&hash, way)).collect();
    pb::ListHouseWaysResponse { house_ways: written }
}

fn ruleset(game: &ListedGame) -> pb::Ruleset {
    let rules = &game.ruleset;
    let bonus = |bet: &BonusBet| bonus_bet(bet, game);
    pb::Ruleset {
        id: rules.id().to_owned(),
        hash: game.hash.to_string(),
        title: rules.title().to_owned(),
        family: rules.family().to_owned(),
        source: rules.source().to_owned(),
        notes: rules.notes().to_vec(),
        open_for_new_rounds: false,
        currency: rules.currency().map(currency),
        cards: count(rules.cards()),
        hand_cards: count(rules.hand_cards()),
        wheel: terms::wheel(rules.wheel()).into(),
        joker: terms::joker(rules.joker()).into(),
        seats: i32::from(rules.seats()),
        bets: std::iter::once(base_bet(game)).chain(rules.bonus_bets().iter().map(bonus)).collect(),
        house_way: rules.house_way().id.clone(),
        house_way_hash: game.house_way_hash.to_string(),
        coverage: terms::coverage(rules.coverage()).into(),
        exposes_dealer: rules.exposes_dealer(),
        commission: rules.base().commission.as_ref().map(terms::commission),
        push: rules.base().push.as_ref().map(terms::push_rule),
        double_down: rules.double_down().map(terms::double_down),
        banking: rules.banking().map(terms::banking),
        fees: rules.fee_schedules().map(terms::fees),
        maximum_win_minor: rules.payout_limits().wager,
        maximum_seat_win_minor: rules.payout_limits().seat,
        maximum_round_win_minor: rules.payout_limits().round,
        facts: terms::table_facts(rules),
        dealing: Some(terms::dealing(rules)),
    }
}

fn base_bet(game: &ListedGame) -> pb::Bet {
    let base = game.ruleset.base();
    pb::Bet {
        id: BetId::BASE.name().to_owned(),
        title: "Base wager".to_owned(),
        minimum_minor: base.limits.minimum,
        maximum_minor: base.limits.maximum,
        pays: Some(fraction(base.pays)),
        rounding: terms::rounding(base.rounding).into(),
        exact_return: game.exact_return(BetId::BASE).map(exact_return),
        best_play_return: game.best_play_return().map(exact_return),
        ..pb::Bet::default()
    }
}

fn bonus_bet(bet: &BonusBet, game: &ListedGame) -> pb::Bet {
    let row = |row: &PayRow| pb::PayTableRow {
        id: row.id.clone(),
        title: row.title.clone(),
        pays: row.pays.odds().map(fraction),
        others_minor: row.to_others.unwrap_or(0),
        titles: translated(&row.titles),
        condition: Some(terms::condition(&row.condition)),
        notify_floor: row.notify_floor,
        meter_share: row.pays.meter_share().map(|share| fraction(share.share())),
    };
    pb::Bet {
        id: bet.id.name().to_owned(),
        title: bet.title.clone(),
        minimum_minor: bet.limits.minimum,
        maximum_minor: bet.limits.maximum,
        pays: None,
        rounding: terms::rounding(bet.rounding).into(),
        rows: bet.rows.iter().map(row).collect(),
        needs_base: bet.needs_base,
        asks_choice: bet.asks_colour(),
        other_seats: bet.to_others.as_ref().map(|to_others| pb::OtherSeats {
            bet: to_others.bet.to_string(),
            threshold_minor: to_others.threshold,
            title: to_others.title.clone(),
            titles: translated(&to_others.titles),
        }),
        exact_return: game.exact_return(bet.id).map(exact_return),
        best_play_return: None,
        meter: bet.meter.map(|meter| pb::Meter {
            seed_minor: meter.seed,
            contribution: Some(fraction(meter.contribution)),
        }),
        looks_at: terms::bet_subject(bet.looks_at).into(),
        titles: translated(&bet.titles),
    }
}

/// Writes a title in other languages, by language tag.
fn translated(titles: &Titles) -> Vec<pb::TranslatedTitle> {
    let written = titles.iter().map(|(language, title)| pb::TranslatedTitle {
        language: language.clone(),
        title: title.clone(),
    });
    written.collect()
}

/// Writes the return of a bet per unit of its stake.
pub(super) fn exact_return(returned: Fraction) -> pb::ExactReturn {
    pb::ExactReturn {
        num: returned.num().to_string(),
        den: returned.den().to_string(),
        decimal: returned.decimal(RETURN_PLACES),
    }
}

fn house_way(hash: &Hash, way: &HouseWay) -> pb::HouseWay {
    pb::HouseWay {
        id: way.id().to_owned(),
        hash: hash.to_string(),
        title: way.title().to_owned(),
        source: way.source().to_owned(),
    }
}
