//! Commands and the worked example of the documentation against the programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use crate::docs::{book, read, root};

#[test]
fn the_worked_example_is_the_published_round() {
    let vectors: serde_json::Value =
        serde_json::from_str(&read("tests/vectors/fairness.json")).unwrap();
    let round = &vectors["rounds"][0]["out"];
    let page = read("docs/protocol/in-short.md");
    for member in ["round_id", "server_seed", "round_seed", "deck_commit"] {
        let value = round[member].as_str().unwrap();
        assert!(page.contains(&format!("{value}\n")), "{member}");
    }
    assert!(page.contains(&round["deck_cards"].as_str().unwrap()[..74]));
}

#[test]
fn the_readme_shows_an_excerpt_of_the_first_round() {
    let (readme, first_round) = (read("README.md"), read("docs/integrate/first-round.md"));
    let whole: BTreeSet<&str> = first_round.lines().collect();
    let blocks = readme.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let shown: Vec<&str> = blocks.flat_map(str::lines).collect();
    assert!(shown.len() > 40, "{} lines", shown.len());
    for line in shown {
        assert!(whole.contains(line), "the first round has no line {line}");
    }
}

/// Ends the words of a command.
const ENDS: [&str; 9] = ["|", ";", "&", "&&", ">", ">>", "<", "2>", "2>&1"];

/// A call of one of the programs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Invocation {
    program: &'static str,
    subcommands: Vec<String>,
    flags: Vec<String>,
}

/// Returns the calls of the programs in the console blocks of a text.
fn invocations(text: &str) -> Vec<Invocation> {
    let blocks = text.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let joined =
        |block: &str| block.replace("\\\n> ", " ").replace("\\\n", " ").replace(';', " ; ");
    blocks.flat_map(|block| joined(block).lines().flat_map(of_line).collect::<Vec<_>>()).collect()
}

fn of_line(line: &str) -> Vec<Invocation> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let program_at = |at: usize| {
        // Behind another flag it is a file.
        let is_value = at > 0 && words[at - 1].starts_with("--") && words[at - 1] != "--bin";
        let name = words[at].rsplit(['/', '(']).next().unwrap_or_default();
        let program = ["paigow-lab", "paigow-keys", "paigow-witness", "paigow-server"]
            .into_iter()
            .find(|program| *program == name);
        program.filter(|_| !is_value)
    };
    let invocation = |at: usize, program: &'static str| {
        let own = words[at + 1..].iter().skip_while(|word| **word == "--");
        let own: Vec<&str> = own.take_while(|word| !ENDS.contains(word)).copied().collect();
        let depth = match (program, &own[..]) {
            ("paigow-server" | "paigow-witness", _) | (_, []) => 0,
            ("paigow-keys", ["manifest", ..]) => 2,
            ("paigow-lab", ["sink" | "release" | "rng" | "admin", ..]) => 2,
            _ => 1,
        };
        let flags = own.iter().filter(|word| word.starts_with("--"));
        Invocation {
            program,
            subcommands: own[..depth].iter().map(|&word| word.to_owned()).collect(),
            flags: flags.map(|flag| flag.split('=').next().unwrap().to_owned()).collect(),
        }
    };
    (0..words.len())
        .filter_map(|at| program_at(at).map(|program| invocation(at, program)))
        .collect()
}

/// Returns the help of a program's command.
pub(super) fn help(program: &str, subcommands: &[String]) -> String {
    let path = match program {
        "paigow-lab" => paigow_testkit::programs::lab(),
        "paigow-keys" => paigow_testkit::programs::keys(),
        "paigow-witness" => paigow_testkit::programs::witness(),
        "paigow-log" => paigow_testkit::programs::log(),
        "paigow-log-witness" => paigow_testkit::programs::log_witness(),
        "paigow-pkcs11" => paigow_testkit::programs::pkcs11(),
        _ => paigow_testkit::programs::server(),
    };
    let help = Command::new(path).args(subcommands).arg("--help").output().unwrap();
    assert!(help.status.success(), "{program} {}", subcommands.join(" "));
    String::from_utf8(help.stdout).unwrap()
}

#[test]
fn the_commands_that_the_pages_show_exist_with_their_flags() {
    let mut shown: BTreeMap<(&str, Vec<String>), BTreeSet<String>> = BTreeMap::new();
    let mut count = 0;
    for page in book() {
        for call in invocations(&read(&page)) {
            count += 1;
            shown.entry((call.program, call.subcommands)).or_default().extend(call.flags);
        }
    }
    assert!(count > 60, "{count} commands");
    for command in ["play", "audit", "judge", "rules", "sink", "release", "par", "rng"] {
        let is_shown = shown.keys().any(|(_, words)| words.first().is_some_and(|w| w == command));
        assert!(is_shown, "no block shows paigow-lab {command}");
    }
    // Pages describe these in their text alone.
    for command in ["set", "replay", "house-way", "replay-all", "simulate", "base-game"] {
        help("paigow-lab", &[command.to_owned()]);
    }
    assert!(shown[&("paigow-server", Vec::new())].contains("--config"));
    for ((program, subcommands), flags) in &shown {
        let help = help(program, subcommands);
        let known: BTreeSet<&str> =
            help.split_whitespace().map(|word| word.trim_end_matches([',', '.', ']'])).collect();
        for flag in flags {
            assert!(
                known.contains(flag.as_str()),
                "{program} {} has no {flag}",
                subcommands.join(" ")
            );
        }
    }
}

#[test]
fn commands_are_found_wherever_a_line_has_them() {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let call = |program, subcommands: &[&str], flags: &[&str]| Invocation {
        program,
        subcommands: words(subcommands),
        flags: words(flags),
    };
    let text = "```console\n$ for x in a; do dist/paigow-keys root --out $x; done --no > file\n\
                $ paigow-lab release make --binary dist/paigow-lab \\\n    --prev last | cat --not\n\
                $ cargo run --bin paigow-lab -- play --rounds=3\npaigow-lab: fails\n\
                $ A=b paigow-server --config c & echo --no\n```\n";
    let expected = [
        call("paigow-keys", &["root"], &["--out"]),
        call("paigow-lab", &["release", "make"], &["--binary", "--prev"]),
        call("paigow-lab", &["play"], &["--rounds"]),
        call("paigow-server", &[], &["--config"]),
    ];
    assert_eq!(invocations(text), expected);
}

/// The targets of Cargo that the pages name, by the flag that names them.
#[test]
fn the_targets_of_cargo_that_the_pages_name_exist() {
    let mut count = 0;
    for page in book() {
        let text = read(&page);
        for line in text.split(['\n', '`']).filter(|line| line.contains("cargo ")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            for pair in words.windows(2) {
                let [flag, name] = pair else { continue };
                let (folder, manifest_key) = match *flag {
                    "--test" => ("tests", "[[test]]"),
                    "--bench" => ("benches", "[[bench]]"),
                    "--example" => ("examples", "[[example]]"),
                    _ => continue,
                };
                let crates = fs::read_dir(root().join("crates")).unwrap();
                let mut packages =
                    crates.map(|entry| entry.unwrap().path()).chain([root().to_owned()]);
                let is_file = packages.any(|package| {
                    let place = package.join(folder).join(name);
                    place.with_extension("rs").exists() || place.join("main.rs").exists()
                });
                let manifest = read("Cargo.toml");
                let mut tables = manifest.split(manifest_key).skip(1);
                let is_declared = tables.any(|table| table.contains(&format!("name = \"{name}\"")));
                assert!(is_file || is_declared, "{page}: {flag} {name}");
                count += 1;
            }
        }
    }
    assert!(count > 8, "{count} targets");
}
