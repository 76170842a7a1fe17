use model::{Origin, Phase, RecordedResource};

use super::*;
use crate::recorded::nothing;

fn plan(actions: &[(Action, &str, &[usize])]) -> Plan {
    let action = |(index, (action, name, after)): (usize, &(Action, &str, &[usize]))| plan::PlannedAction {
        id: format!("a{}", index + 1),
        address: Address::new("services", *name),
        kind: "service".into(),
        action: *action,
        after: after.to_vec(),
        reason: None,
        changes: Vec::new(),
        waits: false,
        previous: None,
    };
    Plan { actions: actions.iter().enumerate().map(action).collect(), refused: Vec::new() }
}

/// The recorded dependencies of each resource.
fn recorded(needs: &[(&str, &[&str])]) -> Recorded {
    let resource = |needs: &[&str]| RecordedResource {
        kind: "service".into(),
        phase: Phase::Active,
        identity: None,
        template: None,
        spec: nothing(Origin::Recorded),
        outputs: nothing(Origin::Recorded),
        depends_on: needs.iter().map(|it| Address::new("services", *it)).collect(),
        protected: false,
        tainted: false,
        replace: false,
        created_as: None,
        moved_from: None,
    };
    let resources = needs.iter().map(|(name, needs)| (Address::new("services", *name), resource(needs)));
    Recorded { resources: resources.collect(), ..Recorded::default() }
}

/// `a1- destroy db after a2-`, the last in the order of the steps.
fn lines(steps: &[Step]) -> Vec<String> {
    let line = |step: &Step| {
        let mut after = step.after.clone();
        after.sort();
        let after: String = after.iter().map(|it| format!(" after {}", steps[*it].id)).collect();
        format!("{} {} {}{after}", step.id, step.shown, step.address.name)
    };
    steps.iter().map(line).collect()
}

#[track_caller]
fn check(actions: &[(Action, &str, &[usize])], needs: &[(&str, &[&str])], expected: &[&str]) {
    let steps = steps(&plan(actions), &recorded(needs));
    assert_eq!(lines(&steps), expected);
    for (place, step) in steps.iter().enumerate() {
        let mut unblocks: Vec<usize> =
            (0..steps.len()).filter(|it| steps[*it].after.contains(&place)).collect();
        let mut reported = step.unblocks.clone();
        unblocks.sort();
        reported.sort();
        assert_eq!(reported, unblocks, "{}", step.id);
    }
}

use Action::{Create, Destroy, Forget, NoOp, Rebuild, Update};

#[test]
fn each_action_has_its_steps() {
    let actions: &[(Action, &str, &[usize])] = &[
        (Create, "a", &[]),
        (Update, "b", &[0]),
        (Rebuild, "c", &[0, 1]),
        (Destroy, "d", &[2]),
        (Forget, "e", &[]),
        (NoOp, "f", &[]),
    ];
    check(
        actions,
        &[],
        &[
            "a1 create a",
            "a2 update b after a1",
            "a3- destroy c after a1 after a2",
            "a3 create c after a1 after a2 after a3-",
            "a4 destroy d after a3",
            "a5 forget e",
        ],
    );
    let mut plan = plan(actions);
    plan.actions[1].waits = true;
    let steps = steps(&plan, &Recorded::default());
    let does: Vec<(StepKind, usize)> = steps.iter().map(|it| (it.kind, it.action)).collect();
    let expected = [
        (StepKind::Write(Verb::Create), 0),
        (StepKind::Wait, 1),
        (StepKind::Write(Verb::Destroy), 2),
        (StepKind::Write(Verb::Create), 2),
        (StepKind::Write(Verb::Destroy), 3),
        (StepKind::Forget, 4),
    ];
    assert_eq!((does, steps[1].shown), (expected.into(), Action::Update));
}

#[test]
fn old_ones_go_after_those_that_need_them() {
    check(
        &[(Rebuild, "db", &[]), (Rebuild, "web", &[0])],
        &[("web", &["db", "none"]), ("none", &["db"])],
        &[
            "a1- destroy db after a2-",
            "a1 create db after a1-",
            "a2- destroy web",
            "a2 create web after a1 after a2-",
        ],
    );
    // A destroyed resource goes first if the rebuild waits for it, and not if it waits for the rebuild.
    check(
        &[(Destroy, "old", &[]), (Rebuild, "db", &[0])],
        &[("old", &["db"])],
        &["a1 destroy old", "a2- destroy db after a1", "a2 create db after a1 after a2-"],
    );
    check(
        &[(Rebuild, "db", &[]), (Destroy, "old", &[0])],
        &[("old", &["db"])],
        &["a1- destroy db", "a1 create db after a1-", "a2 destroy old after a1"],
    );
    // A resource that is not rebuilt or destroyed has no destroy step.
    check(
        &[(Rebuild, "db", &[]), (Update, "web", &[0]), (Create, "log", &[0]), (Forget, "off", &[])],
        &[("web", &["db"]), ("log", &["db"]), ("off", &["db"])],
        &[
            "a1- destroy db",
            "a1 create db after a1-",
            "a2 update web after a1",
            "a3 create log after a1",
            "a4 forget off",
        ],
    );
}

/// The graph of recorded dependencies may have cycles.
#[test]
fn destroy_steps_precede_those_of_dependencies() {
    check(
        &[(Rebuild, "db", &[]), (Rebuild, "web", &[])],
        &[("db", &["web", "db"]), ("web", &["db"])],
        &["a1- destroy db after a2-", "a1 create db after a1-", "a2- destroy web", "a2 create web after a2-"],
    );
}

#[test]
fn old_ones_stay_until_what_the_new_ones_need_was_made() {
    check(
        &[(Create, "lan", &[]), (Rebuild, "db", &[0]), (Rebuild, "web", &[1]), (Rebuild, "log", &[2])],
        &[("web", &["db"]), ("log", &["web"])],
        &[
            "a1 create lan",
            "a2- destroy db after a1 after a3-",
            "a2 create db after a1 after a2-",
            "a3- destroy web after a1 after a4-",
            "a3 create web after a2 after a3-",
            "a4- destroy log after a1",
            "a4 create log after a3 after a4-",
        ],
    );
    // A resource that is only destroyed waits for nothing.
    check(
        &[(Create, "lan", &[]), (Destroy, "old", &[]), (Rebuild, "db", &[0, 1])],
        &[("old", &["db"])],
        &[
            "a1 create lan",
            "a2 destroy old",
            "a3- destroy db after a1 after a2",
            "a3 create db after a1 after a2 after a3-",
        ],
    );
    // What is created after something was destroyed is not waited for: that would destroy first.
    check(
        &[(Destroy, "old", &[]), (Create, "a", &[0]), (Update, "b", &[1]), (Rebuild, "db", &[1, 2])],
        &[],
        &[
            "a1 destroy old",
            "a2 create a after a1",
            "a3 update b after a2",
            "a4- destroy db",
            "a4 create db after a2 after a3 after a4-",
        ],
    );
}

/// Two rebuilds need the same new resource, and one of them needs the other.
#[test]
fn shared_dependencies_are_waited_for_once() {
    check(
        &[(Create, "lan", &[]), (Rebuild, "db", &[0]), (Rebuild, "web", &[0, 1])],
        &[("web", &["db"])],
        &[
            "a1 create lan",
            "a2- destroy db after a1 after a3-",
            "a2 create db after a1 after a2-",
            "a3- destroy web after a1",
            "a3 create web after a1 after a2 after a3-",
        ],
    );
}
