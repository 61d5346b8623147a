//! `paigow-lab release verify`: computes everything again that is given or compiled in.

use std::io::Write;
use std::path::PathBuf;

use super::changes::changes;
use super::{Rules, binary, configuration, name_of, read, show, tree};
use crate::{CommandError, CommandOutcome, read_file};
use paigow_engine::self_test;
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::Root;
use paigow_files::release::critical::Critical;
use paigow_files::release::{Binary, Named};
use paigow_verifier_page::single_file;

/// The inputs that a record is compared with.
#[derive(Clone, Debug)]
pub struct Verify {
    /// The file with the record.
    pub record: PathBuf,
    /// The root that must have signed it.
    pub root: Root,
    /// Executables, each under the name that it is released by.
    pub binaries: Vec<PathBuf>,
    /// Shared objects.
    pub libraries: Vec<PathBuf>,
    /// The page for players in one file.
    pub page: Option<PathBuf>,
    /// The source tree.
    pub source: Option<PathBuf>,
    /// Files with settings.
    pub configurations: Vec<PathBuf>,
    /// An operator's folder of rules.
    pub rules: Option<PathBuf>,
}

/// The lines of each match and of each mismatch.
struct Report<'a> {
    out: &'a mut dyn Write,
    mismatches: usize,
}

impl Report<'_> {
    fn good(&mut self, what: &str, told: &str) -> Result<(), CommandError> {
        writeln!(self.out, "{what:<13} matches   {told}")?;
        Ok(())
    }

    fn bad(&mut self, what: &str, told: &str) -> Result<(), CommandError> {
        self.mismatches += 1;
        writeln!(self.out, "{what:<13} MISMATCH  {told}")?;
        Ok(())
    }

    /// Compares a hash under a name with the released one, if there is one.
    fn hash(
        &mut self,
        what: &str,
        name: &str,
        released: Option<Hash>,
        found: Hash,
    ) -> Result<(), CommandError> {
        match released {
            Some(hash) if hash == found => self.good(what, &format!("{name} {found}")),
            Some(hash) => self.bad(what, &format!("{name}: released {hash}, found {found}")),
            None => self.bad(what, &format!("{name}: not in the release, found {found}")),
        }
    }
}

/// Verifies the signatures, and compares all given files with the record.
///
/// Always compares the compiled-in rules and page, and the known answers, since this program has to
/// be of that release. Writes every mismatch. Files that are not given are not checked.
///
/// # Errors
///
/// If a file cannot be read or is malformed.
pub fn verify(verify: &Verify, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let (envelope, release) = read(&verify.record)?;
    show::summary(&envelope, &release, out)?;
    writeln!(out)?;
    let mut report = Report { out, mismatches: 0 };

    let Root { keys, threshold } = &verify.root;
    let told = format!("{} of {} root keys", envelope.count_signers(keys), keys.len());
    if verify.root.accepts(&envelope) {
        report.good("signatures", &told)?;
    } else {
        report.bad("signatures", &format!("{told}, {threshold} have to sign"))?;
    }
    for path in &verify.binaries {
        file("binary", &binary(path)?, &release.binaries, &mut report)?;
    }
    for path in &verify.libraries {
        file("library", &binary(path)?, &release.libraries, &mut report)?;
    }
    let released = Some(release.page.sha256);
    report.hash("page", "compiled in", released, Hash::of(single_file()))?;
    if let Some(path) = &verify.page {
        let found = Hash::of(&read_file(path)?);
        report.hash("page", &path.display().to_string(), released, found)?;
    }
    for path in &verify.configurations {
        let found = configuration(path)?.hash;
        let name = name_of(path)?;
        let released = release.configurations.iter().find(|listed| listed.name == name);
        let released = released.map(|listed| listed.hash);
        report.hash("settings", name.as_str(), released, found)?;
    }
    let rules = Rules::load(verify.rules.as_deref())?;
    named("rulesets", &rules.rulesets, &release.rulesets, &mut report)?;
    named("house ways", &rules.house_ways, &release.house_ways, &mut report)?;
    match self_test::run() {
        Ok(digest) => report.hash("known answers", "digest", Some(release.self_test), digest)?,
        Err(error) => report.bad("known answers", &error.to_string())?,
    }
    if let Some(folder) = &verify.source {
        critical(&tree::critical(folder)?, &release.critical, &mut report)?;
    }

    let mismatches = report.mismatches;
    let verdict = match mismatches {
        0 => "match: everything that was given is what was released".to_owned(),
        1 => "mismatch: 1 difference".to_owned(),
        more => format!("mismatch: {more} differences"),
    };
    writeln!(out, "\nverdict: {verdict}")?;
    Ok(if mismatches == 0 { CommandOutcome::Well } else { CommandOutcome::WithFindings })
}

fn file(
    what: &str,
    found: &Binary,
    released: &[Binary],
    report: &mut Report<'_>,
) -> Result<(), CommandError> {
    let of_name = released.iter().find(|listed| listed.name == found.name);
    report.hash(what, found.name.as_str(), of_name.map(|listed| listed.sha256), found.sha256)
}

fn named(
    what: &str,
    found: &[Named],
    released: &[Named],
    report: &mut Report<'_>,
) -> Result<(), CommandError> {
    let strange: Vec<&Named> = found.iter().filter(|named| !released.contains(named)).collect();
    if strange.is_empty() {
        return report.good(what, &format!("all {} that are loaded", found.len()));
    }
    for named in strange {
        let of_name = released.iter().find(|listed| listed.name == named.name);
        report.hash(what, named.name.as_str(), of_name.map(|listed| listed.hash), named.hash)?;
    }
    Ok(())
}

fn critical(
    found: &Critical,
    released: &Critical,
    report: &mut Report<'_>,
) -> Result<(), CommandError> {
    let changes = changes(released, found);
    if changes.is_empty() {
        let told = format!("{}, {} inputs", found.hash(), found.inputs().len());
        return report.good("critical", &told);
    }
    for (change, name) in changes {
        report.bad("critical", &format!("{name}: {}", change.name()))?;
    }
    Ok(())
}
