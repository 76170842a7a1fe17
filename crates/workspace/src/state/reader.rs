use std::cell::OnceCell;

use diag::{Diagnostic, Diagnostics, FileId, Label, Location, Source, Span};
use serde_json::{Error as JsonError, Map as JsonMap, Value as Json};
use state::{
    checksum,
    strict::{self, ParseError},
};
use syntax::Node;

use super::{innermost, root_of};
use crate::codes;

pub(crate) type Object = JsonMap<String, Json>;

/// One of the two files, and its problems.
pub(crate) struct Reader<'s> {
    /// Its name in messages.
    pub(crate) what: &'static str,
    file: FileId,
    source: &'s Source,
    /// Read only when there is something to point at.
    root: OnceCell<Option<Node>>,
    pub(crate) diagnostics: Diagnostics,
}

impl<'s> Reader<'s> {
    pub(crate) const fn new(what: &'static str, file: FileId, source: &'s Source) -> Self {
        Self { what, file, source, root: OnceCell::new(), diagnostics: Vec::new() }
    }

    fn root(&self) -> Option<&Node> {
        self.root.get_or_init(|| root_of(self.file, self.source)).as_ref()
    }

    /// The span of the value at `path`.
    fn place(&self, path: &[&str]) -> Span {
        self.root().map_or(Span::at(self.file, 0), |root| innermost(root, path))
    }

    pub(crate) fn report(&mut self, path: &[&str], message: impl Into<String>, help: &str) {
        let found = Diagnostic::error(codes::state::UNREADABLE, self.place(path), message).help(help);
        self.diagnostics.push(found);
    }

    /// Two keys of `resources` are one address.
    pub(crate) fn report_same(&mut self, first: &str, again: &str) {
        let key = |name: &str| {
            let resources = self.root().and_then(|root| root.get("resources")?.as_mapping());
            let entry = resources.and_then(|it| it.entries.iter().find(|entry| *entry.key == *name));
            entry.map_or(Span::at(self.file, 0), |it| it.key_span)
        };
        let message = format!("`{again}` and `{first}` in the {} are one address", self.what);
        let (first_place, again_place) = (key(first), key(again));
        let mut found = Diagnostic::error(codes::state::DUPLICATE_ADDRESS, again_place, message);
        found.related.push(Label { span: first_place, message: "the other one is here".to_owned() });
        self.diagnostics.push(found.help("remove the one that is out of date"));
    }

    fn report_at(&mut self, at: Span, message: String, help: &str) {
        self.diagnostics.push(Diagnostic::error(codes::state::UNREADABLE, at, message).help(help));
    }

    fn place_of(&self, at: &JsonError) -> Span {
        let line = self.source.offset(Location { line: at.line().max(1) as u32, column: 1 });
        // Its columns are bytes.
        let at = line + at.column().saturating_sub(1) as u32;
        Span::at(self.file, self.source.text.floor_char_boundary(at as usize) as u32)
    }

    /// The key that ends there.
    fn key_before(&self, key: &str, at: &JsonError) -> Span {
        let place = self.place_of(at);
        let quoted = Json::from(key).to_string();
        let text = self.source.text.get(..=place.start as usize).unwrap_or_default();
        match text.strip_suffix(quoted.as_str()) {
            Some(before) => Span { start: before.len() as u32, end: text.len() as u32, ..place },
            None => place,
        }
    }

    fn report_unread(&mut self, why: &ParseError) {
        let what = self.what;
        match why {
            ParseError::Broken(at) => {
                let help = "give the file that planloom wrote, or leave it out to plan from nothing";
                self.report_at(self.place_of(at), format!("the {what} is not JSON"), help);
            }
            ParseError::Twice(key, at) => {
                let message = format!("the key `{key}` occurs twice in one object of the {what}");
                let help = "remove the one that is out of date";
                self.report_at(self.key_before(key, at), message, help);
            }
            ParseError::TooDeep(at) => {
                let help = "give the file that planloom wrote";
                self.report_at(self.place_of(at), format!("the {what} is nested too deep here"), help);
            }
        }
    }

    /// The whole file, if it is one of that format.
    pub(crate) fn document(&mut self, format: &str) -> Option<Object> {
        let what = self.what;
        let mut object = match strict::read(&self.source.text) {
            Ok(Json::Object(object)) => object,
            Ok(_) => {
                let message = format!("the {what} is not a JSON object");
                self.report(&[], message, "give the file that planloom wrote");
                return None;
            }
            Err(why) => {
                self.report_unread(&why);
                return None;
            }
        };
        let Some(found) = object.get("format").and_then(Json::as_str) else {
            let help = format!("add `\"format\": \"{format}\"`");
            self.report(&["format"], format!("the {what} has no format"), &help);
            return None;
        };
        if found != format {
            let message = format!("the {what} has the format `{found}`");
            self.report(&["format"], message, &format!("this version reads `{format}`"));
            return None;
        }
        if let Err(damage) = checksum::verify(&mut object) {
            let help = "`planloom state history` lists the versions, and `planloom state restore` restores an \
                 intact one";
            self.report(&[damage.field()], format!("the {what} is not what was written: {damage}"), help);
            return None;
        }
        Some(object)
    }

    /// The resources by address. A file without any declares it with `{}`: a misspelt key must not pass for
    /// that.
    pub(crate) fn resources<'o>(&mut self, document: &'o Object) -> Option<&'o Object> {
        let help = "it must map addresses to resources; write `{}` for none";
        let message = match document.get("resources") {
            Some(Json::Object(resources)) => return Some(resources),
            Some(_) => format!("`resources` of the {} is not an object", self.what),
            None => format!("the {} has no `resources`", self.what),
        };
        self.report(&["resources"], message, help);
        None
    }
}
