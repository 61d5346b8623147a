//! Public randomness: rounds that wait for the signature of a beacon (`external: drand`).

use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use paigow_proto::v1::{Beacon, Record};

use crate::database::trace;
use crate::errors::{ClientError, RefusedCall};
use crate::players::new_seed;
use crate::records::body;
use crate::store::StoredLock;

/// The reason why a source has no signature.
pub type BeaconFailure = Box<dyn Error + Send + Sync>;

type SignatureFuture = Pin<Box<dyn Future<Output = Result<String, BeaconFailure>> + Send>>;

type SignatureFunction = dyn Fn(i64) -> SignatureFuture + Send + Sync;

/// The source of a beacon's signatures, and what goes with it. A table needs it under the policy `external: drand`.
///
/// # Examples
///
/// ```
/// use paigow_client::BeaconSettings;
///
/// # async fn fetch(address: &str) -> Result<String, Box<dyn std::error::Error + Send + Sync>> { Ok(address.to_owned()) }
/// let relay = "https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/public";
/// let settings = BeaconSettings::new(move |round| async move { fetch(&format!("{relay}/{round}")).await })
///     .lead(30)
///     .records("locks");
/// ```
#[derive(Clone)]
pub struct BeaconSettings {
    signature: Arc<SignatureFunction>,
    lead: u32,
    now: fn() -> i64,
    records: Option<PathBuf>,
}

impl fmt::Debug for BeaconSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BeaconSettings")
            .field("lead", &self.lead)
            .field("records", &self.records)
            .finish_non_exhaustive()
    }
}

impl BeaconSettings {
    /// Makes settings. `signature` returns the beacon's signature of a round, 96 hexadecimal digits. It may wait until the
    /// beacon publishes the round. An error means that there is no signature yet.
    pub fn new<F, S>(signature: F) -> Self
    where
        F: Fn(i64) -> S + Send + Sync + 'static,
        S: Future<Output = Result<String, BeaconFailure>> + Send + 'static,
    {
        Self {
            signature: Arc::new(move |round| -> SignatureFuture { Box::pin(signature(round)) }),
            lead: 20,
            now: unix_now,
            records: None,
        }
    }

    /// Sets the seconds from the opening of a round to its value. 20 unless it is set. Betting has to end before.
    #[must_use]
    pub const fn lead(mut self, seconds: u32) -> Self {
        self.lead = seconds;
        self
    }

    /// Sets the clock, in seconds since 1970. It is that of the system unless it is set.
    #[must_use]
    pub fn now(mut self, now: fn() -> i64) -> Self {
        self.now = now;
        self
    }

    /// Sets the folder that gives the locks of wagers to the writer of the public log. Without it the log has each lock
    /// after its deal, which is too late to show that the wagers came before the value.
    #[must_use]
    pub fn records(mut self, folder: impl Into<PathBuf>) -> Self {
        self.records = Some(folder.into());
        self
    }

    /// Returns the first round that the beacon publishes after the lead.
    pub(crate) fn round(&self, beacon: &Beacon) -> i64 {
        let after = (self.now)().saturating_add(self.lead.into()).saturating_sub(beacon.genesis);
        // Rounded up: the value comes after the lead.
        let period = beacon.period.max(1);
        after.max(0).saturating_add(period - 1) / period + 1
    }

    /// Whether the beacon has published a round.
    pub(crate) fn is_published(&self, beacon: &Beacon, round: i64) -> bool {
        let after = (round - 1).saturating_mul(beacon.period);
        (self.now)() >= beacon.genesis.saturating_add(after)
    }

    /// Returns the signature of a round, from the source.
    pub(crate) async fn signature(&self, round: i64) -> Result<String, ClientError> {
        (self.signature)(round)
            .await
            .map_err(|error| ClientError::BeaconUnavailable { round, message: error.to_string() })
    }

    /// Gives the lock of a round's wagers to the writer of the log: a file of one line, whole.
    pub(crate) async fn give_lock(&self, lock: &Record) -> Result<(), ClientError> {
        let Some(file) = self.file_of(&lock.envelope)? else { return Ok(()) };
        let mut line = lock.envelope.clone();
        line.push(b'\n');
        trace("give the lock to the log");
        on_file(file, move |file| write_whole(file, &line)).await
    }

    /// Deletes the file of a closed round.
    pub(crate) async fn forget_lock(&self, lock: &StoredLock) -> Result<(), ClientError> {
        let Some(file) = self.file_of(&lock.envelope)? else { return Ok(()) };
        trace("delete the file of the lock");
        let delete = |file: &Path| match fs::remove_file(file) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        on_file(file, delete).await
    }

    fn file_of(&self, lock: &[u8]) -> Result<Option<PathBuf>, ClientError> {
        let Some(folder) = &self.records else { return Ok(None) };
        let body = body(lock)?;
        let round_id =
            body["round_id"].as_str().filter(|id| id.bytes().all(|b| b.is_ascii_hexdigit()));
        let round_id = round_id.ok_or(ClientError::Contract("a lock names no round"))?;
        Ok(Some(folder.join(format!("{round_id}.jsonl"))))
    }
}

/// Does work with a file away from the threads of the runtime.
async fn on_file(
    file: PathBuf,
    act: impl FnOnce(&Path) -> io::Result<()> + Send + 'static,
) -> Result<(), ClientError> {
    let work = move || {
        act(&file).map_err(|error| ClientError::File(format!("{}: {error}", file.display())))
    };
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}

/// Writes a file so that no reader finds a part of it.
fn write_whole(file: &Path, bytes: &[u8]) -> io::Result<()> {
    if file.exists() {
        return Ok(());
    }
    // Another process may write the same file.
    let new = file.with_extension(format!("{}.new", hex::encode(&new_seed()[..8])));
    let mut written = File::create_new(&new)?;
    written.write_all(bytes)?;
    written.sync_all()?;
    fs::rename(&new, file)
}

/// Returns the beacon's round that a ticket waits for, if it waits for one.
pub(crate) fn round_of(ticket: &Record) -> Result<Option<i64>, ClientError> {
    let external = body(&ticket.envelope)?["external"].clone();
    if external["type"] != "drand" {
        return Ok(None);
    }
    let round = external["round"].as_str().and_then(|round| round.parse().ok());
    round.map(Some).ok_or(ClientError::Contract("a ticket names no round of the beacon"))
}

/// Returns the round to name instead of one that is refused (`BEACON_ROUND`). It is the one after the first that is taken:
/// the first may come too soon for the next call.
pub(crate) fn permitted(refused: &RefusedCall) -> Option<i64> {
    let limit = |name: &str| refused.metadata.get(name)?.parse::<i64>().ok();
    (refused.reason == "BEACON_ROUND").then_some(())?;
    Some(limit("minimum")?.saturating_add(1).min(limit("maximum")?))
}

#[expect(clippy::disallowed_methods, reason = "the default clock of a platform decides no outcome")]
fn unix_now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn no_value(_: i64) -> Result<String, BeaconFailure> {
        Err("the relay is down".into())
    }

    fn settings(now: fn() -> i64, lead: u32) -> BeaconSettings {
        BeaconSettings::new(no_value).now(now).lead(lead)
    }

    #[test]
    fn the_named_round_comes_at_the_lead_or_after_it() {
        let beacon = Beacon { genesis: 1_000, period: 3, ..Beacon::default() };
        // Round n is published at 1000 + 3 (n - 1).
        assert_eq!(settings(|| 1_000, 0).round(&beacon), 1);
        assert_eq!(settings(|| 1_000, 1).round(&beacon), 2);
        assert_eq!(settings(|| 1_000, 3).round(&beacon), 2);
        assert_eq!(settings(|| 1_001, 20).round(&beacon), 8);
        assert_eq!(settings(|| 900, 20).round(&beacon), 1);
        let is_published = |round| settings(|| 1_006, 0).is_published(&beacon, round);
        assert_eq!([2, 3, 4].map(is_published), [true, true, false]);
    }
}
