//! Problems in the words of the old version.

use api::{Problem, Violation};
use fields::{FieldPath, ParseError, schema::lower_camel};
use http::Response;
use names::NameError;

use super::names::old_name;
use crate::{Conversion, Direction, KindConversion, LostValue, Unconvertible, codes};

/// A problem of one part of a request.
pub(super) fn part(field: &str, code: &str, message: String, help: String) -> Problem {
    let violation =
        Violation { field: field.to_owned(), code: code.to_owned(), byte: None, message, help: Some(help) };
    Problem::invalid_argument(format!("`{field}`: {}", violation.message)).with(violation)
}

pub(super) fn of_text(field: &str, error: &ParseError) -> Problem {
    at(part(field, error.code.as_str(), error.message.to_string(), error.help.to_string()), error.byte)
}

pub(super) fn of_name(field: &str, error: &NameError) -> Problem {
    at(part(field, error.code(), error.to_string(), error.help()), error.at())
}

fn at(mut problem: Problem, byte: usize) -> Problem {
    problem.violations.iter_mut().for_each(|it| it.byte = Some(byte));
    problem
}

pub(super) fn unconvertible(field: &str, error: Unconvertible) -> Problem {
    part(field, error.code.as_str(), error.message, error.help)
}

pub(super) fn lost(error: &LostValue) -> Problem {
    let message = format!("it is always {} in this version, and is not stored", error.constant);
    let help = "leave the field out, or use the new version of the service".to_owned();
    part(&format!("#{}", error.pointer), codes::CONSTANT.as_str(), message, help)
}

/// A name that is valid in the old version, and would not be in the new one.
pub(super) fn no_name(field: &str, name: &str) -> Problem {
    let message = format!("`{name}` has no counterpart in the version in which resources are stored");
    part(field, codes::NAME.as_str(), message, "use another name".to_owned())
}

pub(super) fn not_valid(kind: &str, violations: Vec<fields::Violation>) -> Problem {
    let violation = |it: fields::Violation| Violation {
        field: format!("#{}", it.pointer),
        code: it.code.as_str().to_owned(),
        byte: None,
        message: it.message,
        help: Some(it.help),
    };
    let violations = violations.into_iter().map(violation).collect();
    Problem { violations, ..Problem::invalid_argument(format!("the `{kind}` is not valid")) }
}

/// A problem of the new version as one of the old version: names, fields and pointers are those that its client knows.
pub(super) struct ProblemWords<'a> {
    pub(super) conversion: &'a Conversion,
    pub(super) kind: Option<KindConversion<'a>>,
}

impl ProblemWords<'_> {
    pub(super) fn response(&self, response: &Response<Vec<u8>>) -> Option<Vec<u8>> {
        let mut problem: Problem = serde_json::from_slice(response.body()).ok()?;
        problem.detail = self.text(&problem.detail);
        for violation in &mut problem.violations {
            violation.field = self.place(&violation.field);
            violation.message = self.text(&violation.message);
            violation.help = violation.help.as_deref().map(|it| self.text(it));
            // The text that the byte is of was another one.
            violation.byte = None;
        }
        serde_json::to_vec(&problem).ok()
    }

    /// A parameter, a place in a body, or the name of a resource.
    fn place(&self, field: &str) -> String {
        match field.strip_prefix('#') {
            Some(pointer) => format!("#{}", self.pointer(pointer)),
            None => self.word(field),
        }
    }

    /// A pointer; its indices stay where they are.
    fn pointer(&self, pointer: &str) -> String {
        let tokens: Vec<&str> = pointer.split('/').skip(1).collect();
        let is_index = |it: &&str| it.bytes().all(|it| it.is_ascii_digit());
        let names: Vec<&str> = tokens.iter().copied().filter(|it| !is_index(it)).collect();
        let Some(path) = FieldPath::parse_json(&names.join(".")).ok().and_then(|it| self.path(&it)) else {
            return pointer.to_owned();
        };
        let names: Vec<String> = path.names().map(lower_camel).collect();
        let mut names = names.into_iter();
        let mut converted = String::new();
        for token in &tokens {
            match is_index(token) {
                true => converted += &format!("/{token}"),
                false => converted.extend(names.next().map(|it| format!("/{it}"))),
            }
        }
        converted.extend(names.map(|it| format!("/{it}")));
        converted
    }

    /// The field of the old version that a field is.
    fn path(&self, path: &FieldPath) -> Option<FieldPath> {
        let kind = self.kind?;
        let typed = path.typed(kind.message(Direction::ToNew)?).ok()?;
        let mut paths = kind.paths(Direction::ToOld, &typed);
        let path = paths.pop();
        path.filter(|_| paths.is_empty())
    }

    /// A text with quoted words.
    fn text(&self, text: &str) -> String {
        let words = text.split('`').enumerate();
        words
            .map(|(at, it)| if at % 2 == 1 { self.word(it) } else { it.to_owned() })
            .collect::<Vec<_>>()
            .join("`")
    }

    /// A word that may be a name or a field.
    pub(super) fn word(&self, word: &str) -> String {
        if let Some(name) = old_name(self.conversion, word) {
            return name;
        }
        let field = FieldPath::parse(word).ok().and_then(|it| self.path(&it));
        let names = self.kind.and_then(|it| Some((it.old_kind()?, it.new_kind()?)));
        match (field, names) {
            (Some(field), _) => field.to_string(),
            (None, Some((old, new))) if *new.name == *word => old.name.to_string(),
            (None, _) => word.to_owned(),
        }
    }
}
