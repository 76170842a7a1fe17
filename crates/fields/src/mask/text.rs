use std::{collections::BTreeSet, fmt, str::FromStr};

use super::FieldMask;
use crate::{
    FieldPath, ParseError, codes,
    path::{Reader, Spelling},
};

/// The longest mask, in bytes.
const LONGEST: usize = 65_536;

pub(super) fn wildcard(at: usize) -> ParseError {
    let help = "name the field above it, which selects all that is below, or use `*` alone";
    ParseError::new(codes::MASK_WILDCARD, at, "a mask has `*` only alone, for all fields", help)
}

impl FieldMask {
    /// Reads paths in `snake_case` with commas between them, or `*`. An empty text is an empty mask.
    ///
    /// # Errors
    /// As [`FieldPath::parse`]; `fields/mask-syntax` for a missing comma; `fields/mask-wildcard` for `*` in
    /// a path; `fields/mask-limit` for more than 64 KiB.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Self::read(text, Spelling::Text)
    }

    /// Reads paths in `lowerCamelCase`, as JSON has masks; a name in backquotes is taken as it is.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_json(text: &str) -> Result<Self, ParseError> {
        Self::read(text, Spelling::Json)
    }

    fn read(text: &str, spelling: Spelling) -> Result<Self, ParseError> {
        if text.len() > LONGEST {
            let message = format!("the mask has more than {LONGEST} bytes");
            return Err(ParseError::new(
                codes::MASK_LIMIT,
                LONGEST,
                message,
                "name fewer fields, or use `*`",
            ));
        }
        match text.trim() {
            "" => return Ok(Self::default()),
            "*" => return Ok(Self::full()),
            _ => {}
        }
        let mut reader = Reader::new(text, 0, spelling);
        let mut paths = BTreeSet::new();
        loop {
            reader.at += space(text, reader.at);
            let start = reader.at;
            paths.insert(plain(reader.path()?, start)?);
            reader.at += space(text, reader.at);
            match text.as_bytes().get(reader.at) {
                None => return Ok(Self::of(paths)),
                Some(b',') => reader.at += 1,
                Some(_) => return Err(no_comma(reader.at)),
            }
        }
    }

    /// The mask as JSON has it, which [`Self::parse_json`] reads back.
    pub fn to_json(&self) -> String {
        if self.is_full {
            "*".to_owned()
        } else {
            self.paths().map(FieldPath::to_json).collect::<Vec<_>>().join(",")
        }
    }
}

fn plain(path: FieldPath, at: usize) -> Result<FieldPath, ParseError> {
    if path.has_wildcard() { Err(wildcard(at)) } else { Ok(path) }
}

/// The number of spaces from a byte on.
fn space(text: &str, at: usize) -> usize {
    text.bytes().skip(at).take_while(|it| *it == b' ').count()
}

fn no_comma(at: usize) -> ParseError {
    let help = "separate the paths by commas, and put keys with other characters into backquotes";
    ParseError::new(codes::MASK_SYNTAX, at, "expected a comma or the end of the mask", help)
}

impl FromStr for FieldMask {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

/// Paths in `snake_case`, which [`FieldMask::parse`] reads back.
impl fmt::Display for FieldMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_full {
            return f.write_str("*");
        }
        for (index, path) in self.paths().enumerate() {
            write!(f, "{}{path}", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}
