use std::cell::RefCell;

use diag::nearest;
use protocol::{Code, Problem, Violation};
use serde_json::Value as Json;

/// All errors of a spec.
#[derive(Debug, Default)]
pub struct SpecErrors(RefCell<Vec<Violation>>);

impl SpecErrors {
    /// Adds an error.
    pub fn add(&self, pointer: &str, detail: impl Into<String>) {
        self.0.borrow_mut().push(Violation { pointer: pointer.to_owned(), detail: detail.into() });
    }

    /// Succeeds if there are no errors.
    ///
    /// # Errors
    /// A problem of that code with all errors.
    pub fn into_result(self, code: Code) -> Result<(), Problem> {
        let violations = self.0.into_inner();
        let Some(first) = violations.first() else { return Ok(()) };
        Err(Problem { violations: violations.clone(), ..Problem::new(code, first.detail.clone()) })
    }
}

/// A value of a spec and its pointer. If it is wrong, an error is reported, and it is read as absent.
#[derive(Clone, Debug)]
pub struct SpecValue<'s> {
    value: &'s Json,
    /// The pointer of the value (RFC 6901).
    pub pointer: String,
    faults: &'s SpecErrors,
}

impl<'s> SpecValue<'s> {
    /// The root of the spec.
    pub fn root(value: &'s Json, faults: &'s SpecErrors) -> Self {
        Self { value, pointer: String::new(), faults }
    }

    /// Reports an error of this value.
    pub fn report(&self, detail: impl Into<String>) {
        self.faults.add(&self.pointer, detail);
    }

    fn member(&self, name: &str, value: &'s Json) -> Self {
        let name = name.replace('~', "~0").replace('/', "~1");
        Self { value, pointer: format!("{}/{name}", self.pointer), faults: self.faults }
    }

    /// The value of a key; null counts as absent.
    pub fn key(&self, name: &str) -> Option<Self> {
        let value = self.value.as_object()?.get(name).filter(|it| !it.is_null())?;
        Some(self.member(name, value))
    }

    /// The items; `None` if it is not a list.
    pub fn items(&self) -> Option<Vec<Self>> {
        let Some(items) = self.value.as_array() else {
            self.report("must be a list");
            return None;
        };
        Some(items.iter().enumerate().map(|(at, value)| self.member(&at.to_string(), value)).collect())
    }

    /// The keys and their values; none if it is not a map.
    pub fn entries(&self) -> Vec<(String, Self)> {
        let Some(map) = self.value.as_object() else {
            self.report("must be a map");
            return Vec::new();
        };
        map.iter().map(|(name, value)| (name.clone(), self.member(name, value))).collect()
    }

    /// True if it is a map.
    pub fn is_map(&self) -> bool {
        self.value.is_object()
    }

    /// The value as it was sent.
    pub const fn json(&self) -> &'s Json {
        self.value
    }

    /// The text; a number or a boolean as it is written.
    pub fn text(&self) -> Option<String> {
        let text = match self.value {
            Json::String(text) => text.clone(),
            Json::Number(number) => number.to_string(),
            Json::Bool(flag) => flag.to_string(),
            Json::Null | Json::Array(_) | Json::Object(_) => {
                self.report("must be text");
                return None;
            }
        };
        if text.contains('\0') {
            self.report("there is a zero byte in this text");
            return None;
        }
        Some(text)
    }

    /// A list of texts, the first of which is a program.
    pub fn words(&self) -> Option<Vec<String>> {
        let words: Vec<String> = self.items()?.iter().filter_map(Self::text).collect();
        if words.is_empty() {
            self.report("there is no program in this list");
            return None;
        }
        Some(words)
    }

    /// An integer within bounds.
    pub fn integer(&self, least: u64, most: u64) -> Option<u64> {
        let number = self.value.as_u64().filter(|it| (least..=most).contains(it));
        if number.is_none() {
            self.report(format!("must be a whole number from {least} to {most}"));
        }
        number
    }

    /// A port number.
    pub fn port(&self) -> Option<u16> {
        self.integer(1, 65535).and_then(|it| u16::try_from(it).ok())
    }

    /// A duration in seconds, up to `most`.
    pub fn seconds(&self, most: u32) -> Option<std::time::Duration> {
        let number = self.value.as_f64().filter(|it| (0.0..=f64::from(most)).contains(it));
        if number.is_none() {
            self.report(format!("must be a number of seconds from 0 to {most}"));
        }
        number.map(std::time::Duration::from_secs_f64)
    }

    /// The option whose name is the text.
    pub fn choice<T: Copy>(&self, options: &[(&str, T)]) -> Option<T> {
        let text = self.text()?;
        let found = options.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        if found.is_none() {
            let names: Vec<&str> = options.iter().map(|(name, _)| *name).collect();
            self.report(format!("must be one of {}", names.join(", ")));
        }
        found
    }

    /// Reports an error for every other key.
    pub fn reject_other_keys(&self, names: &[&str]) {
        for (name, place) in self.entries().iter().filter(|(name, _)| !names.contains(&name.as_str())) {
            let known = names.join(", ");
            place.report(match nearest(name, names.iter().copied()) {
                Some(meant) => format!("`{name}` is not supported; did you mean `{meant}`?"),
                None => format!("`{name}` is not supported; supported keys are {known}"),
            });
        }
    }

    /// Reports an error for keys that look like misspelled ones; other keys are ignored.
    pub fn reject_misspelled_keys(&self, names: &[&str]) {
        for (name, place) in self.entries().iter().filter(|(name, _)| !names.contains(&name.as_str())) {
            if let Some(meant) = nearest(name, names.iter().copied()) {
                place.report(format!("`{name}` is not supported; did you mean `{meant}`?"));
            }
        }
    }
}
