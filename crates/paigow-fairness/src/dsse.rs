//! DSSE envelopes over canonical JSON (PGE-FAIR-1, section 6.2), of any payload type.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::encoding::Hash;
use super::json::{Json, ParseJsonError, WriteJson, write_string};
use super::signature::{PublicKey, Signer, StrictVerifier, Verifier};

/// The type of payload that an envelope may state.
///
/// A reader takes only the types that it knows. The signature covers the type, so no payload is
/// ever read as another type.
pub trait PayloadType: Copy {
    /// Returns the DSSE payload type.
    fn payload_type(self) -> &'static str;

    /// Reads a DSSE payload type, or returns [`None`] for any other text.
    fn from_payload_type(text: &str) -> Option<Self>;
}

/// One signature of an envelope.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EnvelopeSignature {
    /// A hint about the key that signed. It is not authenticated, so nothing may rely on it.
    pub keyid: Arc<str>,
    /// The 64 bytes of the Ed25519 signature.
    pub sig: [u8; 64],
}

/// A payload and the signatures over it.
///
/// Its `Debug` prints type and hash only, since a payload may hold seeds and cards.
#[derive(Clone)]
pub struct Dsse<K> {
    kind: K,
    /// The bytes that are signed, DSSE's pre-authentication encoding:
    /// `"DSSEv1" SP len(type) SP type SP len(payload) SP payload`.
    pae: Vec<u8>,
    /// The offset of the payload in them.
    payload_at: usize,
    signatures: Vec<EnvelopeSignature>,
    /// The hash of the signed bytes, which never change. A record that was read is linked to often.
    /// A record that is made here is hashed at most once.
    hash: Option<Hash>,
}

/// Two envelopes are equal if their written forms are equal.
impl<K: PartialEq> PartialEq for Dsse<K> {
    fn eq(&self, other: &Self) -> bool {
        (&self.kind, &self.pae, &self.signatures) == (&other.kind, &other.pae, &other.signatures)
    }
}

impl<K: Eq> Eq for Dsse<K> {}

/// Bytes that are not an envelope.
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

/// A signature that an envelope does not accept.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum AttachSignatureError {
    /// The envelope has as many signatures as it may carry.
    #[error("a record has at most 16 signatures")]
    Full,
    /// The key did not make this signature over this record.
    #[error("not the signature of its public key over this record")]
    OtherSignature,
}

/// The size of the signed bytes of most records. With it, they are not moved while they are
/// written.
const USUAL_PAE: usize = 1024;

/// The most signatures that an envelope may have: enough for a root of a few keys, or a ledger of a
/// few.
pub const MAX_SIGNATURES: usize = 16;

impl<K: PayloadType> Dsse<K> {
    /// Makes an envelope without a signature. It is legal only if a policy allows it.
    #[must_use]
    pub fn unsigned(kind: K, payload: &impl WriteJson) -> Self {
        Self::new(kind, |pae| payload.write_to(pae), Vec::new())
    }

    /// Signs a payload with each of `keys`.
    #[must_use]
    pub fn seal<S: Signer>(kind: K, payload: &impl WriteJson, keys: &[&S]) -> Self {
        let signatures = Vec::with_capacity(keys.len());
        let mut envelope = Self::new(kind, |pae| payload.write_to(pae), signatures);
        for key in keys {
            envelope.add_signature(*key);
        }
        envelope
    }

    /// Returns whether it has the most signatures that an envelope may have. With one more it could
    /// not be read.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.signatures.len() >= MAX_SIGNATURES
    }

    /// Adds one more signature over the same payload.
    pub fn add_signature(&mut self, key: &impl Signer) {
        let sig = key.sign(&self.pae);
        self.signatures.push(EnvelopeSignature { keyid: key.kid(), sig });
    }

    /// Adds a signature that was made elsewhere, over [`Self::to_sign`].
    ///
    /// # Errors
    ///
    /// If the envelope has 16 signatures already, or if `signature` is not the signature of `key`.
    pub fn attach(
        &mut self,
        key: &PublicKey,
        signature: &[u8; 64],
    ) -> Result<(), AttachSignatureError> {
        if self.is_full() {
            return Err(AttachSignatureError::Full);
        }
        if !key.verifies(&self.pae, signature) {
            return Err(AttachSignatureError::OtherSignature);
        }
        self.signatures.push(EnvelopeSignature { keyid: key.kid().into(), sig: *signature });
        Ok(())
    }

    /// Reads one envelope from a line of JSON.
    ///
    /// # Errors
    ///
    /// If the bytes are not an envelope of a known kind. The payload is not checked.
    pub fn parse(line: &[u8]) -> Result<Self, ParseEnvelopeError> {
        Self::from_json(Json::parse(line)?)
    }

    /// Reads one envelope that is part of a larger value.
    ///
    /// # Errors
    ///
    /// If the value is not an envelope of a known kind. The payload is not checked.
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
        let kind = K::from_payload_type(&kind).ok_or(ParseEnvelopeError::Kind)?;
        let mut is_base64 = true;
        let mut read = Self::new(
            kind,
            |pae| is_base64 = STANDARD.decode_vec(payload.as_bytes(), pae).is_ok(),
            Vec::new(),
        );
        if !is_base64 {
            return Err(ParseEnvelopeError::Base64("payload"));
        }
        if signatures.len() > MAX_SIGNATURES {
            return Err(ParseEnvelopeError::Shape("more than 16 signatures"));
        }
        read.signatures =
            signatures.into_iter().map(parse_signature).collect::<Result<Vec<_>, _>>()?;
        read.hash = Some(read.hash());
        Ok(read)
    }

    /// Makes an envelope of the payload that `write` appends.
    fn new(kind: K, write: impl FnOnce(&mut Vec<u8>), signatures: Vec<EnvelopeSignature>) -> Self {
        let name = kind.payload_type();
        let mut pae = Vec::with_capacity(USUAL_PAE);
        let push_len = |pae: &mut Vec<u8>, len: usize| {
            pae.extend_from_slice(itoa::Buffer::new().format(len).as_bytes());
            pae.push(b' ');
        };
        pae.extend_from_slice(b"DSSEv1 ");
        push_len(&mut pae, name.len());
        pae.extend_from_slice(name.as_bytes());
        pae.push(b' ');
        // The payload's length precedes it, and is known only after it has been written.
        let len_at = pae.len();
        write(&mut pae);
        let payload_end = pae.len();
        push_len(&mut pae, payload_end - len_at);
        let len_size = pae.len() - payload_end;
        pae[len_at..].rotate_right(len_size);
        Self { kind, pae, payload_at: len_at + len_size, signatures, hash: None }
    }

    /// Returns the envelope as one canonical line, without the line end. The text is that of
    /// [`Self::to_json`], written directly.
    ///
    /// # Panics
    ///
    /// Never: what is written is printable ASCII.
    #[must_use]
    pub fn to_line(&self) -> String {
        String::from_utf8(self.to_line_bytes()).expect("canonical JSON is ASCII")
    }

    /// Returns the bytes of [`Self::to_line`].
    #[must_use]
    pub fn to_line_bytes(&self) -> Vec<u8> {
        let signatures = self.signatures.len() * 160;
        let mut line = Vec::with_capacity(self.pae.len() * 4 / 3 + signatures + 128);
        line.extend_from_slice(b"{\"payload\":\"");
        base64_simd::STANDARD.encode_append(self.payload(), &mut line);
        line.extend_from_slice(b"\",\"payloadType\":\"");
        line.extend_from_slice(self.kind.payload_type().as_bytes());
        line.extend_from_slice(b"\",\"signatures\":[");
        for (i, signature) in self.signatures.iter().enumerate() {
            if i > 0 {
                line.push(b',');
            }
            line.extend_from_slice(b"{\"keyid\":");
            write_string(&signature.keyid, &mut line);
            line.extend_from_slice(b",\"sig\":\"");
            base64_simd::STANDARD.encode_append(signature.sig, &mut line);
            line.extend_from_slice(b"\"}");
        }
        line.extend_from_slice(b"]}");
        line
    }

    /// Returns the envelope as a value, for use in a larger one.
    #[must_use]
    pub fn to_json(&self) -> Json<'_> {
        let signatures = self.signatures.iter().map(|s| {
            let sig = Json::Str(STANDARD.encode(s.sig).into());
            Json::obj([("keyid", Json::text(&s.keyid)), ("sig", sig)])
        });
        Json::obj([
            ("payload", Json::Str(STANDARD.encode(self.payload()).into())),
            ("payloadType", Json::text(self.kind.payload_type())),
            ("signatures", Json::arr(signatures)),
        ])
    }

    /// Returns the kind of the record.
    #[must_use]
    pub const fn kind(&self) -> K {
        self.kind
    }

    /// Returns the payload's bytes as they were signed.
    #[must_use]
    pub fn payload(&self) -> &[u8] {
        &self.pae[self.payload_at..]
    }

    /// Returns the bytes that a signer signs: the pre-authentication encoding of DSSE.
    #[must_use]
    pub fn to_sign(&self) -> &[u8] {
        &self.pae
    }

    /// Reads the payload.
    ///
    /// # Errors
    ///
    /// If it is not canonical JSON.
    pub fn json(&self) -> Result<Json<'_>, ParseJsonError> {
        Json::parse_canonical(self.payload())
    }

    /// Returns the signatures.
    #[must_use]
    pub fn signatures(&self) -> &[EnvelopeSignature] {
        &self.signatures
    }

    /// Returns the record's hash, the link in every `prev`: `SHA-256(PAE)`.
    #[must_use]
    pub fn hash(&self) -> Hash {
        self.hash.unwrap_or_else(|| Hash::of(&self.pae))
    }

    /// Returns 32 bytes that no other record shares.
    ///
    /// For a signed record they are the first half of its signature. That half follows from the key
    /// and from all that is signed (RFC 8032, section 5.1.6), and costs no computation. For an
    /// unsigned record they are its hash.
    #[must_use]
    pub fn mark(&self) -> [u8; 32] {
        let signature = self.signatures.first().and_then(|first| first.sig.first_chunk());
        signature.copied().unwrap_or_else(|| *self.hash().as_bytes())
    }

    /// Returns the record's leaf in a transparency log: `SHA-256(00 || PAE)`.
    #[must_use]
    pub fn log_leaf(&self) -> Hash {
        Hash::of_parts(&[&[0], &self.pae])
    }

    /// Returns whether every signature verifies under one of `keys`.
    ///
    /// Returns true for an envelope without a signature. A caller that needs a signature also calls
    /// [`Dsse::is_signed`].
    #[must_use]
    pub fn all_verify<'k>(&self, keys: impl IntoIterator<Item = &'k PublicKey> + Clone) -> bool {
        self.all_verify_by(&StrictVerifier, keys)
    }

    /// As [`Dsse::all_verify`], with `verifier`.
    #[must_use]
    pub fn all_verify_by<'k>(
        &self,
        verifier: &dyn Verifier,
        keys: impl IntoIterator<Item = &'k PublicKey> + Clone,
    ) -> bool {
        let by_any = |signature: &EnvelopeSignature| {
            let mut keys = keys.clone().into_iter();
            keys.any(|key| verifier.verifies(key, &self.pae, &signature.sig))
        };
        self.signatures.iter().all(by_any)
    }

    /// Returns whether one of `keys` has signed, whatever other signatures exist.
    #[must_use]
    pub fn any_verifies<'k>(&self, keys: impl IntoIterator<Item = &'k PublicKey>) -> bool {
        let has_signed =
            |key: &PublicKey| self.signatures.iter().any(|s| key.verifies(&self.pae, &s.sig));
        keys.into_iter().any(has_signed)
    }

    /// Returns how many *distinct* keys of `keys` have signed.
    #[must_use]
    pub fn count_signers(&self, keys: &[PublicKey]) -> usize {
        let mut distinct: Vec<&PublicKey> = keys.iter().collect();
        distinct.sort();
        distinct.dedup();
        distinct
            .into_iter()
            .filter(|key| self.signatures.iter().any(|s| key.verifies(&self.pae, &s.sig)))
            .count()
    }

    /// Whether there is a signature at all.
    #[must_use]
    pub const fn is_signed(&self) -> bool {
        !self.signatures.is_empty()
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
        .decode(sig.as_bytes())
        .ok()
        .and_then(|sig| <[u8; 64]>::try_from(sig).ok())
        .ok_or(ParseEnvelopeError::Base64("a signature of 64 bytes"))?;
    Ok(EnvelopeSignature { keyid: keyid.into(), sig })
}

impl<K: PayloadType> std::fmt::Debug for Dsse<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Envelope({} {})", self.kind.payload_type(), self.hash())
    }
}
