//! `GetEngine`.

use super::{count, currency, fraction, records};
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::ALGO;
use paigow_proto::v1 as pb;
use paigow_round::{ENGINE_ID, ListedGame, OperatorPermit, RoundContext};
use paigow_rules::game::{BetId, BetSubject, BonusBet, PayRow, TableFact};
use paigow_rules::house_way::HouseWay;

/// What is running, as `GetEngine` states it.
#[derive(Clone, Debug)]
pub struct BuildFacts {
    /// The version of the software.
    pub version: &'static str,
    /// The commit that it was built from, or `unknown`.
    pub git_revision: &'static str,
    /// SHA-256 of the running executable, where the system lets it be read.
    pub executable_sha256: Option<Hash>,
    /// What the self-test at start has computed.
    pub self_test_digest: Hash,
}

/// How many decimal places an exact return is shown with.
const RETURN_PLACES: usize = 12;

/// What this replica is and serves, as far as that hangs on no caller.
#[derive(Debug)]
pub struct Described {
    /// Everything but the tenant and the manifests, with every ruleset of the newest one.
    common: pb::GetEngineResponse,
    /// The manifests with their sequence numbers, oldest first.
    manifests: Vec<(u64, pb::Record)>,
}

impl Described {
    /// Says it to a caller of `tenant` who may begin what `permit` lets him; of the manifests
    /// only those with a sequence number above `after`, if it is given.
    #[must_use]
    pub fn to(
        &self,
        context: &RoundContext,
        tenant: String,
        permit: &OperatorPermit,
        after: Option<u64>,
    ) -> pb::GetEngineResponse {
        let is_open = |ruleset: &pb::Ruleset| {
            let hash = ruleset.hash.parse();
            let game = hash.ok().and_then(|hash| context.catalogue.game(&hash));
            game.is_some_and(|game| permit.lets_begin(game))
        };
        let wanted =
            self.manifests.iter().filter(|(seq, _)| after.is_none_or(|after| *seq > after));
        let mut said = self.common.clone();
        said.rulesets.retain(is_open);
        said.manifests = wanted.map(|(_, record)| record.clone()).collect();
        said.tenant = tenant;
        said
    }
}

/// Works out what this replica is and serves.
pub fn describe(context: &RoundContext, build: &BuildFacts) -> Described {
    let open = &context.manifests.newest().manifest;
    let games = context.catalogue.games();
    let rulesets = games.into_iter().filter(|game| open.ruleset(&game.hash).is_some());
    let listed = |hash: &Hash| open.house_ways.iter().any(|way| way.hash == *hash);
    let ways = context.catalogue.house_ways().into_iter().filter(|(hash, _)| listed(hash));
    let chain = context.manifests.all();
    let manifests = records(chain.iter().map(|signed| &signed.envelope));
    let manifests = chain.iter().map(|signed| signed.manifest.seq).zip(manifests).collect();
    let common = pb::GetEngineResponse {
        version: build.version.to_owned(),
        git_revision: build.git_revision.to_owned(),
        executable_sha256: build
            .executable_sha256
            .map_or_else(String::new, |hash| hash.to_string()),
        algorithm: ALGO.to_owned(),
        engine: ENGINE_ID.to_owned(),
        self_test_digest: build.self_test_digest.to_string(),
        tenant: String::new(),
        manifests: Vec::new(),
        root_keys: context.root.keys.iter().map(|key| hex::encode(key.to_bytes())).collect(),
        root_threshold: count(context.root.threshold),
        rulesets: rulesets.map(ruleset).collect(),
        house_ways: ways.map(|(hash, way)| house_way(&hash, way)).collect(),
    };
    Described { common, manifests }
}

fn ruleset(game: &ListedGame) -> pb::Ruleset {
    let rules = &game.ruleset;
    let bonus = |bet: &BonusBet| bonus_bet(bet, game);
    pb::Ruleset {
        id: rules.id().to_owned(),
        hash: game.hash.to_string(),
        title: rules.title().to_owned(),
        cards: count(rules.cards()),
        seats: i32::from(rules.seats()),
        bets: std::iter::once(base_bet(game)).chain(rules.bonus_bets().iter().map(bonus)).collect(),
        house_way: rules.house_way().id.clone(),
        house_way_hash: game.house_way_hash.to_string(),
        required_facts: names(rules.required_facts()),
        optional_facts: names(rules.optional_facts()),
        currency: rules.currency().map(currency),
        family: rules.family().to_owned(),
        source: rules.source().to_owned(),
        hand_cards: count(rules.hand_cards()),
        double_down: rules.double_down().is_some(),
        player_may_bank: rules.banking().is_some(),
    }
}

fn names(facts: &[TableFact]) -> Vec<String> {
    facts.iter().map(|fact| fact.name().to_owned()).collect()
}

fn base_bet(game: &ListedGame) -> pb::Bet {
    let base = game.ruleset.base();
    pb::Bet {
        id: BetId::Base.name().to_owned(),
        title: "Base wager".to_owned(),
        minimum_minor: base.limits.minimum,
        maximum_minor: base.limits.maximum,
        exact_return: exact_return(game, BetId::Base),
        ..pb::Bet::default()
    }
}

fn bonus_bet(bet: &BonusBet, game: &ListedGame) -> pb::Bet {
    let row = |row: &PayRow| pb::PayTableRow {
        id: row.id.clone(),
        title: row.title.clone(),
        pays: row.pays.odds().map(fraction),
        others_minor: row.to_others.unwrap_or(0),
    };
    pb::Bet {
        id: bet.id.name().to_owned(),
        title: bet.title.clone(),
        minimum_minor: bet.limits.minimum,
        maximum_minor: bet.limits.maximum,
        rows: bet.rows.iter().map(row).collect(),
        needs_base: bet.needs_base,
        asks_choice: bet.id.looks_at() == Some(BetSubject::Colour),
        other_seats: bet.to_others.map(|to_others| pb::OtherSeats {
            bet: to_others.bet.name().to_owned(),
            threshold_minor: to_others.threshold,
        }),
        exact_return: exact_return(game, bet.id),
    }
}

fn exact_return(game: &ListedGame, bet: BetId) -> Option<pb::ExactReturn> {
    game.exact_return(bet).map(|fraction| pb::ExactReturn {
        num: fraction.num().to_string(),
        den: fraction.den().to_string(),
        decimal: fraction.decimal(RETURN_PLACES),
    })
}

fn house_way(hash: &Hash, way: &HouseWay) -> pb::HouseWay {
    pb::HouseWay {
        id: way.id().to_owned(),
        hash: hash.to_string(),
        title: way.title().to_owned(),
        source: way.source().to_owned(),
    }
}
