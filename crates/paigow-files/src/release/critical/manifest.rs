//! Manifests: the certified crates, their dependencies, and the canonical text of a table.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::CriticalError;

/// The tables and keys of the root manifest that are inputs if they exist. Each entry of
/// `workspace.dependencies` that a certified manifest inherits is an input too.
const TABLES: [&str; 6] = [
    "patch",
    "profile",
    "replace",
    "workspace.metadata.certified",
    "workspace.package.edition",
    "workspace.resolver",
];
/// The tables that list the dependencies of a build.
const BUILT: [&str; 2] = ["build-dependencies", "dependencies"];
const DEV: &str = "dev-dependencies";
/// Spellings that Cargo also reads. They are refused, because one spelling can be checked by eye.
const OLD: [&str; 2] = ["build_dependencies", "dev_dependencies"];

fn malformed(path: &str, reason: impl ToString) -> CriticalError {
    CriticalError::Malformed { path: path.to_owned(), reason: reason.to_string() }
}

/// Reads a TOML file.
pub(super) fn parse(path: &str, text: &[u8]) -> Result<Table, CriticalError> {
    let text = std::str::from_utf8(text).map_err(|error| malformed(path, error))?;
    // The rest of the message shows the line, on several lines.
    text.parse().map_err(|error: toml::de::Error| malformed(path, error.message()))
}

fn find<'a>(table: &'a Table, name: &str) -> Option<&'a Value> {
    let (first, rest) = name.split_once('.').map_or((name, None), |(a, b)| (a, Some(b)));
    let value = table.get(first)?;
    match rest {
        None => Some(value),
        Some(rest) => find(value.as_table()?, rest),
    }
}

/// The manifest of the workspace.
#[derive(Debug)]
pub(super) struct RootManifest(Table);

impl RootManifest {
    pub(super) fn parse(text: &[u8]) -> Result<Self, CriticalError> {
        parse("Cargo.toml", text).map(Self)
    }

    /// Returns the names of the certified crates.
    pub(super) fn certified(&self) -> Result<BTreeSet<String>, CriticalError> {
        let bad = || {
            let reason = "no list `crates` of names in [workspace.metadata.certified]";
            malformed("Cargo.toml", reason)
        };
        let names = find(&self.0, "workspace.metadata.certified.crates").ok_or_else(bad)?;
        let names = names.as_array().ok_or_else(bad)?;
        let is_name = |name: &&str| {
            let of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
            !name.is_empty() && name.bytes().all(of_name)
        };
        let read = names.iter().map(|name| name.as_str().filter(is_name).map(str::to_owned));
        let certified: BTreeSet<String> = read.collect::<Option<_>>().ok_or_else(bad)?;
        // The resolver selects features: the manifest must name it and not rely on a default.
        if certified.is_empty() || certified.len() != names.len() {
            return Err(bad());
        }
        match find(&self.0, "workspace.resolver") {
            Some(_) => Ok(certified),
            None => Err(malformed("Cargo.toml", "no `resolver` in [workspace]")),
        }
    }

    /// Returns the tables that are inputs, by name; `inherited` are the names that certified
    /// manifests inherit from `[workspace.dependencies]`.
    pub(super) fn tables<'a>(
        &'a self,
        inherited: impl Iterator<Item = &'a String>,
    ) -> BTreeMap<String, &'a Value> {
        let dependencies = find(&self.0, "workspace.dependencies").and_then(Value::as_table);
        let inherited = inherited.filter_map(|key| {
            let value = dependencies?.get(key)?;
            Some((format!("workspace.dependencies.{key}"), value))
        });
        let fixed =
            TABLES.iter().filter_map(|name| Some(((*name).to_owned(), find(&self.0, name)?)));
        fixed.chain(inherited).collect()
    }

    /// Returns the names of the packages that a certified manifest depends on.
    pub(super) fn package_names(
        &self,
        manifest: &Crate,
    ) -> Result<BTreeSet<String>, CriticalError> {
        let mut names = BTreeSet::new();
        for (key, value) in &manifest.dependencies {
            let is_inherited = manifest.inherited.contains(key);
            let entry = if is_inherited {
                let name = "workspace.dependencies";
                let entry = find(&self.0, name).and_then(|table| table.get(key));
                entry.ok_or_else(|| malformed("Cargo.toml", format!("no {key} in [{name}]")))?
            } else {
                value
            };
            let renamed = entry.get("package").map(|package| {
                package.as_str().ok_or_else(|| malformed("Cargo.toml", format!("{key}: package")))
            });
            names.insert(renamed.transpose()?.unwrap_or(key).to_owned());
        }
        Ok(names)
    }
}

/// The manifest of a certified crate.
#[derive(Debug)]
pub(super) struct Crate {
    /// Everything except development dependencies.
    pub(super) table: Value,
    /// The dependencies of its build, for any target: key and entry.
    dependencies: Vec<(String, Value)>,
    /// The keys of those that it inherits from the workspace.
    pub(super) inherited: BTreeSet<String>,
}

impl Crate {
    pub(super) fn parse(path: &str, name: &str, text: &[u8]) -> Result<Self, CriticalError> {
        let mut table = parse(path, text)?;
        if find(&table, "package.name").and_then(Value::as_str) != Some(name) {
            return Err(malformed(path, format!("not the manifest of a package {name}")));
        }
        let mut manifest = Self {
            table: Value::Boolean(false),
            dependencies: Vec::new(),
            inherited: BTreeSet::new(),
        };
        manifest.take(path, &mut table)?;
        if let Some(targets) = table.get_mut("target") {
            let targets = targets.as_table_mut().ok_or_else(|| malformed(path, "target"))?;
            for (target, value) in targets.iter_mut() {
                let table = value.as_table_mut();
                let table = table.ok_or_else(|| malformed(path, format!("target.{target}")))?;
                manifest.take(path, table)?;
            }
            // A target that had only development dependencies is removed.
            targets.retain(|_, value| value.as_table().is_none_or(|table| !table.is_empty()));
            if targets.is_empty() {
                table.remove("target");
            }
        }
        manifest.table = Value::Table(table);
        Ok(manifest)
    }

    /// Takes the dependencies of one table, and drops those of development.
    fn take(&mut self, path: &str, table: &mut Table) -> Result<(), CriticalError> {
        if let Some(old) = OLD.iter().find(|old| table.contains_key(**old)) {
            return Err(malformed(path, format!("{old}: write it with `-`")));
        }
        table.remove(DEV);
        for kind in BUILT {
            let Some(dependencies) = table.get(kind) else { continue };
            let entries = dependencies.as_table().ok_or_else(|| malformed(path, kind))?;
            for (key, entry) in entries {
                if entry.get("workspace").is_some() {
                    self.inherited.insert(key.clone());
                }
                self.dependencies.push((key.clone(), entry.clone()));
            }
        }
        Ok(())
    }
}

/// Returns the canonical text of a value: JSON on one line, members in the order of their
/// names, and a line feed, as `jq -cS` writes it.
pub(super) fn canonical(path: &str, value: &Value) -> Result<String, CriticalError> {
    let mut out = String::new();
    write(path, value, &mut out)?;
    out.push('\n');
    Ok(out)
}

fn write(path: &str, value: &Value, out: &mut String) -> Result<(), CriticalError> {
    let string = |text: &str| serde_json::Value::from(text).to_string();
    match value {
        Value::String(text) => out.push_str(&string(text)),
        Value::Integer(number) => out.push_str(&number.to_string()),
        Value::Boolean(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { "," });
                write(path, item, out)?;
            }
            out.push(']');
        }
        Value::Table(table) => {
            out.push('{');
            // Sorted here, because the parser may keep another order.
            let sorted: BTreeMap<&String, &Value> = table.iter().collect();
            for (i, (key, value)) in sorted.into_iter().enumerate() {
                out.push_str(if i == 0 { "" } else { "," });
                out.push_str(&string(key));
                out.push(':');
                write(path, value, out)?;
            }
            out.push('}');
        }
        Value::Float(_) | Value::Datetime(_) => {
            return Err(malformed(
                path,
                "a number with a point, or a date: it has no one spelling",
            ));
        }
    }
    Ok(())
}
