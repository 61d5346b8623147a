//! The payload of a release record.

use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::json::Json;
use paigow_fairness::manifest::ALGO;
use paigow_fairness::payload::{Members, PayloadError};

use super::BuildSettings;
use super::critical::{Critical, Input};

/// How many binaries, libraries, rulesets, house ways or configurations may be listed.
const MAX_LISTED: usize = 256;
/// How many inputs of the critical hash may be listed.
const MAX_INPUTS: usize = 16_384;
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
    /// How it was built, if the file states it.
    pub build: Option<BuildSettings>,
}

/// The page for players in one file, `verifier.html`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ReleasedPage {
    /// Its SHA-256.
    pub sha256: Hash,
    /// Its length in bytes, below 2^53.
    pub size: u64,
}

/// A content hash and its name: of a ruleset, a house way or a configuration.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Named {
    /// Its id, or the name of a configuration's file.
    pub name: Identifier,
    /// Its content hash.
    pub hash: Hash,
}

/// The payload of a release record.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Release {
    /// The executables, by name.
    pub binaries: Vec<Binary>,
    /// The settings it may run with, by name; the hash is that of all that are in effect.
    pub configurations: Vec<Named>,
    /// The time at which it was made, as its maker states. No clock is read.
    pub created: Option<String>,
    /// The critical hash and the inputs that it is computed from.
    pub critical: Critical,
    /// The outcome code, as in tickets.
    pub engine: Identifier,
    /// The house ways it may load, by name.
    pub house_ways: Vec<Named>,
    /// The shared objects that the executables may load; empty for static ones.
    pub libraries: Vec<Binary>,
    /// The page with which players check their rounds.
    pub page: ReleasedPage,
    /// The hash of the release record before.
    pub prev: Option<Hash>,
    /// The commit it was built from, or `unknown`.
    pub revision: String,
    /// The rulesets it may load, by name.
    pub rulesets: Vec<Named>,
    /// The digest of all known answers.
    pub self_test: Hash,
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
            .with("build", binary.build.as_ref().map(BuildSettings::to_json))
        };
        let named = |key: &'static str| {
            move |named: &Named| {
                Json::obj([(key, Json::str(named.hash)), ("name", Json::str(&named.name))])
            }
        };
        let part = |(name, hash): (String, Hash)| {
            Json::obj([("hash", Json::str(hash)), ("name", Json::str(name))])
        };
        let critical = Json::obj([
            ("hash", Json::str(self.critical.hash())),
            ("inputs", Json::arr(self.critical.inputs().iter().map(Json::str))),
            ("parts", Json::arr(self.critical.parts().into_iter().map(part))),
        ]);
        let page = Json::obj([
            ("sha256", Json::str(self.page.sha256)),
            ("size", Json::Int(self.page.size)),
        ]);
        let libraries = (!self.libraries.is_empty()).then_some(&self.libraries);
        Json::obj([
            ("algo", Json::str(ALGO)),
            ("binaries", Json::arr(self.binaries.iter().map(binary))),
            ("configurations", Json::arr(self.configurations.iter().map(named("sha256")))),
            ("critical", critical),
            ("engine", Json::str(&self.engine)),
            ("house_ways", Json::arr(self.house_ways.iter().map(named("hash")))),
            ("page", page),
            ("revision", Json::str(&self.revision)),
            ("rulesets", Json::arr(self.rulesets.iter().map(named("hash")))),
            ("self_test", Json::str(self.self_test)),
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
            critical: members.object("critical", critical)?,
            engine: members.parsed("engine")?,
            house_ways: named(&mut members, "house_ways", "hash")?,
            libraries: members.optional("libraries", libraries)?.unwrap_or_default(),
            page: members.object("page", page)?,
            prev: members.optional("prev", Members::hash)?,
            revision: text(&mut members, "revision")?,
            rulesets: named(&mut members, "rulesets", "hash")?,
            self_test: members.hash("self_test")?,
            version: text(&mut members, "version")?,
        };
        members.finish()?;
        Ok(release)
    }
}

/// Returns the line that `sha256sum` writes for a file and `sha256sum -c` reads.
#[must_use]
pub fn sum_line(sha256: impl std::fmt::Display, path: &str) -> String {
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

/// Refuses a list that is longer than `most`, or whose items are not strictly ascending by `key`.
/// So a release has one order, no duplicates, and one record.
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

fn page(members: &mut Members) -> Result<ReleasedPage, PayloadError> {
    Ok(ReleasedPage { sha256: members.hash("sha256")?, size: members.int("size", MAX_SIZE)? })
}

fn binaries(members: &mut Members, key: &str) -> Result<Vec<Binary>, PayloadError> {
    let items = members.objects(key, |m| {
        Ok(Binary {
            name: m.parsed("name")?,
            sha256: m.hash("sha256")?,
            size: m.int("size", MAX_SIZE)?,
            build: m.optional("build", |m, key| m.object(key, BuildSettings::take))?,
        })
    })?;
    ordered(members, key, items, MAX_LISTED, |binary| binary.name.clone())
}

/// Takes a list that is absent if it is empty.
fn libraries(members: &mut Members, key: &str) -> Result<Vec<Binary>, PayloadError> {
    let items = binaries(members, key)?;
    if items.is_empty() { Err(members.blame(key, "absent, or not empty")) } else { Ok(items) }
}

fn named(members: &mut Members, key: &str, hash: &str) -> Result<Vec<Named>, PayloadError> {
    let items =
        members.objects(key, |m| Ok(Named { name: m.parsed("name")?, hash: m.hash(hash)? }))?;
    ordered(members, key, items, MAX_LISTED, |named| named.name.clone())
}

/// Takes the inputs of the critical hash, and the hashes, which must be those of the inputs.
fn critical(members: &mut Members) -> Result<Critical, PayloadError> {
    let inputs = members.list("inputs", |item| match item {
        Json::Str(text) => text.parse::<Input>().map_err(|_| "not the text of an input"),
        Json::Bool(_) | Json::Int(_) | Json::Arr(_) | Json::Obj(_) => Err("not a string"),
    })?;
    if inputs.len() > MAX_INPUTS {
        return Err(members.blame("inputs", "more than a release takes"));
    }
    let critical = Critical::from_inputs(inputs);
    let critical = critical.ok_or_else(|| members.blame("inputs", "not in ascending order"))?;
    if members.hash("hash")? != critical.hash() {
        return Err(members.blame("hash", "not that of the inputs"));
    }
    let parts =
        members.objects("parts", |m| Ok((m.text("name")?.into_owned(), m.hash("hash")?)))?;
    if parts != critical.parts() {
        return Err(members.blame("parts", "not those of the inputs"));
    }
    Ok(critical)
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
