//! Rules files and the hashes by which they name one another.
#![allow(clippy::unwrap_used)]

use paigow::{game, house_way};
use sha2::{Digest, Sha256};

/// A tuple as PGE-FAIR-1 encodes it: each part behind its length.
fn tuple(label: &str, fields: [&[u8]; 2]) -> Vec<u8> {
    let mut bytes = vec![u8::try_from(label.len()).unwrap()];
    bytes.extend(label.as_bytes());
    bytes.push(2);
    for field in fields {
        bytes.extend(u32::try_from(field.len()).unwrap().to_le_bytes());
        bytes.extend(field);
    }
    bytes
}

#[test]
fn a_ruleset_names_its_house_way_by_the_hash_of_the_file() {
    for ruleset in game::shipped() {
        let named = ruleset.house_way();
        let way = house_way::shipped().iter().find(|way| way.id() == named.id).unwrap();
        // D9: SHA-256(enc("pge/v1/house-way", id, file_bytes)).
        let bytes = tuple("pge/v1/house-way", [way.id().as_bytes(), way.text().as_bytes()]);
        assert_eq!(hex::encode(Sha256::digest(bytes)), named.hash, "{}", ruleset.id());
    }
}
