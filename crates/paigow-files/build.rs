//! Tells the program which commit it is built from.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=BUILD_GIT_REVISION");
    let revision = std::env::var("BUILD_GIT_REVISION").ok().or_else(git_revision);
    println!("cargo::rustc-env=BUILD_GIT_REVISION={}", revision.as_deref().unwrap_or("unknown"));
}

/// Returns the commit that is checked out here.
///
/// Returns [`None`] if this is not a checkout but a source archive, even one unpacked inside some
/// other repository.
fn git_revision() -> Option<String> {
    let here = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR")?).join("../..");
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != here.canonicalize().ok()? {
        return None;
    }
    // A commit moves the branch, a checkout moves HEAD, packing moves the branch to another
    // file, and the log of HEAD sees all of them where it is kept. A path that does not
    // exist would rebuild every time.
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    let branch = branch.as_deref().unwrap_or("HEAD");
    for name in ["HEAD", "logs/HEAD", "packed-refs", branch] {
        let path = git(&["rev-parse", "--path-format=absolute", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned()).filter(|text| !text.is_empty())
}
