//! The names of the files: `<boot>-<number, 6 digits>.jsonl`.

use super::entry::Boot;

/// Returns the name of the file with this number, from 1.
pub(super) fn file_name(boot: &str, number: u32) -> String {
    format!("{boot}-{number:06}.jsonl")
}

/// Reads the name of a file: its boot and its number.
pub(super) fn parse_name(name: &str) -> Option<(&str, u32)> {
    let (boot, number) = name.strip_suffix(".jsonl")?.rsplit_once('-')?;
    let digits = number.len() >= 6 && number.bytes().all(|b| b.is_ascii_digit());
    (digits && Boot::is_id(boot)).then_some(())?;
    Some((boot, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_back_and_nothing_else_is_one() {
        let boot = "1800000000-0123456789abcdef";
        for number in [1, 999_999, 1_000_000] {
            assert_eq!(parse_name(&file_name(boot, number)), Some((boot, number)));
        }
        assert_eq!(file_name(boot, 7), "1800000000-0123456789abcdef-000007.jsonl");
        for other in ["1800000000-0123456789abcdef.jsonl", "x-000001.jsonl", "manifests.jsonl"] {
            assert_eq!(parse_name(other), None, "{other}");
        }
    }
}
