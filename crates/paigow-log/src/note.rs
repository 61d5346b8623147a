//! Checkpoints as signed notes (C2SP `signed-note`, `tlog-checkpoint`, `tlog-cosignature`).

use std::collections::BTreeSet;
use std::fmt::{self, Display};
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use paigow_engine::SecretKey;
use paigow_fairness::encoding::Hash;
use paigow_fairness::log_proof::{
    Cosignature, LogCheckpoint, MAX_COSIGNATURES, PublicLog, checkpoint_text, cosigned_bytes,
};
use paigow_fairness::signature::{PublicKey, Signer as _};
use signed_note::{Note, Signature, Verifier, VerifierList, is_key_name_valid, key_id};
use tlog_tiles::Checkpoint;

use crate::LogError;

/// The signature type of a log, in the id of its key.
const LOG_TYPE: u8 = 1;

/// The signature type of a witness that signs with the time.
const WITNESS_TYPE: u8 = 4;

/// The name and the public key of a witness.
///
/// # Examples
///
/// ```
/// use paigow_log::WitnessKey;
///
/// let hex = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
/// let witness: WitnessKey = format!("witness.example+{hex}").parse()?;
/// // As C2SP writes it: with the id of the key, and the key in base64.
/// let text = witness.to_string();
/// assert!(text.starts_with("witness.example+") && text.parse::<WitnessKey>()? == witness);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct WitnessKey {
    /// The name in signature lines.
    pub name: String,
    /// The key.
    pub key: PublicKey,
}

impl WitnessKey {
    fn verifier(&self) -> NoteKey {
        NoteKey { name: self.name.clone(), kind: WITNESS_TYPE, key: self.key }
    }

    /// Signs the text of a checkpoint with the secret half, at a time in Unix seconds.
    #[must_use]
    pub fn cosign(&self, key: &SecretKey, time: u64, text: &str) -> NamedCosignature {
        let sig = key.sign(&cosigned_bytes(time, text));
        let cosignature = Cosignature { key: self.key, sig, time };
        NamedCosignature { name: self.name.clone(), cosignature }
    }
}

/// Writes the verifier key of C2SP `signed-note`: `<name>+<id>+<base64 of type and key>`.
impl Display for WitnessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verifier = self.verifier();
        let bytes = STANDARD.encode(verifier.typed_key());
        write!(f, "{}+{:08x}+{bytes}", self.name, verifier.key_id())
    }
}

/// Reads a verifier key as it is displayed, or `<name>+<64 hex digits>`.
impl FromStr for WitnessKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = "write NAME+KEY, the key in 64 hex digits, or a verifier key of type 4";
        let (name, rest) = text.split_once('+').ok_or(form)?;
        if !is_key_name_valid(name) {
            return Err("a name has no space and no control character".to_owned());
        }
        let key = match rest.split_once('+') {
            None => PublicKey::from_hex(rest).map_err(|error| error.to_string())?,
            Some((_, key)) => {
                let typed: [u8; 33] = STANDARD
                    .decode(key)
                    .ok()
                    .and_then(|typed| typed.try_into().ok())
                    .filter(|typed: &[u8; 33]| typed[0] == WITNESS_TYPE)
                    .ok_or(form)?;
                let key = std::array::from_fn(|at| typed[at + 1]);
                PublicKey::from_bytes(&key).map_err(|error| error.to_string())?
            }
        };
        let witness = Self { name: name.to_owned(), key };
        if rest.contains('+') && witness.to_string() != text {
            return Err("the id of the verifier key is not that of its name and key".to_owned());
        }
        Ok(witness)
    }
}

/// A key that verifies the lines of a note.
#[derive(Debug)]
struct NoteKey {
    name: String,
    kind: u8,
    key: PublicKey,
}

impl NoteKey {
    fn typed_key(&self) -> Vec<u8> {
        [&[self.kind][..], &self.key.to_bytes()].concat()
    }

    fn log(log: &PublicLog) -> Self {
        Self { name: log.origin.to_string(), kind: LOG_TYPE, key: log.key }
    }

    /// Writes the line of a signature.
    fn line(&self, signature: Vec<u8>) -> String {
        let Self { name, .. } = self;
        let bytes = [&self.key_id().to_be_bytes()[..], &signature].concat();
        format!("\u{2014} {name} {}\n", STANDARD.encode(bytes))
    }
}

impl Verifier for NoteKey {
    fn name(&self) -> &str {
        &self.name
    }

    fn key_id(&self) -> u32 {
        key_id(&self.name, &self.typed_key())
    }

    fn verify(&self, text: &[u8], signature: &[u8]) -> bool {
        if self.kind == LOG_TYPE {
            return signature.try_into().is_ok_and(|sig| self.key.verifies(text, sig));
        }
        let (Some((time, sig)), Ok(text)) = (timestamped(signature), str::from_utf8(text)) else {
            return false;
        };
        self.key.verifies(&cosigned_bytes(time, text), &sig)
    }
}

/// Splits the signature of a witness into its time and the signature of its key.
fn timestamped(signature: &[u8]) -> Option<(u64, [u8; 64])> {
    let (time, sig) = signature.split_first_chunk::<8>()?;
    Some((u64::from_be_bytes(*time), sig.try_into().ok()?))
}

/// The cosignature of a witness, with the name of the witness.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NamedCosignature {
    /// The name.
    pub name: String,
    /// The cosignature.
    pub cosignature: Cosignature,
}

impl NamedCosignature {
    /// Returns the witness.
    #[must_use]
    pub fn witness(&self) -> WitnessKey {
        WitnessKey { name: self.name.clone(), key: self.cosignature.key }
    }

    /// Returns the signature line of a note, with its end.
    #[must_use]
    pub fn to_line(&self) -> String {
        let Cosignature { sig, time, .. } = self.cosignature;
        self.witness().verifier().line([&time.to_be_bytes()[..], &sig].concat())
    }
}

/// A checkpoint with verified signatures.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SignedCheckpoint {
    /// The log.
    pub log: PublicLog,
    /// How many entries the log has.
    pub size: u64,
    /// The hash of its tree.
    pub root: Hash,
    /// The log's signature.
    pub sig: [u8; 64],
    /// The cosignatures, each of another witness.
    pub cosignatures: Vec<NamedCosignature>,
}

impl SignedCheckpoint {
    /// Signs a checkpoint. `key` is the secret half of the log's key.
    #[must_use]
    pub fn sign(log: &PublicLog, key: &SecretKey, size: u64, root: Hash) -> Self {
        let sig = key.sign(checkpoint_text(&log.origin, size, &root).as_bytes());
        Self { log: log.clone(), size, root, sig, cosignatures: Vec::new() }
    }

    /// Returns the checkpoint as proofs and copies have it: with one cosignature of each key, and of
    /// the first sixteen keys.
    #[must_use]
    pub(crate) fn of_record(&self) -> LogCheckpoint {
        let mut keys = BTreeSet::new();
        let cosignatures = self.cosignatures.iter().map(|one| one.cosignature);
        let cosignatures = cosignatures.filter(|one| keys.insert(one.key));
        LogCheckpoint {
            cosignatures: cosignatures.take(MAX_COSIGNATURES).collect(),
            origin: self.log.origin.clone(),
            root: self.root,
            sig: self.sig,
            size: self.size,
        }
    }

    /// Returns the text that is signed.
    #[must_use]
    pub fn text(&self) -> String {
        checkpoint_text(&self.log.origin, self.size, &self.root)
    }

    /// Returns the signed note.
    #[must_use]
    pub fn to_note(&self) -> String {
        let mut note = self.text() + "\n" + &NoteKey::log(&self.log).line(self.sig.to_vec());
        note.extend(self.cosignatures.iter().map(NamedCosignature::to_line));
        note
    }

    /// Reads a signed note, and verifies the signatures of `log` and of the `witnesses`. Signatures
    /// of others are left out.
    ///
    /// # Errors
    ///
    /// If it is not a checkpoint of the log, it has extension lines, the log has not signed it, or
    /// one of the signatures does not verify.
    pub fn parse(note: &[u8], log: &PublicLog, witnesses: &[WitnessKey]) -> Result<Self, LogError> {
        let broken = |what: &dyn Display| LogError::Broken(format!("the checkpoint: {what}"));
        let note = Note::from_bytes(note).map_err(|error| broken(&error))?;
        let read = Checkpoint::from_bytes(note.text()).map_err(|error| broken(&error))?;
        if read.origin() != log.origin.as_str() {
            return Err(broken(&format!("it is of {}, not of {}", read.origin(), log.origin)));
        }
        let (size, root) = (read.size(), Hash::from_bytes(read.hash().0));
        // Also refuses extension lines and other spellings.
        if checkpoint_text(&log.origin, size, &root).as_bytes() != note.text() {
            return Err(broken(&"not the three lines of a checkpoint"));
        }
        let mut keys: Vec<Box<dyn Verifier>> = vec![Box::new(NoteKey::log(log))];
        keys.extend(witnesses.iter().map(|witness| Box::new(witness.verifier()) as _));
        let (signatures, _) =
            note.verify(&VerifierList::new(keys)).map_err(|error| broken(&error))?;
        let find = |key: &NoteKey| {
            let is_of = |one: &&Signature| one.name() == key.name && one.id() == key.key_id();
            signatures.iter().find(is_of).map(Signature::signature)
        };
        let sig = find(&NoteKey::log(log)).and_then(|sig| sig.try_into().ok());
        let sig = sig.ok_or_else(|| broken(&"no signature of the log"))?;
        let cosignature = |witness: &WitnessKey| {
            let (time, sig) = timestamped(find(&witness.verifier())?)?;
            let cosignature = Cosignature { key: witness.key, sig, time };
            Some(NamedCosignature { name: witness.name.clone(), cosignature })
        };
        let cosignatures = witnesses.iter().filter_map(cosignature).collect();
        Ok(Self { log: log.clone(), size, root, sig, cosignatures })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(key: &SecretKey) -> PublicLog {
        PublicLog { origin: "log.example/paigow".parse().unwrap(), key: key.public() }
    }

    fn witness(name: &str, secret: u8) -> (WitnessKey, SecretKey) {
        let key = SecretKey::from_bytes(&[secret; 32]);
        (WitnessKey { name: name.to_owned(), key: key.public() }, key)
    }

    #[test]
    fn the_example_of_the_specification_verifies() {
        // C2SP signed-note, "Verifier keys": the key, and the note that it verifies.
        let key = "AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
        let typed = STANDARD.decode(key).unwrap();
        let bytes = <[u8; 32]>::try_from(&typed[1..]).unwrap();
        let key = NoteKey {
            name: "example.com/foo".to_owned(),
            kind: typed[0],
            key: PublicKey::from_bytes(&bytes).unwrap(),
        };
        assert_eq!(format!("{:08x}", key.key_id()), "530d903a");
        let note = "This is an example message.\n\n\u{2014} example.com/foo \
                    Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72\
                    IneyaQM=\n";
        let parsed = Note::from_bytes(note.as_bytes()).unwrap();
        let (verified, others) = parsed.verify(&VerifierList::new(vec![Box::new(key)])).unwrap();
        assert_eq!((verified.len(), others.len()), (1, 0));
        assert_eq!(
            Note::from_bytes(note.as_bytes()).unwrap().text(),
            b"This is an example message.\n"
        );
    }

    #[test]
    fn a_checkpoint_reads_back_with_the_witnesses_that_are_known() {
        let secret = SecretKey::from_bytes(&[1; 32]);
        let log = log(&secret);
        let ((one, one_key), (two, two_key)) =
            (witness("w.example/1", 2), witness("w.example/2", 3));
        let mut signed = SignedCheckpoint::sign(&log, &secret, 5, Hash::of(b"root"));
        assert!(log.key.verifies(signed.text().as_bytes(), &signed.sig));
        let text = signed.text();
        signed.cosignatures.push(one.cosign(&one_key, 1_790_000_000, &text));
        signed.cosignatures.push(two.cosign(&two_key, 1_790_000_001, &text));
        let note = signed.to_note();
        let both = SignedCheckpoint::parse(note.as_bytes(), &log, &[one.clone(), two]).unwrap();
        assert_eq!(both, signed);
        assert!(both.cosignatures[0].cosignature.verifies(&text));
        let known = SignedCheckpoint::parse(note.as_bytes(), &log, &[one]).unwrap();
        assert_eq!(known.cosignatures, signed.cosignatures[..1]);
    }

    #[test]
    fn other_notes_are_refused() {
        let secret = SecretKey::from_bytes(&[1; 32]);
        let log = log(&secret);
        let (one, one_key) = witness("w.example/1", 2);
        let mut signed = SignedCheckpoint::sign(&log, &secret, 5, Hash::of(b"root"));
        let text = signed.text();
        signed.cosignatures.push(one.cosign(&one_key, 7, &text));
        let good = signed.to_note();
        let parse = |note: &str| {
            let parsed = SignedCheckpoint::parse(note.as_bytes(), &log, std::slice::from_ref(&one));
            parsed.map_err(|error| error.to_string())
        };
        assert!(parse(&good).is_ok());
        // Signed by another witness under the known name and id: a line that claims too much.
        let (_, other_key) = witness("w.example/1", 9);
        let mut forged = signed.clone();
        forged.cosignatures[0].cosignature.sig = other_key.sign(&cosigned_bytes(7, &text));
        let extended = SignedCheckpoint {
            sig: secret.sign(format!("{text}more\n").as_bytes()),
            cosignatures: Vec::new(),
            ..signed.clone()
        };
        let extended = extended.to_note().replacen("\n\n", "\nmore\n\n", 1);
        let unsigned = text.clone() + "\n" + &signed.cosignatures[0].to_line();
        for (note, why) in [
            (good.replacen("\n5\n", "\n6\n", 1), "invalid signature"),
            (good.replacen("log.example", "log.elsewhere", 1), "it is of log.elsewhere/paigow"),
            (forged.to_note(), "invalid signature for key w.example/1"),
            (extended, "three lines"),
            (unsigned, "no signature of the log"),
            (text, "malformed"),
        ] {
            let error = parse(&note).unwrap_err();
            assert!(error.contains(why), "{error}, not {why}");
        }
    }

    #[test]
    fn a_verifier_key_of_another_type_or_id_is_refused() {
        let (one, _) = witness("w.example/1", 2);
        let good = one.to_string();
        let typed = [&[1][..], &one.key.to_bytes()].concat();
        let of_log = format!(
            "w.example/1+{:08x}+{}",
            key_id("w.example/1", &typed),
            STANDARD.encode(&typed)
        );
        for bad in [
            good.replacen("w.example/1", "w.example/2", 1),
            of_log,
            format!("w.example/1+{}", "0".repeat(64)),
            format!("w example+{}", one.key),
            one.key.to_string(),
        ] {
            assert!(bad.parse::<WitnessKey>().is_err(), "{bad}");
        }
        assert_eq!(format!("w.example/1+{}", one.key).parse(), Ok(one));
    }
}
