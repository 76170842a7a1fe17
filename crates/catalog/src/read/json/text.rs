use std::sync::Arc;

use super::{DEEPEST, Json};

impl<'a> Json<'a, '_> {
    /// The string whose opening quote is here.
    pub(super) fn string(&mut self) -> Option<Arc<str>> {
        match self.plain()? {
            Ok(text) => Some(text.into()),
            Err((start, at)) => self.escaped(start, at),
        }
    }

    /// The key whose opening quote is here. Documents repeat the same few keys.
    pub(super) fn key(&mut self) -> Option<Arc<str>> {
        match self.plain()? {
            Ok(text) => Some(self.keys.share(text)),
            Err((start, at)) => self.escaped(start, at),
        }
    }

    /// The string whose opening quote is here; if it has an escape, the offsets of the string and the escape.
    fn plain(&mut self) -> Option<Result<&'a str, (usize, usize)>> {
        self.take(b'"')?;
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut end = start;
        loop {
            match *bytes.get(end)? {
                b'"' => break,
                b'\\' => return Some(Err((start, end))),
                0..0x20 => return None,
                _ => end += 1,
            }
        }
        self.at = end + 1;
        self.text.get(start..end).map(Ok)
    }

    /// A string with escapes, the first of which is at `at`.
    fn escaped(&mut self, start: usize, at: usize) -> Option<Arc<str>> {
        let mut text = String::from(self.text.get(start..at)?);
        self.at = at;
        loop {
            let rest = self.text.get(self.at..)?;
            let len = rest.bytes().position(|it| matches!(it, b'"' | b'\\' | 0..0x20))?;
            text.push_str(rest.get(..len)?);
            self.at += len + 1;
            match rest.as_bytes().get(len)? {
                b'"' => return Some(text.into()),
                b'\\' => text.push(self.escape()?),
                _ => return None,
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        let byte = self.byte();
        self.at += 1;
        Some(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return None,
        })
    }

    /// An unpaired surrogate becomes the replacement character, as in Go.
    fn unicode(&mut self) -> Option<char> {
        let first = self.hex()?;
        if !(0xd800..0xdc00).contains(&first) {
            return Some(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let after = self.at;
        if self.text.get(after..)?.starts_with("\\u") {
            self.at += 2;
            let second = self.hex()?;
            if (0xdc00..0xe000).contains(&second) {
                return char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
            }
            self.at = after;
        }
        Some(char::REPLACEMENT_CHARACTER)
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        digits.bytes().all(|it| it.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
    }

    /// Skips a value without reading it: only its quotes and brackets are examined.
    ///
    /// An unclosed value must not cause a search of the whole text, again for each document.
    pub(super) fn pass(&mut self) -> Option<()> {
        let bytes = self.text.as_bytes();
        let mut depth = 0_usize;
        loop {
            match bytes.get(self.at)? {
                b'"' => self.at = quoted_end(bytes, self.at + 1)?,
                b'{' | b'[' if depth > DEEPEST => return None,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' | b',' if depth == 0 => return Some(()),
                b'}' | b']' => {
                    depth -= 1;
                    self.at += 1;
                }
                _ => self.at += 1,
            }
            if depth == 0 && matches!(bytes.get(self.at - 1), Some(b'"' | b'}' | b']')) {
                return Some(());
            }
        }
    }
}

/// The offset after the closing quote of a string; `at` is inside the string.
fn quoted_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += bytes.get(at..)?.iter().position(|it| matches!(it, b'"' | b'\\' | b'\n'))?;
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\n' => return None,
            _ => at += 2,
        }
    }
}
