//! The secrets of a run, and the one place where what adapters tell loses them.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use model::{Origin, Redactor, Value};
use protocol::{Reply, Resource};
use serde_json::{Map, Value as Json};
use types::{Trail, Types};

use crate::{Planner, json};

/// What a run knows of secrets: those of the descriptors from the beginning, those that references brought once they
/// were read, and those that adapters made. Copies know the same.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    redactor: Rc<RefCell<Rc<Redactor>>>,
    types: Rc<RefCell<Rc<Types>>>,
}

impl Secrets {
    /// Also those of these descriptors. Earlier ones stay: what is there may have been made with them.
    pub(crate) fn describe(&self, planner: &dyn Planner) {
        *self.types.borrow_mut() = planner.types();
        self.add(&planner.secrets());
        for resource in &planner.desired().resources {
            self.learn(&resource.kind, &resource.spec);
        }
    }

    fn add(&self, secrets: &BTreeSet<String>) {
        let mut redactor = self.redactor.borrow_mut();
        for secret in secrets {
            Rc::make_mut(&mut redactor).add(secret);
        }
    }

    /// Also what is sensitive in the attributes or outputs of a resource, by itself or by its kind's definition.
    pub(crate) fn learn(&self, kind: &str, value: &Value) {
        let types = Rc::clone(&self.types.borrow());
        let trail = types.kind(kind).map(|it| Trail::object(&types, it));
        let mut found = BTreeSet::new();
        types::secrets(trail, value, &mut |text| {
            found.insert(text.to_owned());
        });
        if !found.is_empty() {
            self.add(&found);
        }
    }

    /// What takes them out of texts.
    pub(crate) fn redactor(&self) -> Rc<Redactor> {
        Rc::clone(&self.redactor.borrow())
    }

    /// What an adapter tells of a resource, as a value: what is or holds a secret is sensitive.
    pub(crate) fn observed(&self, map: &Map<String, Json>) -> Value {
        let mut value = json::value_map(map, Origin::Observed);
        self.redactor().taint(&mut value);
        // References go by the keys, so the whole is never hidden.
        Value { sensitive: false, ..value }
    }

    /// Learns what a reply tells for the first time, and takes that out of what it says for people. All that was known
    /// before was taken out when it was read.
    pub(crate) fn read(&self, reply: &mut Reply) {
        match reply {
            Reply::Resource(resource) => self.read_resource(resource),
            Reply::Operation(operation) => {
                if let Some(resource) = &mut operation.resource {
                    self.read_resource(resource);
                }
                if let Some(progress) = &mut operation.progress {
                    self.redactor().redact(&mut progress.message);
                }
            }
            Reply::Batch(batch) => batch.items.iter_mut().for_each(|it| self.read_resource(it)),
            Reply::Page(page) => page.items.iter_mut().for_each(|it| self.read_resource(it)),
            _ => {}
        }
    }

    fn read_resource(&self, resource: &mut Resource) {
        for map in [&resource.spec, &resource.outputs].into_iter().filter(|it| !it.is_empty()) {
            self.learn(&resource.id.kind, &json::value_map(map, Origin::Observed));
        }
        if let Some(message) = &mut resource.message {
            self.redactor().redact(message);
        }
    }
}

#[cfg(test)]
mod tests;
