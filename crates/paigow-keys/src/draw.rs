//! Random values of the ceremony: tested, mixed and never drawn twice.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use hkdf::Hkdf;
use paigow_fairness::encoding::{Hash, enc};
use paigow_files::command::CommandError;
use paigow_files::keys::KeyEntropy;
use sha2::Sha256;
use zeroize::{Zeroize, Zeroizing};

/// The file beside the keys with a hash of every drawn value, a line each.
const DRAWN: &str = "drawn.log";

/// The fewest bytes of a second source: as many as are drawn.
const MIX_LEN: usize = 32;

/// How many bytes the start-up tests read (SP 800-90B, section 4.3: at least 1,024 samples).
const START_UP: usize = 1024;

/// The repetition count test fails at this many equal bytes in a row: 1 + 40 / 8 (SP 800-90B,
/// section 4.4.1).
///
/// A full-entropy source does so with a chance of 2^-40 for each byte.
const REPETITIONS: usize = 6;

/// The window of the adaptive proportion test (SP 800-90B, section 4.4.2).
const WINDOW: usize = 512;

/// The adaptive proportion test fails if the first byte of a window occurs this often in it.
///
/// The value is one more than the critical value of the binomial distribution of 512 draws with
/// chance 1/256, at 1 - 2^-40.
const PROPORTION: usize = 19;

/// Reads from a generator of random bytes, and applies the start-up tests of SP 800-90B, section
/// 4.4.
///
/// # Errors
///
/// If the generator fails, or if its output is not random: one byte repeats, or is too frequent.
pub(super) fn start_up_test(entropy: KeyEntropy<'_>) -> Result<(), CommandError> {
    let mut samples = Zeroizing::new([0; START_UP]);
    entropy(samples.as_mut_slice())?;
    let fault = |test: &str| {
        let what = format!("the system's generator fails its start-up test: {test}");
        Err(CommandError::Io(io::Error::other(what)))
    };
    if samples.windows(REPETITIONS).any(|run| run.iter().all(|byte| *byte == run[0])) {
        return fault("repetition count");
    }
    let often = |window: &[u8]| window.iter().filter(|byte| **byte == window[0]).count();
    if samples.chunks(WINDOW).any(|window| often(window) >= PROPORTION) {
        return fault("adaptive proportion");
    }
    Ok(())
}

/// Draws the 32 bytes of a key or a secret for the folder `dir`: 32 bytes of the system's
/// generator. `mix` adds a second source, if it is given.
///
/// With a file the value is HKDF-SHA-256 of it. The salt is the output of the system, the info
/// `enc("pge/v1/mix")`. The value is secret as long as one of the two is.
///
/// # Errors
///
/// Returns [`CommandError`] if the generator fails or fails its start-up test. Also if it repeats
/// an earlier output for this folder. Also if the file cannot be read or has fewer than 32 bytes.
pub(super) fn draw(
    dir: &Path,
    mix: Option<&Path>,
    entropy: KeyEntropy<'_>,
) -> Result<Zeroizing<[u8; 32]>, CommandError> {
    start_up_test(entropy)?;
    let mut drawn = Zeroizing::new([0; 32]);
    entropy(drawn.as_mut_slice())?;
    let second = match mix {
        None => None,
        Some(path) => {
            let at = |what: &dyn std::fmt::Display| format!("{}: {what}", path.display());
            let bytes = fs::read(path).map_err(|error| CommandError::NoInput(at(&error)))?;
            let bytes = Zeroizing::new(bytes);
            if bytes.len() < MIX_LEN {
                return Err(CommandError::Data(at(&"a second source needs at least 32 bytes")));
            }
            Some(bytes)
        }
    };
    record(dir, &drawn)?;
    if let Some(second) = second {
        let mixer = Hkdf::<Sha256>::new(Some(drawn.as_slice()), &second);
        drawn.zeroize();
        mixer
            .expand(&enc("pge/v1/mix", &[]), drawn.as_mut_slice())
            .expect("32 bytes are one block");
    }
    Ok(drawn)
}

/// Notes the hash of the generator's output, and refuses an output that it gave before.
fn record(dir: &Path, drawn: &[u8; 32]) -> Result<(), CommandError> {
    let path = dir.join(DRAWN);
    let cannot =
        |error: io::Error| CommandError::CannotCreate(format!("{}: {error}", path.display()));
    let hash = Hash::of_tuple("pge/v1/drawn", &[drawn]).to_hex();
    let before = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(cannot(error)),
    };
    if before.lines().any(|line| line == hash) {
        let what = "the system's generator gives what it gave before: no key is made";
        return Err(CommandError::Io(io::Error::other(what)));
    }
    let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(cannot)?;
    writeln!(file, "{hash}").and_then(|()| file.sync_all()).map_err(cannot)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A generator of different bytes: a counter under SHA-256.
    fn counter() -> impl FnMut(&mut [u8]) -> io::Result<()> {
        let mut block = 0_u64;
        move |bytes| {
            for chunk in bytes.chunks_mut(32) {
                let hash = Hash::of(&block.to_le_bytes());
                chunk.copy_from_slice(&hash.as_bytes()[..chunk.len()]);
                block += 1;
            }
            Ok(())
        }
    }

    fn text(result: Result<impl Sized, CommandError>) -> String {
        result.err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn a_generator_that_is_stuck_makes_no_key() {
        let dir = tempfile::tempdir().unwrap();
        let stuck = text(draw(dir.path(), None, &mut |bytes| {
            bytes.fill(9);
            Ok(())
        }));
        assert!(stuck.ends_with("start-up test: repetition count"), "{stuck}");
        // No byte repeats at once, but one of two is any of them.
        let two = text(draw(dir.path(), None, &mut |bytes| {
            bytes.iter_mut().zip([1, 2].iter().cycle()).for_each(|(byte, value)| *byte = *value);
            Ok(())
        }));
        assert!(two.ends_with("start-up test: adaptive proportion"), "{two}");
        // Bytes of all values, and the same each time.
        let mut same = |bytes: &mut [u8]| counter()(bytes);
        assert_eq!(text(draw(dir.path(), None, &mut same)), "");
        assert!(text(draw(dir.path(), None, &mut same)).contains("gives what it gave before"));
        let failed = draw(dir.path(), None, &mut |_| Err(io::Error::other("no entropy")));
        assert_eq!(text(failed), "no entropy");
    }

    #[test]
    fn the_tests_fail_at_their_limits_and_not_below() {
        let with = |edit: &dyn Fn(&mut [u8])| {
            text(start_up_test(&mut |bytes| {
                // No byte repeats within 256.
                bytes.iter_mut().zip((0..=255).cycle()).for_each(|(byte, value)| *byte = value);
                edit(bytes);
                Ok(())
            }))
        };
        assert_eq!(with(&|_| {}), "");
        assert_eq!(with(&|bytes| bytes[100..105].fill(7)), "");
        assert!(with(&|bytes| bytes[100..106].fill(7)).ends_with("repetition count"));
        // The first byte of a window, 0, stands there twice already.
        let often = |count: usize| {
            with(&move |bytes| {
                let spread = bytes[512..].iter_mut().skip(1).step_by(3);
                spread.filter(|byte| **byte != 0).take(count - 2).for_each(|byte| *byte = 0);
            })
        };
        assert_eq!(often(18), "");
        assert!(often(19).ends_with("adaptive proportion"));
    }

    #[test]
    fn a_second_source_changes_the_value_and_hides_what_the_system_gave() {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("dice");
        fs::write(&source, b"3 1 6 6 2 4 1 5 3 3 2 6 1 4 5 2").unwrap();
        let folder = |name: &str| {
            let folder = dir.path().join(name);
            fs::create_dir(&folder).unwrap();
            folder
        };
        let too_short = draw(&folder("short"), Some(&source), &mut counter());
        assert!(text(too_short).contains("a second source needs at least 32 bytes"));
        fs::write(&source, b"3 1 6 6 2 4 1 5 3 3 2 6 1 4 5 2 6").unwrap();
        let mixed = draw(&folder("mixed"), Some(&source), &mut counter()).unwrap();
        // RFC 5869 with HMAC alone: the system's 32 bytes are the salt, then one block of output.
        let mut system = [0; 1024 + 32];
        counter()(&mut system).unwrap();
        let prk = hmac(&system[1024..], &fs::read(&source).unwrap());
        let info = [&[10][..], b"pge/v1/mix", &[0, 1]].concat();
        assert_eq!(*mixed, hmac(&prk, &info));
        assert!(
            text(draw(dir.path(), Some(&dir.path().join("none")), &mut counter())).contains("none")
        );
    }

    fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
        use hmac::{KeyInit as _, Mac as _};
        let mut mac = hmac::Hmac::<Sha256>::new_from_slice(key).unwrap();
        mac.update(message);
        mac.finalize().into_bytes().into()
    }
}
