//! The repository against itself: imports, documents, names.
#![allow(clippy::unwrap_used)]

mod architecture;
mod docs;
mod frozen;
mod language;
mod versions;
