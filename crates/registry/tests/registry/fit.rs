//! Versions of services that fit together: what is imported is in each region of those that import it, and a deployment operates
//! on one version at a time.

use std::collections::{BTreeMap, BTreeSet};

use planloom_registry::{EntryName, Fit, Name};
use regions::{
    Deployment,
    copies::Versioned,
    registration::{Dependencies, DeploymentEntry, Entries, Entry, ServiceEntry},
};
use serde_json::json;

/// Services with their versions, each of which imports versions of others: `("shop v1", "iam v1, log v2")`.
type Services<'a> = &'a [(&'a str, &'a str)];
/// Services in regions, with the versions that their programs have: `("shop", "eu", "v1 v2")`.
type Deployments<'a> = &'a [(&'a str, &'a str, &'a str)];

fn entries(services: Services<'_>, deployments: Deployments<'_>) -> Entries<Name> {
    let mut all: BTreeMap<Name, ServiceEntry<Name>> = BTreeMap::new();
    for (version, imports) in services {
        let (service, version) = version.split_once(' ').expect("a version");
        let imports = imports.split(", ").filter_map(|it| it.split_once(' '));
        let imported = imports.map(|(service, version)| (service.into(), version.into())).collect();
        let entry = all.entry(service.into()).or_insert_with(|| ServiceEntry {
            default_control_region: "eu".into(),
            enabled_regions: BTreeSet::from(["eu".into()]),
            versions: BTreeMap::new(),
        });
        entry.versions.insert(version.into(), Dependencies { imported, used: BTreeSet::new() });
    }
    let services = all.into_iter().map(|(service, it)| (EntryName::Service { service }, Entry::Service(it)));
    let deployments = deployments.iter().map(|(service, region, versions)| {
        let name = EntryName::Deployment { service: (*service).into(), region: (*region).into() };
        let versions: Vec<&str> = versions.split(' ').collect();
        let version =
            json!({"supportedVersions": versions, "currentVersion": versions[0], "generation": 0, "nodes": {}});
        let version = serde_json::from_value(version).expect("a version");
        let entry = DeploymentEntry { instance: 1, registrations: 1, address: "http://a".into(), version };
        (name, Entry::Deployment(entry))
    });
    let all = services.chain(deployments);
    all.map(|(name, value)| (name, Versioned { revision: 1, value })).collect()
}

#[track_caller]
fn fits(services: Services<'_>, deployments: Deployments<'_>, expected: Deployments<'_>) {
    let expected = expected.iter().map(|(service, region, version)| {
        (Deployment { service: (*service).into(), region: (*region).into() }, (*version).into())
    });
    assert_eq!(Fit::of(&entries(services, deployments)), Fit::Fits(expected.collect()));
}

#[track_caller]
fn conflict(services: Services<'_>, deployments: Deployments<'_>, expected: &[&str]) {
    let expected = expected.iter().map(|it| (*it).to_owned()).collect();
    assert_eq!(Fit::of(&entries(services, deployments)), Fit::Conflict(expected));
}

#[test]
fn the_newest_versions_that_fit_are_chosen() {
    fits(
        &[("iam v1", ""), ("iam v2", ""), ("shop v1", "iam v1"), ("shop v2", "iam v2")],
        &[("iam", "eu", "v1 v2"), ("shop", "eu", "v1 v2"), ("iam", "us", "v1"), ("shop", "us", "v1")],
        &[("iam", "eu", "v2"), ("iam", "us", "v2"), ("shop", "eu", "v2"), ("shop", "us", "v2")],
    );
    // One whose import is not there in any version stays behind.
    fits(
        &[("iam v1", ""), ("shop v1", "iam v1"), ("shop v2", "iam v2")],
        &[("iam", "eu", "v1"), ("shop", "eu", "v1 v2")],
        &[("iam", "eu", "v1"), ("shop", "eu", "v1")],
    );
    // A program that has both versions serves the lower one, too.
    fits(
        &[("iam v1", ""), ("iam v2", ""), ("shop v1", "iam v1"), ("log v1", "iam v2")],
        &[("iam", "eu", "v1 v2"), ("shop", "eu", "v1"), ("log", "eu", "v1")],
        &[("iam", "eu", "v2"), ("log", "eu", "v1"), ("shop", "eu", "v1")],
    );
}

#[test]
fn a_region_without_an_imported_service_is_named() {
    conflict(
        &[("iam v1", ""), ("shop v1", "iam v1")],
        &[("iam", "us", "v1"), ("shop", "eu", "v1")],
        &[
            "shop in eu is registered",
            "shop in eu has the versions v1",
            "`shop` v1 imports `iam` v1, which is not deployed in eu",
        ],
    );
}

#[test]
fn two_imports_that_exclude_each_other_are_named() {
    conflict(
        &[("iam v1", ""), ("iam v2", ""), ("shop v1", "iam v1"), ("log v1", "iam v2")],
        &[("iam", "eu", "v1"), ("iam", "us", "v2"), ("shop", "eu", "v1"), ("log", "eu", "v1")],
        &[
            "iam in eu operates on one version at a time",
            "log in eu is registered",
            "log in eu has the versions v1",
            "`log` v1 imports `iam` v2",
            "shop in eu is registered",
            "shop in eu has the versions v1",
            "`shop` v1 imports `iam` v1",
        ],
    );
}
