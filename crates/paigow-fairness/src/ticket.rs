//! The ticket: the engine's signed commitment to a round (D5).

use std::collections::BTreeMap;

use super::beacon::{BeaconRound, BeaconSignature};
use super::encoding::{Hash, Identifier};
use super::json::{Json, ValueWriter, WriteJson};
use super::manifest::{ALGO, Policy, Suite};
use super::payload::{Members, PayloadError};
use super::seed::Coordinates;
use super::signature::PublicKey;
use paigow_rules::cards::Seat;

/// How long the sealed server seed of the fresh suite is, in bytes (section 3.5).
pub const SEALED_LEN: usize = 85;

/// The key with which a seat signs its decisions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SeatKey {
    /// The public key.
    pub key: PublicKey,
    /// Whether the player chose the clause `absent: house_way`. If the player then disconnects, the
    /// house way sets the hand, and the decision needs no signature of the seat.
    pub house_way_if_absent: bool,
}

impl SeatKey {
    fn parse(members: &mut Members) -> Result<Self, PayloadError> {
        let clause = members.optional("absent", Members::text)?;
        match clause.as_deref() {
            None | Some("house_way") => {
                Ok(Self { key: members.key("key")?, house_way_if_absent: clause.is_some() })
            }
            Some(_) => Err(members.blame("absent", "house_way")),
        }
    }
}

/// The member of `seat_keys` as it is signed.
impl WriteJson for SeatKey {
    fn write_json(&self, out: ValueWriter<'_>) {
        out.obj(|o| {
            if self.house_way_if_absent {
                o.member("absent").str("house_way");
            }
            o.member("key").hex(&self.key.to_bytes());
        });
    }
}

/// The payload of a ticket record.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Ticket {
    /// The seats' commitments to their client seeds.
    pub client: BTreeMap<Seat, Hash>,
    /// The commitment to server seed, round, ruleset and engine.
    pub commit: Hash,
    /// Where the round stands.
    pub coordinates: Coordinates,
    /// The outcome code.
    pub engine: Identifier,
    /// The round of public randomness that goes into the seed, under `external: drand`.
    pub external: Option<BeaconRound>,
    /// The hash of the manifest that the round is made under.
    pub manifest: Hash,
    /// The tenant's policy.
    pub policy: Policy,
    /// The close of the round before, or the manifest.
    pub prev: Hash,
    /// The public id of the round.
    pub round_id: Hash,
    /// The content hash of the ruleset.
    pub ruleset: Hash,
    /// The sealed server seed of the fresh suite.
    pub sealed: Option<Vec<u8>>,
    /// The seats' keys.
    pub seat_keys: BTreeMap<Seat, SeatKey>,
    /// The suite.
    pub suite: Suite,
}

/// The payload as it is signed.
impl WriteJson for Ticket {
    fn write_json(&self, out: ValueWriter<'_>) {
        out.obj(|o| {
            o.member("algo").str(ALGO);
            o.member("client").seats(&self.client, |commit, out| out.hash(commit));
            o.member("commit").hash(&self.commit);
            o.member("engine").identifier(&self.engine);
            o.member("epoch").int(self.coordinates.epoch);
            o.member("external").obj(|o| match &self.external {
                None => o.member("type").str("none"),
                Some(named) => {
                    o.member("chain").hash(&named.chain);
                    o.member("round").decimal(named.round);
                    o.member("type").str("drand");
                }
            });
            o.member("manifest").hash(&self.manifest);
            self.policy.write_json(o.member("policy"));
            o.member("prev").hash(&self.prev);
            o.member("round_id").hash(&self.round_id);
            o.member("round_no").decimal(self.coordinates.round_no);
            o.member("ruleset").hash(&self.ruleset);
            if let Some(sealed) = &self.sealed {
                o.member("sealed").hex(sealed);
            }
            o.member("seat_keys").seats(&self.seat_keys, SeatKey::write_json);
            o.member("suite").str(self.suite.name());
            o.member("table").identifier(&self.coordinates.table);
            o.member("tenant").identifier(&self.coordinates.tenant);
        });
    }
}

impl Ticket {
    /// Returns the external part of the seed of the round; empty if the ticket names no round of a
    /// beacon, or if the signature is missing.
    #[must_use]
    pub fn external_of(&self, signature: Option<&BeaconSignature>) -> Vec<u8> {
        let both = self.external.as_ref().zip(signature);
        both.map(|(named, signature)| named.external(signature)).unwrap_or_default()
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
        let external = members.object("external", |external| match &*external.text("type")? {
            "none" => Ok(None),
            "drand" => BeaconRound::parse(external).map(Some),
            _ => Err(external.blame("type", "UNSUPPORTED: not an external source of this release")),
        })?;
        let epoch = members.int("epoch", (1 << 31) - 1)?;
        let ticket = Self {
            client: members.by_seat("client", Members::hash)?,
            commit: members.hash("commit")?,
            coordinates: Coordinates {
                epoch: u32::try_from(epoch).map_err(|_| members.blame("epoch", "out of range"))?,
                tenant: members.parsed("tenant")?,
                table: members.parsed("table")?,
                round_no: members.decimal("round_no")?,
            },
            engine: members.parsed("engine")?,
            external,
            manifest: members.hash("manifest")?,
            policy: members.object("policy", Policy::parse)?,
            prev: members.hash("prev")?,
            round_id: members.hash("round_id")?,
            ruleset: members.hash("ruleset")?,
            sealed: members.optional("sealed", Members::any_bytes)?,
            seat_keys: members.by_seat("seat_keys", |m, seat| m.object(seat, SeatKey::parse))?,
            suite: Suite::parse(&mut members, "suite")?,
        };
        let dealer = |has: bool, key| {
            if has { Err(members.blame(key, "position 0 has no seed and no key")) } else { Ok(()) }
        };
        dealer(ticket.client.contains_key(&Seat::DEALER), "client")?;
        dealer(ticket.seat_keys.contains_key(&Seat::DEALER), "seat_keys")?;
        if ticket.sealed.is_some() != (ticket.suite == Suite::Fresh) {
            return Err(members.blame("sealed", "there in the fresh suite, and only there"));
        }
        if ticket.sealed.as_ref().is_some_and(|sealed| sealed.len() != SEALED_LEN) {
            return Err(members.blame("sealed", "not 85 bytes"));
        }
        if ticket.coordinates.round_no == 0 {
            return Err(members.blame("round_no", "rounds are numbered from 1"));
        }
        members.finish()?;
        Ok(ticket)
    }
}
