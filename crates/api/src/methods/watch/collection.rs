use std::{collections::VecDeque, rc::Rc, sync::Arc};

use fields::json_size;
use serde_json::{Map, Value, json};
use store::{Event, Millis, Resource};

use super::{
    super::{Call, list::ListRequest},
    messages::{Changes, named, reset},
};
use crate::Api;

/// Changes of all resources that a filter selects: `current` for those that are there, `removed` for those that are not
/// any more. Changes of fields that are not selected are not sent.
pub(crate) struct Collection {
    api: Rc<Api>,
    id: spec::KindId,
    request: ListRequest,
    /// The time since which a resource must have changed to be in the snapshot.
    since: Option<Millis>,
    field: String,
    changes: String,
    chunk: usize,
    /// Ends resume tokens: they belong to this query.
    digest: String,
    /// Changes that are not sent yet, with their length, and how many the snapshot has.
    waiting: Vec<Value>,
    length: usize,
    snapshot: usize,
    /// The last of the events that arrived together, if it was a change.
    last: Option<Event>,
}

/// The length of changes, in bytes, from which on they are sent.
const MESSAGE: usize = 1 << 20;

impl Collection {
    pub(crate) fn new(
        call: &Call<'_>,
        request: ListRequest,
        since: Option<Millis>,
        field: String,
        changes: String,
        chunk: usize,
    ) -> Self {
        let (api, id) = (call.api.clone(), call.served.id);
        let (waiting, last, digest) = (Vec::new(), None, request.digest());
        Self { api, id, request, since, field, changes, chunk, digest, waiting, length: 0, snapshot: 0, last }
    }

    fn is_in(&self, resource: &Resource) -> bool {
        self.request.selects(&self.api, self.id, resource)
    }

    fn current(&self, resource: &Resource) -> Value {
        let mut change = Map::new();
        let shown = self.request.selection.show(resource.spec.shared_value());
        change.insert(self.field.clone(), named(shown, resource.id()));
        json!({"current": change})
    }

    fn change(&self, event: &Event) -> Option<Value> {
        let removed = |it: &Arc<Resource>| json!({"removed": {"name": &**it.id()}});
        match event {
            Event::InitApply(new) => {
                let is_old = self.since.is_some_and(|it| new.metadata.updated < it);
                (!is_old && self.is_in(new)).then(|| self.current(new))
            }
            Event::Created { new, .. } => self.is_in(new).then(|| self.current(new)),
            Event::Updated { old, new, .. } => match (self.is_in(old), self.is_in(new)) {
                (false, false) => None,
                (true, false) => Some(removed(new)),
                (false, true) => Some(self.current(new)),
                (true, true) => {
                    let change = self.current(new);
                    (change != self.current(old)).then_some(change)
                }
            },
            Event::Destroyed { last, .. } => self.is_in(last).then(|| removed(last)),
            Event::Init | Event::InitDone(_) | Event::Absent(_) | Event::Resync(_) => None,
        }
    }

    fn add(&mut self, change: Option<Value>) {
        self.length += change.as_ref().map_or(0, json_size);
        self.waiting.extend(change);
    }

    fn send(&mut self) -> Map<String, Value> {
        self.length = 0;
        Map::from_iter([(self.changes.clone(), Value::Array(std::mem::take(&mut self.waiting)))])
    }

    /// The message after which what the client has is a state of the collection.
    fn send_current(&mut self, event: &Event) -> Map<String, Value> {
        let mut message = self.send();
        message.insert("isCurrent".to_owned(), json!(true));
        let token = event.bookmark().map(|it| format!("{it}.{}", self.digest));
        message.extend(token.map(|it| ("resumeToken".to_owned(), json!(it))));
        message
    }
}

/// The place that a resume token is of; `None` if it is not one of the query with that digest.
pub(crate) fn place<'t>(token: &'t str, digest: &str) -> Option<&'t str> {
    token.rsplit_once('.').filter(|(_, of)| *of == digest).map(|(place, _)| place)
}

impl Changes for Collection {
    fn next(&mut self, events: &mut VecDeque<Event>) -> Vec<Value> {
        while let Some(event) = events.pop_front() {
            match &event {
                Event::Resync(_) => {
                    self.waiting.clear();
                    self.length = 0;
                    return vec![reset()];
                }
                Event::Init => self.snapshot = 0,
                Event::InitDone(_) => {
                    let mut message = self.send_current(&event);
                    // Without what did not change, the number is that of nothing the client could count.
                    let size = if self.since.is_some() { "-1".to_owned() } else { self.snapshot.to_string() };
                    message.insert("snapshotSize".to_owned(), json!(size));
                    self.last = None;
                    return vec![Value::Object(message)];
                }
                Event::InitApply(_) => {
                    let change = self.change(&event);
                    self.snapshot += usize::from(change.is_some());
                    self.add(change);
                }
                _ => {
                    let change = self.change(&event);
                    self.add(change);
                    self.last = Some(event);
                }
            }
            if self.waiting.len() >= self.chunk || self.length >= MESSAGE {
                return vec![Value::Object(self.send())];
            }
        }
        // A place without changes is sent, too, once there was something: the client can resume after it.
        let last = self.last.take();
        last.map(|it| Value::Object(self.send_current(&it))).into_iter().collect()
    }
}
