//! `seeds.jsonl` and `shuffle.jsonl`: seeds, commitments, words, decks and dice.

use std::collections::BTreeMap;

use paigow_fairness::encoding::Hash;
use paigow_fairness::merkle::{leaf_hash, tree_hash};
use paigow_fairness::secret::{EpochSecret, RoundSeed, ServerSeed};
use paigow_fairness::seed::{
    Coordinates, client_block, client_commit, deck_commit, epoch_commit, epoch_salt_party,
    house_way_hash, round_commit, round_seed, ruleset_hash,
};
use paigow_fairness::shuffle;
use paigow_fairness::signature::PublicKey;
use paigow_fairness::vrf::{PROOF_LEN, VrfProof};
use paigow_rules::{game, house_way};
use serde_json::{Value, json};

use super::{array, confirm, number, numbers, seat, text};

fn hash(input: &Value, member: &str) -> Hash {
    Hash::from_bytes(array(input, member))
}

fn round(input: &Value) -> Value {
    let coordinates = Coordinates {
        epoch: number(&input["epoch"]),
        tenant: text(input, "tenant").parse().unwrap(),
        table: text(input, "table").parse().unwrap(),
        round_no: text(input, "round_no").parse().unwrap(),
    };
    let id = coordinates.round_id();
    let server_seed = match text(input, "suite") {
        "derived" => {
            let secret = EpochSecret::new(array(input, "epoch_secret"));
            coordinates.derived_server_seed(&secret, &hash(input, "epoch_salt"))
        }
        "vrf" => {
            let key = PublicKey::from_hex(text(input, "vrf_key")).unwrap();
            let proof = VrfProof::from_bytes(array(input, "seed_proof"));
            let salt = hash(input, "epoch_salt");
            coordinates.proven_server_seed(&key, &salt, &proof).unwrap()
        }
        _ => ServerSeed::new(array(input, "server_seed")),
    };
    let engine = text(input, "engine").parse().unwrap();
    let commit = round_commit(&server_seed, &id, &hash(input, "ruleset_hash"), &engine);
    let seeds = input["client_seeds"].as_object().unwrap().iter();
    let seeds: BTreeMap<_, _> = seeds
        .map(|(number, seed)| (seat(number), hex::decode(seed.as_str().unwrap()).unwrap()))
        .collect();
    let commits: serde_json::Map<_, _> = seeds
        .iter()
        .map(|(seat, seed)| (seat.to_string(), client_commit(&id, *seat, seed).to_hex().into()))
        .collect();
    let key = round_seed(&server_seed, &id, &client_block(&seeds), &[]);
    json!({
        "round_id": id.to_hex(),
        "server_seed": hex::encode(server_seed.expose()),
        "commit": commit.to_hex(),
        "client_commits": commits,
        "round_seed": hex::encode(key.expose()),
    })
}

/// The hash of a rule file as it is shipped, from its bytes.
fn rules_hash(kind: &str, id: &str) -> Hash {
    if kind == "ruleset" {
        let found = game::shipped().iter().find(|ruleset| ruleset.id() == id).unwrap();
        return ruleset_hash(id, found.text().as_bytes());
    }
    let found = house_way::shipped().iter().find(|way| way.id() == id).unwrap();
    house_way_hash(id, found.text().as_bytes())
}

fn of_seeds(op: &str, input: &Value) -> Value {
    match op {
        "round" => round(input),
        "epoch_commit" => {
            let secret = EpochSecret::new(array(input, "secret"));
            json!({ "commit": epoch_commit(number(&input["epoch"]), &secret).to_hex() })
        }
        "epoch_salt" => {
            let salt = epoch_salt_party(&array(input, "public"), &array(input, "value"));
            json!({ "salt": salt.to_hex() })
        }
        "vrf" => {
            let key = PublicKey::from_hex(text(input, "public")).ok();
            let proof: Option<[u8; PROOF_LEN]> =
                hex::decode(text(input, "proof")).unwrap().try_into().ok();
            let alpha = hex::decode(text(input, "alpha")).unwrap();
            let proven = key
                .zip(proof)
                .and_then(|(key, proof)| VrfProof::from_bytes(proof).verify(&key, &alpha));
            match proven {
                Some(beta) => json!({ "valid": true, "beta": hex::encode(beta.expose()) }),
                None => json!({ "valid": false }),
            }
        }
        "merkle" => {
            let leaves = input["leaves"].as_array().unwrap().iter();
            let leaves: Vec<Hash> = leaves
                .map(|leaf| leaf_hash(&hex::decode(leaf.as_str().unwrap()).unwrap()))
                .collect();
            json!({ "root": tree_hash(&leaves).unwrap().to_hex() })
        }
        "rules_hash" => {
            json!({ "hash": rules_hash(text(input, "kind"), text(input, "id")).to_hex() })
        }
        other => panic!("an unknown operation: {other}"),
    }
}

fn of_shuffle(op: &str, input: &Value) -> Option<Value> {
    let seed = |member| RoundSeed::new(array(input, member));
    Some(match op {
        // Words that nobody draws are given to the draw by a unit test of its own module.
        "uniform" => return None,
        "keystream" => {
            let (key, count) = (seed("key"), number(&input["count"]));
            let words: Vec<u32> = match text(input, "stream") {
                "pge.deck" => shuffle::deck_words(&key, count).collect(),
                "pge.dice" => shuffle::dice_words(&key, count).collect(),
                other => panic!("a stream that the engine has not: {other}"),
            };
            json!({ "words": words })
        }
        "deck" => {
            let seed = seed("round_seed");
            let deck = shuffle::deck(&seed, number(&input["cards"]));
            let commit = deck_commit(&seed, &deck).to_hex();
            json!({ "deck": numbers(&deck), "deck_commit": commit })
        }
        "dice" => json!({ "dice": shuffle::dice(&seed("round_seed")) }),
        other => panic!("an unknown operation: {other}"),
    })
}

#[test]
fn seeds_and_commitments_are_those_of_the_kit() {
    let counts = [
        ("round", 21),
        ("vrf", 38),
        ("epoch_commit", 10),
        ("epoch_salt", 1),
        ("rules_hash", 35),
        ("merkle", 8),
    ];
    confirm("seeds", &counts, |op, input| Some(of_seeds(op, input)));
}

#[test]
fn words_decks_and_dice_are_those_of_the_kit() {
    confirm(
        "shuffle",
        &[("uniform", 32), ("keystream", 3), ("deck", 13), ("dice", 13)],
        of_shuffle,
    );
}
