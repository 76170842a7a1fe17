use std::{
    fmt,
    sync::{Arc, LazyLock},
};

use regex_lite::Regex;

use super::{
    sequence::Sequence,
    token::{Token, tokens},
};
use crate::codes;

/// The pattern that ids of one kind have to match as a whole: a regular expression in Go's syntax, `[\w][\w.-]{0,127}`.
///
/// Classes such as `\w` are ASCII classes. Not supported are the classes of Unicode (`\pL`), `\Q`, numeric escapes in octal,
/// and `[` inside of a class unless it is escaped. Cheap to clone; equal and ordered by its text.
#[derive(Clone, Debug)]
pub struct IdPattern(Arc<Compiled>);

#[derive(Debug)]
struct Compiled {
    text: Box<str>,
    whole: Regex,
    sequence: Option<Sequence>,
    is_decided_by_length: bool,
    /// True if the same ids match wherever the expression occurs: it has nothing like `^` or `\b`.
    is_independent: bool,
    allows_slash: bool,
}

/// A regular expression that cannot be the pattern of an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdPatternError {
    /// The expression.
    pub text: Box<str>,
    reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Reason {
    Syntax,
    NamedGroup,
}

impl IdPattern {
    /// # Errors
    ///
    /// If the text is not a regular expression, or has named groups: their names would conflict with those that the
    /// expression of a whole name has.
    pub fn new(text: &str) -> Result<Self, IdPatternError> {
        let error = |reason| IdPatternError { text: text.into(), reason };
        let alone = Regex::new(text).map_err(|_| error(Reason::Syntax))?;
        if alone.capture_names().flatten().next().is_some() {
            return Err(error(Reason::NamedGroup));
        }
        let engine = engine_text(text);
        let whole = Regex::new(&format!("^(?:{engine})$")).map_err(|_| error(Reason::Syntax))?;
        Ok(Self(Arc::new(Compiled::new(text, whole))))
    }

    /// The regular expression.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// True if a whole id matches. The wildcard `-` is not considered here.
    pub fn matches(&self, id: &str) -> bool {
        match &self.0.sequence {
            Some(sequence) if self.0.is_decided_by_length && id.is_ascii() => sequence.matches(id.as_bytes()),
            _ => self.matches_by_engine(id),
        }
    }

    /// As [`IdPattern::matches`], but always by the regex engine: what the quick way is compared with.
    #[doc(hidden)]
    pub fn matches_by_engine(&self, id: &str) -> bool {
        self.0.whole.is_match(id)
    }

    /// True if an id that matches can have a `/`. Exact for expressions without groups and flags whose parts can all
    /// occur; otherwise it may be true although no id has one, but never false although one has.
    pub fn allows_slash(&self) -> bool {
        self.0.allows_slash
    }

    /// The byte of an id that does not match at which it is wrong; the first one if the expression is too complicated to
    /// find it.
    pub fn mismatch(&self, id: &str) -> usize {
        let found = self.0.sequence.as_ref().map_or(0, |it| it.mismatch(id.as_bytes()));
        id.floor_char_boundary(found)
    }

    /// The pattern of ids in names when a kind states nothing else (source: Goten's tools).
    pub fn default_of_names() -> Self {
        static PATTERN: LazyLock<IdPattern> = LazyLock::new(|| constant(r"[\w][\w.-]{0,127}"));
        PATTERN.clone()
    }

    /// The pattern of ids of new resources when a kind states nothing else.
    pub fn default_of_creation() -> Self {
        static PATTERN: LazyLock<IdPattern> = LazyLock::new(|| constant(r"[a-z][a-z0-9\-]{0,28}[a-z0-9]"));
        PATTERN.clone()
    }

    /// Ids of the scope attribute `Region`.
    pub fn region() -> Self {
        Self::default_of_creation()
    }

    /// Ids of `meta.goten.com/Service`: the domains of services.
    pub fn service() -> Self {
        static PATTERN: LazyLock<IdPattern> = LazyLock::new(|| constant(r"[a-z][a-z0-9\-.]{0,28}[a-z0-9]"));
        PATTERN.clone()
    }

    /// True if a name may be split at its slashes to find this id.
    pub(crate) fn is_independent(&self) -> bool {
        self.0.is_independent
    }

    pub(crate) fn sequence(&self) -> Option<&Sequence> {
        self.0.sequence.as_ref()
    }

    /// The expression as the regex engine needs it, and how many groups it has.
    pub(crate) fn for_engine(&self) -> (String, usize) {
        (engine_text(self.as_str()), self.0.whole.captures_len().saturating_sub(1))
    }
}

impl Compiled {
    fn new(text: &str, whole: Regex) -> Self {
        let tokens = tokens(text);
        let sequence = tokens.as_deref().and_then(Sequence::of);
        let known = tokens.as_deref().unwrap_or_default();
        let has_slash = |token: &Token| matches!(token, Token::One(class) if class.has(b'/'));
        Self {
            text: text.into(),
            whole,
            is_decided_by_length: sequence.as_ref().is_some_and(Sequence::is_decided_by_length),
            sequence,
            is_independent: tokens.is_some() && !known.contains(&Token::Place),
            allows_slash: tokens.is_none() || known.iter().any(has_slash),
        }
    }
}

/// `\<` and `\>` are characters in Go, and the bounds of a word in the engine.
fn engine_text(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some('<' | '>')) => {}
            ('\\', Some(next)) => {
                result.extend([character, *next]);
                characters.next();
            }
            _ => result.push(character),
        }
    }
    result
}

fn constant(text: &str) -> IdPattern {
    IdPattern::new(text).expect("the expression is a constant of this file")
}

impl IdPatternError {
    /// Stable, for tests and tools.
    pub fn code(&self) -> &'static str {
        match self.reason {
            Reason::Syntax => codes::ID_PATTERN.as_str(),
            Reason::NamedGroup => codes::ID_PATTERN_GROUP.as_str(),
        }
    }

    /// The advice on solving the problem.
    pub fn help(&self) -> &'static str {
        match self.reason {
            Reason::Syntax => {
                r"use Go's syntax without Unicode classes, such as `[a-z][a-z0-9\-]{0,28}[a-z0-9]`"
            }
            Reason::NamedGroup => "write `(?:...)` instead of `(?P<name>...)`",
        }
    }
}

impl fmt::Display for IdPatternError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Reason::Syntax => {
                write!(out, "`{}` is not a supported regular expression", self.text.escape_debug())
            }
            Reason::NamedGroup => {
                write!(out, "the id pattern `{}` has a named group", self.text.escape_debug())
            }
        }
    }
}

impl std::error::Error for IdPatternError {}

impl fmt::Display for IdPattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl PartialEq for IdPattern {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.as_str() == other.as_str()
    }
}

impl Eq for IdPattern {}

impl PartialOrd for IdPattern {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for IdPattern {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}
