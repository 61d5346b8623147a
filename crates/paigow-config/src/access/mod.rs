//! Access: tenants, their clients and the limits of their calls. Also the switches that stop play.
//!
//! The file is TOML and read strictly:
//!
//! | key | what |
//! |---|---|
//! | `[closed_to_new_rounds]` | a switch: nothing is opened; what was opened goes on |
//! | `[halted]` | a switch: nothing is dealt; rounds are settled and voided |
//! | `reason` | in a switch: why; required: callers see it |
//! | `engine` | in a switch: `true` for every round of the engine |
//! | `rulesets` | in a switch: for these, by id or content hash |
//! | `tenants`, `jurisdictions` | in a switch: for these |
//! | `[[tenants]]` | a tenant of the manifest |
//! | `tenant`, `jurisdiction` | its name there; where it plays, for the switches |
//! | `rulesets`, `currencies` | the only ones that it may play; absent: all |
//! | `minimum_beacon_lead_seconds` | how long before the beacon's round a round is opened at the latest; absent: 10 |
//! | `calls_per_second`, `burst` | how often it may call; absent: without limit |
//! | `concurrent_calls` | how many calls it may have open; absent: without limit |
//! | `[[tenants.clients]]` | one that calls for the tenant |
//! | `name` | for logs |
//! | `roles` | any of `table`, `auditor`, `ops` |
//! | `certificate` | a DNS name or URI among the names of its certificate |
//! | `token_sha256` | instead: SHA-256 of its bearer token |
//!
//! A value without effect is a fault.
//!
//! A call has to identify one client. A certificate with names of two clients identifies none. A
//! bearer token beside the certificate of a client has to be of the same client.

mod file;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use paigow_fairness::encoding::{Hash, Identifier};
use paigow_round::{CallerSwitch, SwitchScope};

pub use file::parse;

/// The default of the least time from an opening to the publication of the beacon's round, in
/// seconds.
///
/// It is enough to lock wagers and to have a witness date them.
pub const MINIMUM_BEACON_LEAD: u64 = 10;

/// A role of a client.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum ClientRole {
    /// Opens, deals, sets and settles.
    Table,
    /// Audits.
    Auditor,
    /// Asks for the state of the replica, and lets it verify itself.
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
    /// The jurisdiction in which it plays, as the operator names it.
    pub jurisdiction: Option<String>,
    /// The only rulesets that it may play, by id or content hash.
    pub rulesets: Option<BTreeSet<String>>,
    /// The only currencies that it may play in, by code.
    pub currencies: Option<BTreeSet<String>>,
    /// The least time from an opening to the publication of the beacon's round, in seconds.
    pub minimum_beacon_lead: u64,
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
    /// The roles, which state the calls that it may make.
    pub roles: BTreeSet<ClientRole>,
    /// The tenant that it calls for.
    pub tenant: Arc<TenantAccess>,
}

/// A switch of the operator. The default holds for nothing.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Switch {
    /// Whether it holds for every round of the engine.
    pub engine: bool,
    /// The reason; empty if it holds for nothing.
    pub reason: String,
    /// The rulesets that it holds for, by id or content hash.
    pub rulesets: BTreeSet<String>,
    /// The tenants that it holds for.
    pub tenants: BTreeSet<String>,
    /// The jurisdictions that it holds for.
    pub jurisdictions: BTreeSet<String>,
}

impl std::fmt::Display for Switch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if *self == Self::default() {
            return f.write_str("off");
        }
        if self.engine {
            f.write_str("engine; ")?;
        }
        for (what, names) in [
            ("rulesets", &self.rulesets),
            ("tenants", &self.tenants),
            ("jurisdictions", &self.jurisdictions),
        ] {
            if !names.is_empty() {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                write!(f, "{what}: {}; ", names.join(", "))?;
            }
        }
        write!(f, "reason: {}", self.reason)
    }
}

impl Switch {
    /// Returns the switch as it applies to a tenant.
    #[must_use]
    pub fn of_tenant(&self, tenant: &TenantAccess) -> CallerSwitch {
        let place = tenant.jurisdiction.as_ref();
        let every_ruleset = if self.engine {
            Some(SwitchScope::Engine)
        } else if self.tenants.contains(tenant.tenant.as_str()) {
            Some(SwitchScope::Tenant)
        } else if place.is_some_and(|place| self.jurisdictions.contains(place)) {
            Some(SwitchScope::Jurisdiction)
        } else {
            None
        };
        let (rulesets, why) = (self.rulesets.clone(), self.reason.clone());
        CallerSwitch { every_ruleset, rulesets, why }
    }
}

/// The switches that stop play.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Switches {
    /// Nothing is opened.
    pub closed_to_new_rounds: Switch,
    /// Nothing is dealt.
    pub halted: Switch,
}

impl Switches {
    /// Returns each switch with its name in the file.
    #[must_use]
    pub const fn named(&self) -> [(&'static str, &Switch); 2] {
        [("closed_to_new_rounds", &self.closed_to_new_rounds), ("halted", &self.halted)]
    }
}

impl std::fmt::Display for Switches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "closed to new rounds: {}; halted: {}", self.closed_to_new_rounds, self.halted)
    }
}

/// A certificate that has names of different clients.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AmbiguousCertificate;

/// The clients that may call.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Access {
    /// The switches that stop play.
    pub switches: Switches,
    tenants: BTreeMap<Identifier, Arc<TenantAccess>>,
    by_certificate: BTreeMap<String, Arc<AccessClient>>,
    by_token: BTreeMap<Hash, Arc<AccessClient>>,
    /// The client that every caller counts as, if callers do not identify themselves.
    everybody: Option<Arc<AccessClient>>,
}

impl Access {
    /// Returns the access of a development machine: every caller is `tenant` and has every role.
    #[must_use]
    pub fn of_everybody(tenant: Identifier) -> Self {
        let limits = TenantAccess {
            tenant: tenant.clone(),
            jurisdiction: None,
            rulesets: None,
            currencies: None,
            minimum_beacon_lead: MINIMUM_BEACON_LEAD,
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

    /// Returns every client that may call.
    pub fn clients(&self) -> impl Iterator<Item = &Arc<AccessClient>> {
        self.by_certificate.values().chain(self.by_token.values()).chain(&self.everybody)
    }

    /// Returns the client that every caller counts as, if callers do not have to identify
    /// themselves.
    #[must_use]
    pub const fn everybody(&self) -> Option<&Arc<AccessClient>> {
        self.everybody.as_ref()
    }

    /// Returns the client of a verified certificate with these names, or [`None`] if no client has
    /// one of them.
    ///
    /// # Errors
    ///
    /// [`AmbiguousCertificate`] if different clients have names of the certificate.
    pub fn by_certificate(
        &self,
        names: &[String],
    ) -> Result<Option<&Arc<AccessClient>>, AmbiguousCertificate> {
        let mut clients = names.iter().filter_map(|name| self.by_certificate.get(name));
        let Some(first) = clients.next() else { return Ok(None) };
        let is_one = clients.all(|client| client.name == first.name);
        if is_one { Ok(Some(first)) } else { Err(AmbiguousCertificate) }
    }

    /// Returns the client whose bearer token this is.
    ///
    /// The token is hashed before it is looked up, so the time of the look-up reveals nothing about
    /// any token.
    #[must_use]
    pub fn by_token(&self, token: &[u8]) -> Option<&Arc<AccessClient>> {
        self.by_token.get(&Hash::of(token))
    }
}

#[cfg(test)]
mod tests;
