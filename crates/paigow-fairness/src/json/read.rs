//! Reads JSON strictly by the profile, and notes whether the spelling is canonical.

use std::borrow::Cow;

use super::{Json, Object, ParseJsonError};

/// The largest integer of canonical JSON.
pub(super) const MAX_INTEGER: u64 = (1 << 53) - 1;
/// How deep a value may nest; records nest six deep.
const MAX_DEPTH: usize = 16;

/// Reads a text from its beginning.
pub(super) struct JsonReader<'a> {
    text: &'a str,
    /// The same.
    bytes: &'a [u8],
    at: usize,
    /// Whether everything read so far is spelt as [`Json::to_bytes`] would write it: no space, keys
    /// rising, printable characters, and no needless escape. Integers have one spelling.
    pub(super) is_canonical: bool,
}

impl<'a> JsonReader<'a> {
    /// Takes a text, or fails if the bytes are not UTF-8.
    pub(super) fn of(bytes: &'a [u8]) -> Result<Self, ParseJsonError> {
        let text = str::from_utf8(bytes)
            .map_err(|error| ParseJsonError { what: "not in UTF-8", at: error.valid_up_to() })?;
        Ok(Self { text, bytes, at: 0, is_canonical: true })
    }

    /// Reads the one value of the text.
    pub(super) fn document(&mut self) -> Result<Json<'a>, ParseJsonError> {
        let value = self.value(0)?;
        self.space();
        if self.at < self.bytes.len() {
            return Err(self.fail("something after the value"));
        }
        Ok(value)
    }

    const fn fail(&self, what: &'static str) -> ParseJsonError {
        ParseJsonError { what, at: self.at }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
            self.is_canonical = false;
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

    fn word(&mut self, word: &'static str, value: Json<'a>) -> Result<Json<'a>, ParseJsonError> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else {
            Err(self.fail("not a value"))
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json<'a>, ParseJsonError> {
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

    fn object(&mut self, depth: usize) -> Result<Json<'a>, ParseJsonError> {
        self.take(b'{', "no object")?;
        let mut members = Object::default();
        let mut in_order = true;
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
            in_order &= members.last_key().is_none_or(|last| *last < *key);
            members.append(key, value);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                Some(_) | None => return Err(self.fail("no comma or brace after a member")),
            }
        }
        if !in_order {
            self.is_canonical = false;
            if !members.put_in_order() {
                return Err(self.fail("a key twice"));
            }
        }
        self.at += 1;
        Ok(Json::Obj(members))
    }

    fn array(&mut self, depth: usize) -> Result<Json<'a>, ParseJsonError> {
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

    fn integer(&mut self) -> Result<Json<'a>, ParseJsonError> {
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

    fn string(&mut self) -> Result<Cow<'a, str>, ParseJsonError> {
        self.take(b'"', "no string")?;
        let mut out = String::new();
        loop {
            let start = self.at;
            self.at += plain_run(&self.bytes[start..]);
            let run = &self.text[start..self.at];
            let next = self.text[self.at..].chars().next();
            let next = next.ok_or_else(|| self.fail("the text ends in a string"))?;
            self.at += next.len_utf8();
            // Records are text without escapes: all of it is one run.
            if next == '"' && out.is_empty() {
                return Ok(Cow::Borrowed(run));
            }
            out.push_str(run);
            match next {
                '"' => return Ok(Cow::Owned(out)),
                '\\' => self.escape(&mut out)?,
                '\0'..='\x1f' => return Err(self.fail("a control character in a string")),
                // Beyond printable ASCII.
                _ => {
                    self.is_canonical = false;
                    out.push(next);
                }
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Result<(), ParseJsonError> {
        let byte = self.peek().ok_or_else(|| self.fail("the text ends in a string"))?;
        self.at += 1;
        self.is_canonical &= matches!(byte, b'"' | b'\\');
        let plain = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let digits = self.bytes.get(self.at..self.at + 4);
                let code = digits
                    .and_then(|d| std::str::from_utf8(d).ok())
                    .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))
                    .and_then(|d| u32::from_str_radix(d, 16).ok())
                    .and_then(char::from_u32)
                    .ok_or_else(|| self.fail("an unusable escape"))?;
                self.at += 4;
                out.push(code);
                return Ok(());
            }
            _ => return Err(self.fail("an unknown escape")),
        };
        out.push(plain);
        Ok(())
    }
}

/// Returns how many leading bytes are printable ASCII without an escape.
fn plain_run(bytes: &[u8]) -> usize {
    // A payload is one long string; all other strings are short.
    let run = plain_chunks::<64>(bytes);
    let run = run + plain_chunks::<16>(&bytes[run..]);
    run + bytes[run..].iter().take_while(|byte| is_plain(**byte)).count()
}

/// The same in whole chunks of `N`. All bytes of a chunk are tested without a branch, so the
/// compiler can use vector instructions.
fn plain_chunks<const N: usize>(bytes: &[u8]) -> usize {
    let are_plain = |chunk: &&[u8; N]| chunk.iter().fold(true, |all, b| all & is_plain(*b));
    N * bytes.as_chunks().0.iter().take_while(are_plain).count()
}

fn is_plain(byte: u8) -> bool {
    (0x20..0x7f).contains(&byte) && byte != b'"' && byte != b'\\'
}
