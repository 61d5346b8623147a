//! Tasks on many threads, each of which sums its results.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Runs every task on so many threads. Returns the result of each thread, in no particular order.
pub(crate) fn in_parts<T: Sync, P: Send>(
    tasks: &[T],
    threads: usize,
    nothing: impl Fn() -> P + Sync,
    run: impl Fn(&T, &mut P) + Sync,
) -> Vec<P> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut part = nothing();
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            run(task, &mut part);
        }
        part
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}
