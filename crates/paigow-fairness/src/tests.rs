//! Tests every case of `tests/vectors/fairness.json`, and the example of hashes and signatures.

use std::collections::BTreeMap;

use serde_json::Value;

use super::beacon::BeaconRound;
use super::encoding::{Hash, Identifier, enc};
use super::record::RecordEnvelope;
use super::secret::{EpochSecret, RoundSeed, ServerSeed};
use super::seed::{self, Coordinates};
use super::signature::PublicKey;
use super::{shuffle, transcript};
use key::SecretKey;
use paigow_rules::cards::{Card, Seat, codes};

pub(crate) mod key;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../../tests/vectors/fairness.json")).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(text(value)).unwrap()
}

fn array<const N: usize>(value: &Value) -> [u8; N] {
    bytes(value).try_into().unwrap()
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect()
}

fn card_numbers(deck: &[Card]) -> Vec<u64> {
    deck.iter().map(|card| u64::from(card.number())).collect()
}

#[test]
fn tuples_are_encoded_as_published() {
    let vectors = vectors();
    for case in vectors["enc"].as_array().unwrap() {
        let fields: Vec<Vec<u8>> = case["fields"].as_array().unwrap().iter().map(bytes).collect();
        let fields: Vec<&[u8]> = fields.iter().map(Vec::as_slice).collect();
        assert_eq!(hex::encode(enc(text(&case["label"]), &fields)), text(&case["out"]));
    }
    let drand = &vectors["epoch_salt_drand"];
    let named = BeaconRound {
        chain: Hash::from_bytes(array(&drand["chain"])),
        round: text(&drand["round"]).parse().unwrap(),
    };
    let salt = seed::epoch_salt_drand(&named, &array(&drand["signature"]));
    assert_eq!(salt.to_string(), text(&drand["out"]));
}

#[test]
fn integers_are_drawn_as_published() {
    for case in vectors()["uniform"].as_array().unwrap() {
        let words: Vec<u32> =
            numbers(&case["words"]).into_iter().map(|w| u32::try_from(w).unwrap()).collect();
        let bound = case["m"].as_u64().unwrap();
        let (value, used) = shuffle::tests::scripted_uniform(&words, bound);
        assert_eq!(Some(value), case["value"].as_u64(), "{case}");
        assert_eq!(Some(used as u64), case["words_used"].as_u64(), "{case}");
    }
}

#[test]
fn raw_round_seeds_replay_as_published() {
    for case in vectors()["lab_replay"].as_array().unwrap() {
        let seed = RoundSeed::new(array(&case["round_seed"]));
        assert_eq!(card_numbers(&shuffle::deck(&seed, 53)), numbers(&case["deck"]));
        assert_eq!(shuffle::dice(&seed).map(u64::from).to_vec(), numbers(&case["dice"]));
    }
}

#[test]
fn whole_rounds_replay_as_published() {
    let vectors = vectors();
    let rounds = vectors["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 11);
    for case in rounds {
        let (given, out) = (&case["in"], &case["out"]);
        let identifier = |key: &str| text(&given[key]).parse::<Identifier>().unwrap();
        let hash = |value: &Value| text(value).parse::<Hash>().unwrap();
        let coordinates = Coordinates {
            epoch: u32::try_from(given["epoch"].as_u64().unwrap()).unwrap(),
            tenant: identifier("tenant"),
            table: identifier("table"),
            round_no: text(&given["round_no"]).parse().unwrap(),
        };
        let round_id = coordinates.round_id();
        assert_eq!(round_id, hash(&out["round_id"]));
        let server_seed = if text(&given["suite"]) == "derived" {
            let secret = EpochSecret::new(array(&given["epoch_secret"]));
            let salt = hash(&given["epoch_salt"]);
            assert_eq!(seed::epoch_commit(coordinates.epoch, &secret), hash(&out["epoch_commit"]));
            assert_eq!(
                hex::encode(coordinates.server_seed_info(&salt)),
                text(&out["server_seed_info"])
            );
            coordinates.derived_server_seed(&secret, &salt)
        } else {
            ServerSeed::new(array(&given["server_seed"]))
        };
        assert_eq!(hex::encode(server_seed.expose()), text(&out["server_seed"]));
        let commit = seed::round_commit(
            &server_seed,
            &round_id,
            &hash(&given["ruleset_hash"]),
            &identifier("engine"),
        );
        assert_eq!(commit, hash(&out["commit"]));
        let seeds: BTreeMap<Seat, Vec<u8>> = given["client_seeds"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(seat, seed)| (Seat::new(seat.parse().unwrap()).unwrap(), bytes(seed)))
            .collect();
        for (seat, client_seed) in &seeds {
            assert!(seed::is_client_seed(client_seed));
            let commit = seed::client_commit(&round_id, *seat, client_seed);
            assert_eq!(commit, hash(&out["client_commits"][seat.to_string()]));
        }
        let block = seed::client_block(&seeds);
        assert_eq!(hex::encode(&block), text(&out["client_block"]));
        let round_seed =
            seed::round_seed(&server_seed, &round_id, &block, &bytes(&given["external"]));
        assert_eq!(hex::encode(round_seed.expose()), text(&out["round_seed"]));
        let cards = usize::try_from(given["cards"].as_u64().unwrap()).unwrap();
        let deck = shuffle::deck(&round_seed, cards);
        assert_eq!(card_numbers(&deck), numbers(&out["deck"]), "{}", case["title"]);
        assert_eq!(codes(&deck), text(&out["deck_cards"]));
        assert_eq!(seed::deck_commit(&round_seed, &deck), hash(&out["deck_commit"]));
        assert_eq!(shuffle::dice(&round_seed).map(u64::from).to_vec(), numbers(&out["dice"]));
    }
}

#[test]
fn records_hash_and_sign_as_published() {
    let vectors = vectors();
    let receipt = &vectors["receipt"];
    let key = SecretKey::from_bytes(&array(&receipt["secret_key"]));
    assert_eq!(key.public().to_string(), text(&receipt["public_key"]));
    assert_eq!(key.public().kid(), text(&receipt["kid"]));

    let example = include_bytes!("../../../tests/vectors/transcript-example.jsonl");
    let records = transcript::parse(example).unwrap();
    assert_eq!(transcript::write(&records).as_bytes(), example, "the lines are canonical");
    let hashes: Vec<String> = records.iter().map(|r| r.hash().to_string()).collect();
    let leaves: Vec<String> = records.iter().map(|r| r.log_leaf().to_string()).collect();
    let published = |key: &str| -> Vec<String> {
        receipt[key].as_array().unwrap().iter().map(|h| text(h).to_owned()).collect()
    };
    assert_eq!(hashes, published("record_hashes"));
    assert_eq!(leaves, published("log_leaves"));

    let root =
        PublicKey::from_hex("c69f9bc0a8090f7c2c6e5e4cff53c93e3e22d50ec49108d5cc49ed82f4f6709f")
            .unwrap();
    assert!(records[0].all_verify(&[root]));
    for (i, by_engine) in [(1, true), (2, false), (3, true), (4, false), (7, true), (8, true)] {
        assert_eq!(records[i].all_verify(&[key.public()]), by_engine, "record {i}");
        // The engine's own payloads have the same bytes when they are written and signed again.
        if by_engine {
            let again =
                RecordEnvelope::seal(records[i].kind(), &records[i].json().unwrap(), &[&key]);
            assert_eq!(again, records[i]);
        }
    }
}
