//! Fields of a request, read one by one.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::record::{AttachSignatureError, MAX_SIGNATURES, RecordEnvelope};
use paigow_fairness::signature::PublicKey;
use paigow_proto::v1 as pb;
use paigow_round::{FactKey, Reason, Refusal, Refusals};
use paigow_rules::cards::{Card, Seat};

/// The most seats that any game has.
pub(super) const MAX_SEATS: usize = 7;

/// The most public keys in a list.
const MAX_KEYS: usize = 16;

/// A place in a request. Its `Display` is the path, as `sheet.wagers[2].seat`.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<'p> {
    parent: Option<&'p At<'p>>,
    name: &'static str,
    index: Option<usize>,
}

impl<'p> At<'p> {
    /// The request itself.
    pub(super) const ROOT: Self = Self { parent: None, name: "", index: None };

    /// Returns the member `name` of this place.
    pub(super) const fn then(&'p self, name: &'static str) -> Self {
        Self { parent: Some(self), name, index: None }
    }

    /// Returns the item `index` of this list.
    pub(super) const fn item(self, index: usize) -> Self {
        Self { index: Some(index), ..self }
    }
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent
            && parent.parent.is_some()
        {
            write!(f, "{parent}.")?;
        }
        f.write_str(self.name)?;
        self.index.map_or(Ok(()), |index| write!(f, "[{index}]"))
    }
}

/// Proof that a fault was noted: only [`Fields::refuse`] makes one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noted(());

/// Reads fields and notes their faults.
#[derive(Debug, Default)]
pub(super) struct Fields {
    refusals: Refusals,
}

/// Reads a whole request.
///
/// # Errors
///
/// Every fault that was noted.
pub(super) fn read<T>(
    read: impl FnOnce(&mut Fields, At<'_>) -> Result<T, Noted>,
) -> Result<T, Refusal> {
    let mut fields = Fields::default();
    match read(&mut fields, At::ROOT) {
        Ok(value) => fields.refusals.finish(value),
        Err(Noted(())) => {
            Err(fields.refusals.finish(()).expect_err("only noting a fault makes a `Noted`"))
        }
    }
}

impl Fields {
    /// Notes a fault.
    pub(super) fn refuse(
        &mut self,
        reason: Reason,
        at: At<'_>,
        message: impl Into<String>,
    ) -> Noted {
        self.note(Refusal::at(reason, at.to_string(), message))
    }

    /// Notes a fault that has facts.
    fn note(&mut self, refusal: Refusal) -> Noted {
        self.refusals.absorb(refusal);
        Noted(())
    }

    /// Notes a number outside its range.
    pub(super) fn out_of_range(&mut self, at: At<'_>, range: RangeInclusive<i64>) -> Noted {
        let (least, most) = (range.start(), range.end());
        let message = format!("must be {least} to {most}");
        self.note(Refusal::at(Reason::NumberRange, at.to_string(), message).within(least, most))
    }

    /// Notes that a field is missing.
    pub(super) fn missing(&mut self, at: At<'_>) -> Noted {
        self.refuse(Reason::FieldMissing, at, "required")
    }

    /// Reads every item of a list of at most `most` items. A longer list is refused for `reason`,
    /// unread.
    pub(super) fn list<S, T>(
        &mut self,
        at: At<'_>,
        items: &[S],
        (most, reason): (usize, Reason),
        mut read: impl FnMut(&mut Self, At<'_>, &S) -> Result<T, Noted>,
    ) -> Result<Vec<T>, Noted> {
        if items.len() > most {
            let refusal = Refusal::at(reason, at.to_string(), format!("at most {most}"));
            return Err(self.note(refusal.with(FactKey::Maximum, most)));
        }
        // Every item is read, even after a fault.
        let mut all = Ok(Vec::with_capacity(items.len()));
        for (i, item) in items.iter().enumerate() {
            match (read(self, at.item(i), item), &mut all) {
                (Ok(item), Ok(items)) => items.push(item),
                (Err(noted), _) => all = Err(noted),
                (Ok(_), Err(Noted(()))) => {}
            }
        }
        all
    }

    /// Reads a text that must not be empty.
    pub(super) fn text(&mut self, at: At<'_>, text: &str) -> Result<String, Noted> {
        if text.is_empty() { Err(self.missing(at)) } else { Ok(text.to_owned()) }
    }

    /// Reads a text that must not be empty and must parse as `T`.
    fn parsed<T: FromStr<Err: fmt::Display>>(
        &mut self,
        at: At<'_>,
        text: &str,
    ) -> Result<T, Noted> {
        if text.is_empty() {
            return Err(self.missing(at));
        }
        text.parse()
            .map_err(|error: T::Err| self.refuse(Reason::FieldInvalid, at, error.to_string()))
    }

    /// Reads an identifier.
    pub(super) fn identifier(&mut self, at: At<'_>, text: &str) -> Result<Identifier, Noted> {
        self.parsed(at, text)
    }

    /// Reads a hash or a commitment.
    pub(super) fn hash(&mut self, at: At<'_>, text: &str) -> Result<Hash, Noted> {
        self.parsed(at, text)
    }

    /// Reads an Ed25519 public key.
    pub(super) fn public_key(&mut self, at: At<'_>, text: &str) -> Result<PublicKey, Noted> {
        let text = self.text(at, text)?;
        PublicKey::from_hex(&text)
            .map_err(|error| self.refuse(Reason::FieldInvalid, at, error.to_string()))
    }

    /// Reads Ed25519 public keys, each once.
    pub(super) fn keys(&mut self, at: At<'_>, keys: &[String]) -> Result<Vec<PublicKey>, Noted> {
        let mut seen = BTreeSet::new();
        self.list(at, keys, (MAX_KEYS, Reason::FieldInvalid), |fields, at, key| {
            let key = fields.public_key(at, key)?;
            // A key signs once, however often it is named.
            if seen.insert(key) {
                Ok(key)
            } else {
                Err(fields.refuse(Reason::FieldInvalid, at, "the key is there twice"))
            }
        })
    }

    /// Reads hashes, each once.
    pub(super) fn hashes(&mut self, at: At<'_>, hashes: &[String]) -> Result<Vec<Hash>, Noted> {
        let mut seen = BTreeSet::new();
        self.list(at, hashes, (MAX_KEYS, Reason::FieldInvalid), |fields, at, hash| {
            let hash = fields.hash(at, hash)?;
            if seen.insert(hash) {
                Ok(hash)
            } else {
                Err(fields.refuse(Reason::FieldInvalid, at, "the hash is there twice"))
            }
        })
    }

    /// Reads a player's seat.
    pub(super) fn seat(&mut self, at: At<'_>, seat: i32) -> Result<Seat, Noted> {
        let player = u8::try_from(seat).ok().and_then(Seat::new).filter(|seat| !seat.is_dealer());
        player.ok_or_else(|| {
            let message = "a seat is at least 1, and at most 7 in any game";
            self.note(Refusal::at(Reason::Seat, at.to_string(), message).within(1, MAX_SEATS))
        })
    }

    /// Reads the number of a round at its table.
    pub(super) fn round_no(&mut self, at: At<'_>, number: i64) -> Result<u64, Noted> {
        u64::try_from(number)
            .ok()
            .filter(|number| *number > 0)
            .ok_or_else(|| self.out_of_range(at, 1..=i64::MAX))
    }

    /// Reads the number of an epoch.
    pub(super) fn epoch(&mut self, at: At<'_>, epoch: i32) -> Result<u32, Noted> {
        u32::try_from(epoch).map_err(|_| self.out_of_range(at, 0..=i64::from(i32::MAX)))
    }

    /// Reads the codes of at most `most` cards; more are refused for `reason`.
    pub(super) fn cards(
        &mut self,
        at: At<'_>,
        codes: &[String],
        most: (usize, Reason),
    ) -> Result<Vec<Card>, Noted> {
        self.list(at, codes, most, |fields, at, code| {
            code.parse().map_err(|error: paigow_rules::cards::ParseCardError| {
                fields.refuse(Reason::UnknownCard, at, error.to_string())
            })
        })
    }

    /// Reads a record, which must be present.
    pub(super) fn record(
        &mut self,
        at: At<'_>,
        record: &pb::Record,
    ) -> Result<RecordEnvelope, Noted> {
        let at_envelope = at.then("envelope");
        if record.envelope.is_empty() {
            return Err(self.missing(at_envelope));
        }
        let envelope = RecordEnvelope::parse(&record.envelope)
            .map_err(|error| self.refuse(Reason::Record, at_envelope, error.to_string()));
        let most = (MAX_SIGNATURES, Reason::Record);
        let signatures =
            self.list(at.then("signatures"), &record.signatures, most, Self::signature);
        let mut envelope = envelope?;
        for (i, (key, signature)) in signatures?.iter().enumerate() {
            envelope.attach(key, signature).map_err(|error| {
                let reason = match error {
                    AttachSignatureError::Full => Reason::Record,
                    AttachSignatureError::OtherSignature => Reason::BadSignature,
                };
                let at = at.then("signatures").item(i);
                self.refuse(reason, at.then("signature"), error.to_string())
            })?;
        }
        Ok(envelope)
    }

    /// Reads a signature and the key that made it.
    fn signature(
        &mut self,
        at: At<'_>,
        signature: &pb::Signature,
    ) -> Result<(PublicKey, [u8; 64]), Noted> {
        let key = self.public_key(at.then("public_key"), &signature.public_key);
        let at = at.then("signature");
        let signature = if signature.signature.is_empty() {
            Err(self.missing(at))
        } else {
            <[u8; 64]>::try_from(&*signature.signature)
                .map_err(|_| self.refuse(Reason::FieldInvalid, at, "a signature is 64 bytes"))
        };
        Ok((key?, signature?))
    }

    /// Reads a record of a field that is required.
    pub(super) fn required_record(
        &mut self,
        at: At<'_>,
        record: Option<&pb::Record>,
    ) -> Result<RecordEnvelope, Noted> {
        match record {
            Some(record) => self.record(at, record),
            None => Err(self.missing(at)),
        }
    }

    /// Reads a record that may be absent.
    pub(super) fn optional_record(
        &mut self,
        at: At<'_>,
        record: Option<&pb::Record>,
    ) -> Result<Option<RecordEnvelope>, Noted> {
        record.map(|record| self.record(at, record)).transpose()
    }

    /// Reads an enum, in which 0 means that the caller chose no value.
    pub(super) fn optional_enum<E: TryFrom<i32>>(
        &mut self,
        at: At<'_>,
        number: i32,
    ) -> Result<Option<E>, Noted> {
        if number == 0 {
            return Ok(None);
        }
        E::try_from(number)
            .map(Some)
            .map_err(|_| self.refuse(Reason::FieldInvalid, at, "a value that is not listed"))
    }
}
