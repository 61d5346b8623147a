//! The methods that a platform reads before it opens a round: engine, manifests, rulesets, house ways.

use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{AbsentPolicy, Manifest};
use paigow_proto::v1 as pb;
use paigow_round::Catalogue;
use paigow_rules::game::{Ruleset, shipped};
use paigow_rules::house_way;
use prost::Message;
use tonic::Code;

use crate::rpc::casino::{
    Casino, EPOCH, OPEN_FROM, OPEN_UNTIL, SETTLE_UNTIL, id, key, ledger_key, root_key,
    sign_manifest, successor, witness_key,
};
use crate::rpc::desk::{Desk, ask, blamed, records, service};

/// The casino after one more manifest.
fn after(casino: &Casino, edit: impl FnOnce(&mut Manifest)) -> Casino {
    let mut manifest = successor(casino.manifest());
    edit(&mut manifest);
    let mut manifests = casino.manifests.clone();
    manifests.push(sign_manifest(&manifest));
    Casino::with_manifests(manifests)
}

/// The casino with these shipped rulesets alone.
fn with_loaded(mut casino: Casino, ids: &[&str]) -> Casino {
    let own = |ruleset: &&Ruleset| ids.contains(&ruleset.id());
    let rulesets = shipped().iter().filter(own).cloned().collect();
    casino.context.catalogue = Catalogue::new(house_way::shipped().to_vec(), rulesets).unwrap();
    casino
}

async fn engine(service: &Desk) -> pb::GetEngineResponse {
    service.get_engine(ask(pb::GetEngineRequest {})).await.unwrap().into_inner()
}

async fn rulesets(service: &Desk) -> Vec<pb::Ruleset> {
    let answer = service.list_rulesets(ask(pb::ListRulesetsRequest::default())).await.unwrap();
    assert!(answer.get_ref().next_page_token.is_empty());
    answer.into_inner().rulesets
}

async fn ruleset(service: &Desk, name: &str) -> Result<pb::Ruleset, (Code, String, Vec<String>)> {
    let request = pb::GetRulesetRequest { ruleset: name.to_owned() };
    let answer = service.get_ruleset(ask(request)).await;
    answer.map(|answer| answer.into_inner().ruleset.unwrap()).map_err(|status| blamed(&status))
}

fn hex(key: &paigow_engine::SecretKey) -> String {
    hex::encode(key.public().to_bytes())
}

#[tokio::test]
async fn the_engine_names_the_newest_manifest_and_the_terms_of_the_tenant() {
    let casino = Casino::new();
    let answer = engine(&service(&casino, "strict")).await;
    assert_eq!(answer.manifest, casino.manifest().hash().to_string());
    assert_eq!(answer.manifest_sequence, 2);
    assert_eq!((answer.root_keys, answer.root_threshold), (vec![hex(&root_key())], 1));
    assert_eq!(answer.witness_keys, [hex(&witness_key())]);
    assert_eq!(answer.ledger_keys, [hex(&ledger_key())]);
    assert_eq!(answer.pinned_tables, None);
    // The tenant `strict` of the test casino.
    let policy = answer.policy.unwrap();
    assert!(policy.lock_required && policy.chain_required);
    assert_eq!(policy.client(), pb::ClientPolicy::Committed);
    assert_eq!(policy.seat_auth(), pb::SeatAuthPolicy::Required);
    assert_eq!(policy.absent(), pb::AbsentPolicy::Off);
    assert_eq!(policy.external(), pb::ExternalPolicy::None);
    let [epoch] = &answer.open_epochs[..] else { panic!("one epoch") };
    assert_eq!(i64::from(epoch.epoch), i64::from(EPOCH));
    let window = [epoch.open_from, epoch.open_until, epoch.settle_until];
    assert_eq!(window, [OPEN_FROM, OPEN_UNTIL, SETTLE_UNTIL].map(u64::cast_signed));
    assert_eq!((epoch.suite(), epoch.salt()), (pb::EpochSuite::Derived, pb::SaltState::Published));
    assert_eq!((epoch.commit.len(), epoch.announced_sequence), (64, 1));
    assert!(answer.upcoming_epochs.is_empty());

    let dev = engine(&service(&casino, "dev")).await.policy.unwrap();
    assert!(!dev.lock_required && !dev.chain_required);
    assert_eq!(
        (dev.client(), dev.seat_auth()),
        (pb::ClientPolicy::Optional, pb::SeatAuthPolicy::Off)
    );
    let fresh = engine(&service(&Casino::fresh(), "locked")).await;
    let [epoch] = &fresh.open_epochs[..] else { panic!("one epoch") };
    assert_eq!((epoch.suite(), epoch.salt()), (pb::EpochSuite::Fresh, pb::SaltState::NotNeeded));
    assert!(epoch.commit.is_empty());
}

#[tokio::test]
async fn pinned_tables_and_other_policies_are_those_of_the_newest_manifest() {
    let casino = after(&Casino::new(), |m| {
        for tenant in &mut m.tenants {
            if tenant.tenant.as_str() == "seats" {
                tenant.policy.absent = AbsentPolicy::Optional;
            }
            tenant.tables = Some(vec![id("table-7"), id("table-9")]);
            tenant.ledger_keys.push(key(61).public());
        }
    });
    let answer = engine(&service(&casino, "seats")).await;
    assert_eq!(answer.manifest_sequence, 3);
    assert_eq!(answer.pinned_tables.unwrap().tables, ["table-7", "table-9"]);
    assert_eq!(answer.policy.unwrap().absent(), pb::AbsentPolicy::Optional);
    assert_eq!(answer.ledger_keys, [hex(&ledger_key()), hex(&key(61))]);
    // No table may play, which is not the same as any.
    let none = after(&casino, |m| m.tenants.iter_mut().for_each(|one| one.tables = Some(vec![])));
    let answer = engine(&service(&none, "seats")).await;
    assert_eq!(answer.pinned_tables, Some(pb::PinnedTables { tables: vec![] }));
    let absent = after(&casino, |m| m.tenants.retain(|one| one.tenant.as_str() == "dev"));
    let answer = engine(&service(&absent, "seats")).await;
    assert_eq!((answer.policy, answer.open_epochs.len()), (None, 0));
    assert!(answer.ledger_keys.is_empty() && answer.upcoming_epochs.is_empty());
    assert_eq!(answer.tenant, "seats");
}

#[tokio::test]
async fn an_epoch_without_its_salt_is_upcoming() {
    let casino = Casino::with_manifests(Casino::new().manifests[..1].to_vec());
    let answer = engine(&service(&casino, "locked")).await;
    assert!(answer.open_epochs.is_empty());
    let [epoch] = &answer.upcoming_epochs[..] else { panic!("one epoch") };
    assert_eq!(epoch.salt(), pb::SaltState::Awaited);
}

#[tokio::test]
async fn replicas_with_other_rules_loaded_say_the_same_of_the_engine() {
    let mut whole = engine(&service(&Casino::new(), "base")).await;
    let part = engine(&service(&with_loaded(Casino::new(), &["mikes"]), "base")).await;
    // But for the returns of what is not loaded. mikes: 1.2764 % by house way, 1.0427 % by best play.
    let returned = &part.base_returns[0];
    let decimal = |exact: &Option<pb::ExactReturn>| exact.clone().unwrap().decimal[..8].to_owned();
    assert_eq!(returned.ruleset, "mikes");
    assert_eq!(decimal(&returned.by_house_way), "0.987235");
    assert_eq!(decimal(&returned.by_best_play), "0.989573");
    assert!(part.base_returns.len() == 1 && whole.base_returns.len() > 1);
    whole.base_returns.retain(|base| base.ruleset == "mikes");
    assert_eq!(part.encode_to_vec(), whole.encode_to_vec());
}

#[tokio::test]
async fn manifests_come_page_by_page_from_any_sequence_number() {
    let casino = after(&Casino::new(), |_| {});
    let service = service(&casino, "base");
    let all = records(&casino.manifests);
    assert_eq!(all.len(), 3);
    let page = async |after_sequence, page_size| {
        let request = pb::ListManifestsRequest { after_sequence, page_size };
        let answer = service.list_manifests(ask(request)).await;
        answer.map(tonic::Response::into_inner)
    };
    for (after, size, expected, next) in [
        (0, 0, &all[..], 0),
        (1, 0, &all[1..], 0),
        (3, 0, &[][..], 0),
        (i64::MAX, 1, &[], 0),
        (0, 1, &all[..1], 1),
        (1, 1, &all[1..2], 2),
        (2, 1, &all[2..], 0),
        (0, 2, &all[..2], 2),
        (0, 3, &all[..], 0),
        (0, i32::MAX, &all[..], 0),
    ] {
        let answer = page(after, size).await.unwrap();
        assert_eq!(
            (&answer.manifests[..], answer.next_after_sequence),
            (expected, next),
            "{after}"
        );
    }
    let told =
        |field: &str| (Code::InvalidArgument, "NUMBER_RANGE".to_owned(), vec![field.to_owned()]);
    assert_eq!(blamed(&page(-1, 0).await.unwrap_err()), told("after_sequence"));
    assert_eq!(blamed(&page(0, -1).await.unwrap_err()), told("page_size"));
}

#[tokio::test]
async fn rulesets_come_page_by_page() {
    let casino = Casino::new();
    let service = service(&casino, "base");
    let all = rulesets(&service).await;
    assert_eq!(all.len(), shipped().len());
    let page = async |page_size, page_token: &str| {
        let request = pb::ListRulesetsRequest { page_size, page_token: page_token.to_owned() };
        service.list_rulesets(ask(request)).await.map(tonic::Response::into_inner)
    };
    let (mut seen, mut token) = (Vec::new(), String::new());
    loop {
        let answer = page(4, &token).await.unwrap();
        assert!(answer.rulesets.len() <= 4 && !answer.rulesets.is_empty());
        seen.extend(answer.rulesets);
        token = answer.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(seen, all);
    // A token of rules that are no longer here, and a text that is not a token.
    for token in [Hash::of(b"other rules").to_string(), "mikes".to_owned()] {
        let told = blamed(&page(0, &token).await.unwrap_err());
        let expected = vec!["page_token".to_owned()];
        assert_eq!(told, (Code::InvalidArgument, "FIELD_INVALID".to_owned(), expected), "{token}");
    }
    let told = blamed(&page(-1, "").await.unwrap_err());
    assert_eq!(told.1, "NUMBER_RANGE");
    // Far below the 4 MiB that gRPC clients take.
    let bytes = pb::ListRulesetsResponse { rulesets: all, ..Default::default() }.encoded_len();
    assert!(bytes < 200_000, "{bytes}");
}

#[tokio::test]
async fn a_ruleset_that_the_newest_manifest_dropped_is_closed_and_stays() {
    let casino = after(&Casino::new(), |m| m.rulesets.retain(|one| one.name.as_str() != "mikes"));
    let desk = service(&casino, "base");
    let all = rulesets(&desk).await;
    assert_eq!(all.len(), shipped().len());
    for one in &all {
        assert_eq!(one.open_for_new_rounds, one.id != "mikes", "{}", one.id);
    }
    let by_id = ruleset(&desk, "mikes").await.unwrap();
    assert!(!by_id.open_for_new_rounds && all.contains(&by_id));
    assert_eq!(ruleset(&desk, &by_id.hash).await.unwrap(), by_id);
    // Hands of its rounds are ranked on.
    let cards = "2c 2d 5h 9s Jc Kd Ah".split(' ').map(str::to_owned).collect();
    let evaluate = pb::EvaluateHandsRequest {
        ruleset: by_id.hash,
        hands: vec![pb::HandToEvaluate { cards, low: None }],
        all_settings: true,
    };
    let answer = desk.evaluate_hands(ask(evaluate)).await.unwrap().into_inner();
    assert_eq!(answer.hands[0].all_settings.len(), 21);
    // A tenant that the newest manifest lacks begins no round of any.
    let absent = after(&casino, |m| m.tenants.retain(|one| one.tenant.as_str() == "dev"));
    let none = rulesets(&service(&absent, "base")).await;
    assert!(none.len() == all.len() && none.iter().all(|one| !one.open_for_new_rounds));
}

#[tokio::test]
async fn a_ruleset_is_named_by_id_or_hash_or_refused() {
    let casino = with_loaded(Casino::new(), &["mikes", "mini"]);
    let desk = service(&casino, "base");
    let ids: Vec<String> = rulesets(&desk).await.into_iter().map(|one| one.id).collect();
    assert_eq!(ids, ["mikes", "mini"], "what is not loaded is not listed");
    let field = || vec!["ruleset".to_owned()];
    let missing = ruleset(&desk, "").await.unwrap_err();
    assert_eq!(missing, (Code::InvalidArgument, "FIELD_MISSING".to_owned(), field()));
    let unknown = ruleset(&desk, "nosuch").await.unwrap_err();
    assert_eq!(unknown, (Code::InvalidArgument, "RULESET".to_owned(), field()));
    let elsewhere = ruleset(&desk, "express").await.unwrap_err();
    assert_eq!(elsewhere, (Code::Unavailable, "RULESET_NOT_LOADED".to_owned(), vec![]));
    let hands = vec![pb::HandToEvaluate { cards: vec!["2c".to_owned()], low: None }];
    let ruleset = "express".to_owned();
    let evaluate = pb::EvaluateHandsRequest { ruleset, hands, all_settings: true };
    let told = blamed(&desk.evaluate_hands(ask(evaluate)).await.unwrap_err());
    assert_eq!(told, elsewhere);
}

#[tokio::test]
async fn an_id_is_the_ruleset_of_the_newest_manifest_that_lists_it() {
    let shipped_mikes = shipped().iter().find(|one| one.id() == "mikes").unwrap();
    let edited = shipped_mikes.text().replace("minimum_minor = 1000", "minimum_minor = 2000");
    let edited = Ruleset::parse(&edited).unwrap();
    let catalogue =
        Catalogue::new(house_way::shipped().to_vec(), vec![shipped_mikes.clone(), edited.clone()]);
    let catalogue = catalogue.unwrap();
    let hash_of = |minimum: i64| {
        let games = catalogue.games().into_iter();
        games
            .filter(|game| game.ruleset.base().limits.minimum == minimum)
            .map(|game| game.hash)
            .next()
    };
    let (old, new) = (hash_of(1000).unwrap(), hash_of(2000).unwrap());
    let mut casino = after(&Casino::new(), |m| {
        m.rulesets
            .iter_mut()
            .filter(|one| one.name.as_str() == "mikes")
            .for_each(|one| one.hash = new);
    });
    casino.context.catalogue = catalogue;
    let desk = service(&casino, "base");
    let listed: Vec<(String, bool)> =
        rulesets(&desk).await.into_iter().map(|one| (one.hash, one.open_for_new_rounds)).collect();
    let mut expected = vec![(old.to_string(), false), (new.to_string(), true)];
    expected.sort();
    assert_eq!(listed, expected);
    assert_eq!(ruleset(&desk, "mikes").await.unwrap().hash, new.to_string());
    assert_eq!(ruleset(&desk, &old.to_string()).await.unwrap().bets[0].minimum_minor, 1000);
}

#[tokio::test]
async fn house_ways_are_those_of_the_newest_manifest() {
    let casino = after(&Casino::new(), |m| {
        m.house_ways.retain(|way| way.name.as_str() != "foxwoods");
    });
    let answer = service(&casino, "base").list_house_ways(ask(pb::ListHouseWaysRequest {})).await;
    let ways = answer.unwrap().into_inner().house_ways;
    assert_eq!(ways.len(), house_way::shipped().len() - 1);
    assert!(ways.iter().all(|way| way.id != "foxwoods" && way.hash.len() == 64));
}

fn fact(name: pb::TableFactName, required: bool, minimum: i64, maximum: i64) -> pb::TableFact {
    pb::TableFact { name: name.into(), required, minimum, maximum }
}

/// The expected values are read from the rules of the games and their files by hand.
#[tokio::test]
async fn a_ruleset_says_what_a_screen_shows() {
    use pb::TableFactName::{
        ActionPile, BankMinor, BankerSeat, ChipMinor, TableMaxMinor, TableMinMinor,
    };
    const STAKE: i64 = 1_000_000_000_000_000;
    const BANK: i64 = 1_000_000_000_000_000_000;
    let desk = service(&Casino::new(), "base");
    let named = async |id: &str| ruleset(&desk, id).await.unwrap();
    let five_percent = |rounding: pb::Rounding, increment: pb::CommissionIncrement| {
        let rate = Some(pb::Fraction { num: 1, den: 20 });
        Some(pb::Commission { rate, rounding: rounding.into(), increment: increment.into() })
    };
    let even = Some(pb::Fraction { num: 1, den: 1 });
    let limits = || [fact(TableMaxMinor, false, 1, STAKE), fact(TableMinMinor, false, 1, STAKE)];

    let mikes = named("mikes").await;
    assert_eq!(mikes.coverage(), pb::Coverage::PlayerDealer);
    let bands = |bands: &[(Option<i64>, i64)]| -> Vec<pb::FeeBand> {
        let band = |&(up_to_minor, fee_minor)| pb::FeeBand { up_to_minor, fee_minor };
        bands.iter().map(band).collect()
    };
    let fees = mikes.fees.as_ref().unwrap();
    assert_eq!(fees.player, bands(&[(Some(20_000), 100), (None, 200)]));
    let of_dealer = [
        (Some(10_000), 100),
        (Some(20_000), 200),
        (Some(30_000), 300),
        (Some(40_000), 400),
        (None, 500),
    ];
    assert_eq!(fees.player_dealer, bands(&of_dealer));
    let own = [fact(ActionPile, true, 0, 6), fact(BankMinor, true, 1, BANK)];
    assert_eq!(mikes.facts, [own, limits()].concat());
    assert_eq!((mikes.bets[0].minimum_minor, mikes.bets[0].maximum_minor), (1000, 10_000_000));
    assert_eq!((mikes.bets[0].pays, mikes.bets[0].rounding()), (even, pb::Rounding::Down));
    assert_eq!((mikes.bets[1].pays, mikes.wheel()), (None, pb::Wheel::Second));
    assert!(mikes.commission.is_none() && mikes.push.is_none() && mikes.banking.is_none());
    let most =
        (mikes.maximum_win_minor, mikes.maximum_seat_win_minor, mikes.maximum_round_win_minor);
    assert_eq!(most, (Some(500_000_000), Some(600_000_000), Some(3_000_000_000)));
    assert_eq!(mikes.double_down, None);

    // A condition has the terms of the file, group by group.
    let asked = |condition: &Option<pb::Condition>| {
        let groups = condition.as_ref().unwrap().any_of.iter();
        groups.map(|group| group.terms.join(" ")).collect::<Vec<String>>().join(" | ")
    };
    let row = |bet: usize, row: usize| asked(&mikes.bets[bet].rows[row].condition);
    assert_eq!(row(1, 0), "push low_pair:3 | push dealer_low_pair:3");
    assert_eq!(row(2, 10), "pai_gow joker one_colour");
    let dealing = |procedure: pb::DealProcedure, street_cards: &[i32], clockwise: bool, dice| {
        let direction = if clockwise {
            pb::DealDirection::Clockwise
        } else {
            pb::DealDirection::CounterClockwise
        };
        Some(pb::Dealing {
            procedure: procedure.into(),
            street_cards: street_cards.to_vec(),
            direction: direction.into(),
            dice,
            dead_hands: pb::DeadHands::AllPositions.into(),
        })
    };
    assert_eq!(mikes.dealing, dealing(pb::DealProcedure::Zigzag, &[7], true, 3));

    let express = named("express").await;
    assert_eq!(express.dealing, dealing(pb::DealProcedure::Packets, &[7], false, 3));
    let push = express.push.as_ref().unwrap();
    assert_eq!((asked(&push.condition), push.foul_pushes), ("pai_gow highest:Q".into(), false));
    assert_eq!(express.notes, ["Some pay tables are only available in certain jurisdictions."]);
    assert_eq!((express.coverage(), express.fees), (pb::Coverage::House, None));
    assert_eq!(express.facts, limits());

    let face_up = named("face-up").await;
    assert!(face_up.exposes_dealer && !express.exposes_dealer && !mikes.exposes_dealer);
    let push = face_up.push.as_ref().unwrap();
    assert_eq!((asked(&push.condition), push.foul_pushes), ("pai_gow highest:A".into(), false));
    // The house way is counted for a player who does not see the dealer's hand. Best play uses it:
    // the edge is 1.8219 %.
    assert_eq!(face_up.bets[0].exact_return, None);
    let returned = |base: &pb::Bet| {
        let decimal = |exact: &Option<pb::ExactReturn>| exact.clone().unwrap().decimal;
        (
            decimal(&base.exact_return)[..8].to_owned(),
            decimal(&base.best_play_return)[..8].to_owned(),
        )
    };
    assert!(face_up.bets[0].best_play_return.clone().unwrap().decimal.starts_with("0.981781"));
    // 2.8123 % by house way, 2.5148 % by best play.
    assert_eq!(returned(&express.bets[0]), ("0.971876".to_owned(), "0.974851".to_owned()));
    assert!(express.bets[1..].iter().all(|bet| bet.best_play_return.is_none()));

    let mania = named("mania").await;
    let expected = five_percent(pb::Rounding::HalfUp, pb::CommissionIncrement::MinorUnit);
    assert_eq!(mania.commission, expected);
    assert_eq!(mania.dealing, dealing(pb::DealProcedure::Streets, &[3, 4], true, 3));

    let online = named("online").await;
    let expected = five_percent(pb::Rounding::Up, pb::CommissionIncrement::QuarterChip);
    assert_eq!((online.commission, online.currency), (expected, None));
    assert_eq!(online.facts, [vec![fact(ChipMinor, true, 1, STAKE)], limits().to_vec()].concat());

    let mini = named("mini").await;
    assert_eq!((mini.hand_cards, mini.seats, mini.cards), (6, 7, 53));
    assert_eq!(mini.double_down.as_ref().unwrap().qualifying_pair, "5");
    let banking = mini.banking.as_ref().unwrap();
    assert_eq!(banking.bank_per_base, 2);
    let expected = five_percent(pb::Rounding::HalfUp, pb::CommissionIncrement::MinorUnit);
    assert_eq!((banking.commission, mini.commission), (expected, None));
    let own = [fact(BankMinor, false, 1, BANK), fact(BankerSeat, false, 1, 7)];
    assert_eq!(mini.facts, [own, limits()].concat());
    // "If there is a player that has Four of a Kind or higher, notify a Floor Person".
    let told: Vec<&str> = mini.bets[1]
        .rows
        .iter()
        .filter(|row| row.notify_floor)
        .map(|row| row.id.as_str())
        .collect();
    assert_eq!(told, ["five-aces", "royal-flush", "straight-flush", "four-of-a-kind"]);
    assert_eq!(mini.notes.len(), 2);
    assert_eq!(mini.dealing, dealing(pb::DealProcedure::Packets, &[6], true, 0));
}

#[tokio::test]
async fn the_most_that_wagers_may_win_is_told_where_a_ruleset_bounds_it() {
    let text = shipped().iter().find(|one| one.id() == "mikes").unwrap().text();
    let own = text
        .replace("max_payout_minor = 500000000\n", "max_payout_minor = 2500000\n")
        .replace("max_round_payout_minor = 3000000000\n", "")
        .replace("id = \"mikes\"\nfamily", "id = \"our-mikes\"\nfamily");
    let own = Ruleset::parse(&own).unwrap_or_else(|faults| panic!("{faults:?}"));
    let catalogue = Catalogue::new(house_way::shipped().to_vec(), vec![own]).unwrap();
    let casino = Casino::with_catalogue(catalogue);
    let own = ruleset(&service(&casino, "base"), "our-mikes").await.unwrap();
    assert_eq!(own.maximum_win_minor, Some(2_500_000));
    assert_eq!(own.maximum_seat_win_minor, Some(600_000_000));
    assert_eq!(own.maximum_round_win_minor, None);
}
