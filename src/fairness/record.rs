//! Records: DSSE envelopes over canonical JSON (PGE-FAIR-1, section 6.2).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::encoding::Hash;
use super::json::{Json, ParseJsonError};
use super::signature::{PublicKey, SecretKey};

/// What a record states; its DSSE type is `application/vnd.pge.<kind>.v1+json`.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Kind {
    /// The root's list of epochs, keys, tenants, rulesets and house ways.
    Manifest,
    /// The engine's commitment to a round.
    Ticket,
    /// The ledger's statement of decisions: wagers, final or void.
    Lock,
    /// The engine's statement of the cards dealt to players.
    Deal,
    /// A seat's decision.
    Action,
    /// The engine's close of a round.
    Settle,
    /// The publication of an epoch's secret.
    EpochReveal,
}

impl Kind {
    /// Every kind of this release.
    pub const ALL: [Self; 7] = [
        Self::Manifest,
        Self::Ticket,
        Self::Lock,
        Self::Deal,
        Self::Action,
        Self::Settle,
        Self::EpochReveal,
    ];

    /// Returns the word of the kind: `epoch-reveal`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Manifest => "manifest",
            Self::Ticket => "ticket",
            Self::Lock => "lock",
            Self::Deal => "deal",
            Self::Action => "action",
            Self::Settle => "settle",
            Self::EpochReveal => "epoch-reveal",
        }
    }

    /// Returns the DSSE payload type.
    #[must_use]
    pub const fn payload_type(self) -> &'static str {
        match self {
            Self::Manifest => "application/vnd.pge.manifest.v1+json",
            Self::Ticket => "application/vnd.pge.ticket.v1+json",
            Self::Lock => "application/vnd.pge.lock.v1+json",
            Self::Deal => "application/vnd.pge.deal.v1+json",
            Self::Action => "application/vnd.pge.action.v1+json",
            Self::Settle => "application/vnd.pge.settle.v1+json",
            Self::EpochReveal => "application/vnd.pge.epoch-reveal.v1+json",
        }
    }

    fn from_payload_type(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.payload_type() == text)
    }
}

/// One signature of an envelope.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EnvelopeSignature {
    /// A hint which key signed; not authenticated, so never relied on.
    pub keyid: String,
    /// The 64 bytes of the Ed25519 signature.
    pub sig: [u8; 64],
}

/// A record: a payload and the signatures over it.
///
/// Its `Debug` prints kind and hash only, since a payload may hold seeds and cards.
#[derive(Clone, Eq, PartialEq)]
pub struct Envelope {
    kind: Kind,
    payload: Vec<u8>,
    signatures: Vec<EnvelopeSignature>,
}

/// Bytes that are no envelope.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ParseEnvelopeError {
    /// Not JSON.
    #[error("{0}")]
    Json(#[from] ParseJsonError),
    /// JSON, but not the members of an envelope.
    #[error("not a DSSE envelope: {0}")]
    Shape(&'static str),
    /// Base64 that is not standard, padded and strict.
    #[error("{0} is not standard padded base64")]
    Base64(&'static str),
    /// A payload type that this release does not know.
    #[error("an unknown payload type")]
    Kind,
}

/// The most signatures an envelope may carry: a root of a few keys, a ledger of a few.
const MAX_SIGNATURES: usize = 16;

impl Envelope {
    /// Signs a payload with each of `keys`; with none the record is unsigned, which is
    /// legal only where a policy says so.
    #[must_use]
    pub fn seal(kind: Kind, payload: &Json, keys: &[&SecretKey]) -> Self {
        let mut envelope = Self { kind, payload: payload.to_bytes(), signatures: Vec::new() };
        for key in keys {
            envelope.add_signature(key);
        }
        envelope
    }

    /// Adds one more signature over the same payload.
    pub fn add_signature(&mut self, key: &SecretKey) {
        let sig = key.sign(&self.pae());
        self.signatures.push(EnvelopeSignature { keyid: key.public().kid(), sig });
    }

    /// Reads one envelope from a line of JSON.
    ///
    /// # Errors
    ///
    /// If the bytes are no envelope of a known kind. The payload is not looked into.
    pub fn parse(line: &[u8]) -> Result<Self, ParseEnvelopeError> {
        Self::from_json(Json::parse(line)?)
    }

    /// Reads one envelope that stands in a larger value.
    ///
    /// # Errors
    ///
    /// If the value is no envelope of a known kind. The payload is not looked into.
    pub fn from_json(value: Json) -> Result<Self, ParseEnvelopeError> {
        let Json::Obj(mut members) = value else {
            return Err(ParseEnvelopeError::Shape("not an object"));
        };
        let (Some(Json::Str(payload)), Some(Json::Str(kind)), Some(Json::Arr(signatures)), true) = (
            members.remove("payload"),
            members.remove("payloadType"),
            members.remove("signatures"),
            members.is_empty(),
        ) else {
            return Err(ParseEnvelopeError::Shape(
                "the members are payload, payloadType and signatures",
            ));
        };
        let kind = Kind::from_payload_type(&kind).ok_or(ParseEnvelopeError::Kind)?;
        let payload =
            STANDARD.decode(payload).map_err(|_| ParseEnvelopeError::Base64("payload"))?;
        if signatures.len() > MAX_SIGNATURES {
            return Err(ParseEnvelopeError::Shape("more than 16 signatures"));
        }
        let signatures =
            signatures.into_iter().map(parse_signature).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { kind, payload, signatures })
    }

    /// Returns the envelope as one canonical line, without the line's end.
    ///
    /// # Panics
    ///
    /// Never: a line is made of strings.
    #[must_use]
    pub fn to_line(&self) -> String {
        String::from_utf8(self.to_json().to_bytes()).expect("made of strings")
    }

    /// Returns the envelope as a value, to stand in a larger one.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let signatures = self.signatures.iter().map(|s| {
            Json::obj([("keyid", Json::str(&s.keyid)), ("sig", Json::Str(STANDARD.encode(s.sig)))])
        });
        Json::obj([
            ("payload", Json::Str(STANDARD.encode(&self.payload))),
            ("payloadType", Json::str(self.kind.payload_type())),
            ("signatures", Json::arr(signatures)),
        ])
    }

    /// Returns what the record states.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the payload's bytes as they were signed.
    #[must_use]
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }

    /// Reads the payload.
    ///
    /// # Errors
    ///
    /// If it is not canonical JSON.
    pub fn json(&self) -> Result<Json, ParseJsonError> {
        Json::parse_canonical(&self.payload)
    }

    /// Returns the signatures.
    #[must_use]
    pub fn signatures(&self) -> &[EnvelopeSignature] {
        &self.signatures
    }

    /// Returns the record's hash, the link in every `prev`: `SHA-256(PAE)`.
    #[must_use]
    pub fn hash(&self) -> Hash {
        Hash::of(&self.pae())
    }

    /// Returns the record's leaf in a transparency log: `SHA-256(00 || PAE)`.
    #[must_use]
    pub fn log_leaf(&self) -> Hash {
        Hash::of(&[&[0], self.pae().as_slice()].concat())
    }

    /// Whether every signature is one of `keys`'. True when there is none at all: who
    /// needs one asks [`Envelope::is_signed`] too.
    #[must_use]
    pub fn all_verify(&self, keys: &[PublicKey]) -> bool {
        let pae = self.pae();
        self.signatures.iter().all(|s| keys.iter().any(|key| key.verifies(&pae, &s.sig)))
    }

    /// Returns how many *distinct* keys of `keys` have signed.
    #[must_use]
    pub fn count_signers(&self, keys: &[PublicKey]) -> usize {
        let pae = self.pae();
        let mut distinct: Vec<&PublicKey> = keys.iter().collect();
        distinct.sort();
        distinct.dedup();
        distinct
            .into_iter()
            .filter(|key| self.signatures.iter().any(|s| key.verifies(&pae, &s.sig)))
            .count()
    }

    /// Whether there is a signature at all.
    #[must_use]
    pub const fn is_signed(&self) -> bool {
        !self.signatures.is_empty()
    }

    /// The bytes that are signed: DSSE's pre-authentication encoding,
    /// `"DSSEv1" SP len(type) SP type SP len(payload) SP payload`.
    fn pae(&self) -> Vec<u8> {
        let kind = self.kind.payload_type();
        let mut out = format!("DSSEv1 {} {kind} {} ", kind.len(), self.payload.len()).into_bytes();
        out.extend_from_slice(&self.payload);
        out
    }
}

fn parse_signature(value: Json) -> Result<EnvelopeSignature, ParseEnvelopeError> {
    let Json::Obj(mut members) = value else {
        return Err(ParseEnvelopeError::Shape("a signature is an object"));
    };
    let (Some(Json::Str(keyid)), Some(Json::Str(sig)), true) =
        (members.remove("keyid"), members.remove("sig"), members.is_empty())
    else {
        return Err(ParseEnvelopeError::Shape("a signature has the members keyid and sig"));
    };
    if keyid.len() > 64 || !keyid.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(ParseEnvelopeError::Shape("a keyid is at most 64 printable characters"));
    }
    let sig = STANDARD
        .decode(sig)
        .ok()
        .and_then(|sig| <[u8; 64]>::try_from(sig).ok())
        .ok_or(ParseEnvelopeError::Base64("a signature of 64 bytes"))?;
    Ok(EnvelopeSignature { keyid, sig })
}

impl std::fmt::Debug for Envelope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Envelope({} {})", self.kind.name(), self.hash())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample() -> Envelope {
        let key = SecretKey::from_bytes(&[1; 32]);
        Envelope::seal(Kind::Action, &Json::obj([("seat", Json::Int(1))]), &[&key])
    }

    #[test]
    fn a_line_reads_back_as_itself() {
        let envelope = sample();
        assert_eq!(Envelope::parse(envelope.to_line().as_bytes()), Ok(envelope.clone()));
        let key = SecretKey::from_bytes(&[1; 32]).public();
        assert!(envelope.all_verify(&[key]) && envelope.is_signed());
        assert!(!envelope.all_verify(&[SecretKey::from_bytes(&[2; 32]).public()]));
    }

    #[test]
    fn one_key_named_twice_counts_once() {
        let (a, b) = (SecretKey::from_bytes(&[1; 32]), SecretKey::from_bytes(&[2; 32]));
        let twice = Envelope::seal(Kind::Manifest, &Json::obj([]), &[&a, &a]);
        let keys = [a.public(), a.public(), b.public()];
        assert_eq!(twice.count_signers(&keys), 1);
        let both = Envelope::seal(Kind::Manifest, &Json::obj([]), &[&a, &b]);
        assert_eq!(both.count_signers(&keys), 2);
    }

    #[test]
    fn the_kind_is_under_the_signature() {
        let line = sample().to_line().replace("pge.action", "pge.settle");
        let other = Envelope::parse(line.as_bytes()).unwrap();
        assert!(!other.all_verify(&[SecretKey::from_bytes(&[1; 32]).public()]));
    }

    #[test]
    fn lax_base64_and_odd_members_are_refused() {
        let line = sample().to_line();
        assert!(Envelope::parse(line.as_bytes()).is_ok());
        let payload = STANDARD.encode(br#"{"seat":1}"#);
        assert!(payload.ends_with("=="), "the case below needs padding");
        for (from, to) in [
            (payload.as_str(), payload.trim_end_matches('=')),
            (payload.as_str(), &payload.replace("fQ==", "fR==")),
            ("\"payload\":", "\"payloads\":"),
            (".v1+json", ".v2+json"),
            ("{\"keyid\"", "{\"x\":1,\"keyid\""),
            ("\"signatures\":[", "\"signatures\":[1,"),
        ] {
            let changed = line.replacen(from, to, 1);
            assert_ne!(changed, line, "{from}");
            assert!(Envelope::parse(changed.as_bytes()).is_err(), "{from} -> {to}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_envelope_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(Envelope::parse(&bytes).is_err());
        }

        #[test]
        fn a_changed_byte_is_an_error_or_another_record(at in 0usize..300, to in any::<u8>()) {
            let key = SecretKey::from_bytes(&[1; 32]).public();
            let envelope = sample();
            let mut line = envelope.to_line().into_bytes();
            let at = at % line.len();
            prop_assume!(line[at] != to);
            line[at] = to;
            if let Ok(changed) = Envelope::parse(&line) {
                let same_payload = changed.hash() == envelope.hash();
                let hint_only = same_payload && changed.all_verify(&[key]);
                prop_assert!(hint_only || !changed.all_verify(&[key]));
            }
        }
    }
}
