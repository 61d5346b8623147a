//! The build that this program comes from.

/// The version of the software.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that this was built from, or `unknown` if the source was not a checkout.
pub const GIT_REVISION: &str = env!("BUILD_GIT_REVISION");
