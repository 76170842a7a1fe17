use std::{fmt, str::FromStr};

use super::{FieldPath, Segment};
use crate::{
    ParseError,
    case::{has_json_form, snake},
    codes,
    error::quoted,
    schema::lower_camel,
};

/// The longest path, in bytes.
const LONGEST: usize = 4096;

/// The most segments of a path.
const DEEPEST: usize = 64;

/// The spelling of names of fields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// `snake_case`
    Text,
    /// `lowerCamelCase`, as in JSON; a name in backquotes is taken as it is.
    Json,
}

/// Reads a path at the start of a text.
pub(crate) struct Reader<'a> {
    text: &'a str,
    /// The byte after the text that was read.
    pub(crate) at: usize,
    spelling: Spelling,
    /// `\.` is a dot in a segment, as filters have it.
    pub(crate) escapes: bool,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(text: &'a str, at: usize, spelling: Spelling) -> Self {
        Self { text, at, spelling, escapes: false }
    }

    /// The rest of the text.
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Reads segments with dots between them.
    pub(crate) fn path(&mut self) -> Result<FieldPath, ParseError> {
        let start = self.at;
        let mut segments = vec![self.segment()?];
        while self.rest().starts_with('.') {
            self.at += 1;
            segments.push(self.segment()?);
            if segments.len() > DEEPEST || self.at - start > LONGEST {
                return Err(too_long(start));
            }
        }
        Ok(FieldPath::new(segments))
    }

    fn segment(&mut self) -> Result<Segment, ParseError> {
        if self.rest().starts_with('`') {
            return self.in_backquotes();
        }
        if self.rest().starts_with('*') {
            self.at += 1;
            return Ok(Segment::Each);
        }
        let plain = self.plain();
        if plain.is_empty() {
            return Err(self.no_segment());
        }
        Ok(match self.spelling {
            Spelling::Text => Segment::field(&plain),
            Spelling::Json => Segment::field(&snake(&plain)),
        })
    }

    fn plain(&mut self) -> String {
        let mut plain = String::new();
        loop {
            let rest = self.rest();
            let end = rest.find(|it| !is_plain(it)).unwrap_or(rest.len());
            plain.push_str(rest.get(..end).unwrap_or_default());
            self.at += end;
            if !(self.escapes && self.rest().starts_with("\\.")) {
                return plain;
            }
            plain.push('.');
            self.at += 2;
        }
    }

    fn in_backquotes(&mut self) -> Result<Segment, ParseError> {
        let start = self.at;
        self.at += 1;
        let mut key = String::new();
        loop {
            let rest = self.rest();
            let Some(end) = rest.find('`') else {
                return Err(unclosed(start));
            };
            key.push_str(rest.get(..end).unwrap_or_default());
            self.at += end + 1;
            if !self.rest().starts_with('`') {
                break;
            }
            key.push('`');
            self.at += 1;
        }
        // Names of fields may be in backquotes too, and are then found in values by their name in JSON.
        Ok(if is_plain_text(&key) { Segment::field(&key) } else { Segment::key(&key) })
    }

    fn no_segment(&self) -> ParseError {
        let found = match self.rest().chars().next() {
            Some(found) => format!("found {}", quoted(found.encode_utf8(&mut [0; 4]))),
            None => "the text ends".to_owned(),
        };
        let help = "write names separated by single dots, and put keys with other characters into backquotes";
        ParseError::new(
            codes::PATH_SYNTAX,
            self.at,
            format!("expected the name of a field, but {found}"),
            help,
        )
    }
}

fn unclosed(at: usize) -> ParseError {
    let help = "close it with a backquote, and double backquotes inside";
    ParseError::new(codes::PATH_SYNTAX, at, "the backquote is not closed", help)
}

fn too_long(at: usize) -> ParseError {
    let message = format!("the path has more than {DEEPEST} segments or {LONGEST} bytes");
    ParseError::new(codes::PATH_LIMIT, at, message, "shorten the path")
}

/// True if a character needs no backquotes.
const fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '/')
}

fn is_plain_text(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_plain)
}

/// A segment as it is written in `snake_case`.
pub(crate) fn segment_text(segment: &Segment) -> String {
    match segment {
        Segment::Each => "*".to_owned(),
        Segment::Name { text, .. } if is_plain_text(text) => text.to_string(),
        Segment::Name { text, .. } => in_backquotes(text),
    }
}

pub(crate) fn in_backquotes(text: &str) -> String {
    format!("`{}`", text.replace('`', "``"))
}

/// A segment as JSON has it: in `lowerCamelCase`, if it can be read back, otherwise as it is in backquotes.
fn segment_json(segment: &Segment) -> String {
    match segment {
        Segment::Name { text, .. } if is_plain_text(text) && has_json_form(text) => lower_camel(text),
        Segment::Name { text, .. } => in_backquotes(text),
        Segment::Each => "*".to_owned(),
    }
}

impl FieldPath {
    /// Reads a path of names in `snake_case`.
    ///
    /// # Errors
    /// `fields/path-syntax` with the byte of the mistake; `fields/path-limit` for more than 64 segments or 4096
    /// bytes.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Self::read(text, Spelling::Text)
    }

    /// Reads a path of names in `lowerCamelCase`; a name in backquotes is taken as it is.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_json(text: &str) -> Result<Self, ParseError> {
        Self::read(text, Spelling::Json)
    }

    fn read(text: &str, spelling: Spelling) -> Result<Self, ParseError> {
        let mut reader = Reader::new(text, 0, spelling);
        let path = reader.path()?;
        if reader.at < text.len() { Err(reader.no_segment()) } else { Ok(path) }
    }

    /// The path with names in `lowerCamelCase`, which [`Self::parse_json`] reads back.
    pub fn to_json(&self) -> String {
        self.segments().iter().map(segment_json).collect::<Vec<_>>().join(".")
    }
}

impl FromStr for FieldPath {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

/// Names in `snake_case`, which [`FieldPath::parse`] reads back.
impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, segment) in self.segments().iter().enumerate() {
            let dot = if index == 0 { "" } else { "." };
            write!(f, "{dot}{}", segment_text(segment))?;
        }
        Ok(())
    }
}
