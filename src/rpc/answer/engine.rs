//! `GetEngine`.

use super::super::{State, pb};
use super::{count, records};
use crate::engine::{ENGINE_ID, ListedGame};
use crate::fairness::encoding::Hash;
use crate::fairness::manifest::ALGO;
use crate::game::{BetId, BonusBet, Fact, Limits, Row};
use crate::house_way::HouseWay;

/// Says what this replica is and serves.
pub(in super::super) fn describe(state: &State) -> pb::GetEngineResponse {
    let engine = &state.engine;
    let open = &engine.manifests.newest().manifest;
    let games = engine.catalogue.games();
    let rulesets = games.into_iter().filter(|game| open.ruleset(&game.hash).is_some());
    let ways = engine.catalogue.house_ways();
    pb::GetEngineResponse {
        version: state.build.version.to_owned(),
        git_revision: state.build.git_revision.to_owned(),
        executable_sha256: state
            .build
            .executable_sha256
            .map_or_else(String::new, |hash| hash.to_string()),
        algorithm: ALGO.to_owned(),
        engine: ENGINE_ID.to_owned(),
        self_test_digest: state.build.self_test_digest.to_string(),
        tenant: state.tenant.to_string(),
        manifests: records(engine.manifests.all().iter().map(|signed| &signed.envelope)),
        root_keys: engine.root.keys.iter().map(|key| hex::encode(key.to_bytes())).collect(),
        root_threshold: count(engine.root.threshold),
        rulesets: rulesets.map(ruleset).collect(),
        house_ways: ways.iter().map(|(hash, way)| house_way(hash, way)).collect(),
    }
}

fn ruleset(game: &ListedGame) -> pb::Ruleset {
    let rules = &game.ruleset;
    let base = bet(BetId::Base, "Base wager", rules.base().limits, &[]);
    let bonus = |bonus: &BonusBet| bet(bonus.id, &bonus.title, bonus.limits, &bonus.rows);
    pb::Ruleset {
        id: rules.id().to_owned(),
        hash: game.hash.to_string(),
        title: rules.title().to_owned(),
        cards: count(rules.cards()),
        seats: i32::from(rules.seats()),
        bets: std::iter::once(base).chain(rules.bonus_bets().iter().map(bonus)).collect(),
        house_way: rules.house_way().id.clone(),
        house_way_hash: game.house_way_hash.to_string(),
        required_facts: names(rules.required_facts()),
        optional_facts: names(rules.optional_facts()),
        currency: rules.currency().map(pb::Currency::from),
    }
}

fn names(facts: &[Fact]) -> Vec<String> {
    facts.iter().map(|fact| fact.name().to_owned()).collect()
}

fn bet(id: BetId, title: &str, limits: Limits, rows: &[Row]) -> pb::Bet {
    let row = |row: &Row| pb::PayTableRow {
        id: row.id.clone(),
        title: row.title.clone(),
        pays: row.pays.odds().map(Into::into),
    };
    pb::Bet {
        id: id.name().to_owned(),
        title: title.to_owned(),
        minimum_minor: limits.minimum,
        maximum_minor: limits.maximum,
        rows: rows.iter().map(row).collect(),
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
