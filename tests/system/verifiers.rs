//! The verifiers that share no code with the engine, and the kit of cases between them.
#![allow(clippy::unwrap_used)]

use paigow_testkit::programs;
use paigow_testkit::tools;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use serde_json::Value;
use tools::{root, text};

fn ran(program: impl AsRef<Path>, arguments: &[&str]) -> Output {
    let mut command = tools::command(program);
    command.args(arguments).env("TEST_LAB", programs::lab()).env("TEST_SERVER", programs::server());
    command.env("TEST_PAGE", page()).output().unwrap()
}

/// The folder of the verifier page, as `paigow-lab page` writes it.
fn page() -> &'static Path {
    static PAGE: OnceLock<PathBuf> = OnceLock::new();
    PAGE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verifier-page");
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        text(&tools::command(programs::lab()).arg("page").arg(&folder).output().unwrap());
        folder
    })
}

/// The path of the page's program for the command line.
fn cli() -> &'static str {
    static CLI: OnceLock<PathBuf> = OnceLock::new();
    CLI.get_or_init(|| page().join("cli.mjs")).to_str().unwrap()
}

/// A root that signs no manifest: the key of RFC 8032, test 1.
const ANOTHER: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

#[test]
fn the_python_verifier_answers_every_case_of_the_kit() {
    let said = text(&ran("python3", &["verifiers/conformance/run.py"]));
    assert!(said.contains("10297 cases, 0 wrong, 0 not supported"), "{said}");
}

#[test]
fn the_javascript_verifier_answers_every_case_of_the_kit() {
    let ask = ["verifiers/conformance/run.py", "--ask", "node verifiers/web/tests/conformance.mjs"];
    let said = text(&ran("python3", &ask));
    assert!(said.contains("10297 cases, 0 wrong, 0 not supported"), "{said}");
}

#[test]
fn a_program_that_answers_no_case_of_the_kit_does_not_pass_it() {
    let nothing = r#"python3 -c 'import sys; [print("{\"unsupported\": true}", flush=True) for _ in sys.stdin]'"#;
    let asked =
        ["verifiers/conformance/run.py", "verifiers/conformance/hands.jsonl", "--ask", nothing];
    let allowed = [&asked[..], &["--allow-unsupported"]].concat();
    for (arguments, status) in [(&asked[..], 2), (&allowed[..], 0)] {
        assert_eq!(ran("python3", arguments).status.code(), Some(status), "{arguments:?}");
    }
}

#[test]
fn the_kit_is_what_its_generator_makes_and_the_engine_confirms_it() {
    let said = text(&ran(
        "python3",
        &["verifiers/conformance/generate.py", "--check", "--confirm", programs::lab()],
    ));
    for layer in ["house-ways: 2388 confirmed of 2388", "bonus-rows: 2048 confirmed of 5816"] {
        assert!(said.contains(layer), "{said}");
    }
    for layer in ["records: 505 confirmed of 505", "tampered: 657 confirmed of 657"] {
        assert!(said.contains(layer), "{said}");
    }
}

/// The files of a folder with this ending, sorted.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = fs::read_dir(root().join(folder)).unwrap();
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.to_str().unwrap().ends_with(ending));
    files.sort();
    files
}

/// The figures at the end of a run of Node's tests, of which none failed.
struct Figures(String);

impl Figures {
    fn of(arguments: &[&str]) -> Self {
        Self(text(&ran("node", &[&["--test-reporter=tap"], arguments].concat())))
    }

    /// How many there are of a kind, as `pass` or `skipped`.
    fn count(&self, kind: &str) -> usize {
        let start = format!("# {kind} ");
        let count = self.0.lines().find_map(|line| line.strip_prefix(&start));
        count.unwrap_or_else(|| panic!("{}", self.0)).parse().unwrap()
    }
}

#[test]
fn the_tests_of_the_javascript_verifier_pass() {
    let files = files("verifiers/web/tests", ".test.mjs");
    let names: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    // Among them a hundred forgeries, of which the engine says the same.
    let figures = Figures::of(&[&["--test"], &names[..]].concat());
    assert!(figures.count("pass") > 170);
    assert_eq!(figures.count("skipped"), 0, "{}", figures.0);
}

#[test]
fn the_page_holds_what_it_promises_in_a_real_browser() {
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verifier");
    drop(fs::remove_dir_all(&pictures));
    let figures = Figures::of(&["verifiers/web/tests/browser.mjs", pictures.to_str().unwrap()]);
    let passed = figures.count("pass");
    assert!(passed > 16, "{passed}");
    // Both themes at the width of a desk and of a phone, and every other state of the page.
    assert!(files(pictures.to_str().unwrap(), ".png").len() > 15);
    // A round of the vrf suite right after it was played: nothing is pending.
    assert_eq!(files(pictures.to_str().unwrap(), "/vrf.png").len(), 1);
}

/// The commands of a text's console blocks, each with the lines that it prints.
fn commands(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for block in text.split("```console\n").skip(1) {
        for line in block.split("```").next().unwrap().lines() {
            match line.strip_prefix("$ ") {
                Some(command) => commands.push((command, Vec::new())),
                None => commands.last_mut().unwrap().1.push(line),
            }
        }
    }
    commands
}

#[test]
fn the_commands_of_each_readme_print_what_it_shows() {
    let home = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root().join("verifiers"), home.path().join("verifiers")).unwrap();
    let bin = Path::new(programs::lab()).parent().unwrap().to_owned();
    let theirs = tools::path();
    let path = std::iter::once(bin).chain(std::env::split_paths(&theirs));
    let path = std::env::join_paths(path).unwrap();
    for (product, count) in [("python", 1), ("web", 2), ("conformance", 1)] {
        let readme = root().join("verifiers").join(product).join("README.md");
        let readme = fs::read_to_string(readme).unwrap();
        assert!(readme.lines().count() <= 40, "{product}: one screen");
        let commands = commands(&readme);
        assert_eq!(commands.len(), count, "{product}");
        for (command, shown) in commands {
            let mut shell = tools::command("sh");
            let output = shell.args(["-c", command]).current_dir(home.path()).env("PATH", &path);
            let said = text(&output.output().unwrap());
            let mut said = said.lines();
            let mut skips = false;
            for line in shown {
                if line == "..." {
                    skips = true;
                    continue;
                }
                let found =
                    if skips { said.any(|one| one == line) } else { said.next() == Some(line) };
                assert!(found, "{product}: {command} does not print {line:?} here");
                skips = false;
            }
            assert_eq!(said.next(), None, "{product}: {command}");
        }
    }
}

#[test]
fn a_release_has_verifiers_that_need_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().to_str().unwrap();
    let arguments = ["--verifiers", programs::lab(), root().to_str().unwrap(), out];
    text(&ran("deploy/reproducible-build", &arguments));
    let page = fs::read(home.path().join("verifier.html")).unwrap();
    assert!(page == paigow_verifier_page::single_file());
    let transcript = root().join("verifiers/web/tests/transcripts/mini.jsonl");
    let expected = fs::read(transcript.with_extension("expected.json")).unwrap();
    let expected: Value = serde_json::from_slice(&expected).unwrap();
    let key = expected["rootKeys"][0].as_str().unwrap();
    let terms = terms(key, &expected);
    let expected = told_by(expected.clone());
    for program in [["python3", "python"], ["node", "page/cli.mjs"]] {
        let mut command = tools::command(program[0]);
        command.current_dir(&home).arg(program[1]).arg(&transcript);
        let audit = command.args(&terms).arg("--json").output().unwrap();
        assert_eq!(audit.status.code(), Some(0), "{program:?}");
        assert_eq!(told(&audit), expected, "{program:?}");
    }
    // They are the rule files of the release, and not those of the folder that it was built in.
    fs::remove_dir_all(home.path().join("python/rules/game")).unwrap();
    let mut command = tools::command("python3");
    command.current_dir(&home).arg("python").arg(&transcript).args(["--root", key]);
    assert_eq!(command.output().unwrap().status.code(), Some(2));
}

/// Returns the report of an audit without its sentences, which each verifier words itself: checks
/// and claims have their names and statuses.
fn told(audit: &Output) -> Value {
    told_by(
        serde_json::from_slice(&audit.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&audit.stderr))),
    )
}

/// The same of a report.
fn told_by(mut report: Value) -> Value {
    report.as_object_mut().unwrap().remove("because");
    let mut rounds = report["rounds"].take();
    for part in std::iter::once(&mut report).chain(rounds.as_array_mut().into_iter().flatten()) {
        for one in part["checks"].as_array_mut().unwrap() {
            *one = serde_json::json!([one["code"], one["status"]]);
        }
        for one in part["claims"].as_array_mut().unwrap() {
            *one = serde_json::json!([one["name"], one["status"]]);
        }
    }
    report["rounds"] = rounds;
    report
}

/// A time at which no secret is overdue.
const BEFORE: &str = "1970-01-01T00:00:00Z";

/// Returns the terms of an audit of a file of the repository: the root, the witness that its
/// expected report names, and that time.
fn terms(key: &str, expected: &Value) -> Vec<String> {
    let mut terms = vec!["--root".to_owned(), key.to_owned()];
    for witness in expected["witnessKeys"].as_array().into_iter().flatten() {
        terms.extend(["--witness".to_owned(), witness.as_str().unwrap().to_owned()]);
    }
    terms.extend(["--as-of".to_owned(), BEFORE.to_owned()]);
    terms
}

#[test]
fn engine_python_and_javascript_say_the_same_of_every_transcript_at_hand() {
    let files = files("verifiers/web/tests/transcripts", ".jsonl");
    // One of every ruleset, and others.
    assert!(files.len() > 15, "{}", files.len());
    for file in files {
        let expected = fs::read(file.with_extension("expected.json")).unwrap();
        let expected: Value = serde_json::from_slice(&expected).unwrap();
        let file = file.to_str().unwrap();
        let own = expected["rootKeys"][0].as_str().unwrap().to_owned();
        for key in [own.as_str(), ANOTHER] {
            let terms = terms(key, &expected);
            let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
            let asked = |start: &[&'static str]| [start, &[file, "--json"], &terms[..]].concat();
            let ours = told(&ran(programs::lab(), &asked(&["audit"])));
            assert!(!ours["rounds"].as_array().unwrap().is_empty(), "{file}");
            let expected = told_by(expected.clone());
            // All of them could move together: what was said once is said again.
            assert_eq!(ours == expected, key == own, "{file} by {key}: {ours:#?}");
            assert_eq!(
                ours,
                told(&ran("python3", &asked(&["verifiers/python"]))),
                "Python, {file}"
            );
            assert_eq!(ours, told(&ran("node", &asked(&[cli()]))), "JavaScript, {file}");
        }
    }
}

#[test]
fn a_ruleset_that_the_engine_refuses_is_read_by_no_verifier() {
    let express = root().join("crates/paigow-rules/src/game/rulesets/express.toml");
    let express = fs::read_to_string(express).unwrap();
    for (from, to, status) in [
        ("title = \"Dynasty Bonus\"", "title = \"Dynasty Bonus\"\ntitles = { es = \"Bono\" }", 1),
        (
            "title = \"Dynasty Bonus\"",
            "title = \"Dynasty Bonus\"\ntitles = { Spanish = \"B\" }",
            65,
        ),
        ("id = \"dynasty\"", "id = \"base\"", 65),
        ("id = \"dynasty\"", "id = \"Dynasty\"", 65),
        ("bet = \"envy\"", "bet = \"double_down\"", 65),
        // Hands of other seats are paid by what each of those seats holds.
        ("looks_at = \"seat-hand\"", "looks_at = \"dealer-hand\"", 65),
        ("looks_at = \"seat-hand\"", "looks_at = \"both-hands\"", 65),
    ] {
        assert!(express.contains(from), "{from}");
        let own = express.replacen("id = \"express\"", "id = \"own\"", 1).replacen(from, to, 1);
        assert_every_verifier_ends_with(status, "--ruleset", &own);
    }
}

#[test]
fn a_house_way_that_the_engine_refuses_is_read_by_no_verifier() {
    let shipped = root().join("examples/rules/house-ways/harbour.toml");
    let shipped = fs::read_to_string(shipped).unwrap();
    for (from, to, status) in [
        ("title = \"Harbour", "title = \"Our", 1),
        ("best = [\"straight flush\", \"royal flush\"]\n", "", 65),
        ("front = \"second-highest\"", "front = \"second-and-third\"", 65),
        ("cards = 6", "cards = 7", 65),
        ("cards = 6", "cards = 5", 65),
        ("cards = 6", "cards = 6\ncode = \"mini\"", 65),
    ] {
        assert!(shipped.contains(from), "{from}");
        assert_every_verifier_ends_with(status, "--house-way", &shipped.replacen(from, to, 1));
    }
}

/// Gives each verifier a rules file of an operator's own, beside a transcript that another root signed.
#[track_caller]
fn assert_every_verifier_ends_with(status: i32, option: &str, rules: &str) {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("own.toml");
    fs::write(&file, rules).unwrap();
    let transcript = root().join("verifiers/web/tests/transcripts/mini.jsonl");
    let (file, transcript) = (file.to_str().unwrap(), transcript.to_str().unwrap());
    for (program, start) in verifiers() {
        let given = [&start[..], &[transcript, "--root", ANOTHER, option, file]].concat();
        let told = ran(program, &given);
        let reason = String::from_utf8_lossy(&told.stderr);
        assert_eq!(told.status.code(), Some(status), "{program} {option}: {reason}\n{rules}");
    }
}

/// The command of each verifier.
fn verifiers() -> [(&'static str, Vec<&'static str>); 3] {
    [(programs::lab(), vec!["audit"]), ("python3", vec!["verifiers/python"]), ("node", vec![cli()])]
}

#[test]
fn what_could_not_be_audited_is_no_verdict() {
    for (program, start) in verifiers() {
        let absent = ["no-such-file", "--root", ANOTHER];
        let no_rules = ["README.md", "--root", ANOTHER, "--ruleset", "README.md"];
        let no_key = ["README.md", "--root", "00"];
        let trusted = ["README.md", "--root", ANOTHER];
        let wrong: [&[&str]; 6] = [
            &["--witness", "00"],
            &["--manifest", "00"],
            &["--after", ANOTHER],
            &["--as-of", "yesterday"],
            &["--my-seat", "8"],
            &["--require", "everything"],
        ];
        let wrong: Vec<Vec<&str>> =
            wrong.iter().map(|rest| [&trusted[..], rest].concat()).collect();
        let no_copy = ["README.md", "--root", ANOTHER, "--log-copy", "README.md"];
        let no_file = ["README.md", "--root", ANOTHER, "--log-copy", "no-such-file"];
        let others = [
            (&[][..], 64),
            (&no_key[..], 64),
            (&no_rules[..], 65),
            (&no_copy[..], 65),
            (&absent[..], 66),
            (&no_file[..], 66),
        ];
        let wrong = wrong.iter().map(|rest| (rest.as_slice(), 64));
        for (rest, status) in others.into_iter().chain(wrong) {
            let output = ran(program, &[&start[..], rest].concat());
            assert_eq!(output.status.code(), Some(status), "{program} {rest:?}");
        }
    }
}

#[test]
fn every_verifier_refuses_a_copy_of_a_log_that_is_not_of_its_checkpoint() {
    let kit = fs::read_to_string(root().join("verifiers/conformance/records.jsonl")).unwrap();
    let about = "copy of the log: everything of the file that a log takes";
    let case = kit.lines().find(|line| line.contains(about)).unwrap();
    let case: Value = serde_json::from_str(case).unwrap();
    let input = &case["input"];
    let text_of = |value: &Value| value.as_str().unwrap().to_owned();
    let copy = text_of(&input["log_copies"][0]);
    let lines: Vec<&str> = copy.lines().collect();
    let signature = format!(r#""signatures":[{{"keyid":"","sig":"{}=="}}]"#, "A".repeat(86));
    let signed = lines[1].replace(r#""signatures":[]"#, &signature);
    let spaced = lines[0].replace(',', ", ");
    let copies: [(Vec<&str>, i32); 7] = [
        (lines.clone(), 0),
        (lines[1..].to_vec(), 65),
        (lines[..lines.len() - 1].to_vec(), 65),
        ([&[lines[0], lines[2], lines[1]], &lines[3..]].concat(), 65),
        ([&[lines[0], &signed], &lines[2..]].concat(), 65),
        ([&[lines[0], "\"zz\""], &lines[2..]].concat(), 65),
        ([&[spaced.as_str()], &lines[1..]].concat(), 65),
    ];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("copies-of-a-log");
    fs::create_dir_all(&folder).unwrap();
    let (transcript, copied) = (folder.join("rounds.jsonl"), folder.join("copy.jsonl"));
    let records = input["transcript"].as_array().unwrap().iter().map(|line| text_of(line) + "\n");
    fs::write(&transcript, records.collect::<String>()).unwrap();
    let (key, witness) = (text_of(&input["root_keys"][0]), text_of(&input["witnesses"][0]));
    for (lines, status) in copies {
        fs::write(&copied, lines.join("\n")).unwrap();
        for (program, start) in verifiers() {
            let (file, copied) = (transcript.to_str().unwrap(), copied.to_str().unwrap());
            let claim = "nothing_left_out_of_log";
            let terms = ["--witness", &witness, "--log-copy", copied, "--require", claim];
            let asked = [&start[..], &[file, "--root", &key], &terms].concat();
            let code = ran(program, &asked).status.code();
            assert_eq!(code, Some(status), "{program}: {lines:?}");
        }
    }
}

#[test]
fn engine_python_and_javascript_agree_on_random_rounds_of_every_ruleset_and_policy() {
    let python = root().join("target/tools/bin/python");
    assert!(python.exists(), "no client libraries yet: `tests/run` installs them");
    // 102 rounds under each of twenty-seven rulesets, for six tenants in all; the long form has 2,400.
    let arguments = [
        "tests/agree/agree.py",
        "--server",
        programs::server(),
        "--lab",
        programs::lab(),
        "--rounds",
        "17",
    ];
    let said = text(&ran(python, &arguments));
    assert!(said.starts_with("2754 rounds in 162 transcripts, "), "{said}");
    assert!(said.contains("engine, Python and JavaScript agree on every check"), "{said}");
}

#[test]
fn engine_python_and_javascript_say_the_same_of_mutated_transcripts() {
    // Another seed each time, which is printed; the long form has 100,000.
    let count = "1000";
    let arguments = ["verifiers/conformance/mutate.py", "--lab", programs::lab(), "--count", count];
    let said = text(&ran("python3", &arguments));
    assert!(said.starts_with("seed "), "{said}");
    assert!(said.contains("\n1000 transcripts: "), "{said}");
    assert!(said.ends_with("engine, Python and JavaScript agree on every one\n"), "{said}");
}

#[test]
fn an_operator_with_every_key_gains_by_no_choice_that_is_not_refused_or_named() {
    let arguments = ["verifiers/conformance/attacks.py", "--lab", programs::lab()];
    let said = text(&ran("python3", &arguments));
    // Thirty attacks, each with what it gains, and what three verifiers say of its records.
    assert_eq!(said.matches(" without the choice\n").count(), 30, "{said}");
    let refused = said.matches(": VERDICT_MISMATCH MANIFEST_RULES ").count();
    assert_eq!(refused, 3 * 8, "{said}");
}
