//! The recorded state in the form that the planner takes.

use model::{Data, Desired, DesiredResource, Map, Origin, Recorded, Value};
use state::{Snapshot, unseal_all, unseal_resource};

use crate::fill::KnownResources;

/// The recorded state of a snapshot. Of secrets only marks are kept; if a mark matches the desired value,
/// that value was recorded.
pub(crate) fn recorded(snapshot: &Snapshot, desired: &Desired, made: &KnownResources) -> Recorded {
    let mut recorded = snapshot.recorded();
    for declared in &desired.resources {
        if let (Some(resource), Ok(spec)) =
            (recorded.resources.get_mut(&declared.address), made.fill(declared))
        {
            unseal_resource(resource, &DesiredResource { spec, ..DesiredResource::clone(declared) });
        }
    }
    unseal_all(&mut recorded, desired);
    recorded
}

/// An empty map.
pub(crate) fn nothing(origin: Origin) -> Value {
    Value::new(Data::Map(Map::new()), origin)
}
