//! Recorded and observed state from their JSON.

use std::{cell::OnceCell, str::FromStr};

use diag::{Code, Diagnostic, Diagnostics, FileId, Location, Source, Span};
use model::{Address, Observed, ObservedResource, Origin, Phase, Recorded, RecordedResource};
use serde_json::{Map as JsonMap, Value as Json};
use syntax::{Limits, Node};

use crate::json::json_to_value;

const BAD_STATE: Code = Code("state/unreadable");
const STATE_FORMAT: &str = "planloom.state/1";
const OBSERVED_FORMAT: &str = "planloom.observed/1";

type Object = JsonMap<String, Json>;

/// Reads `planloom.state/1`; what cannot be read is reported, and then nothing of it is used. `file` is the id that
/// `source` has in the diagnostics.
pub(crate) fn read_state(file: FileId, source: &Source) -> (Recorded, Diagnostics) {
    let mut reader = Reader::new("state", file, source);
    let recorded = reader.state().unwrap_or_default();
    let recorded = if reader.diagnostics.is_empty() { recorded } else { Recorded::default() };
    (recorded, reader.diagnostics)
}

/// Reads `planloom.observed/1`, in the same way.
pub(crate) fn read_observed(file: FileId, source: &Source) -> (Observed, Diagnostics) {
    let mut reader = Reader::new("observed state", file, source);
    let observed = reader.observed().unwrap_or_default();
    let observed = if reader.diagnostics.is_empty() { observed } else { Observed::default() };
    (observed, reader.diagnostics)
}

/// Where the value at `path` is written in a JSON text; the innermost that is there.
pub(crate) fn place_in(file: FileId, source: &Source, path: &[&str]) -> Span {
    let root = root_of(file, source);
    root.map_or(Span::at(file, 0), |root| innermost(&root, path))
}

/// JSON is YAML, so the reader that keeps positions reads it too.
fn root_of(file: FileId, source: &Source) -> Option<Node> {
    syntax::parse(file, &source.text, &Limits::default()).document.root
}

fn innermost(root: &Node, path: &[&str]) -> Span {
    let mut node = root;
    for key in path {
        match node.get(key) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    // A whole object is no place to look at; where it begins is.
    if node.as_mapping().is_some() { Span { end: node.span.start + 1, ..node.span } } else { node.span }
}

struct Reader<'s> {
    what: &'static str,
    file: FileId,
    source: &'s Source,
    /// Read only when there is something to point at.
    root: OnceCell<Option<Node>>,
    diagnostics: Diagnostics,
}

impl<'s> Reader<'s> {
    const fn new(what: &'static str, file: FileId, source: &'s Source) -> Self {
        Self { what, file, source, root: OnceCell::new(), diagnostics: Vec::new() }
    }

    fn report(&mut self, path: &[&str], message: String, help: &str) {
        let root = self.root.get_or_init(|| root_of(self.file, self.source)).as_ref();
        let span = root.map_or(Span::at(self.file, 0), |root| innermost(root, path));
        self.diagnostics.push(Diagnostic::error(BAD_STATE, span, message).help(help));
    }

    fn report_broken(&mut self, error: &serde_json::Error) {
        let column = error.column().max(1) as u32;
        let at = self.source.offset(Location { line: error.line().max(1) as u32, column });
        let message = format!("the {} is not JSON", self.what);
        let help = "give the file that planloom wrote, or leave it out to plan from nothing";
        self.diagnostics.push(Diagnostic::error(BAD_STATE, Span::at(self.file, at), message).help(help));
    }

    fn object(&mut self, format: &str) -> Option<Object> {
        let json: Json = match serde_json::from_str(&self.source.text) {
            Ok(json) => json,
            Err(error) => {
                self.report_broken(&error);
                return None;
            }
        };
        let Json::Object(object) = json else {
            let message = format!("the {} is not a JSON object", self.what);
            self.report(&[], message, "give the file that planloom wrote");
            return None;
        };
        let Some(found) = object.get("format").and_then(Json::as_str) else {
            let help = format!("add `\"format\": \"{format}\"`");
            self.report(&["format"], format!("the {} does not say its format", self.what), &help);
            return None;
        };
        if found != format {
            let message = format!("the {} has the format `{found}`", self.what);
            self.report(&["format"], message, &format!("this version reads `{format}`"));
            return None;
        }
        Some(object)
    }

    fn state(&mut self) -> Option<Recorded> {
        let object = self.object(STATE_FORMAT)?;
        let mut recorded = Recorded {
            deployment: object.get("deployment").and_then(Json::as_str).map(Into::into),
            serial: object.get("serial").and_then(Json::as_u64).unwrap_or(0),
            ..Recorded::default()
        };
        for (name, json) in self.resources(&object)? {
            if let Some((address, resource)) = self.recorded(&name, &json) {
                recorded.resources.insert(address, resource);
            }
        }
        Some(recorded)
    }

    fn resources(&mut self, object: &Object) -> Option<Object> {
        match object.get("resources") {
            Some(Json::Object(resources)) => Some(resources.clone()),
            None => Some(Object::new()),
            Some(_) => {
                let message = format!("`resources` of the {} is not an object", self.what);
                self.report(&["resources"], message, "it maps addresses to resources");
                None
            }
        }
    }

    fn address(&mut self, name: &str, path: &[&str]) -> Option<Address> {
        let address = Address::from_str(name).ok();
        if address.is_none() {
            let message = format!("`{name}` in the {} is not an address", self.what);
            self.report(path, message, "an address is `collection.name` or `collection.name[0]`");
        }
        address
    }

    fn phase(&mut self, name: &str, json: &Json) -> Option<Phase> {
        let phases = [Phase::Pending, Phase::Active, Phase::Terminated];
        let text = json.get("phase").and_then(Json::as_str).unwrap_or("active");
        let phase = phases.into_iter().find(|phase| phase.as_str() == text);
        if phase.is_none() {
            let message = format!("`{name}` in the {} has the phase `{text}`", self.what);
            self.report(
                &["resources", name, "phase"],
                message,
                "a phase is `pending`, `active` or `terminated`",
            );
        }
        phase
    }

    fn recorded(&mut self, name: &str, json: &Json) -> Option<(Address, RecordedResource)> {
        let address = self.address(name, &["resources", name])?;
        let phase = self.phase(name, json)?;
        let Some(kind) = json.get("kind").and_then(Json::as_str) else {
            let message = format!("`{name}` in the {} has no `kind`", self.what);
            self.report(&["resources", name], message, "each resource says its kind");
            return None;
        };
        let part = |key: &str| {
            json.get(key).filter(|it| !it.is_null()).map(|it| json_to_value(it, Origin::Recorded))
        };
        let empty = || json_to_value(&Json::Object(Object::new()), Origin::Recorded);
        let names = json.get("depends_on").and_then(Json::as_array).cloned().unwrap_or_default();
        let within = ["resources", name, "depends_on"];
        let depends_on =
            names.iter().filter_map(Json::as_str).filter_map(|it| self.address(it, &within)).collect();
        let resource = RecordedResource {
            kind: kind.into(),
            phase,
            identity: part("identity"),
            template: part("template"),
            spec: part("spec").unwrap_or_else(empty),
            outputs: part("outputs").unwrap_or_else(empty),
            depends_on,
            protected: json.get("protected").and_then(Json::as_bool).unwrap_or(false),
        };
        Some((address, resource))
    }

    fn observed(&mut self) -> Option<Observed> {
        let object = self.object(OBSERVED_FORMAT)?;
        let mut observed = Observed::default();
        for (name, json) in self.resources(&object)? {
            let Some(address) = self.address(&name, &["resources", &name]) else { continue };
            if json.is_null() {
                observed.resources.insert(address, None);
                continue;
            }
            let Some(phase) = self.phase(&name, &json) else { continue };
            let part = |key: &str| {
                json.get(key).filter(|it| !it.is_null()).map(|it| json_to_value(it, Origin::Observed))
            };
            let resource = ObservedResource { phase, spec: part("spec"), outputs: part("outputs") };
            observed.resources.insert(address, Some(resource));
        }
        Some(observed)
    }
}
