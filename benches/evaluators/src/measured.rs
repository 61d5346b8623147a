//! Processor time of this thread.

use std::fs;
use std::hint::black_box;

/// How many look-ups were made in how many nanoseconds of processor time.
#[derive(Clone, Copy)]
pub struct Measured {
    look_ups: u64,
    nanoseconds: u64,
}

impl Measured {
    /// Runs once.
    pub fn of(run: impl Fn() -> u64) -> Self {
        let before = processor_time();
        let look_ups = black_box(run());
        Self { look_ups, nanoseconds: processor_time() - before }
    }
}

/// Returns the median rate, in millions a second.
pub fn median(measured: &[Measured]) -> u64 {
    let mut rates: Vec<u64> =
        measured.iter().map(|one| 1_000 * one.look_ups / one.nanoseconds.max(1)).collect();
    rates.sort_unstable();
    rates[rates.len() / 2]
}

/// Returns the nanoseconds that this thread has run, as Linux counts them.
fn processor_time() -> u64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    stat.split(' ').next().and_then(|time| time.parse().ok()).expect("as documented")
}

/// A stream of numbers for dealing: xorshift, the same at every run.
pub struct Numbers(u64);

impl Numbers {
    pub fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// Returns seven different numbers below `bound`, at most 64.
    pub fn seven(&mut self, bound: u64) -> [u64; 7] {
        let mut taken = 0_u64;
        std::array::from_fn(|_| loop {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            let number = self.0 % bound;
            if taken >> number & 1 == 0 {
                taken |= 1 << number;
                return number;
            }
        })
    }
}
