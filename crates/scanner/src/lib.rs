//! The events of a YAML text, with the bytes that they are at: saphyr's scanner over the characters of a text.
//!
//! A crate of its own, because nothing takes more of the time in which a text is read: a profile optimises it for speed,
//! and what is made of the events for size. Nothing here is generic, so all of the scanner's code is made in this crate.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

mod chars;
mod offsets;

use std::{fmt, rc::Rc};

pub use saphyr_parser::{Event, ScalarStyle, Tag};

use chars::Chars;
use offsets::Offsets;

/// A text that events are read from, as often as wanted and from any line.
#[derive(Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    offsets: Rc<Offsets>,
}

/// The events from one place on, in their order.
pub struct Events<'a> {
    parser: saphyr_parser::Parser<'a, Chars<'a>>,
    offsets: Rc<Offsets>,
    /// The number of characters before the place.
    first: usize,
}

/// The reason why a text is not YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanError {
    /// The byte at which the scanner stopped.
    pub at: usize,
    /// The scanner's message.
    pub info: String,
}

/// An event and its range of bytes.
pub type Spanned<'a> = (Event<'a>, usize, usize);

impl<'a> Scanner<'a> {
    /// A scanner of a text.
    pub fn new(text: &'a str) -> Self {
        Self { text, offsets: Rc::new(Offsets::new(text)) }
    }

    /// The events from a byte on, which must be the start of a line.
    pub fn events_from(&self, byte: usize) -> Events<'a> {
        let rest = self.text.get(byte..).unwrap_or_default();
        let first = self.offsets.character(byte);
        Events {
            parser: saphyr_parser::Parser::new(Chars::new(rest)),
            offsets: Rc::clone(&self.offsets),
            first,
        }
    }
}

impl<'a> Events<'a> {
    /// The next event; `None` after the last. Some errors leave the scanner ready for the next event.
    ///
    /// # Errors
    /// The text is not YAML at that place.
    pub fn next_event(&mut self) -> Option<Result<Spanned<'a>, ScanError>> {
        Some(match self.parser.next_event()? {
            Ok((event, span)) => Ok((event, self.byte(span.start.index()), self.byte(span.end.index()))),
            Err(error) => {
                Err(ScanError { at: self.byte(error.marker().index()), info: error.info().to_owned() })
            }
        })
    }

    fn byte(&self, character: usize) -> usize {
        self.offsets.byte(self.first + character)
    }
}

impl fmt::Debug for Events<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("first", &self.first).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_at_their_bytes() {
        let text = "# é\na: 日本\nb: x\n";
        let scanner = Scanner::new(text);
        let mut events = scanner.events_from("# é\n".len());
        let mut scalars = Vec::new();
        while let Some(Ok((event, start, end))) = events.next_event() {
            if let Event::Scalar(value, ..) = event {
                assert_eq!(text[start..end], *value);
                scalars.push(value);
            }
        }
        assert_eq!(scalars, ["a", "日本", "b", "x"]);
    }

    #[test]
    fn an_error_is_at_its_byte() {
        let mut events = Scanner::new("é: [").events_from(0);
        let error = std::iter::from_fn(|| events.next_event()).find_map(Result::err);
        assert_eq!(error.map(|it| it.at), Some("é: [".len()));
    }
}
