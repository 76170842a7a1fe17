use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use fields::schema::FieldClass;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{Context, KindModel, Named, Plugin, ResourceChange, Rules, Veto, codes};

/// The kind of a change of a resource, for the audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It was created.
    Creation,
    /// A field that users set was changed, and perhaps others.
    SpecUpdate,
    /// A field that the server reports was changed, and perhaps metadata.
    StateUpdate,
    /// Only metadata was changed, or nothing.
    MetaUpdate,
    /// It was removed.
    Deletion,
}

impl ChangeKind {
    /// The kind of a change. If fields of several classes were changed, the first of spec, state and meta decides; hidden
    /// fields count as meta.
    pub fn of(rules: &Rules, change: &ResourceChange) -> Self {
        let unknown = KindModel::new(change.key.kind.clone());
        let kind = rules.model.kind(&change.key.kind).unwrap_or(&unknown);
        match (&change.old, &change.new) {
            (None, _) => Self::Creation,
            (Some(_), None) => Self::Deletion,
            (Some(old), Some(new)) if differs(kind, old, new, FieldClass::Spec) => Self::SpecUpdate,
            (Some(old), Some(new)) if differs(kind, old, new, FieldClass::State) => Self::StateUpdate,
            (Some(_), Some(_)) => Self::MetaUpdate,
        }
    }
}

/// An entry of the log of changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangeLogEntry {
    /// The kind of the change.
    pub change: ChangeKind,
    /// The resource.
    pub resource: Named,
    /// The user who made it; absent if unknown, and for the work that deletions left for later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<Arc<str>>,
    /// The time of the commit.
    pub time: String,
    /// The revision of the store after it.
    pub revision: u64,
    /// The number of the commit in the process that logged it. It distinguishes a commit that failed from the one that
    /// got its revision afterwards.
    pub commit: u64,
    /// Before, without hidden and sensitive fields.
    pub before: Option<Value>,
    /// After, without hidden and sensitive fields.
    pub after: Option<Value>,
}

/// A mark in the log: an entry above it is of a change that did not happen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NotCommitted {
    /// The kind of the line in the log.
    change: NotCommittedTag,
    /// The resource of the entry.
    pub resource: Named,
    /// The user of the entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<Arc<str>>,
    /// The time of the entry.
    pub time: String,
    /// The revision of the entry. Another commit may have got it since.
    pub revision: u64,
    /// The number of the commit of the entry, which is the last one of this number above the mark.
    pub commit: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum NotCommittedTag {
    NotCommitted,
}

/// The destination of entries of the log.
pub trait ChangeSink: Send + Sync {
    /// Takes the entries of one transaction, just before its commit. If the store then fails, they are of a transaction
    /// that did not happen, and [`retract`](Self::retract) says so.
    ///
    /// # Errors
    /// The reason, one line; the transaction fails.
    fn export(&self, entries: &[ChangeLogEntry]) -> Result<(), String>;

    /// Marks entries that were exported: the store has failed, and their changes did not happen. Entries of others may have
    /// been exported since. By default it does nothing.
    fn retract(&self, marks: &[NotCommitted]) {
        let _ = marks;
    }
}

/// Writes every change into a log, and fails a transaction whose changes cannot be logged. Entries that are logged and then
/// not committed are marked. It should be the last plugin.
#[derive(Clone)]
pub struct ChangeLogPlugin(Arc<Inner>);

struct Inner {
    sink: Box<dyn ChangeSink>,
    /// The marks of logged changes that are neither committed nor refused yet, by the number of the commit.
    open: Mutex<BTreeMap<u64, Vec<NotCommitted>>>,
}

impl ChangeLogPlugin {
    /// Into this log.
    pub fn new(sink: impl ChangeSink + 'static) -> Self {
        Self(Arc::new(Inner { sink: Box::new(sink), open: Mutex::default() }))
    }
}

impl Inner {
    fn open(&self) -> MutexGuard<'_, BTreeMap<u64, Vec<NotCommitted>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Plugin for ChangeLogPlugin {
    fn name(&self) -> &str {
        "change log"
    }

    fn before_commit(&self, context: &Context<'_>, changes: &[ResourceChange]) -> Result<(), Veto> {
        let entries: Vec<ChangeLogEntry> = changes.iter().map(|change| entry(context, change)).collect();
        if entries.is_empty() {
            return Ok(());
        }
        self.0.sink.export(&entries).map_err(|reason| Veto { code: codes::NOT_LOGGED.as_str(), reason })?;
        self.0.open().insert(context.number, entries.iter().map(mark).collect());
        Ok(())
    }

    fn finished(&self, number: u64, _: &[ResourceChange], committed: bool) {
        let marks = self.0.open().remove(&number);
        if let Some(marks) = marks.filter(|_| !committed) {
            self.0.sink.retract(&marks);
        }
    }
}

impl std::fmt::Debug for ChangeLogPlugin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ChangeLogPlugin")
    }
}

fn entry(context: &Context<'_>, change: &ResourceChange) -> ChangeLogEntry {
    let unknown = KindModel::new(change.key.kind.clone());
    let kind = context.rules.model.kind(&change.key.kind).unwrap_or(&unknown);
    let shown = |value: &Option<Arc<Value>>| value.as_deref().map(|value| loggable(kind, value));
    ChangeLogEntry {
        change: ChangeKind::of(context.rules, change),
        resource: Named::from(&change.key),
        user: context.user.cloned(),
        time: fields::timestamp(context.now),
        revision: context.revision,
        commit: context.number,
        before: shown(&change.old),
        after: shown(&change.new),
    }
}

fn mark(entry: &ChangeLogEntry) -> NotCommitted {
    NotCommitted {
        change: NotCommittedTag::NotCommitted,
        resource: entry.resource.clone(),
        user: entry.user.clone(),
        time: entry.time.clone(),
        revision: entry.revision,
        commit: entry.commit,
    }
}

/// True if two values of a resource differ in fields of one class.
pub(crate) fn differs(kind: &KindModel, old: &Value, new: &Value, class: FieldClass) -> bool {
    differ(kind, &mut Vec::new(), Some(old), Some(new), class)
}

fn differ<'a>(
    kind: &KindModel,
    path: &mut Vec<&'a str>,
    old: Option<&'a Value>,
    new: Option<&'a Value>,
    class: FieldClass,
) -> bool {
    let empty = Map::new();
    let (one, other) = match (old, new) {
        (Some(Value::Object(one)), Some(Value::Object(other))) => (one, other),
        // A whole message that was added or removed is compared by its fields.
        (Some(Value::Object(one)), None) => (one, &empty),
        (None, Some(Value::Object(other))) => (&empty, other),
        _ => return old != new && kind.class(path) == class,
    };
    let fields = one.keys().chain(other.keys().filter(|field| !one.contains_key(*field)));
    let fields: Vec<String> = fields.cloned().collect();
    fields.iter().any(|field| {
        let name =
            one.get_key_value(field).or_else(|| other.get_key_value(field)).map(|(name, _)| name.as_str());
        let mut inner: Vec<&str> = path.iter().copied().chain(name).collect();
        differ(kind, &mut inner, one.get(field), other.get(field), class)
    })
}

/// A resource as it may be logged: without hidden and sensitive fields.
fn loggable(kind: &KindModel, value: &Value) -> Value {
    let mut value = value.clone();
    hide(kind, &mut Vec::new(), &mut value);
    // Within maps a class is not known by names alone.
    let hidden = kind.classes.iter().filter(|(_, class)| *class == FieldClass::Hidden);
    hidden.map(|(path, _)| path).chain(&kind.sensitive).for_each(|path| path.remove(&mut value));
    value
}

fn hide(kind: &KindModel, path: &mut Vec<String>, value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| hide(kind, path, item)),
        Value::Object(map) => {
            map.retain(|field, inner| {
                path.push(field.clone());
                let names: Vec<&str> = path.iter().map(String::as_str).collect();
                let hidden = kind.class(&names) == FieldClass::Hidden;
                if !hidden {
                    hide(kind, path, inner);
                }
                path.pop();
                !hidden
            });
        }
        _ => {}
    }
}
