//! Templates of paths: `/v1/{parent=projects/*}/secrets:search`.

use names::Pattern;

use super::Shape;

/// A template of a path.
#[derive(Clone, Debug)]
pub(super) struct Template {
    pub(super) verb: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    /// Text as it is.
    Text(String),
    /// A field of the request, and the collections and ids that it has.
    Field {
        name: String,
        /// Segments; `None` is any one segment.
        segments: Vec<Option<String>>,
        /// The pattern, where an id may contain `/`: it decides.
        pattern: Option<Pattern>,
    },
}

impl Template {
    /// Reads a template. `patterns` are those that its variables can have.
    pub(super) fn parse(path: &str, patterns: &[Pattern]) -> Self {
        let (path, verb) = split_verb(path);
        let (mut parts, mut rest) = (Vec::new(), path);
        while let Some((text, tail)) = rest.split_once('{') {
            let (variable, after) = tail.split_once('}').unwrap_or((tail, ""));
            if !text.is_empty() {
                parts.push(Part::Text(text.to_owned()));
            }
            parts.push(field(variable, patterns));
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        Self { verb: verb.to_owned(), parts }
    }

    /// The shape by which it is found; `None` if an id may contain `/`.
    pub(super) fn shape(&self) -> Option<Shape> {
        let mut segments: Vec<Option<String>> = Vec::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => {
                    segments
                        .extend(text.split('/').filter(|it| !it.is_empty()).map(|it| Some(it.to_owned())));
                }
                Part::Field { pattern: Some(_), .. } => return None,
                Part::Field { segments: of_field, .. } => segments.extend(of_field.iter().cloned()),
            }
        }
        Some(shape(&segments))
    }

    /// The fields of a path; `None` if the path is another one.
    pub(super) fn read<'a>(&self, path: &'a str) -> Option<Vec<(String, &'a str)>> {
        let (mut fields, mut rest) = (Vec::new(), path);
        for (at, part) in self.parts.iter().enumerate() {
            match part {
                Part::Text(text) => rest = rest.strip_prefix(text.as_str())?,
                Part::Field { name, segments, pattern } => {
                    let end = match pattern {
                        Some(_) => self.end_before(at, rest)?,
                        None => end_of(segments, rest)?,
                    };
                    let (text, after) = rest.split_at_checked(end)?;
                    if pattern
                        .as_ref()
                        .is_some_and(|it| it.parse(text).is_none() && !looks_like(segments, text))
                    {
                        return None;
                    }
                    fields.push((name.clone(), text));
                    rest = after;
                }
            }
        }
        rest.is_empty().then_some(fields)
    }

    /// The end of a field with slashes in its ids: before the last occurrence of the text that follows.
    fn end_before(&self, at: usize, rest: &str) -> Option<usize> {
        match self.parts.get(at + 1) {
            Some(Part::Text(text)) => rest.rfind(text.as_str()),
            Some(Part::Field { .. }) | None => Some(rest.len()),
        }
    }
}

fn split_verb(path: &str) -> (&str, &str) {
    let split = path.rsplit_once(':').filter(|(_, verb)| !verb.contains(['/', '}']));
    split.unwrap_or((path, ""))
}

fn field(variable: &str, patterns: &[Pattern]) -> Part {
    let (name, template) = variable.split_once('=').unwrap_or((variable, "*"));
    let segment = |it: &str| (it != "*").then(|| it.to_owned());
    let pattern = patterns.iter().find(|it| it.http() == template);
    let has_slashes = |it: &&Pattern| it.segments().iter().any(|it| it.id.allows_slash());
    Part::Field {
        name: name.to_owned(),
        segments: template.split('/').map(segment).collect(),
        pattern: pattern.filter(has_slashes).cloned(),
    }
}

/// The end of the segments of a field in a text.
fn end_of(segments: &[Option<String>], text: &str) -> Option<usize> {
    let mut end = 0;
    for (at, segment) in segments.iter().enumerate() {
        if at > 0 {
            end += 1;
            if text.get(end - 1..end) != Some("/") {
                return None;
            }
        }
        let rest = text.get(end..)?;
        let length = rest.find('/').unwrap_or(rest.len());
        let found = rest.get(..length)?;
        if found.is_empty() || segment.as_ref().is_some_and(|it| it != found) {
            return None;
        }
        end += length;
    }
    Some(end)
}

/// True if a name that is wrong was meant to be one of these segments, so that the mistake is reported there.
fn looks_like(segments: &[Option<String>], text: &str) -> bool {
    end_of(segments, text) == Some(text.len())
}

/// The shape by which the segments of a path are found.
fn shape(segments: &[Option<String>]) -> Shape {
    (segments.len(), segments.iter().flatten().cloned().collect())
}

/// The shapes that a path can have: its first segments, of prefix and version, then collections and ids by turns, with a
/// collection at the end or not.
pub(super) fn shapes(segments: &[&str]) -> Vec<Shape> {
    let segments: Vec<&str> = segments.iter().copied().filter(|it| !it.is_empty()).collect();
    let with_prefix = |prefix: usize| {
        let is_fixed = |at: usize| at < prefix || (at - prefix).is_multiple_of(2);
        let fixed = segments.iter().enumerate().filter(|(at, _)| is_fixed(*at));
        (segments.len(), fixed.map(|(_, it)| (*it).to_owned()).collect())
    };
    // `/v1/…` and `/meta/v1/…`.
    vec![with_prefix(1), with_prefix(2)]
}
