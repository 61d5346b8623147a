//! The messages that a source file can produce, so that a test can check that a table of refusals has
//! a row for each.

/// Returns the parts of the messages in a Rust source: every string literal with a space,
/// cut at its placeholders. Parts of less than eight letters are left out, as they say too little.
pub fn messages(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let code: Vec<&str> =
        source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let mut rest = code.chars().peekable();
    while let Some(next) = rest.next() {
        if next != '"' {
            continue;
        }
        let mut literal = String::new();
        while let Some(next) = rest.next() {
            match next {
                '"' => break,
                '\\' => match rest.next() {
                    // A literal that goes on in the next line, without its indentation.
                    Some('\n') => while rest.next_if(|next| next.is_whitespace()).is_some() {},
                    Some(escaped) => literal.push(escaped),
                    None => {}
                },
                _ => literal.push(next),
            }
        }
        if !literal.contains(' ') {
            continue;
        }
        let parts = literal.split('{').enumerate().map(|(i, part)| match part.split_once('}') {
            Some((_, after)) if i > 0 => after,
            Some(_) | None => part,
        });
        found.extend(parts.filter(|part| part.len() >= 8).map(str::to_owned));
    }
    found
}
