use super::*;

#[test]
fn the_first_violation_names_the_refusal_and_all_are_kept() {
    let mut refusals = Refusals::default();
    refusals.add(Reason::Seat, "wagers[0].seat", "no such seat");
    refusals.absorb(Refusal::at(Reason::Wager, "wagers[1].bet", "no such bet").under("sheet"));
    let refusal = refusals.finish(()).unwrap_err();
    assert_eq!(refusal.reason, Reason::Seat);
    let fields: Vec<_> = refusal.violations.iter().map(|v| v.field.as_str()).collect();
    assert_eq!(fields, ["wagers[0].seat", "sheet.wagers[1].bet"]);
}

#[test]
fn reasons_are_distinct_words_that_error_info_takes() {
    let mut seen = std::collections::BTreeSet::new();
    for reason in Reason::ALL {
        let word = reason.as_str();
        assert!(word.len() <= 63 && word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'));
        assert!(seen.insert(word), "{word}");
    }
}
