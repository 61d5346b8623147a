//! Requests cosignatures of witnesses (C2SP `tlog-witness`).

use std::fmt::Display;
use std::str::FromStr;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use reqwest::{Client, StatusCode, redirect};
use tokio::runtime::Runtime;

use crate::{LogError, LogTree, NamedCosignature, SignedCheckpoint, WitnessKey};

/// The longest answer of a witness that is read, in bytes.
const LONGEST_ANSWER: usize = 1 << 16;

/// The most requests to a witness for one checkpoint. The witness may first have to state the size
/// that it knows, and another process may have asked it in between.
const ATTEMPTS: usize = 3;

/// A witness and the address of its server.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AskedWitness {
    /// The address, to which `/add-checkpoint` is added.
    pub url: String,
    /// The name and the key.
    pub key: WitnessKey,
}

/// Reads `URL=NAME+KEY`.
impl FromStr for AskedWitness {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A key may have equals signs too; the address of a witness has none.
        let (url, key) = text.split_once('=').ok_or("write URL=NAME+KEY")?;
        if !url.starts_with("https://") && !url.starts_with("http://") {
            return Err("the address begins with https:// or http://".to_owned());
        }
        Ok(Self { url: url.trim_end_matches('/').to_owned(), key: key.parse()? })
    }
}

/// Asks several witnesses at once.
#[derive(Debug)]
pub struct WitnessClient {
    /// The witnesses, each with the size that it signed last, as far as known.
    witnesses: Vec<(AskedWitness, u64)>,
    limit: Duration,
    client: Client,
    runtime: Runtime,
}

/// The reply of a witness that answered.
enum WitnessReply {
    Cosigned(NamedCosignature),
    /// It has signed a tree of this size.
    Knows(u64),
}

impl WitnessClient {
    /// Makes a client. Asking all witnesses for a checkpoint takes at most `limit`.
    ///
    /// # Errors
    ///
    /// If two witnesses have one name or one key, or the system has no resources for a client.
    pub fn new(witnesses: Vec<AskedWitness>, limit: Duration) -> Result<Self, LogError> {
        for (at, one) in witnesses.iter().enumerate() {
            let is_same = |other: &AskedWitness| {
                other.key.name == one.key.name || other.key.key == one.key.key
            };
            if witnesses[..at].iter().any(is_same) {
                let what = format!("two witnesses have the name or the key of {}", one.key.name);
                return Err(LogError::Usage(what));
            }
        }
        let failed = |error: &dyn Display| LogError::Unavailable(error.to_string());
        let client = Client::builder().redirect(redirect::Policy::none()).build();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        Ok(Self {
            witnesses: witnesses.into_iter().map(|witness| (witness, 0)).collect(),
            limit,
            client: client.map_err(|error| failed(&error))?,
            runtime: runtime.map_err(|error| failed(&error))?,
        })
    }

    /// Returns the keys of the witnesses.
    #[must_use]
    pub fn keys(&self) -> Vec<WitnessKey> {
        self.witnesses.iter().map(|(witness, _)| witness.key.clone()).collect()
    }

    /// Asks each witness that has not signed the checkpoint, and adds the cosignatures. `tree` is
    /// that of the checkpoint. Returns the reasons of the witnesses that did not sign.
    ///
    /// # Errors
    ///
    /// If the tree cannot be read. [`LogError::Broken`] if a witness has signed a larger tree: then
    /// the state is an old copy, and going on would fork the log.
    pub fn ask(
        &mut self,
        checkpoint: &mut SignedCheckpoint,
        tree: &LogTree<'_>,
    ) -> Result<Vec<String>, LogError> {
        let deadline = Instant::now() + self.limit;
        let unsigned = SignedCheckpoint { cosignatures: Vec::new(), ..checkpoint.clone() };
        let request = |at: usize, attempt: usize, witness: &AskedWitness, seen: u64| {
            let proof = tree.consistency(seen)?;
            let proof = proof.iter().map(|hash| STANDARD.encode(hash.as_bytes()) + "\n");
            let note = unsigned.to_note();
            let body = format!("old {seen}\n{}\n{note}", proof.collect::<String>());
            let reply = add_checkpoint(
                self.client.clone(),
                witness.clone(),
                unsigned.clone(),
                body,
                deadline,
            );
            Ok::<_, LogError>(async move { (at, attempt, reply.await) })
        };
        let mut pending = FuturesUnordered::new();
        for (at, (witness, seen)) in self.witnesses.iter().enumerate() {
            if checkpoint.cosignatures.iter().all(|one| one.witness() != witness.key) {
                pending.push(request(at, 1, witness, *seen)?);
            }
        }
        let mut faults = Vec::new();
        // Proofs are read between the answers, so that no witness waits for another.
        while let Some((at, attempt, reply)) = self.runtime.block_on(pending.next()) {
            let (witness, seen) = &mut self.witnesses[at];
            let name = &witness.key.name;
            match reply {
                Ok(WitnessReply::Cosigned(cosignature)) => {
                    *seen = checkpoint.size;
                    checkpoint.cosignatures.push(cosignature);
                }
                Ok(WitnessReply::Knows(size)) if size > checkpoint.size => {
                    let what = format!(
                        "witness {name} has signed this log with {size} entries, and the state has \
                         {}: the state is an old copy, and the log would be forked",
                        checkpoint.size
                    );
                    return Err(LogError::Broken(what));
                }
                Ok(WitnessReply::Knows(size)) if attempt < ATTEMPTS && size != *seen => {
                    *seen = size;
                    pending.push(request(at, attempt + 1, witness, size)?);
                }
                Ok(WitnessReply::Knows(size)) => {
                    faults.push(format!("witness {name}: it keeps saying that it has {size}"));
                }
                Err(what) => faults.push(format!("witness {name}: {what}")),
            }
        }
        Ok(faults)
    }
}

/// Makes one call.
async fn add_checkpoint(
    client: Client,
    witness: AskedWitness,
    checkpoint: SignedCheckpoint,
    body: String,
    deadline: Instant,
) -> Result<WitnessReply, String> {
    let left = deadline.saturating_duration_since(Instant::now());
    let request = client.post(format!("{}/add-checkpoint", witness.url)).body(body).timeout(left);
    // The cause of an error of the client is in its source alone.
    let told = |error: &reqwest::Error| {
        let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
        format!("{error}{}", cause.unwrap_or_default())
    };
    let mut response = request.send().await.map_err(|error| told(&error))?;
    let status = response.status();
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| told(&error))? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > LONGEST_ANSWER {
            return Err("the answer is too long".to_owned());
        }
    }
    let text = String::from_utf8(bytes).map_err(|_| "the answer is not text")?;
    match status {
        StatusCode::OK => {
            // The signature lines of the answer, under the note that they sign.
            let note = checkpoint.to_note() + &text;
            let keys = std::slice::from_ref(&witness.key);
            let signed = SignedCheckpoint::parse(note.as_bytes(), &checkpoint.log, keys);
            let mut cosignatures = signed.map_err(|error| error.to_string())?.cosignatures;
            let cosignature = cosignatures.pop().ok_or("the answer lacks its signature")?;
            if cosignature.cosignature.time == 0 {
                return Err("it signs without a time".to_owned());
            }
            Ok(WitnessReply::Cosigned(cosignature))
        }
        StatusCode::CONFLICT => {
            let size = text.trim_end().parse().map_err(|_| "409 without a size")?;
            Ok(WitnessReply::Knows(size))
        }
        other => {
            // Someone else wrote the text, and it goes to a terminal.
            let line = text.lines().next().unwrap_or_default().chars();
            let line: String = line.take(200).filter(|c| matches!(c, ' '..='~')).collect();
            Err(format!("it answered {other}: {line}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

    #[test]
    fn a_witness_is_named_by_address_name_and_key() {
        let text = format!("https://w.example/log/=w.example+{KEY}");
        let witness: AskedWitness = text.parse().unwrap();
        assert_eq!(
            (witness.url.as_str(), witness.key.name.as_str()),
            ("https://w.example/log", "w.example")
        );
        let standard = format!("https://w.example/log={}", witness.key);
        assert_eq!(standard.parse(), Ok(witness.clone()));
        for bad in ["", "https://w.example", &format!("w.example=w.example+{KEY}"), "https://w=w+1"]
        {
            assert!(bad.parse::<AskedWitness>().is_err(), "{bad}");
        }
        let twice = WitnessClient::new(vec![witness.clone(), witness], Duration::from_secs(1));
        assert!(matches!(twice, Err(LogError::Usage(_))));
    }
}
