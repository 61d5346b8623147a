//! The result of a count over all pairs of hands, and its text form.

use std::fmt;

use super::commissions::commissions;
use super::doubling::DoubledHands;
use super::grid::{Grid, Grids};
use super::mark::Mark;
use paigow_rules::game::Ruleset;
use paigow_rules::hands::{JokerUse, Ranking, Wheel};

/// The counts over all pairs of disjoint hands of a player's and a dealer's house way.
///
/// Its `Display` is a paragraph of the files of counts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PairCounts {
    /// The id of the way that sets the player's hand.
    pub player: String,
    /// The id of the way that sets the hand of the dealer or banker.
    pub dealer: String,
    /// Where A-2-3-4-5 ranks, for both ways and in the comparison.
    pub ranking: Ranking,
    /// The hands of the dealer that are marked.
    pub mark: Mark,
    /// The counts, from the player's side.
    pub grids: Grids<u128>,
    /// The hands on which doubling down pays, if the game has double downs, by the share of a win
    /// that the house keeps.
    pub doubled: Vec<DoubledHands>,
}

impl PairCounts {
    /// Returns how many pairs of hands there are.
    #[must_use]
    pub fn pairs(&self) -> u128 {
        self.grids.all.iter().sum()
    }

    /// Whether every reading of a ruleset's base game follows from the counts.
    #[must_use]
    pub fn serve(&self, ruleset: &Ruleset) -> bool {
        let is_counted = |rate| self.doubled.iter().any(|doubled| doubled.commission == rate);
        self.ranking == ruleset.ranking()
            && Mark::of(ruleset).as_ref() == Ok(&self.mark)
            && commissions(ruleset).is_some_and(|all| all.into_iter().all(is_counted))
    }

    /// Reads paragraphs with an empty line after each, as `Display` writes them. Skips lines that
    /// begin with `#`.
    ///
    /// Returns [`None`] if the text has any other content.
    #[must_use]
    pub fn parse_all(text: &str) -> Option<Vec<Self>> {
        paragraphs(text).iter().map(|lines| Self::parse(lines)).collect()
    }

    fn parse(lines: &[&str]) -> Option<Self> {
        let [head, all, low_pairs_aside, marked, doubled @ ..] = lines else { return None };
        let [player, "against", dealer, ranking, mark] = head.split(' ').collect::<Vec<_>>()[..]
        else {
            return None;
        };
        Some(Self {
            player: player.to_owned(),
            dealer: dealer.to_owned(),
            ranking: ranking_of(ranking)?,
            mark: Mark::parse(mark)?,
            grids: Grids {
                all: parse_grid(all, "all")?,
                low_pairs_aside: parse_grid(low_pairs_aside, "low_pairs_aside")?,
                marked: parse_grid(marked, "marked")?,
            },
            doubled: doubled.iter().map(|line| DoubledHands::parse(line)).collect::<Option<_>>()?,
        })
    }
}

/// Returns the lines of each paragraph of a file of counts. Skips lines that begin with `#`.
pub(super) fn paragraphs(text: &str) -> Vec<Vec<&str>> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let paragraphs = lines.split(|line| line.is_empty());
    paragraphs.filter(|lines| !lines.is_empty()).map(<[_]>::to_vec).collect()
}

fn parse_grid(line: &str, name: &str) -> Option<Grid<u128>> {
    let numbers = line.strip_prefix(name)?.split(' ').skip(1).map(|count| count.parse().ok());
    let [a, b, c, d, e, f, g, h, i] = numbers.collect::<Option<Vec<u128>>>()?[..] else {
        return None;
    };
    Some(Grid::new([[a, b, c], [d, e, f], [g, h, i]]))
}

impl fmt::Display for PairCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranking = ranking_word(self.ranking);
        writeln!(f, "{} against {} {ranking} {}", self.player, self.dealer, self.mark)?;
        let Grids { all, low_pairs_aside, marked } = &self.grids;
        for (name, grid) in [("all", all), ("low_pairs_aside", low_pairs_aside), ("marked", marked)]
        {
            let counts: Vec<String> = grid.iter().map(ToString::to_string).collect();
            writeln!(f, "{name} {}", counts.join(" "))?;
        }
        for doubled in &self.doubled {
            writeln!(f, "{doubled}")?;
        }
        Ok(())
    }
}

/// The words of the rankings in the files of counts.
const RANKINGS: [(&str, Ranking); 4] = {
    const fn ranking(wheel: Wheel, joker: JokerUse) -> Ranking {
        Ranking { wheel, joker }
    }
    [
        ("second", ranking(Wheel::Second, JokerUse::SemiWild)),
        ("lowest", ranking(Wheel::Lowest, JokerUse::SemiWild)),
        ("second-wild", ranking(Wheel::Second, JokerUse::Wild)),
        ("lowest-wild", ranking(Wheel::Lowest, JokerUse::Wild)),
    ]
};

/// Returns the word of a ranking in a file of counts: the rank of A-2-3-4-5, and `-wild` behind it
/// for a joker that is wild.
pub(super) fn ranking_word(ranking: Ranking) -> &'static str {
    RANKINGS.into_iter().find(|(_, known)| *known == ranking).map_or("", |(word, _)| word)
}

/// Reads the word of a ranking.
pub(super) fn ranking_of(word: &str) -> Option<Ranking> {
    RANKINGS.into_iter().find(|(known, _)| *known == word).map(|(_, ranking)| ranking)
}
