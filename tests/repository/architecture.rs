//! The architecture as a test: imports run one way, the domain is pure, and the code path
//! of Audit cannot name the key ring.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What each top-level module may import from the others.
const MAY_IMPORT: [(&str, &[&str]); 20] = [
    // Text alone.
    ("cards", &[]),
    ("hands", &["cards"]),
    ("house_way", &["hands", "cards"]),
    ("game", &["house_way", "hands", "cards"]),
    ("exact", &["game", "house_way", "hands", "cards"]),
    ("fairness", &["cards"]),
    ("engine", &["exact", "game", "house_way", "hands", "cards", "fairness"]),
    ("access", &["fairness"]),
    ("evidence", &["fairness"]),
    ("release", &["engine", "fairness"]),
    ("keys", &["engine", "game", "house_way", "fairness", "cards"]),
    ("rules_folder", &["engine", "game", "house_way"]),
    (
        "lab",
        &[
            "rpc",
            "rules_folder",
            "keys",
            "evidence",
            "release",
            "engine",
            "exact",
            "game",
            "house_way",
            "hands",
            "cards",
            "fairness",
            "config",
            "utc",
        ],
    ),
    (
        "rpc",
        &[
            "access",
            "evidence",
            "release",
            "telemetry",
            "engine",
            "game",
            "house_way",
            "hands",
            "cards",
            "fairness",
        ],
    ),
    ("config", &["evidence", "fairness"]),
    ("http1", &[]),
    ("utc", &[]),
    ("telemetry", &["config", "http1"]),
    (
        "server",
        &[
            "access",
            "rpc",
            "rules_folder",
            "keys",
            "evidence",
            "release",
            "engine",
            "fairness",
            "telemetry",
            "config",
            "http1",
            "utc",
        ],
    ),
    (
        "bin",
        &["server", "lab", "keys", "release", "rpc", "evidence", "fairness", "telemetry", "config"],
    ),
];

const DOMAIN: [&str; 7] = ["cards", "hands", "house_way", "game", "exact", "fairness", "engine"];

/// Words that no line of the domain may hold, tests aside.
const IMPURE: [&str; 22] = [
    "tonic",
    "prost",
    "tokio",
    "tracing",
    "config::",
    "std::time",
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "HashMap",
    "HashSet",
    "f32",
    "f64",
    "getrandom",
    "SysRng",
    "async fn",
    "SystemTime",
    "Instant",
    "println!",
];

struct Source {
    /// The module path below the crate, as `engine::audit::round`.
    module: String,
    /// The text without comments and without test modules.
    code: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    walk(&root, &mut files);
    files
        .into_iter()
        .filter_map(|path| {
            let relative = path.strip_prefix(&root).unwrap().with_extension("");
            let mut parts: Vec<String> =
                relative.iter().map(|p| p.to_str().unwrap().to_owned()).collect();
            if parts.last().is_some_and(|last| last == "mod" || last == "lib") {
                parts.pop();
            }
            if parts.iter().any(|part| part == "tests") {
                return None;
            }
            let code = without_comments_and_tests(&fs::read_to_string(&path).unwrap());
            Some(Source { module: parts.join("::"), code })
        })
        .collect()
}

fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// Cuts line comments, and everything from the first inline test module on: by this
/// crate's custom it stands last.
fn without_comments_and_tests(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    let mut code: Vec<&str> = Vec::new();
    let all: Vec<&str> = lines.collect();
    for (i, line) in all.iter().enumerate() {
        let opens_tests = line.trim() == "#[cfg(test)]"
            && all[i + 1..].iter().take(3).any(|next| next.contains("mod ") && next.contains('{'));
        if opens_tests {
            break;
        }
        code.push(line);
    }
    code.join("\n")
}

fn top(module: &str) -> &str {
    module.split("::").next().unwrap()
}

/// The paths that a source names below the crate, absolute.
fn named_paths(source: &Source) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let parents = |levels: usize| {
        let parts: Vec<&str> = source.module.split("::").collect();
        parts[..parts.len().saturating_sub(levels)].join("::")
    };
    let is_folder = |module: &str| {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src")
            .join(module.replace("::", "/"))
            .join("mod.rs")
            .exists()
    };
    let code = source.code.replace('\n', " ");
    for (start, base) in [
        ("crate::architecture::", String::new()),
        ("paigow::", String::new()),
        ("super::", parents(1)),
    ] {
        let mut rest = code.as_str();
        while let Some(at) = rest.find(start) {
            let boundary = rest[..at]
                .chars()
                .next_back()
                .is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':');
            rest = &rest[at + start.len()..];
            if !boundary {
                continue;
            }
            let mut base = base.clone();
            while start == "super::" && rest.starts_with("super::") {
                base = base.rsplit_once("::").map_or(String::new(), |(up, _)| up.to_owned());
                rest = &rest["super::".len()..];
            }
            for path in expand(rest) {
                let joined = if base.is_empty() { path } else { format!("{base}::{path}") };
                out.insert(joined);
            }
        }
    }
    // `use child::...` inside a folder's own mod.rs.
    if is_folder(&source.module) {
        for line in code.split(';') {
            let line = line.trim();
            let Some(path) = line.strip_prefix("use self::") else { continue };
            for path in expand(path) {
                out.insert(format!("{}::{path}", source.module));
            }
        }
    }
    out
}

/// Expands `a::{b, c::d}` to `a::b`, `a::c::d`; stops at the end of the path.
fn expand(text: &str) -> Vec<String> {
    let end = text
        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':' || c == '{'))
        .unwrap_or(text.len());
    let head = &text[..end];
    let Some(open) = head.find('{') else {
        return vec![head.trim_end_matches(':').to_owned()];
    };
    let prefix = &head[..open];
    let mut depth = 0;
    let mut close = text.len();
    for (i, c) in text[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    close = open + i;
                    break;
                }
            }
            _ => {}
        }
    }
    let inner = &text[open + 1..close];
    let mut items = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (i, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&inner[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    items.push(&inner[start..]);
    items
        .into_iter()
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .flat_map(expand)
        .map(|item| {
            if item == "self" {
                prefix.trim_end_matches(':').to_owned()
            } else {
                format!("{prefix}{item}")
            }
        })
        .collect()
}

#[test]
fn imports_run_one_way() {
    let allowed: BTreeMap<&str, &[&str]> = MAY_IMPORT.into_iter().collect();
    let mut wrong = Vec::new();
    for source in sources() {
        let from = top(&source.module).to_owned();
        if from.is_empty() {
            continue;
        }
        let may = allowed.get(from.as_str()).unwrap_or_else(|| panic!("a new module: {from}"));
        for path in named_paths(&source) {
            let to = top(&path);
            if to != from && allowed.contains_key(to) && !may.contains(&to) {
                wrong.push(format!("{} names {path}", source.module));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_domain_is_pure() {
    let mut wrong = Vec::new();
    for source in sources().iter().filter(|s| DOMAIN.contains(&top(&s.module))) {
        let words: BTreeSet<&str> =
            source.code.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        for word in IMPURE {
            let plain = word.chars().all(char::is_alphanumeric);
            if if plain { words.contains(word) } else { source.code.contains(word) } {
                wrong.push(format!("{} says {word}", source.module));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_keystream_is_drawn_in_one_place() {
    let users = |of: &str| -> Vec<String> {
        sources().into_iter().filter(|s| s.code.contains(of)).map(|s| s.module).collect()
    };
    assert_eq!(users("chacha20::"), ["fairness::shuffle"]);
    // The second implementation that a start compares with the first.
    assert_eq!(users("rand_chacha::"), ["fairness::self_test"]);
    assert_eq!(users("rand_core::"), ["fairness::self_test"]);
}

#[test]
fn blocks_are_hashed_in_one_place() {
    let all = sources();
    let users: Vec<&str> =
        all.iter().filter(|s| s.code.contains("compress256")).map(|s| s.module.as_str()).collect();
    assert_eq!(users, ["fairness::sha256"]);
}

#[test]
fn the_code_path_of_audit_cannot_name_the_key_ring() {
    let sources = sources();
    let by_module: BTreeMap<&str, &Source> =
        sources.iter().map(|source| (source.module.as_str(), source)).collect();
    // Where a name that a folder's mod.rs hands on is really defined.
    let defined = |path: &str| -> Option<String> {
        let mut module = path;
        loop {
            if let Some(source) = by_module.get(module) {
                let name =
                    path[module.len()..].trim_start_matches("::").split("::").next().unwrap();
                let handed_on = source.code.replace('\n', " ");
                let child = handed_on.split(';').find_map(|statement| {
                    let uses = statement.trim().strip_prefix("pub use ")?;
                    let found =
                        expand(uses).into_iter().find(|p| p.ends_with(&format!("::{name}")))?;
                    found.rsplit_once("::").map(|(module, _)| module.to_owned())
                });
                return Some(match child {
                    Some(child) if !name.is_empty() && !child.starts_with("crate") => {
                        format!("{module}::{child}")
                    }
                    Some(_) | None => module.to_owned(),
                });
            }
            module = module.rsplit_once("::")?.0;
        }
    };
    let mut reached: BTreeSet<String> = sources
        .iter()
        .filter(|s| s.module.starts_with("engine::audit"))
        .map(|s| s.module.clone())
        .collect();
    assert!(reached.len() > 5, "the modules of audit are found");
    let mut open: Vec<String> = reached.iter().cloned().collect();
    while let Some(module) = open.pop() {
        let source = by_module[module.as_str()];
        for path in named_paths(source) {
            let Some(to) = defined(&path) else { continue };
            // A folder's mod.rs only hands names on; what it names is followed by name.
            let folder = ["engine", "fairness", ""].contains(&to.as_str());
            if !folder && by_module.contains_key(to.as_str()) && reached.insert(to.clone()) {
                open.push(to);
            }
        }
    }
    for wanted in ["engine::results", "fairness::manifest::chain", "game::settle"] {
        assert!(reached.contains(wanted), "{wanted} is reached: {reached:?}");
    }
    for module in &reached {
        let code = &by_module[module.as_str()].code;
        assert!(
            !code.contains("KeyRing") && !code.contains("keyring"),
            "{module} names the key ring, and audit reaches it"
        );
    }
}
