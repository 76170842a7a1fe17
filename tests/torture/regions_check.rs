use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::{http::send, regions_round::REGIONS, regions_writer::Written};

/// The resources by their names.
type Resources = BTreeMap<String, Value>;

/// What each region has, as it has it itself.
pub(crate) struct Everything(Vec<Resources>);

const KINDS: [(&str, &str); 4] = [
    ("projects", "/v1/projects"),
    ("tags", "/v1/projects/-/tags"),
    ("devices", "/v1/projects/-/regions/-/devices"),
    ("rules", "/v1/projects/-/regions/-/rules"),
];

pub(crate) fn fetch(addresses: &[SocketAddr]) -> Result<Everything> {
    addresses.iter().map(|it| fetch_one(*it)).collect::<Result<_>>().map(Everything)
}

fn fetch_one(address: SocketAddr) -> Result<Resources> {
    let mut all = Resources::new();
    for (field, path) in KINDS {
        let mut token = String::new();
        loop {
            let page = format!("{path}?pageSize=1000&pageToken={token}");
            // As if another region had passed it on: then it is answered from what is here.
            let page = send(address, "GET", &page, &[("planloom-routed-by", "torture")], "")?;
            ensure!(page.status == 200, "{path}: {} {}", page.status, page.body);
            let items = page.body[field].as_array().context("a list")?;
            all.extend(items.iter().filter_map(|it| Some((it["name"].as_str()?.to_owned(), it.clone()))));
            match page.body["nextPageToken"].as_str() {
                Some(next) => next.clone_into(&mut token),
                None => break,
            }
        }
    }
    Ok(all)
}

impl Everything {
    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(|it| it.keys().filter(|name| *name != "projects/p1").count()).sum()
    }

    /// The names of a kind.
    pub(crate) fn names(&self, kind: &str) -> Vec<String> {
        let kind = format!("/{kind}/");
        self.owned().into_keys().filter(|it| it.contains(&kind)).collect()
    }

    /// What regions own.
    fn owned(&self) -> BTreeMap<String, &Value> {
        let all = self.0.iter().zip(REGIONS);
        let all = all.flat_map(|(all, region)| all.iter().filter(move |(_, it)| owner(it) == region));
        all.map(|(name, it)| (name.clone(), it)).collect()
    }

    /// Checks that each region has what it owns and copies of what it should have, and nothing else.
    pub(crate) fn check_copies(&self) -> Result<()> {
        let owned = self.owned();
        for (all, region) in self.0.iter().zip(REGIONS) {
            let is_there = |it: &Value| {
                let regions = it["metadata"]["syncing"]["regions"].as_array();
                owner(it) == region || regions.is_some_and(|it| it.iter().any(|it| it == region))
            };
            let expected = owned.iter().filter(|(_, it)| is_there(it));
            let expected: BTreeMap<&String, &Value> = expected.map(|(name, it)| (name, *it)).collect();
            for (name, value) in &expected {
                let copy = all.get(*name);
                ensure!(copy == Some(*value), "region {region} has {copy:?} of {name}, its owner {value}");
            }
            let more = all.keys().find(|it| !expected.contains_key(it));
            ensure!(more.is_none(), "region {region} has {more:?}, which it should not have");
        }
        Ok(())
    }
}

fn owner(resource: &Value) -> &str {
    resource["metadata"]["syncing"]["owningRegion"].as_str().unwrap_or_default()
}

/// Checks that every reference leads to a resource.
pub(crate) fn check_references(all: &Everything) -> Result<()> {
    let owned = all.owned();
    let names: BTreeSet<&String> = owned.keys().collect();
    for (name, value) in &owned {
        let targets = ["device", "tag"].iter().filter_map(|it| value[*it].as_str());
        for target in targets.filter(|it| !it.is_empty()) {
            ensure!(names.contains(&target.to_owned()), "{name} refers to {target}, which does not exist");
        }
    }
    Ok(())
}

/// Checks that each resource is what the responses to its writes say.
pub(crate) fn check_written(all: &Everything, written: &Written) -> Result<()> {
    let owned = all.owned();
    for (name, possible) in &written.resources {
        let value = owned.get(name).map(|it| {
            let field = if name.contains("/rules/") { "device" } else { "title" };
            it[field].as_str().unwrap_or_default().to_owned()
        });
        ensure!(possible.contains(&value), "{name} is {value:?}, and should be one of {possible:?}");
    }
    Ok(())
}
