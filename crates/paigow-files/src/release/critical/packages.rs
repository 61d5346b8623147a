//! `Cargo.lock`: the packages that certified crates are built with.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::manifest::parse;
use super::{CriticalError, Input};

const PATH: &str = "Cargo.lock";

fn malformed(reason: impl ToString) -> CriticalError {
    CriticalError::Malformed { path: PATH.to_owned(), reason: reason.to_string() }
}

/// One package of the lock file.
#[derive(Debug)]
struct Package {
    name: String,
    version: String,
    /// Where it is downloaded from; absent for a crate of the workspace.
    source: Option<String>,
    checksum: Option<String>,
    /// References to others: `NAME`, `NAME VERSION` or `NAME VERSION (SOURCE)`.
    dependencies: Vec<String>,
}

/// The lock file.
#[derive(Debug)]
pub(super) struct PackageLock {
    packages: Vec<Package>,
}

impl PackageLock {
    pub(super) fn parse(text: &[u8]) -> Result<Self, CriticalError> {
        let table = parse(PATH, text)?;
        let packages = table.get("package").and_then(Value::as_array);
        let packages = packages.ok_or_else(|| malformed("no packages"))?;
        let packages = packages.iter().map(|package| read(package.as_table()));
        Ok(Self { packages: packages.collect::<Result<_, _>>()? })
    }

    /// Adds every package that the certified crate `name` is built with, when its manifest
    /// depends on packages of `names`. The other entries of the lock file are for its tests.
    pub(super) fn follow(
        &self,
        name: &str,
        names: &BTreeSet<String>,
        certified: &BTreeSet<String>,
        inputs: &mut BTreeSet<Input>,
    ) -> Result<(), CriticalError> {
        let own = self.packages.iter().find(|p| p.name == name && p.source.is_none());
        let own = own.ok_or_else(|| malformed(format!("no package {name} of the workspace")))?;
        let mut due = Vec::new();
        for package in self.dependencies(own)? {
            if names.contains(&package.name) {
                due.push((name, package));
            }
        }
        if let Some(absent) = names.iter().find(|name| due.iter().all(|(_, p)| p.name != **name)) {
            return Err(malformed(format!("package {name} lists no dependency {absent}")));
        }
        while let Some((from, package)) = due.pop() {
            let Package { name, version, source, checksum, .. } = package;
            let Some(source) = source else {
                if certified.contains(name) {
                    continue;
                }
                let (from, to) = (from.to_owned(), name.clone());
                return Err(CriticalError::NotCertified { from, to });
            };
            let checksum = checksum.as_ref();
            let checksum =
                checksum.ok_or_else(|| malformed(format!("{name} {version}: no checksum")))?;
            if inputs.insert(Input::package(name, version, source, checksum)) {
                due.extend(self.dependencies(package)?.into_iter().map(|p| (name.as_str(), p)));
            }
        }
        Ok(())
    }

    fn dependencies(&self, package: &Package) -> Result<Vec<&Package>, CriticalError> {
        package.dependencies.iter().map(|reference| self.resolve(reference)).collect()
    }

    fn resolve(&self, reference: &str) -> Result<&Package, CriticalError> {
        let mut fields = reference.splitn(3, ' ');
        let name = fields.next().unwrap_or_default();
        let version = fields.next();
        let source = fields.next().map(|field| field.trim_start_matches('(').trim_end_matches(')'));
        let mut found = self.packages.iter().filter(|package| {
            package.name == name
                && version.is_none_or(|version| package.version == version)
                && source.is_none_or(|source| package.source.as_deref() == Some(source))
        });
        match (found.next(), found.next()) {
            (Some(package), None) => Ok(package),
            (None, _) => Err(malformed(format!("no package {reference}"))),
            (Some(_), Some(_)) => Err(malformed(format!("several packages {reference}"))),
        }
    }
}

fn read(package: Option<&Table>) -> Result<Package, CriticalError> {
    let package = package.ok_or_else(|| malformed("a package is not a table"))?;
    let text = |key: &str| match package.get(key) {
        None => Ok(None),
        Some(value) => match value.as_str().filter(|text| is_word(text)) {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(malformed(format!("{key}: not a text without spaces"))),
        },
    };
    let due = |key: &str| text(key)?.ok_or_else(|| malformed(format!("a package without {key}")));
    let references = match package.get("dependencies") {
        None => Some(Vec::new()),
        Some(list) => list.as_array().and_then(|list| {
            list.iter().map(|reference| reference.as_str().map(str::to_owned)).collect()
        }),
    };
    Ok(Package {
        name: due("name")?,
        version: due("version")?,
        source: text("source")?,
        checksum: text("checksum")?,
        dependencies: references.ok_or_else(|| malformed("dependencies: not a list of texts"))?,
    })
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| (0x21..0x7f).contains(&byte))
}
