use std::collections::{BTreeMap, BTreeSet};

use planloom_simulation::{
    Faults,
    references::{Behavior, References, Scenario},
};

use crate::explore::explore;

/// The steps of an exploration, at most; those here end long before.
const LIMIT: usize = 10_000_000;

const BEHAVIORS: [Behavior; 3] = [Behavior::Block, Behavior::Unset, Behavior::Cascade];

/// One fault of each kind.
const FAULTS: [Faults; 5] = [
    Faults::NONE,
    Faults { losses: 1, ..Faults::NONE },
    Faults { doubles: 1, ..Faults::NONE },
    Faults { crashes: 1, ..Faults::NONE },
    Faults { timeouts: 1, ..Faults::NONE },
];

/// Two deployments: resource 1 of the first may refer to resource 2 of the second.
fn two(behavior: Behavior, requests: u8, faults: Faults) -> Scenario {
    Scenario {
        resources: BTreeMap::from([(1, (1, behavior)), (2, (2, behavior))]),
        references: BTreeSet::from([(1, 2)]),
        requests,
        faults,
    }
}

fn check(name: &str, scenario: Scenario) {
    let found = explore(References::new(scenario), LIMIT);
    println!("{name}: {found}");
    found.assert_holds(name, LIMIT);
}

#[test]
fn references_of_two_deployments_hold_whatever_happens() {
    for behavior in BEHAVIORS {
        for faults in FAULTS {
            check(&format!("{behavior:?}, {faults:?}"), two(behavior, 4, faults));
        }
    }
}
