//! The secrets of the protocol, as types that cannot be printed.

use std::fmt;

use zeroize::{ZeroizeOnDrop, optimization_barrier};

macro_rules! secrets {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// Its `Debug` prints no byte, it has no `Display`, and its memory is wiped
        /// on drop.
        #[derive(Clone, Eq, PartialEq)]
        pub struct $name([u8; 32]);

        impl Drop for $name {
            fn drop(&mut self) {
                // The default of `Zeroize` wipes byte by byte, and a round makes several secrets.
                self.0 = [0; 32];
                optimization_barrier(&self.0);
            }
        }

        impl ZeroizeOnDrop for $name {}

        impl $name {
            /// Takes 32 secret bytes.
            #[must_use]
            pub fn new(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// Returns the secret bytes. A review has to check each caller.
            #[must_use]
            pub fn expose(&self) -> &[u8; 32] {
                &self.0
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    )*};
}

secrets! {
    /// The one secret of an epoch, parent of its server seeds and of nothing else.
    EpochSecret;
    /// The house's secret contribution to a round, committed to in the ticket.
    ServerSeed;
    /// The ChaCha20 key of a round, from the server seed and the client seeds.
    RoundSeed;
}

#[cfg(test)]
mod tests;
