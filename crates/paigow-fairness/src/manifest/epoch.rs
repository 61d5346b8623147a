//! An epoch as a manifest lists it (PGE-FAIR-1, section 3.2 and D2).

use crate::beacon::{Beacon, BeaconRound, BeaconSignature};
use crate::encoding::{Hash, hex_bytes};
use crate::json::Json;
use crate::payload::{Members, PayloadError};
use crate::seed::{epoch_salt_drand, epoch_salt_party, epoch_salt_statement};
use crate::signature::PublicKey;

/// The frozen way from secrets to server seeds.
#[derive(Clone, Copy, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
pub enum Suite {
    /// `HKDF-Expand(epoch_secret, salt, coordinates)`: nothing secret travels.
    Derived,
    /// 32 bytes from the operating system, sealed in the ticket.
    Fresh,
    /// The output of a verifiable random function over salt and coordinates: the settlement proves it.
    Vrf,
}

impl Suite {
    /// Returns the word of the suite.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Derived => "derived",
            Self::Fresh => "fresh",
            Self::Vrf => "vrf",
        }
    }

    /// Reads the word of a suite.
    ///
    /// # Errors
    ///
    /// If this release does not know the suite.
    pub fn parse(members: &mut Members, key: &str) -> Result<Self, PayloadError> {
        match &*members.text(key)? {
            "derived" => Ok(Self::Derived),
            "fresh" => Ok(Self::Fresh),
            "vrf" => Ok(Self::Vrf),
            _ => Err(members.blame(key, "UNSUPPORTED: not a suite of this release")),
        }
    }
}

/// The fault of a drand salt whose chain is not that of the manifest's beacon.
pub(super) const OTHER_CHAIN: &str =
    "a drand salt of another chain than the beacon of the manifest";

/// The status of an epoch, apart from its window.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum EpochStatus {
    /// In force.
    Active,
    /// Suspected: no new deals, open rounds end as void.
    Revoked,
    /// Its secret is public.
    Revealed,
}

/// The public value that salts an epoch, or the promise of one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum SaltSource {
    /// No salt: 32 zero bytes. Development only.
    None,
    /// 32 bytes signed by a witness after it has received the commitment.
    Party {
        /// The witness's key, in the announcement.
        key: PublicKey,
        /// The value and the signature over it, once completed.
        value: Option<([u8; 32], [u8; 64])>,
    },
    /// A round of the manifest's beacon, which is published after the announcement.
    Drand {
        /// The round.
        named: BeaconRound,
        /// The round's signature, once completed.
        signature: Option<BeaconSignature>,
    },
}

impl SaltSource {
    /// Returns the salt that the source gives for the epoch with the commitment `commit`.
    ///
    /// Returns [`None`] while it is only announced, and an error if a signature is bad.
    /// `announcement` is the hash of the manifest that first lists the epoch. If it is not known, a
    /// witness's signature is not verified. `beacon` is that of the manifest.
    ///
    /// # Errors
    ///
    /// If the party's signature is not over this epoch, announcement, commitment and value. If the
    /// round's signature is not the beacon's, or the source names another chain.
    pub fn salt(
        &self,
        epoch: u32,
        announcement: Option<&Hash>,
        commit: &Hash,
        beacon: Option<&Beacon>,
    ) -> Result<Option<Hash>, &'static str> {
        if let Self::Drand { named, signature } = self {
            let Some(beacon) = beacon.filter(|beacon| beacon.chain() == named.chain) else {
                return Err(OTHER_CHAIN);
            };
            if signature.is_some_and(|signature| !beacon.verifies(named.round, &signature)) {
                return Err("the signature is not the beacon's of that round");
            }
        }
        match self {
            Self::None => Ok(Some(Hash::ZERO)),
            Self::Party { value: None, .. } | Self::Drand { signature: None, .. } => Ok(None),
            Self::Party { key, value: Some((value, sig)) } => {
                let is_signed = |announcement| {
                    key.verifies(&epoch_salt_statement(epoch, announcement, commit, value), sig)
                };
                if announcement.is_none_or(is_signed) {
                    Ok(Some(epoch_salt_party(&key.to_bytes(), value)))
                } else {
                    Err("the party's signature is not over this announcement and value")
                }
            }
            Self::Drand { named, signature: Some(signature) } => {
                Ok(Some(epoch_salt_drand(named, signature)))
            }
        }
    }

    /// Returns the source as it was announced: without its value.
    #[must_use]
    pub fn announced(&self) -> Self {
        match self {
            Self::None => Self::None,
            Self::Party { key, .. } => Self::Party { key: *key, value: None },
            Self::Drand { named, .. } => Self::Drand { named: *named, signature: None },
        }
    }

    fn to_json(&self) -> Json<'static> {
        match self {
            Self::None => Json::obj([("type", Json::str("none"))]),
            Self::Party { key, value } => {
                Json::obj([("type", Json::str("party")), ("pk", Json::str(key))])
                    .with("value", value.map(|(value, _)| Json::Str(hex::encode(value).into())))
                    .with("sig", value.map(|(_, sig)| Json::Str(hex::encode(sig).into())))
            }
            Self::Drand { named, signature } => Json::obj([
                ("type", Json::str("drand")),
                ("chain", Json::str(named.chain)),
                ("round", Json::str(named.round)),
            ])
            .with("signature", signature.map(|s| Json::Str(hex::encode(s).into()))),
        }
    }

    fn parse(members: &mut Members) -> Result<Self, PayloadError> {
        match &*members.text("type")? {
            "none" => Ok(Self::None),
            "party" => {
                let key = members.key("pk")?;
                let value = members.optional("value", Members::bytes)?;
                let sig = members.optional("sig", |m, k| {
                    hex_bytes(&m.text(k)?).map_err(|_| m.blame(k, "not 64 bytes"))
                })?;
                match (value, sig) {
                    (None, None) => Ok(Self::Party { key, value: None }),
                    (Some(value), Some(sig)) => Ok(Self::Party { key, value: Some((value, sig)) }),
                    (None, Some(_)) | (Some(_), None) => {
                        Err(members.blame("value", "value and sig come together"))
                    }
                }
            }
            "drand" => Ok(Self::Drand {
                named: BeaconRound::parse(members)?,
                signature: members.optional("signature", Members::bytes)?,
            }),
            _ => Err(members.blame("type", "UNSUPPORTED: not a salt source of this release")),
        }
    }
}

/// One epoch of a manifest.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Epoch {
    /// Its number, 0 to 2^31 - 1.
    pub epoch: u32,
    /// How its server seeds come about.
    pub suite: Suite,
    /// The commitment to its secret, in the derived suite only.
    pub commit: Option<Hash>,
    /// The public key of its verifiable random function, in the vrf suite only.
    pub vrf_key: Option<PublicKey>,
    /// The source of its salt; [`None`] in the fresh suite.
    pub salt_source: Option<SaltSource>,
    /// Its salt, after the epoch is completed.
    pub salt: Option<Hash>,
    /// The time from which rounds may be opened, in Unix seconds.
    pub open_from: u64,
    /// The time until which rounds may be opened, exclusive.
    pub open_until: u64,
    /// The time until which rounds may be dealt, settled and voided, exclusive.
    pub settle_until: u64,
    /// In force, revoked or revealed.
    pub status: EpochStatus,
}

impl Epoch {
    /// Whether rounds can be opened in it at some time: its salt is known.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        matches!(self.suite, Suite::Fresh) || self.salt.is_some()
    }

    /// Returns the 32 bytes that commit to its secret: `commit` of the derived suite, the key of the
    /// vrf suite. The fresh suite has none.
    #[must_use]
    pub fn commitment(&self) -> Option<Hash> {
        self.commit.or_else(|| self.vrf_key.map(|key| Hash::from_bytes(key.to_bytes())))
    }

    /// Whether `later` lists the same epoch: only its completion and its status may differ.
    #[must_use]
    pub fn may_become(&self, later: &Self) -> bool {
        let bare = |epoch: &Self| Self {
            salt_source: epoch.salt_source.as_ref().map(SaltSource::announced),
            salt: None,
            status: EpochStatus::Active,
            ..epoch.clone()
        };
        let completed_once = self.salt.is_none()
            || (self.salt == later.salt && self.salt_source == later.salt_source);
        let status_goes_on = self.status == EpochStatus::Active
            || self.status == later.status
            || later.status == EpochStatus::Revealed;
        bare(self) == bare(later) && completed_once && status_goes_on
    }

    /// Returns the fault of an epoch that does not have the members of its suite.
    ///
    /// The derived suite needs a commitment and a source of the salt. The vrf suite needs a key in
    /// place of the commitment. The fresh suite has none of these (D3).
    #[must_use]
    pub const fn suite_fault(&self) -> Option<&'static str> {
        let has_salt_source = self.salt_source.is_some();
        match (self.suite, &self.commit, &self.vrf_key) {
            (Suite::Derived, Some(_), None) | (Suite::Vrf, None, Some(_)) if has_salt_source => {
                None
            }
            (Suite::Fresh, None, None) if !has_salt_source && self.salt.is_none() => None,
            (Suite::Derived, _, _) => Some("the derived suite needs commit and salt_source"),
            (Suite::Vrf, _, _) => Some("the vrf suite needs vrf_key and salt_source"),
            (Suite::Fresh, _, _) => Some("the fresh suite has no commit, salt or salt_source"),
        }
    }

    pub(super) fn to_json(&self) -> Json<'static> {
        let status = match self.status {
            EpochStatus::Active => None,
            EpochStatus::Revoked => Some(Json::str("revoked")),
            EpochStatus::Revealed => Some(Json::str("revealed")),
        };
        Json::obj([
            ("epoch", Json::Int(u64::from(self.epoch))),
            ("open_from", Json::str(self.open_from)),
            ("open_until", Json::str(self.open_until)),
            ("settle_until", Json::str(self.settle_until)),
            ("suite", Json::str(self.suite.name())),
        ])
        .with("commit", self.commit.map(Json::str))
        .with("salt", self.salt.map(Json::str))
        .with("salt_source", self.salt_source.as_ref().map(SaltSource::to_json))
        .with("status", status)
        .with("vrf_key", self.vrf_key.map(Json::str))
    }

    pub(super) fn parse(members: &mut Members) -> Result<Self, PayloadError> {
        let epoch = members.int("epoch", (1 << 31) - 1)?;
        Ok(Self {
            epoch: u32::try_from(epoch).map_err(|_| members.blame("epoch", "out of range"))?,
            suite: Suite::parse(members, "suite")?,
            commit: members.optional("commit", Members::hash)?,
            salt_source: members.optional("salt_source", |m, k| m.object(k, SaltSource::parse))?,
            salt: members.optional("salt", Members::hash)?,
            vrf_key: members.optional("vrf_key", Members::key)?,
            open_from: members.decimal("open_from")?,
            open_until: members.decimal("open_until")?,
            settle_until: members.decimal("settle_until")?,
            status: match members.optional("status", Members::text)?.as_deref() {
                None | Some("active") => EpochStatus::Active,
                Some("revoked") => EpochStatus::Revoked,
                Some("revealed") => EpochStatus::Revealed,
                Some(_) => return Err(members.blame("status", "active, revoked or revealed")),
            },
        })
    }
}
