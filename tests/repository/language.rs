//! The language of pages and comments: the patterns of hard sentences that a program can find.

use std::fmt::Write as _;
use std::path::Path;

use crate::docs::{files, root};

/// Pages whose sentences have at most 25 words: the first that a reader opens.
const FIRST_PAGES: [&str; 6] = [
    "README.md",
    "docs/integrate/first-locked-round.md",
    "docs/integrate/first-round.md",
    "docs/operate/first-deployment.md",
    "docs/verify/first-audit.md",
    "docs/write-rules/first-ruleset.md",
];

/// The most words of a sentence on a first page, and on another page.
const MOST_WORDS: (usize, usize) = (25, 30);

/// Pages that may be longer than 400 lines: the protocol, and the help of the programs.
const LONG_PAGES: [&str; 2] = ["docs/commands.md", "docs/protocol/protocol.md"];

/// Folders with the text of others, or with files whose hash is in records.
const FOREIGN: [&str; 3] =
    ["verifiers/web/vendor", "crates/paigow-rules/src/game/rulesets", "examples/rules"];

/// Words that begin a clause without a noun. Only a question begins with them.
const HEADLESS: [&str; 5] = ["Who", "Whoever", "Whose", "What", "Whatever"];

/// Phrases with a plainer word: falls back, waits, decides, except for, also.
const PRIVATE: [&str; 9] = [
    " at hand",
    " hang on",
    " hangs on",
    " goes without",
    " is let in",
    " stands in for",
    " but for",
    " besides.",
    " besides,",
];

/// A block of prose and the line on which it begins.
struct Prose {
    line: usize,
    text: String,
}

/// Collects the lines of blocks.
#[derive(Default)]
struct Blocks {
    found: Vec<Prose>,
    is_open: bool,
}

impl Blocks {
    fn add(&mut self, line: usize, text: &str, begins: bool) {
        match self.found.last_mut() {
            Some(last) if self.is_open && !begins => write!(last.text, " {text}").unwrap(),
            _ => self.found.push(Prose { line, text: text.to_owned() }),
        }
        self.is_open = true;
    }

    fn end(&mut self) {
        self.is_open = false;
    }
}

/// Returns the paragraphs and the items of lists of a page. Code, tables and headings are left out.
fn paragraphs(text: &str) -> Vec<Prose> {
    let (mut blocks, mut is_code) = (Blocks::default(), false);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        let is_prose = !line.is_empty() && !line.starts_with(['|', '#', '<', '!']);
        if is_code || is_fence || !is_prose {
            blocks.end();
            continue;
        }
        let digits = line.trim_start_matches(|one: char| one.is_ascii_digit());
        let item = line.strip_prefix("- ").or_else(|| digits.strip_prefix(". "));
        blocks.add(number, item.unwrap_or(line), item.is_some());
    }
    blocks.found
}

/// Returns the blocks of comments of a program. `mark` begins a comment.
fn comments(text: &str, mark: &str) -> Vec<Prose> {
    let (mut blocks, mut is_code) = (Blocks::default(), false);
    for (number, line) in (1..).zip(text.lines()) {
        let comment = line.trim().strip_prefix(mark);
        let comment = comment.map(|rest| rest.trim_start_matches(['/', '!', '#']).trim());
        let Some(comment) = comment.filter(|comment| !comment.is_empty()) else {
            blocks.end();
            continue;
        };
        let is_fence = comment.starts_with("```");
        is_code ^= is_fence;
        if is_code || is_fence {
            blocks.end();
        } else {
            let item = comment.strip_prefix("- ");
            blocks.add(number, item.unwrap_or(comment), item.is_some());
        }
    }
    blocks.found
}

/// Returns the sentences of a block. A text in backticks is one word, and so is a link.
fn sentences(text: &str) -> Vec<String> {
    let mut plain = String::new();
    for (at, part) in text.split('`').enumerate() {
        plain.push_str(if at % 2 == 0 { part } else { "CODE" });
    }
    // The address of a link is no word.
    while let Some(from) = plain.find("](") {
        let Some(to) = plain[from..].find(')') else { break };
        plain.replace_range(from..=from + to, "");
    }
    let mut found = vec![String::new()];
    for word in plain.split_whitespace() {
        let last = found.last_mut().unwrap();
        let ends = last.trim_end_matches('"').ends_with(['.', '!', '?', ':']);
        if ends
            && !last.ends_with("e.g.")
            && word.starts_with(|one: char| one.is_uppercase() || "[*\"".contains(one))
        {
            found.push(word.to_owned());
        } else {
            write!(last, "{}{word}", if last.is_empty() { "" } else { " " }).unwrap();
        }
    }
    found
}

/// Returns what is hard in a sentence, if a program can find it.
fn fault(sentence: &str) -> Option<String> {
    let first = sentence.split_whitespace().next().unwrap_or_default();
    if HEADLESS.contains(&first) && !sentence.ends_with('?') {
        return Some(format!("it begins with the noun clause {first}"));
    }
    let is_whole = |rest: &str| !rest.starts_with(|one: char| one.is_alphanumeric());
    let has = |phrase: &str| sentence.split(phrase).skip(1).any(is_whole);
    let phrase = PRIVATE.iter().find(|phrase| has(phrase));
    phrase.map(|phrase| format!("a plainer word than \"{}\"", phrase.trim()))
}

fn word_count(sentence: &str) -> usize {
    // A list of texts in backticks counts as its last.
    let is_word = |word: &&str| word.contains(char::is_alphanumeric) && *word != "CODE,";
    sentence.split_whitespace().filter(is_word).count()
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned()
}

fn texts(extensions: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    files(root(), extensions, &mut found);
    let read = |path: &std::path::PathBuf| (relative(path), std::fs::read_to_string(path).unwrap());
    let texts = found.iter().map(read);
    texts.filter(|(path, _)| !FOREIGN.iter().any(|folder| path.starts_with(folder))).collect()
}

#[test]
fn no_sentence_of_a_page_is_hard_or_long() {
    let mut found = String::new();
    for (page, text) in texts(&["md"]) {
        let most = if FIRST_PAGES.contains(&&*page) { MOST_WORDS.0 } else { MOST_WORDS.1 };
        for block in paragraphs(&text) {
            for sentence in sentences(&block.text) {
                let words = word_count(&sentence);
                let long = (words > most).then(|| format!("{words} words, at most {most}"));
                if let Some(what) = fault(&sentence).or(long) {
                    writeln!(found, "{page}:{}: {what}: {sentence}", block.line).unwrap();
                }
            }
        }
    }
    assert!(found.is_empty(), "{found}");
}

#[test]
fn no_comment_is_written_as_a_riddle() {
    let mut found = String::new();
    let marks = [("rs", "//"), ("proto", "//"), ("js", "//"), ("mjs", "//"), ("ts", "//")];
    let hashes = [("py", "#"), ("toml", "#"), ("yaml", "#"), ("yml", "#")];
    for (extension, mark) in marks.into_iter().chain(hashes) {
        for (path, text) in texts(&[extension]) {
            for block in comments(&text, mark) {
                for sentence in sentences(&block.text) {
                    if let Some(what) = fault(&sentence) {
                        writeln!(found, "{path}:{}: {what}: {sentence}", block.line).unwrap();
                    }
                }
            }
        }
    }
    assert!(found.is_empty(), "{found}");
}

#[test]
fn readme_and_chapters_are_short() {
    for (page, text) in texts(&["md"]) {
        let most = match &*page {
            "README.md" => 250,
            page if LONG_PAGES.contains(&page) => usize::MAX,
            _ => 400,
        };
        let lines = text.lines().count();
        assert!(lines <= most, "{page}: {lines} lines, at most {most}");
    }
    for page in FIRST_PAGES {
        assert!(root().join(page).exists(), "{page}");
    }
}

#[test]
fn hard_sentences_are_found() {
    let hard = [
        "Who has the key recomputes everything.",
        "What the caller asks for besides, the manifest states.",
        "Whoever hangs up is nobody's fault.",
        "The rest hangs on the caller.",
        "All others but for one are listed.",
    ];
    let plain = [
        "Who signs a record?",
        "A caller that has the key recomputes everything.",
        "The error says what was wrong.",
    ];
    assert!(hard.iter().all(|sentence| fault(sentence).is_some()));
    assert!(plain.iter().all(|sentence| fault(sentence).is_none()));
    let block = "The `a b c` is [one word](https://example.com/a/b). Then: It ends.";
    assert_eq!(sentences(block), ["The CODE is [one word.", "Then:", "It ends."]);
    assert_eq!(word_count("The CODE is [one word."), 5);
    let page = "# What it is\n\nOne\ntwo.\n\n- Three.\n- Four.\n\n```\nWho\n```\n\n| Who |\n";
    let read: Vec<String> = paragraphs(page).into_iter().map(|block| block.text).collect();
    assert_eq!(read, ["One two.", "Three.", "Four."]);
    let code = "let a = 1;\n/// One\n/// two.\n///\n/// Three.\nfn b() {} // Who\n";
    let read: Vec<String> = comments(code, "//").into_iter().map(|block| block.text).collect();
    assert_eq!(read, ["One two.", "Three."]);
}
