//! The demands of a tenant's manifest entry on every round (PGE-FAIR-1, section 1.2).

use crate::json::{ValueWriter, WriteJson};
use crate::payload::{Members, PayloadError};

/// Whether seats contribute committed seeds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ClientPolicy {
    /// No seat has a client seed.
    None,
    /// A seat that committed must reveal. A seat that did not is dealt in without a seed.
    Optional,
    /// Every seat with a wager commits and reveals.
    Committed,
}

/// Whether seats sign their decisions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SeatAuth {
    /// No seat has a key.
    Off,
    /// Exactly the seats with a key in the ticket sign.
    Optional,
    /// Every seat with a decision signs.
    Required,
}

/// Whether a seat's key may be registered with the clause that the house way sets the hand of an
/// absent player.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum AbsentPolicy {
    /// No seat has the clause. A policy leaves the member out.
    Off,
    /// Each player chooses.
    Optional,
    /// Every seat key has the clause.
    Required,
}

/// Whether public randomness goes into the seed of each round.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ExternalPolicy {
    /// No.
    None,
    /// The ticket names a round of the manifest's beacon, whose signature `Deal` mixes in.
    Drand,
}

/// A tenant's switches: set in the manifest, carried in the ticket, never negotiated.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Policy {
    /// Client seeds.
    pub client: ClientPolicy,
    /// Whether the ledger signs every decision before the next reveal.
    pub lock_required: bool,
    /// Whether a round needs the close of the round before.
    pub chain_required: bool,
    /// Seat signatures.
    pub seat_auth: SeatAuth,
    /// The policy for a seat whose player is absent.
    pub absent: AbsentPolicy,
    /// Public randomness.
    pub external: ExternalPolicy,
}

/// The policy as the manifest and the ticket write it.
impl WriteJson for Policy {
    fn write_json(&self, out: ValueWriter<'_>) {
        let required = |on: bool| if on { "required" } else { "off" };
        out.obj(|o| {
            match self.absent {
                AbsentPolicy::Off => {}
                AbsentPolicy::Optional => o.member("absent").str("optional"),
                AbsentPolicy::Required => o.member("absent").str("required"),
            }
            o.member("chain").str(required(self.chain_required));
            o.member("client").str(match self.client {
                ClientPolicy::None => "none",
                ClientPolicy::Optional => "optional",
                ClientPolicy::Committed => "committed",
            });
            o.member("external").str(match self.external {
                ExternalPolicy::None => "none",
                ExternalPolicy::Drand => "drand",
            });
            o.member("lock").str(required(self.lock_required));
            o.member("seat_auth").str(match self.seat_auth {
                SeatAuth::Off => "off",
                SeatAuth::Optional => "optional",
                SeatAuth::Required => "required",
            });
        });
    }
}

impl Policy {
    /// The bundle of a first start without configuration: nothing is demanded.
    pub const DEV: Self = Self {
        client: ClientPolicy::Optional,
        lock_required: false,
        chain_required: false,
        seat_auth: SeatAuth::Off,
        absent: AbsentPolicy::Off,
        external: ExternalPolicy::None,
    };

    /// Whether the policy is for development only: with lock and chain off a caller can
    /// learn every deck of the open epoch before play (D7).
    #[must_use]
    pub const fn is_dev(&self) -> bool {
        !self.lock_required && !self.chain_required
    }

    /// Reads a policy.
    ///
    /// # Errors
    ///
    /// If a switch is missing or has a setting that this release does not know.
    pub fn parse(members: &mut Members) -> Result<Self, PayloadError> {
        fn one_of<T: Copy>(
            members: &mut Members,
            key: &str,
            settings: &[(&str, T)],
        ) -> Result<T, PayloadError> {
            let text = members.text(key)?;
            let found = settings.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
            found.ok_or_else(|| members.blame(key, "UNSUPPORTED: not a setting of this release"))
        }
        let switch = [("off", false), ("required", true)];
        let external = [("none", ExternalPolicy::None), ("drand", ExternalPolicy::Drand)];
        let absent = members.optional("absent", |members, key| {
            let settings =
                [("optional", AbsentPolicy::Optional), ("required", AbsentPolicy::Required)];
            one_of(members, key, &settings)
        })?;
        Ok(Self {
            absent: absent.unwrap_or(AbsentPolicy::Off),
            external: one_of(members, "external", &external)?,
            client: one_of(
                members,
                "client",
                &[
                    ("none", ClientPolicy::None),
                    ("optional", ClientPolicy::Optional),
                    ("committed", ClientPolicy::Committed),
                ],
            )?,
            lock_required: one_of(members, "lock", &switch)?,
            chain_required: one_of(members, "chain", &switch)?,
            seat_auth: one_of(
                members,
                "seat_auth",
                &[
                    ("off", SeatAuth::Off),
                    ("optional", SeatAuth::Optional),
                    ("required", SeatAuth::Required),
                ],
            )?,
        })
    }
}
