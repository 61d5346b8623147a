//! The programs that `tests/tools` installs, for tests that run scripts.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The folders with the tools that `tests/tools` installs, before those of the system.
pub fn path() -> OsString {
    let ours = ["target/tools/bin", "target/python/bin"].map(|folder| root().join(folder));
    assert!(ours.iter().all(|folder| folder.exists()), "no tools yet: `tests/tools` installs them");
    let theirs = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = ours.into_iter().chain(std::env::split_paths(&theirs)).collect();
    std::env::join_paths(folders).unwrap()
}

/// A program that runs at the root of the repository. These tools come first in its search path.
pub fn command(program: impl AsRef<Path>) -> Command {
    let mut command = Command::new(program.as_ref());
    command.current_dir(root()).env("PATH", path());
    command
}

/// Returns the output of a program that succeeded.
#[track_caller]
pub fn text(output: &Output) -> String {
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    out.into_owned()
}
