use std::{collections::VecDeque, rc::Rc};

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
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
    /// The resources that the client has.
    known: Vec<Known>,
    is_current: bool,
}

/// A resource that the client has. Its digest says whether it has to be sent again: what is shown of it may be long, and a server
/// has many watches.
struct Known {
    name: String,
    digest: [u8; 32],
}

impl PageOf {
    pub(crate) fn new(call: &Call<'_>, request: ListRequest, field: String, changes: String) -> Self {
        let (api, id) = (call.api.clone(), call.served.id);
        Self { api, id, request, field, changes, known: Vec::new(), is_current: false }
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

    fn changes(&self, now: Vec<(String, Value)>, known: &[Known]) -> Vec<Value> {
        let gone = self.known.iter().enumerate().filter(|(at, it)| place(known, &it.name, *at).is_none());
        let mut changes: Vec<Value> =
            gone.map(|(at, it)| json!({"removed": {"name": it.name, "viewIndex": at}})).collect();
        for (at, ((name, value), current)) in now.into_iter().zip(known).enumerate() {
            let before = place(&self.known, &name, at);
            let was = before.and_then(|it| self.known.get(it));
            let mut change = Map::new();
            change.insert(self.field.clone(), value);
            change.insert("viewIndex".to_owned(), json!(at));
            match (before, was) {
                (Some(before), Some(was)) if before == at && was.digest == current.digest => {}
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

/// The place of a resource in a list, where most are where they were.
fn place(list: &[Known], name: &str, was: usize) -> Option<usize> {
    if list.get(was).is_some_and(|it| it.name == name) {
        return Some(was);
    }
    list.iter().position(|it| it.name == name)
}

impl Changes for PageOf {
    fn next(&mut self, events: &mut VecDeque<Event>) -> Vec<Value> {
        let events = std::mem::take(events);
        let is_complete = |it: &Event| !matches!(it, Event::Init | Event::InitApply(_) | Event::Resync(_));
        if !events.back().is_some_and(is_complete) {
            return Vec::new();
        }
        let Some((now, tokens)) = self.page() else { return Vec::new() };
        let known = |(name, value): &(String, Value)| Known {
            name: name.clone(),
            digest: Sha256::digest(value.to_string()).into(),
        };
        let known: Vec<Known> = now.iter().map(known).collect();
        let changes = self.changes(now, &known);
        if changes.is_empty() && self.is_current {
            return Vec::new();
        }
        (self.known, self.is_current) = (known, true);
        let mut message = Map::new();
        message.insert(self.changes.clone(), Value::Array(changes));
        message.insert("isCurrent".to_owned(), json!(true));
        message.insert("pageTokenChange".to_owned(), tokens);
        vec![Value::Object(message)]
    }
}
