use std::{fmt, ops::RangeInclusive, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::StoreError;

/// A pattern for whole ids: `*` matches any text, `?` one character, `[a-z_]` one of these and `[!…]` one of
/// the others, `\` escapes the next character. Other characters match themselves.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Glob {
    text: Arc<str>,
    parts: Arc<[Part]>,
    /// The prefix of every match.
    prefix: Arc<str>,
}

#[derive(PartialEq, Eq)]
enum Part {
    Exactly(char),
    Character,
    Text,
    OneOf { others: bool, ranges: Vec<RangeInclusive<char>> },
}

impl Glob {
    /// Parses a pattern.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] for a `[` without `]`, a set of nothing, a range that runs backwards, a `\` at the end.
    pub fn new(text: &str) -> Result<Self, StoreError> {
        let parts = parse(text).map_err(|why| StoreError::invalid(format!("pattern `{text}`"), why))?;
        Ok(Self::of(text, parts))
    }

    fn of(text: &str, mut parts: Vec<Part>) -> Self {
        // Several stars in a row are equivalent to one.
        parts.dedup_by(|part, before| *part == Part::Text && *before == Part::Text);
        let exact = parts.iter().map_while(|part| match part {
            Part::Exactly(c) => Some(*c),
            Part::Character | Part::Text | Part::OneOf { .. } => None,
        });
        let prefix: String = exact.collect();
        Self { text: text.into(), parts: parts.into(), prefix: prefix.into() }
    }

    /// A pattern in which only `*` is special; all other characters, including brackets, match themselves.
    pub fn stars(text: &str) -> Self {
        let mut escaped = String::with_capacity(text.len());
        for c in text.chars() {
            escaped.extend(matches!(c, '?' | '[' | '\\').then_some('\\'));
            escaped.push(c);
        }
        let part = |c| if c == '*' { Part::Text } else { Part::Exactly(c) };
        Self::of(&escaped, text.chars().map(part).collect())
    }

    /// True if it matches the whole of `id`. Takes time of at most the product of both lengths.
    pub fn matches(&self, id: &str) -> bool {
        let (mut part, mut rest) = (0, id.chars());
        // The position of the last `*`, and the rest of the id after what it has matched so far.
        let mut star = None;
        loop {
            let next = rest.clone().next();
            match (self.parts.get(part), next) {
                (None, None) => return true,
                (Some(Part::Text), _) => {
                    star = Some((part, rest.clone()));
                    part += 1;
                    continue;
                }
                (Some(matcher), Some(c)) if matcher.takes(c) => {
                    rest.next();
                    part += 1;
                    continue;
                }
                (Some(_) | None, _) => {}
            }
            let Some((at, left)) = &mut star else { return false };
            if left.next().is_none() {
                return false;
            }
            (part, rest) = (*at + 1, left.clone());
        }
    }

    /// The prefix of every match.
    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }
}

impl Part {
    fn takes(&self, c: char) -> bool {
        match self {
            Self::Exactly(exact) => *exact == c,
            Self::Character => true,
            Self::Text => false,
            Self::OneOf { others, ranges } => ranges.iter().any(|range| range.contains(&c)) != *others,
        }
    }
}

fn parse(text: &str) -> Result<Vec<Part>, &'static str> {
    let (mut parts, mut rest) = (Vec::new(), text.chars());
    while let Some(c) = rest.next() {
        parts.push(match c {
            '*' => Part::Text,
            '?' => Part::Character,
            '[' => set(&mut rest)?,
            '\\' => Part::Exactly(rest.next().ok_or("nothing follows its last `\\`")?),
            other => Part::Exactly(other),
        });
    }
    Ok(parts)
}

fn set(rest: &mut std::str::Chars<'_>) -> Result<Part, &'static str> {
    const OPEN: &str = "its `[` has no `]`";
    let others = rest.as_str().starts_with('!');
    if others {
        rest.next();
    }
    let mut ranges = Vec::new();
    loop {
        let first = match rest.next().ok_or(OPEN)? {
            ']' if ranges.is_empty() => return Err("its `[` has nothing inside"),
            ']' => return Ok(Part::OneOf { others, ranges }),
            '\\' => rest.next().ok_or(OPEN)?,
            other => other,
        };
        ranges.push(range(first, rest)?);
    }
}

/// `a-z`, or only `a`. A `-` at the end of a set is literal.
fn range(first: char, rest: &mut std::str::Chars<'_>) -> Result<RangeInclusive<char>, &'static str> {
    let mut ahead = rest.clone();
    let last = match (ahead.next(), ahead.next()) {
        (Some('-'), Some(last)) if last != ']' => last,
        _ => return Ok(first..=first),
    };
    *rest = ahead;
    if first > last { Err("a range in its `[` runs backwards") } else { Ok(first..=last) }
}

impl FromStr for Glob {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        Self::new(text)
    }
}

impl TryFrom<String> for Glob {
    type Error = StoreError;

    fn try_from(text: String) -> Result<Self, StoreError> {
        Self::new(&text)
    }
}

impl std::convert::From<Glob> for String {
    fn from(glob: Glob) -> Self {
        glob.text.as_ref().to_owned()
    }
}

impl fmt::Debug for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}
