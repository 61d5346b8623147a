//! One version everywhere, which is the version of the newest heading of the changelog.

use crate::docs::read;

/// The version of the product.
const VERSION: &str = env!("CARGO_PKG_VERSION");

#[test]
fn every_package_of_the_workspace_has_the_version() {
    let lock: toml::Table = read("Cargo.lock").parse().unwrap();
    let packages = lock["package"].as_array().unwrap();
    let ours: Vec<(&str, &str)> = packages
        .iter()
        .map(|package| (package["name"].as_str().unwrap(), package["version"].as_str().unwrap()))
        .filter(|(name, _)| *name == "paigow" || name.starts_with("paigow-"))
        .collect();
    assert!(ours.len() >= 19, "{ours:?}");
    assert!(ours.iter().all(|(_, version)| *version == VERSION), "{ours:?}");
    // A crate that is packaged names the version of the others.
    let workspace: toml::Table = read("Cargo.toml").parse().unwrap();
    for (name, dependency) in workspace["workspace"]["dependencies"].as_table().unwrap() {
        let version = dependency.get("version").and_then(toml::Value::as_str);
        assert!(!name.starts_with("paigow") || version.is_none_or(|v| v == VERSION), "{name}");
    }
}

#[test]
fn clients_chart_and_manifests_have_the_version() {
    // Each line that starts so ends with the version.
    let lines = [
        ("clients/python/pyproject.toml", "version = ", 1),
        ("clients/typescript/package.json", "\"version\": ", 1),
        ("clients/typescript/README.md", "$ npm install paigow-client-", 1),
        ("deploy/helm/paigow/Chart.yaml", "version: ", 1),
        ("deploy/helm/paigow/Chart.yaml", "appVersion: ", 1),
        ("deploy/compose/compose.yaml", "image: paigow:", 1),
        ("deploy/k8s/base/kustomization.yaml", "newTag: ", 1),
        ("deploy/k8s/overlays/audits/kustomization.yaml", "newTag: ", 1),
        ("deploy/k8s/overlays/prod/kustomization.yaml", "newTag: ", 1),
        ("deploy/k8s/overlays/simulations/kustomization.yaml", "newTag: ", 1),
    ];
    for (path, start, count) in lines {
        let text = read(path);
        let found: Vec<&str> =
            text.lines().filter_map(|line| line.trim().strip_prefix(start)).collect();
        assert_eq!(found.len(), count, "{path}: {start}");
        let version = |line: &str| {
            line.trim_end_matches(',').trim_matches('"').trim_end_matches(".tgz").to_owned()
        };
        assert!(found.iter().all(|line| version(line) == VERSION), "{path}: {found:?}");
    }
}

#[test]
fn the_newest_version_of_the_changelog_is_this_one() {
    let changelog = read("CHANGELOG.md");
    let headings: Vec<&str> =
        changelog.lines().filter_map(|line| line.strip_prefix("## [")).collect();
    assert_eq!(headings[0], "Unreleased]");
    let (version, date) = headings[1].split_once("] - ").unwrap();
    assert_eq!(version, VERSION);
    let digits = |part: &str| part.chars().all(|c| c.is_ascii_digit());
    let lengths: Vec<usize> = date.split('-').filter(|part| digits(part)).map(str::len).collect();
    assert_eq!(lengths, [4, 2, 2], "{date}");
    let versions = changelog.split("\n## [").skip(2);
    for entry in versions {
        assert!(entry.contains("\n### Outcomes\n"), "{entry}");
    }
}
