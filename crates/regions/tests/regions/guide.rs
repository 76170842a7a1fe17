//! The example of Goten's guide, "Multi-region Design": all its resources with their owners and copies, and its refusals.

use planloom_regions::{Governing, PolicyStore};

use crate::support::{custom, device, policy, written};

/// The kinds of the example that are holders, by their collections.
const HOLDERS: [&str; 2] = ["projects", "services"];

/// The names of the holders above a name, the nearest first. Its ids have no slashes.
fn holders_above(name: &str) -> Vec<&str> {
    let ends = name.match_indices('/').skip(1).step_by(2).map(|(at, _)| &name[..at]);
    let mut holders: Vec<_> =
        ends.filter(|it| it.rsplit('/').nth(1).is_some_and(|it| HOLDERS.contains(&it))).collect();
    holders.reverse();
    holders
}

fn region(name: &str) -> Option<&str> {
    name.split_once("/regions/")?.1.split('/').next()
}

fn store() -> PolicyStore {
    let mut store = PolicyStore::default();
    store.set("projects/p1", Some(policy("us-west2 japaneast")));
    store.set("projects/p2", Some(policy("eastus2 japaneast")));
    store.set("services/custom.edgelq.com", Some(custom()));
    store
}

fn of(name: &str) -> String {
    let (store, service) = (store(), custom());
    let governing = store.governing(holders_above(name));
    assert!(!matches!(governing, Governing::Unread(_)), "{name}");
    written(device(region(name), governing.policy(), &service).ownership())
}

#[test]
fn each_resource_has_the_owner_and_the_copies_of_the_guide() {
    let rows = [
        ("projects/p1", "us-west2 -> eastus2 japaneast"),
        ("projects/p2", "us-west2 -> eastus2 japaneast"),
        ("projects/p1/regions/japaneast/edgeDevices/dId", "japaneast -> us-west2"),
        ("projects/p1/regions/us-west2/edgeDevices/dId", "us-west2 -> japaneast"),
        ("projects/p2/regions/japaneast/edgeDevices/dId", "japaneast -> eastus2"),
        ("projects/p2/regions/eastus2/edgeDevices/dId", "eastus2 -> japaneast"),
        ("projects/p1/regions/japaneast/edgeDevices/dId/interfaces/ix", "japaneast -> us-west2"),
        ("projects/p1/regions/us-west2/edgeDevices/dId/interfaces/ix", "us-west2 -> japaneast"),
        ("projects/p2/regions/japaneast/edgeDevices/dId/interfaces/ix", "japaneast -> eastus2"),
        ("projects/p2/regions/eastus2/edgeDevices/dId/interfaces/ix", "eastus2 -> japaneast"),
        ("projects/p1/accessPolicies/ap", "us-west2 -> japaneast"),
        ("projects/p2/accessPolicies/ap", "eastus2 -> japaneast"),
        ("services/custom.edgelq.com/deviceTypes/d1", "us-west2 -> eastus2 japaneast"),
    ];
    for (name, expected) in rows {
        assert_eq!(of(name), expected, "{name}");
    }
}

#[test]
fn creation_in_a_region_that_the_project_does_not_enable_is_refused() {
    let rows = [
        (
            "projects/p1/regions/eastus2/edgeDevices/d",
            "region `eastus2` is not enabled; enabled are japaneast, us-west2",
        ),
        (
            "projects/p2/regions/us-west2/edgeDevices/d",
            "region `us-west2` is not enabled; enabled are eastus2, japaneast",
        ),
        (
            "projects/p1/regions/eastus2/edgeDevices/d/interfaces/ix",
            "region `eastus2` is not enabled; enabled are japaneast, us-west2",
        ),
        (
            "projects/p1/regions/mars/edgeDevices/d",
            "region `mars` is not enabled; enabled are japaneast, us-west2",
        ),
    ];
    for (name, expected) in rows {
        assert_eq!(of(name), expected, "{name}");
    }
}
