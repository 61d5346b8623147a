//! The clock, the operating system's random numbers and its processors. No other module of the lab
//! reads them; they are passed on as arguments. Also a check whether a folder is writable.

use std::io;
use std::num::NonZero;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{Access, Mode, OFlags};
use rustix::io::Errno;

/// Fills `bytes` from the operating system.
///
/// # Errors
///
/// If the operating system has no entropy.
pub fn entropy(bytes: &mut [u8]) -> io::Result<()> {
    getrandom::fill(bytes).map_err(|error| io::Error::other(error.to_string()))
}

/// Returns how many threads can work at once; 1 if the operating system does not say.
#[must_use]
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Returns the time in Unix seconds; 0 if the clock is before 1970.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the one place where the lab reads the clock")]
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Checks that files can be made in a folder, and leaves none, because the test file has no name.
///
/// # Errors
///
/// If the folder does not exist, is not a folder, or does not accept files.
pub fn may_write(folder: &Path) -> io::Result<()> {
    let unnamed = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    match rustix::fs::open(folder, unnamed, Mode::RUSR | Mode::WUSR) {
        // Some file systems have no files without a name.
        Err(Errno::OPNOTSUPP | Errno::ISDIR) => {
            Ok(rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK)?)
        }
        made => Ok(made.map(drop)?),
    }
}

/// Returns the name of a table that nobody has played at: the time and a random number.
///
/// # Errors
///
/// If the operating system has no random numbers.
pub fn new_table() -> io::Result<String> {
    let mut tag = [0; 4];
    entropy(&mut tag)?;
    Ok(format!("lab-{}-{}", now(), hex::encode(tag)))
}
