//! The files that server, laboratory and key ceremony read: keys and manifests, release records, an
//! operator's own rules. Also the facts of the build that reads them.

pub mod build;
pub mod command;
pub mod keys;
pub mod release;
pub mod rules_folder;
pub mod system;
pub mod utc;
