use super::*;

fn unknown(name: &str, known: impl IntoIterator<Item = String>) -> String {
    let known = known.into_iter().collect();
    NamingFault::Unknown { kind: "ruleset", name: name.to_owned(), known }.to_string()
}

#[test]
fn of_many_rules_a_refusal_names_eight_those_that_begin_alike_first() {
    let venues = (0..200).map(|i| format!("venue-{i:03}-of-the-house"));
    let known = venues.chain(["mikes".to_owned(), "mini".to_owned()]);
    assert_eq!(
        unknown("mike", known),
        "unknown ruleset \"mike\"; available: mikes, mini, venue-000-of-the-house, \
         venue-001-of-the-house, venue-002-of-the-house, venue-003-of-the-house, \
         venue-004-of-the-house, venue-005-of-the-house and 194 more"
    );
}

#[test]
fn of_few_rules_a_refusal_names_all() {
    let eight = ["a", "b", "c", "d", "e", "f", "g", "h"].map(str::to_owned);
    assert!(unknown("x", eight).ends_with("; available: a, b, c, d, e, f, g, h"));
    assert!(unknown("x", []).ends_with("; available: none"));
}
