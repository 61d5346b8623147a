//! The clock, the operating system's random numbers and its processors: read here, nowhere
//! else in the lab, and handed on as arguments. Whether a folder may be written to.

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
/// If it has none to give.
pub fn entropy(bytes: &mut [u8]) -> io::Result<()> {
    getrandom::fill(bytes).map_err(|error| io::Error::other(error.to_string()))
}

/// Returns how many threads can work at once; 1 where the operating system does not say.
#[must_use]
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Returns the time in Unix seconds; 0 on a clock that stands before 1970.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the one place where the lab reads the clock")]
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Checks that files can be made in a folder, and leaves none: the file that it makes has no name.
///
/// # Errors
///
/// If the folder does not exist, is not a folder, or does not accept files.
pub fn may_write(folder: &Path) -> io::Result<()> {
    let unnamed = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    match rustix::fs::open(folder, unnamed, Mode::RUSR | Mode::WUSR) {
        // Not every file system has files without a name.
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
/// If the operating system has no random numbers to give.
pub fn new_table() -> io::Result<String> {
    let mut tag = [0; 4];
    entropy(&mut tag)?;
    Ok(format!("lab-{}-{}", now(), hex::encode(tag)))
}
