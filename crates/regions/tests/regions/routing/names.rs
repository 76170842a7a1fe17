//! Requests that name resources or a region.

use planloom_regions::{
    Ownership,
    routing::{Rule, Subject, Transaction},
};

use super::{ON_OWNER, READ, WRITE, route};
use crate::support::regions;

/// The regions of resources from texts as `owner copy copy`.
fn names(texts: &[&str]) -> Vec<Ownership> {
    let ownership = |text: &&str| {
        let (owner, copies) = text.split_once(' ').unwrap_or((text, ""));
        Ownership { owner: owner.into(), copies: regions(copies) }
    };
    texts.iter().map(ownership).collect()
}

#[test]
fn methods_say_whether_the_owner_executes_them() {
    let rule = |stated, read_only, transaction| {
        Rule { execute_on_owning_region: stated, read_only, transaction, ..READ }.executes_on_owner()
    };
    let rows = [
        (false, true, Transaction::None, false),
        (true, true, Transaction::None, true),
        (false, false, Transaction::None, true),
        (false, true, Transaction::Snapshot, true),
        (false, true, Transaction::Manual, true),
        (false, false, Transaction::Snapshot, true),
        (false, false, Transaction::Manual, true),
    ];
    for (stated, read_only, transaction, expected) in rows {
        assert_eq!(rule(stated, read_only, transaction), expected, "{stated} {read_only} {transaction:?}");
    }
}

#[test]
fn one_resource_is_read_near_and_written_by_its_owner() {
    let rows = [
        ("us-west2", READ, "local"),
        ("us-west2", WRITE, "to japaneast"),
        ("us-west2", ON_OWNER, "to japaneast"),
        ("japaneast", READ, "local"),
        ("japaneast", WRITE, "local"),
        ("eastus2", READ, "to japaneast"),
        ("eastus2", WRITE, "to japaneast"),
        ("eastus2", Rule { skip_generated: true, ..WRITE }, "local"),
    ];
    let device = names(&["japaneast us-west2"]);
    for (own, rule, expected) in rows {
        assert_eq!(route(own, rule, &[], Subject::Names(&device)), expected, "{own} {rule:?}");
    }
}

#[test]
fn several_resources_are_read_together_if_a_region_has_all() {
    let rows: [(&[&str], Rule, &str); 10] = [
        (&[], READ, "local"),
        (&[], WRITE, "local"),
        (&["a b", "b a"], READ, "local"),
        (&["b c", "b c"], READ, "to b"),
        (&["b c", "c b"], READ, "to b"),
        (&["c d", "b d"], READ, "to d"),
        (&["a", "b", "c a", "b c"], READ, "a: [0, 2]; b: [1, 3]"),
        (&["b", "c"], READ, "b: [0]; c: [1]"),
        (&["b c", "b"], WRITE, "to b"),
        (
            &["b c", "c b"],
            WRITE,
            "only one region can execute the request, but several may own what it names: b, c",
        ),
    ];
    for (resources, rule, expected) in rows {
        assert_eq!(route("a", rule, &[], Subject::Names(&names(resources))), expected, "{resources:?}");
    }
}

#[test]
fn an_id_of_a_region_precedes_what_the_method_operates_on() {
    let device = names(&["japaneast us-west2"]);
    let rows: [(&[&str], &str); 6] = [
        (&["eastus2"], "to eastus2"),
        (&["us-west2"], "local"),
        (&["", "eastus2", "japaneast"], "to eastus2"),
        (&[""], "to japaneast"),
        (&[], "to japaneast"),
        (&["mars"], "region `mars` is not enabled; enabled are eastus2, japaneast, us-west2"),
    ];
    for (region_ids, expected) in rows {
        assert_eq!(route("us-west2", WRITE, region_ids, Subject::Names(&device)), expected, "{region_ids:?}");
    }
    assert_eq!(route("us-west2", READ, &["eastus2"], Subject::Nothing), "to eastus2");
    assert_eq!(route("us-west2", WRITE, &[], Subject::Nothing), "local");
    assert_eq!(
        route("us-west2", Rule { skip_generated: true, ..READ }, &["eastus2"], Subject::Nothing),
        "local"
    );
}
