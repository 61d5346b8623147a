use super::*;

#[test]
fn a_tuple_is_encoded_and_hashed_as_written_out_by_hand() {
    // u8 1, label, u8 2, then 4 + 3 and 4 + length: from 184 bytes on, 170, the library's.
    for length in [0, 1, 169, 170, 400] {
        let field: Vec<u8> = (0u8..=255).cycle().take(length).collect();
        let size = u32::try_from(length).unwrap().to_le_bytes();
        let written = [b"\x01x\x02\x03\0\0\0abc", &size[..], &field].concat();
        assert_eq!(Hash::of_tuple("x", &[b"abc", &field]), Hash::of(&written), "{length}");
        assert_eq!(enc("x", &[b"abc", &field]), written, "{length}");
    }
}

#[test]
fn identifiers_have_1_to_64_plain_characters() {
    for good in ["a", "T1", "acme.prod:table-7_x", &"x".repeat(64)] {
        assert!(good.parse::<Identifier>().is_ok(), "{good}");
    }
    for bad in ["", "a b", "é", "a/b", "a\0", &"x".repeat(65)] {
        assert!(bad.parse::<Identifier>().is_err(), "{bad:?}");
    }
}

#[test]
fn identifiers_are_told_apart_and_ordered_as_their_texts_are() {
    let texts = ["-", "0", "T1", "T10", "T2", "_", "a", "a-", "aa", &"x".repeat(63)];
    let identifiers = texts.map(|text| text.parse::<Identifier>().unwrap());
    assert!(texts.is_sorted() && identifiers.is_sorted());
    for (text, identifier) in texts.iter().zip(&identifiers) {
        assert_eq!((identifier.as_str(), identifier.as_bytes()), (*text, text.as_bytes()));
        assert_eq!(format!("{identifier} {identifier:?}"), format!("{text} Identifier({text:?})"));
        assert_eq!(identifiers.iter().filter(|other| *other == identifier).count(), 1);
    }
}

#[test]
fn hexadecimal_is_lower_case_and_of_the_length() {
    assert_eq!(hex_bytes::<2>("0aff"), Ok([10, 255]));
    for bad in ["0AFF", "0af", "0aff00", "0agg", "", "0aÿ"] {
        assert_eq!(hex_bytes::<2>(bad), Err(ParseHexError(2)), "{bad}");
    }
    // Every character at every place, compared with the library, which also takes upper case.
    for (at, character) in (0..64).flat_map(|at| ('\0'..='\x7f').map(move |c| (at, c))) {
        let mut text = "0123456789abcdef".repeat(4);
        text.replace_range(at..=at, character.encode_utf8(&mut [0; 4]));
        let theirs = hex::decode(&text).ok().filter(|_| !character.is_ascii_uppercase());
        let ours = hex_bytes::<32>(&text).ok();
        assert_eq!(ours.as_ref().map(<[u8; 32]>::as_slice), theirs.as_deref(), "{text}");
    }
}
