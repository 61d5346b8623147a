//! Canonical JSON, written by hand (PGE-FAIR-1, section 6.2).
//!
//! RFC 8785 restricted to objects, arrays, printable-ASCII strings, booleans and
//! integers from 0 to 2^53 - 1: sorted keys, no spaces, and only `"` and `\` escaped.
//! No floats, no null. A library's map may stop being sorted when some dependency
//! turns a feature on, and then every signature changes; this one cannot.

use std::collections::BTreeMap;

/// The largest integer of canonical JSON.
const MAX_INTEGER: u64 = (1 << 53) - 1;
/// How deep a value may nest; records nest six deep.
const MAX_DEPTH: usize = 16;

/// A JSON value of the restricted profile.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Json {
    /// `true` or `false`.
    Bool(bool),
    /// An integer, 0 to 2^53 - 1.
    Int(u64),
    /// A string; canonical only if it is printable ASCII.
    Str(String),
    /// An array.
    Arr(Vec<Self>),
    /// An object, its members sorted by key.
    Obj(BTreeMap<String, Self>),
}

/// Text that is no JSON of this profile; `at` is the offset in bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("not JSON of the record profile: {what}, at byte {at}")]
pub struct ParseJsonError {
    /// What is wrong.
    pub what: &'static str,
    /// Where, as an offset in bytes.
    pub at: usize,
}

impl Json {
    /// Makes a string.
    pub fn str(text: impl ToString) -> Self {
        Self::Str(text.to_string())
    }

    /// Makes an object from its members, in any order.
    #[must_use]
    pub fn obj<const N: usize>(members: [(&str, Self); N]) -> Self {
        Self::Obj(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// Makes an array.
    pub fn arr(items: impl IntoIterator<Item = Self>) -> Self {
        Self::Arr(items.into_iter().collect())
    }

    /// Adds a member if there is a value for it: absent is absent, never null.
    ///
    /// # Panics
    ///
    /// If `self` is no object.
    #[must_use]
    pub fn with(mut self, key: &str, value: Option<Self>) -> Self {
        let Self::Obj(members) = &mut self else { panic!("only objects have members") };
        if let Some(value) = value {
            members.insert(key.to_owned(), value);
        }
        self
    }

    /// Returns the canonical bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Bool(true) => out.extend_from_slice(b"true"),
            Self::Bool(false) => out.extend_from_slice(b"false"),
            Self::Int(n) => out.extend_from_slice(n.to_string().as_bytes()),
            Self::Str(text) => write_string(text, out),
            Self::Arr(items) => {
                out.push(b'[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push(b',');
                    }
                    item.write(out);
                }
                out.push(b']');
            }
            Self::Obj(members) => {
                out.push(b'{');
                for (i, (key, value)) in members.iter().enumerate() {
                    if i > 0 {
                        out.push(b',');
                    }
                    write_string(key, out);
                    out.push(b':');
                    value.write(out);
                }
                out.push(b'}');
            }
        }
    }

    /// Reads canonical bytes.
    ///
    /// # Errors
    ///
    /// If the bytes are not exactly what [`Json::to_bytes`] writes for some value.
    pub fn parse_canonical(bytes: &[u8]) -> Result<Self, ParseJsonError> {
        let value = Self::parse(bytes)?;
        let printable = |b: &u8| (0x20..0x7f).contains(b);
        if let Some(at) = bytes.iter().position(|b| !printable(b)) {
            return Err(ParseJsonError { what: "a character outside printable ASCII", at });
        }
        let canonical = value.to_bytes();
        if canonical != bytes {
            let at = canonical.iter().zip(bytes).take_while(|(a, b)| a == b).count();
            return Err(ParseJsonError { what: "not in canonical form", at });
        }
        Ok(value)
    }

    /// Reads JSON in any spelling: white space, member order and escapes are free,
    /// duplicate keys, floats, negative numbers and null are refused.
    ///
    /// # Errors
    ///
    /// If the bytes are no JSON of the profile.
    pub fn parse(bytes: &[u8]) -> Result<Self, ParseJsonError> {
        let mut reader = Reader { bytes, at: 0 };
        let value = reader.value(0)?;
        reader.space();
        if reader.at < bytes.len() {
            return Err(reader.fail("something after the value"));
        }
        Ok(value)
    }
}

fn write_string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = text.as_bytes();
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'"' | b'\\')) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(&[b'\\', rest[at]]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    const fn fail(&self, what: &'static str) -> ParseJsonError {
        ParseJsonError { what, at: self.at }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8, what: &'static str) -> Result<(), ParseJsonError> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.fail(what))
        }
    }

    fn word(&mut self, word: &'static str, value: Json) -> Result<Json, ParseJsonError> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else {
            Err(self.fail("not a value"))
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json, ParseJsonError> {
        if depth > MAX_DEPTH {
            return Err(self.fail("nested too deep"));
        }
        self.space();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Json::Str),
            Some(b'0'..=b'9') => self.integer(),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(_) => Err(self.fail("not a value (null, floats and negative numbers are none)")),
            None => Err(self.fail("the text ends early")),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, ParseJsonError> {
        self.take(b'{', "no object")?;
        let mut members = BTreeMap::new();
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Json::Obj(members));
        }
        loop {
            self.space();
            let key = self.string()?;
            self.space();
            self.take(b':', "no colon after a key")?;
            let value = self.value(depth + 1)?;
            if members.insert(key, value).is_some() {
                return Err(self.fail("a key twice"));
            }
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Json::Obj(members));
                }
                Some(_) | None => return Err(self.fail("no comma or brace after a member")),
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Json, ParseJsonError> {
        self.take(b'[', "no array")?;
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Json::Arr(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Json::Arr(items));
                }
                Some(_) | None => return Err(self.fail("no comma or bracket after an item")),
            }
        }
    }

    fn integer(&mut self) -> Result<Json, ParseJsonError> {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        if self.peek().is_some_and(|b| matches!(b, b'.' | b'e' | b'E')) {
            return Err(self.fail("a number that is no integer"));
        }
        let digits = &self.bytes[start..self.at];
        if digits.len() > 1 && digits[0] == b'0' {
            return Err(self.fail("a number with a leading zero"));
        }
        if digits.len() > 16 {
            return Err(self.fail("a number above 2^53 - 1"));
        }
        let value = digits.iter().fold(0u64, |n, d| n * 10 + u64::from(d - b'0'));
        if value > MAX_INTEGER {
            return Err(self.fail("a number above 2^53 - 1"));
        }
        Ok(Json::Int(value))
    }

    fn string(&mut self) -> Result<String, ParseJsonError> {
        self.take(b'"', "no string")?;
        let mut out = Vec::new();
        loop {
            // Records are text without escapes: it is copied by the run.
            let rest = self.bytes.get(self.at..).unwrap_or(&[]);
            let is_plain = |byte: &u8| !matches!(byte, b'"' | b'\\' | 0..=0x1f);
            let run = rest.iter().position(|byte| !is_plain(byte)).unwrap_or(rest.len());
            out.extend_from_slice(&rest[..run]);
            self.at += run;
            let byte = self.peek().ok_or_else(|| self.fail("the text ends in a string"))?;
            self.at += 1;
            match byte {
                b'"' => {
                    return String::from_utf8(out).map_err(|_| self.fail("a string not in UTF-8"));
                }
                b'\\' => self.escape(&mut out)?,
                _ => return Err(self.fail("a control character in a string")),
            }
        }
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), ParseJsonError> {
        let byte = self.peek().ok_or_else(|| self.fail("the text ends in a string"))?;
        self.at += 1;
        let plain = match byte {
            b'"' | b'\\' | b'/' => byte,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let digits = self.bytes.get(self.at..self.at + 4);
                let code = digits
                    .and_then(|d| std::str::from_utf8(d).ok())
                    .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))
                    .and_then(|d| u32::from_str_radix(d, 16).ok())
                    .and_then(char::from_u32)
                    .ok_or_else(|| self.fail("an unusable escape"))?;
                self.at += 4;
                out.extend_from_slice(code.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return Err(self.fail("an unknown escape")),
        };
        out.push(plain);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn members_are_sorted_and_nothing_is_spaced() {
        let value = Json::obj([
            ("b", Json::arr([Json::Int(1), Json::Bool(true)])),
            ("a", Json::str("x\"\\y")),
        ])
        .with("c", None)
        .with("B", Some(Json::obj([])));
        assert_eq!(value.to_bytes(), br#"{"B":{},"a":"x\"\\y","b":[1,true]}"#);
    }

    #[test]
    fn only_the_canonical_spelling_is_canonical() {
        for text in [r#"{"a":1,"b":[]}"#, "[]", "0", "9007199254740991", r#""\"""#, "true"] {
            assert!(Json::parse_canonical(text.as_bytes()).is_ok(), "{text}");
        }
        for text in [
            r#"{"b":1,"a":1}"#,
            r#"{"a": 1}"#,
            r#"{"a":1,"a":1}"#,
            "null",
            "1.0",
            "-1",
            "01",
            "1e3",
            "9007199254740992",
            "99999999999999999999",
            "\"é\"",
            r#""\/""#,
            r#""\u0041""#,
            "[1,]",
            "{}x",
            " {}",
            "",
            "{",
            "\"",
            "[[",
            "\"\u{7f}\"",
            "tru",
            "{\"a\"}",
        ] {
            assert!(Json::parse_canonical(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_refused_not_recursed_into() {
        let text = "[".repeat(100_000);
        assert_eq!(Json::parse(text.as_bytes()).unwrap_err().what, "nested too deep");
    }

    fn json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Json::Bool),
            (0..=MAX_INTEGER).prop_map(Json::Int),
            "[ -~]{0,12}".prop_map(Json::Str),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Json::Arr),
                prop::collection::btree_map("[ -~]{0,6}", inner, 0..6).prop_map(Json::Obj),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(value in json()) {
            prop_assert_eq!(Json::parse_canonical(&value.to_bytes()), Ok(value));
        }

        #[test]
        fn an_independent_parser_reads_the_same(value in json()) {
            // serde_json sorts nothing and escapes by itself: only the values are compared.
            let theirs: serde_json::Value = serde_json::from_slice(&value.to_bytes()).unwrap();
            prop_assert_eq!(Json::parse(theirs.to_string().as_bytes()), Ok(value));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            if let Ok(value) = Json::parse_canonical(&bytes) {
                prop_assert_eq!(value.to_bytes(), bytes);
            }
        }
    }
}
