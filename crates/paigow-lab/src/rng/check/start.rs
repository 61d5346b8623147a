//! The position that three dice name: by the ruleset, and by the definition.

use crate::CommandError;
use crate::rng::rounds::RoundSetup;

/// How many positions a deal of packets of seven goes to.
const POSITIONS: usize = 7;

/// Returns every throw of three dice, the first die the slowest.
fn throws() -> impl Iterator<Item = [u8; 3]> {
    (1..=6).flat_map(|first| {
        (1..=6).flat_map(move |second| (1..=6).map(move |third| [first, second, third]))
    })
}

/// Returns the position that Express deals to first for each of the 216 throws, as the
/// game's own code says.
pub(super) fn positions_of_dice() -> Result<Vec<u8>, CommandError> {
    let game = crate::find_game("express", &[])?;
    let layout = RoundSetup::new(&game)?;
    Ok(throws().map(|dice| layout.first(dice)).collect())
}

/// Returns how many throws name each position: that of the sum less 1, counted around
/// seven positions from the dealer's, 0 (PGE-FAIR-1, section 5.4).
pub(super) fn throws_of_positions() -> [u64; POSITIONS] {
    let mut throws_of = [0; POSITIONS];
    for dice in throws() {
        let sum: usize = dice.into_iter().map(usize::from).sum();
        throws_of[(sum - 1) % POSITIONS] += 1;
    }
    throws_of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_position_is_named_once_less_than_the_others() {
        // PGE-FAIR-1, section 5.4: 31, 31, 31, 31, 31, 31, 30 times in 216.
        let mut throws_of = throws_of_positions();
        throws_of.sort_unstable();
        assert_eq!(throws_of, [30, 31, 31, 31, 31, 31, 31]);
    }

    #[test]
    fn the_game_names_the_positions_that_it_should() {
        let mut throws_of = [0; POSITIONS];
        for position in positions_of_dice().unwrap() {
            throws_of[usize::from(position)] += 1;
        }
        assert_eq!(throws_of, throws_of_positions());
    }
}
