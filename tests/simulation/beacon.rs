//! A beacon, and the relay that platforms ask for its values. It is down or late, or gives another value.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use paigow_client::{BeaconFailure, BeaconSettings};
use paigow_fairness::beacon::Beacon;
use paigow_testkit::beacons::{LAST_ROUND, beacon, beacon_signature};
use paigow_testkit::casino::OPEN_FROM;
use tokio::time::sleep;

use crate::machine;

/// The seconds between two values: a world is over before the last one that the testkit has.
const PERIOD: u64 = 8;

/// The seconds that a platform leaves for betting. A replica with a right clock wants 10.
const LEAD: u32 = 11;

/// The rounds of the beacon whose values do not come before the faults stop.
const MISSED: u64 = 7;

/// Returns the beacon of a world.
pub(crate) fn chain() -> Beacon {
    Beacon { period: PERIOD, ..beacon(OPEN_FROM) }
}

/// A relay of the beacon. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relay {
    faulty: Arc<AtomicBool>,
}

impl Relay {
    /// Has the relay fail, or not.
    pub(crate) fn set_faulty(&self, faulty: bool) {
        self.faulty.store(faulty, Ordering::SeqCst);
    }

    fn fails(&self, percent: u64) -> bool {
        self.faulty.load(Ordering::SeqCst) && machine::happens(percent)
    }

    async fn signature(self, round: u64) -> Result<String, BeaconFailure> {
        machine::waits_inside();
        sleep(Duration::from_millis(1 + machine::below(50))).await;
        if self.fails(10) {
            sleep(Duration::from_millis(machine::below(2_000))).await;
            return Err("the relay is down".into());
        }
        if self.fails(5) {
            // The value of another round.
            return Ok(hex::encode(beacon_signature(round % LAST_ROUND + 1)));
        }
        let published = chain().published_at(round) * 1000;
        sleep(Duration::from_millis(published.saturating_sub(machine::now_ms()))).await;
        let is_missed = round.is_multiple_of(MISSED) && self.fails(100);
        if is_missed || round > LAST_ROUND {
            sleep(Duration::from_secs(4)).await;
            return Err("the relay has no value".into());
        }
        if self.fails(20) {
            sleep(Duration::from_millis(machine::below(3_000))).await;
        }
        Ok(hex::encode(beacon_signature(round)))
    }

    /// Returns the settings of a table. The ledger gives its locks to the log in the folder.
    pub(crate) fn settings(&self, records: &std::path::Path) -> BeaconSettings {
        let relay = self.clone();
        let signature = move |round: i64| relay.clone().signature(round.unsigned_abs());
        BeaconSettings::new(signature).lead(LEAD).records(records).now(unix_now)
    }
}

fn unix_now() -> i64 {
    i64::try_from(machine::now()).unwrap_or(i64::MAX)
}
