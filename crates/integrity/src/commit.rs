#[cfg(feature = "deployments")]
use std::collections::BTreeMap;
use std::{collections::BTreeSet, fmt, sync::Arc};

use serde_json::Value;
#[cfg(feature = "deployments")]
use store::Resource;
use store::{Annotations, Draft, Key, Query, Spec, Transaction, UpdateOptions, Writing};

use crate::{
    Agreements, Cause, Context, Flags, Instances, IntegrityError, Plugins, ResourceChange, Rules,
    Transactions, checks, deletion, lifecycle, metadata,
    overlay::Overlay,
    owners,
    session::{Reads, Write, read},
    stored::{self, Stored},
    work,
};

/// A transaction for the store, and the changes of resources that it makes.
pub(crate) type Finished = (Transaction, Vec<ResourceChange>);

/// A transaction while it is built: no other writer comes between what it reads and what it writes.
///
/// Resources are created and updated first, and deleted afterwards: those that are deleted together do not block each
/// other.
pub struct Commit<'a> {
    writing: &'a Writing<'a>,
    stored: &'a Stored<'a>,
    overlay: Overlay<'a>,
    deleted: BTreeSet<Key>,
    flags: Flags,
    #[cfg(feature = "deployments")]
    pub(crate) records: crate::records::StoredRecords<'a>,
    #[cfg(feature = "deployments")]
    pub(crate) agreements: &'a Agreements,
    /// The resources with policies that govern what was requested to be written.
    #[cfg(feature = "deployments")]
    pub(crate) holders: BTreeSet<Arc<str>>,
    /// Records beside the resources.
    #[cfg(feature = "deployments")]
    noted: BTreeMap<Key, Spec>,
}

impl<'a> Commit<'a> {
    pub(crate) fn new(
        writing: &'a Writing<'a>,
        stored: &'a Stored<'a>,
        rules: &'a Rules,
        flags: Flags,
        agreements: &'a Agreements,
    ) -> Self {
        let mut overlay = Overlay::new(stored, rules);
        agreements.held().for_each(|key| overlay.hold(key.clone()));
        Self {
            writing,
            stored,
            overlay,
            deleted: BTreeSet::new(),
            flags,
            #[cfg(feature = "deployments")]
            records: crate::records::StoredRecords::new(stored),
            #[cfg(feature = "deployments")]
            agreements,
            #[cfg(feature = "deployments")]
            holders: BTreeSet::new(),
            #[cfg(feature = "deployments")]
            noted: BTreeMap::new(),
        }
    }

    /// A resource as it is so far; `None` if it does not exist.
    pub fn get(&self, key: &Key) -> Option<Arc<Value>> {
        self.overlay.value(key)
    }

    /// The store as the transaction finds it.
    #[cfg(feature = "deployments")]
    pub fn store(&self) -> &'a Writing<'a> {
        self.writing
    }

    /// Writes a record beside the resources: of a kind that is none of the model, so that nothing is checked.
    #[cfg(feature = "deployments")]
    pub fn record(&mut self, key: Key, spec: Spec) {
        self.noted.insert(key, spec);
    }

    pub(crate) fn stored(&self) -> &'a Stored<'a> {
        self.stored
    }

    pub(crate) fn overlay(&self) -> &Overlay<'a> {
        &self.overlay
    }

    pub(crate) fn overlay_mut(&mut self) -> &mut Overlay<'a> {
        &mut self.overlay
    }

    pub(crate) fn rules(&self) -> &'a Rules {
        self.overlay.rules()
    }

    /// Checks that everything that was read is still as it was.
    pub(crate) fn validate(&self, transactions: &Transactions, reads: &Reads) -> Result<(), IntegrityError> {
        for (key, version) in &reads.keys {
            if self.writing.get(key).as_deref().map(read) != *version {
                return Err(IntegrityError::Aborted { what: key.to_string() });
            }
        }
        for it in &reads.lists {
            let all = self.writing.list(&it.list.kind, &Query::all());
            let found = it.list.found(transactions, &all);
            if !found.iter().map(|now| (now.id().clone(), read(now))).eq(it.found.iter().cloned()) {
                return Err(IntegrityError::Aborted { what: it.list.kind.to_string() });
            }
        }
        Ok(())
    }

    /// Stages the writes of a session: first all saved resources, then all deletions together.
    pub(crate) fn stage(&mut self, writes: &[(Key, Write)]) -> Result<(), IntegrityError> {
        let mut deleted = BTreeSet::new();
        for (key, write) in writes {
            match write {
                Write::Delete => drop(deleted.insert(key.clone())),
                _ if deleted.contains(key) => {
                    return Err(IntegrityError::SavedAndDeleted { key: key.clone() });
                }
                Write::Create(value) => self.create(key, value.clone())?,
                Write::Update(value) => self.update(key, value.clone())?,
                Write::Save(value) if self.overlay.value(key).is_none() => self.create(key, value.clone())?,
                Write::Save(value) => self.update(key, value.clone())?,
            }
        }
        self.delete(deleted)
    }

    /// Creates a resource.
    ///
    /// # Errors
    /// [`IntegrityError::AlreadyExists`], [`IntegrityError::StillDeleting`], [`IntegrityError::InvalidName`],
    /// [`IntegrityError::NotAnObject`], [`IntegrityError::SavedAndDeleted`].
    pub fn create(&mut self, key: &Key, value: Value) -> Result<(), IntegrityError> {
        #[cfg(feature = "deployments")]
        self.own(key, |it| it.new)?;
        match self.overlay.value(key) {
            Some(there) if lifecycle::is_deleting(&there) => {
                return Err(IntegrityError::StillDeleting { key: key.clone() });
            }
            Some(_) if self.flags.avoid_creation_override => {
                return Err(IntegrityError::AlreadyExists { key: key.clone() });
            }
            Some(_) => return self.update(key, value),
            None if self.overlay.is_gone(key) || self.overlay.is_held(key) => {
                return Err(IntegrityError::StillDeleting { key: key.clone() });
            }
            None if self.flags.strict_naming && !self.rules().names.is_valid(key) => {
                return Err(IntegrityError::InvalidName { key: key.clone() });
            }
            None => {}
        }
        self.save(key, None, value)
    }

    /// Replaces a resource that exists.
    ///
    /// # Errors
    /// [`IntegrityError::NotFound`], [`IntegrityError::Deleting`], [`IntegrityError::NotAnObject`],
    /// [`IntegrityError::SavedAndDeleted`].
    pub fn update(&mut self, key: &Key, value: Value) -> Result<(), IntegrityError> {
        #[cfg(feature = "deployments")]
        self.own(key, |it| it.existing)?;
        let Some(old) = self.overlay.value(key) else {
            return Err(IntegrityError::NotFound { key: key.clone() });
        };
        if lifecycle::is_deleting(&old) && without_metadata(&old) != without_metadata(&value) {
            return Err(IntegrityError::Deleting { key: key.clone() });
        }
        self.save(key, Some(&old), value)
    }

    fn save(&mut self, key: &Key, old: Option<&Value>, mut value: Value) -> Result<(), IntegrityError> {
        if self.deleted.contains(key) {
            return Err(IntegrityError::SavedAndDeleted { key: key.clone() });
        }
        if !value.is_object() {
            return Err(IntegrityError::NotAnObject { key: key.clone() });
        }
        metadata::keep_output_only(old, &mut value);
        self.overlay.save(key.clone(), value);
        Ok(())
    }

    /// Deletes resources, with everything that this entails. Those that are being deleted already are left alone.
    ///
    /// # Errors
    /// [`IntegrityError::NotFound`], [`IntegrityError::Blocked`].
    pub fn delete(&mut self, keys: impl IntoIterator<Item = Key>) -> Result<(), IntegrityError> {
        let mut roots = Vec::new();
        for key in keys {
            #[cfg(feature = "deployments")]
            self.own(&key, |it| it.existing)?;
            self.deleted.insert(key.clone());
            match self.overlay.value(&key) {
                Some(_) => roots.push(key),
                None if self.flags.allow_not_found_on_deletion => {}
                None => return Err(IntegrityError::NotFound { key }),
            }
        }
        let plan = deletion::plan(self.rules(), &self.overlay, &roots, Cause::Requested);
        if !plan.blockers.is_empty() {
            return Err(IntegrityError::Blocked { blockers: plan.blockers });
        }
        work::apply(&mut self.overlay, &plan);
        Ok(())
    }

    /// Lets plugins see it, checks it, and makes the store's transaction of it.
    pub(crate) fn finish(
        mut self,
        plugins: &Plugins,
        user: Option<&Arc<str>>,
        number: u64,
    ) -> Result<Finished, IntegrityError> {
        let revision = self.writing.revision().get() + 1;
        let (now, rules) = (self.writing.now(), self.rules());
        let context = Context { now, user, revision, number, rules, store: self.writing };
        self.decorate(plugins, &context);
        #[cfg(feature = "deployments")]
        self.place()?;
        self.overlay.settle();
        let changes = self.changes();
        checks::check(&self.overlay, self.flags, &changes)?;
        #[cfg(feature = "deployments")]
        if rules.names.has_others() {
            self.agree(&changes)?;
        }
        for plugin in plugins.iter().filter(|_| !changes.is_empty()) {
            plugin.before_commit(&context, &changes).map_err(|veto| {
                let (plugin, code) = (plugin.name().to_owned(), veto.code);
                IntegrityError::Vetoed { plugin, code, reason: veto.reason }
            })?;
        }
        let transaction = self.transaction(&changes);
        #[cfg(feature = "deployments")]
        let transaction = self.write_noted(self.records.write(transaction));
        Ok((transaction, changes))
    }

    #[cfg(feature = "deployments")]
    fn write_noted(&self, mut transaction: Transaction) -> Transaction {
        for (key, spec) in &self.noted {
            transaction = match self.writing.get(key) {
                None => transaction.create(Draft::new(key.clone(), spec.clone())),
                Some(there) => transaction.update(Resource { spec: spec.clone(), ..(*there).clone() }),
            };
        }
        transaction
    }

    fn decorate(&mut self, plugins: &Plugins, context: &Context<'_>) {
        for change in self.changes() {
            let mut value = change.new.as_deref().cloned();
            for plugin in plugins.iter() {
                match (&change.old, &mut value) {
                    (None, Some(new)) => plugin.created(context, &change.key, new),
                    (Some(old), Some(new)) => plugin.updated(context, &change.key, old, new),
                    (Some(old), None) => plugin.deleted(context, &change.key, old),
                    (None, None) => {}
                }
            }
            if let Some(value) = value {
                self.overlay.save(change.key, value);
            }
        }
    }

    pub(crate) fn changes(&self) -> Vec<ResourceChange> {
        let touched = self.overlay.touched().iter();
        let changes = touched.map(|key| ResourceChange {
            key: key.clone(),
            old: self.overlay.base().value(key),
            new: self.overlay.value(key),
        });
        changes.filter(|change| change.old.is_some() || change.new.is_some()).collect()
    }

    fn transaction(&self, changes: &[ResourceChange]) -> Transaction {
        let rules = self.rules();
        let mut transaction = Transaction::new();
        for ResourceChange { key, old, new } in changes {
            transaction = match (old, new) {
                (_, None) => transaction.destroy(key.clone()),
                (None, Some(new)) => {
                    let draft = Draft::new(key.clone(), Spec::from((**new).clone()));
                    let (labels, annotations) = (stored::labels(rules, key, new), self.annotations(key, new));
                    transaction.create(Draft { labels, annotations, ..draft })
                }
                (Some(_), Some(new)) => self.update_of(transaction, key, new),
            };
        }
        for (key, gone) in self.overlay.gone() {
            transaction = match gone {
                true => transaction.create(stored::gone_draft(key)),
                false => transaction.destroy(stored::gone_key(key)),
            };
        }
        transaction
    }

    /// Since when a resource has each of its owners.
    fn annotations(&self, key: &Key, new: &Value) -> Annotations {
        let before = self.writing.get(key);
        let since = |label: &str| {
            let known = before.as_ref().and_then(|it| it.metadata.annotations.get(label).cloned());
            known.unwrap_or_else(|| self.writing.now().0.to_string().into())
        };
        let owners = owners::links(self.rules(), key, new).into_iter();
        owners
            .map(|link| stored::owner_label(&link.target))
            .map(|label| (label.as_str().into(), since(&label)))
            .collect()
    }

    fn update_of(&self, transaction: Transaction, key: &Key, new: &Value) -> Transaction {
        let Some(stored) = self.writing.get(key) else { return transaction };
        let mut resource = (*stored).clone();
        resource.spec = Spec::from(new.clone());
        resource.metadata.labels = stored::labels(self.rules(), key, new);
        resource.metadata.annotations = self.annotations(key, new);
        transaction.update_with(resource, UpdateOptions::any_phase())
    }
}

impl fmt::Debug for Commit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Commit").field("writing", &self.writing).finish_non_exhaustive()
    }
}

fn without_metadata(value: &Value) -> Value {
    let mut value = value.clone();
    if let Some(object) = value.as_object_mut() {
        object.shift_remove("metadata");
    }
    value
}
