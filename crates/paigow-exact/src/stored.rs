//! The counts of the house ways that are compiled in, counted once and kept in files.

use std::sync::LazyLock;

use super::base_game::BaseGame;
use super::pair_counts::PairCounts;
use paigow_rules::game::Ruleset;
use paigow_rules::house_way::{self, HouseWay};

/// The files of counts, which `paigow-lab base-game --counts` writes.
const FILES: [&str; 2] = [include_str!("counts/six.txt"), include_str!("counts/seven.txt")];

/// Returns the counts that are compiled in.
///
/// They are those of each pair of house ways for the same number of cards, six or seven. There are
/// also those of `foxwoods` with A-2-3-4-5 the lowest straight, and of `trump-plaza` with a push on
/// a low hand of nine high.
#[must_use]
pub fn stored_counts() -> &'static [PairCounts] {
    static COUNTS: LazyLock<Vec<PairCounts>> = LazyLock::new(|| {
        let parse = |file: &&str| PairCounts::parse_all(file).expect("a test reads the files");
        FILES.iter().flat_map(parse).collect()
    });
    &COUNTS
}

/// Returns the compiled-in counts of a pair of house ways for a ruleset's base game.
///
/// Returns [`None`] if no counts are for ways that decide as these two. Counts that serve the
/// ruleset come before those of other marked hands.
#[must_use]
pub fn counts_of(
    ruleset: &Ruleset,
    dealer: &HouseWay,
    player: &HouseWay,
) -> Option<&'static PairCounts> {
    if dealer.cards() != ruleset.hand_cards() {
        return None;
    }
    // A copy of a shipped way under another name has its counts.
    let shipped = |way: &HouseWay| house_way::shipped().iter().find(|known| known.decides_as(way));
    let (player, dealer) = (shipped(player)?, shipped(dealer)?);
    let of_ways = || {
        stored_counts().iter().filter(|counts| {
            (counts.player.as_str(), counts.dealer.as_str()) == (player.id(), dealer.id())
                && counts.ranking == ruleset.ranking()
        })
    };
    of_ways().find(|counts| counts.serve(ruleset)).or_else(|| of_ways().next())
}

/// Returns the base game of a ruleset from the compiled-in counts. Dealer and player set by these
/// house ways.
///
/// Returns [`None`] if there are no such counts. A [`GameCount`](super::GameCount) can make them.
///
/// A seven-card game has these readings. The first is the ruleset's own. The others state the
/// returns of the same hands under other terms.
///
/// | id | whose wager | commission | push on the marked hand |
/// |---|---|---|---|
/// | `as-played` | the player's | the ruleset's | the ruleset's |
/// | `no-commission` | the player's | none | no |
/// | `commission` | the player's | 5 % of a win | no |
/// | `push` | the player's | none | yes |
/// | `banker` | of one who banks against the player | none | no |
/// | `banker-commission` | of one who banks against the player | 5 % of a win | no |
///
/// A game with a double down has these readings. In each, the player doubles on the hands on which
/// doubling pays. Each also exists as `...-never-doubled` and `...-always-doubled` (plain
/// `never-doubled` and `always-doubled` for the first).
///
/// | id | whose wager | commission |
/// |---|---|---|
/// | `as-played` | the player's against the dealer | none |
/// | `banked` | the player's against a player who banks | the ruleset's |
/// | `banker` | of the player who banks, against one other seat | the ruleset's |
///
/// `banked` and `banker` are left out if the hands on which doubling pays are not counted for that
/// commission: [`PairCounts::serve`].
///
/// Commissions are shares without rounding. Some rulesets take the banker's commission from the net
/// of all seats. They take no more than the reading of one seat states.
#[must_use]
pub fn base_game(ruleset: &Ruleset, dealer: &HouseWay, player: &HouseWay) -> Option<BaseGame> {
    BaseGame::of(ruleset, counts_of(ruleset, dealer, player)?)
}
