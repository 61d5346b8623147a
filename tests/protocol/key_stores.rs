//! Rounds whose receipt key is in a key store: the same bytes, or a refusal that names the store.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use paigow_engine::{KeyRing, KeyStore, KeyStoreUnavailable};
use paigow_fairness::signature::{PublicKey, Signer as _};
use paigow_round::{Reason, Refusal};
use paigow_testkit::casino::{Casino, EPOCH, RoundPlan, entropy, receipt_key};

/// The answers of a store.
const SIGNS: u8 = 0;
const IS_AWAY: u8 = 1;
const SIGNS_SOMETHING_ELSE: u8 = 2;

#[derive(Debug, Default)]
struct Store(AtomicU8);

impl KeyStore for Store {
    fn sign(&self, key: &PublicKey, message: &[u8]) -> Result<[u8; 64], KeyStoreUnavailable> {
        assert_eq!(*key, receipt_key().public());
        match self.0.load(Ordering::SeqCst) {
            SIGNS => Ok(receipt_key().sign(message)),
            IS_AWAY => Err(KeyStoreUnavailable::new("UNAVAILABLE the cable is out")),
            _ => Ok(receipt_key().sign(b"something else")),
        }
    }
}

/// A casino whose process holds no receipt key.
fn with_store() -> (Casino, Arc<Store>) {
    let (mut casino, store) = (Casino::new(), Arc::new(Store::default()));
    let held = std::mem::take(&mut casino.keys);
    let mut keys = KeyRing::default();
    keys.add_epoch(EPOCH, held.epoch(EPOCH).unwrap().0.clone());
    keys.add_stored_receipt_key(receipt_key().public(), Arc::clone(&store) as _);
    casino.keys = keys;
    (casino, store)
}

fn open(casino: &Casino, plan: &RoundPlan) -> Result<paigow_engine::OpenAnswer, Refusal> {
    let call = casino.call("dev");
    let request = casino.open(plan);
    paigow_engine::open_round(&casino.context, &casino.keys, &call, &request, &mut entropy(plan))
}

fn deal(casino: &Casino, plan: &RoundPlan) -> Result<paigow_engine::DealAnswer, Refusal> {
    // The request has a ticket, which a casino with a key has signed.
    let (call, request) = (casino.call("dev"), Casino::new().deal_request(plan));
    paigow_engine::deal(&casino.context, &casino.keys, &call, &request, &mut entropy(plan))
}

#[test]
fn a_round_signed_by_a_key_store_has_the_same_bytes() {
    let (ours, (theirs, _)) = (Casino::new(), with_store());
    let plan = RoundPlan::random("dev", 1, None, 7);
    assert_eq!(open(&ours, &plan).unwrap().ticket, open(&theirs, &plan).unwrap().ticket);
    let (dealt, again) = (deal(&ours, &plan).unwrap(), deal(&theirs, &plan).unwrap());
    assert_eq!(dealt.records, again.records);
    let request = ours.settle_request(&plan, &dealt);
    let settled = |casino: &Casino| {
        paigow_engine::settle(&casino.context, &casino.keys, &casino.call("dev"), &request).unwrap()
    };
    assert_eq!(settled(&ours).records, settled(&theirs).records);
}

#[test]
fn a_key_store_that_does_not_sign_is_named_and_its_fault_is_for_the_operator() {
    let (casino, store) = with_store();
    let plan = RoundPlan::random("dev", 1, None, 7);
    for (answer, cause) in [
        (IS_AWAY, "UNAVAILABLE the cable is out"),
        (SIGNS_SOMETHING_ELSE, "not the signature of its public key over this record"),
    ] {
        store.0.store(answer, Ordering::SeqCst);
        for refusal in [open(&casino, &plan).unwrap_err(), deal(&casino, &plan).unwrap_err()] {
            assert_eq!(refusal.reason, Reason::KeyStoreUnavailable);
            assert_eq!(refusal.message, "the key store does not sign now");
            assert_eq!(refusal.alarm["cause"], cause);
        }
    }
    store.0.store(SIGNS, Ordering::SeqCst);
    deal(&casino, &plan).unwrap();
}
