//! Headings, tables, code spans and links of a Markdown text.

use crate::docs::read;

/// A text without its blocks of code.
pub(crate) fn prose(text: &str) -> String {
    text.split("\n```").step_by(2).collect::<Vec<_>>().join("\n")
}

/// Returns the texts between single backticks.
pub(crate) fn quoted(text: &str) -> Vec<String> {
    prose(text).split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The sections of a chapter: heading and text.
pub(crate) fn sections(text: &str) -> Vec<(String, String)> {
    let mut sections = vec![(String::new(), String::new())];
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        match line.strip_prefix('#').filter(|_| !is_code) {
            Some(heading) => {
                let heading = heading.trim_start_matches('#').trim().to_owned();
                sections.push((heading, String::new()));
            }
            None => {
                let (_, text) = sections.last_mut().unwrap();
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    sections
}

/// The rows of the tables in a text, without their headers.
pub(crate) fn rows(text: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| {
        let line = line.trim_matches('|').replace("\\|", "/");
        line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()
    };
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
    let is_rule = |line: &str| line.starts_with("|--") || line.starts_with("| --");
    let header = |at: usize| lines.get(at + 1).is_some_and(|next| is_rule(next));
    (0..lines.len())
        .filter(|at| !header(*at) && !is_rule(lines[*at]))
        .map(|at| cells(lines[at]))
        .collect()
}

/// The table below a heading of a page.
pub(crate) fn table(page: &str, heading: &str) -> Vec<Vec<String>> {
    let found = sections(&read(page)).into_iter().find(|(name, _)| name == heading);
    rows(&found.unwrap_or_else(|| panic!("no section {heading}")).1)
}

pub(crate) fn first_cells(rows: &[Vec<String>]) -> Vec<String> {
    rows.iter().map(|row| row[0].trim_matches('`').to_owned()).collect()
}

/// A link of a text: what it shows, and where it leads.
pub(crate) struct Link {
    pub(crate) label: String,
    pub(crate) target: String,
}

/// Returns the links of a text, those of its definitions (`[name]: target`) included.
pub(crate) fn links(text: &str) -> Vec<Link> {
    let text = prose(text);
    let mut links = Vec::new();
    for (at, _) in text.match_indices("](") {
        let target = text[at + 2..].split(')').next().unwrap_or_default();
        let label = text[..at].rsplit('[').next().unwrap_or_default();
        links.push(Link { label: label.to_owned(), target: target.to_owned() });
    }
    for line in text.lines().filter(|line| line.starts_with('[')) {
        if let Some((label, target)) = line[1..].split_once("]: ") {
            links.push(Link { label: label.to_owned(), target: target.trim().to_owned() });
        }
    }
    links
}

/// Returns the anchors that GitHub gives the headings of a text.
pub(crate) fn anchors(text: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for (heading, _) in sections(text).iter().skip(1) {
        // A link in a heading counts with its label alone.
        let mut shown = String::new();
        for (at, part) in heading.split("](").enumerate() {
            let part = if at == 0 { part } else { part.split_once(')').map_or("", |p| p.1) };
            shown.push_str(part);
        }
        let slug: String = shown
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
            .map(|c| if c == ' ' { "-".to_owned() } else { c.to_lowercase().to_string() })
            .collect();
        let mut anchor = slug.clone();
        for number in 1.. {
            if !anchors.contains(&anchor) {
                break;
            }
            anchor = format!("{slug}-{number}");
        }
        anchors.push(anchor);
    }
    anchors
}
