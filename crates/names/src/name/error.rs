use std::{fmt, sync::Arc};

use crate::{IdPattern, Name, Pattern, Segment, codes};

/// Characters of a text that a message shows.
const SHOWN: usize = 60;

/// Patterns that help shows.
const LISTED: usize = 4;

/// A text that is no name of some patterns, or ids that make none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    at: usize,
    problem: NameProblem,
    patterns: Vec<Pattern>,
}

/// The problem of a name. Texts that were found are as they are, of any length.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are what the variant says")]
pub enum NameProblem {
    /// There is nothing.
    Empty,
    /// It has more bytes than [`MAX_NAME`](crate::MAX_NAME).
    TooLong { bytes: usize },
    /// No pattern has this collection here; some have these.
    Collection { found: Box<str>, expected: Vec<Arc<str>> },
    /// Between two slashes, or before the first, is nothing.
    EmptySegment,
    /// It ends with a slash, which is not part of an id.
    TrailingSlash,
    /// It ends where this has to follow.
    Incomplete { expected: Box<str> },
    /// It goes on with this after a name that is complete.
    Surplus { found: Box<str> },
    /// The id of a variable does not match its pattern.
    Id { variable: Arc<str>, found: Box<str>, pattern: IdPattern },
    /// Each id matches its pattern, but the name does not match the expression of its pattern, which has `^` or `$`
    /// inside.
    NoMatch { regex: Box<str> },
    /// A wildcard where the name of one resource is required.
    Wildcard,
    /// Ids with slashes make a text that is read as other ids.
    Ambiguous { read: Box<str> },
    /// There are not as many ids as the pattern has.
    IdCount { found: usize, expected: usize },
    /// The pattern has no id that is called so.
    Variable { found: Box<str> },
    /// A full name does not begin with `//`.
    NotFull { found: Box<str> },
    /// The domain of a service is missing or has other characters than letters, digits, `-` and `.`, or too many.
    Service { found: Box<str> },
    /// The kind of a resource type is missing or is not a word.
    Kind { found: Box<str> },
}

impl NameError {
    pub(crate) fn new(at: usize, problem: NameProblem, patterns: Vec<Pattern>) -> Self {
        Self { at, problem, patterns }
    }

    pub(crate) fn id(pattern: &Pattern, segment: &Segment, id: &str, start: usize) -> Self {
        let at = start + segment.id.mismatch(id);
        Self::new(at, NameProblem::id(segment, id), vec![pattern.clone()])
    }

    pub(crate) fn id_count(pattern: &Pattern, found: usize) -> Self {
        let expected = pattern.segments().len();
        Self::new(0, NameProblem::IdCount { found, expected }, vec![pattern.clone()])
    }

    pub(crate) fn variable(pattern: &Pattern, found: &str) -> Self {
        Self::new(0, NameProblem::Variable { found: found.into() }, vec![pattern.clone()])
    }

    pub(crate) fn wildcard(pattern: &Pattern, at: usize) -> Self {
        Self::new(at, NameProblem::Wildcard, vec![pattern.clone()])
    }

    /// The text of the name is read as this name.
    pub(crate) fn ambiguous(read: &Name) -> Self {
        let ids: Vec<_> = read.segments().map(|(segment, id)| format!("{}={id}", segment.variable)).collect();
        let read_as = NameProblem::Ambiguous { read: ids.join(", ").into() };
        Self::new(0, read_as, vec![read.pattern().clone()])
    }

    /// Stable, for tests and tools: `names/...`.
    pub fn code(&self) -> &'static str {
        self.problem.code()
    }

    /// The byte of the text at which it is wrong, at most its length. 0 if there was no text.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The problem.
    pub fn problem(&self) -> &NameProblem {
        &self.problem
    }

    /// The patterns that a name has to follow one of; empty for full names and types.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The advice on solving the problem.
    pub fn help(&self) -> String {
        let written = || {
            let shown: Vec<_> = self.patterns.iter().take(LISTED).map(|it| format!("`{it}`")).collect();
            let more = if self.patterns.len() > LISTED { " or another pattern of the kind" } else { "" };
            format!("write it as {}{more}", shown.join(" or "))
        };
        match &self.problem {
            NameProblem::Id { variable, pattern, .. } => {
                format!("use an id of `{variable}` that matches `{pattern}`")
            }
            NameProblem::Wildcard => "write an id in place of `-`".to_owned(),
            NameProblem::Ambiguous { .. } => "use ids without `/`".to_owned(),
            NameProblem::NotFull { .. } | NameProblem::Service { .. } => {
                "write the domain of the service, as in `//secrets.edgelq.com/projects/p/secrets/s`"
                    .to_owned()
            }
            NameProblem::Kind { .. } => "write it as `iam.edgelq.com/Project`".to_owned(),
            _ if self.patterns.is_empty() => {
                "write the collections and ids, as in `projects/p/secrets/s`".to_owned()
            }
            _ => written(),
        }
    }
}

/// The error of a part of a text, at its place in the whole.
pub(super) fn shifted(error: NameError, by: usize) -> NameError {
    NameError { at: error.at + by, ..error }
}

impl NameProblem {
    pub(crate) fn id(segment: &Segment, id: &str) -> Self {
        Self::Id { variable: segment.variable.clone(), found: id.into(), pattern: segment.id.clone() }
    }

    /// Both problems are at one place; collections that can be there are listed together.
    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Collection { found, mut expected }, Self::Collection { expected: others, .. }) => {
                let new: Vec<_> = others.into_iter().filter(|it| !expected.contains(it)).collect();
                expected.extend(new);
                Self::Collection { found, expected }
            }
            (first, _) => first,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Empty => codes::EMPTY.as_str(),
            Self::TooLong { .. } => codes::TOO_LONG.as_str(),
            Self::Collection { .. } => codes::COLLECTION.as_str(),
            Self::EmptySegment => codes::EMPTY_SEGMENT.as_str(),
            Self::TrailingSlash => codes::TRAILING_SLASH.as_str(),
            Self::Incomplete { .. } => codes::INCOMPLETE.as_str(),
            Self::Surplus { .. } => codes::SURPLUS.as_str(),
            Self::Id { .. } => codes::ID.as_str(),
            Self::NoMatch { .. } => codes::NO_MATCH.as_str(),
            Self::Wildcard => codes::WILDCARD.as_str(),
            Self::Ambiguous { .. } => codes::AMBIGUOUS.as_str(),
            Self::IdCount { .. } => codes::ID_COUNT.as_str(),
            Self::Variable { .. } => codes::VARIABLE.as_str(),
            Self::NotFull { .. } => codes::NOT_FULL.as_str(),
            Self::Service { .. } => codes::SERVICE.as_str(),
            Self::Kind { .. } => codes::KIND.as_str(),
        }
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            NameProblem::Empty => out.write_str("the resource name is empty"),
            NameProblem::TooLong { bytes } => {
                write!(out, "the resource name has {bytes} bytes, more than {}", crate::MAX_NAME)
            }
            NameProblem::Collection { found, expected } => {
                let expected: Vec<_> = expected.iter().map(|it| format!("`{it}`")).collect();
                write!(out, "`{}` is not a collection here, {} is", shown(found), expected.join(" or "))
            }
            NameProblem::EmptySegment => out.write_str("a part of the resource name is empty"),
            NameProblem::TrailingSlash => out.write_str("the resource name ends with a slash"),
            NameProblem::Incomplete { expected } => write!(out, "the resource name ends before `{expected}`"),
            NameProblem::Surplus { found } => {
                write!(out, "`{}` is more than the resource name has", shown(found))
            }
            NameProblem::Id { variable, found, pattern } => {
                write!(out, "`{}` is not an id of `{variable}`: it does not match `{pattern}`", shown(found))
            }
            NameProblem::NoMatch { regex } => write!(out, "the resource name does not match `{regex}`"),
            NameProblem::Wildcard => out.write_str("the wildcard `-` is not allowed here"),
            NameProblem::Ambiguous { read } => write!(out, "the name would be read as {}", shown(read)),
            NameProblem::IdCount { found, expected } => {
                write!(out, "the name has {expected} ids, not {found}")
            }
            NameProblem::Variable { found } => write!(out, "the name has no id `{}`", shown(found)),
            NameProblem::NotFull { found } => {
                write!(out, "`{}` is not a full name: it does not begin with `//`", shown(found))
            }
            NameProblem::Service { found } => {
                write!(out, "`{}` is not the domain of a service", shown(found))
            }
            NameProblem::Kind { found } => write!(out, "`{}` is not the name of a kind", shown(found)),
        }
    }
}

impl std::error::Error for NameError {}

/// The beginning of a text in one line.
fn shown(text: &str) -> String {
    let mut characters = text.chars();
    let beginning: String = characters.by_ref().take(SHOWN).flat_map(char::escape_debug).collect();
    if characters.next().is_some() { beginning + "…" } else { beginning }
}
