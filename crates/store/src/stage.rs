use std::{collections::BTreeMap, sync::Arc};

use crate::{
    Actor, Draft, Expectation, Finalizers, Key, Operation, Phase, Resource, StoreError, Uid, UpdateOptions,
    overlay::Base,
};

/// A transaction in progress: the effect of its operations so far, while the store is unchanged.
pub(crate) struct Stage<'a> {
    base: Base<'a>,
    actor: &'a Actor,
    strict_destroy: bool,
    /// In the order of the first operation on each.
    pub(crate) slots: Vec<Slot>,
    places: BTreeMap<Key, usize>,
    pub(crate) uid: Uid,
    /// True if any operation had an effect, even if a later one reverted it.
    pub(crate) effective: bool,
}

/// One resource in a transaction.
pub(crate) struct Slot {
    /// Before the transaction.
    pub(crate) base: Option<Arc<Resource>>,
    /// After the operations so far; its version and times are still those from before.
    pub(crate) value: Option<Arc<Resource>>,
    pub(crate) touched: bool,
}

impl<'a> Stage<'a> {
    pub(crate) fn new(base: Base<'a>, actor: &'a Actor, strict_destroy: bool) -> Self {
        let (slots, places) = (Vec::new(), BTreeMap::new());
        Self { base, actor, strict_destroy, slots, places, uid: base.uid(), effective: false }
    }

    /// Executes one operation; returns its resource's index in `slots`.
    pub(crate) fn run(&mut self, operation: Operation) -> Result<usize, StoreError> {
        let place = self.place(operation.key());
        match operation {
            Operation::Create(draft) => self.create(place, draft)?,
            Operation::Update(resource, options) => self.update(place, resource, options)?,
            Operation::Teardown(key) => self.teardown(place, key)?,
            Operation::AddFinalizers(key, names) => self.add_finalizers(place, key, names)?,
            Operation::RemoveFinalizers(key, names) => self.remove_finalizers(place, key, &names)?,
            Operation::Destroy(key) => self.destroy(place, key)?,
            Operation::Expect(key, expectation) => {
                expect(self.slots[place].base.as_deref(), key, expectation)?
            }
        }
        Ok(place)
    }

    fn place(&mut self, key: &Key) -> usize {
        if let Some(place) = self.places.get(key) {
            return *place;
        }
        let base = self.base.get(key).cloned();
        self.slots.push(Slot { value: base.clone(), base, touched: false });
        self.places.insert(key.clone(), self.slots.len() - 1);
        self.slots.len() - 1
    }

    fn create(&mut self, place: usize, mut draft: Draft) -> Result<(), StoreError> {
        draft.key.check()?;
        if self.slots[place].value.is_some() {
            return Err(StoreError::AlreadyExists { key: draft.key });
        }
        match &draft.owner {
            Some(_) if !self.actor.is(draft.owner.as_ref()) => {
                return Err(StoreError::OwnerConflict { key: draft.key, owner: draft.owner });
            }
            Some(_) => {}
            None => draft.owner = self.actor.owner.clone(),
        }
        check_names(&draft)?;
        self.uid.0 += 1;
        let mut resource = Resource::from(draft);
        resource.metadata.uid = self.uid;
        self.slots[place].value = Some(Arc::new(resource));
        self.effective = true;
        Ok(())
    }

    /// Copies spec, labels, annotations and origin, and nothing else, from the given resource.
    fn update(&mut self, place: usize, given: Resource, options: UpdateOptions) -> Result<(), StoreError> {
        self.owned(place, given.key())?;
        let slot = &mut self.slots[place];
        let stored = slot.stored(given.key())?;
        slot.as_read(stored, &given)?;
        if let Some(expected) = options.expected_phase {
            in_phase(stored, expected)?;
        }
        let (spec, metadata) = (given.spec, given.metadata);
        check_texts(&metadata.key, metadata.labels.keys().chain(metadata.annotations.keys()))?;
        let of = &stored.metadata;
        let same = spec == stored.spec
            && (&metadata.labels, &metadata.annotations) == (&of.labels, &of.annotations)
            && metadata.origin == of.origin;
        slot.touched |= options.touch;
        self.effective |= options.touch;
        if same {
            return Ok(());
        }
        let resource = self.change(place);
        resource.spec = spec;
        resource.metadata.labels = metadata.labels;
        resource.metadata.annotations = metadata.annotations;
        resource.metadata.origin = metadata.origin;
        Ok(())
    }

    /// Stricter than upstream: the owner is checked even if it is tearing down already.
    fn teardown(&mut self, place: usize, key: Key) -> Result<(), StoreError> {
        let phase = self.owned(place, &key)?.metadata.phase;
        if phase == Phase::Running {
            self.change(place).metadata.phase = Phase::TearingDown;
        }
        Ok(())
    }

    /// Stricter than upstream: a resource that is tearing down gets no new finalizers, so that one without
    /// finalizers stays ready.
    fn add_finalizers(&mut self, place: usize, key: Key, names: Vec<Arc<str>>) -> Result<(), StoreError> {
        let stored = self.slots[place].stored(&key)?;
        let new: Finalizers =
            names.into_iter().filter(|name| !stored.metadata.finalizers.contains(name)).collect();
        if new.is_empty() {
            return Ok(());
        }
        in_phase(stored, Phase::Running)?;
        check_texts(&key, new.iter())?;
        self.change(place).metadata.finalizers.extend(new);
        Ok(())
    }

    fn remove_finalizers(&mut self, place: usize, key: Key, names: &[Arc<str>]) -> Result<(), StoreError> {
        let stored = self.slots[place].stored(&key)?;
        if names.iter().any(|name| stored.metadata.finalizers.contains(name)) {
            let finalizers = &mut self.change(place).metadata.finalizers;
            finalizers.retain(|name| !names.contains(name));
        }
        Ok(())
    }

    fn destroy(&mut self, place: usize, key: Key) -> Result<(), StoreError> {
        let metadata = &self.owned(place, &key)?.metadata;
        if !metadata.finalizers.is_empty() {
            return Err(StoreError::PendingFinalizers { key, finalizers: metadata.finalizers.clone() });
        }
        if self.strict_destroy && metadata.phase == Phase::Running {
            return Err(StoreError::PhaseConflict {
                key,
                expected: Phase::TearingDown,
                found: metadata.phase,
            });
        }
        self.slots[place].value = None;
        self.effective = true;
        Ok(())
    }

    /// The resource in the slot, if the actor may write it.
    fn owned(&self, place: usize, key: &Key) -> Result<&Resource, StoreError> {
        let stored = self.slots[place].stored(key)?;
        match self.actor.is(stored.metadata.owner.as_ref()) {
            true => Ok(stored),
            false => {
                Err(StoreError::OwnerConflict { key: key.clone(), owner: stored.metadata.owner.clone() })
            }
        }
    }

    /// The resource in the slot, to be changed. It must exist.
    fn change(&mut self, place: usize) -> &mut Resource {
        self.effective = true;
        Arc::make_mut(self.slots[place].value.as_mut().expect("it was found before"))
    }
}

impl Slot {
    fn stored(&self, key: &Key) -> Result<&Resource, StoreError> {
        self.value.as_deref().ok_or_else(|| StoreError::NotFound { key: key.clone() })
    }

    /// Checks that `given` is a copy of the stored resource, as it was before the transaction. There is no
    /// copy of a resource that the transaction created; it is represented by one that was never stored.
    fn as_read(&self, stored: &Resource, given: &Resource) -> Result<(), StoreError> {
        let (stored, given) = (&stored.metadata, &given.metadata);
        let before = self.base.as_ref().is_some_and(|base| base.metadata.uid == stored.uid);
        let (expected, found) = (given.uid, if before { stored.uid } else { Uid::default() });
        if expected != found {
            return Err(StoreError::UidConflict { key: given.key.clone(), expected, found: stored.uid });
        }
        version(&given.key, given.version, stored.version)
    }
}

fn expect(base: Option<&Resource>, key: Key, expectation: Expectation) -> Result<(), StoreError> {
    let (uid, expected) = match (expectation, base) {
        (Expectation::Absent, None) => return Ok(()),
        (Expectation::Absent, Some(_)) => return Err(StoreError::AlreadyExists { key }),
        (_, None) => return Err(StoreError::NotFound { key }),
        (Expectation::Uid(uid), Some(base)) => (uid, base.metadata.version),
        (Expectation::Version(uid, version), Some(_)) => (uid, version),
    };
    let found = base.map(|base| &base.metadata);
    match found {
        Some(found) if found.uid != uid => {
            Err(StoreError::UidConflict { key, expected: uid, found: found.uid })
        }
        Some(found) => version(&key, expected, found.version),
        None => Ok(()),
    }
}

fn version(key: &Key, expected: u64, found: u64) -> Result<(), StoreError> {
    match expected == found {
        true => Ok(()),
        false => Err(StoreError::VersionConflict { key: key.clone(), expected, found }),
    }
}

fn in_phase(stored: &Resource, expected: Phase) -> Result<(), StoreError> {
    let found = stored.metadata.phase;
    match found == expected {
        true => Ok(()),
        false => Err(StoreError::PhaseConflict { key: stored.key().clone(), expected, found }),
    }
}

fn check_names(draft: &Draft) -> Result<(), StoreError> {
    let names = draft.labels.keys().chain(draft.annotations.keys()).chain(&draft.finalizers);
    check_texts(&draft.key, names.chain(&draft.owner))
}

/// Stricter than upstream, which accepts labels without a name.
fn check_texts<'a>(key: &Key, mut names: impl Iterator<Item = &'a Arc<str>>) -> Result<(), StoreError> {
    match names.any(|name| name.is_empty()) {
        true => Err(StoreError::invalid(
            format!("resource `{key}`"),
            "a label, annotation, finalizer or owner of it has no name",
        )),
        false => Ok(()),
    }
}
