//! The manifest: the root key's statement of the keys and rules in force (D5).

mod chain;
mod epoch;
mod policy;
mod rules;

pub use chain::{ManifestChain, Root, SignedManifest, verify_chain, verify_chain_while};
pub use epoch::{Epoch, EpochStatus, SaltSource, Suite};
pub use policy::{AbsentPolicy, ClientPolicy, ExternalPolicy, Policy, SeatAuth};
pub use rules::{KeyRoles, ManifestFault, ManifestRule, keys_by_role, rule_faults};

use super::beacon::Beacon;
use super::encoding::{Hash, Identifier};
use super::json::{Json, WriteJson as _};
use super::log_proof::PublicLog;
use super::payload::{Members, PayloadError};
use super::signature::PublicKey;

/// The protocol that every record of this release states.
pub const ALGO: &str = "PGE-FAIR-1";

/// How many keys a role may have.
const MAX_KEYS: usize = 16;
/// How many epochs may be listed: more than a year of days.
const MAX_EPOCHS: usize = 400;
/// How many tenants, rulesets or house ways may be listed.
const MAX_LISTED: usize = 256;
/// How many tables a tenant may have pinned.
const MAX_TABLES: usize = 1024;
/// How many builds may be listed.
const MAX_BUILDS: usize = 64;

/// A key that signs engine records.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ReceiptKey {
    /// The public half.
    pub key: PublicKey,
    /// Whether its signatures no longer count by themselves.
    pub revoked: bool,
}

/// A ruleset that may be dealt.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ListedRuleset {
    /// How many cards its deck has: 53 or 52.
    pub cards: u8,
    /// Its content hash.
    pub hash: Hash,
    /// Its id.
    pub name: Identifier,
}

/// A house way that may set hands.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ListedHouseWay {
    /// Its content hash.
    pub hash: Hash,
    /// Its id.
    pub name: Identifier,
}

/// A caller, and the demands on its rounds.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ManifestTenant {
    /// The keys of its ledger.
    pub ledger_keys: Vec<PublicKey>,
    /// Its switches.
    pub policy: Policy,
    /// Its tables, if they are pinned.
    pub tables: Option<Vec<Identifier>>,
    /// Its authenticated name.
    pub tenant: Identifier,
}

impl ManifestTenant {
    /// Returns the reasons why a production server refuses the tenant; empty if it serves the
    /// tenant.
    #[must_use]
    pub fn production_faults(&self) -> Vec<&'static str> {
        let Policy { lock_required, chain_required, client, .. } = self.policy;
        let could_pick = self.tables.is_none() && client != ClientPolicy::Committed;
        [
            (!lock_required, "has lock: off: a decision can follow the reveal"),
            (!chain_required, "has chain: off: a round can be left out unseen"),
            (
                could_pick,
                "has neither tables nor client: committed: its operator could try names of tables \
                 until the cards please",
            ),
        ]
        .into_iter()
        .filter_map(|(is_wrong, what)| is_wrong.then_some(what))
        .collect()
    }
}

/// A build of the engine that was released for this manifest.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Build {
    /// The SHA-256 of the executable.
    pub digest: Hash,
    /// Its name and version.
    pub name: Identifier,
}

/// The payload of a manifest record.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Manifest {
    /// The chain of public randomness, if salts or rounds use one.
    pub beacon: Option<Beacon>,
    /// Released builds, if they are listed.
    pub builds: Option<Vec<Build>>,
    /// The outcome code that computes its rounds.
    pub engine: Identifier,
    /// Its epochs.
    pub epochs: Vec<Epoch>,
    /// Its house ways.
    pub house_ways: Vec<ListedHouseWay>,
    /// The public log of its records, if there is one.
    pub log: Option<PublicLog>,
    /// The hash of the previous manifest; zero for the first.
    pub prev: Hash,
    /// Its receipt keys; the first signs.
    pub receipt_keys: Vec<ReceiptKey>,
    /// The root that is to be trusted from here on.
    pub root: Root,
    /// Its rulesets.
    pub rulesets: Vec<ListedRuleset>,
    /// Its number in the chain, from 1.
    pub seq: u64,
    /// Its tenants.
    pub tenants: Vec<ManifestTenant>,
}

fn key_json(key: &PublicKey) -> Json<'static> {
    Json::obj([("kid", Json::Str(key.kid().into())), ("pk", Json::str(key))])
}

fn parse_key(members: &mut Members) -> Result<PublicKey, PayloadError> {
    let key = members.key("pk")?;
    if members.text("kid")? == key.kid() {
        Ok(key)
    } else {
        Err(members.blame("kid", "not the id of the key"))
    }
}

fn identifier_list(members: &mut Members, key: &str) -> Result<Vec<Identifier>, PayloadError> {
    members.list(key, |item| match item {
        Json::Str(text) => text.parse().map_err(|_| "not an identifier"),
        Json::Bool(_) | Json::Int(_) | Json::Arr(_) | Json::Obj(_) => Err("not an identifier"),
    })
}

impl Manifest {
    /// Returns the payload as it is signed.
    #[must_use]
    pub fn to_json(&self) -> Json<'static> {
        let named = |name: &Identifier, hash: &Hash| {
            Json::obj([("hash", Json::str(hash)), ("name", Json::str(name))])
        };
        let receipt = |key: &ReceiptKey| {
            key_json(&key.key).with("revoked", key.revoked.then_some(Json::Bool(true)))
        };
        let tenant = |tenant: &ManifestTenant| {
            let tables = tenant.tables.as_ref();
            Json::obj([
                ("ledger_keys", Json::arr(tenant.ledger_keys.iter().map(key_json))),
                ("policy", tenant.policy.to_json()),
                ("tenant", Json::str(&tenant.tenant)),
            ])
            .with("tables", tables.map(|t| Json::arr(t.iter().map(Json::str))))
        };
        let build = |build: &Build| {
            Json::obj([("digest", Json::str(build.digest)), ("name", Json::str(&build.name))])
        };
        Json::obj([
            ("algo", Json::str(ALGO)),
            ("engine", Json::str(&self.engine)),
            ("epochs", Json::arr(self.epochs.iter().map(Epoch::to_json))),
            (
                "house_ways",
                Json::arr(self.house_ways.iter().map(|way| named(&way.name, &way.hash))),
            ),
            ("prev", Json::str(self.prev)),
            ("receipt_keys", Json::arr(self.receipt_keys.iter().map(receipt))),
            ("root", self.root.to_json()),
            (
                "rulesets",
                Json::arr(self.rulesets.iter().map(|r| {
                    named(&r.name, &r.hash).with("cards", Some(Json::Int(u64::from(r.cards))))
                })),
            ),
            ("seq", Json::str(self.seq)),
            ("tenants", Json::arr(self.tenants.iter().map(tenant))),
        ])
        .with("beacon", self.beacon.as_ref().map(Beacon::to_json))
        .with("builds", self.builds.as_ref().map(|b| Json::arr(b.iter().map(build))))
        .with("log", self.log.as_ref().map(PublicLog::to_json))
    }

    /// Reads a payload.
    ///
    /// # Errors
    ///
    /// If a member is missing, unknown or malformed.
    pub fn parse(value: Json) -> Result<Self, PayloadError> {
        let mut members = Members::of(value)?;
        if members.text("algo")? != ALGO {
            return Err(members.blame("algo", "not the protocol of this release"));
        }
        let manifest = Self {
            beacon: members.optional("beacon", |m, k| m.object(k, Beacon::parse))?,
            builds: members.optional("builds", |m, k| {
                m.objects(k, |m| Ok(Build { digest: m.hash("digest")?, name: m.parsed("name")? }))
            })?,
            engine: members.parsed("engine")?,
            epochs: members.objects("epochs", Epoch::parse)?,
            house_ways: members.objects("house_ways", |m| {
                Ok(ListedHouseWay { hash: m.hash("hash")?, name: m.parsed("name")? })
            })?,
            log: members.optional("log", |m, k| m.object(k, PublicLog::parse))?,
            prev: members.hash("prev")?,
            receipt_keys: members.objects("receipt_keys", |m| {
                Ok(ReceiptKey { key: parse_key(m)?, revoked: m.flag("revoked")? })
            })?,
            root: members.object("root", Root::parse)?,
            rulesets: members.objects("rulesets", |m| {
                Ok(ListedRuleset {
                    cards: m.byte("cards", 53)?,
                    hash: m.hash("hash")?,
                    name: m.parsed("name")?,
                })
            })?,
            seq: members.decimal("seq")?,
            tenants: members.objects("tenants", |m| {
                Ok(ManifestTenant {
                    ledger_keys: m.objects("ledger_keys", parse_key)?,
                    policy: m.object("policy", Policy::parse)?,
                    tables: m.optional("tables", identifier_list)?,
                    tenant: m.parsed("tenant")?,
                })
            })?,
        };
        members.finish()?;
        manifest.bounded().map(|()| manifest)
    }

    /// Refuses lists that no deployment needs and that would make every check slow.
    fn bounded(&self) -> Result<(), PayloadError> {
        let within = |path: &str, len: usize, most: usize| {
            let what = "more than a manifest takes";
            if len <= most {
                Ok(())
            } else {
                Err(PayloadError::Member { path: path.to_owned(), what })
            }
        };
        within("builds", self.builds.as_ref().map_or(0, Vec::len), MAX_BUILDS)?;
        within("epochs", self.epochs.len(), MAX_EPOCHS)?;
        within("house_ways", self.house_ways.len(), MAX_LISTED)?;
        within("receipt_keys", self.receipt_keys.len(), MAX_KEYS)?;
        within("root.keys", self.root.keys.len(), MAX_KEYS)?;
        within("rulesets", self.rulesets.len(), MAX_LISTED)?;
        within("tenants", self.tenants.len(), MAX_LISTED)?;
        for (i, tenant) in self.tenants.iter().enumerate() {
            let path = |list: &str| format!("tenants[{i}].{list}");
            within(&path("ledger_keys"), tenant.ledger_keys.len(), MAX_KEYS)?;
            within(&path("tables"), tenant.tables.as_ref().map_or(0, Vec::len), MAX_TABLES)?;
        }
        Ok(())
    }

    /// Returns an epoch by its number.
    #[must_use]
    pub fn epoch(&self, epoch: u32) -> Option<&Epoch> {
        self.epochs.iter().find(|listed| listed.epoch == epoch)
    }

    /// Returns a tenant by its name.
    #[must_use]
    pub fn tenant(&self, tenant: &Identifier) -> Option<&ManifestTenant> {
        self.tenants.iter().find(|listed| listed.tenant == *tenant)
    }

    /// Returns a ruleset by its content hash.
    #[must_use]
    pub fn ruleset(&self, hash: &Hash) -> Option<&ListedRuleset> {
        self.rulesets.iter().find(|listed| listed.hash == *hash)
    }

    /// Returns the public halves of all its receipt keys, revoked ones included.
    #[must_use]
    pub fn receipt_public_keys(&self) -> Vec<PublicKey> {
        self.receipt_keys.iter().map(|key| key.key).collect()
    }
}
