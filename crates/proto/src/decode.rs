//! Reads options' messages: a value of a wrong type is reported with its place.

use std::sync::Arc;

use diag::{Code, Diagnostic, Diagnostics, Span, nearest};

use crate::{
    aggregate::{Data, Entry},
    codes,
};

/// The values of an enumeration in the order of their numbers, from 0.
pub(crate) type Choices<T> = [(&'static str, T)];

/// Reads fields of options.
#[derive(Debug)]
pub(crate) struct Decoder<'d> {
    found: &'d mut Diagnostics,
}

impl<'d> Decoder<'d> {
    /// Reports to `found`.
    pub(crate) const fn new(found: &'d mut Diagnostics) -> Self {
        Self { found }
    }

    /// Reports something else.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// A string.
    pub(crate) fn text(&mut self, entry: &Entry) -> Option<Arc<str>> {
        match &entry.value.data {
            Data::Text(text) => Some(text.as_str().into()),
            Data::Symbol(_) | Data::Number(_) | Data::Body(_) => self.mismatch(entry, "a string"),
        }
    }

    /// A string that replaces another one.
    pub(crate) fn set(&mut self, entry: &Entry, text: &mut Arc<str>) {
        if let Some(new) = self.text(entry) {
            *text = new;
        }
    }

    /// One more string of a list.
    pub(crate) fn push(&mut self, entry: &Entry, list: &mut Vec<Arc<str>>) {
        list.extend(self.text(entry));
    }

    /// `true` or `false`; false where it is neither.
    pub(crate) fn flag(&mut self, entry: &Entry) -> bool {
        match &entry.value.data {
            Data::Symbol(it) if matches!(&**it, "true" | "True" | "t") => true,
            Data::Symbol(it) if matches!(&**it, "false" | "False" | "f") => false,
            Data::Number(it) if *it == 0.0 || *it == 1.0 => *it == 1.0,
            _ => self.mismatch(entry, "`true` or `false`").unwrap_or(false),
        }
    }

    /// A number.
    pub(crate) fn number(&mut self, entry: &Entry) -> Option<f64> {
        match entry.value.data {
            Data::Number(number) => Some(number),
            Data::Symbol(_) | Data::Text(_) | Data::Body(_) => self.mismatch(entry, "a number"),
        }
    }

    /// A number of the type `int32`.
    pub(crate) fn int(&mut self, entry: &Entry) -> Option<i32> {
        match entry.value.data {
            Data::Number(it) if it.fract() == 0.0 && it.abs() <= f64::from(i32::MAX) => Some(it as i32),
            _ => self.mismatch(entry, "an integer"),
        }
    }

    /// The fields of a message; none where it is no message.
    pub(crate) fn body<'e>(&mut self, entry: &'e Entry) -> &'e [Entry] {
        match &entry.value.data {
            Data::Body(body) => body,
            Data::Symbol(_) | Data::Number(_) | Data::Text(_) => {
                self.mismatch(entry, "a message in `{ }`").unwrap_or(&[])
            }
        }
    }

    /// The number of a message such as `google.protobuf.Int64Value`; 0 where it has none.
    pub(crate) fn wrapped(&mut self, entry: &Entry) -> Option<f64> {
        let mut number = Some(0.0);
        for field in self.body(entry) {
            match &*field.name {
                "value" => number = self.number(field),
                _ => self.unknown(field, "google.protobuf wrappers", &["value"]),
            }
        }
        matches!(entry.value.data, Data::Body(_)).then_some(number).flatten()
    }

    /// A count in a message such as `google.protobuf.UInt64Value`.
    pub(crate) fn wrapped_count(&mut self, entry: &Entry) -> Option<u64> {
        let number = self.wrapped(entry)?;
        if number < 0.0 || number.fract() != 0.0 {
            return self.mismatch(entry, "a count");
        }
        Some(number as u64)
    }

    /// Seconds in a `google.protobuf.Duration` or `google.protobuf.Timestamp`.
    pub(crate) fn seconds(&mut self, entry: &Entry) -> Option<f64> {
        let mut seconds = 0.0;
        for field in self.body(entry) {
            match &*field.name {
                "seconds" => seconds += self.number(field)?,
                "nanos" => seconds += self.number(field)? / 1e9,
                _ => self.unknown(field, "google.protobuf durations and timestamps", &["seconds", "nanos"]),
            }
        }
        matches!(entry.value.data, Data::Body(_)).then_some(seconds)
    }

    /// A value of an enumeration, by its name or number.
    pub(crate) fn choice<T: Copy>(&mut self, entry: &Entry, code: Code, choices: &Choices<T>) -> Option<T> {
        let (name, choice) = match &entry.value.data {
            Data::Symbol(name) => (name.clone(), choices.iter().find(|it| it.0 == name)),
            Data::Number(number) => {
                let is_meant = |it: &(usize, _)| it.0 as f64 == *number;
                (number.to_string(), choices.iter().enumerate().find(is_meant).map(|it| it.1))
            }
            Data::Text(_) | Data::Body(_) => {
                return self.mismatch(entry, "the name of an enumeration's value");
            }
        };
        if choice.is_none() {
            self.unknown_choice(entry, code, &name, choices.iter().map(|it| it.0));
        }
        choice.map(|it| it.1)
    }

    fn unknown_choice(
        &mut self,
        entry: &Entry,
        code: Code,
        name: &str,
        choices: impl Iterator<Item = &'static str> + Clone,
    ) {
        let message = format!("`{}` has no value `{name}`", entry.name);
        let help = nearest(name, choices.clone()).map_or_else(
            || format!("use one of {}", choices.map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")),
            |similar| format!("use `{similar}`"),
        );
        self.report(Diagnostic::error(code, entry.value.at, message).help(help));
    }

    /// Reports a field that an option's message does not have.
    pub(crate) fn unknown(&mut self, entry: &Entry, message: &str, known: &[&str]) {
        let name = &entry.name;
        let diagnostic = Diagnostic::warning(
            codes::UNKNOWN_OPTION_FIELD,
            entry.at,
            format!("`{message}` has no field `{name}`; it is ignored"),
        );
        self.report(match nearest(name, known.iter().copied()) {
            Some(similar) => diagnostic.help(format!("use `{similar}`")),
            None => diagnostic.help("remove it, or check its name"),
        });
    }

    /// Reports a value of another type.
    pub(crate) fn mismatch<T>(&mut self, entry: &Entry, expected: &str) -> Option<T> {
        let message = format!("`{}` requires {expected}, not {}", entry.name, kind(&entry.value.data));
        self.report(
            Diagnostic::error(codes::OPTION_TYPE, entry.value.at, message).help(format!("write {expected}")),
        );
        None
    }

    /// Reports an option that does not fit where it is written.
    pub(crate) fn misplaced(&mut self, at: Span, message: impl Into<String>, help: impl Into<String>) {
        self.report(Diagnostic::error(codes::OPTION_MISMATCH, at, message).help(help));
    }
}

const fn kind(data: &Data) -> &'static str {
    match data {
        Data::Symbol(_) => "an identifier",
        Data::Number(_) => "a number",
        Data::Text(_) => "a string",
        Data::Body(_) => "a message",
    }
}
