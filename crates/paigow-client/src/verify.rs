//! Checks a settlement before it is paid.

use std::path::{Path, PathBuf};

use paigow_fairness::manifest;
use paigow_fairness::signature::PublicKey;
use paigow_proto::v1::Record;
use paigow_round::Catalogue;
use paigow_round::audit::{self, AuditTerms, CheckCode, CheckStatus};
use paigow_rules::game::{self, Ruleset};
use paigow_rules::house_way::{self, HouseWay};
use serde::Deserialize;

use crate::errors::ClientError;

/// The checks that a settlement must pass before it is paid.
const NEEDED: [CheckCode; 13] = [
    CheckCode::Format,
    CheckCode::Canonical,
    CheckCode::ManifestSig,
    CheckCode::ManifestLink,
    CheckCode::Signatures,
    CheckCode::Chain,
    CheckCode::Policy,
    CheckCode::RoundId,
    CheckCode::Commit,
    CheckCode::Replay,
    CheckCode::DeckCommit,
    CheckCode::CardsShown,
    CheckCode::Results,
];

/// The root keys that a platform trusts.
///
/// # Examples
///
/// ```no_run
/// use paigow_client::Root;
///
/// let root = Root::read("root.json")?;
/// println!("{} of {} keys must sign a manifest", root.threshold, root.keys.len());
/// # Ok::<(), paigow_client::ClientError>(())
/// ```
#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
pub struct Root {
    /// The public keys, 64 hexadecimal digits each.
    pub keys: Vec<String>,
    /// How many of them must have signed, from 1.
    pub threshold: usize,
}

impl Root {
    /// Reads `root.json` of a key ceremony.
    ///
    /// # Errors
    ///
    /// [`ClientError::File`] if the file cannot be read or holds no root keys.
    pub fn read(file: impl AsRef<Path>) -> Result<Self, ClientError> {
        let file = file.as_ref();
        let text = std::fs::read(file)
            .map_err(|error| ClientError::File(format!("{}: {error}", file.display())))?;
        serde_json::from_slice(&text).map_err(|_| {
            ClientError::File(format!(
                "{} holds no root keys: root.json of the key ceremony is needed",
                file.display()
            ))
        })
    }
}

/// A check of settlements against the root keys and the rules.
#[derive(Debug)]
pub(crate) struct SettlementCheck {
    terms: AuditTerms,
    catalogue: Catalogue,
}

impl SettlementCheck {
    /// `rulesets` and `house_ways` are files in addition to the published ones.
    pub(crate) fn new(
        root: &Root,
        rulesets: &[PathBuf],
        house_ways: &[PathBuf],
    ) -> Result<Self, ClientError> {
        let keys: Result<Vec<PublicKey>, _> =
            root.keys.iter().map(|key| PublicKey::from_hex(key)).collect();
        let keys =
            keys.map_err(|_| ClientError::File("a root key is not a public key".to_owned()))?;
        let mut ways = house_way::shipped().to_vec();
        for file in house_ways {
            ways.push(read_rules(file, HouseWay::parse)?);
        }
        let mut games = game::shipped().to_vec();
        for file in rulesets {
            games.push(read_rules(file, Ruleset::parse)?);
        }
        let catalogue =
            Catalogue::new(ways, games).map_err(|faults| ClientError::File(told(&faults)))?;
        let terms = AuditTerms::of(manifest::Root { keys, threshold: root.threshold });
        Ok(Self { terms, catalogue })
    }

    /// Checks that cards and money follow from ticket, locks and rules.
    pub(crate) fn check(
        &self,
        manifests: &[Record],
        records: &[Record],
    ) -> Result<(), ClientError> {
        let report =
            audit::audit(&lines(manifests.iter().chain(records)), &self.terms, &self.catalogue);
        let of = |code| report.checks.iter().find(|check| check.code == code);
        let failed = report.checks.iter().find(|check| check.status == CheckStatus::Failed);
        let missing = || {
            let mut needed = NEEDED.iter().copied();
            needed.find(|&code| of(code).is_none_or(|check| check.status != CheckStatus::Passed))
        };
        let Some(code) = failed.map(|check| check.code).or_else(missing) else { return Ok(()) };
        let (status, found) =
            of(code).map_or(("missing", ""), |check| (check.status.name(), check.found.as_str()));
        let message = format!("{} {status}: {found}", code.name());
        Err(ClientError::NotVerified {
            message: message.trim_end_matches(": ").to_owned(),
            records: records.to_vec(),
        })
    }
}

fn read_rules<T, F: ToString>(
    file: &Path,
    parse: impl Fn(&str) -> Result<T, Vec<F>>,
) -> Result<T, ClientError> {
    let wrong = |what: String| ClientError::File(format!("{}: {what}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    parse(&text).map_err(|faults| wrong(told(&faults)))
}

fn told<F: ToString>(faults: &[F]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Returns records as a transcript has them: one line each.
pub(crate) fn lines<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<u8> {
    let mut text = Vec::new();
    for record in records {
        text.extend_from_slice(&record.envelope);
        text.push(b'\n');
    }
    text
}
