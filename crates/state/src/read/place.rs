//! Locates values in a JSON text. Only used when there is an error to report.

use model::Pointer;

use super::ReadError;

/// The offset of the value at a pointer, or of the innermost existing one around it. The text is JSON.
pub(super) fn offset(text: &str, pointer: &Pointer) -> usize {
    let mut scan = Scan { bytes: text.as_bytes(), at: 0 };
    scan.blank();
    let mut found = scan.at;
    for segment in pointer.segments() {
        if !scan.enter(&segment) {
            break;
        }
        found = scan.at;
    }
    found
}

/// An error about the byte at an offset.
pub(super) fn unreadable(text: &str, offset: usize, why: String) -> ReadError {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    ReadError { why, line: before.matches('\n').count() + 1, column: line.chars().count() + 1 }
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or_default()
    }

    fn blank(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
    }

    /// Skips a byte, if it is next.
    fn pass(&mut self, byte: u8) -> bool {
        self.blank();
        let is_next = self.peek() == byte;
        self.at += usize::from(is_next);
        self.blank();
        is_next
    }

    /// Moves to the value of a key, or at an index, of the value that begins here.
    fn enter(&mut self, segment: &str) -> bool {
        if self.pass(b'{') { self.enter_key(segment) } else { self.pass(b'[') && self.enter_index(segment) }
    }

    fn enter_key(&mut self, key: &str) -> bool {
        while self.peek() == b'"' {
            let start = self.at;
            self.skip();
            let name = serde_json::from_slice::<String>(&self.bytes[start..self.at]);
            self.pass(b':');
            if name.is_ok_and(|name| name == key) {
                return true;
            }
            self.skip();
            self.pass(b',');
        }
        false
    }

    fn enter_index(&mut self, index: &str) -> bool {
        let Ok(index) = index.parse::<usize>() else { return false };
        for _ in 0..index {
            self.skip();
            if !self.pass(b',') {
                return false;
            }
        }
        self.peek() != b']'
    }

    /// Skips the value that begins here.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b'"' => self.skip_text(),
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 0 => return,
                b'}' | b']' => depth -= 1,
                b',' | b':' | b' ' | b'\n' | b'\r' | b'\t' if depth == 0 => return,
                _ => {}
            }
            self.at += 1;
            if depth == 0 && matches!(byte, b'"' | b'}' | b']') {
                return;
            }
        }
    }

    /// Moves to the closing quote of the string that begins here.
    fn skip_text(&mut self) {
        self.at += 1;
        while !matches!(self.peek(), b'"' | 0) {
            self.at += if self.peek() == b'\\' { 2 } else { 1 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found() {
        let text = "{\"a\": [1, {\"b\\\"c\": \"x, ]\", \"d\": [true]}],\n \"ü\": {\"e\": 2.5}}";
        for (pointer, rest) in [
            ("", "{\"a\""),
            ("/a/0", "1,"),
            ("/a/1/b\"c", "\"x, ]\""),
            ("/a/1/d/0", "true"),
            ("/a/1/d/1", "[true]"),
            ("/a/1/none/0", "{\"b"),
            ("/ü/e", "2.5}"),
        ] {
            let at = offset(text, &Pointer::parse(pointer));
            assert!(text[at..].starts_with(rest), "{pointer}: {}", &text[at..]);
        }
        let found = unreadable(text, offset(text, &Pointer::parse("/ü/e")), String::new());
        assert_eq!((found.line, found.column), (2, 13));
    }
}
