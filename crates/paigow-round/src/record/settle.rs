//! The settle record, which closes a round, and the epoch reveal (D5).

use std::collections::BTreeMap;

use crate::request::VoidReason;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::{Json, ValueWriter, WriteJson};
use paigow_fairness::payload::{Members, PayloadError};
use paigow_fairness::secret::{EpochSecret, RoundSeed, ServerSeed};
use paigow_fairness::vrf::VrfProof;
use paigow_rules::cards::{Card, Seat};

/// The payload of a settle record that settles. Its `Debug` prints no seed and no card.
#[derive(Clone)]
pub struct SettledRecord {
    /// The deal record.
    pub deal: Hash,
    /// The cards of position 0, in dealt order.
    pub dealer: Vec<Card>,
    /// The whole deck.
    pub deck: Vec<Card>,
    /// The previous record: the final lock.
    pub prev: Hash,
    /// The results: the amounts won and lost.
    pub results: Json<'static>,
    /// The round.
    pub round_id: Hash,
    /// The ChaCha20 key of the round, revealed.
    pub round_seed: RoundSeed,
    /// The proof of the server seed, in the vrf suite only.
    pub seed_proof: Option<VrfProof>,
    /// The server seed, revealed.
    pub server_seed: ServerSeed,
    /// The ticket.
    pub ticket: Hash,
}

impl std::fmt::Debug for SettledRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Settled({})", self.round_id)
    }
}

/// The payload of a settle record that voids, and nothing else.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct VoidedRecord {
    /// The previous record: the void lock.
    pub prev: Hash,
    /// Why.
    pub reason: VoidReason,
    /// The amounts that are handed back, by position: stakes and fees.
    pub returns: BTreeMap<Seat, i64>,
    /// The round.
    pub round_id: Hash,
    /// The ticket.
    pub ticket: Hash,
}

/// The payload of a settle record.
#[derive(Clone, Debug)]
pub enum SettleRecord {
    /// The round is settled.
    Settled(Box<SettledRecord>),
    /// The round is void.
    Void(VoidedRecord),
}

/// The payload as it is signed.
impl WriteJson for SettleRecord {
    fn write_json(&self, out: ValueWriter<'_>) {
        out.obj(|o| match self {
            Self::Settled(settled) => {
                o.member("deal").hash(&settled.deal);
                o.member("dealer").cards(&settled.dealer);
                o.member("deck").cards(&settled.deck);
                o.member("disposition").str("settled");
                o.member("prev").hash(&settled.prev);
                settled.results.write_json(o.member("results"));
                o.member("round_id").hash(&settled.round_id);
                o.member("round_seed").hex(settled.round_seed.expose());
                if let Some(proof) = &settled.seed_proof {
                    o.member("seed_proof").hex(&proof.to_bytes());
                }
                o.member("server_seed").hex(settled.server_seed.expose());
                o.member("ticket").hash(&settled.ticket);
            }
            Self::Void(voided) => {
                o.member("disposition").str("void");
                o.member("prev").hash(&voided.prev);
                o.member("reason").str(voided.reason.name());
                o.member("returns").seats(&voided.returns, |amount, out| out.decimal(*amount));
                o.member("round_id").hash(&voided.round_id);
                o.member("ticket").hash(&voided.ticket);
            }
        });
    }
}

impl SettleRecord {
    /// Reads a payload.
    ///
    /// # Errors
    ///
    /// If a member is missing, unknown or malformed.
    pub fn parse(value: Json) -> Result<Self, PayloadError> {
        let mut members = Members::of(value)?;
        let record = match &*members.text("disposition")? {
            "settled" => Self::Settled(Box::new(SettledRecord {
                deal: members.hash("deal")?,
                dealer: members.cards("dealer")?,
                deck: members.cards("deck")?,
                prev: members.hash("prev")?,
                results: members.value("results")?.into_owned(),
                round_id: members.hash("round_id")?,
                round_seed: RoundSeed::new(members.bytes("round_seed")?),
                seed_proof: members
                    .optional("seed_proof", Members::bytes)?
                    .map(VrfProof::from_bytes),
                server_seed: ServerSeed::new(members.bytes("server_seed")?),
                ticket: members.hash("ticket")?,
            })),
            "void" => Self::Void(VoidedRecord {
                prev: members.hash("prev")?,
                reason: VoidReason::from_name(&members.text("reason")?)
                    .ok_or_else(|| members.blame("reason", "not a reason for a void"))?,
                returns: members.by_seat("returns", Members::amount)?,
                round_id: members.hash("round_id")?,
                ticket: members.hash("ticket")?,
            }),
            _ => return Err(members.blame("disposition", "settled or void")),
        };
        members.finish()?;
        Ok(record)
    }

    /// Returns the round.
    #[must_use]
    pub fn round_id(&self) -> &Hash {
        match self {
            Self::Settled(settled) => &settled.round_id,
            Self::Void(voided) => &voided.round_id,
        }
    }

    /// Returns the link to the record before.
    #[must_use]
    pub fn prev(&self) -> &Hash {
        match self {
            Self::Settled(settled) => &settled.prev,
            Self::Void(voided) => &voided.prev,
        }
    }

    /// Returns the link to the ticket.
    #[must_use]
    pub fn ticket(&self) -> &Hash {
        match self {
            Self::Settled(settled) => &settled.ticket,
            Self::Void(voided) => &voided.ticket,
        }
    }
}

/// The payload of an epoch reveal.
#[derive(Clone, Debug)]
pub struct EpochReveal {
    /// The epoch.
    pub epoch: u32,
    /// Its secret, public from now on.
    pub secret: EpochSecret,
}

impl EpochReveal {
    /// Returns the payload as it is signed.
    #[must_use]
    pub fn to_json(&self) -> Json<'static> {
        Json::obj([
            ("epoch", Json::Int(u64::from(self.epoch))),
            ("epoch_secret", Json::hex(self.secret.expose())),
        ])
    }

    /// Reads a payload.
    ///
    /// # Errors
    ///
    /// If a member is missing, unknown or malformed.
    pub fn parse(value: Json) -> Result<Self, PayloadError> {
        let mut members = Members::of(value)?;
        let epoch = members.int("epoch", (1 << 31) - 1)?;
        let reveal = Self {
            epoch: u32::try_from(epoch).map_err(|_| members.blame("epoch", "out of range"))?,
            secret: EpochSecret::new(members.bytes("epoch_secret")?),
        };
        members.finish()?;
        Ok(reveal)
    }
}
