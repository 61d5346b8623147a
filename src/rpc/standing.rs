//! Whether new rounds can begin here. Open rounds can be settled in any case.

use tokio::sync::watch;
use tonic::Status;

use super::status;

/// The obstacles that keep new rounds from beginning.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Impediments {
    /// The self-verification has failed.
    pub unverified: bool,
    /// The system gave no entropy when it was last asked.
    pub no_entropy: bool,
    /// Records cannot be kept, and answers must wait for that.
    pub unrecorded: bool,
    /// The key store of the receipt key did not sign when it was last asked.
    pub no_key_store: bool,
}

impl Impediments {
    /// Whether there is any.
    #[must_use]
    pub const fn any(self) -> bool {
        self.unverified || self.no_entropy || self.unrecorded || self.no_key_store
    }
}

/// Whether new rounds can begin here, with a channel that reports changes.
#[derive(Clone, Debug)]
pub struct Standing(watch::Sender<Impediments>);

impl Default for Standing {
    fn default() -> Self {
        Self(watch::Sender::new(Impediments::default()))
    }
}

impl Standing {
    /// Changes the obstacles to new rounds. Returns whether anything changed.
    pub fn set(&self, change: impl FnOnce(&mut Impediments)) -> bool {
        self.0.send_if_modified(|now| {
            let before = *now;
            change(now);
            *now != before
        })
    }

    /// Returns the obstacles to new rounds.
    #[must_use]
    pub fn now(&self) -> Impediments {
        *self.0.borrow()
    }

    /// Returns a channel that reports changes.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Impediments> {
        self.0.subscribe()
    }

    /// Lets a new round begin. The call itself tries again for entropy and the key store, and may
    /// find that they work again. A sink is tried by its own writer.
    pub(super) fn pass(&self) -> Result<(), Status> {
        let now = self.now();
        if now.unverified {
            Err(status::engine_unverified())
        } else if now.unrecorded {
            Err(status::not_recorded())
        } else {
            Ok(())
        }
    }
}
