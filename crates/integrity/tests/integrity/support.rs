//! Short ways to write models, resources and results.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use fields::schema::DeleteBehavior;
use planloom_integrity::{
    Flags, IntegrityError, KindModel, Level, MetadataPlugin, Model, NameResolver, Plugins, Rules,
    Transactions,
};
use serde_json::{Value, json};
use store::{Key, Kind, MemoryBacking, Millis, Options, Store, testing::ManualClock};

/// `a/Thing` or, of the service `a`, `Thing`.
pub(crate) fn kind(text: &str) -> Kind {
    let (namespace, name) = text.split_once('/').unwrap_or(("a", text));
    Kind::new(namespace, name)
}

/// `Thing x` or `b/Thing x`.
pub(crate) fn key(text: &str) -> Key {
    let (of, id) = text.split_once(' ').expect("a kind and a name");
    kind(of).key(id)
}

/// A kind with references `field TARGET BEHAVIOR`, and perhaps a parent.
pub(crate) fn kind_model(
    of: &str,
    parent: Option<(&str, DeleteBehavior)>,
    references: &[(&str, &str, DeleteBehavior)],
) -> KindModel {
    let model = parent
        .into_iter()
        .fold(KindModel::new(kind(of)), |model, (parent, behavior)| model.parent(kind(parent), behavior));
    references.iter().fold(model, |model, (path, target, behavior)| {
        model.reference(path.parse().unwrap(), kind(target), *behavior)
    })
}

/// The parent is named by all but the last two segments.
pub(crate) struct Segments(pub(crate) Model);

impl NameResolver for Segments {
    fn parent_of(&self, key: &Key) -> Option<Key> {
        let parent = self.0.kind(&key.kind)?.parents.first()?;
        let mut segments: Vec<&str> = key.id.split('/').collect();
        segments.truncate(segments.len().checked_sub(2)?);
        (!segments.is_empty()).then(|| parent.key(segments.join("/")))
    }

    fn region_of(&self, key: &Key) -> Option<Arc<str>> {
        key.id.split_once('@').map(|(_, region)| region.into())
    }

    fn is_valid(&self, key: &Key) -> bool {
        !key.id.contains(' ')
    }
}

pub(crate) fn rules(kinds: impl IntoIterator<Item = KindModel>) -> Rules {
    let (model, problems) = Model::new(kinds);
    assert_eq!(problems, []);
    Rules::new(model.clone(), Segments(model))
}

/// A store with rules over it, its clock and the backing store that outlives it.
pub(crate) struct Fixture {
    pub(crate) t: Transactions,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) backing: MemoryBacking,
}

pub(crate) const T0: Millis = Millis(1_000_000);

pub(crate) fn plugins() -> Plugins {
    let next = AtomicU64::new(1);
    Plugins::new(MetadataPlugin::new(move || format!("uuid-{}", next.fetch_add(1, Ordering::Relaxed))))
}

pub(crate) fn fixture(kinds: impl IntoIterator<Item = KindModel>) -> Fixture {
    with(rules(kinds), plugins(), Flags::default())
}

pub(crate) fn with(rules: Rules, plugins: Plugins, flags: Flags) -> Fixture {
    let backing = MemoryBacking::default();
    let clock = Arc::new(ManualClock::at(T0));
    let store = Store::new(Options::default(), clock.clone(), Some(Box::new(backing.clone()))).unwrap();
    Fixture { t: Transactions::new(store, rules, plugins, flags), clock, backing }
}

impl Fixture {
    /// The same content in another process.
    pub(crate) fn reopened(&self) -> Transactions {
        let store =
            Store::new(Options::default(), self.clock.clone(), Some(Box::new(self.backing.clone()))).unwrap();
        Transactions::new(store, self.t.rules().clone(), plugins(), self.t.flags())
    }
}

pub(crate) type Result<T = (), E = IntegrityError> = std::result::Result<T, E>;

pub(crate) fn create(t: &Transactions, name: &str, value: Value) -> Result {
    t.run(Level::Snapshot, |session| session.create(key(name), value.clone()))
}

pub(crate) fn update(t: &Transactions, name: &str, value: Value) -> Result {
    t.run(Level::Snapshot, |session| session.update(key(name), value.clone()))
}

pub(crate) fn delete(t: &Transactions, names: &[&str]) -> Result {
    t.run(Level::Snapshot, |session| names.iter().try_for_each(|name| session.delete(key(name))))
}

pub(crate) fn get(t: &Transactions, name: &str) -> Option<Value> {
    t.begin_read_only().get(&key(name)).unwrap()
}

/// Everything that is stored, without metadata but for the state: `Thing x {"ref":"y"} DELETING`.
pub(crate) fn content(t: &Transactions) -> Vec<String> {
    t.instances().iter().map(|(key, value)| line(key, value)).collect()
}

pub(crate) fn line(key: &Key, value: &Value) -> String {
    let mut spec = value.clone();
    let deleting = value.pointer("/metadata/lifecycle/state") == Some(&json!("DELETING"));
    spec.as_object_mut().unwrap().remove("metadata");
    let spec = if spec == json!({}) { String::new() } else { format!(" {spec}") };
    format!("{} {}{spec}{}", key.kind.name, key.id, if deleting { " DELETING" } else { "" })
}

/// Drains all asynchronous work; returns the number of waves.
pub(crate) fn drain(t: &Transactions) -> usize {
    (0..).find(|_| t.wave().unwrap().is_empty()).unwrap()
}
