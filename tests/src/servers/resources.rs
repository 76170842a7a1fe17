use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use store::{Key, Query, Resource};

use super::{Setup, server::Server};

/// The servers that have a resource.
#[derive(Debug, Default)]
struct Places {
    owners: Vec<String>,
    copies: Vec<String>,
    /// The regions that its owner says to have it.
    regions: Vec<String>,
    is_deleting: bool,
}

/// All resources whose names begin with a text, with the servers that have them.
pub(super) fn all(setup: &Setup, servers: &[Server], prefix: &str) -> Vec<Json> {
    let mut found: BTreeMap<Key, Places> = BTreeMap::new();
    for (own, server) in setup.servers.iter().zip(servers) {
        let transactions = server.api.transactions();
        for model in transactions.rules().model.kinds() {
            let stored = transactions.store().list(&model.kind, &Query::all());
            for resource in stored.iter().filter(|it| it.key().id.starts_with(prefix)) {
                found.entry(resource.key().clone()).or_default().add(&own.name, resource);
            }
        }
    }
    found.into_iter().map(|(key, places)| places.json(setup, &key)).collect()
}

impl Places {
    fn add(&mut self, server: &str, resource: &Resource) {
        if resource.metadata.origin.is_some() {
            return self.copies.push(server.to_owned());
        }
        let value = resource.spec.shared_value();
        let regions = value.pointer("/metadata/syncing/regions").and_then(Json::as_array);
        self.owners.push(server.to_owned());
        self.regions = regions.into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect();
        self.is_deleting = value.pointer("/metadata/lifecycle/state").is_some_and(|it| it == "DELETING");
    }

    /// With the regions that do not have it although its owner says so, and those that have it although it does not.
    fn json(self, setup: &Setup, key: &Key) -> Json {
        let region = |server: &String| {
            setup.servers.iter().find(|it| it.name == *server).map(|it| it.region.clone()).unwrap_or_default()
        };
        let has: Vec<String> = self.owners.iter().chain(&self.copies).map(region).collect();
        let missing: Vec<_> = self.regions.iter().filter(|it| !has.contains(*it)).collect();
        let superfluous: Vec<_> =
            self.copies.iter().filter(|it| !self.regions.contains(&region(it))).collect();
        let copies: Vec<_> = self.copies.iter().filter(|it| !superfluous.contains(it)).collect();
        json!({
            "name": &*key.id,
            "owners": self.owners,
            "copies": copies,
            "missing": missing,
            "superfluous": superfluous,
            "isDeleting": self.is_deleting,
        })
    }
}
