//! The demands of the production profile on settings. Its demands on keyring and manifests are
//! checked where they are loaded.

use super::faults::ConfigFaults;
use super::{Config, Profile};

/// Notes every setting that is not allowed in play for money.
pub(super) fn check(config: &Config, faults: &mut ConfigFaults) {
    let Config { server, access, keyring, verification, said, .. } = config;
    if server.profile == Profile::Development {
        return;
    }
    let mut refuse = |key: &str, is_wrong: bool, what: &str| {
        if is_wrong {
            faults.add(key, format_args!("{what} (server.profile = \"production\")"));
        }
    };
    refuse("server.allow_plaintext", server.allow_plaintext, "must be false");
    refuse("server.reflection", server.reflection, "must be false");
    refuse("server.allow_dev_policy", server.allow_dev_policy, "must be false");
    refuse("tls.certificate_file", said.tls.is_plaintext(), "is needed");
    refuse("access.file", access.file.is_none(), "is needed: callers must have names");
    refuse("keyring.generate", keyring.generate, "must be false");
    let no_root = keyring.root.is_none();
    refuse("keyring.root_keys", no_root, "are needed: a folder cannot vouch for itself");
    refuse("evidence.target", said.evidence.is_off(), "must be `file` or `stdout`");
    refuse("verification.release_file", verification.release_file.is_none(), "is needed");
}
