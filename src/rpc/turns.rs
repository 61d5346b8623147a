//! Decides which tenant's audit is next: tenants take turns.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use paigow_fairness::encoding::Identifier;

/// Places for work that takes long, handed out to one tenant after another.
///
/// With first come, first served, one tenant with a hundred large transcripts could delay all others
/// until their deadlines. Here a tenant waits for the work that runs already, and for one piece of
/// work of each other tenant that waits.
#[derive(Debug)]
pub(super) struct Turns {
    state: Mutex<TurnQueue>,
}

/// The free places, and the tenants that wait for one.
#[derive(Debug)]
struct TurnQueue {
    free: usize,
    /// The waiting tenants, the one whose turn is next first. Each has its waiters in the order of
    /// arrival.
    waiting: VecDeque<(Identifier, VecDeque<oneshot::Sender<Turn>>)>,
}

/// A place; it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    /// [`None`] if it never came into use.
    of: Option<Arc<Turns>>,
}

impl Turns {
    pub(super) fn new(places: usize) -> Arc<Self> {
        let state = TurnQueue { free: places, waiting: VecDeque::new() };
        Arc::new(Self { state: Mutex::new(state) })
    }

    /// Returns a place when it is this tenant's turn. Dropping the future gives up its place in the
    /// queue.
    pub(super) async fn take(self: &Arc<Self>, tenant: &Identifier) -> Turn {
        let asked = {
            let mut state = self.lock();
            if state.free > 0 {
                state.free -= 1;
                return self.turn();
            }
            let (told, asked) = oneshot::channel();
            match state.waiting.iter_mut().find(|(waiting, _)| waiting == tenant) {
                Some((_, queue)) => {
                    // Waiters that left are removed.
                    queue.retain(|one| !one.is_closed());
                    queue.push_back(told);
                }
                None => state.waiting.push_back((tenant.clone(), VecDeque::from([told]))),
            }
            asked
        };
        asked.await.expect("a queue is emptied only by turns")
    }

    fn turn(self: &Arc<Self>) -> Turn {
        Turn { of: Some(Arc::clone(self)) }
    }

    /// Hands a place on to the next waiter, or puts it back.
    fn hand_on(self: &Arc<Self>) {
        let mut state = self.lock();
        while let Some((tenant, mut queue)) = state.waiting.pop_front() {
            let taken = loop {
                let Some(next) = queue.pop_front() else { break false };
                match next.send(self.turn()) {
                    Ok(()) => break true,
                    // The waiter left. The place is still held here, and not given back.
                    Err(mut turn) => turn.of = None,
                }
            };
            if !queue.is_empty() {
                state.waiting.push_back((tenant, queue));
            }
            if taken {
                return;
            }
        }
        state.free += 1;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, TurnQueue> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.of.take() {
            turns.hand_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::{Pin, pin};
    use std::task::{Context, Poll, Waker};

    use super::*;

    type Waiting = Pin<Box<dyn Future<Output = Turn>>>;

    /// Waits in the queue for `tenant`, while all places are taken.
    fn wait(turns: &Arc<Turns>, tenant: &str) -> Waiting {
        let (turns, tenant) = (Arc::clone(turns), tenant.parse().unwrap());
        let mut waiting: Waiting = Box::pin(async move { turns.take(&tenant).await });
        assert!(poll(&mut waiting).is_none(), "there is a place free");
        waiting
    }

    fn poll(waiting: &mut Waiting) -> Option<Turn> {
        match waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(turn) => Some(turn),
            Poll::Pending => None,
        }
    }

    fn take(turns: &Arc<Turns>) -> Turn {
        let tenant = "first".parse().unwrap();
        let taken = pin!(turns.take(&tenant)).poll(&mut Context::from_waker(Waker::noop()));
        match taken {
            Poll::Ready(turn) => turn,
            Poll::Pending => panic!("there is no place free"),
        }
    }

    #[test]
    fn a_tenant_with_many_waits_for_the_others_between_two_of_its_own() {
        let turns = Turns::new(1);
        let mut held = take(&turns);
        let mut waiting = ["big", "big", "big", "big", "small", "third", "small"]
            .map(|tenant| (tenant, wait(&turns, tenant)));
        let mut order = Vec::new();
        for _ in 0..waiting.len() {
            drop(held);
            let now: Vec<(&str, Turn)> = waiting
                .iter_mut()
                .filter(|(tenant, _)| !tenant.is_empty())
                .filter_map(|(tenant, one)| {
                    let turn = poll(one)?;
                    Some((std::mem::take(tenant), turn))
                })
                .collect();
            let [(tenant, turn)] = <[_; 1]>::try_from(now).expect("one place, one turn");
            order.push(tenant);
            held = turn;
        }
        assert_eq!(order, ["big", "small", "third", "big", "small", "big", "big"]);
        drop(held);
        drop(take(&turns));
    }

    #[test]
    fn those_who_leave_take_no_place_along() {
        let turns = Turns::new(1);
        let held = take(&turns);
        let left = [wait(&turns, "big"), wait(&turns, "small")];
        let mut stays = wait(&turns, "big");
        drop(left);
        drop(held);
        drop(poll(&mut stays).expect("it is next"));
        drop(take(&turns));

        // One leaves after it was notified and before it was polled.
        let held = take(&turns);
        let (told, mut after) = (wait(&turns, "big"), wait(&turns, "small"));
        drop(held);
        assert!(poll(&mut after).is_none(), "it is not its turn");
        drop(told);
        drop(poll(&mut after).expect("the place was handed on"));
        drop(take(&turns));
    }

    #[test]
    fn as_many_run_at_once_as_there_are_places() {
        let turns = Turns::new(2);
        let (one, two) = (take(&turns), take(&turns));
        let mut waiting = wait(&turns, "small");
        drop(two);
        let three = poll(&mut waiting).expect("a place is free");
        let _fourth = wait(&turns, "small");
        drop((one, three));
    }
}
