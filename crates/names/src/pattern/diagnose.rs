//! The reason why a text is no name of some patterns. Speed does not matter here.

use crate::{MAX_NAME, NameError, NameProblem, Pattern, Segment};

/// The place to which a text follows a pattern, and the problem there.
struct Miss {
    at: usize,
    problem: NameProblem,
}

impl Miss {
    fn new<T>(at: usize, problem: NameProblem) -> Result<T, Self> {
        Err(Self { at, problem })
    }
}

/// The error of the pattern that the text follows furthest, of the first of them.
pub(super) fn diagnose<'a>(patterns: impl IntoIterator<Item = &'a Pattern>, text: &str) -> NameError {
    let patterns: Vec<_> = patterns.into_iter().cloned().collect();
    if text.is_empty() {
        return NameError::new(0, NameProblem::Empty, patterns);
    } else if text.len() > MAX_NAME {
        return NameError::new(MAX_NAME, NameProblem::TooLong { bytes: text.len() }, patterns);
    }
    let misses: Vec<_> = patterns.iter().map(|it| miss(it, text)).collect();
    let Some(furthest) = misses.iter().map(|it| it.at).max() else {
        return NameError::new(0, NameProblem::Surplus { found: text.into() }, patterns);
    };
    let mut problems = misses.into_iter().filter(|it| it.at == furthest).map(|it| it.problem);
    let first = problems.next().unwrap_or(NameProblem::Empty);
    NameError::new(furthest, problems.fold(first, NameProblem::or), patterns)
}

fn miss(pattern: &Pattern, text: &str) -> Miss {
    let mut at = 0;
    for (index, segment) in pattern.segments().iter().enumerate() {
        match follow(segment, pattern.segments().get(index + 1), text, at) {
            Ok(end) => at = end,
            Err(miss) => return miss,
        }
    }
    let found = text.get(at..).unwrap_or_default();
    match found.is_empty() {
        // Each id matches alone, and only the expression of the whole name does not.
        true => Miss { at: 0, problem: NameProblem::NoMatch { regex: pattern.regex_text().into() } },
        false => Miss { at, problem: NameProblem::Surplus { found: found.into() } },
    }
}

/// The byte at which the segment after this one begins, or the text ends.
fn follow(segment: &Segment, next: Option<&Segment>, text: &str, at: usize) -> Result<usize, Miss> {
    let start = collection(segment, text, at)?;
    let rest = text.get(start..).unwrap_or_default();
    let length = match next {
        _ if !segment.id.allows_slash() => rest.find('/').unwrap_or(rest.len()),
        Some(next) => rest.rfind(&format!("/{}/", next.collection)).unwrap_or(rest.len()),
        None => rest.len(),
    };
    let id = rest.get(..length).unwrap_or_default();
    if !segment.admits(id) {
        return match id {
            "" => Miss::new(start, NameProblem::EmptySegment),
            _ => Err(wrong_id(segment, id, text, start)),
        };
    }
    match (start + length == text.len(), next) {
        (true, Some(next)) => {
            Miss::new(text.len(), NameProblem::Incomplete { expected: next.to_string().into() })
        }
        (true, None) => Ok(text.len()),
        (false, _) if start + length + 1 == text.len() => {
            Miss::new(text.len() - 1, NameProblem::TrailingSlash)
        }
        (false, _) => Ok(start + length + 1),
    }
}

/// The byte at which the id of the segment begins.
fn collection(segment: &Segment, text: &str, at: usize) -> Result<usize, Miss> {
    let rest = text.get(at..).unwrap_or_default();
    let found = rest.split('/').next().unwrap_or_default();
    let end = at + found.len();
    if found.is_empty() {
        return Miss::new(at, NameProblem::EmptySegment);
    } else if found != &*segment.collection {
        let expected = vec![segment.collection.clone()];
        return Miss::new(at, NameProblem::Collection { found: found.into(), expected });
    }
    match text.len() - end {
        0 => Miss::new(end, NameProblem::Incomplete { expected: format!("{{{}}}", segment.variable).into() }),
        1 => Miss::new(end, NameProblem::TrailingSlash),
        _ => Ok(end + 1),
    }
}

fn wrong_id(segment: &Segment, id: &str, text: &str, start: usize) -> Miss {
    let at = start + segment.id.mismatch(id);
    let ends_with_slash = at + 1 == text.len() && text.ends_with('/');
    match ends_with_slash {
        true => Miss { at, problem: NameProblem::TrailingSlash },
        false => Miss { at, problem: NameProblem::id(segment, id) },
    }
}
