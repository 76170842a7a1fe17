use std::sync::Arc;

use fields::schema::FieldClass;
use serde_json::{Map, Value, json};
use store::Key;

use crate::{Context, KindModel, LifecycleState, Plugin, Rules, audit, lifecycle};

/// The fields of `metadata` that only the server sets; values that clients send in them are ignored.
const OUTPUT_ONLY: [&str; 7] =
    ["createTime", "updateTime", "deleteTime", "uuid", "generation", "resourceVersion", "syncing"];

/// Maintains `metadata` of every resource (`goten.types.Meta`): `createTime`, `updateTime`, `deleteTime`, `uuid`,
/// `generation` (how often the spec changed, from 1), `resourceVersion` (the text of an integer that increases with each
/// commit of the store). `lifecycle.state` is maintained by the transactions themselves.
///
/// An update without a difference keeps the generation, and has a new resource version.
#[derive(Clone)]
pub struct MetadataPlugin {
    uuids: Arc<dyn Fn() -> String + Send + Sync>,
}

impl MetadataPlugin {
    /// With a source of ids that are unique in the world.
    pub fn new(uuids: impl Fn() -> String + Send + Sync + 'static) -> Self {
        Self { uuids: Arc::new(uuids) }
    }
}

impl Plugin for MetadataPlugin {
    fn name(&self) -> &str {
        "metadata"
    }

    fn created(&self, context: &Context<'_>, _: &Key, new: &mut Value) {
        let Some(metadata) = metadata(new) else { return };
        let now = fields::timestamp(context.now);
        metadata.insert("createTime".to_owned(), now.clone().into());
        metadata.insert("updateTime".to_owned(), now.into());
        metadata.insert("uuid".to_owned(), (self.uuids)().into());
        metadata.insert("generation".to_owned(), "1".into());
        metadata.insert("resourceVersion".to_owned(), context.revision.to_string().into());
    }

    fn updated(&self, context: &Context<'_>, key: &Key, old: &Value, new: &mut Value) {
        let changed = is_spec_changed(context.rules, key, old, new);
        let deleted = lifecycle::is_deleting(new) && !lifecycle::is_deleting(old);
        let Some(metadata) = metadata(new) else { return };
        let now = fields::timestamp(context.now);
        if deleted {
            metadata.insert("deleteTime".to_owned(), now.clone().into());
        }
        let generation =
            metadata.get("generation").and_then(Value::as_str).and_then(|it| it.parse::<i64>().ok());
        let generation = generation.unwrap_or(1).saturating_add(i64::from(changed));
        metadata.insert("updateTime".to_owned(), now.into());
        metadata.insert("generation".to_owned(), generation.to_string().into());
        metadata.insert("resourceVersion".to_owned(), context.revision.to_string().into());
    }
}

impl std::fmt::Debug for MetadataPlugin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MetadataPlugin")
    }
}

/// `metadata` of a resource, which gets one if it has none; `None` if the resource is not an object.
fn metadata(value: &mut Value) -> Option<&mut Map<String, Value>> {
    let metadata = value.as_object_mut()?.entry("metadata").or_insert_with(|| json!({}));
    if !metadata.is_object() {
        *metadata = json!({});
    }
    metadata.as_object_mut()
}

/// Replaces the fields that only the server sets by the stored ones. `lifecycle.blockDeletion` is left as it is given: the
/// server's code sets it this way, so code that accepts requests of clients has to remove it.
pub(crate) fn keep_output_only(old: Option<&Value>, new: &mut Value) {
    let state = old.map_or(LifecycleState::Active, LifecycleState::of);
    let stored = |name: &str| old.and_then(|old| old.get("metadata")?.get(name)).cloned();
    if let Some(metadata) = metadata(new) {
        for name in OUTPUT_ONLY {
            match stored(name) {
                Some(value) => drop(metadata.insert(name.to_owned(), value)),
                None => drop(metadata.shift_remove(name)),
            }
        }
    }
    lifecycle::set(new, state);
}

fn is_spec_changed(rules: &Rules, key: &Key, old: &Value, new: &Value) -> bool {
    let unknown = KindModel::new(key.kind.clone());
    audit::differs(rules.model.kind(&key.kind).unwrap_or(&unknown), old, new, FieldClass::Spec)
}
