//! What several test files share.
#![allow(clippy::unwrap_used)]

pub(crate) mod canonical;
