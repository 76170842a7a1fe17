//! The secrets of a run, and the one place where they are removed from what adapters report.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use model::{Origin, Redactor, Value};
use protocol::{Reply, Resource};
use serde_json::{Map, Value as Json};
use types::{Trail, Types};

use crate::{Planner, json};

/// The secrets that a run knows: those of the descriptors from the beginning, those that references read, and
/// those that adapters created. Clones share the same set.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    redactor: Rc<RefCell<Rc<Redactor>>>,
    types: Rc<RefCell<Rc<Types>>>,
}

impl Secrets {
    /// Adds the secrets of these descriptors. Earlier ones stay: existing resources may have been created
    /// with them.
    pub(crate) fn describe(&self, planner: &dyn Planner) {
        *self.types.borrow_mut() = planner.types();
        self.add_texts(&planner.secrets());
        for resource in &planner.desired().resources {
            self.add(&resource.kind, &resource.spec);
        }
    }

    fn add_texts(&self, secrets: &BTreeSet<String>) {
        let mut redactor = self.redactor.borrow_mut();
        for secret in secrets {
            Rc::make_mut(&mut redactor).add(secret);
        }
    }

    /// Adds what is sensitive in the attributes or outputs of a resource, by itself or by its kind's
    /// definition.
    pub(crate) fn add(&self, kind: &str, value: &Value) {
        let types = Rc::clone(&self.types.borrow());
        let trail = types.kind(kind).map(|it| Trail::object(&types, it));
        let mut found = BTreeSet::new();
        types::secrets(trail, value, &mut |text| {
            found.insert(text.to_owned());
        });
        if !found.is_empty() {
            self.add_texts(&found);
        }
    }

    /// The redactor that removes them from texts.
    pub(crate) fn redactor(&self) -> Rc<Redactor> {
        Rc::clone(&self.redactor.borrow())
    }

    /// A map that an adapter reported of a resource, as a value: what is or holds a secret is sensitive.
    pub(crate) fn observed(&self, map: &Map<String, Json>) -> Value {
        let mut value = json::value_map(map, Origin::Observed);
        self.redactor().taint(&mut value);
        // References are checked by key, so the whole is never hidden.
        Value { sensitive: false, ..value }
    }

    /// Adds the secrets that a reply contains for the first time, and removes them from its messages. All
    /// that were known before were removed when it was read.
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
            self.add(&resource.id.kind, &json::value_map(map, Origin::Observed));
        }
        if let Some(message) = &mut resource.message {
            self.redactor().redact(message);
        }
    }
}

#[cfg(test)]
mod tests;
