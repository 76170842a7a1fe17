use std::sync::Arc;

use serde_json::Value;
use store::{Key, Millis, Writing};

use crate::{MetadataPlugin, Rules};

/// Code that takes part in every commit. Plugins run in order, the one for metadata first.
///
/// They run while no other writer can commit: they should be quick, and must not write to the store.
pub trait Plugin: Send + Sync {
    /// Its name, for errors.
    fn name(&self) -> &str;

    /// A resource is created; it may be changed.
    fn created(&self, context: &Context<'_>, key: &Key, new: &mut Value) {
        let _ = (context, key, new);
    }

    /// A resource is saved again, or marked as `DELETING`; it may be changed.
    fn updated(&self, context: &Context<'_>, key: &Key, old: &Value, new: &mut Value) {
        let _ = (context, key, old, new);
    }

    /// A resource is removed.
    fn deleted(&self, context: &Context<'_>, key: &Key, old: &Value) {
        let _ = (context, key, old);
    }

    /// All changes are known, valid, and at least one. The last plugin's answer may still be no.
    ///
    /// # Errors
    /// The reason to refuse the whole transaction.
    fn before_commit(&self, context: &Context<'_>, changes: &[ResourceChange]) -> Result<(), Veto> {
        let _ = (context, changes);
        Ok(())
    }

    /// The commit of this number has succeeded or failed, after [`before_commit`](Self::before_commit) of all plugins said
    /// yes. Others may have committed meanwhile.
    fn finished(&self, number: u64, changes: &[ResourceChange], committed: bool) {
        let _ = (number, changes, committed);
    }
}

/// The information for plugins about a commit.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The time of the commit.
    pub now: Millis,
    /// The user who commits; `None` if unknown, and for the work that deletions left for later.
    pub user: Option<&'a Arc<str>>,
    /// The revision that the store will have after it.
    pub revision: u64,
    /// The number of the commit in this process, from 1 on. Those that fail are counted too, so unlike the revision no two
    /// have the same.
    pub number: u64,
    /// The model and the names.
    pub rules: &'a Rules,
    /// The state of the store before the commit.
    pub store: &'a Writing<'a>,
}

/// The change of one resource by a transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceChange {
    /// The resource.
    pub key: Key,
    /// Before; `None` if it is created.
    pub old: Option<Arc<Value>>,
    /// After; `None` if it is removed.
    pub new: Option<Arc<Value>>,
}

/// A plugin's reason to refuse a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Veto {
    /// A stable code.
    pub code: &'static str,
    /// One line.
    pub reason: String,
}

/// The plugins of a store, in order. The one for metadata is always the first.
#[derive(Clone)]
pub struct Plugins(Vec<Arc<dyn Plugin>>);

impl Plugins {
    /// The metadata's only.
    pub fn new(metadata: MetadataPlugin) -> Self {
        Self(vec![Arc::new(metadata)])
    }

    /// With one more after the others.
    #[must_use]
    pub fn then(mut self, plugin: impl Plugin + 'static) -> Self {
        self.0.push(Arc::new(plugin));
        self
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &dyn Plugin> {
        self.0.iter().map(|plugin| &**plugin)
    }
}

impl std::fmt::Debug for Plugins {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter().map(Plugin::name)).finish()
    }
}
