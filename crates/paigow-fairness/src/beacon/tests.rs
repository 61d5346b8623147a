use super::*;

/// The signature of round 123 of quicknet, as `https://api.drand.sh/CHAIN/public/123` serves it.
const ROUND_123: &str = "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d\
                         3546d23c4b13e0dfc92";

fn quicknet() -> Beacon {
    let group = "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e";
    Beacon {
        genesis: 1_692_803_367,
        group: group.parse().unwrap(),
        id: "quicknet".parse().unwrap(),
        period: 3,
        key: Beacon::QUICKNET_KEY,
    }
}

#[test]
fn a_published_round_verifies_and_nothing_near_it_does() {
    let (quicknet, published) = (quicknet(), hex_bytes(ROUND_123).unwrap());
    assert!(quicknet.has_good_key() && quicknet.verifies(123, &published));
    for round in [0, 122, 124, u64::MAX] {
        assert!(!quicknet.verifies(round, &published), "round {round}");
    }
    for (byte, bit) in [(0, 5), (0, 7), (1, 0), (20, 3), (47, 0)] {
        let mut other = published;
        other[byte] ^= 1 << bit;
        assert!(!quicknet.verifies(123, &other), "byte {byte}, bit {bit}");
    }
    for (byte, bit) in [(0, 5), (0, 7), (1, 0), (95, 0)] {
        let mut other = quicknet.clone();
        other.key[byte] ^= 1 << bit;
        assert!(!other.verifies(123, &published), "byte {byte}, bit {bit} of the key");
    }
}

#[test]
fn a_signature_that_verified_before_verifies_for_its_key_and_round_alone() {
    let (quicknet, published) = (quicknet(), hex_bytes(ROUND_123).unwrap());
    let mut other = quicknet.clone();
    other.key[95] ^= 1;
    for _ in 0..3 {
        assert!(quicknet.verifies(123, &published));
        // The place of round 187 is that of round 123.
        assert!(!quicknet.verifies(187, &published));
        assert!(!other.verifies(123, &published));
        assert!(!quicknet.verifies(123, &[0x55; 48]));
    }
}

#[test]
fn an_identity_is_neither_key_nor_signature() {
    let mut identity = quicknet();
    identity.key = [0; 96];
    identity.key[0] = 0xc0;
    let mut nothing = [0; 48];
    nothing[0] = 0xc0;
    // The pairings of two identities are equal for every round.
    assert!(!identity.verifies(1, &nothing));
    assert!(!identity.has_good_key());
    assert!(!quicknet().verifies(123, &nothing));
}

#[test]
fn the_chain_hash_has_every_member() {
    let quicknet = quicknet();
    assert_eq!(quicknet.chain(), Beacon::QUICKNET);
    let mut others = vec![quicknet.clone(); 5];
    others[0].genesis += 1;
    others[1].period += 1;
    others[2].group = Hash::ZERO;
    others[3].id = "quicknet-t".parse().unwrap();
    others[4].key[95] ^= 1;
    for other in others {
        assert_ne!(other.chain(), quicknet.chain());
        assert_eq!(Beacon::parse(&mut Members::of(other.to_json()).unwrap()).unwrap(), other);
    }
}

#[test]
fn rounds_have_their_times() {
    let beacon = quicknet();
    assert_eq!(beacon.published_at(1), beacon.genesis);
    for (time, first, last) in [
        (beacon.genesis, 1, 0),
        (beacon.genesis + 1, 2, 1),
        (beacon.genesis + 3, 2, 1),
        (beacon.genesis + 4, 3, 2),
    ] {
        assert_eq!((beacon.first_round_from(time), beacon.last_round_before(time)), (first, last));
        assert!(
            beacon.published_at(first) >= time && (last == 0 || beacon.published_at(last) < time)
        );
    }
    assert_eq!(beacon.published_at(u64::MAX), u64::MAX);
}
