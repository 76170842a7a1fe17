use std::collections::{BTreeMap, BTreeSet};

use protocol::{Code, Problem, ResourceId};
use serde_json::{Map, Value as Json};
use store::Glob;

use super::{Drift, SimulatedResource, kept::exactly, outputs::Allocations, resource::Readiness};
use crate::ResourceRequest;

/// Deployment and address.
type DeploymentAddress = (String, String);

/// All resources that really exist.
#[derive(Default)]
pub(super) struct SimulatedResources {
    things: BTreeMap<ResourceId, SimulatedResource>,
    places: BTreeMap<DeploymentAddress, BTreeSet<ResourceId>>,
    allocations: Allocations,
}

impl SimulatedResources {
    pub(super) fn get(&self, id: &ResourceId) -> Option<&SimulatedResource> {
        self.things.get(id)
    }

    pub(super) fn all(&self) -> Vec<SimulatedResource> {
        self.things.values().cloned().collect()
    }

    pub(super) fn duplicates(&self) -> Vec<String> {
        let doubles = self.places.iter().filter(|(_, ids)| ids.len() > 1);
        doubles.map(|((_, address), _)| address.clone()).collect()
    }

    /// Makes a thing, or takes the one of that id over.
    pub(super) fn create(
        &mut self,
        request: &ResourceRequest,
        number: u64,
        ready: i64,
    ) -> Result<(), Problem> {
        let number = self.drop_thing(&request.id).map_or(number, |old| old.number);
        let mut thing = SimulatedResource::new(request, number, ready);
        self.allocations.give(&mut thing)?;
        let place = (request.deployment.clone(), request.address.clone());
        self.places.entry(place).or_default().insert(request.id.clone());
        self.things.insert(request.id.clone(), thing);
        Ok(())
    }

    pub(super) fn change(&mut self, request: &ResourceRequest, ready: i64) -> Result<(), Problem> {
        let Some(old) = self.drop_thing(&request.id) else {
            return Err(Problem::new(Code::NotFound, "it does not exist"));
        };
        self.create(request, old.number, ready).inspect_err(|_| {
            // Nothing has changed: it was there with all that it holds, so it can be again.
            let place = (old.deployment.clone(), old.address.clone());
            let mut old = old.clone();
            if self.allocations.give(&mut old).is_ok() {
                self.places.entry(place).or_default().insert(old.id.clone());
                self.things.insert(old.id.clone(), old);
            }
        })
    }

    /// Puts a thing back that was there before, with all that it was given then; one that cannot be is left out.
    pub(super) fn restore(&mut self, thing: SimulatedResource) {
        let mut holding = SimulatedResource { request: exactly(&thing), ..thing.clone() };
        if self.allocations.give(&mut holding).is_err() {
            return;
        }
        let place = (thing.deployment.clone(), thing.address.clone());
        self.places.entry(place).or_default().insert(thing.id.clone());
        self.things.insert(thing.id.clone(), SimulatedResource { allocation: holding.allocation, ..thing });
    }

    /// Whether it was there.
    pub(super) fn remove(&mut self, id: &ResourceId, strict: bool) -> Result<bool, Problem> {
        let members = self.things.get(id).map_or(0, |thing| self.allocations.members(thing));
        if strict && members > 0 {
            let detail = format!("{members} services are still attached to it");
            return Err(Problem {
                code: "in_use".into(),
                status: 423,
                ..Problem::new(Code::Internal, detail)
            });
        }
        Ok(self.drop_thing(id).is_some())
    }

    pub(super) fn never_ready(&mut self, id: &ResourceId) {
        if let Some(thing) = self.things.get_mut(id) {
            thing.ready = Readiness::Never;
        }
    }

    pub(super) fn drift(&mut self, drift: &Drift) -> usize {
        let (Drift::Remove { address }
        | Drift::Stop { address }
        | Drift::Degrade { address, .. }
        | Drift::Change { address, .. }) = drift;
        let pattern = Glob::stars(address);
        let fits = self.places.iter().filter(|((_, at), _)| pattern.matches(at));
        let ids: Vec<ResourceId> = fits.flat_map(|(_, ids)| ids.iter().cloned()).collect();
        ids.into_iter().filter(|id| self.drift_at(id, drift)).count()
    }

    fn drift_at(&mut self, id: &ResourceId, drift: &Drift) -> bool {
        if let Drift::Remove { .. } = drift {
            return self.drop_thing(id).is_some();
        }
        let Some(thing) = self.things.get_mut(id) else { return false };
        match drift {
            Drift::Stop { .. } | Drift::Remove { .. } => thing.ready = Readiness::Stopped,
            Drift::Degrade { message, .. } => {
                thing.ready = Readiness::Never;
                thing.message = Some(message.clone());
            }
            Drift::Change { pointer, value, .. } => return set(&mut thing.actual, pointer, value),
        }
        true
    }

    fn drop_thing(&mut self, id: &ResourceId) -> Option<SimulatedResource> {
        let thing = self.things.remove(id)?;
        let place = (thing.deployment.clone(), thing.address.clone());
        if let Some(ids) = self.places.get_mut(&place) {
            ids.remove(id);
            if ids.is_empty() {
                self.places.remove(&place);
            }
        }
        self.allocations.take_back(&thing);
        Some(thing)
    }
}

/// Sets an attribute, or takes it away; whether there is such a place.
fn set(spec: &mut Map<String, Json>, pointer: &str, value: &Json) -> bool {
    let Some((parent, last)) = pointer.rsplit_once('/') else { return false };
    let last = last.replace("~1", "/").replace("~0", "~");
    let mut whole = Json::Object(std::mem::take(spec));
    let done = match (whole.pointer_mut(parent), value) {
        (Some(Json::Object(fields)), Json::Null) => fields.shift_remove(&last).is_some(),
        (Some(Json::Object(fields)), value) => {
            fields.insert(last, value.clone());
            true
        }
        (Some(Json::Array(items)), value) => {
            match last.parse().ok().and_then(|at: usize| items.get_mut(at)) {
                Some(item) => {
                    *item = value.clone();
                    true
                }
                None => false,
            }
        }
        _ => false,
    };
    if let Json::Object(fields) = whole {
        *spec = fields;
    }
    done
}
