use serde_json::{Value, json};

/// The state of a resource in its life cycle (`goten.types.Meta.Lifecycle`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LifecycleState {
    /// It is in use.
    Active,
    /// It was deleted, and is readable until nothing refers to it.
    Deleting,
}

impl LifecycleState {
    /// Its name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "ACTIVE",
            Self::Deleting => "DELETING",
        }
    }

    /// The state of a resource; one without `metadata.lifecycle` is active.
    pub fn of(value: &Value) -> Self {
        match value.pointer("/metadata/lifecycle/state").and_then(Value::as_str) {
            Some("DELETING") => Self::Deleting,
            _ => Self::Active,
        }
    }

    /// True if a resource may go from one state to another, where `None` is that it does not exist. The table:
    ///
    /// | from | absent | `ACTIVE` | `DELETING` |
    /// |---|---|---|---|
    /// | absent | yes | yes: create | no |
    /// | `ACTIVE` | yes: delete | yes: update | yes: asynchronous deletion |
    /// | `DELETING` | yes: nothing refers to it | no | yes: its metadata changed |
    pub const fn is_legal(from: Option<Self>, to: Option<Self>) -> bool {
        !matches!((from, to), (None, Some(Self::Deleting)) | (Some(Self::Deleting), Some(Self::Active)))
    }
}

/// True if a resource is being deleted.
pub(crate) fn is_deleting(value: &Value) -> bool {
    LifecycleState::of(value) == LifecycleState::Deleting
}

/// True if the server's code forbids its deletion.
pub(crate) fn blocks_deletion(value: &Value) -> bool {
    value.pointer("/metadata/lifecycle/blockDeletion").and_then(Value::as_bool).unwrap_or_default()
}

/// Sets the state, and keeps the rest of the life cycle.
pub(crate) fn set(value: &mut Value, state: LifecycleState) {
    if !value.get("metadata").is_some_and(Value::is_object) {
        let Some(object) = value.as_object_mut() else { return };
        object.insert("metadata".to_owned(), json!({}));
    }
    let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut) else { return };
    let lifecycle = metadata.entry("lifecycle").or_insert_with(|| json!({}));
    match lifecycle.as_object_mut() {
        Some(lifecycle) => drop(lifecycle.insert("state".to_owned(), state.as_str().into())),
        None => *lifecycle = json!({"state": state.as_str()}),
    }
}
