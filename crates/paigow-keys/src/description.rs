//! A manifest as an operator writes it, in TOML: `example.toml` has every member.
//!
//! `seq` and `prev` follow from the manifests before. The salt of a completed epoch is
//! computed, never typed.

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use serde::Deserialize;
use toml::value::Datetime;

use paigow_fairness::beacon::{Beacon, BeaconRound};
use paigow_fairness::encoding::{Hash, Identifier, hex_bytes};
use paigow_fairness::log_proof::PublicLog;
use paigow_fairness::manifest::{
    AbsentPolicy, Build, ClientPolicy, Epoch, EpochStatus, ExternalPolicy, ListedHouseWay,
    ListedRuleset, Manifest, ManifestTenant, Policy, ReceiptKey, Root, SaltSource, SeatAuth, Suite,
};
use paigow_fairness::seed::{house_way_hash, ruleset_hash};
use paigow_fairness::signature::PublicKey;
use paigow_files::command::find_house_way;
use paigow_files::command::{CommandError, parse_rules};
use paigow_files::keys::{listed_house_ways, listed_rulesets};
use paigow_files::utc;
use paigow_round::Catalogue;
use paigow_round::ENGINE_ID;
use paigow_rules::game::{self, Ruleset};

/// A description with every member, its keys and hashes left as `<64 hex>`.
pub(super) const EXAMPLE: &str = include_str!("example.toml");

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ManifestDescription {
    engine: Option<String>,
    rulesets: Option<Vec<String>>,
    house_ways: Option<Vec<String>>,
    root: RootText,
    receipt_keys: Vec<ReceiptKeyText>,
    #[serde(default)]
    epochs: Vec<EpochText>,
    #[serde(default)]
    tenants: Vec<TenantText>,
    builds: Option<Vec<BuildText>>,
    beacon: Option<BeaconText>,
    log: Option<LogText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RootText {
    threshold: usize,
    keys: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReceiptKeyText {
    public: String,
    #[serde(default)]
    revoked: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BeaconText {
    id: String,
    genesis: Datetime,
    group: String,
    period: u32,
    public: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LogText {
    origin: String,
    public: String,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SuiteText {
    Derived,
    Fresh,
    Vrf,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StatusText {
    #[default]
    Active,
    Revoked,
    Revealed,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EpochText {
    epoch: u32,
    suite: SuiteText,
    commit: Option<String>,
    vrf_key: Option<String>,
    open_from: Datetime,
    open_until: Datetime,
    settle_until: Datetime,
    #[serde(default)]
    status: StatusText,
    salt: Option<SaltText>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum SaltText {
    Word(String),
    Party(PartyText),
    Drand(DrandText),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartyText {
    party: String,
    value: Option<String>,
    signature: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DrandText {
    beacon_round: u64,
    signature: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "lowercase")]
enum PolicyWord {
    Off,
    None,
    Optional,
    Committed,
    Required,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ExternalText {
    #[default]
    None,
    Drand,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TenantText {
    tenant: String,
    lock: PolicyWord,
    chain: PolicyWord,
    client: PolicyWord,
    seat_auth: PolicyWord,
    absent: Option<PolicyWord>,
    #[serde(default)]
    external: ExternalText,
    #[serde(default)]
    ledger_keys: Vec<String>,
    tables: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BuildText {
    name: String,
    digest: String,
}

/// A fault with its place in the file.
fn at(place: impl Display, what: impl Display) -> CommandError {
    CommandError::Data(format!("{place}: {what}"))
}

fn parsed<T: FromStr<Err: Display>>(place: impl Display, text: &str) -> Result<T, CommandError> {
    text.parse().map_err(|error| at(place, error))
}

fn key(place: impl Display, text: &str) -> Result<PublicKey, CommandError> {
    PublicKey::from_hex(text).map_err(|error| at(place, error))
}

fn keys(place: &str, texts: &[String]) -> Result<Vec<PublicKey>, CommandError> {
    texts.iter().enumerate().map(|(i, text)| key(format!("{place}[{i}]"), text)).collect()
}

impl ManifestDescription {
    /// Reads a description.
    pub(super) fn parse(text: &str) -> Result<Self, CommandError> {
        toml::from_str(text).map_err(|error| CommandError::Data(error.to_string()))
    }

    /// Makes the manifest that comes after `prev` with the number `seq`.
    pub(super) fn manifest(&self, seq: u64, prev: Hash) -> Result<Manifest, CommandError> {
        let root =
            Root { keys: keys("root.keys", &self.root.keys)?, threshold: self.root.threshold };
        if !(1..=root.keys.len()).contains(&root.threshold) || root.keys.len() > 16 {
            return Err(at("root.threshold", "1 to the number of keys, which is at most 16"));
        }
        let house_ways = self.house_ways()?;
        let rulesets = self.rulesets(&house_ways)?;
        let receipt_keys = self.receipt_keys.iter().enumerate().map(|(i, listed)| {
            let key = key(format!("receipt_keys[{i}].public"), &listed.public)?;
            Ok(ReceiptKey { key, revoked: listed.revoked })
        });
        let beacon = self.beacon.as_ref().map(BeaconText::beacon).transpose()?;
        let log = self.log.as_ref().map(LogText::log).transpose()?;
        let epochs = self.epochs.iter().map(|epoch| epoch.epoch(beacon.as_ref()));
        let tenants = self.tenants.iter().map(TenantText::tenant);
        let builds = self.builds.as_ref().map(|builds| {
            let build = |build: &BuildText| {
                Ok(Build {
                    name: parsed("builds.name", &build.name)?,
                    digest: parsed("builds.digest", &build.digest)?,
                })
            };
            builds.iter().map(build).collect::<Result<Vec<_>, CommandError>>()
        });
        Ok(Manifest {
            builds: builds.transpose()?,
            engine: parsed("engine", self.engine.as_deref().unwrap_or(ENGINE_ID))?,
            epochs: epochs.collect::<Result<_, CommandError>>()?,
            house_ways,
            log,
            prev,
            receipt_keys: receipt_keys.collect::<Result<_, CommandError>>()?,
            root,
            rulesets,
            seq,
            tenants: tenants.collect::<Result<_, CommandError>>()?,
            beacon,
        })
    }

    fn rulesets(&self, house_ways: &[ListedHouseWay]) -> Result<Vec<ListedRuleset>, CommandError> {
        let Some(names) = &self.rulesets else {
            return listed_rulesets(&Catalogue::shipped()).map_err(|error| at("rulesets", error));
        };
        let list = |name: &String| {
            let ruleset = find_ruleset(name)?;
            let way = ruleset.house_way();
            if !house_ways.iter().any(|listed| listed.hash.to_string() == way.hash) {
                let what = format!("its house way {} ({}) is not in house_ways", way.id, way.hash);
                return Err(at(name, what));
            }
            Ok(ListedRuleset {
                cards: u8::try_from(ruleset.cards()).map_err(|error| at(name, error))?,
                hash: ruleset_hash(ruleset.id(), ruleset.text().as_bytes()),
                name: parsed(name, ruleset.id())?,
            })
        };
        names.iter().map(list).collect()
    }

    fn house_ways(&self) -> Result<Vec<ListedHouseWay>, CommandError> {
        let Some(names) = &self.house_ways else {
            return listed_house_ways(&Catalogue::shipped())
                .map_err(|error| at("house_ways", error));
        };
        let list = |name: &String| {
            let way = find_house_way(name)?;
            let hash = house_way_hash(way.id(), way.text().as_bytes());
            Ok(ListedHouseWay { hash, name: parsed(name, way.id())? })
        };
        names.iter().map(list).collect()
    }
}

/// Finds a ruleset: the id of one that is compiled in, or the path of a file.
fn find_ruleset(name: &str) -> Result<Ruleset, CommandError> {
    if let Some(ruleset) = game::shipped().iter().find(|ruleset| ruleset.id() == name) {
        return Ok(ruleset.clone());
    }
    parse_rules(Path::new(name), Ruleset::parse)
}

impl BeaconText {
    fn beacon(&self) -> Result<Beacon, CommandError> {
        let genesis = utc::seconds(&self.genesis)
            .ok_or_else(|| at("beacon.genesis", "a time in UTC and whole seconds"))?;
        let beacon = Beacon {
            genesis,
            group: parsed("beacon.group", &self.group)?,
            id: parsed("beacon.id", &self.id)?,
            period: u64::from(self.period),
            key: hex_bytes(&self.public).map_err(|error| at("beacon.public", error))?,
        };
        if !(1..=24 * 3600).contains(&beacon.period) {
            return Err(at("beacon.period", "1 to 86400 seconds"));
        }
        if !beacon.has_good_key() {
            return Err(at("beacon.public", "not a public key of drand: a point of G2"));
        }
        Ok(beacon)
    }
}

impl LogText {
    fn log(&self) -> Result<PublicLog, CommandError> {
        let origin = parsed("log.origin", &self.origin)?;
        Ok(PublicLog { origin, key: key("log.public", &self.public)? })
    }
}

impl EpochText {
    fn epoch(&self, beacon: Option<&Beacon>) -> Result<Epoch, CommandError> {
        let place = |member: &str| format!("epoch {}, {member}", self.epoch);
        if self.epoch > i32::MAX.unsigned_abs() {
            return Err(at(place("epoch"), "at most 2147483647"));
        }
        let time = |member: &str, time: &Datetime| {
            let refused = "a time in UTC and whole seconds, as 2026-12-01T06:00:00Z";
            utc::seconds(time).ok_or_else(|| at(place(member), refused))
        };
        let commit: Option<Hash> =
            self.commit.as_ref().map(|text| parsed(place("commit"), text)).transpose()?;
        let vrf_key = self.vrf_key.as_ref();
        let vrf_key = vrf_key.map(|text| key(place("vrf_key"), text)).transpose()?;
        let salt = self.salt.as_ref();
        let salt_source = salt.map(|salt| salt.source(&place("salt"), beacon)).transpose()?;
        let mut epoch = Epoch {
            epoch: self.epoch,
            suite: match self.suite {
                SuiteText::Derived => Suite::Derived,
                SuiteText::Fresh => Suite::Fresh,
                SuiteText::Vrf => Suite::Vrf,
            },
            commit,
            vrf_key,
            salt_source,
            salt: None,
            open_from: time("open_from", &self.open_from)?,
            open_until: time("open_until", &self.open_until)?,
            settle_until: time("settle_until", &self.settle_until)?,
            status: match self.status {
                StatusText::Active => EpochStatus::Active,
                StatusText::Revoked => EpochStatus::Revoked,
                StatusText::Revealed => EpochStatus::Revealed,
            },
        };
        if let (Some(commitment), Some(source)) = (epoch.commitment(), &epoch.salt_source) {
            let salt = source.salt(self.epoch, None, &commitment, beacon);
            epoch.salt = salt.map_err(|what| at(place("salt"), what))?;
        }
        Ok(epoch)
    }
}

impl SaltText {
    fn source(&self, place: &str, beacon: Option<&Beacon>) -> Result<SaltSource, CommandError> {
        match self {
            Self::Word(word) if word == "none" => Ok(SaltSource::None),
            Self::Word(_) => Err(at(place, "\"none\", or a table with party or beacon_round")),
            Self::Drand(drand) => {
                let beacon = beacon.ok_or_else(|| at(place, "beacon_round needs [beacon]"))?;
                if drand.beacon_round == 0 {
                    return Err(at(place, "rounds of a beacon are numbered from 1"));
                }
                let named = BeaconRound { chain: beacon.chain(), round: drand.beacon_round };
                let signature = drand.signature.as_ref();
                let signature = signature.map(|text| hex_bytes(text)).transpose();
                Ok(SaltSource::Drand {
                    named,
                    signature: signature.map_err(|error| at(place, error))?,
                })
            }
            Self::Party(party) => {
                let value = match (&party.value, &party.signature) {
                    (None, None) => None,
                    (Some(value), Some(signature)) => Some((
                        hex_bytes(value).map_err(|error| at(place, error))?,
                        hex_bytes(signature).map_err(|error| at(place, error))?,
                    )),
                    (Some(_), None) | (None, Some(_)) => {
                        return Err(at(place, "value and signature come together"));
                    }
                };
                Ok(SaltSource::Party { key: key(place, &party.party)?, value })
            }
        }
    }
}

impl TenantText {
    fn tenant(&self) -> Result<ManifestTenant, CommandError> {
        let place = |member: &str| format!("tenant {}, {member}", self.tenant);
        let switch = |member: &str, demand: PolicyWord| match demand {
            PolicyWord::Off => Ok(false),
            PolicyWord::Required => Ok(true),
            PolicyWord::None | PolicyWord::Optional | PolicyWord::Committed => {
                Err(at(place(member), "required or off"))
            }
        };
        let policy = Policy {
            client: match self.client {
                PolicyWord::None => ClientPolicy::None,
                PolicyWord::Optional => ClientPolicy::Optional,
                PolicyWord::Committed => ClientPolicy::Committed,
                PolicyWord::Off | PolicyWord::Required => {
                    return Err(at(place("client"), "none, optional or committed"));
                }
            },
            lock_required: switch("lock", self.lock)?,
            chain_required: switch("chain", self.chain)?,
            seat_auth: match self.seat_auth {
                PolicyWord::Off => SeatAuth::Off,
                PolicyWord::Optional => SeatAuth::Optional,
                PolicyWord::Required => SeatAuth::Required,
                PolicyWord::None | PolicyWord::Committed => {
                    return Err(at(place("seat_auth"), "off, optional or required"));
                }
            },
            absent: match self.absent {
                None | Some(PolicyWord::Off) => AbsentPolicy::Off,
                Some(PolicyWord::Optional) => AbsentPolicy::Optional,
                Some(PolicyWord::Required) => AbsentPolicy::Required,
                Some(PolicyWord::None | PolicyWord::Committed) => {
                    return Err(at(place("absent"), "off, optional or required"));
                }
            },
            external: match self.external {
                ExternalText::None => ExternalPolicy::None,
                ExternalText::Drand => ExternalPolicy::Drand,
            },
        };
        let tables = self.tables.as_ref().map(|tables| {
            let table = |table: &String| parsed(place("tables"), table);
            tables.iter().map(table).collect::<Result<Vec<Identifier>, CommandError>>()
        });
        Ok(ManifestTenant {
            ledger_keys: keys(&place("ledger_keys"), &self.ledger_keys)?,
            policy,
            tables: tables.transpose()?,
            tenant: parsed(place("tenant"), &self.tenant)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The documented example, its placeholders filled in.
    fn example() -> String {
        let keys: Vec<String> = (1..=12)
            .map(|byte| paigow_engine::SecretKey::from_bytes(&[byte; 32]).public().to_string())
            .collect();
        let mut text = EXAMPLE.to_owned();
        for (place, key) in (0..).zip(keys.iter().cycle()) {
            if !text.contains("<64 hex>") || place > 100 {
                break;
            }
            text = text.replacen("<64 hex>", key, 1);
        }
        text
    }

    #[test]
    fn the_documented_example_is_a_sound_manifest() {
        let manifest =
            ManifestDescription::parse(&example()).unwrap().manifest(1, Hash::ZERO).unwrap();
        assert_eq!(paigow_fairness::manifest::rule_faults(&[&manifest]), []);
        let again = Manifest::parse(manifest.to_json()).unwrap();
        assert_eq!(again, manifest);
        assert_eq!(manifest.root.threshold, 2);
        // `date -u +%s -d 2026-12-01T06:00:00Z`.
        assert_eq!(manifest.epochs[0].open_from, 1_796_104_800);
        assert!(!manifest.epochs[0].is_complete());
        assert!(manifest.tenants[0].policy.lock_required);
    }

    #[test]
    fn a_fault_names_its_place() {
        for (good, bad, what) in [
            ("threshold = 2", "threshold = 4", "root.threshold"),
            ("lock = \"required\"", "lock = \"optional\"", "tenant acme, lock"),
            ("client = \"committed\"", "client = \"off\"", "tenant acme, client"),
            ("seat_auth = \"optional\"", "seat_auth = \"none\"", "tenant acme, seat_auth"),
            ("06:00:00Z", "06:00:00+01:00", "epoch 1, open_from"),
            ("\"T1\"", "\"T 1\"", "tenant acme, tables"),
            ("suite = \"derived\"", "suite = \"drawn\"", "drawn"),
            ("engine = ", "motor = ", "motor"),
            ("rulesets = [\"mikes\"]", "rulesets = [\"nobodys\"]", "nobodys"),
        ] {
            let text = example().replacen(good, bad, 1);
            let made = ManifestDescription::parse(&text).and_then(|d| d.manifest(1, Hash::ZERO));
            let error = made.unwrap_err().to_string();
            assert!(error.contains(what), "{bad}: {error}");
        }
    }
}
