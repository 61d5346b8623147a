use hkdf::Hkdf;

use super::*;

fn written(message: &[u8]) -> impl Fn(&mut [u8]) {
    |place| place.copy_from_slice(message)
}

#[test]
fn messages_of_every_length_have_the_hash_and_the_code_that_the_libraries_give() {
    let bytes: Vec<u8> = (0..600).map(|i: u32| (i * i + i / 7).to_le_bytes()[0]).collect();
    for length in 0..bytes.len() {
        let message = &bytes[..length];
        let by_library: [u8; 32] = Sha256::digest(message).into();
        assert_eq!(sha256(length, written(message)), by_library, "{length}");
        let key = std::array::from_fn(|i| bytes[(length + 3 * i) % bytes.len()]);
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        mac.update(message);
        let by_library: [u8; 32] = mac.finalize().into_bytes().into();
        assert_eq!(hmac_sha256(&key, length, written(message)), by_library, "{length}");
        let mut by_library = [0; 32];
        Hkdf::<Sha256>::from_prk(&key).unwrap().expand(message, &mut by_library).unwrap();
        assert_eq!(hkdf_expand(&key, length, written(message)), by_library, "{length}");
    }
}

#[test]
fn published_messages_have_their_published_hashes() {
    let two_blocks = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    for (message, published) in [
        (&b""[..], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (two_blocks, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    ] {
        assert_eq!(hex::encode(sha256(message.len(), written(message))), published);
    }
}

/// RFC 4231, section 4: a shorter key counts as one with zeros behind it.
#[test]
fn published_messages_have_their_published_codes() {
    let key = |bytes: &[u8]| {
        let mut key = [0; 32];
        key[..bytes.len()].copy_from_slice(bytes);
        key
    };
    let fourth: Vec<u8> = (1..=25).collect();
    for (key, message, published) in [
        (
            key(&[0x0b; 20]),
            b"Hi There".to_vec(),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        ),
        (
            key(b"Jefe"),
            b"what do ya want for nothing?".to_vec(),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        ),
        (
            key(&[0xaa; 20]),
            vec![0xdd; 50],
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
        ),
        (
            key(&fourth),
            vec![0xcd; 50],
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
        ),
    ] {
        assert_eq!(hex::encode(hmac_sha256(&key, message.len(), written(&message))), published);
    }
}
