use std::collections::VecDeque;

use serde_json::{Map, Value, json};
use store::{Event, Resource};

use super::{
    super::selection::Selection,
    messages::{Changes, reset},
};

/// Changes of one resource: `added`, `modified` or `removed`.
pub(crate) struct One {
    pub(crate) field: String,
    pub(crate) selection: Selection,
}

impl Changes for One {
    fn next(&mut self, events: &mut VecDeque<Event>) -> Vec<Value> {
        let messages = std::iter::from_fn(|| events.pop_front()).filter_map(|it| self.message(&it));
        messages.take(1).collect()
    }
}

impl One {
    fn message(&self, event: &Event) -> Option<Value> {
        match event {
            Event::InitApply(new) | Event::Created { new, .. } => Some(self.change("added", new)),
            Event::Updated { old, new, .. } => {
                let (before, now) = (
                    self.selection.show(old.spec.shared_value()),
                    self.selection.show(new.spec.shared_value()),
                );
                (before != now).then(|| self.change("modified", new))
            }
            Event::Destroyed { last, .. } => Some(json!({"change": {"removed": {"name": &**last.id()}}})),
            Event::Resync(_) => Some(reset()),
            Event::Init | Event::InitDone(_) | Event::Absent(_) => None,
        }
    }

    fn change(&self, kind: &str, resource: &Resource) -> Value {
        let mut change = Map::new();
        change.insert("name".to_owned(), Value::String(resource.id().to_string()));
        change.insert(self.field.clone(), self.selection.show(resource.spec.shared_value()));
        if kind == "added" {
            change.shift_remove("name");
        }
        json!({"change": {kind: change}})
    }
}
