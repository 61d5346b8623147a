//! The house way that is written in code, and the file that it ships.
//!
//! The code decides, and the file has the sentences. A file names its code by the key `code` and
//! has the id of that code. It lists every clause that the code can cite, and no other, in the
//! order of the code. So nobody can make another way under the same id by an edit of the file.

mod online;

use toml::Value;

use super::decided::{ClausePlaces, SettingDecision};
use super::file::{each_clause, named};
use super::table::TableKeys;
use super::{Clause, RulesFault};
use crate::cards::Card;
use crate::hands::Ranking;

/// Names the clauses of a way, in the order of its file; the id of one is its name.
macro_rules! clauses {
    ($($clause:ident)*) => {
        /// The clauses that the way can cite.
        #[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
        pub(super) enum Id {
            $($clause),*
        }

        impl Id {
            pub(super) const NAMES: &[&str] = &[$(stringify!($clause)),*];
        }
    };
}
use clauses;

/// A way that is written in code.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum CodedWay {
    /// The online chart.
    Online,
}

const CODES: [(&str, CodedWay); 1] = [("online", CodedWay::Online)];

impl CodedWay {
    /// Returns the code that the key `code` names, if it is present, or adds a fault.
    pub(super) fn read(keys: &mut TableKeys<'_>, faults: &mut Vec<RulesFault>) -> Option<Self> {
        let name = keys.text("code", faults)?;
        named(&CODES, name, keys, "code", faults)
    }

    /// Returns the name of the code, which is the id of its way.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Online => "online",
        }
    }

    /// Returns how many cards the way sets.
    pub(super) const fn cards(self) -> usize {
        match self {
            Self::Online => 7,
        }
    }

    const fn ids(self) -> &'static [&'static str] {
        match self {
            Self::Online => online::Id::NAMES,
        }
    }

    /// Reads the clauses of the file, which follow its title and source.
    pub(super) fn clauses(
        self,
        keys: &mut TableKeys<'_>,
        faults: &mut Vec<RulesFault>,
    ) -> Vec<Clause> {
        if keys.value("id").and_then(Value::as_str).is_some_and(|id| id != self.name()) {
            let message =
                format!("must be `{}`: a way in code is frozen under its id", self.name());
            faults.push(keys.fault("id", message));
        }
        if keys.value("wheel").and_then(Value::as_str) == Some("lowest") {
            faults.push(keys.fault("wheel", "must be `second`, as the code has it"));
        }
        if keys.value("joker").and_then(Value::as_str) == Some("wild") {
            faults.push(keys.fault("joker", "must be `semi-wild`, as the code has it"));
        }
        let before = faults.len();
        let clauses: Vec<Clause> = each_clause(keys, faults, |_, _| Some(()))
            .into_iter()
            .map(|(clause, ())| clause)
            .collect();
        for (place, clause) in clauses.iter().enumerate() {
            if !self.ids().contains(&clause.id.as_str()) {
                let message = format!("the code has no clause `{}`", clause.id);
                faults.push(keys.fault(&format!("clause[{place}].id"), message));
            }
        }
        for id in self.ids() {
            if clauses.iter().all(|clause| clause.id != *id) {
                faults.push(keys.fault("clause", format!("`{id}` is missing")));
            }
        }
        if faults.len() == before {
            let in_place = |(clause, id): (&Clause, &&str)| clause.id == **id;
            if let Some(place) = clauses.iter().zip(self.ids()).position(|pair| !in_place(pair)) {
                let message =
                    format!("must be `{}`: the order is that of the code", self.ids()[place]);
                faults.push(keys.fault(&format!("clause[{place}].id"), message));
            }
        }
        clauses
    }

    /// Sets distinct cards, or returns [`None`] if their number is not [`Self::cards`].
    pub(super) fn set(self, cards: &[Card], ranking: Ranking) -> Option<SettingDecision> {
        match self {
            Self::Online => {
                let set = online::set(cards.try_into().ok()?, ranking)?;
                let row = set.row.map(|row| row as usize);
                let by = ClausePlaces { rule: set.rule as usize, row };
                Some(SettingDecision { low: set.split.low, high: set.split.high, by })
            }
        }
    }
}

#[cfg(test)]
mod tests;
