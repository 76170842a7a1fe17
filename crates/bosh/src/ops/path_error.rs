use std::sync::Arc;

use diag::Diagnostic;
use syntax::{Mapping, Node};

use super::{
    operation::{Kind, Operation},
    path::escaped,
};
use crate::{codes, reporter::Reporter, shape::with_article};

/// The reason why a path has no target.
#[derive(Debug)]
pub(super) struct PathError {
    /// The index of the step that failed.
    step: usize,
    why: PathErrorKind,
    /// Nothing is there, and something could be. Otherwise the path fits no value, or several.
    is_missing: bool,
}

#[derive(Debug)]
enum PathErrorKind {
    Other(String),
    /// No item with this name among these.
    NoName {
        expected: Arc<str>,
        names: Vec<String>,
        one: &'static str,
        many: &'static str,
    },
}

pub(super) type PathResult<T> = Result<T, PathError>;

impl PathError {
    pub(super) fn new(step: usize, message: impl Into<String>) -> Self {
        Self { step, why: PathErrorKind::Other(message.into()), is_missing: false }
    }

    /// An error for a step whose target does not exist.
    pub(super) fn missing(step: usize, message: impl Into<String>) -> Self {
        Self { is_missing: true, ..Self::new(step, message) }
    }

    /// True if all but the last of so many steps exist.
    pub(super) const fn misses_last(&self, steps: usize) -> bool {
        self.is_missing && self.step + 1 == steps
    }

    /// A map has no such key.
    pub(super) fn key(step: usize, key: &Arc<str>, mapping: &Mapping) -> Self {
        let names = mapping.entries.iter().map(|it| it.key.to_string()).collect();
        Self {
            step,
            why: PathErrorKind::NoName { expected: Arc::clone(key), names, one: "key", many: "keys" },
            is_missing: true,
        }
    }

    /// A list has no item in which a key has a value.
    pub(super) fn item(step: usize, key: &str, value: &Arc<str>, items: &[Node]) -> Self {
        if key != "name" {
            return Self::missing(step, format!("no item has the {key} `{value}`"));
        }
        let names = items.iter().filter_map(|it| it.get(key)?.as_str()).map(str::to_owned).collect();
        Self {
            step,
            why: PathErrorKind::NoName { expected: Arc::clone(value), names, one: "item", many: "items" },
            is_missing: true,
        }
    }
}

impl Operation<'_> {
    /// The error that a node is of another kind than expected.
    pub(super) fn no(&self, at: usize, expected: &str, kind: &str) -> PathError {
        PathError::new(at, format!("{} is {}, not {expected}", self.up_to(at), with_article(kind)))
    }

    /// The part of the path that exists, as in a message.
    fn up_to(&self, at: usize) -> String {
        let end = at.checked_sub(1).map_or(0, |it| self.path.steps[it].bytes.end);
        if end == 0 { "the document".into() } else { format!("`{}`", &self.text[..end]) }
    }

    /// Reports the part of the path that exists, and what could follow it.
    pub(super) fn report(&self, error: &PathError, reporter: &mut Reporter) {
        let span = self.span_of(&self.path.steps[error.step].bytes);
        let nowhere = |what: &str| {
            Diagnostic::error(codes::OPS_NOWHERE, span, format!("the path does not exist: {what}"))
        };
        let found = match &error.why {
            PathErrorKind::Other(message) => nowhere(message),
            PathErrorKind::NoName { expected, names, one, many } => {
                let found = nowhere(&format!("{} has no {one} `{expected}`", self.up_to(error.step)));
                self.suggest(found, error.step, expected, names, many, reporter)
            }
        };
        reporter.push(self.explained(found));
    }

    /// A problem with what the author of the operation says about it.
    pub(super) fn explained(&self, found: Diagnostic) -> Diagnostic {
        match &self.explanation {
            Some((text, span)) => found.related(*span, format!("its author says: {text}")),
            None => found,
        }
    }

    fn suggest(
        &self,
        found: Diagnostic,
        step: usize,
        expected: &str,
        names: &[String],
        many: &str,
        reporter: &mut Reporter,
    ) -> Diagnostic {
        let names = names.iter().map(String::as_str);
        let step = &self.path.steps[step];
        let (span, text) = (self.span_of(&step.bytes), &self.text[step.bytes.clone()]);
        let Some(near) = reporter.nearest(expected, names.clone()) else {
            let mut found = reporter.help(found, expected, names, many);
            if let (Some(help), Kind::Replace(_)) = (&mut found.help, self.kind) {
                help.push_str(&format!("; `{text}?` creates what is missing"));
            }
            return found;
        };
        let found = found.help(format!("did you mean `{near}`?"));
        match renamed(text, expected, near).filter(|_| span != self.written.span) {
            Some(renamed) => found.replace(format!("Change to `{near}`"), span, renamed),
            None => found,
        }
    }
}

/// A step's text with another name, which is the last part before modifiers.
fn renamed(step: &str, from: &str, to: &str) -> Option<String> {
    let end = step.find(':').unwrap_or(step.len());
    let from = escaped(from);
    let at = step[..end].rfind(&from)?;
    Some([&step[..at], &escaped(to), &step[at + from.len()..]].concat())
}
