//! What is recorded of a resource, and what is sent of it.

use model::{Data, DesiredResource, Phase, Pointer, Value};
use protocol::Resource;
use serde_json::{Map, Value as Json};
use state::Entry;
use types::{OnChange, Trail, Types};

use crate::json;

/// The attributes that are sent: without those of which no change ever asks for anything.
pub(crate) fn sent(types: &Types, kind: &str, spec: &Value) -> Value {
    let Some(definition) = types.kind(kind) else { return spec.clone() };
    let trail = Trail::object(types, definition);
    let Data::Map(map) = &spec.data else { return spec.clone() };
    let is_sent = |key: &str| trail.step(key).on_change() != OnChange::Nothing;
    let map = map.iter().filter(|(key, _)| is_sent(key)).map(|(key, it)| (key.clone(), it.clone()));
    Value { data: Data::Map(map.collect()), ..spec.clone() }
}

/// An entry for something that is about to be made or changed.
pub(crate) fn entry(desired: &DesiredResource, sent: &Value, id: &str, generation: u64) -> Entry {
    let mut depends_on: Vec<String> = Vec::new();
    for dependency in &desired.dependencies {
        let to = dependency.to.to_string();
        if !depends_on.contains(&to) {
            depends_on.push(to);
        }
    }
    Entry {
        kind: desired.kind.to_string(),
        phase: Phase::Pending.as_str().into(),
        id: id.into(),
        template: template(desired, sent),
        spec: object(json::clear(sent)),
        depends_on,
        generation,
        ..Entry::default()
    }
}

/// The attributes with the `${…}` text as it was written.
fn template(desired: &DesiredResource, sent: &Value) -> Json {
    let mut template = json::clear(sent);
    for (path, text) in &desired.templates {
        if let Some(place) = template.pointer_mut(path.as_str()) {
            *place = Json::String(text.to_string());
        }
    }
    template
}

/// Adds what an adapter told.
pub(crate) fn told(mut entry: Entry, resource: &Resource) -> Entry {
    entry.phase = resource.phase.as_str().into();
    let mut identity = resource.identity.clone();
    // A resource without identity counts as never made.
    if identity.is_empty() {
        identity.insert("id".into(), resource.id.id.as_str().into());
    }
    entry.identity = Json::Object(identity);
    entry.outputs = resource.outputs.clone();
    entry.tainted = false;
    entry
}

/// What is left of one whose real thing is gone although it is wanted.
pub(crate) fn ended(entry: &Entry) -> Entry {
    Entry {
        phase: Phase::Terminated.as_str().into(),
        identity: Json::Null,
        outputs: Map::new(),
        ..entry.clone()
    }
}

/// Where the pointers of an adapter's complaint are written.
pub(crate) fn origin(desired: &DesiredResource, pointer: &str) -> Option<diag::Span> {
    let mut path = Pointer::parse(pointer);
    loop {
        if let Some(value) = desired.spec.at(&path) {
            return value.origin.span().or(Some(desired.declared));
        }
        path = path.split_last()?.0;
    }
}

fn object(json: Json) -> Map<String, Json> {
    match json {
        Json::Object(map) => map,
        _ => Map::new(),
    }
}
