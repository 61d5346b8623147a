//! The verifier page: players check a round in their own browser.
//!
//! The crate has the files of the page as bytes. A server can serve them ([`served`]), and a
//! program can write all of them to a folder ([`PAGE`]), where the page opens from disk. The
//! build script makes two of them: `js/data.js` and `verifier.js`.

#[cfg(test)]
mod bundle;

/// A file of the page: its path, with `/` between folders, and its bytes.
pub type PageFile = (&'static str, &'static [u8]);

/// All files of the page, ascending by path.
///
/// A folder with these files is the whole page. It opens from disk (`index.html`), any web
/// server can serve it, and Node runs its program for the command line (`cli.mjs`).
pub static PAGE: &[PageFile] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The files that a browser never loads from a server: the program for the command line, and
/// the script for a page that is opened from disk.
const NOT_SERVED: [&str; 2] = ["cli.mjs", "verifier.js"];

/// Returns the files that a browser loads from a server, ascending by path.
pub fn served() -> impl Iterator<Item = PageFile> {
    PAGE.iter().copied().filter(|(path, _)| !NOT_SERVED.contains(path))
}

#[cfg(test)]
mod tests;
