use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde_json::Value;
use store::Key;

use crate::{InstanceMap, Instances, Link, Rules};

/// A changed resource and its new value; `None` if it is removed.
pub(crate) type Changed = (Key, Option<Arc<Value>>);

/// Changes over resources that stay as they are: those that a transaction is about to make.
pub(crate) struct Overlay<'a> {
    base: &'a dyn Instances,
    rules: &'a Rules,
    /// The resources that were saved.
    saved: InstanceMap,
    /// Those that were saved or removed, in the order of the first time.
    touched: Vec<Key>,
    hidden: BTreeSet<Key>,
    gone: BTreeMap<Key, bool>,
    /// Those that other deployments depend on, so that they stay readable if their deletion is asynchronous.
    held: BTreeSet<Key>,
}

impl<'a> Overlay<'a> {
    pub(crate) fn new(base: &'a dyn Instances, rules: &'a Rules) -> Self {
        let (saved, touched, hidden) = (InstanceMap::new(rules.clone()), Vec::new(), BTreeSet::new());
        Self { base, rules, saved, touched, hidden, gone: BTreeMap::new(), held: BTreeSet::new() }
    }

    pub(crate) fn base(&self) -> &'a dyn Instances {
        self.base
    }

    pub(crate) fn rules(&self) -> &'a Rules {
        self.rules
    }

    /// Notes that other deployments depend on a resource.
    pub(crate) fn hold(&mut self, key: Key) {
        self.held.insert(key);
    }

    pub(crate) fn save(&mut self, key: Key, value: Value) {
        self.touch(&key);
        self.saved.insert(key, Arc::new(value));
    }

    pub(crate) fn remove(&mut self, key: &Key) {
        self.touch(key);
        self.saved.remove(key);
    }

    fn touch(&mut self, key: &Key) {
        if self.hidden.insert(key.clone()) {
            self.touched.push(key.clone());
        }
    }

    pub(crate) fn touched(&self) -> &[Key] {
        &self.touched
    }

    /// Notes which resources are gone while work for them remains. It depends on the changes, so it comes after them.
    pub(crate) fn settle(&mut self) {
        for target in self.affected() {
            // A copy says nothing of whether its owner has deleted the resource.
            let is_copy = self.rules.is_remote(&target);
            let is_there = !is_copy && self.value(&target).is_some();
            let was_there = !is_copy && self.base.value(&target).is_some();
            let gone = !is_there && self.remains(&target, was_there);
            if gone != self.base.is_gone(&target) {
                self.gone.insert(target, gone);
            }
        }
    }

    /// Removed resources, and the dependencies of changed resources.
    fn affected(&self) -> BTreeSet<Key> {
        let mut affected: BTreeSet<Key> = self.hidden.clone();
        for key in &self.hidden {
            affected.extend(self.base.dependencies(key).into_iter().map(|link| link.target));
        }
        affected
    }

    /// True if there is asynchronous work for a resource that does not exist: it was deleted here, or before.
    fn remains(&self, target: &Key, was_there: bool) -> bool {
        let left = self.base.is_gone(target) || was_there;
        left && self.referrers(target).iter().any(|link| link.is_async() && self.is_active(&link.referrer))
    }

    /// The changed resources, and the changed notes of gone ones.
    pub(crate) fn changes(&self) -> (Vec<Changed>, BTreeMap<Key, bool>) {
        let values = self.touched.iter().map(|key| (key.clone(), self.value(key)));
        (values.collect(), self.gone.clone())
    }

    /// The changed notes of gone resources: true if the note is added.
    pub(crate) fn gone(&self) -> &BTreeMap<Key, bool> {
        &self.gone
    }
}

impl Instances for Overlay<'_> {
    fn value(&self, key: &Key) -> Option<Arc<Value>> {
        if self.hidden.contains(key) { self.saved.value(key) } else { self.base.value(key) }
    }

    fn referrers(&self, key: &Key) -> Vec<Link> {
        let mut links = self.base.referrers(key);
        links.retain(|link| !self.hidden.contains(&link.referrer));
        links.extend(self.saved.referrers(key));
        links.sort_by(|a, b| a.referrer.cmp(&b.referrer));
        links
    }

    fn dependencies(&self, key: &Key) -> Vec<Link> {
        if self.hidden.contains(key) { self.saved.dependencies(key) } else { self.base.dependencies(key) }
    }

    fn leaving(&self) -> BTreeSet<Key> {
        let mut leaving = self.base.leaving();
        leaving.retain(|key| !self.hidden.contains(key));
        leaving.extend(self.saved.leaving());
        for (key, gone) in &self.gone {
            if *gone {
                leaving.insert(key.clone());
            } else {
                leaving.remove(key);
            }
        }
        leaving
    }

    fn is_held(&self, key: &Key) -> bool {
        self.held.contains(key) || self.base.is_held(key)
    }

    fn is_gone(&self, key: &Key) -> bool {
        self.gone.get(key).copied().unwrap_or_else(|| self.base.is_gone(key))
    }
}
