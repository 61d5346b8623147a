//! Parts of work that machines share.

use std::fmt;

/// One of `of` equal parts of some work: number `index`, from 0.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Shard {
    pub(crate) index: u32,
    pub(crate) of: u32,
}

impl Shard {
    /// All of the work.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// Reads `i/n`, with `i` from 0 to `n - 1`.
    ///
    /// # Errors
    ///
    /// If it does not have this form.
    pub fn parse(text: &str) -> Result<Self, String> {
        let shard = text.split_once('/').and_then(|(index, of)| {
            let (index, of) = (index.parse().ok()?, of.parse().ok()?);
            (index < of).then_some(Self { index, of })
        });
        shard.ok_or_else(|| "expected i/n with i from 0 to n - 1".to_owned())
    }

    /// Returns the first of so many rounds that the shard has, and the first after it.
    pub(crate) fn range(self, rounds: u64) -> [u64; 2] {
        let [index, of] = [self.index, self.of].map(u128::from);
        let begin = |index: u128| {
            u64::try_from(u128::from(rounds) * index / of).expect("at most as many as there are")
        };
        [begin(index), begin(index + 1)]
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}
