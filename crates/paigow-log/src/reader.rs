//! Reads a log: its checkpoints, those that witnesses have signed, and its tree.

use paigow_fairness::log_proof::PublicLog;

use crate::{LogError, LogStore, LogTree, SignedCheckpoint, WitnessKey};

/// The name of the newest checkpoint.
pub(crate) const CHECKPOINT: &str = "checkpoint";

/// The name of the list of witnesses.
pub(crate) const WITNESSES: &str = "witnesses";

/// The folder of the checkpoints that witnesses have signed.
const COSIGNED: &str = "cosigned";

/// How many folders a size is written in, with three digits each.
const DEPTH: usize = 5;

/// Returns the parts of the name of a cosigned checkpoint: names sort as sizes do.
fn size_parts(size: u64) -> Vec<String> {
    let digits = format!("{size:015}");
    let (first, rest) = digits.split_at(digits.len() - 3 * (DEPTH - 1));
    let rest = rest.as_bytes().chunks(3).map(|part| String::from_utf8_lossy(part).into_owned());
    [first.to_owned()].into_iter().chain(rest).collect()
}

/// Returns the name of a checkpoint that witnesses have signed.
pub(crate) fn cosigned_name(size: u64) -> String {
    format!("{COSIGNED}/{}", size_parts(size).join("/"))
}

/// Reads a log and verifies what it reads.
///
/// # Examples
///
/// ```no_run
/// use std::ops::ControlFlow;
///
/// use paigow_fairness::log_proof::PublicLog;
/// use paigow_log::{LogError, LogReader, LogStore as _, ObjectLogStore};
///
/// # fn read(log: PublicLog) -> Result<(), LogError> {
/// let store = ObjectLogStore::open("https://log.example/paigow")?;
/// let reader = LogReader::new(&store, log);
/// let witnesses = reader.witnesses()?;
/// if let Some(checkpoint) = reader.checkpoint(&witnesses)? {
///     let tree = reader.tree(&checkpoint);
///     tree.entries(0..checkpoint.size, |index, entry| {
///         println!("{index}: {} bytes", entry.len());
///         ControlFlow::Continue(())
///     })?;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct LogReader<'s> {
    store: &'s dyn LogStore,
    log: PublicLog,
}

impl<'s> LogReader<'s> {
    /// Makes a reader of the log that a manifest lists.
    #[must_use]
    pub const fn new(store: &'s dyn LogStore, log: PublicLog) -> Self {
        Self { store, log }
    }

    /// Reads the newest checkpoint; [`None`] if the log has none. Verifies the signature of the log
    /// and the cosignatures of these witnesses.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or [`SignedCheckpoint::parse`] refuses it.
    pub fn checkpoint(
        &self,
        witnesses: &[WitnessKey],
    ) -> Result<Option<SignedCheckpoint>, LogError> {
        let note = self.store.read_one(CHECKPOINT)?;
        note.map(|note| SignedCheckpoint::parse(&note, &self.log, witnesses)).transpose()
    }

    /// Returns the tree of a checkpoint.
    #[must_use]
    pub fn tree(&self, checkpoint: &SignedCheckpoint) -> LogTree<'s> {
        LogTree::new(self.store, checkpoint.size, checkpoint.root)
    }

    /// Reads the names and keys of the witnesses that the writer asks. The list is not proof: a
    /// caller that trusts witnesses must know their keys.
    ///
    /// # Errors
    ///
    /// If the list cannot be read, or a line of it is no verifier key.
    pub fn witnesses(&self) -> Result<Vec<WitnessKey>, LogError> {
        let text = self.store.read_one(WITNESSES)?.unwrap_or_default();
        let broken = |what: &str| LogError::Broken(format!("{WITNESSES}: {what}"));
        let text = String::from_utf8(text).map_err(|_| broken("not text"))?;
        text.lines().map(|line| line.parse().map_err(|what: String| broken(&what))).collect()
    }

    /// Reads the first checkpoint of at least `size` entries that at least `wanted` of these
    /// witnesses have signed.
    ///
    /// Returns [`None`] if there is no such checkpoint. The store must list its objects.
    ///
    /// # Errors
    ///
    /// If an object cannot be read, or [`SignedCheckpoint::parse`] refuses it.
    pub fn first_cosigned(
        &self,
        size: u64,
        wanted: usize,
        witnesses: &[WitnessKey],
    ) -> Result<Option<SignedCheckpoint>, LogError> {
        let mut from = size;
        while let Some(name) = self.next_cosigned(from)? {
            let note = self.store.read_one(&name)?.unwrap_or_default();
            let checkpoint = SignedCheckpoint::parse(&note, &self.log, witnesses)?;
            if checkpoint.size < from || cosigned_name(checkpoint.size) != name {
                let what = format!("{name}: a checkpoint of {} entries", checkpoint.size);
                return Err(LogError::Broken(what));
            }
            if checkpoint.cosignatures.len() >= wanted {
                return Ok(Some(checkpoint));
            }
            from = checkpoint.size + 1;
        }
        Ok(None)
    }

    /// Returns the name of the first cosigned checkpoint of at least `size` entries.
    fn next_cosigned(&self, size: u64) -> Result<Option<String>, LogError> {
        let wanted = size_parts(size);
        // Most often the next one is in the folder of the size itself.
        for depth in (0..DEPTH).rev() {
            let folder = [COSIGNED].into_iter().chain(wanted[..depth].iter().map(String::as_str));
            let mut name = folder.collect::<Vec<_>>().join("/");
            let is_last = depth == DEPTH - 1;
            let is_next =
                |part: &String| *part > wanted[depth] || is_last && *part == wanted[depth];
            let Some(part) = self.store.list(&name)?.into_iter().find(is_next) else { continue };
            name = format!("{name}/{part}");
            for _ in depth + 1..DEPTH {
                let Some(first) = self.store.list(&name)?.into_iter().next() else {
                    return Ok(None);
                };
                name = format!("{name}/{first}");
            }
            return Ok(Some(name));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cosigned_checkpoint_is_named_by_its_size() {
        assert_eq!(cosigned_name(0), "cosigned/000/000/000/000/000");
        assert_eq!(cosigned_name(1_234_067), "cosigned/000/000/001/234/067");
        assert_eq!(cosigned_name(u64::MAX), "cosigned/18446744/073/709/551/615");
    }
}
