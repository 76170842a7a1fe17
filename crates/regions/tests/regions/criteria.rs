//! Criteria for disabled sync, with and without blanks.

use planloom_regions::{Placement, SyncType};

use crate::support::{DEVICE, custom, policy, policy_with, regions};

const POD: &str = "devices.service.com/Pod";

/// The copies of a resource that `us-west2` owns, below a project with all regions and these rules.
fn copies(rules: &[[&str; 3]], kind: &str, owner: &str) -> String {
    let (project, service) = (policy_with("us-west2 eastus2 japaneast", rules), custom());
    let placement = Placement {
        region: Some(owner),
        holder: Some(&project),
        service: &service,
        kind,
        sync: SyncType::Default,
    };
    let copies = placement.ownership().expect("it is enabled").copies;
    copies.iter().map(|it| &**it).collect::<Vec<_>>().join(" ")
}

#[test]
fn rules_exclude_what_they_describe_and_blanks_are_all() {
    let rows: [(&[[&str; 3]], &str, &str, &str); 13] = [
        (&[], DEVICE, "us-west2", "eastus2 japaneast"),
        // Those of the definition, with other regions.
        (&[[DEVICE, "us-west2", "*"]], DEVICE, "us-west2", ""),
        (&[[DEVICE, "us-west2", "*"]], DEVICE, "eastus2", "japaneast us-west2"),
        (&[[DEVICE, "us-west2", "*"]], POD, "us-west2", "eastus2 japaneast"),
        (&[[DEVICE, "*", "eastus2"]], DEVICE, "us-west2", "japaneast"),
        (&[[DEVICE, "*", "eastus2"]], DEVICE, "eastus2", "japaneast us-west2"),
        (&[[DEVICE, "us-west2", "eastus2"]], DEVICE, "us-west2", "japaneast"),
        (&[[DEVICE, "us-west2", "eastus2"]], DEVICE, "japaneast", "eastus2 us-west2"),
        (&[[POD, "*", "*"]], POD, "japaneast", ""),
        (&[["*", "japaneast", "*"]], POD, "japaneast", ""),
        (&[["*", "*", "japaneast"]], POD, "us-west2", "eastus2"),
        (&[["*", "*", "*"]], DEVICE, "us-west2", ""),
        // Several rules forbid what any of them forbids.
        (&[["*", "*", "japaneast"], [DEVICE, "us-west2", "eastus2"]], DEVICE, "us-west2", ""),
    ];
    for (rules, kind, owner, expected) in rows {
        assert_eq!(copies(rules, kind, owner), expected, "{rules:?} {kind} {owner}");
    }
}

#[test]
fn an_owner_has_its_own_whatever_the_rules_are() {
    let project = policy_with("a b", &[["*", "*", "*"]]);
    assert!(project.allows_copy(DEVICE, "a", "a"));
    assert!(!project.allows_copy(DEVICE, "a", "b"));
}

#[test]
fn criteria_of_the_service_are_not_applied_to_global_resources() {
    let service = policy_with("a b c", &[["*", "*", "*"]]);
    let place =
        |holder| Placement { region: None, holder, service: &service, kind: DEVICE, sync: SyncType::Default };
    assert_eq!(place(None).ownership().expect("regions").copies, regions("b c"));
    // What is below the record of the service has it as its holder.
    assert_eq!(place(Some(&service)).ownership().expect("regions").copies, regions(""));
    let project = policy("b c");
    assert_eq!(place(Some(&project)).ownership().expect("regions").copies, regions("c"));
}
