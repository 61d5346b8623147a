use serde_json::Value;

use super::*;

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn array<const N: usize>(value: &Value) -> [u8; N] {
    hex::decode(text(value)).unwrap().try_into().unwrap()
}

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../../../tests/vectors/fairness.json")).unwrap()
}

#[test]
fn the_sealed_seed_opens_as_published_and_only_there() {
    let vectors = vectors();
    let case = &vectors["sealed_seed"];
    let key = TokenKey::new(array(&case["token_key"]));
    let round_id: Hash = text(&case["round_id"]).parse().unwrap();
    let commit: Hash = text(&case["commit"]).parse().unwrap();
    let seed = ServerSeed::new(array(&case["server_seed"]));
    let kid = array(&case["kid"]);
    let blob = seal(&key, kid, array(&case["nonce"]), &round_id, &commit, &seed);
    assert_eq!(hex::encode(&blob), text(&case["blob"]));
    assert_eq!(sealing_key(&blob), Some(kid));
    assert_eq!(open(&key, &blob, &round_id, &commit), Some(seed));
    assert_eq!(open(&key, &blob, &commit, &round_id), None);
    for at in 0..blob.len() {
        let mut changed = blob.clone();
        changed[at] ^= 1;
        assert_eq!(open(&key, &changed, &round_id, &commit), None, "byte {at}");
    }
    assert_eq!(open(&key, &blob[1..], &round_id, &commit), None);
}
