use saphyr_parser::Input;
use saphyr_parser::input::SkipTabs;

/// The characters of a text for saphyr's scanner, with short ways for ASCII.
///
/// Positions the scanner counts are characters of this text; [`Offsets`](crate::Offsets) makes bytes of them.
#[derive(Clone, Debug)]
pub(crate) struct Chars<'a> {
    text: &'a str,
    at: usize,
}

/// The number of characters that the scanner reserves for a plain scalar at a time: with it the first reservation fits what it
/// has allocated.
const LOOKAHEAD: usize = 30;

const BLANK: u8 = 1;
const BREAK: u8 = 2;
const FLOW: u8 = 4;

/// The classes of the ASCII characters; NUL counts as the end of the text, as the scanner expects.
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    classes[b' ' as usize] = BLANK;
    classes[b'\t' as usize] = BLANK;
    classes[b'\n' as usize] = BREAK;
    classes[b'\r' as usize] = BREAK;
    classes[b',' as usize] = FLOW;
    classes[b'[' as usize] = FLOW;
    classes[b']' as usize] = FLOW;
    classes[b'{' as usize] = FLOW;
    classes[b'}' as usize] = FLOW;
    classes
};

impl<'a> Chars<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    #[inline]
    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    #[inline]
    fn class(&self, ahead: usize) -> u8 {
        CLASSES[self.byte(ahead) as usize]
    }

    #[inline]
    fn is_end(&self) -> bool {
        self.byte(0) == 0
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    #[cold]
    fn wide(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The number of characters before the next line break, NUL or byte order mark, and the byte of that.
    fn line(&self) -> (usize, usize) {
        let rest = &self.text.as_bytes()[self.at..];
        let len = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r' | 0)).unwrap_or(rest.len());
        let line = &self.text[self.at..self.at + len];
        if line.is_ascii() {
            return (len, self.at + len);
        }
        let line = line.split('\u{feff}').next().unwrap_or_default();
        (line.chars().count(), self.at + line.len())
    }

    fn indicator(&self, mark: u8) -> bool {
        self.text.as_bytes()[self.at..].starts_with(&[mark; 3])
            && (self.class(3) & (BLANK | BREAK) != 0 || self.byte(3) == 0)
    }
}

impl Input for Chars<'_> {
    #[inline]
    fn lookahead(&mut self, _: usize) {}

    #[inline]
    fn buflen(&self) -> usize {
        LOOKAHEAD
    }

    #[inline]
    fn bufmaxlen(&self) -> usize {
        LOOKAHEAD
    }

    #[inline]
    fn buf_is_empty(&self) -> bool {
        false
    }

    #[inline]
    fn raw_read_ch(&mut self) -> char {
        let read = self.peek();
        self.skip();
        read
    }

    #[inline]
    fn raw_read_non_breakz_ch(&mut self) -> Option<char> {
        if self.next_is_breakz() || self.peek() == '\u{feff}' {
            return None;
        }
        Some(self.raw_read_ch())
    }

    #[inline]
    fn skip(&mut self) {
        let byte = self.byte(0);
        if byte < 0x80 {
            self.at = self.text.len().min(self.at + 1);
        } else {
            self.at += self.wide().map_or(0, char::len_utf8);
        }
    }

    #[inline]
    fn skip_n(&mut self, count: usize) {
        for _ in 0..count {
            self.skip();
        }
    }

    #[inline]
    fn peek(&self) -> char {
        let byte = self.byte(0);
        if byte < 0x80 { byte as char } else { self.wide().unwrap_or('\0') }
    }

    #[inline]
    fn peek_nth(&self, n: usize) -> char {
        let bytes = self.text.as_bytes();
        match bytes.get(self.at..=self.at + n) {
            Some(ahead) if ahead.is_ascii() => ahead[n] as char,
            _ => self.rest().chars().nth(n).unwrap_or('\0'),
        }
    }

    #[inline]
    fn peek_opt(&self) -> Option<char> {
        if self.at < self.text.len() { Some(self.peek()) } else { None }
    }

    #[inline]
    fn look_ch(&mut self) -> char {
        self.peek()
    }

    #[inline]
    fn next_2_are(&self, c1: char, c2: char) -> bool {
        self.peek() == c1 && self.peek_nth(1) == c2
    }

    #[inline]
    fn next_3_are(&self, c1: char, c2: char, c3: char) -> bool {
        self.peek() == c1 && self.peek_nth(1) == c2 && self.peek_nth(2) == c3
    }

    #[inline]
    fn next_is_document_indicator(&self) -> bool {
        matches!(self.byte(0), b'-' | b'.') && (self.indicator(b'-') || self.indicator(b'.'))
    }

    #[inline]
    fn next_is_document_start(&self) -> bool {
        self.indicator(b'-')
    }

    #[inline]
    fn next_is_document_end(&self) -> bool {
        self.indicator(b'.')
    }

    fn skip_ws_to_eol(&mut self, skip_tabs: SkipTabs) -> (usize, Result<SkipTabs, &'static str>) {
        let (start, mut tab, mut space) = (self.at, false, false);
        loop {
            match self.byte(0) {
                b' ' => space = true,
                b'\t' if skip_tabs != SkipTabs::No => tab = true,
                _ => break,
            }
            self.at += 1;
        }
        let blanks = self.at - start;
        if self.byte(0) != b'#' {
            return (blanks, Ok(SkipTabs::Result(tab, space)));
        }
        if blanks == 0 {
            return (0, Err("comments must be separated from other tokens by whitespace"));
        }
        (blanks + self.skip_while_non_breakz(), Ok(SkipTabs::Result(tab, space)))
    }

    #[inline]
    fn next_can_be_plain_scalar(&self, in_flow: bool) -> bool {
        let byte = self.byte(0);
        if byte >= 0x80 {
            return self.peek() != '\u{feff}';
        }
        if byte == b':' {
            let next = self.class(1);
            return !(next & (BLANK | BREAK) != 0 || self.byte(1) == 0 || (in_flow && next == FLOW));
        }
        !(in_flow && CLASSES[byte as usize] == FLOW)
    }

    #[inline]
    fn next_is_blank_or_break(&self) -> bool {
        self.class(0) & (BLANK | BREAK) != 0
    }

    #[inline]
    fn next_is_blank_or_breakz(&self) -> bool {
        self.class(0) & (BLANK | BREAK) != 0 || self.is_end()
    }

    #[inline]
    fn next_is_blank(&self) -> bool {
        self.class(0) == BLANK
    }

    #[inline]
    fn next_is_break(&self) -> bool {
        self.class(0) == BREAK
    }

    #[inline]
    fn next_is_breakz(&self) -> bool {
        self.class(0) == BREAK || self.is_end()
    }

    #[inline]
    fn next_is_z(&self) -> bool {
        self.is_end()
    }

    #[inline]
    fn next_is_flow(&self) -> bool {
        self.class(0) == FLOW
    }

    #[inline]
    fn next_is_digit(&self) -> bool {
        self.byte(0).is_ascii_digit()
    }

    fn skip_while_non_breakz(&mut self) -> usize {
        let (count, end) = self.line();
        self.at = end;
        count
    }

    fn skip_while_blank(&mut self) -> usize {
        let start = self.at;
        while self.next_is_blank() {
            self.at += 1;
        }
        self.at - start
    }
}
