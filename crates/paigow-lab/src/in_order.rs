//! Work that threads share. The results come back in the order of the jobs.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// How many jobs each thread may be ahead of the results taken. It bounds the memory.
const AHEAD: usize = 4;

/// Runs jobs on `threads` threads. `feed` is called once, with the function that takes a job.
/// `take` gets the results of `work` in the order of the jobs, for any number of threads.
///
/// # Errors
///
/// The first error of `feed` or `take`.
///
/// # Panics
///
/// If `work` does.
pub(super) fn in_order<J: Send, R: Send, E>(
    threads: usize,
    work: impl Fn(J) -> R + Sync,
    take: impl FnMut(R) -> Result<(), E>,
    feed: impl FnOnce(&mut dyn FnMut(J) -> Result<(), E>) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.max(1);
    let limit = threads * AHEAD;
    // Never more jobs than awaited results, so that no thread waits to send.
    let (give, jobs) = mpsc::sync_channel::<(u64, J)>(limit);
    let (done, results) = mpsc::sync_channel::<(u64, thread::Result<R>)>(limit);
    let jobs = Mutex::new(jobs);
    thread::scope(|scope| {
        for _ in 0..threads {
            let (done, jobs, work) = (done.clone(), &jobs, &work);
            scope.spawn(move || {
                loop {
                    let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((number, job)) = job else { return };
                    // A panic continues in the caller, which would otherwise wait for ever.
                    let result = catch_unwind(AssertUnwindSafe(|| work(job)));
                    if done.send((number, result)).is_err() {
                        return;
                    }
                }
            });
        }
        let mut line = ResultQueue { results, given: 0, taken: 0, early: BTreeMap::new(), take };
        let fed = feed(&mut |job| {
            while line.given - line.taken >= limit as u64 {
                line.advance()?;
            }
            give.send((line.given, job)).expect("the threads wait for jobs until the end");
            line.given += 1;
            Ok(())
        });
        let ended = fed.and_then(|()| {
            while line.taken < line.given {
                line.advance()?;
            }
            Ok(())
        });
        // Without this, the threads would wait for jobs.
        drop((give, line));
        ended
    })
}

/// Results that wait for their turn.
struct ResultQueue<R, F> {
    results: mpsc::Receiver<(u64, thread::Result<R>)>,
    given: u64,
    taken: u64,
    /// Results that have overtaken others.
    early: BTreeMap<u64, R>,
    take: F,
}

impl<R, F> ResultQueue<R, F> {
    /// Waits for one result, and takes all results whose turn it is.
    fn advance<E>(&mut self) -> Result<(), E>
    where
        F: FnMut(R) -> Result<(), E>,
    {
        let (number, result) = self.results.recv().expect("a job that was given is done");
        self.early.insert(number, result.unwrap_or_else(|panic| resume_unwind(panic)));
        while let Some(result) = self.early.remove(&self.taken) {
            self.taken += 1;
            (self.take)(result)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_jobs_whatever_overtakes() {
        for threads in [1, 2, 5] {
            let mut taken = Vec::new();
            let busy = |job: u32| {
                // The work of one job in five is long.
                let turns = if job.is_multiple_of(5) { 200_000 } else { 1 };
                (0..turns).fold(job, |sum, _| std::hint::black_box(sum)) * 2
            };
            let take = |result| {
                taken.push(result);
                Ok::<(), ()>(())
            };
            in_order(threads, busy, take, |give| (0..1000).try_for_each(&mut *give)).unwrap();
            assert_eq!(taken, (0..1000).map(|job| job * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_more_is_given_than_four_jobs_a_thread_ahead() {
        let (given, taken) = (std::cell::Cell::new(0_usize), std::cell::Cell::new(0_usize));
        let take = |()| {
            taken.set(taken.get() + 1);
            Ok::<(), ()>(())
        };
        in_order(
            3,
            |()| (),
            take,
            |give| {
                (0..500).try_for_each(|_| {
                    give(())?;
                    given.set(given.get() + 1);
                    assert!(given.get() - taken.get() <= 3 * AHEAD);
                    Ok(())
                })
            },
        )
        .unwrap();
        assert_eq!(taken.get(), 500);
    }

    #[test]
    fn errors_end_the_work_and_panics_go_on() {
        let feed = |give: &mut dyn FnMut(u32) -> Result<(), u32>| (0..100).try_for_each(give);
        let failing = |result: u32| if result == 17 { Err(result) } else { Ok(()) };
        assert_eq!(in_order(2, |job| job, failing, feed), Err(17));
        let panics = || in_order(2, |job| assert_ne!(job, 40), |()| Ok(()), feed);
        assert!(catch_unwind(panics).is_err());
    }
}
