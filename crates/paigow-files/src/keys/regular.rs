//! Reads an operator's files, without waiting for ever.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use zeroize::Zeroizing;

/// Reads a regular file of at most `most` bytes; the bytes are wiped when they are dropped.
///
/// # Errors
///
/// If it cannot be read, is not a regular file (a pipe, a folder, a device), or has more bytes.
pub fn read_regular(path: &Path, most: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    read(opened(path)?, most)
}

/// Does as [`read_regular`] with a file that only its owner may read or write.
///
/// # Errors
///
/// As [`read_regular`]. Also if its group or others may read or write it.
pub fn read_secret(path: &Path, most: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let file = opened(path)?;
    let mode = file.metadata()?.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        let what = format!("mode {mode:03o}: a secret is its owner's alone (chmod 600)");
        return Err(io::Error::other(what));
    }
    read(file, most)
}

/// Opens a regular file. Checks the opened file, and not a file that takes its name later.
fn opened(path: &Path) -> io::Result<File> {
    // Without `NONBLOCK`, opening a pipe would wait for its writer, perhaps for ever.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("not a regular file")) }
}

fn read(file: File, most: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    let length = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX).min(most);
    // Room for the whole file, and to see its end. A growing buffer would leave copies in memory.
    let mut bytes = Zeroizing::new(Vec::with_capacity(length + 64));
    file.take(limit).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Err(io::Error::other(format!("more than {most} bytes")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::process::Command;

    use super::*;

    #[test]
    fn a_pipe_a_folder_and_a_device_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = Command::new("mkfifo").arg("-m").arg("600").arg(&pipe).status().unwrap();
        assert!(made.success());
        for path in [pipe.as_path(), folder.path(), Path::new("/dev/null")] {
            assert_eq!(read_regular(path, 9).unwrap_err().to_string(), "not a regular file");
        }
        assert_eq!(read_secret(&pipe, 9).unwrap_err().to_string(), "not a regular file");
    }

    #[test]
    fn a_file_is_read_up_to_its_limit_and_a_secret_only_if_it_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "123456789").unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        assert_eq!(read_regular(&path, 9).unwrap().as_slice(), b"123456789");
        assert_eq!(read_regular(&path, 8).unwrap_err().to_string(), "more than 8 bytes");
        assert_eq!(
            read_secret(&path, 9).unwrap_err().to_string(),
            "mode 640: a secret is its owner's alone (chmod 600)"
        );
        std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        assert_eq!(read_secret(&path, 9).unwrap().as_slice(), b"123456789");
    }
}
