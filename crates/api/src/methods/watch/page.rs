use std::{collections::VecDeque, rc::Rc};

use serde_json::{Map, Value, json};
use store::Event;

use super::{
    super::{Call, list::ListRequest},
    messages::{Changes, named},
};
use crate::{Api, kinds::Served};

/// Changes of a page of a list: `added`, `modified` and `removed`, with their places on the page.
pub(crate) struct PageOf {
    api: Rc<Api>,
    id: spec::KindId,
    request: ListRequest,
    field: String,
    changes: String,
    /// What the client has: name and shown fields.
    shown: Vec<(String, Value)>,
    is_current: bool,
}

impl PageOf {
    pub(crate) fn new(call: &Call<'_>, request: ListRequest, field: String, changes: String) -> Self {
        let (api, id) = (call.api.clone(), call.served.id);
        Self { api, id, request, field, changes, shown: Vec::new(), is_current: false }
    }

    /// The page as it is now, with the tokens of its neighbours.
    fn page(&self) -> Option<(Vec<(String, Value)>, Value)> {
        let served = Served::new(&self.api.services, &self.api.schemas, self.id)?;
        let page = self.request.page(&self.api, served).ok()?;
        let name = |it: &Value| it.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let items = page.items.iter().map(|it| {
            let name = name(it);
            let shown = named(self.request.selection.show(it), &name);
            (name, shown)
        });
        Some((items.collect(), json!({"prevPageToken": page.previous, "nextPageToken": page.next})))
    }

    fn changes(&self, now: &[(String, Value)]) -> Vec<Value> {
        let place = |list: &[(String, Value)], name: &str| list.iter().position(|(it, _)| it == name);
        let gone = self.shown.iter().enumerate().filter(|(_, (name, _))| place(now, name).is_none());
        let mut changes: Vec<Value> =
            gone.map(|(at, (name, _))| json!({"removed": {"name": name, "viewIndex": at}})).collect();
        for (at, (name, value)) in now.iter().enumerate() {
            let before = place(&self.shown, name);
            let was = before.and_then(|it| self.shown.get(it));
            let mut change = Map::new();
            change.insert(self.field.clone(), value.clone());
            change.insert("viewIndex".to_owned(), json!(at));
            match (before, was) {
                (Some(before), Some((_, old))) if before == at && old == value => {}
                (Some(before), _) => {
                    change.insert("name".to_owned(), json!(name));
                    change.insert("previousViewIndex".to_owned(), json!(before));
                    changes.push(json!({"modified": change}));
                }
                (None, _) => changes.push(json!({"added": change})),
            }
        }
        changes
    }
}

impl Changes for PageOf {
    fn next(&mut self, events: &mut VecDeque<Event>) -> Vec<Value> {
        let events = std::mem::take(events);
        let is_complete = |it: &Event| !matches!(it, Event::Init | Event::InitApply(_) | Event::Resync(_));
        if !events.back().is_some_and(is_complete) {
            return Vec::new();
        }
        let Some((now, tokens)) = self.page() else { return Vec::new() };
        let changes = self.changes(&now);
        if changes.is_empty() && self.is_current {
            return Vec::new();
        }
        (self.shown, self.is_current) = (now, true);
        let mut message = Map::new();
        message.insert(self.changes.clone(), Value::Array(changes));
        message.insert("isCurrent".to_owned(), json!(true));
        message.insert("pageTokenChange".to_owned(), tokens);
        vec![Value::Object(message)]
    }
}
