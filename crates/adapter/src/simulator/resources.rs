use std::collections::{BTreeMap, BTreeSet};

use protocol::{Code, Problem, ResourceId};
use serde_json::{Map, Value as Json};
use store::Glob;

use super::{Drift, SimulatedResource, kept::exactly, outputs::Allocations, resource::Readiness};
use crate::ResourceRequest;

/// Deployment and address.
type DeploymentAddress = (String, String);

/// All resources that exist.
#[derive(Default)]
pub(super) struct SimulatedResources {
    resources: BTreeMap<ResourceId, SimulatedResource>,
    places: BTreeMap<DeploymentAddress, BTreeSet<ResourceId>>,
    allocations: Allocations,
}

impl SimulatedResources {
    pub(super) fn get(&self, id: &ResourceId) -> Option<&SimulatedResource> {
        self.resources.get(id)
    }

    pub(super) fn all(&self) -> Vec<SimulatedResource> {
        self.resources.values().cloned().collect()
    }

    pub(super) fn duplicates(&self) -> Vec<String> {
        let doubles = self.places.iter().filter(|(_, ids)| ids.len() > 1);
        doubles.map(|((_, address), _)| address.clone()).collect()
    }

    /// Creates a resource, or takes over the one of the same id.
    pub(super) fn create(
        &mut self,
        request: &ResourceRequest,
        number: u64,
        ready: i64,
    ) -> Result<(), Problem> {
        let number = self.drop_resource(&request.id).map_or(number, |old| old.number);
        let mut resource = SimulatedResource::new(request, number, ready);
        self.allocations.give(&mut resource)?;
        let place = (request.deployment.clone(), request.address.clone());
        self.places.entry(place).or_default().insert(request.id.clone());
        self.resources.insert(request.id.clone(), resource);
        Ok(())
    }

    pub(super) fn change(&mut self, request: &ResourceRequest, ready: i64) -> Result<(), Problem> {
        let Some(old) = self.drop_resource(&request.id) else {
            return Err(Problem::new(Code::NotFound, "it does not exist"));
        };
        self.create(request, old.number, ready).inspect_err(|_| {
            // Nothing has changed: the old resource had these allocations, so it can have them again.
            let place = (old.deployment.clone(), old.address.clone());
            let mut old = old.clone();
            if self.allocations.give(&mut old).is_ok() {
                self.places.entry(place).or_default().insert(old.id.clone());
                self.resources.insert(old.id.clone(), old);
            }
        })
    }

    /// Restores a resource with the allocations that it had; one that cannot have them is left out.
    pub(super) fn restore(&mut self, resource: SimulatedResource) {
        let mut holding = SimulatedResource { request: exactly(&resource), ..resource.clone() };
        if self.allocations.give(&mut holding).is_err() {
            return;
        }
        let place = (resource.deployment.clone(), resource.address.clone());
        self.places.entry(place).or_default().insert(resource.id.clone());
        self.resources
            .insert(resource.id.clone(), SimulatedResource { allocation: holding.allocation, ..resource });
    }

    /// Removes a resource, and returns true if it existed.
    pub(super) fn remove(&mut self, id: &ResourceId, strict: bool) -> Result<bool, Problem> {
        let members = self.resources.get(id).map_or(0, |resource| self.allocations.members(resource));
        if strict && members > 0 {
            let detail = format!("{members} services are still attached to it");
            return Err(Problem {
                code: "in_use".into(),
                status: 423,
                ..Problem::new(Code::Internal, detail)
            });
        }
        Ok(self.drop_resource(id).is_some())
    }

    pub(super) fn never_ready(&mut self, id: &ResourceId) {
        if let Some(resource) = self.resources.get_mut(id) {
            resource.ready = Readiness::Never;
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
            return self.drop_resource(id).is_some();
        }
        let Some(resource) = self.resources.get_mut(id) else { return false };
        match drift {
            Drift::Stop { .. } | Drift::Remove { .. } => resource.ready = Readiness::Stopped,
            Drift::Degrade { message, .. } => {
                resource.ready = Readiness::Never;
                resource.message = Some(message.clone());
            }
            Drift::Change { pointer, value, .. } => return set(&mut resource.actual, pointer, value),
        }
        true
    }

    fn drop_resource(&mut self, id: &ResourceId) -> Option<SimulatedResource> {
        let resource = self.resources.remove(id)?;
        let place = (resource.deployment.clone(), resource.address.clone());
        if let Some(ids) = self.places.get_mut(&place) {
            ids.remove(id);
            if ids.is_empty() {
                self.places.remove(&place);
            }
        }
        self.allocations.take_back(&resource);
        Some(resource)
    }
}

/// Sets or removes an attribute; returns whether the path of the pointer exists.
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
