//! What is recorded of a resource, and what is sent of it.

use std::{collections::BTreeSet, rc::Rc};

use model::{Data, DesiredResource, Phase, Pointer, Value};
use protocol::Resource;
use serde_json::{Map, Value as Json};
use state::{Entry, Marks, template};
use types::{OnChange, Trail, Types};

use crate::{create::holds_secret, secrets::Secrets};

/// The attributes that are sent: without those of which no change ever asks for anything.
pub(crate) fn sent(types: &Types, kind: &str, spec: &Value) -> Value {
    let Some(definition) = types.kind(kind) else { return spec.clone() };
    let trail = Trail::object(types, definition);
    let Data::Map(map) = &spec.data else { return spec.clone() };
    let is_sent = |key: &str| trail.step(key).on_change() != OnChange::Nothing;
    let map = map.iter().filter(|(key, _)| is_sent(key)).map(|(key, it)| (key.clone(), it.clone()));
    Value { data: Data::Map(model::map_of(map)), ..spec.clone() }
}

/// Turns resources into entries.
pub(crate) struct Recorder {
    pub(crate) types: Rc<Types>,
    pub(crate) marks: Marks,
    pub(crate) secrets: Secrets,
}

impl Recorder {
    /// An entry for something that is about to be made or changed.
    pub(crate) fn entry(&self, desired: &DesiredResource, sent: &Value, id: &str, generation: u64) -> Entry {
        let mut depends_on: Vec<String> = Vec::new();
        for dependency in &desired.dependencies {
            let to = dependency.to.to_string();
            if !depends_on.contains(&to) {
                depends_on.push(to);
            }
        }
        let kind = &desired.kind;
        let template = self::sent(&self.types, kind, &template(desired));
        Entry {
            kind: kind.to_string(),
            phase: Phase::Pending.as_str().into(),
            id: id.into(),
            template: self.marks.seal(&self.hidden(kind, template)),
            spec: self.marks.seal_fields(&self.hidden(kind, sent.clone())),
            depends_on,
            generation,
            ..Entry::default()
        }
    }

    /// Adds what an adapter told.
    pub(crate) fn with_resource(&self, mut entry: Entry, resource: &Resource) -> Entry {
        entry.phase = resource.phase.as_str().into();
        let kept = marks_in(&entry);
        let mut identity = resource.identity.clone();
        // A resource without identity counts as never made.
        if identity.is_empty() {
            identity.insert("id".into(), resource.id.id.as_str().into());
        }
        entry.identity = Json::Object(self.sealed(&entry.kind, &identity, &kept));
        entry.outputs = self.sealed(&entry.kind, &resource.outputs, &kept);
        entry.tainted = false;
        entry
    }

    /// What an adapter told, as it is kept. What equals a secret of which only a mark is `kept` is one as well: an earlier
    /// run sent it.
    fn sealed(&self, kind: &str, reported: &Map<String, Json>, kept: &BTreeSet<String>) -> Map<String, Json> {
        let mut value = self.hidden(kind, self.secrets.observed(reported));
        self.marks.mark_sensitive(&mut value, kept);
        // Numbers that a value has no room for stay as they are where nothing is hidden.
        let fields = if holds_secret(&value) { self.marks.seal_fields(&value) } else { reported.clone() };
        let redactor = self.secrets.redactor();
        fields.into_iter().map(|(key, it)| (redactor.text(&key).into_owned(), it)).collect()
    }

    fn tainted(&self, mut value: Value) -> Value {
        let sensitive = value.sensitive;
        self.secrets.redactor().taint(&mut value);
        Value { sensitive, ..value }
    }

    /// The same, with all marked that must be hidden: by the kind's definition, or because it equals or contains a secret.
    pub(crate) fn hidden(&self, kind: &str, value: Value) -> Value {
        let value = match self.types.kind(kind) {
            Some(definition) => hide(Trail::object(&self.types, definition), value),
            None => value,
        };
        self.tainted(value)
    }
}

/// The marks of an entry.
fn marks_in(entry: &Entry) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let maps = entry.spec.values().chain(entry.outputs.values());
    maps.chain([&entry.template]).for_each(|it| state::marks_in(it, &mut found));
    found
}

fn hide(trail: Trail<'_>, value: Value) -> Value {
    let data = match value.data {
        Data::Map(map) => Data::Map(model::map_of(
            map.into_iter().map(|(key, it)| (key.clone(), hide(trail.step(&key), it))),
        )),
        Data::List(items) => {
            let items = items.into_iter().enumerate();
            Data::List(items.map(|(index, it)| hide(trail.step(&index.to_string()), it)).collect())
        }
        data => data,
    };
    Value { data, sensitive: value.sensitive || trail.is_sensitive(), ..value }
}

/// What is left by a write that failed: it cannot be used, but it is there, and must be destroyed before it is made
/// again.
pub(crate) fn ruined(entry: Entry) -> Entry {
    let identity = serde_json::json!({"id": entry.id});
    Entry { tainted: true, identity, ..entry }
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

#[cfg(test)]
mod tests;
