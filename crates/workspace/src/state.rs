//! Recorded and observed state from their JSON.

use std::str::FromStr;

use diag::{Code, Diagnostic, Diagnostics};
use model::{Address, Observed, ObservedResource, Origin, Phase, Recorded, RecordedResource};
use serde_json::{Map as JsonMap, Value as Json};

use crate::json::json_to_value;

const BAD_STATE: Code = Code("state/unreadable");
const STATE_FORMAT: &str = "planloom.state/1";
const OBSERVED_FORMAT: &str = "planloom.observed/1";

type Object = JsonMap<String, Json>;

/// Reads `planloom.state/1`; what cannot be read is reported, and then nothing of it is used.
pub(crate) fn read_state(text: &str) -> (Recorded, Diagnostics) {
    let mut reader = Reader { what: "state", diagnostics: Vec::new() };
    let recorded = reader.state(text).unwrap_or_default();
    let recorded = if reader.diagnostics.is_empty() { recorded } else { Recorded::default() };
    (recorded, reader.diagnostics)
}

/// Reads `planloom.observed/1`.
pub(crate) fn read_observed(text: &str) -> (Observed, Diagnostics) {
    let mut reader = Reader { what: "observed state", diagnostics: Vec::new() };
    let observed = reader.observed(text).unwrap_or_default();
    let observed = if reader.diagnostics.is_empty() { observed } else { Observed::default() };
    (observed, reader.diagnostics)
}

struct Reader {
    what: &'static str,
    diagnostics: Diagnostics,
}

impl Reader {
    fn report(&mut self, message: String, help: &str) {
        self.diagnostics.push(Diagnostic::error(BAD_STATE, None, message).help(help));
    }

    fn object(&mut self, text: &str, format: &str) -> Option<Object> {
        let json: Json = match serde_json::from_str(text) {
            Ok(json) => json,
            Err(error) => {
                let message = format!(
                    "the {} is not JSON (line {}, column {})",
                    self.what,
                    error.line(),
                    error.column()
                );
                self.report(
                    message,
                    "give the file that planloom wrote, or leave it out to plan from nothing",
                );
                return None;
            }
        };
        let Json::Object(object) = json else {
            self.report(
                format!("the {} is not a JSON object", self.what),
                "give the file that planloom wrote",
            );
            return None;
        };
        match object.get("format").and_then(Json::as_str) {
            Some(found) if found == format => Some(object),
            Some(found) => {
                let message = format!("the {} has the format `{found}`", self.what);
                self.report(message, &format!("this version reads `{format}`"));
                None
            }
            None => {
                self.report(
                    format!("the {} does not say its format", self.what),
                    &format!("add `\"format\": \"{format}\"`"),
                );
                None
            }
        }
    }

    fn state(&mut self, text: &str) -> Option<Recorded> {
        let object = self.object(text, STATE_FORMAT)?;
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
                self.report(message, "it maps addresses to resources");
                None
            }
        }
    }

    fn address(&mut self, name: &str) -> Option<Address> {
        let address = Address::from_str(name).ok();
        if address.is_none() {
            let message = format!("`{name}` in the {} is not an address", self.what);
            self.report(message, "an address is `collection.name` or `collection.name[0]`");
        }
        address
    }

    fn phase(&mut self, name: &str, json: &Json) -> Option<Phase> {
        let phases = [Phase::Pending, Phase::Active, Phase::Terminated];
        let text = json.get("phase").and_then(Json::as_str).unwrap_or("active");
        let phase = phases.into_iter().find(|phase| phase.as_str() == text);
        if phase.is_none() {
            let message = format!("`{name}` in the {} has the phase `{text}`", self.what);
            self.report(message, "a phase is `pending`, `active` or `terminated`");
        }
        phase
    }

    fn recorded(&mut self, name: &str, json: &Json) -> Option<(Address, RecordedResource)> {
        let address = self.address(name)?;
        let phase = self.phase(name, json)?;
        let Some(kind) = json.get("kind").and_then(Json::as_str) else {
            self.report(
                format!("`{name}` in the {} has no `kind`", self.what),
                "each resource says its kind",
            );
            return None;
        };
        let part = |key: &str| {
            json.get(key).filter(|it| !it.is_null()).map(|it| json_to_value(it, Origin::Recorded))
        };
        let empty = || json_to_value(&Json::Object(Object::new()), Origin::Recorded);
        let names = json.get("depends_on").and_then(Json::as_array).cloned().unwrap_or_default();
        let depends_on =
            names.iter().filter_map(Json::as_str).filter_map(|name| self.address(name)).collect();
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

    fn observed(&mut self, text: &str) -> Option<Observed> {
        let object = self.object(text, OBSERVED_FORMAT)?;
        let mut observed = Observed::default();
        for (name, json) in self.resources(&object)? {
            let Some(address) = self.address(&name) else { continue };
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
