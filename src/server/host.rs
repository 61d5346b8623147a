//! Reads the machine: the clock, the entropy, and the process's own executable.

use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use sha2::{Digest as _, Sha256};

use paigow_fairness::encoding::Hash;
use paigow_round::NoEntropy;

/// Returns the time in Unix seconds; 0 before 1970.
#[must_use]
pub fn now() -> u64 {
    since_1970().as_secs()
}

/// Returns the time in Unix milliseconds, for lines of evidence.
pub(super) fn now_ms() -> u64 {
    u64::try_from(since_1970().as_millis()).unwrap_or(u64::MAX)
}

/// Reads the clock of the machine: the only place where the server does.
fn since_1970() -> Duration {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one reading, passed on as an argument: gates are functions of it"
    )]
    let now = std::time::SystemTime::now();
    now.duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Fills `buffer` with secret random bytes. The only place where the server reads
/// the entropy of the operating system.
///
/// # Errors
///
/// If the system gives none.
pub fn entropy(buffer: &mut [u8]) -> std::io::Result<()> {
    getrandom::fill(buffer).map_err(|error| std::io::Error::other(error.to_string()))
}

/// Fills `buffer` like [`entropy`], for a ticket of the fresh suite.
///
/// # Errors
///
/// If the system gives no entropy: the call fails, and there is no weaker fallback.
pub(super) fn draw(buffer: &mut [u8]) -> Result<(), NoEntropy> {
    entropy(buffer).map_err(|_| NoEntropy)
}

/// Returns SHA-256 of the running executable, if the system allows to read it.
pub(super) fn executable_sha256() -> Option<Hash> {
    // The running executable, even if another file has taken its name since.
    let image = Path::new("/proc/self/exe");
    sha256_of(image).or_else(|_| sha256_of(&std::env::current_exe()?)).ok()
}

/// Returns SHA-256 of a file, read piece by piece.
///
/// # Errors
///
/// If it cannot be read.
pub(super) fn sha256_of(path: &Path) -> std::io::Result<Hash> {
    let mut file = std::fs::File::open(path)?;
    let (mut hasher, mut piece) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(Hash::from_bytes(hasher.finalize().into())),
            length => hasher.update(&piece[..length]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_fills_a_whole_buffer() {
        // One run in 2^192 leaves such a buffer of zeros as it was.
        let mut buffer = [0; 56];
        entropy(&mut buffer).unwrap();
        assert!(buffer[..24].iter().any(|byte| *byte != 0));
        assert!(buffer[32..].iter().any(|byte| *byte != 0));
    }
}
