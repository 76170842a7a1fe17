use std::{error::Error, fmt};

use diag::Code;

/// A mistake in a text that a user wrote: a path, a mask, a filter, an order or a page token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The stable name of the mistake, such as `fields/filter-syntax`.
    pub code: Code,
    /// The byte of the text at which it was found; at most the text's length.
    pub byte: usize,
    /// The problem: lower case, one line.
    pub message: String,
    /// The action that fixes it.
    pub help: String,
}

impl ParseError {
    pub(crate) fn new(code: Code, byte: usize, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { code, byte, message: message.into(), help: help.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.byte)
    }
}

impl Error for ParseError {}

/// A mistake in a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The stable name of the mistake, such as `fields/unknown-field`.
    pub code: Code,
    /// The JSON pointer of the value (RFC 6901), such as `/spec/containers/2/name`; empty for the whole.
    pub pointer: String,
    /// The problem: lower case, one line.
    pub message: String,
    /// The action that fixes it.
    pub help: String,
}

impl Violation {
    pub(crate) fn new(
        code: Code,
        pointer: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { code, pointer: pointer.into(), message: message.into(), help: help.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.pointer, self.message)
    }
}

/// A text of users as messages quote it: one line, and not more than the first 60 characters.
pub(crate) fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    let short = short.replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t");
    format!("`{}`", diag::escape_invisible(&short, &[]))
}
