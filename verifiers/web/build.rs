//! Writes the generated files of the page, and the table of all its files, to `OUT_DIR`.
//!
//! - `data.js`: the rule files and the claims of an audit, byte for byte. A page from disk cannot
//!   fetch files, so it imports them.
//! - `verifier.js`: the page's modules joined to one script. A browser loads no modules for a
//!   page that is opened from disk.
//! - `verifier.html`: the whole page as one file.
//! - `files.rs`: the table that `src/lib.rs` includes.

#[path = "src/bundle.rs"]
mod bundle;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder that holds the rule files, below this package.
const RULES: &str = "../../crates/paigow-rules/src";

/// The constants of `js/data.js`, and the folders of [`RULES`] whose files each one lists.
const DATA: [(&str, &[&str]); 2] =
    [("rulesets", &["game/rulesets"]), ("houseWays", &["house_way/charts", "house_way/coded"])];

/// The file of the claims, below this package.
const CLAIMS: &str = "../../crates/paigow-round/src/audit/claims.json";

/// The files of the page that are not modules below `js/`.
const OTHERS: [&str; 4] = ["cli.mjs", "index.html", "start.js", "style.css"];

/// The third-party library that modules below `js/` import. `vendor/README.md` describes it.
const LIBRARY: &str = "vendor/noble-bls12-381.js";

/// The module that the page loads.
const ENTRY: &str = "js/page/main.js";

/// The path of the generated module with the rule files.
const DATA_MODULE: &str = "js/data.js";

/// The path of the generated script.
const JOINED: &str = "verifier.js";

/// The path of the generated file that has the whole page.
const SINGLE: &str = "verifier.html";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/bundle.rs");
    if let Err(fault) = generate() {
        println!("cargo::error={fault}");
    }
}

fn generate() -> Result<(), String> {
    let package = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(variable("OUT_DIR")?);

    let data = bundle::data_module(&rule_files(&package)?);
    // Cargo looks for changes in a folder and in all folders below it.
    println!("cargo::rerun-if-changed=js");
    println!("cargo::rerun-if-changed={LIBRARY}");
    let mut modules = modules(&package)?;
    modules.insert(LIBRARY.to_owned(), read(&package.join(LIBRARY))?);
    if modules.insert(DATA_MODULE.to_owned(), data.clone()).is_some() {
        return Err(format!("{DATA_MODULE}: the build makes this file, remove it"));
    }
    let joined = bundle::joined(&modules, ENTRY).map_err(|fault| fault.to_string())?;
    write(&out.join("data.js"), &data)?;
    write(&out.join(JOINED), &joined)?;
    let (index, style) = (read(&package.join("index.html"))?, read(&package.join("style.css"))?);
    write(&out.join(SINGLE), &bundle::single(&index, &style, &joined)?)?;

    let mut table = BTreeMap::new();
    for path in OTHERS {
        println!("cargo::rerun-if-changed={path}");
        table.insert(path, ("CARGO_MANIFEST_DIR", path));
    }
    for path in modules.keys() {
        table.insert(path, ("CARGO_MANIFEST_DIR", path));
    }
    table.insert(DATA_MODULE, ("OUT_DIR", "data.js"));
    table.insert(JOINED, ("OUT_DIR", JOINED));
    table.insert(SINGLE, ("OUT_DIR", SINGLE));
    let mut source = String::from("&[\n");
    for (path, (folder, file)) in table {
        let file = format!("concat!(env!({folder:?}), {:?})", format!("/{file}"));
        writeln!(source, "    ({path:?}, include_bytes!({file})),")
            .map_err(|fault| fault.to_string())?;
    }
    source.push_str("]\n");
    write(&out.join("files.rs"), &source)
}

/// Reads the rule files and the claims for the data module.
fn rule_files(package: &Path) -> Result<Vec<bundle::Constant>, String> {
    let mut constants = Vec::new();
    for (constant, folders) in DATA {
        let mut files = Vec::new();
        for folder in folders {
            println!("cargo::rerun-if-changed={RULES}/{folder}");
            let before = files.len();
            for path in entries(&package.join(RULES).join(folder))? {
                if path.extension().is_some_and(|extension| extension == "toml") {
                    files.push((format!("{folder}/{}", name(&path)?), read(&path)?));
                }
            }
            if files.len() == before {
                return Err(format!("{RULES}/{folder}: no rule file (*.toml)"));
            }
        }
        constants.push((constant, files));
    }
    println!("cargo::rerun-if-changed={CLAIMS}");
    constants.push(("claims", vec![("claims.json".to_owned(), read(&package.join(CLAIMS))?)]));
    Ok(constants)
}

/// Reads all modules below `js/`, by their paths below the package.
fn modules(package: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut modules = BTreeMap::new();
    let mut folders = vec!["js".to_owned()];
    while let Some(folder) = folders.pop() {
        for path in entries(&package.join(&folder))? {
            let below = format!("{folder}/{}", name(&path)?);
            if path.is_dir() {
                folders.push(below);
            } else if below.ends_with(".js") {
                modules.insert(below, read(&path)?);
            } else {
                return Err(format!("{below}: not a module (*.js)"));
            }
        }
    }
    Ok(modules)
}

/// Returns the entries of a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let told = |fault: std::io::Error| format!("{}: {fault}", folder.display());
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(told)? {
        entries.push(entry.map_err(told)?.path());
    }
    entries.sort();
    Ok(entries)
}

fn name(path: &Path) -> Result<&str, String> {
    let name = path.file_name().and_then(|name| name.to_str());
    name.ok_or_else(|| format!("{}: the name is not UTF-8", path.display()))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|fault| format!("{}: {fault}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|fault| format!("{}: {fault}", path.display()))
}

fn variable(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|fault| format!("{name}: {fault}"))
}
