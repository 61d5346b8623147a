//! Compiles the gRPC contract, without `protoc`, and says what is being built.

use std::path::{Path, PathBuf};
use std::process::Command;

use prost::Message;

const PROTOS: [&str; 2] = ["paigow/v1/paigow_service.proto", "paigow/v1/error_reason.proto"];

/// Messages that carry cards, seeds, records, wagers or amounts. They get no derived
/// `Debug`: `src/rpc/redact.rs` has it. So do the `oneof`s in them.
const REDACTED: [&str; 35] = [
    "paigow.v1.AuditRequest",
    "paigow.v1.AuditResponse",
    "paigow.v1.AuditStreamRequest",
    "paigow.v1.AuditStreamResponse",
    "paigow.v1.AuditedRound",
    "paigow.v1.Bank",
    "paigow.v1.BaseResult",
    "paigow.v1.Check",
    "paigow.v1.ClientCommit",
    "paigow.v1.DealRequest",
    "paigow.v1.DealResponse",
    "paigow.v1.DealtHand",
    "paigow.v1.Decision",
    "paigow.v1.EpochReplay",
    "paigow.v1.Fee",
    "paigow.v1.Hand",
    "paigow.v1.HouseWaySetting",
    "paigow.v1.Line",
    "paigow.v1.LowHand",
    "paigow.v1.OpenRoundRequest",
    "paigow.v1.OpenRoundResponse",
    "paigow.v1.Record",
    "paigow.v1.Replay",
    "paigow.v1.SeatKey",
    "paigow.v1.SeatLines",
    "paigow.v1.SeatResult",
    "paigow.v1.ServerSeedReplay",
    "paigow.v1.SetHouseWayRequest",
    "paigow.v1.SetHouseWayResponse",
    "paigow.v1.Setting",
    "paigow.v1.SettleRequest",
    "paigow.v1.SettleResponse",
    "paigow.v1.VoidReturn",
    "paigow.v1.Wager",
    "paigow.v1.WagerSheet",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=proto");
    let descriptors = protox::compile(PROTOS, ["proto"])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("paigow_v1.bin"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure().skip_debug(REDACTED).compile_fds(descriptors)?;

    println!("cargo::rerun-if-env-changed=PAIGOW_GIT_REVISION");
    let revision = std::env::var("PAIGOW_GIT_REVISION").ok().or_else(git_revision);
    println!("cargo::rustc-env=PAIGOW_GIT_REVISION={}", revision.as_deref().unwrap_or("unknown"));
    println!("cargo::rustc-env=PAIGOW_BUILD_SETTINGS={}", build_settings()?);
    Ok(())
}

/// Returns how the package is built, as one line of canonical JSON: compiler, features,
/// profile, flags and target.
fn build_settings() -> Result<String, Box<dyn std::error::Error>> {
    let rustc = std::env::var("RUSTC")?;
    let output = Command::new(rustc).arg("-vV").output()?;
    let compiler = String::from_utf8(output.stdout)?;
    let mut features: Vec<String> = std::env::vars()
        .filter_map(|(name, _)| Some(name.strip_prefix("CARGO_FEATURE_")?.to_lowercase()))
        .collect();
    features.sort();
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let flags = flags.split('\u{1f}').filter(|flag| !flag.is_empty()).map(without_builder);
    Ok(format!(
        r#"{{"compiler":{},"features":{},"profile":{},"rustflags":{},"target":{}}}"#,
        list(compiler.lines().map(str::to_owned)),
        list(features),
        quoted(&std::env::var("PROFILE")?),
        list(flags),
        quoted(&std::env::var("TARGET")?),
    ))
}

/// Leaves the builder's folder out of a flag: two builders have to get the same bytes.
/// `--remap-path-prefix=FROM=TO` becomes `--remap-path-prefix=TO`; FROM=TO may stand in an
/// argument of its own, and is the only kind of flag that starts with `/`.
fn without_builder(flag: &str) -> String {
    let remap = "--remap-path-prefix=";
    let (prefix, pair) = flag.strip_prefix(remap).map_or(("", flag), |pair| (remap, pair));
    match pair.rsplit_once('=') {
        Some((_, to)) if !prefix.is_empty() || flag.starts_with('/') => format!("{prefix}{to}"),
        Some(_) | None => flag.to_owned(),
    }
}

fn list(texts: impl IntoIterator<Item = String>) -> String {
    let quoted: Vec<String> = texts.into_iter().map(|text| quoted(&text)).collect();
    format!("[{}]", quoted.join(","))
}

/// Writes a JSON string; a control character, which no flag needs, becomes a space.
fn quoted(text: &str) -> String {
    let plain = text.replace(char::is_control, " ");
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns the commit that is checked out here, or nothing where this is no checkout: a
/// source archive, even one unpacked inside some other repository.
fn git_revision() -> Option<String> {
    let here = std::env::var("CARGO_MANIFEST_DIR").ok()?;
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != Path::new(&here).canonicalize().ok()? {
        return None;
    }
    // A commit moves the branch, a checkout moves HEAD, packing moves the branch to another
    // file, and the log of HEAD sees all of them where it is kept. A path that does not
    // exist would rebuild every time.
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    let branch = branch.as_deref().unwrap_or("HEAD");
    for name in ["HEAD", "logs/HEAD", "packed-refs", branch] {
        let path = git(&["rev-parse", "--git-path", name])?;
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
