//! What is kept, as the planner takes it.

use model::{Data, Desired, DesiredResource, Map, Origin, Recorded, Value};
use state::{Snapshot, unseal_all, unseal_resource};

use crate::fill::KnownResources;

/// The recorded state of a snapshot. Of secrets only marks are kept; where one is that of the value that is desired,
/// that value was recorded.
pub(crate) fn recorded(snapshot: &Snapshot, desired: &Desired, made: &KnownResources) -> Recorded {
    let mut recorded = snapshot.recorded();
    for wanted in &desired.resources {
        if let (Some(resource), Ok(spec)) = (recorded.resources.get_mut(&wanted.address), made.fill(wanted)) {
            unseal_resource(resource, &DesiredResource { spec, ..wanted.clone() });
        }
    }
    unseal_all(&mut recorded, desired);
    recorded
}

/// A map with nothing in it.
pub(crate) fn nothing(origin: Origin) -> Value {
    Value::new(Data::Map(Map::new()), origin)
}
