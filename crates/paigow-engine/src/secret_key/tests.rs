use ed25519_dalek::{Signer as _, SigningKey};
use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn both_libraries_sign_alike(
        secret in any::<[u8; 32]>(),
        message in prop::collection::vec(any::<u8>(), 0..2_000),
    ) {
        let key = SecretKey::from_bytes(&secret);
        let theirs = SigningKey::from_bytes(&secret);
        prop_assert_eq!(key.sign(&message), theirs.sign(&message).to_bytes());
        prop_assert_eq!(key.public().to_bytes(), theirs.verifying_key().to_bytes());
        prop_assert_eq!(key.expose(), &secret);
    }
}

#[test]
fn debug_of_a_secret_key_prints_its_public_half_only() {
    let key = SecretKey::from_bytes(&[7; 32]);
    assert_eq!(format!("{key:?}"), format!("SecretKey(public {})", key.public()));
    assert!(!format!("{key:?}").contains("0707"));
}
