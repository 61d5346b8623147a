//! Interprets the epochs of a manifest for this replica: until when rounds can begin here.

use paigow_engine::KeyRing;
use paigow_fairness::manifest::{Epoch, EpochStatus, Manifest, Suite};
use paigow_files::utc;

/// Whether the keyring has the keys with which rounds of an epoch are made.
pub(crate) fn is_held(epoch: &Epoch, keys: &KeyRing) -> bool {
    match epoch.suite {
        Suite::Derived | Suite::Vrf => keys.epoch(epoch.epoch).is_some(),
        Suite::Fresh => keys.sealing_key().is_some(),
    }
}

/// Returns the epochs that are open now or will be, of those whose secret is held here.
pub(crate) fn playable<'a>(listed: &'a [Epoch], keys: &KeyRing, now: u64) -> Vec<&'a Epoch> {
    listed.iter().filter(|epoch| is_playable(epoch, keys, now)).collect()
}

/// Whether an epoch is open now or will be, and its secret is held here.
pub(crate) fn is_playable(epoch: &Epoch, keys: &KeyRing, now: u64) -> bool {
    is_current(epoch, now) && is_held(epoch, keys)
}

/// Returns the epochs that are open now or will be, of those whose secret is held here or may
/// still come. A secret is delivered shortly before its epoch opens.
pub(crate) fn planned<'a>(listed: &'a [Epoch], keys: &KeyRing, now: u64) -> Vec<&'a Epoch> {
    let current = listed.iter().filter(|epoch| is_current(epoch, now));
    current.filter(|epoch| is_held(epoch, keys) || epoch.open_from > now + LATE).collect()
}

fn is_current(epoch: &Epoch, now: u64) -> bool {
    epoch.status == EpochStatus::Active && epoch.is_complete() && epoch.open_until > now
}

/// Returns the epochs in force whose rounds can neither begin nor end here, because their secret is
/// missing.
pub(crate) fn unheld<'a>(listed: &'a [Epoch], keys: &KeyRing, now: u64) -> Vec<&'a Epoch> {
    listed
        .iter()
        .filter(|epoch| epoch.status == EpochStatus::Active && epoch.settle_until > now)
        .filter(|epoch| !is_held(epoch, keys))
        .collect()
}

/// How long before an epoch opens a missing secret is late. The alert `PaigowEpochSecretMissing` uses
/// the same time.
const LATE: u64 = 12 * 3600;

/// How long before an epoch opens its secret should be here.
const SOON: u64 = 24 * 3600;

/// How long before an epoch opens its secret is too early here.
const EARLY: u64 = 7 * 24 * 3600;

/// Returns those of the [`unheld`] epochs that are open, can be settled, or open within a day.
pub(super) fn unheld_soon<'a>(listed: &'a [Epoch], keys: &KeyRing, now: u64) -> Vec<&'a Epoch> {
    let mut unheld = unheld(listed, keys, now);
    unheld.retain(|epoch| epoch.open_from <= now + SOON);
    unheld
}

/// Returns the seconds until the first of the [`unheld`] epochs opens, 0 once one is open.
/// Returns [`None`] if no epoch is unheld.
pub(super) fn first_unheld(listed: &[Epoch], keys: &KeyRing, now: u64) -> Option<u64> {
    unheld(listed, keys, now).iter().map(|epoch| epoch.open_from.saturating_sub(now)).min()
}

/// Returns the epochs whose secret is held more than 7 days before they open.
pub(super) fn held_early<'a>(listed: &'a [Epoch], keys: &KeyRing, now: u64) -> Vec<&'a Epoch> {
    listed
        .iter()
        .filter(|epoch| epoch.suite != Suite::Fresh && keys.epoch(epoch.epoch).is_some())
        .filter(|epoch| epoch.open_from > now + EARLY)
        .collect()
}

/// Returns the keys that `before` holds, `after` lacks and rounds still need, each as a fault.
///
/// Rounds need the secret of an epoch until its `settle_until`, and a receipt key while `manifest`
/// lists it and does not revoke it.
pub(crate) fn dropped(
    before: &KeyRing,
    after: &KeyRing,
    manifest: &Manifest,
    now: u64,
) -> Vec<String> {
    let needed = manifest.epochs.iter();
    let needed = needed.filter(|one| one.status == EpochStatus::Active && one.settle_until > now);
    let secrets = needed.flat_map(|epoch| {
        let number = epoch.epoch;
        let missing: Vec<String> = match epoch.suite {
            Suite::Derived | Suite::Vrf => {
                let is_dropped = before.epoch(number).is_some() && after.epoch(number).is_none();
                is_dropped.then(|| "secret".to_owned()).into_iter().collect()
            }
            Suite::Fresh => {
                let tokens = before.token_keys().filter(|kid| after.token_key(*kid).is_none());
                tokens.map(|kid| format!("token key {}", hex::encode(kid))).collect()
            }
        };
        let until = utc::text(epoch.settle_until);
        let what = move |what| {
            format!("no {what} of epoch {number}, whose rounds can be settled until {until}")
        };
        missing.into_iter().map(what)
    });
    let listed = manifest.receipt_keys.iter().filter(|listed| !listed.revoked);
    let receipts = listed.filter(|listed| {
        before.receipt_key(&listed.key).is_some() && after.receipt_key(&listed.key).is_none()
    });
    let receipts = receipts.map(|listed| {
        let kid = listed.key.kid();
        format!("no receipt key {kid}, which the newest manifest lists and does not revoke")
    });
    secrets.chain(receipts).collect()
}

/// Returns for how many seconds from now rounds can begin without a gap in epochs that are
/// [`playable`]. It is 0 if none of them is open now, even if one opens later.
pub(crate) fn without_gap(playable: &[&Epoch], now: u64) -> u64 {
    let mut until = now;
    while let Some(open) = playable.iter().find(|epoch| is_open(epoch, until)) {
        until = open.open_until;
    }
    until - now
}

/// Whether the window of an epoch is open at a time.
pub(crate) fn is_open(epoch: &Epoch, at: u64) -> bool {
    (epoch.open_from..epoch.open_until).contains(&at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use paigow_engine::TokenKey;
    use paigow_fairness::encoding::Hash;
    use paigow_fairness::manifest::Root;
    use paigow_fairness::secret::EpochSecret;

    /// Epochs 1, 2, ... of the derived suite with these windows, of which rounds can be
    /// settled for 100 seconds more.
    fn epochs(windows: &[(u64, u64)]) -> Vec<Epoch> {
        let epoch = |(number, &(open_from, open_until))| Epoch {
            epoch: number,
            suite: Suite::Derived,
            commit: Some(Hash::ZERO),
            vrf_key: None,
            salt_source: None,
            salt: Some(Hash::ZERO),
            open_from,
            open_until,
            settle_until: open_until + 100,
            status: EpochStatus::Active,
        };
        (1..).zip(windows).map(epoch).collect()
    }

    fn ring(held: &[u32]) -> KeyRing {
        let mut keys = KeyRing::default();
        for epoch in held {
            keys.add_epoch(*epoch, EpochSecret::new([7; 32]));
        }
        keys
    }

    fn remaining(listed: &[Epoch], held: &[u32], now: u64) -> u64 {
        without_gap(&playable(listed, &ring(held), now), now)
    }

    #[test]
    fn rounds_begin_until_the_first_gap_between_epochs_that_can_be_played_here() {
        // 2 follows 1 at once, and 3 after a gap. The order in which they are listed does not matter.
        let mut listed = epochs(&[(1000, 2000), (2000, 3000), (3500, 4000)]);
        for _ in 0..2 {
            assert_eq!(remaining(&listed, &[1, 2, 3], 1000), 2000);
            assert_eq!(remaining(&listed, &[1, 2, 3], 1999), 1001);
            assert_eq!(remaining(&listed, &[1, 2, 3], 2999), 1);
            // In the gap, before everything and after everything no round can begin.
            for now in [3000, 3499, 999, 4000] {
                assert_eq!(remaining(&listed, &[1, 2, 3], now), 0, "{now}");
            }
            assert_eq!(remaining(&listed, &[1, 2, 3], 3500), 500);
            // A replica without the next secret, and one without that of the open epoch.
            assert_eq!(remaining(&listed, &[1, 3], 1500), 500);
            assert_eq!(remaining(&listed, &[2, 3], 1500), 0);
            listed.reverse();
        }
        // One that is revoked, and one that has no salt yet.
        listed[1].status = EpochStatus::Revoked;
        assert_eq!(remaining(&listed, &[1, 2, 3], 1500), 500);
        listed[0].salt = None;
        assert_eq!(remaining(&listed, &[1, 2, 3], 1500), 0);
    }

    #[test]
    fn a_secret_that_is_not_late_counts_as_here() {
        const HOUR: u64 = 3600;
        let listed = epochs(&[(0, 48 * HOUR), (48 * HOUR, 96 * HOUR), (96 * HOUR, 144 * HOUR)]);
        let planned = |held: &[u32], now| without_gap(&planned(&listed, &ring(held), now), now);
        assert_eq!(planned(&[1], 0), 144 * HOUR);
        assert_eq!(planned(&[1], 36 * HOUR - 1), 108 * HOUR + 1);
        assert_eq!(planned(&[1], 36 * HOUR), 12 * HOUR);
        assert_eq!(planned(&[1, 2], 36 * HOUR), 108 * HOUR);
        assert_eq!(planned(&[2], 1), 0, "the secret of the open epoch is not here");
    }

    #[test]
    fn an_epoch_whose_secret_is_missing_is_missed_until_its_last_round_is_over() {
        let mut listed = epochs(&[(1000, 2000), (2000, 3000), (3000, 4000)]);
        // It is missing also before the epoch has a salt: its holder has made the secret already.
        listed[2].salt = None;
        let missed = |listed: &[Epoch], held: &[u32], now| -> Vec<u32> {
            let missed = unheld(listed, &ring(held), now);
            missed.iter().map(|epoch| epoch.epoch).collect()
        };
        assert_eq!(missed(&listed, &[2], 2099), [1, 3]);
        assert_eq!(missed(&listed, &[2], 2100), [3]);
        assert!(missed(&listed, &[1, 2, 3], 0).is_empty());
        listed[2].status = EpochStatus::Revoked;
        assert!(missed(&listed, &[2], 2100).is_empty());
        // In the fresh suite rounds are made with a token key.
        listed[1].suite = Suite::Fresh;
        assert_eq!(missed(&listed, &[2], 2100), [2]);
    }

    #[test]
    fn a_missing_secret_is_urgent_from_a_day_before_its_epoch_opens() {
        const DAY: u64 = 86_400;
        let listed = epochs(&[(10 * DAY, 12 * DAY), (12 * DAY, 14 * DAY)]);
        let soon = |held: &[u32], now| -> Vec<u32> {
            unheld_soon(&listed, &ring(held), now).iter().map(|epoch| epoch.epoch).collect()
        };
        assert!(soon(&[], 9 * DAY - 1).is_empty());
        assert_eq!(soon(&[], 9 * DAY), [1]);
        assert_eq!(soon(&[], 11 * DAY), [1, 2]);
        assert_eq!(soon(&[1], 13 * DAY), [2]);
        // The last round of epoch 1 can be settled for 100 seconds more.
        assert_eq!(soon(&[2], 12 * DAY + 99), [1]);
        assert!(soon(&[2], 12 * DAY + 100).is_empty());
        let first = |held: &[u32], now| first_unheld(&listed, &ring(held), now);
        assert_eq!(first(&[], 9 * DAY), Some(DAY));
        assert_eq!(first(&[1], 9 * DAY), Some(3 * DAY));
        assert_eq!(first(&[2], 11 * DAY), Some(0));
        assert_eq!(first(&[1, 2], 9 * DAY), None);
    }

    #[test]
    fn a_secret_is_early_more_than_seven_days_before_its_epoch_opens() {
        const DAY: u64 = 86_400;
        let mut listed = epochs(&[(10 * DAY, 12 * DAY), (12 * DAY, 14 * DAY)]);
        let early = |listed: &[Epoch], held: &[u32], now| -> Vec<u32> {
            held_early(listed, &ring(held), now).iter().map(|epoch| epoch.epoch).collect()
        };
        assert_eq!(early(&listed, &[1, 2], 3 * DAY - 1), [1, 2]);
        assert_eq!(early(&listed, &[1, 2], 3 * DAY), [2]);
        assert!(early(&listed, &[1], 3 * DAY).is_empty());
        // A token key belongs to no epoch.
        listed[1].suite = Suite::Fresh;
        assert!(early(&listed, &[1, 2], 3 * DAY).is_empty());
    }

    #[test]
    fn a_token_key_is_needed_while_rounds_of_the_fresh_suite_can_be_settled() {
        let mut manifest = Manifest {
            beacon: None,
            log: None,
            builds: None,
            engine: "pge-1".parse().unwrap(),
            epochs: epochs(&[(0, 10)]),
            house_ways: vec![],
            prev: Hash::ZERO,
            receipt_keys: vec![],
            root: Root { keys: vec![], threshold: 1 },
            rulesets: vec![],
            seq: 1,
            tenants: vec![],
        };
        let mut before = ring(&[1]);
        before.add_token_key([9; 8], TokenKey::new([9; 32]));
        let nothing = KeyRing::default();
        let until = "1970-01-01 00:01:50 UTC";
        let secret = format!("no secret of epoch 1, whose rounds can be settled until {until}");
        assert_eq!(dropped(&before, &nothing, &manifest, 109), [secret]);
        assert!(dropped(&before, &nothing, &manifest, 110).is_empty());
        assert!(dropped(&nothing, &nothing, &manifest, 109).is_empty());
        manifest.epochs[0].suite = Suite::Fresh;
        let token = format!(
            "no token key 0909090909090909 of epoch 1, whose rounds can be settled until {until}"
        );
        assert_eq!(dropped(&before, &nothing, &manifest, 109), [token]);
        manifest.epochs[0].status = EpochStatus::Revoked;
        assert!(dropped(&before, &nothing, &manifest, 109).is_empty());
    }
}
