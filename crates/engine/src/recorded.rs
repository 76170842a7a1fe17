//! What is kept, as the planner takes it.

use std::collections::BTreeMap;

use model::{Address, Map, Origin, Phase, Recorded, RecordedResource, Value};
use serde_json::Value as Json;
use state::{Entry, Snapshot};

use crate::json;

/// The recorded state of a snapshot. An address that is none is passed over: nobody can mean it.
pub(crate) fn recorded(snapshot: &Snapshot) -> Recorded {
    let resources = snapshot.resources.iter();
    let resources: BTreeMap<Address, RecordedResource> =
        resources.filter_map(|(address, entry)| Some((address.parse().ok()?, resource(entry)))).collect();
    let deployment = Some(snapshot.deployment.as_str()).filter(|it| !it.is_empty()).map(Into::into);
    Recorded { deployment, serial: snapshot.serial, resources }
}

fn resource(entry: &Entry) -> RecordedResource {
    let known = |json: &Json| (!json.is_null()).then(|| json::value(json, Origin::Recorded));
    RecordedResource {
        kind: entry.kind.as_str().into(),
        phase: Phase::parse(&entry.phase).unwrap_or(Phase::Active),
        identity: known(&entry.identity),
        template: known(&entry.template),
        spec: json::value_map(&entry.spec, Origin::Recorded),
        outputs: json::value_map(&entry.outputs, Origin::Recorded),
        depends_on: entry.depends_on.iter().filter_map(|it| it.parse().ok()).collect(),
        protected: entry.protected,
        tainted: entry.tainted,
    }
}

/// A map with nothing in it.
pub(crate) fn nothing(origin: Origin) -> Value {
    Value::new(model::Data::Map(Map::new()), origin)
}
