use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde_json::Value;
use store::Key;

use crate::{Link, Rules, lifecycle, overlay::Overlay};

/// Resources at one moment, with their referrers. Lists are in order of keys.
pub trait Instances {
    /// A resource, if it exists.
    fn value(&self, key: &Key) -> Option<Arc<Value>>;

    /// The links that lead to a resource, which may not exist. They are those of active resources and of ones that are
    /// being deleted.
    fn referrers(&self, key: &Key) -> Vec<Link>;

    /// The links that lead from a resource; none if it does not exist.
    fn dependencies(&self, key: &Key) -> Vec<Link>;

    /// The resources that are being deleted, and those that are gone while asynchronous work for them remains.
    fn leaving(&self) -> BTreeSet<Key>;

    /// True if it is gone, and asynchronous work for it remains.
    fn is_gone(&self, key: &Key) -> bool;

    /// True if other deployments depend on it, although its deletion was requested.
    fn is_held(&self, key: &Key) -> bool {
        let _ = key;
        false
    }

    /// True if it exists and is not being deleted.
    fn is_active(&self, key: &Key) -> bool {
        self.value(key).is_some_and(|value| !lifecycle::is_deleting(&value))
    }

    /// True if it exists and is being deleted.
    fn is_deleting(&self, key: &Key) -> bool {
        self.value(key).is_some_and(|value| lifecycle::is_deleting(&value))
    }
}

/// Resources in memory, indexed by the targets of their references.
#[derive(Clone, Debug)]
pub struct InstanceMap {
    rules: Rules,
    values: BTreeMap<Key, Arc<Value>>,
    links: BTreeMap<Key, Vec<Link>>,
    /// The resources that have links to a target, by target.
    back: BTreeMap<Key, BTreeSet<Key>>,
    deleting: BTreeSet<Key>,
    gone: BTreeSet<Key>,
}

impl InstanceMap {
    /// No resources.
    pub fn new(rules: Rules) -> Self {
        let (values, links, back) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { rules, values, links, back, deleting: BTreeSet::new(), gone: BTreeSet::new() }
    }

    /// These resources.
    pub fn of(rules: Rules, resources: impl IntoIterator<Item = (Key, Value)>) -> Self {
        let mut map = Self::new(rules);
        resources.into_iter().for_each(|(key, value)| map.insert(key, Arc::new(value)));
        map
    }

    /// All resources, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, &Arc<Value>)> {
        self.values.iter()
    }

    /// Adds or replaces a resource.
    pub fn insert(&mut self, key: Key, value: Arc<Value>) {
        self.remove(&key);
        let links = self.rules.links(&key, &value);
        for link in &links {
            self.back.entry(link.target.clone()).or_default().insert(key.clone());
        }
        if lifecycle::is_deleting(&value) {
            self.deleting.insert(key.clone());
        }
        self.links.insert(key.clone(), links);
        self.values.insert(key, value);
    }

    /// Removes a resource.
    pub fn remove(&mut self, key: &Key) {
        for link in self.links.remove(key).unwrap_or_default() {
            if let Some(of) = self.back.get_mut(&link.target) {
                of.remove(key);
            }
            if self.back.get(&link.target).is_some_and(BTreeSet::is_empty) {
                self.back.remove(&link.target);
            }
        }
        self.deleting.remove(key);
        self.values.remove(key);
    }

    /// Makes the changes of `change`, in one transaction.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Overlay<'_>)) {
        let rules = self.rules.clone();
        let mut overlay = Overlay::new(self, &rules);
        change(&mut overlay);
        let (values, gone) = overlay.changes();
        for (key, value) in values {
            match value {
                Some(value) => self.insert(key, value),
                None => self.remove(&key),
            }
        }
        gone.iter().for_each(|(key, gone)| self.set_gone(key, *gone));
    }

    /// The model and the names.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Notes whether a resource is gone with work remaining.
    pub fn set_gone(&mut self, key: &Key, gone: bool) {
        match gone {
            true => self.gone.insert(key.clone()),
            false => self.gone.remove(key),
        };
    }
}

impl Instances for InstanceMap {
    fn value(&self, key: &Key) -> Option<Arc<Value>> {
        self.values.get(key).cloned()
    }

    fn referrers(&self, key: &Key) -> Vec<Link> {
        let of = self.back.get(key).into_iter().flatten();
        let links = of.filter_map(|referrer| self.links.get(referrer)).flatten();
        links.filter(|link| link.target == *key).cloned().collect()
    }

    fn dependencies(&self, key: &Key) -> Vec<Link> {
        self.links.get(key).cloned().unwrap_or_default()
    }

    fn leaving(&self) -> BTreeSet<Key> {
        self.deleting.union(&self.gone).cloned().collect()
    }

    fn is_gone(&self, key: &Key) -> bool {
        self.gone.contains(key)
    }
}
