use regions::{registration::DeploymentEntry, upgrade::Stage};
use serde_json::{Map, Value, json};

use crate::{Name, entry_key::region_name};

/// The annotation with the whole entry: the meta service has no fields for the number of the installation and for the nodes of an
/// upgrade. Everything else is written for readers.
const ANNOTATION: &str = "registry.planloom/deployment";

/// The fields of a deployment's resource, and its annotation.
pub(crate) fn fields(entry: &DeploymentEntry<Name>, region: &Name) -> Map<String, Value> {
    let fields = [
        ("region", json!(region_name(region))),
        ("publicDomain", json!(entry.address)),
        ("envRegistryGeneration", json!(entry.registrations)),
        ("currentVersion", json!(entry.version.current_version)),
        ("upgradeState", upgrade_state(entry)),
        ("metadata", json!({"annotations": {ANNOTATION: json!(entry).to_string()}})),
    ];
    fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
}

fn upgrade_state(entry: &DeploymentEntry<Name>) -> Value {
    let Some(state) = &entry.version.upgrade_state else { return Value::Null };
    let stage = match state.stage {
        Stage::InitialSyncing => "INITIAL_SYNCING",
        Stage::Switching => "SWITCHING",
    };
    let shards = |all: &std::collections::BTreeSet<u16>| all.iter().map(u16::to_string).collect::<Vec<_>>();
    json!({
        "targetVersion": state.target_version,
        "readyShards": shards(&state.ready_shards),
        "pendingShards": shards(&state.pending_shards),
        "stage": stage,
    })
}

/// The entry of a deployment's resource; `None` if none was written there by the protocol.
pub(crate) fn entry(resource: &Value) -> Option<DeploymentEntry<Name>> {
    let annotation = resource.get("metadata")?.get("annotations")?.get(ANNOTATION)?.as_str()?;
    serde_json::from_str(annotation).ok()
}
