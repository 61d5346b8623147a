//! Self-verification: compares the running process with its release. Pure.

use std::collections::BTreeSet;
use std::fmt;

use super::{Binary, BuildSettings, Named, Release};
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::Manifest;
use paigow_round::ENGINE_ID;

/// The subject of a check.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Code {
    /// The release record itself: readable, of this engine, signed by the root in force.
    Release,
    /// The executable: the one that runs and the file it was started from.
    Executable,
    /// How the running executable was built: target, compiler, flags, features, profile.
    Build,
    /// The shared objects that the process has loaded.
    SharedObjects,
    /// The rulesets: those in use and those on disk.
    Rulesets,
    /// The house ways: those in use and those on disk.
    HouseWays,
    /// The settings: those in effect and those that a restart would take.
    Configuration,
    /// The known answers, computed again.
    KnownAnswers,
    /// The manifest in force: its rules are those loaded, its builds list the executable.
    Manifest,
}

impl Code {
    /// Returns the code as it is written: `EXECUTABLE`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Release => "RELEASE",
            Self::Executable => "EXECUTABLE",
            Self::Build => "BUILD",
            Self::SharedObjects => "SHARED_OBJECTS",
            Self::Rulesets => "RULESETS",
            Self::HouseWays => "HOUSE_WAYS",
            Self::Configuration => "CONFIGURATION",
            Self::KnownAnswers => "KNOWN_ANSWERS",
            Self::Manifest => "MANIFEST",
        }
    }
}

/// How a check came out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Status {
    /// As expected.
    Passed,
    /// Not as expected, or could not be checked although it must be.
    Failed,
    /// There is nothing to compare it with.
    Skipped,
}

impl Status {
    /// Returns the word of the status.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}

/// One check with the values that it compared, for people: names and hashes, no secret.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Check {
    /// The subject of the check.
    pub code: Code,
    /// The result of the check.
    pub status: Status,
    /// The value that is expected.
    pub expected: String,
    /// The value that was found, or the reason why it is unknown.
    pub found: String,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, status, expected, found } = self;
        write!(f, "{} {}: expected {expected}; found {found}", code.name(), status.name())
    }
}

/// The release record that a check compares with.
#[derive(Clone, Copy, Debug)]
pub enum Recorded<'a> {
    /// None is configured. Files are compared with their state at the start.
    Absent,
    /// One is configured but cannot be relied on, with the reason.
    Unusable(&'a str),
    /// One that enough root keys have signed.
    Signed(&'a Release),
}

/// A file that was read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct File {
    /// Its name in a check: `running`, `on disk`, a path.
    pub name: String,
    /// Its SHA-256, or the reason why it cannot be read.
    pub sha256: Result<Hash, String>,
}

/// Rules of one kind.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct InUse {
    /// Those that calls are answered from, their hashes computed again.
    pub in_use: Vec<Named>,
    /// Those that a restart would load, or the reason why it would not.
    pub on_disk: Result<Vec<Named>, String>,
}

/// Settings, by the hash of all that are in effect.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Configuration {
    /// Those that the process runs with.
    pub in_use: Hash,
    /// Those that a restart would take, or the reason why it would not start.
    pub on_disk: Result<Hash, String>,
}

/// All facts that a process finds about itself.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Found {
    /// The running executable, and the file it was started from.
    pub executable: Vec<File>,
    /// The hash of the running executable at the start, if it could be read.
    pub executable_at_start: Option<Hash>,
    /// The settings that the running executable was built with, or the reason why they are unknown.
    pub build: Result<BuildSettings, String>,
    /// The shared objects that are loaded.
    pub shared_objects: Vec<File>,
    /// The rulesets.
    pub rulesets: InUse,
    /// The house ways.
    pub house_ways: InUse,
    /// The settings.
    pub configuration: Configuration,
    /// The digest of the known answers, or the answer that was not reproduced.
    pub self_test: Result<Hash, String>,
    /// The digest at the start.
    pub self_test_at_start: Hash,
}

/// Makes every check, in the order of [`Code`].
///
/// With a signed record, it has to list all files in use *and* all files that a restart would use.
/// So a record that lists two releases lets the next one be installed beside the running one.
/// Without a record, the files have to be unchanged since the start.
#[must_use]
pub fn check(recorded: Recorded<'_>, found: &Found, manifest: &Manifest) -> Vec<Check> {
    let release = match recorded {
        Recorded::Signed(release) => Some(release),
        Recorded::Absent | Recorded::Unusable(_) => None,
    };
    vec![
        record(recorded),
        executable(release, found),
        build(release, &found.build),
        shared_objects(release, &found.shared_objects),
        rules(Code::Rulesets, release.map(|r| r.rulesets.as_slice()), &found.rulesets),
        rules(Code::HouseWays, release.map(|r| r.house_ways.as_slice()), &found.house_ways),
        configuration(release, &found.configuration),
        known_answers(release, found),
        manifest_in_force(found, manifest),
    ]
}

fn judged(code: Code, passed: bool, expected: String, found: String) -> Check {
    let status = if passed { Status::Passed } else { Status::Failed };
    Check { code, status, expected, found }
}

fn skipped(code: Code, why: &str) -> Check {
    Check { code, status: Status::Skipped, expected: "-".to_owned(), found: why.to_owned() }
}

fn record(recorded: Recorded<'_>) -> Check {
    let expected = format!("a record of engine {ENGINE_ID}, signed by the root in force");
    match recorded {
        Recorded::Absent => skipped(Code::Release, "no release record is configured"),
        Recorded::Unusable(why) => judged(Code::Release, false, expected, why.to_owned()),
        Recorded::Signed(release) => {
            let Release { version, engine, .. } = release;
            let passed = engine.as_str() == ENGINE_ID;
            judged(Code::Release, passed, expected, format!("version {version}, engine {engine}"))
        }
    }
}

fn executable(release: Option<&Release>, found: &Found) -> Check {
    let expected: Vec<Hash> = match release {
        Some(release) => release.binaries.iter().map(|binary| binary.sha256).collect(),
        None => found.executable_at_start.into_iter().collect(),
    };
    if release.is_none() && expected.is_empty() {
        return skipped(Code::Executable, "it cannot be read, and there is no release record");
    }
    let passed = found.executable.iter().all(|file| is_among(file, &expected));
    let expected = match release {
        Some(release) => listed(&release.binaries),
        None => format!("as at the start, {}", joined(expected)),
    };
    judged(
        Code::Executable,
        passed && !found.executable.is_empty(),
        expected,
        told(&found.executable),
    )
}

/// Compares the settings of the running build with those of the binaries of the record.
fn build(release: Option<&Release>, found: &Result<BuildSettings, String>) -> Check {
    let Some(release) = release else {
        return skipped(Code::Build, "no release record to compare with");
    };
    let listed: BTreeSet<&BuildSettings> =
        release.binaries.iter().filter_map(|binary| binary.build.as_ref()).collect();
    let passed = found.as_ref().is_ok_and(|build| listed.contains(build));
    let told = found.as_ref().map_or_else(String::clone, ToString::to_string);
    judged(Code::Build, passed, joined(listed), told)
}

fn shared_objects(release: Option<&Release>, loaded: &[File]) -> Check {
    let Some(release) = release else {
        return skipped(Code::SharedObjects, "no release record to compare with");
    };
    let expected: Vec<Hash> = release.libraries.iter().map(|binary| binary.sha256).collect();
    let strange: Vec<File> =
        loaded.iter().filter(|file| !is_among(file, &expected)).cloned().collect();
    let found = if strange.is_empty() { loaded } else { strange.as_slice() };
    let listed = listed(&release.libraries);
    judged(Code::SharedObjects, strange.is_empty(), listed, told(found))
}

fn rules(code: Code, released: Option<&[Named]>, rules: &InUse) -> Check {
    let on_disk = match &rules.on_disk {
        Ok(on_disk) => on_disk,
        Err(why) => {
            return judged(code, false, "files that can be loaded".to_owned(), why.clone());
        }
    };
    let sorted = |list: &[Named]| list.iter().cloned().collect::<BTreeSet<Named>>();
    let (in_use, on_disk) = (sorted(&rules.in_use), sorted(on_disk));
    let strange: BTreeSet<Named> = match released {
        Some(released) => {
            let released = sorted(released);
            in_use.union(&on_disk).filter(|rules| !released.contains(rules)).cloned().collect()
        }
        None => in_use.symmetric_difference(&on_disk).cloned().collect(),
    };
    if strange.is_empty() {
        let lines: String =
            in_use.iter().map(|rules| format!("{} {}\n", rules.name, rules.hash)).collect();
        let all = format!("{} of digest {}", in_use.len(), Hash::of(lines.as_bytes()));
        return judged(code, true, all.clone(), all);
    }
    // Among the differing rules: those that were released or loaded under the same names.
    let names: BTreeSet<_> = strange.iter().map(|rules| rules.name.clone()).collect();
    let same_name = |rules: &&Named| names.contains(&rules.name);
    let expected: Vec<String> = match released {
        Some(released) => released.iter().filter(same_name).map(line).collect(),
        None => in_use.iter().filter(same_name).map(line).collect(),
    };
    let found: Vec<String> = match released {
        Some(_) => strange.iter().map(line).collect(),
        None => on_disk.iter().filter(same_name).map(line).collect(),
    };
    judged(code, false, joined(expected), joined(found))
}

fn configuration(release: Option<&Release>, found: &Configuration) -> Check {
    let code = Code::Configuration;
    let on_disk = match &found.on_disk {
        Ok(on_disk) => *on_disk,
        Err(why) => {
            return judged(code, false, "settings that can be read".to_owned(), why.clone());
        }
    };
    let both = [found.in_use, on_disk];
    let told = if found.in_use == on_disk {
        found.in_use.to_string()
    } else {
        format!("in effect {}, on disk {on_disk}", found.in_use)
    };
    match release {
        Some(release) => {
            let listed = &release.configurations;
            let passed = both.iter().all(|hash| listed.iter().any(|named| named.hash == *hash));
            judged(code, passed, joined(listed.iter().map(line)), told)
        }
        None => {
            let expected = format!("as at the start, {}", found.in_use);
            judged(code, found.in_use == on_disk, expected, told)
        }
    }
}

fn known_answers(release: Option<&Release>, found: &Found) -> Check {
    let expected = release.map_or(found.self_test_at_start, |release| release.self_test);
    let (passed, told) = match &found.self_test {
        Ok(digest) => (*digest == expected, digest.to_string()),
        Err(why) => (false, why.clone()),
    };
    judged(Code::KnownAnswers, passed, expected.to_string(), told)
}

/// Checks the manifest in force against the loaded rules.
///
/// Rules that it lists but that are not loaded are reported, and are not a fault. A manifest may be
/// ahead of a replica. The replica then refuses their rounds, so that another replica can play
/// them.
fn manifest_in_force(found: &Found, manifest: &Manifest) -> Check {
    let (mut expected, mut wrong, mut absent) = (Vec::new(), Vec::new(), Vec::new());
    let rulesets = manifest.rulesets.iter().map(|r| Named { name: r.name.clone(), hash: r.hash });
    let ways = manifest.house_ways.iter();
    let ways = ways.map(|way| Named { name: way.name.clone(), hash: way.hash });
    let listed = rulesets.map(|named| (named, &found.rulesets));
    for (named, loaded) in listed.chain(ways.map(|named| (named, &found.house_ways))) {
        let of_name: Vec<&Named> =
            loaded.in_use.iter().filter(|rules| rules.name == named.name).collect();
        if of_name.is_empty() {
            absent.push(line(&named));
        } else if of_name.iter().all(|rules| rules.hash != named.hash) {
            expected.push(line(&named));
            wrong.extend(of_name.into_iter().map(line));
        }
    }
    if let Some(builds) = &manifest.builds {
        let hashes: Vec<Hash> = builds.iter().map(|build| build.digest).collect();
        let running = found.executable.first();
        if running.is_none_or(|file| !is_among(file, &hashes)) {
            expected.extend(builds.iter().map(|build| format!("{} {}", build.name, build.digest)));
            wrong.push(told(&found.executable));
        }
    }
    let seq = manifest.seq;
    let not_loaded = format!("listed and not loaded here: {}", joined(&absent));
    match (wrong.is_empty(), absent.is_empty()) {
        (true, true) => {
            let all = format!("manifest {seq} and what is loaded agree");
            judged(Code::Manifest, true, all.clone(), all)
        }
        (true, false) => {
            let expected = format!("nothing loaded that manifest {seq} lists otherwise");
            judged(Code::Manifest, true, expected, not_loaded)
        }
        (false, _) => {
            let expected = format!("by manifest {seq}: {}", joined(expected));
            wrong.extend((!absent.is_empty()).then_some(not_loaded));
            judged(Code::Manifest, false, expected, joined(wrong))
        }
    }
}

fn is_among(file: &File, hashes: &[Hash]) -> bool {
    file.sha256.as_ref().is_ok_and(|hash| hashes.contains(hash))
}

fn line(named: &Named) -> String {
    format!("{} {}", named.name, named.hash)
}

fn listed(binaries: &[Binary]) -> String {
    joined(binaries.iter().map(|binary| format!("{} {}", binary.name, binary.sha256)))
}

fn told(files: &[File]) -> String {
    joined(files.iter().map(|file| match &file.sha256 {
        Ok(hash) => format!("{} {hash}", file.name),
        Err(why) => format!("{} {why}", file.name),
    }))
}

fn joined(items: impl IntoIterator<Item = impl ToString>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    if items.is_empty() { "none".to_owned() } else { items.join(", ") }
}
