use model::{Address, ObservedResource, Phase, RecordedResource};

use crate::PlanInput;

/// The existence of a resource by its record and its observation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Existence<'a> {
    /// It was never made, as far as is known.
    Unrecorded,
    /// It was made and does not exist any more.
    Gone,
    /// It exists.
    Exists(&'a RecordedResource, Option<&'a ObservedResource>),
}

/// The existence of a resource. A record without identity counts as gone: it was lost before it could be stored. One that is `pending` exists
/// unless an adapter says otherwise: its creation was begun, so changing or destroying it is right and making it a
/// second time is not.
pub(crate) fn existence<'a>(input: &PlanInput<'a>, address: &Address) -> Existence<'a> {
    let Some(recorded) = input.recorded.resources.get(address) else { return Existence::Unrecorded };
    let observed = input.observed.resources.get(address);
    let phase = match observed {
        None => recorded.phase,
        Some(None) => Phase::Terminated,
        Some(Some(observed)) => observed.phase,
    };
    if !has_identity(recorded) || phase == Phase::Terminated {
        return Existence::Gone;
    }
    Existence::Exists(recorded, observed.and_then(Option::as_ref))
}

fn has_identity(recorded: &RecordedResource) -> bool {
    recorded.identity.as_ref().is_some_and(|identity| match &identity.data {
        model::Data::Null => false,
        model::Data::Map(map) => !map.is_empty(),
        _ => true,
    })
}
