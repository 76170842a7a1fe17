//! Each type of syncing, below a holder and below none; policies without regions, and regions of the service only.

use planloom_regions::{MultiRegionPolicy, Placement, SyncType};

use crate::support::{DEVICE, device, policy, policy_with, written};

fn of(holder: Option<&MultiRegionPolicy>, sync: SyncType) -> String {
    let service = policy("a b c d");
    written(Placement { region: None, holder, service: &service, kind: DEVICE, sync }.ownership())
}

#[test]
fn each_type_has_its_copies() {
    let project = policy_with("b a c", &[["*", "b", "c"]]);
    let rows = [
        (SyncType::Default, "b -> a", "a -> b c d"),
        (SyncType::AlwaysInScope, "b -> a c", "a -> b c d"),
        (SyncType::Never, "b ->", "a -> b c d"),
        (SyncType::AlwaysGlobally, "b -> a c d", "a -> b c d"),
    ];
    for (sync, below_project, global) in rows {
        assert_eq!(of(Some(&project), sync), below_project, "{sync:?}");
        assert_eq!(of(None, sync), global, "{sync:?}");
    }
}

#[test]
fn a_policy_without_regions_is_as_none() {
    let none = policy("");
    for sync in [SyncType::Default, SyncType::AlwaysInScope, SyncType::Never, SyncType::AlwaysGlobally] {
        assert_eq!(of(Some(&none), sync), of(None, sync), "{sync:?}");
    }
    assert_eq!(written(device(None, None, &none).ownership()), "no region is enabled");
    assert_eq!(written(device(Some("a"), Some(&policy("a")), &none).ownership()), "no region is enabled");
}

#[test]
fn one_region_is_a_case_of_several() {
    let one = policy("local");
    for holder in [None, Some(&one)] {
        for region in [None, Some("local")] {
            assert_eq!(written(device(region, holder, &one).ownership()), "local ->");
        }
    }
}

#[test]
fn regions_without_the_service_cannot_be_used() {
    let service = policy("a b");
    let rows = [
        ("a b c", None, "a -> b"),
        ("a b c", Some("c"), "region `c` is not enabled; enabled are a, b"),
        ("c a b", None, "region `c` is not enabled; enabled are a, b"),
        ("c a b", Some("b"), "b -> a"),
        ("c d", None, "no region is enabled"),
    ];
    for (project, region, expected) in rows {
        assert_eq!(
            written(device(region, Some(&policy(project)), &service).ownership()),
            expected,
            "{project}"
        );
    }
}

#[test]
fn what_exists_keeps_its_owner_when_the_policy_changes() {
    let service = policy("a b c");
    let rows = [
        // The region is not enabled any more.
        ("b c", Some("a"), "region `a` is not enabled; enabled are b, c", "a -> b c"),
        ("b c", Some("b"), "b -> c", "b -> c"),
        ("b c", None, "b -> c", "b -> c"),
        // The service is not there.
        (
            "b c",
            Some("d"),
            "region `d` is not enabled; enabled are b, c",
            "region `d` is not enabled; enabled are b, c",
        ),
    ];
    for (project, region, new, existing) in rows {
        let project = policy(project);
        let placement = device(region, Some(&project), &service);
        assert_eq!(written(placement.ownership()), new, "{region:?}");
        assert_eq!(written(placement.existing()), existing, "{region:?}");
    }
}
