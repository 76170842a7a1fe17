//! Conversion of resources to state entries, and to the attributes that are sent.

use std::{collections::BTreeSet, rc::Rc};

use model::{Data, DesiredResource, Phase, Pointer, Value};
use protocol::Resource;
use serde_json::{Map, Value as Json};
use state::{Entry, Marks, Restarts, template};
use types::{OnChange, Trail, Types, normalize};

use crate::{create::holds_secret, secrets::Secrets};

/// The attributes that are sent, in their normal form: without those of which no difference ever causes an action. Items of sets
/// stay where they are, as they have places in the files.
pub(crate) fn sent(types: &Types, kind: &str, spec: &Value) -> Value {
    let Some(definition) = types.kind(kind) else { return spec.clone() };
    let trail = Trail::object(types, definition);
    let Data::Map(map) = &spec.data else { return spec.clone() };
    let is_sent = |key: &str| trail.step(key).on_change() != OnChange::Nothing;
    let map = map.iter().filter(|(key, _)| is_sent(key)).map(|(key, it)| (key.clone(), it.clone()));
    let mut map = model::map_of(map);
    normalize(types, definition, &mut map, &|_| true);
    Value { data: Data::Map(map), ..spec.clone() }
}

/// Turns resources into entries.
pub(crate) struct Recorder {
    pub(crate) types: Rc<Types>,
    pub(crate) marks: Marks,
    pub(crate) secrets: Secrets,
}

impl Recorder {
    /// An entry for a resource that is about to be created or changed.
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

    /// Adds what an adapter reported.
    pub(crate) fn with_resource(&self, mut entry: Entry, resource: &Resource) -> Entry {
        entry.phase = resource.phase.as_str().into();
        let kept = marks_in(&entry);
        let mut identity = resource.identity.clone();
        // A resource without identity counts as never created.
        if identity.is_empty() {
            identity.insert("id".into(), resource.id.id.as_str().into());
        }
        entry.identity = Json::Object(self.sealed(&entry.kind, &identity, &kept));
        entry.outputs = self.sealed(&entry.kind, &resource.outputs, &kept);
        entry.tainted = false;
        entry
    }

    /// The fields that an adapter reported, as they are kept. A value that equals a secret of which only a
    /// mark is `kept` is a secret as well: an earlier run sent it.
    fn sealed(&self, kind: &str, reported: &Map<String, Json>, kept: &BTreeSet<String>) -> Map<String, Json> {
        let mut value = self.hidden(kind, self.secrets.observed(reported));
        self.marks.mark_sensitive(&mut value, kept);
        // Numbers that do not fit into a value are kept as reported if nothing is hidden.
        let fields = if holds_secret(&value) { self.marks.seal_fields(&value) } else { reported.clone() };
        let redactor = self.secrets.redactor();
        fields.into_iter().map(|(key, it)| (redactor.text(&key).into_owned(), it)).collect()
    }

    fn tainted(&self, mut value: Value) -> Value {
        let sensitive = value.sensitive;
        self.secrets.redactor().taint(&mut value);
        Value { sensitive, ..value }
    }

    /// The same value with all parts marked that must be hidden: by the kind's definition, or because they
    /// equal or contain a secret.
    pub(crate) fn hidden(&self, kind: &str, value: Value) -> Value {
        let value = match self.types.kind(kind) {
            Some(definition) => hide(Trail::object(&self.types, definition), value),
            None => value,
        };
        self.tainted(value)
    }
}

/// The marks in an entry.
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

/// The record of a resource after a watch could not restore it: as before, with the number of attempts; `None` if it was no
/// watch.
pub(crate) fn tried(before: Option<Entry>, restarts: Option<Restarts>) -> Option<Entry> {
    Some(Entry { restarts: Some(restarts?), ..before? })
}

/// The entry after a failed write that left something unusable: it exists, and must be destroyed before it is
/// created again.
pub(crate) fn ruined(entry: Entry) -> Entry {
    let identity = serde_json::json!({"id": entry.id});
    Entry { tainted: true, identity, ..entry }
}

/// The entry of a desired resource that does not exist any more.
pub(crate) fn ended(entry: &Entry) -> Entry {
    Entry {
        phase: Phase::Terminated.as_str().into(),
        identity: Json::Null,
        outputs: Map::new(),
        ..entry.clone()
    }
}

/// The place in the descriptors of a pointer in an adapter's error.
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
