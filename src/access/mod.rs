//! Who may call, what for, and how much: tenants, their clients, and the switches for new
//! rounds.
//!
//! The file is TOML and read strictly:
//!
//! | key | what |
//! |---|---|
//! | `[new_rounds]` | switches; what is absent is open |
//! | `all` | `false` closes new rounds for everyone |
//! | `reason` | why anything is closed; required then, and told to callers |
//! | `disabled_rulesets` | closed rulesets, by id or content hash |
//! | `disabled_tenants`, `disabled_jurisdictions` | who gets no new rounds |
//! | `[[tenants]]` | a tenant of the manifest |
//! | `tenant`, `jurisdiction` | its name there; where it plays, for the switches |
//! | `rulesets`, `currencies` | the only ones that it may play; absent: all |
//! | `calls_per_second`, `burst` | how often it may call; absent: without limit |
//! | `concurrent_calls` | how many calls it may have open; absent: without limit |
//! | `[[tenants.clients]]` | one that calls for the tenant |
//! | `name` | for logs |
//! | `roles` | any of `table`, `auditor`, `ops` |
//! | `certificate` | a DNS name or URI among the names of its certificate |
//! | `token_sha256` | instead: SHA-256 of its bearer token |
//!
//! A switch closes what is not begun; rounds that are open settle.

mod file;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use paigow_fairness::encoding::{Hash, Identifier};

pub use file::parse;

/// A role of a client.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum ClientRole {
    /// Opens, deals, sets and settles.
    Table,
    /// Audits.
    Auditor,
    /// Asks what the replica is, and has it verify itself.
    Ops,
}

impl ClientRole {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::Table, Self::Auditor, Self::Ops];

    /// Returns the word of the role in the file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Auditor => "auditor",
            Self::Ops => "ops",
        }
    }
}

/// The restrictions that the operator sets for a tenant.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TenantAccess {
    /// Its name in the manifest.
    pub tenant: Identifier,
    /// Where it plays, as the operator calls it.
    pub jurisdiction: Option<String>,
    /// The only rulesets that it may play, by id or content hash.
    pub rulesets: Option<BTreeSet<String>>,
    /// The only currencies that it may play in, by code.
    pub currencies: Option<BTreeSet<String>>,
    /// How often it may call, if that is limited.
    pub rate: Option<Rate>,
    /// How many calls it may have open, if that is limited.
    pub concurrent_calls: Option<u32>,
}

/// How often a tenant may call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rate {
    /// In the long run, per second, from 1.
    pub per_second: u32,
    /// At once, from 1.
    pub burst: u32,
}

/// A client that calls for a tenant.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AccessClient {
    /// Its name, for logs.
    pub name: String,
    /// What it may do.
    pub roles: BTreeSet<ClientRole>,
    /// Whom it calls for.
    pub tenant: Arc<TenantAccess>,
}

/// Which new rounds are open.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Switches {
    /// Whether all are closed.
    pub all_closed: bool,
    /// Why anything is closed; empty where nothing is.
    pub reason: String,
    /// The closed rulesets, by id or content hash.
    pub rulesets: BTreeSet<String>,
    /// The tenants without new rounds.
    pub tenants: BTreeSet<String>,
    /// The jurisdictions without new rounds.
    pub jurisdictions: BTreeSet<String>,
}

impl std::fmt::Display for Switches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if *self == Self::default() {
            return f.write_str("all open");
        }
        if self.all_closed {
            f.write_str("all closed; ")?;
        }
        for (what, closed) in [
            ("rulesets", &self.rulesets),
            ("tenants", &self.tenants),
            ("jurisdictions", &self.jurisdictions),
        ] {
            if !closed.is_empty() {
                let names: Vec<&str> = closed.iter().map(String::as_str).collect();
                write!(f, "{what} closed: {}; ", names.join(", "))?;
            }
        }
        write!(f, "reason: {}", self.reason)
    }
}

impl Switches {
    /// Returns why a tenant gets no new rounds of any ruleset, if it gets none.
    #[must_use]
    pub fn closed_for(&self, tenant: &TenantAccess) -> Option<&str> {
        let by_place = tenant.jurisdiction.as_ref();
        let closed = self.all_closed
            || self.tenants.contains(tenant.tenant.as_str())
            || by_place.is_some_and(|place| self.jurisdictions.contains(place));
        closed.then_some(self.reason.as_str())
    }
}

/// Who may call.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Access {
    /// The switches for new rounds.
    pub switches: Switches,
    tenants: BTreeMap<Identifier, Arc<TenantAccess>>,
    by_certificate: BTreeMap<String, Arc<AccessClient>>,
    by_token: BTreeMap<Hash, Arc<AccessClient>>,
    /// Who everybody is, where nobody says who he is.
    everybody: Option<Arc<AccessClient>>,
}

impl Access {
    /// Returns the access of a development machine: every caller is `tenant` and may do
    /// everything.
    #[must_use]
    pub fn of_everybody(tenant: Identifier) -> Self {
        let limits = TenantAccess {
            tenant: tenant.clone(),
            jurisdiction: None,
            rulesets: None,
            currencies: None,
            rate: None,
            concurrent_calls: None,
        };
        let limits = Arc::new(limits);
        let client = AccessClient {
            name: "everybody".to_owned(),
            roles: BTreeSet::from(ClientRole::ALL),
            tenant: Arc::clone(&limits),
        };
        Self {
            tenants: BTreeMap::from([(tenant, limits)]),
            everybody: Some(Arc::new(client)),
            ..Self::default()
        }
    }

    /// Returns the tenants, by name.
    pub fn tenants(&self) -> impl Iterator<Item = &TenantAccess> {
        self.tenants.values().map(AsRef::as_ref)
    }

    /// Returns everyone who may call.
    pub fn clients(&self) -> impl Iterator<Item = &Arc<AccessClient>> {
        self.by_certificate.values().chain(self.by_token.values()).chain(&self.everybody)
    }

    /// Returns who everybody is, where no caller has to say who he is.
    #[must_use]
    pub const fn everybody(&self) -> Option<&Arc<AccessClient>> {
        self.everybody.as_ref()
    }

    /// Returns the client that a verified certificate with these names is.
    #[must_use]
    pub fn by_certificate(&self, names: &[String]) -> Option<&Arc<AccessClient>> {
        names.iter().find_map(|name| self.by_certificate.get(name))
    }

    /// Returns the client whose bearer token this is.
    ///
    /// The token is hashed before it is looked up, so how long that takes says nothing
    /// of any token.
    #[must_use]
    pub fn by_token(&self, token: &[u8]) -> Option<&Arc<AccessClient>> {
        self.by_token.get(&Hash::of(token))
    }
}

#[cfg(test)]
mod tests;
