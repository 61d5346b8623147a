//! The rules for a chain of manifests. A server loads no chain that breaks one, and an audit fails
//! it (check `MANIFEST_RULES`).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use super::epoch::OTHER_CHAIN;
use super::{
    AbsentPolicy, Epoch, EpochStatus, ExternalPolicy, Manifest, SaltSource, SeatAuth, Suite,
};
use crate::beacon::Beacon;
use crate::encoding::Hash;
use crate::signature::PublicKey;

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// A rule for a chain of manifests. Each fault of a chain breaks one.
        #[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
        pub enum ManifestRule {
            $($(#[$doc])* $name,)*
        }

        impl ManifestRule {
            /// Every rule, in the order in which one manifest is checked.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the code of the rule.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

rules! {
    /// A manifest lists a receipt key.
    ReceiptKeys = "RECEIPT_KEYS";
    /// An epoch of the derived suite has a commitment and a salt source. One of the vrf suite has a
    /// key in place of the commitment. One of the fresh suite has none of these.
    SuiteMembers = "SUITE_MEMBERS";
    /// A drand salt names the chain of the manifest's beacon.
    SaltSource = "SALT_SOURCE";
    /// The salt is what its source gives, and the witness or the beacon signed for it.
    Salt = "SALT";
    /// `open_from` is before `open_until`, and `settle_until` at least 7 days later.
    Window = "WINDOW";
    /// The windows of two epochs of one manifest do not overlap.
    WindowsOverlap = "WINDOWS_OVERLAP";
    /// A manifest lists no epoch, tenant, ruleset or house way twice.
    ListedTwice = "LISTED_TWICE";
    /// The fresh suite needs `lock: required` and `chain: required`.
    FreshPolicy = "FRESH_POLICY";
    /// The clause `absent` needs `lock: required` and seats that sign.
    AbsentPolicy = "ABSENT_POLICY";
    /// `external: drand` needs `lock: required` and a beacon.
    ExternalPolicy = "EXTERNAL_POLICY";
    /// A tenant with `lock: required` has a ledger key.
    LedgerKeys = "LEDGER_KEYS";
    /// Of a listed epoch only its completion and its status change.
    EpochChanged = "EPOCH_CHANGED";
    /// An epoch is listed until it is revealed.
    EpochDropped = "EPOCH_DROPPED";
    /// Once a manifest lists a beacon, every later manifest lists the same.
    BeaconChanged = "BEACON_CHANGED";
    /// An epoch is announced before it has its salt.
    SaltBeforeAnnouncement = "SALT_BEFORE_ANNOUNCEMENT";
    /// An epoch that was dropped is not listed again: its secret is published.
    ListedAgain = "LISTED_AGAIN";
    /// All epochs of a chain are of one suite.
    OneSuite = "ONE_SUITE";
    /// A key has one role over the whole chain: root, receipt, ledger, witness, VRF or log.
    KeyRoles = "KEY_ROLES";
    /// Two epochs have different secrets. The keys of the vrf suite show it, and reveals do.
    SecretTwice = "SECRET_TWICE";
}

/// A fault of a chain of manifests.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ManifestFault {
    /// The place of the manifest, from 0.
    pub index: usize,
    /// The rule that the chain breaks; [`None`] if form, signatures or links are at fault.
    pub rule: Option<ManifestRule>,
    /// A description of the fault.
    pub what: String,
}

impl Display for ManifestFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "manifest {} of the chain: {}", self.index + 1, self.what)
    }
}

/// Seven days in seconds: how long rounds can be settled at the least.
const SETTLE_MARGIN: u64 = 7 * 24 * 3600;

/// Returns the faults in the content of a chain of manifests, oldest first. Signatures are not
/// checked.
///
/// The chain begins with manifest 1, or with a later one that the caller knows to follow the rules.
/// Each fault names the manifest and the rule.
#[must_use]
pub fn rule_faults(chain: &[&Manifest]) -> Vec<ManifestFault> {
    let mut faults = Vec::new();
    // Every epoch that was ever listed, because its number is used up. The value is the hash of the
    // manifest that first lists it, if known. The next manifest names that hash.
    let mut listed: BTreeMap<u32, Option<Hash>> = BTreeMap::new();
    let mut roles = KeyRoles::default();
    let mut vrf_keys: BTreeMap<PublicKey, u32> = BTreeMap::new();
    let mut suite = None;
    let mut before: Option<&Manifest> = None;
    for (index, manifest) in chain.iter().enumerate() {
        let mut note = |rule, what: String| {
            faults.push(ManifestFault { index, rule: Some(rule), what });
        };
        let is_trusted_start = index == 0 && manifest.seq > 1;
        check_manifest(manifest, before, &listed, &mut note);
        if let Some(before) = before {
            check_succession(before, manifest, &mut note);
        }
        for epoch in &manifest.epochs {
            let number = epoch.epoch;
            if before.is_none_or(|before| before.epoch(number).is_none()) {
                let salted = matches!(
                    epoch.salt_source,
                    Some(SaltSource::Party { .. } | SaltSource::Drand { .. })
                );
                if salted && epoch.salt.is_some() && !is_trusted_start {
                    note(
                        ManifestRule::SaltBeforeAnnouncement,
                        format!("epoch {number}: listed with its salt before it was announced"),
                    );
                }
                // Its rounds keep their ids: with another secret they would get a second answer.
                if listed.contains_key(&number) {
                    note(
                        ManifestRule::ListedAgain,
                        format!("epoch {number}: listed again after it was dropped"),
                    );
                }
            }
        }
        let own_hash = chain.get(index + 1).map(|next| next.prev).filter(|_| !is_trusted_start);
        for epoch in &manifest.epochs {
            listed.entry(epoch.epoch).or_insert(own_hash);
        }
        suite = suite.or_else(|| manifest.epochs.first().map(|epoch| epoch.suite));
        if manifest.epochs.iter().any(|epoch| Some(epoch.suite) != suite) {
            note(ManifestRule::OneSuite, "one chain of manifests serves one suite".to_owned());
        }
        for (key, role, other) in roles.add(manifest) {
            let what = format!("key {}: a {role} key that is a {other} key too", key.kid());
            note(ManifestRule::KeyRoles, what);
        }
        for epoch in &manifest.epochs {
            let Some(key) = epoch.vrf_key else { continue };
            let (first, number) = (*vrf_keys.entry(key).or_insert(epoch.epoch), epoch.epoch);
            if first != number {
                let what = format!("epoch {number}: its vrf_key is that of epoch {first}");
                note(ManifestRule::SecretTwice, what);
            }
        }
        before = Some(*manifest);
    }
    faults
}

/// Returns the keys that a manifest lists, each with its role: `root`, `receipt`, `ledger`,
/// `witness`, `vrf` or `log`. A key may occur more than once.
pub fn keys_by_role(manifest: &Manifest) -> impl Iterator<Item = (PublicKey, &'static str)> {
    let witness = |epoch: &Epoch| match epoch.salt_source {
        Some(SaltSource::Party { key, .. }) => Some(key),
        Some(SaltSource::None | SaltSource::Drand { .. }) | None => None,
    };
    let root = manifest.root.keys.iter().map(|key| (*key, "root"));
    let receipt = manifest.receipt_keys.iter().map(|listed| (listed.key, "receipt"));
    let ledger = manifest.tenants.iter().flat_map(|tenant| &tenant.ledger_keys);
    let ledger = ledger.map(|key| (*key, "ledger"));
    let witness = manifest.epochs.iter().filter_map(witness).map(|key| (key, "witness"));
    let vrf = manifest.epochs.iter().filter_map(|epoch| epoch.vrf_key).map(|key| (key, "vrf"));
    let log = manifest.log.iter().map(|log| (log.key, "log"));
    root.chain(receipt).chain(ledger).chain(witness).chain(vrf).chain(log)
}

/// The role of each key over a chain of manifests.
#[derive(Clone, Debug, Default)]
pub struct KeyRoles {
    roles: BTreeMap<PublicKey, Vec<&'static str>>,
}

impl KeyRoles {
    /// Adds the keys of a manifest. Returns each key that gets a further role, with that role and
    /// with its first role.
    pub fn add(&mut self, manifest: &Manifest) -> Vec<(PublicKey, &'static str, &'static str)> {
        let mut clashes = Vec::new();
        for (key, role) in keys_by_role(manifest) {
            let roles = self.roles.entry(key).or_default();
            if !roles.contains(&role) {
                roles.push(role);
                if roles.len() > 1 {
                    clashes.push((key, role, roles[0]));
                }
            }
        }
        clashes
    }

    /// Returns the first role of a key: `root`, `receipt`, `ledger`, `witness`, `vrf` or `log`.
    #[must_use]
    pub fn role(&self, key: &PublicKey) -> Option<&'static str> {
        self.roles.get(key).map(|roles| roles[0])
    }

    /// Returns the keys that have a role, each once, ascending.
    pub fn keys(&self, role: &'static str) -> impl Iterator<Item = &PublicKey> {
        let has = move |roles: &Vec<&str>| roles.contains(&role);
        self.roles.iter().filter(move |(_, roles)| has(roles)).map(|(key, _)| key)
    }
}

fn check_manifest(
    manifest: &Manifest,
    before: Option<&Manifest>,
    listed: &BTreeMap<u32, Option<Hash>>,
    note: &mut impl FnMut(ManifestRule, String),
) {
    if manifest.receipt_keys.is_empty() {
        note(ManifestRule::ReceiptKeys, "receipt_keys: none".to_owned());
    }
    let mut fresh = false;
    let mut windows = Vec::new();
    for epoch in &manifest.epochs {
        fresh |= epoch.suite == Suite::Fresh;
        let announcement = listed.get(&epoch.epoch).and_then(Option::as_ref);
        // If the previous manifest had the beacon's signature, it was verified then. A verification
        // is slow.
        let had = before.and_then(|before| before.epoch(epoch.epoch));
        let is_verified = matches!(epoch.salt_source, Some(SaltSource::Drand { .. }))
            && had.is_some_and(|had| {
                (&had.salt_source, had.salt) == (&epoch.salt_source, epoch.salt)
            })
            && before.is_some_and(|before| before.beacon == manifest.beacon);
        if !is_verified {
            check_salt(epoch, announcement, manifest.beacon.as_ref(), note);
        }
        check_epoch(epoch, note);
        windows.push((epoch.open_from, epoch.open_until, epoch.epoch));
    }
    windows.sort_unstable();
    if windows.windows(2).any(|pair| pair[1].0 < pair[0].1) {
        note(ManifestRule::WindowsOverlap, "the windows of two epochs overlap".to_owned());
    }
    note_repeated("epoch", manifest.epochs.iter().map(|epoch| epoch.epoch), note);
    note_repeated("tenant", manifest.tenants.iter().map(|tenant| &tenant.tenant), note);
    note_repeated("ruleset", manifest.rulesets.iter().map(|ruleset| &ruleset.name), note);
    note_repeated("house way", manifest.house_ways.iter().map(|way| &way.name), note);
    for tenant in &manifest.tenants {
        let policy = tenant.policy;
        if fresh && !(policy.lock_required && policy.chain_required) {
            let what = format!(
                "tenant {}: the fresh suite needs lock: required and chain: required",
                tenant.tenant
            );
            note(ManifestRule::FreshPolicy, what);
        }
        let seats_sign = policy.seat_auth != SeatAuth::Off;
        if policy.absent != AbsentPolicy::Off && !(policy.lock_required && seats_sign) {
            let what = format!(
                "tenant {}: absent needs lock: required, and seat_auth: optional or required",
                tenant.tenant
            );
            note(ManifestRule::AbsentPolicy, what);
        }
        let is_external = policy.external == ExternalPolicy::Drand;
        if is_external && !(policy.lock_required && manifest.beacon.is_some()) {
            let what = format!(
                "tenant {}: external: drand needs lock: required, and a beacon in the manifest",
                tenant.tenant
            );
            note(ManifestRule::ExternalPolicy, what);
        }
        if policy.lock_required && tenant.ledger_keys.is_empty() {
            let what = format!("tenant {}: lock: required needs a ledger key", tenant.tenant);
            note(ManifestRule::LedgerKeys, what);
        }
    }
}

/// Checks the salt of an epoch. `announcement` is the hash of the manifest that first lists it, if
/// that manifest comes earlier and is known.
fn check_salt(
    epoch: &Epoch,
    announcement: Option<&Hash>,
    beacon: Option<&Beacon>,
    note: &mut impl FnMut(ManifestRule, String),
) {
    let mut fault = |rule, what: &str| note(rule, format!("epoch {}: {what}", epoch.epoch));
    let (Some(commit), Some(source), None) =
        (epoch.commitment(), &epoch.salt_source, epoch.suite_fault())
    else {
        return;
    };
    match source.salt(epoch.epoch, announcement, &commit, beacon) {
        Err(OTHER_CHAIN) => fault(ManifestRule::SaltSource, OTHER_CHAIN),
        Err(what) => fault(ManifestRule::Salt, what),
        Ok(expected) => {
            if epoch.salt.is_some() && epoch.salt != expected {
                fault(ManifestRule::Salt, "the salt is not what its source gives");
            }
            let has_value = !matches!(source, SaltSource::None) && source.announced() != *source;
            if has_value && epoch.salt.is_none() {
                fault(ManifestRule::Salt, "a value without the salt that it gives");
            }
        }
    }
}

/// Checks one epoch by itself.
fn check_epoch(epoch: &Epoch, note: &mut impl FnMut(ManifestRule, String)) {
    let mut fault = |rule, what: &str| note(rule, format!("epoch {}: {what}", epoch.epoch));
    if let Some(what) = epoch.suite_fault() {
        fault(ManifestRule::SuiteMembers, what);
    }
    if !(epoch.open_from < epoch.open_until
        && epoch.open_until.saturating_add(SETTLE_MARGIN) <= epoch.settle_until)
    {
        let what = "open_from < open_until, and settle_until at least 7 days later";
        fault(ManifestRule::Window, what);
    }
}

/// Notes each name that is listed more than once.
fn note_repeated<T: Ord + Display>(
    kind: &str,
    names: impl Iterator<Item = T>,
    note: &mut impl FnMut(ManifestRule, String),
) {
    let mut seen = BTreeSet::new();
    let repeated: BTreeSet<T> = names.filter_map(|name| seen.replace(name)).collect();
    for name in repeated {
        note(ManifestRule::ListedTwice, format!("{kind} {name}: listed more than once"));
    }
}

fn check_succession(
    before: &Manifest,
    after: &Manifest,
    note: &mut impl FnMut(ManifestRule, String),
) {
    for old in &before.epochs {
        let number = old.epoch;
        match after.epoch(number) {
            Some(new) if old.may_become(new) => {}
            Some(_) => note(
                ManifestRule::EpochChanged,
                format!("epoch {number}: only its completion and its status may change"),
            ),
            None if old.status == EpochStatus::Revealed => {}
            None => note(
                ManifestRule::EpochDropped,
                format!("epoch {number}: an epoch is listed until it is revealed"),
            ),
        }
    }
    if before.beacon.is_some() && before.beacon != after.beacon {
        note(ManifestRule::BeaconChanged, "another beacon than before, or none".to_owned());
    }
}
