//! The text form of counts of best play.

use std::fmt;

use super::counts::{BestPlay, ClauseDifference, Played};
use super::{BestPlayTerms, MarkedHands, Sight};
use crate::mark::Mark;
use crate::pair_counts::paragraphs;
use crate::pair_counts::{ranking_of, ranking_word};
use paigow_rules::game::Fraction;

impl fmt::Display for MarkedHands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("alike"),
            Self::Push(mark) => write!(f, "push {mark}"),
            Self::Double(mark) => write!(f, "double {mark}"),
        }
    }
}

impl fmt::Display for BestPlayTerms {
    /// Writes the terms as the files of counts have them: `second own_cards 19/20 alike`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranking = ranking_word(self.ranking);
        let sight = match self.sight {
            Sight::OwnCards => "own_cards",
            Sight::BothHands => "both_hands",
        };
        write!(f, "{ranking} {sight} {}/{} {}", self.pays.num(), self.pays.den(), self.marked)
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hands, won, lost, doubled, doubled_won, doubled_lost } = self;
        write!(f, "{hands} {won} {lost} {doubled} {doubled_won} {doubled_lost}")
    }
}

impl fmt::Display for BestPlay {
    /// Writes a paragraph of the files of counts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.terms)?;
        writeln!(f, "pairs {}", self.pairs)?;
        writeln!(f, "best {}", self.best)?;
        if let Some(way) = &self.way {
            writeln!(f, "way {way}")?;
        }
        for ClauseDifference { clause, hands, way, best } in &self.differences {
            writeln!(f, "clause {clause} {hands} {way} {best}")?;
        }
        Ok(())
    }
}

impl BestPlay {
    /// Reads paragraphs with an empty line after each, as `Display` writes them. Skips lines that
    /// begin with `#`.
    ///
    /// Returns [`None`] if the text has any other content.
    #[must_use]
    pub fn parse_all(text: &str) -> Option<Vec<Self>> {
        paragraphs(text).iter().map(|lines| Self::parse(lines)).collect()
    }

    fn parse(lines: &[&str]) -> Option<Self> {
        let [terms, pairs, best, rest @ ..] = lines else { return None };
        let (way, rest) = match rest {
            [way, rest @ ..] if way.starts_with("way ") => (Some(*way), rest),
            _ => (None, rest),
        };
        let played = |line: &str, name: &str| {
            Played::parse(&words(line).strip_prefix(&[name])?.to_vec()[..])
        };
        Some(Self {
            terms: BestPlayTerms::parse(&words(terms))?,
            pairs: pairs.strip_prefix("pairs ")?.parse().ok()?,
            best: played(best, "best")?,
            way: match way {
                Some(way) => Some(played(way, "way")?),
                None => None,
            },
            differences: rest.iter().map(|line| parse_clause(line)).collect::<Option<_>>()?,
        })
    }
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

fn parse_clause(line: &str) -> Option<ClauseDifference> {
    let words = words(line);
    let ["clause", clause, hands, played @ ..] = &words[..] else { return None };
    let (way, best) = played.split_at_checked(6)?;
    Some(ClauseDifference {
        clause: (*clause).to_owned(),
        hands: hands.parse().ok()?,
        way: Played::parse(way)?,
        best: Played::parse(best)?,
    })
}

impl Played {
    fn parse(words: &[&str]) -> Option<Self> {
        let [hands, won, lost, doubled, doubled_won, doubled_lost] = words else { return None };
        Some(Self {
            hands: hands.parse().ok()?,
            won: won.parse().ok()?,
            lost: lost.parse().ok()?,
            doubled: doubled.parse().ok()?,
            doubled_won: doubled_won.parse().ok()?,
            doubled_lost: doubled_lost.parse().ok()?,
        })
    }
}

impl BestPlayTerms {
    fn parse(words: &[&str]) -> Option<Self> {
        let [ranking, sight, pays, marked @ ..] = words else { return None };
        let (num, den) = pays.split_once('/')?;
        Some(Self {
            ranking: ranking_of(ranking)?,
            sight: match *sight {
                "own_cards" => Sight::OwnCards,
                "both_hands" => Sight::BothHands,
                _ => return None,
            },
            pays: Fraction::new(num.parse().ok()?, den.parse().ok()?)?,
            marked: match marked {
                ["alike"] => MarkedHands::Nothing,
                ["push", mark] => MarkedHands::Push(Mark::parse(mark)?),
                ["double", mark] => MarkedHands::Double(Mark::parse(mark)?),
                _ => return None,
            },
        })
    }
}
