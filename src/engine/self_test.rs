//! The power-on self-test: primitives, a known round, known settings.

use super::Catalogue;
use crate::cards::{Card, codes};
use crate::fairness::encoding::Hash;
pub use crate::fairness::self_test::SelfTestError;

/// Hands of Mike's house way and the clause and low cards that an independent
/// implementation gave them.
const SETTINGS: [(&str, &str, &str); 4] = [
    ("2d Ac As 9c Ah Ad Jk", "K1", "Ac Ad"),
    ("9c 2h Js 2d 2c 9d Jh", "K4", "Jh Js"),
    ("Ts Td 9c Jd Qd Kc Jh", "K10cs", "Td Ts"),
    ("Jk Kc Qd 7h Ac Ad 9s", "K8a", "Kc Ac"),
];

/// Replays every known answer and returns the digest of all that was computed.
///
/// # Errors
///
/// The first answer that differs from the published one.
pub fn run(catalogue: &Catalogue) -> Result<Hash, SelfTestError> {
    let mut all = crate::fairness::self_test::run()?.as_bytes().to_vec();
    for (cards, clause, low) in SETTINGS {
        let failed = SelfTestError { name: "settings of the house way mikes" };
        let (_, way) = catalogue.house_way_named("mikes").map_err(|_| failed)?;
        let cards: Vec<Card> =
            cards.split(' ').map(str::parse).collect::<Result<_, _>>().map_err(|_| failed)?;
        let set = way.set(&cards).ok_or(failed)?;
        if set.clause.id() != clause || codes(&set.low) != low {
            return Err(failed);
        }
        all.extend_from_slice(clause.as_bytes());
        all.extend(set.low.iter().chain(&set.high).map(|card| card.number()));
    }
    Ok(Hash::of(&all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_setting_comes_out() {
        run(&Catalogue::shipped()).unwrap();
    }
}
