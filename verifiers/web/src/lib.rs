//! The verifier page: players check a round in their own browser.
//!
//! The crate has the files of the page as bytes. A server can serve them ([`served`]), and a
//! program can write all of them to a folder ([`PAGE`]), where the page opens from disk. The
//! build script makes three of them: `js/data.js`, `verifier.js` and `verifier.html`, which is the
//! whole page in one file ([`single_file`]).

#[cfg(test)]
mod bundle;

/// A file of the page: its path, with `/` between folders, and its bytes.
pub type PageFile = (&'static str, &'static [u8]);

/// All files of the page, ascending by path.
///
/// A folder with these files is the whole page. It opens from disk (`index.html`), any web
/// server can serve it, and Node runs its program for the command line (`cli.mjs`).
pub static PAGE: &[PageFile] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The name of the file that is the whole page.
pub const SINGLE_FILE: &str = "verifier.html";

/// The files that no server serves: the program for the command line, the script for a page that is opened
/// from disk, and the page in one file. A player takes the last from a release.
const NOT_SERVED: [&str; 3] = ["cli.mjs", SINGLE_FILE, "verifier.js"];

/// Returns the files that a browser loads from a server, ascending by path.
pub fn served() -> impl Iterator<Item = PageFile> {
    PAGE.iter().copied().filter(|(path, _)| !NOT_SERVED.contains(path))
}

/// Returns the bytes of the page in one file, [`SINGLE_FILE`].
///
/// The file needs no other one and makes no request. A release lists its SHA-256, so that a player can
/// check the file before opening it.
///
/// # Panics
///
/// Never: the build script makes the file.
#[must_use]
pub fn single_file() -> &'static [u8] {
    let found = PAGE.iter().find(|(path, _)| *path == SINGLE_FILE);
    found.expect("the build script makes it").1
}

#[cfg(test)]
mod tests;
