//! The payload of a release record.

use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::json::Json;
use paigow_fairness::manifest::ALGO;
use paigow_fairness::payload::{Members, PayloadError};

/// How many binaries, libraries, rulesets, house ways or configurations may be listed.
const MAX_LISTED: usize = 256;
/// How many source files may be listed.
const MAX_SOURCES: usize = 16_384;
/// The longest path or text, in bytes.
const MAX_TEXT: usize = 256;
/// The largest file, in bytes: integers of canonical JSON end below 2^53.
const MAX_SIZE: u64 = (1 << 53) - 1;

/// A file that is run or loaded.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Binary {
    /// Its name without folders.
    pub name: Identifier,
    /// Its SHA-256.
    pub sha256: Hash,
    /// Its length in bytes, below 2^53.
    pub size: u64,
}

/// Something with a content hash under its name: a ruleset, a house way or a
/// configuration.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Named {
    /// Its id, or the name of a configuration's file.
    pub name: Identifier,
    /// Its content hash.
    pub hash: Hash,
}

/// What a change of a source file means.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Class {
    /// Some outcome, amount or record could change; with the role of the file.
    Critical(String),
    /// Transport, telemetry, tools, deployment.
    Other,
}

/// A source file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Source {
    /// Its path below the source tree, printable ASCII with `/` between folders.
    pub path: String,
    /// Its SHA-256.
    pub sha256: Hash,
    /// What a change of it means.
    pub class: Class,
}

/// The payload of a release record.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Release {
    /// The executables, by name.
    pub binaries: Vec<Binary>,
    /// The settings it may run with, by name; the hash is that of all that are in effect.
    pub configurations: Vec<Named>,
    /// When it was made, as its maker says; no clock is read.
    pub created: Option<String>,
    /// The outcome code, as in tickets.
    pub engine: Identifier,
    /// The house ways it may load, by name.
    pub house_ways: Vec<Named>,
    /// The shared objects that the executables may load; none for static ones.
    pub libraries: Vec<Binary>,
    /// The hash of the release record before.
    pub prev: Option<Hash>,
    /// The commit it was built from, or `unknown`.
    pub revision: String,
    /// The rulesets it may load, by name.
    pub rulesets: Vec<Named>,
    /// The digest of all known answers.
    pub self_test: Hash,
    /// The source files, ascending by path.
    pub sources: Vec<Source>,
    /// The compiler.
    pub toolchain: String,
    /// The version of the crate.
    pub version: String,
}

impl Release {
    /// Returns the payload as it is signed.
    #[must_use]
    pub fn to_json(&self) -> Json<'static> {
        let binary = |binary: &Binary| {
            Json::obj([
                ("name", Json::str(&binary.name)),
                ("sha256", Json::str(binary.sha256)),
                ("size", Json::Int(binary.size)),
            ])
        };
        let named = |key: &'static str| {
            move |named: &Named| {
                Json::obj([(key, Json::str(named.hash)), ("name", Json::str(&named.name))])
            }
        };
        let source = |source: &Source| {
            let (class, role) = match &source.class {
                Class::Critical(role) => ("critical", Some(Json::str(role))),
                Class::Other => ("other", None),
            };
            Json::obj([
                ("class", Json::str(class)),
                ("path", Json::str(&source.path)),
                ("sha256", Json::str(source.sha256)),
            ])
            .with("role", role)
        };
        let libraries = (!self.libraries.is_empty()).then_some(&self.libraries);
        Json::obj([
            ("algo", Json::str(ALGO)),
            ("binaries", Json::arr(self.binaries.iter().map(binary))),
            ("configurations", Json::arr(self.configurations.iter().map(named("sha256")))),
            ("engine", Json::str(&self.engine)),
            ("house_ways", Json::arr(self.house_ways.iter().map(named("hash")))),
            ("revision", Json::str(&self.revision)),
            ("rulesets", Json::arr(self.rulesets.iter().map(named("hash")))),
            ("self_test", Json::str(self.self_test)),
            ("sources", Json::arr(self.sources.iter().map(source))),
            ("toolchain", Json::str(&self.toolchain)),
            ("version", Json::str(&self.version)),
        ])
        .with("created", self.created.as_ref().map(Json::str))
        .with("libraries", libraries.map(|all| Json::arr(all.iter().map(binary))))
        .with("prev", self.prev.map(Json::str))
    }

    /// Reads a payload.
    ///
    /// # Errors
    ///
    /// If a member is missing, unknown or malformed, or a list is not in its order.
    pub fn parse(value: Json) -> Result<Self, PayloadError> {
        let mut members = Members::of(value)?;
        if members.text("algo")? != ALGO {
            return Err(members.blame("algo", "not the protocol of this release"));
        }
        let release = Self {
            binaries: binaries(&mut members, "binaries")?,
            configurations: named(&mut members, "configurations", "sha256")?,
            created: members.optional("created", text)?,
            engine: members.parsed("engine")?,
            house_ways: named(&mut members, "house_ways", "hash")?,
            libraries: members.optional("libraries", libraries)?.unwrap_or_default(),
            prev: members.optional("prev", Members::hash)?,
            revision: text(&mut members, "revision")?,
            rulesets: named(&mut members, "rulesets", "hash")?,
            self_test: members.hash("self_test")?,
            sources: sources(&mut members)?,
            toolchain: text(&mut members, "toolchain")?,
            version: text(&mut members, "version")?,
        };
        members.finish()?;
        Ok(release)
    }

    /// Returns the critical source files, ascending by path.
    pub fn critical(&self) -> impl Iterator<Item = &Source> {
        self.sources.iter().filter(|source| matches!(source.class, Class::Critical(_)))
    }

    /// Returns the one hash of all critical source files: equal where and only where no
    /// file was added, removed, renamed or changed.
    ///
    /// It is the SHA-256 of their lines as `sha256sum` writes them, so that it can be
    /// computed without this program.
    #[must_use]
    pub fn critical_hash(&self) -> Hash {
        let lines: String =
            self.critical().map(|source| sum_line(&source.sha256, &source.path)).collect();
        Hash::of(lines.as_bytes())
    }
}

/// Returns the line that `sha256sum` writes for a file and `sha256sum -c` reads.
#[must_use]
pub fn sum_line(sha256: &Hash, path: &str) -> String {
    format!("{sha256}  {path}\n")
}

fn text(members: &mut Members, key: &str) -> Result<String, PayloadError> {
    let text = members.text(key)?;
    if (1..=MAX_TEXT).contains(&text.len()) {
        Ok(text.into_owned())
    } else {
        Err(members.blame(key, "1 to 256 characters"))
    }
}

/// Refuses a list that is longer than `most`, or whose items are not strictly ascending
/// by `key`: one order, nothing twice, one record for one release.
fn ordered<T, K: Ord>(
    members: &Members,
    name: &str,
    items: Vec<T>,
    most: usize,
    key: impl Fn(&T) -> K,
) -> Result<Vec<T>, PayloadError> {
    if items.len() > most {
        return Err(members.blame(name, "more than a release takes"));
    }
    if items.windows(2).any(|pair| key(&pair[0]) >= key(&pair[1])) {
        return Err(members.blame(name, "not in ascending order"));
    }
    Ok(items)
}

fn binaries(members: &mut Members, key: &str) -> Result<Vec<Binary>, PayloadError> {
    let items = members.objects(key, |m| {
        Ok(Binary {
            name: m.parsed("name")?,
            sha256: m.hash("sha256")?,
            size: m.int("size", MAX_SIZE)?,
        })
    })?;
    ordered(members, key, items, MAX_LISTED, |binary| binary.name.clone())
}

/// Takes a list that is absent where there is nothing in it.
fn libraries(members: &mut Members, key: &str) -> Result<Vec<Binary>, PayloadError> {
    let items = binaries(members, key)?;
    if items.is_empty() { Err(members.blame(key, "absent, or not empty")) } else { Ok(items) }
}

fn named(members: &mut Members, key: &str, hash: &str) -> Result<Vec<Named>, PayloadError> {
    let items =
        members.objects(key, |m| Ok(Named { name: m.parsed("name")?, hash: m.hash(hash)? }))?;
    ordered(members, key, items, MAX_LISTED, |named| named.name.clone())
}

fn sources(members: &mut Members) -> Result<Vec<Source>, PayloadError> {
    let items = members.objects("sources", |m| {
        let role = m.optional("role", text)?;
        let class = match (&*m.text("class")?, role) {
            ("critical", Some(role)) => Class::Critical(role),
            ("critical", None) => return Err(m.blame("role", "missing")),
            ("other", None) => Class::Other,
            _ => return Err(m.blame("class", "critical with a role, or other")),
        };
        let path = text(m, "path")?;
        if !is_plain_path(&path) {
            return Err(m.blame("path", "not a plain path below the source tree"));
        }
        Ok(Source { path, sha256: m.hash("sha256")?, class })
    })?;
    ordered(members, "sources", items, MAX_SOURCES, |source| source.path.clone())
}

/// Whether a path names a file below a folder in one spelling, and a line of `sha256sum`
/// holds it unescaped: printable ASCII without `\`, no empty, `.` or `..` part.
#[must_use]
pub fn is_plain_path(path: &str) -> bool {
    let plain = |byte: u8| (0x20..0x7f).contains(&byte) && byte != b'\\';
    path.len() <= MAX_TEXT
        && path.bytes().all(plain)
        && path.split('/').all(|part| !["", ".", ".."].contains(&part))
}
