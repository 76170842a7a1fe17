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
/// A hash of what it was made from.
const SPEC: &str = "planloom.spec";
/// The names of the environment variables whose values are hidden.
const SECRETS: &str = "planloom.secrets";
/// What was asked for, as JSON, without its secrets.
const ASKED: &str = "planloom.asked";
/// A hash of what was asked for.
const HASH: &str = "planloom.hash";

/// What the engine keeps with a thing, and this crate reads back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labels<'l>(pub(crate) Option<&'l HashMap<String, String>>);

impl<'l> Labels<'l> {
    pub(crate) fn of(container: &'l ContainerInspectResponse) -> Self {
        Self(container.config.as_ref().and_then(|it| it.labels.as_ref()))
    }

    /// What it was made for; `None` where it is not ours.
    pub(crate) fn id(&self) -> Option<ResourceId> {
        Some(ResourceId::new(self.get(KIND)?, self.get(ID)?))
    }

    fn get(&self, name: &str) -> Option<&'l str> {
        self.0?.get(name).map(|it| &**it)
    }

    /// Whether it was made for that resource.
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

    /// What was asked for when it was made, without its secrets; `None` where an older adapter has made it, or somebody
    /// else.
    pub(crate) fn record(&self) -> Option<Record> {
        let requested = ResourceRequest {
            id: self.id()?,
            deployment: self.deployment()?.to_owned(),
            address: self.address()?.to_owned(),
            generation: self.generation(),
            spec: serde_json::from_str(self.get(ASKED)?).ok()?,
        };
        Some(Record { hash: self.get(HASH)?.to_owned(), ..Record::begun(requested) })
    }

    pub(crate) fn secrets(&self) -> impl Iterator<Item = &'l str> {
        self.get(SECRETS).unwrap_or_default().split(',')
    }
}

/// The labels of what is made for that.
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
        (ASKED, &reported),
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

/// Asks for what has this label.
pub(crate) fn filter(name: &str, value: &str) -> HashMap<String, Vec<String>> {
    HashMap::from([("label".to_owned(), vec![format!("{name}={value}")])])
}

/// Asks for what belongs to that deployment.
pub(crate) fn of_deployment(deployment: &str) -> HashMap<String, Vec<String>> {
    filter(DEPLOYMENT, deployment)
}

/// What a container or network of that resource is called.
pub(crate) fn name(id: &str) -> String {
    format!("planloom-{id}")
}

/// What a container is called until it is made.
pub(crate) fn making(id: &str) -> String {
    format!("planloom-{id}-making")
}
