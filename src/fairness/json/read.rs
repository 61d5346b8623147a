//! Reading, strictly of the profile, and noticing whether the spelling is canonical.

use super::{Json, Object, ParseJsonError};

/// The largest integer of canonical JSON.
pub(super) const MAX_INTEGER: u64 = (1 << 53) - 1;
/// How deep a value may nest; records nest six deep.
const MAX_DEPTH: usize = 16;

/// Reads a text from its beginning.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whether all that was read so far is as [`Json::to_bytes`] would write it: no
    /// space, keys rising, printable characters, and no escape that is not needed.
    /// Integers have one spelling.
    pub(super) is_canonical: bool,
}

impl<'a> Reader<'a> {
    pub(super) const fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, is_canonical: true }
    }

    /// Reads the one value that the bytes are.
    pub(super) fn document(&mut self) -> Result<Json, ParseJsonError> {
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
        let mut members = Object::default();
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
            if members.last_key().is_some_and(|last| *last >= *key) {
                self.is_canonical = false;
            }
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
            let run = plain_run(rest);
            out.extend_from_slice(&rest[..run]);
            self.at += run;
            let byte = self.peek().ok_or_else(|| self.fail("the text ends in a string"))?;
            self.at += 1;
            match byte {
                b'"' => {
                    return String::from_utf8(out).map_err(|_| self.fail("a string not in UTF-8"));
                }
                b'\\' => self.escape(&mut out)?,
                0..=0x1f => return Err(self.fail("a control character in a string")),
                // Beyond printable ASCII.
                _ => {
                    self.is_canonical = false;
                    out.push(byte);
                }
            }
        }
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), ParseJsonError> {
        let byte = self.peek().ok_or_else(|| self.fail("the text ends in a string"))?;
        self.at += 1;
        self.is_canonical &= matches!(byte, b'"' | b'\\');
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

/// Returns how many characters at the beginning are printable ASCII that means itself.
fn plain_run(bytes: &[u8]) -> usize {
    const AT_ONCE: usize = 16;
    let is_plain = |byte: u8| (0x20..0x7f).contains(&byte) && byte != b'"' && byte != b'\\';
    // Told of all of a few characters without a branch, which takes them at once.
    let are_plain = |chunk: &&[u8; AT_ONCE]| chunk.iter().fold(true, |all, b| all & is_plain(*b));
    let run = AT_ONCE * bytes.as_chunks().0.iter().take_while(are_plain).count();
    run + bytes[run..].iter().take_while(|byte| is_plain(**byte)).count()
}
