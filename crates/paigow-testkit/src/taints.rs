//! The secrets that must not be in any output of the engine, in every spelling.

use std::collections::BTreeSet;

use aho_corasick::AhoCorasick;
use base64::Engine as _;
use paigow_rules::cards::Card;

/// Every spelling of every 8-byte window of a secret.
pub fn spellings(secret: &[u8], out: &mut BTreeSet<Vec<u8>>) {
    let base64 = base64::engine::general_purpose::STANDARD_NO_PAD;
    for window in secret.windows(8) {
        let numbers: Vec<String> = window.iter().map(ToString::to_string).collect();
        out.insert(window.to_vec());
        out.insert(hex::encode(window).into_bytes());
        out.insert(hex::encode_upper(window).into_bytes());
        out.insert(numbers.join(", ").into_bytes());
        out.insert(numbers.join(",").into_bytes());
        out.insert(window.escape_ascii().to_string().into_bytes());
        for offset in 0..3 {
            // The characters that the window alone decides, whatever surrounds it.
            let padded = [vec![0; offset], window.to_vec()].concat();
            let text = base64.encode(padded);
            let (first, last) = ((8 * offset).div_ceil(6), (8 * offset + 64) / 6);
            let text = &text[first..last];
            out.insert(text.as_bytes().to_vec());
            out.insert(text.replace('+', "-").replace('/', "_").into_bytes());
        }
    }
}

/// Two consecutive cards of a hand, as a log might print them.
pub fn card_pairs(hand: &[Card], out: &mut BTreeSet<Vec<u8>>) {
    for pair in hand.windows(2) {
        for between in [" ", ", ", ",", "\", \"", "\",\"", "\\\", \\\""] {
            out.insert(format!("{}{between}{}", pair[0], pair[1]).into_bytes());
        }
    }
}

#[track_caller]
pub fn assert_clean(what: &str, bytes: &[u8], taints: &BTreeSet<Vec<u8>>) {
    let patterns: Vec<&Vec<u8>> = taints.iter().collect();
    let automaton = AhoCorasick::new(&patterns).unwrap();
    if let Some(found) = automaton.find(bytes) {
        let from = found.start().saturating_sub(120);
        let around = &bytes[from..(found.end() + 40).min(bytes.len())];
        panic!("{what} leaks: {}", String::from_utf8_lossy(around));
    }
}
