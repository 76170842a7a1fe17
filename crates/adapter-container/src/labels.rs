use std::collections::HashMap;

use ::adapter::{Record, ResourceRequest, spec::remove_secrets};
use bollard::models::ContainerInspectResponse;
use protocol::{ResourceId, spec_hash};
use serde_json::{Map, Value as Json};

pub(crate) const ID: &str = "planloom.id";
const KIND: &str = "planloom.kind";
const DEPLOYMENT: &str = "planloom.deployment";
const ADDRESS: &str = "planloom.address";
const GENERATION: &str = "planloom.generation";
/// The label with a hash of the spec that it was created from.
const SPEC: &str = "planloom.spec";
/// The label with the names of the environment variables whose values are hidden.
const SECRETS: &str = "planloom.secrets";
/// The label with the request as JSON, without its secrets.
const REQUEST: &str = "planloom.asked";
/// The label with a hash of the request.
const HASH: &str = "planloom.hash";

/// The labels of a resource, which the engine stores and this crate reads back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labels<'l>(pub(crate) Option<&'l HashMap<String, String>>);

impl<'l> Labels<'l> {
    pub(crate) fn of(container: &'l ContainerInspectResponse) -> Self {
        Self(container.config.as_ref().and_then(|it| it.labels.as_ref()))
    }

    /// The id that it was created for; `None` if it was not created by this adapter.
    pub(crate) fn id(&self) -> Option<ResourceId> {
        Some(ResourceId::new(self.get(KIND)?, self.get(ID)?))
    }

    fn get(&self, name: &str) -> Option<&'l str> {
        self.0?.get(name).map(|it| &**it)
    }

    /// True if it was created for that resource.
    pub(crate) fn is_of(&self, id: &ResourceId) -> bool {
        self.get(ID) == Some(&id.id) && self.get(KIND) == Some(&id.kind)
    }

    pub(crate) fn deployment(&self) -> Option<&'l str> {
        self.get(DEPLOYMENT)
    }

    pub(crate) fn address(&self) -> Option<&'l str> {
        self.get(ADDRESS)
    }

    pub(crate) fn generation(&self) -> u64 {
        self.get(GENERATION).and_then(|it| it.parse().ok()).unwrap_or_default()
    }

    pub(crate) fn spec(&self) -> Option<&'l str> {
        self.get(SPEC)
    }

    /// The request that it was created from, without its secrets; `None` if an older adapter or another
    /// program has created it.
    pub(crate) fn record(&self) -> Option<Record> {
        let requested = ResourceRequest {
            id: self.id()?,
            deployment: self.deployment()?.to_owned(),
            address: self.address()?.to_owned(),
            generation: self.generation(),
            spec: serde_json::from_str(self.get(REQUEST)?).ok()?,
        };
        Some(Record { hash: self.get(HASH)?.to_owned(), ..Record::begun(requested) })
    }

    pub(crate) fn secrets(&self) -> impl Iterator<Item = &'l str> {
        self.get(SECRETS).unwrap_or_default().split(',')
    }
}

/// The labels of a resource that is created for a request.
pub(crate) fn of(requested: &ResourceRequest, spec: &str) -> HashMap<String, String> {
    let generation = requested.generation.to_string();
    let reported = Json::Object(without_secrets(&requested.spec)).to_string();
    let hash = spec_hash(&Json::Object(requested.spec.clone()));
    let labels: [(&str, &str); 8] = [
        (ID, &requested.id.id),
        (KIND, &requested.id.kind),
        (DEPLOYMENT, &requested.deployment),
        (ADDRESS, &requested.address),
        (GENERATION, &generation),
        (SPEC, spec),
        (REQUEST, &reported),
        (HASH, &hash),
    ];
    labels.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn without_secrets(spec: &Map<String, Json>) -> Map<String, Json> {
    let mut spec = spec.clone();
    remove_secrets(&mut spec);
    spec
}

pub(crate) fn with_secrets<'n>(
    mut labels: HashMap<String, String>,
    names: impl Iterator<Item = &'n str>,
) -> HashMap<String, String> {
    let names: Vec<&str> = names.collect();
    if !names.is_empty() {
        labels.insert(SECRETS.into(), names.join(","));
    }
    labels
}

/// A filter for resources with this label.
pub(crate) fn filter(name: &str, value: &str) -> HashMap<String, Vec<String>> {
    HashMap::from([("label".to_owned(), vec![format!("{name}={value}")])])
}

/// A filter for resources of that deployment.
pub(crate) fn of_deployment(deployment: &str) -> HashMap<String, Vec<String>> {
    filter(DEPLOYMENT, deployment)
}

/// The name of a container or network of that resource.
pub(crate) fn name(id: &str) -> String {
    format!("planloom-{id}")
}

/// The name of a container until its creation is completed.
pub(crate) fn making(id: &str) -> String {
    format!("planloom-{id}-making")
}
