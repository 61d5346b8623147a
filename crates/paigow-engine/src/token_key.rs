//! The key that seals server seeds of the fresh suite in tickets.

use std::fmt;

use zeroize::Zeroizing;

/// The key that seals server seeds of the fresh suite in tickets.
///
/// Its `Debug` prints no byte, it has no `Display`, and its memory is wiped on drop.
#[derive(Clone, Eq, PartialEq)]
pub struct TokenKey(Zeroizing<[u8; 32]>);

impl TokenKey {
    /// Takes 32 secret bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// Returns the secret bytes. Each caller is a place to look at in a review.
    #[must_use]
    pub fn expose(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenKey(..)")
    }
}
