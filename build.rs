//! Generates the service of the gRPC contract, without `protoc`. Its messages are those of
//! `paigow-proto`. Also writes the build settings into the program.

use std::process::Command;

const PROTOS: [&str; 2] = ["paigow/v1/paigow_service.proto", "paigow/v1/error_reason.proto"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=proto");
    println!("cargo::rustc-env=BUILD_SETTINGS={}", build_settings()?);
    tonic_prost_build::configure()
        .build_client(false)
        .extern_path(".paigow.v1", "::paigow_proto::v1")
        .compile_fds(protox::compile(PROTOS, ["proto"])?)?;
    Ok(())
}

/// Returns the build settings of the package, as one line of canonical JSON: compiler, features,
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

/// Leaves the builder's folder out of a flag, because two builders must get the same bytes.
/// `--remap-path-prefix=FROM=TO` becomes `--remap-path-prefix=TO`. FROM=TO may be an argument of its
/// own. It is the only kind of flag that starts with `/`.
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
