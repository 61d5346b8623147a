//! The compiled-in counts of best play, for each compiled-in house way.

use std::sync::LazyLock;

use super::BestPlayTerms;
use super::counts::BestPlay;
use paigow_rules::house_way::{self, HouseWay};

/// The files of counts, which `paigow-lab best --write` writes, by the id of the dealer's way.
/// Their names are the hashes of the ways. Foxwoods has two: in one of them A-2-3-4-5 is the lowest
/// straight.
const FILES: [(&str, &str); 11] = [
    (
        "ballys-ac",
        include_str!(
            "../counts/best/284458ebdf2e05b56b8ab367f193b72df524132d49105fc4c4bd2be2606f5a3c.best"
        ),
    ),
    (
        "claridge",
        include_str!(
            "../counts/best/0298ef43ba2728421cbfb3745b09a128e09e8c3efbc47d63b7d3a64f3937f22a.best"
        ),
    ),
    (
        "flamingo-lv",
        include_str!(
            "../counts/best/405d2e3989d702d8b361fa6a8b25bbae5b93fd5f3795304f65a04707dac26878.best"
        ),
    ),
    (
        "foxwoods",
        include_str!(
            "../counts/best/cc85e7b576721ca6b13edcef169ee5d170e5a6f6a8d8d3d7591006dc667b5861.best"
        ),
    ),
    (
        "foxwoods",
        include_str!(
            "../counts/best/d097f75bd4dec4503b1a6629deb4c7cd060c038d52fc5f9f1e74a64e09db0bfb.best"
        ),
    ),
    (
        "golden-nugget-lv",
        include_str!(
            "../counts/best/0a5aaa0a9c87013c86ed78bc50b1f5ace47e1173bad168732429dfd65527c29f.best"
        ),
    ),
    (
        "mikes",
        include_str!(
            "../counts/best/2be74b99cc723c2b2de7e11c7b25a8ad455dbae20834dfecdbae65e2cb332ead.best"
        ),
    ),
    (
        "mini",
        include_str!(
            "../counts/best/79f153c18e3ba77d3e72423af70b5ad2810c171f86b130c7f16491ea15a50ada.best"
        ),
    ),
    (
        "online",
        include_str!(
            "../counts/best/ff6aeef1a6db66411062bf7a450a2fa85a2e4629e83418a1019a2986e0868175.best"
        ),
    ),
    (
        "trump-plaza",
        include_str!(
            "../counts/best/3e2198d92890e35bf96d21116f2e88cab42ce2dd5860571de03399b3b86c9dcd.best"
        ),
    ),
    (
        "trump-plaza-wild",
        include_str!(
            "../counts/best/d8ba55858f1aa34550ba0b84efdf311c492b91ff077e9409f610e7d72a6f97b7.best"
        ),
    ),
];

/// Returns the compiled-in counts, with the id of the dealer's way. Best play is compared with the
/// same way.
#[must_use]
pub fn stored_best_play() -> &'static [(&'static str, Vec<BestPlay>)] {
    static COUNTS: LazyLock<Vec<(&'static str, Vec<BestPlay>)>> = LazyLock::new(|| {
        let parse = |text: &str| BestPlay::parse_all(text).expect("a test reads the files");
        FILES.into_iter().map(|(way, text)| (way, parse(text))).collect()
    });
    &COUNTS
}

/// Returns the compiled-in counts of best play against a house way, on any terms.
pub fn best_plays(dealer: &HouseWay) -> impl Iterator<Item = &'static BestPlay> {
    // A copy of a shipped way under another name has its counts.
    let is_like = |known: &&HouseWay| known.has_rules_of(dealer);
    let shipped = house_way::shipped().iter().find(is_like).map(HouseWay::id);
    let ranking = dealer.ranking();
    let of = stored_best_play().iter().filter(move |(id, _)| Some(*id) == shipped);
    of.flat_map(|(_, plays)| plays).filter(move |play| play.terms.ranking == ranking)
}

/// Returns the counts of best play on these terms against a house way, or [`None`] if none are
/// compiled in.
#[must_use]
pub fn best_play(terms: &BestPlayTerms, dealer: &HouseWay) -> Option<&'static BestPlay> {
    best_plays(dealer).find(|play| play.terms == *terms)
}
