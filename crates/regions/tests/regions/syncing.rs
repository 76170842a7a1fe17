//! The field `metadata.syncing`, conditions on it, and the watches of replication.

use planloom_regions::{Ownership, Syncing, SyncingFilter, replication_watches};
use serde_json::json;

use crate::support::{custom, device, regions};

fn syncing(owner: &str, copies: &str) -> Syncing {
    Ownership { owner: owner.into(), copies: regions(copies) }.into()
}

fn condition(owner: &str, contains: &str) -> SyncingFilter {
    let part = |it: &str| (!it.is_empty()).then(|| it.into());
    SyncingFilter { owning_region: part(owner), regions_contain: part(contains) }
}

#[test]
fn the_field_has_the_owner_among_its_regions() {
    let service = custom();
    let ownership = device(None, None, &service).ownership().expect("regions");
    assert!(["us-west2", "eastus2", "japaneast"].iter().all(|it| ownership.is_in(it)));
    assert!(!ownership.is_in("mars"));
    let expected = json!({"owningRegion": "us-west2", "regions": ["eastus2", "japaneast", "us-west2"]});
    assert_eq!(serde_json::to_value(Syncing::from(ownership)).expect("JSON"), expected);
    assert_eq!(
        serde_json::from_value::<Syncing>(expected).expect("read"),
        syncing("us-west2", "eastus2 japaneast")
    );
}

#[test]
fn each_region_watches_all_others() {
    let watches = |own: &str| {
        let watches = replication_watches(own, &custom().enabled_regions);
        watches.into_iter().map(|(region, filter)| format!("{region}: {filter}")).collect::<Vec<_>>()
    };
    // Those of the guide, in quotation marks.
    assert_eq!(
        watches("us-west2"),
        [
            "eastus2: metadata.syncing.owningRegion = \"eastus2\" AND metadata.syncing.regions CONTAINS \"us-west2\"",
            "japaneast: metadata.syncing.owningRegion = \"japaneast\" AND metadata.syncing.regions CONTAINS \"us-west2\"",
        ]
    );
    assert_eq!((watches("japaneast").len(), watches("eastus2").len()), (2, 2));
    assert_eq!(replication_watches("local", &regions("local")), []);
}

#[test]
fn a_resource_is_copied_to_the_regions_that_it_lists_whether_its_owner_is_among_them() {
    let of_guide = Syncing { owning_region: "us-west2".into(), regions: regions("eastus2 japaneast") };
    for (resource, expected) in [
        (&of_guide, "eastus2 japaneast"),
        (&syncing("us-west2", "eastus2 japaneast"), "eastus2 japaneast"),
        (&syncing("us-west2", "eastus2"), "eastus2"),
        (&syncing("us-west2", ""), ""),
    ] {
        let service = custom();
        let copied = service.enabled_regions.iter().filter(|own| {
            let watches = replication_watches(own, &service.enabled_regions);
            watches
                .iter()
                .any(|(region, filter)| *region == resource.owning_region && filter.selects(resource))
        });
        assert_eq!(copied.cloned().collect::<std::collections::BTreeSet<_>>(), regions(expected));
    }
}

#[test]
fn conditions_select_by_owner_and_by_regions() {
    let resource = syncing("a", "b");
    let rows = [
        ("", "", true),
        ("a", "", true),
        ("b", "", false),
        ("", "a", true),
        ("", "b", true),
        ("", "c", false),
        ("a", "b", true),
        ("a", "c", false),
        ("b", "b", false),
    ];
    for (owner, contains, expected) in rows {
        assert_eq!(condition(owner, contains).selects(&resource), expected, "{owner} {contains}");
    }
}

#[test]
fn a_filter_is_restricted() {
    let owned = "metadata.syncing.owningRegion = \"a\"";
    let rows = [
        ("", "a", owned.to_owned()),
        ("  ", "a", owned.to_owned()),
        ("x = 1 OR y = 2", "a", format!("(x = 1 OR y = 2) AND {owned}")),
        ("x = 1 -- first", "a", format!("(x = 1 -- first\n) AND {owned}")),
        ("x = 1", "", "x = 1".to_owned()),
        ("", "", String::new()),
        ("", "a\"b", "metadata.syncing.owningRegion = \"a\\\"b\"".to_owned()),
    ];
    for (filter, owner, expected) in rows {
        assert_eq!(condition(owner, "").restrict(filter), expected);
    }
}
