use model::{Map as Fields, Origin, Phase, Recorded, RecordedResource, Value};
use serde_json::{Map, Value as Json};

use crate::{Adapter, Entry, Marks, Snapshot, secret::to_value};

/// The recorded identity of a resource, besides what plans read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceIdentity {
    /// The id that its adapter knows it by; empty if it was never created.
    pub id: String,
    /// The number of times that it was created, from 1.
    pub generation: u64,
    /// The adapter that created it; `None` if that was not recorded.
    pub adapter: Option<Adapter>,
    /// The address that its adapter knows it by; empty if it is its own.
    pub created_as: String,
}

impl Snapshot {
    /// The recorded resources in the form that plans take. Secrets are [marks](crate::is_mark) until they are
    /// [unsealed](crate::unseal_resource).
    pub fn recorded(&self) -> Recorded {
        let resources = self.resources.iter();
        let resources = resources.filter_map(|(name, entry)| Some((name.parse().ok()?, entry.recorded())));
        Recorded {
            deployment: Some(self.deployment.as_str().into()).filter(|_| !self.deployment.is_empty()),
            serial: self.serial,
            resources: resources.collect(),
        }
    }

    /// The marks with this deployment's salt.
    pub fn marks(&self) -> Marks {
        Marks::of(&self.lineage)
    }
}

impl Entry {
    /// The resource in the form that plans take. An unknown phase is read as active: the resource may exist.
    pub fn recorded(&self) -> RecordedResource {
        let fields = |map: &Map<String, Json>| {
            let fields = map.iter().map(|(key, it)| (key.as_str().into(), to_value(it, Origin::Recorded)));
            Value::new(model::Data::Map(fields.collect::<Fields>()), Origin::Recorded)
        };
        let something = |json: &Json| (!json.is_null()).then(|| to_value(json, Origin::Recorded));
        RecordedResource {
            kind: self.kind.as_str().into(),
            phase: Phase::parse(&self.phase).unwrap_or(Phase::Active),
            identity: something(&self.identity),
            template: something(&self.template),
            spec: fields(&self.spec),
            outputs: fields(&self.outputs),
            depends_on: self.depends_on.iter().filter_map(|it| it.parse().ok()).collect(),
            protected: self.protected,
            replace: false,
            tainted: self.tainted,
            created_as: self.created_as.parse().ok(),
            moved_from: None,
        }
    }

    /// The part that plans do not take.
    pub fn made(&self) -> ResourceIdentity {
        ResourceIdentity {
            id: self.id.clone(),
            generation: self.generation,
            adapter: self.adapter.clone(),
            created_as: self.created_as.clone(),
        }
    }

    /// The entry of a resource; its secrets become marks.
    pub fn of(marks: &Marks, resource: &RecordedResource, made: ResourceIdentity) -> Self {
        let seal = |value: &Option<Value>| value.as_ref().map_or(Json::Null, |it| marks.seal(it));
        Self {
            kind: resource.kind.to_string(),
            phase: resource.phase.as_str().into(),
            id: made.id,
            identity: seal(&resource.identity),
            template: seal(&resource.template),
            spec: marks.seal_fields(&resource.spec),
            outputs: marks.seal_fields(&resource.outputs),
            depends_on: resource.depends_on.iter().map(ToString::to_string).collect(),
            protected: resource.protected,
            generation: made.generation,
            adapter: made.adapter,
            created_as: made.created_as,
            tainted: resource.tainted,
            restarts: None,
            rest: Map::new(),
        }
    }
}
