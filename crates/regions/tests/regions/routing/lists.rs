//! Requests for collections.

use planloom_regions::{
    MultiRegionPolicy, SyncType, SyncingFilter,
    routing::{Collection, CollectionHolder, CollectionRegion, Decision, Request, Rule, Subject},
};

use super::{ON_OWNER, READ, WRITE, route};
use crate::support::{DEVICE, policy, policy_with};

/// A list of devices with the default type.
fn list(own: &str, holder: CollectionHolder<'_>, region: CollectionRegion<'_>, filter: [&str; 2]) -> String {
    listed(READ, SyncType::Default, own, holder, region, filter)
}

fn listed(
    rule: Rule,
    sync: SyncType,
    own: &str,
    holder: CollectionHolder<'_>,
    region: CollectionRegion<'_>,
    [owning, contained]: [&str; 2],
) -> String {
    let some = |it: &str| (!it.is_empty()).then(|| it.into());
    let filter = &SyncingFilter { owning_region: some(owning), regions_contain: some(contained) };
    let collection = Collection { holder, region, kind: DEVICE, sync, filter };
    route(own, rule, &[], Subject::Collection(collection))
}

const EVERYWHERE: &str = "eastus2: metadata.syncing.owningRegion = \"eastus2\"; \
    japaneast: metadata.syncing.owningRegion = \"japaneast\"; \
    us-west2: metadata.syncing.owningRegion = \"us-west2\"";

#[test]
fn lists_below_one_holder_are_executed_by_a_region_that_has_all() {
    use CollectionHolder::One;
    use CollectionRegion::{Any, None as No, One as In};
    let (p1, p2) = (policy("us-west2 japaneast"), policy("eastus2 japaneast"));
    let private = policy_with("us-west2 japaneast", &[["*", "japaneast", "*"]]);
    let apart = policy_with("us-west2 japaneast", &[["*", "*", "*"]]);
    let split = "japaneast: metadata.syncing.owningRegion = \"japaneast\"; \
        us-west2: metadata.syncing.owningRegion = \"us-west2\"";
    let rows: [(&MultiRegionPolicy, CollectionRegion<'_>, &str, &str); 14] = [
        (&p1, Any, "us-west2", "local"),
        (&p1, Any, "japaneast", "local"),
        (&p1, Any, "eastus2", "to us-west2"),
        (&p2, Any, "us-west2", "to eastus2"),
        (&p1, In("japaneast"), "us-west2", "local"),
        (&p1, In("japaneast"), "eastus2", "to japaneast"),
        (&p1, No, "japaneast", "local"),
        (&p1, No, "eastus2", "to us-west2"),
        // Japan has all, and nobody else.
        (&private, Any, "us-west2", "to japaneast"),
        (&private, In("us-west2"), "japaneast", "local"),
        (&private, In("japaneast"), "us-west2", "to japaneast"),
        (&apart, Any, "us-west2", split),
        (&apart, No, "japaneast", "to us-west2"),
        // A region that the project does not enable may have what was created before.
        (&p1, In("eastus2"), "eastus2", "local"),
    ];
    for (holder, region, own, expected) in rows {
        assert_eq!(list(own, One(holder), region, ["", ""]), expected, "{region:?} {own}");
    }
}

#[test]
fn lists_below_any_holder_are_broadcast_unless_a_region_is_named() {
    use CollectionHolder::Any as Each;
    use CollectionRegion::{Any, None as No, One as In};
    let rows = [
        (Any, ["", ""], EVERYWHERE),
        (No, ["", ""], EVERYWHERE),
        (In("us-west2"), ["", ""], "local"),
        (In("eastus2"), ["", ""], "to eastus2"),
        (Any, ["eastus2", ""], "to eastus2"),
        (No, ["us-west2", ""], "local"),
        (Any, ["", "japaneast"], "to japaneast"),
        (Any, ["", "us-west2"], "local"),
        // The owner precedes.
        (Any, ["eastus2", "japaneast"], "to eastus2"),
        (In("eastus2"), ["japaneast", ""], "to japaneast"),
        // Nobody owns anything there.
        (Any, ["mars", ""], "local"),
        (In("mars"), ["", ""], "region `mars` is not enabled; enabled are eastus2, japaneast, us-west2"),
    ];
    for (region, filter, expected) in rows {
        assert_eq!(list("us-west2", Each, region, filter), expected, "{region:?} {filter:?}");
    }
}

#[test]
fn lists_of_what_is_everywhere_are_local() {
    for (holder, sync) in [
        (CollectionHolder::Global, SyncType::Default),
        (CollectionHolder::Global, SyncType::Never),
        (CollectionHolder::Any, SyncType::AlwaysGlobally),
        (CollectionHolder::One(&policy("us-west2")), SyncType::AlwaysGlobally),
    ] {
        for region in [CollectionRegion::Any, CollectionRegion::None, CollectionRegion::One("japaneast")] {
            assert_eq!(
                listed(READ, sync, "eastus2", holder, region, ["", ""]),
                "local",
                "{holder:?} {region:?}"
            );
        }
    }
}

#[test]
fn a_kind_that_is_never_copied_is_listed_at_its_owners() {
    let p1 = policy("us-west2 japaneast");
    let never =
        |region| listed(READ, SyncType::Never, "us-west2", CollectionHolder::One(&p1), region, ["", ""]);
    let split = "japaneast: metadata.syncing.owningRegion = \"japaneast\"; \
        us-west2: metadata.syncing.owningRegion = \"us-west2\"";
    assert_eq!(never(CollectionRegion::Any), split);
    assert_eq!(never(CollectionRegion::None), "local");
    assert_eq!(never(CollectionRegion::One("japaneast")), "to japaneast");
}

#[test]
fn a_collection_is_written_where_it_has_one_owner() {
    use CollectionHolder::{Any as Each, Global, One};
    use CollectionRegion::{Any, None as No, One as In};
    let p1 = policy("us-west2 japaneast");
    let several = "only one region can execute the request, but several may own what it names:";
    let rows = [
        (One(&p1), No, ["", ""], "to us-west2".to_owned()),
        (One(&p1), In("japaneast"), ["", ""], "local".to_owned()),
        (One(&p1), Any, ["", ""], format!("{several} japaneast, us-west2")),
        (Global, No, ["", ""], "to us-west2".to_owned()),
        (Each, In("eastus2"), ["", ""], "to eastus2".to_owned()),
        (Each, No, ["", ""], format!("{several} eastus2, japaneast, us-west2")),
        (Each, Any, ["eastus2", ""], "to eastus2".to_owned()),
        // A region that has copies does not write them.
        (One(&p1), Any, ["", "japaneast"], format!("{several} japaneast, us-west2")),
    ];
    for (holder, region, filter, expected) in rows {
        for rule in [WRITE, ON_OWNER] {
            assert_eq!(
                listed(rule, SyncType::Default, "japaneast", holder, region, filter),
                expected,
                "{holder:?} {region:?}"
            );
        }
    }
}

#[test]
fn one_region_executes_everything() {
    let service = policy("local");
    let filter = &SyncingFilter::default();
    for holder in [CollectionHolder::Global, CollectionHolder::Any, CollectionHolder::One(&service)] {
        for (region, sync) in
            [(CollectionRegion::Any, SyncType::Default), (CollectionRegion::None, SyncType::Never)]
        {
            let subject = Subject::Collection(Collection { holder, region, kind: DEVICE, sync, filter });
            for rule in [READ, WRITE] {
                let request = Request { own: "local", service: &service, rule, region_ids: &[], subject };
                assert_eq!(request.route(), Ok(Decision::Local), "{holder:?}");
            }
        }
    }
}
