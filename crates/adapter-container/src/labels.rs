use std::collections::HashMap;

use ::adapter::Asked;
use protocol::ResourceId;

pub(crate) const ID: &str = "planloom.id";
const KIND: &str = "planloom.kind";
const DEPLOYMENT: &str = "planloom.deployment";
const ADDRESS: &str = "planloom.address";
const GENERATION: &str = "planloom.generation";
/// A hash of what it was made from.
const SPEC: &str = "planloom.spec";
/// The names of the environment variables whose values are hidden.
const SECRETS: &str = "planloom.secrets";

/// What the engine keeps with a thing, and this crate reads back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labels<'l>(pub(crate) Option<&'l HashMap<String, String>>);

impl<'l> Labels<'l> {
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

    pub(crate) fn secrets(&self) -> impl Iterator<Item = &'l str> {
        self.get(SECRETS).unwrap_or_default().split(',')
    }
}

/// The labels of what is made for that.
pub(crate) fn of(asked: &Asked, spec: &str) -> HashMap<String, String> {
    let generation = asked.generation.to_string();
    let labels: [(&str, &str); 6] = [
        (ID, &asked.id.id),
        (KIND, &asked.id.kind),
        (DEPLOYMENT, &asked.deployment),
        (ADDRESS, &asked.address),
        (GENERATION, &generation),
        (SPEC, spec),
    ];
    labels.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
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
