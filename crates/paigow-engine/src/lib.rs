//! Opens, deals, settles and voids rounds with the secret keys of a replica.
//!
//! Each call takes records, checks them, and returns the next one; nothing is kept
//! (PGE-FAIR-1, section 4). The same request gets the same record bytes, or the error of
//! a closed gate. Everything that needs no secret key is in `paigow-round`.

mod deal;
mod deck_mismatch;
mod keyring;
mod open_round;
mod receipt_signer;
mod secret_key;
mod server_seed;
mod settle;
mod signing;
mod spent;
mod token_key;
mod void;
mod vrf_key;

pub mod sealed;
pub mod self_test;

pub use deal::{DealAnswer, deal, prepare_deal};
pub use keyring::KeyRing;
pub use open_round::{OpenAnswer, PreparedOpening, open_round, prepare_open};
pub use receipt_signer::{KeyStore, KeyStoreUnavailable, ReceiptSigner};
pub use secret_key::SecretKey;
pub use settle::{PreparedSettlement, SettleAnswer, SettledRound, prepare_settle, settle};
pub use token_key::TokenKey;
pub use void::{PreparedVoid, VoidAnswer, prepare_void, void_round};
pub use vrf_key::{VrfSecretKey, is_secret_of};
