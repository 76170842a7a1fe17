use std::collections::{BTreeMap, BTreeSet};

use planloom_registry::{Entry, EntryName, Name};
use regions::registration::{Dependencies, DeploymentEntry, ServiceEntry};
use serde_json::json;

/// The entries that a registry has to have, and the revisions of their last changes.
#[derive(Default)]
pub(crate) struct Model {
    pub(crate) entries: BTreeMap<EntryName, Entry>,
    revisions: BTreeMap<EntryName, u64>,
    pub(crate) last_deletion: u64,
}

impl Model {
    /// The revision that a write has to have seen.
    pub(crate) fn changed_at(&self, name: &EntryName) -> u64 {
        let changed = self.revisions.get(name).copied().filter(|_| self.entries.contains_key(name));
        changed.unwrap_or_default().max(self.last_deletion)
    }

    pub(crate) fn write(&mut self, name: &EntryName, entry: Option<Entry>, at: u64) {
        match entry {
            Some(entry) if self.entries.get(name) == Some(&entry) => {}
            Some(entry) => {
                self.entries.insert(name.clone(), entry);
                self.revisions.insert(name.clone(), at);
            }
            None => {
                self.entries.remove(name);
                let is_kind = |it: &EntryName| matches!(it, EntryName::Resource { .. });
                let is_service = matches!(name, EntryName::Service { .. });
                self.entries.retain(|it, _| !(is_service && is_kind(it) && it.service() == name.service()));
                self.last_deletion = at;
            }
        }
    }

    pub(crate) fn watched(&self) -> BTreeMap<EntryName, Entry> {
        let watched = self.entries.iter().filter(|(name, _)| name.is_watched());
        watched.map(|(name, it)| (name.clone(), it.clone())).collect()
    }
}

/// Two regions, two services of which one imports the other, a kind of resource, and deployments.
pub(crate) fn names() -> Vec<EntryName> {
    let name = |it: &str| Name::from(it);
    let (iam, shop) = (name("iam.example.com"), name("shop.example.com"));
    vec![
        EntryName::Region { region: name("eu") },
        EntryName::Region { region: name("us") },
        EntryName::Service { service: iam.clone() },
        EntryName::Service { service: shop.clone() },
        EntryName::Resource { service: shop.clone(), kind: name("Item") },
        EntryName::Deployment { service: iam, region: name("eu") },
        EntryName::Deployment { service: shop, region: name("eu") },
    ]
}

/// A possible content of an entry; `None` for 0.
pub(crate) fn entry(name: &EntryName, content: u8) -> Option<Entry> {
    (content > 0).then(|| match name {
        EntryName::Region { .. } => Entry::Region,
        EntryName::Service { service } => Entry::Service(service_entry(service, content)),
        EntryName::Resource { .. } => {
            Entry::Resource { versions: (0..content).map(|it| format!("v{it}").into()).collect() }
        }
        EntryName::Deployment { .. } => Entry::Deployment(deployment_entry(content)),
    })
}

fn service_entry(service: &Name, content: u8) -> ServiceEntry<Name> {
    let newest = match **service == *"shop.example.com" {
        true => Dependencies {
            imported: BTreeMap::from([("iam.example.com".into(), format!("v{}", content + 1).into())]),
            used: BTreeSet::new(),
        },
        false => Dependencies::default(),
    };
    ServiceEntry {
        default_control_region: "eu".into(),
        enabled_regions: ["eu", "us"].into_iter().take(usize::from(content) + 1).map(Name::from).collect(),
        versions: BTreeMap::from([("v1alpha1".into(), Dependencies::default()), ("v1".into(), newest)]),
    }
}

fn deployment_entry(content: u8) -> DeploymentEntry<Name> {
    let state = json!({"targetVersion": "v2", "readyShards": [0], "pendingShards": [1, 2], "state": "INITIAL_SYNCING"});
    let mut version = json!({"supportedVersions": ["v1", "v2"], "currentVersion": "v1", "generation": content, "nodes": {"n": 1}});
    if content > 1 {
        version["upgradeState"] = state;
    }
    DeploymentEntry {
        instance: u64::MAX - u64::from(content),
        registrations: u64::from(content),
        address: "http://127.0.0.1:9000".into(),
        version: serde_json::from_value(version).expect("a version"),
    }
}
