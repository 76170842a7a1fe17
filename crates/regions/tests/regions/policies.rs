//! Policies as JSON, with their problems.

use planloom_regions::{MultiRegionPolicy, PolicyMistake, PolicyProblem};
use serde_json::{Value, json};

use crate::support::{DEVICE, policy, policy_with, regions};

/// The problems as `pointer: message`.
fn problems(json: &Value) -> Vec<String> {
    let (_, problems) = MultiRegionPolicy::read(json);
    problems.iter().map(|PolicyProblem { pointer, mistake }| format!("{pointer}: {mistake}")).collect()
}

#[test]
fn a_policy_is_read_from_its_json() {
    let rows = [
        (json!({}), policy("")),
        (
            json!({"enabledRegions": null, "defaultControlRegion": "", "criteriaForDisabledSync": []}),
            policy(""),
        ),
        (
            json!({"defaultControlRegion": "us-west2", "enabledRegions": ["us-west2", "eastus2", "us-west2"]}),
            policy("us-west2 eastus2"),
        ),
        (
            json!({
                "enabledRegions": ["a", "b"],
                "defaultControlRegion": "b",
                "criteriaForDisabledSync": [
                    {},
                    {"resourceTypeName": DEVICE, "sourceRegion": "", "destRegion": null},
                    {"sourceRegion": "a", "destRegion": "b"},
                ],
            }),
            policy_with("b a", &[["*", "*", "*"], [DEVICE, "*", "*"], ["*", "a", "b"]]),
        ),
    ];
    for (json, expected) in rows {
        assert_eq!(MultiRegionPolicy::read(&json), (expected, Vec::new()), "{json}");
    }
}

#[test]
fn each_problem_has_its_place() {
    let kind = "is not a kind with its service, as `devices.edgelq.com/Device`";
    let rows = [
        (json!([]), vec![": expected an object".to_owned()]),
        (json!(null), vec![": expected an object".to_owned()]),
        (
            json!({"enabled_regions": []}),
            vec!["/enabled_regions: a policy of regions has no such field".into()],
        ),
        (json!({"a/b~c": 1}), vec!["/a~1b~0c: a policy of regions has no such field".into()]),
        (
            json!({"enabledRegions": "a", "defaultControlRegion": 1, "criteriaForDisabledSync": {}}),
            vec![
                "/enabledRegions: expected a list".into(),
                "/defaultControlRegion: expected a text".into(),
                "/criteriaForDisabledSync: expected a list".into(),
            ],
        ),
        (
            json!({"enabledRegions": ["a", 1, null, "", "-", "*"], "defaultControlRegion": "a"}),
            vec![
                "/enabledRegions/1: expected a text".into(),
                "/enabledRegions/2: expected a text".into(),
                "/enabledRegions/3: `` is not the id of a region".into(),
                "/enabledRegions/4: `-` is not the id of a region".into(),
                "/enabledRegions/5: `*` is not the id of a region".into(),
            ],
        ),
        (
            json!({"criteriaForDisabledSync": [7, {"region": "a"}, {"resourceTypeName": "Device"}, {"destRegion": "*"}]}),
            vec![
                "/criteriaForDisabledSync/0: expected an object".into(),
                "/criteriaForDisabledSync/1/region: a policy of regions has no such field".into(),
                format!("/criteriaForDisabledSync/2/resourceTypeName: `Device` {kind}"),
                "/criteriaForDisabledSync/3/destRegion: `*` is not the id of a region".into(),
            ],
        ),
        (
            json!({"criteriaForDisabledSync": [{"resourceTypeName": "/Device"}, {"resourceTypeName": "a/b/c"}]}),
            vec![
                format!("/criteriaForDisabledSync/0/resourceTypeName: `/Device` {kind}"),
                format!("/criteriaForDisabledSync/1/resourceTypeName: `a/b/c` {kind}"),
            ],
        ),
    ];
    for (json, expected) in rows {
        assert_eq!(problems(&json), expected, "{json}");
    }
}

#[test]
fn the_default_is_enabled() {
    let message = |region: &str| vec![format!("/defaultControlRegion: {region}")];
    let not_enabled = message("the default control region `c` is not enabled");
    let rows = [
        (json!({"enabledRegions": ["a", "b"], "defaultControlRegion": "c"}), not_enabled.clone()),
        (json!({"defaultControlRegion": "c"}), not_enabled),
        (json!({"enabledRegions": ["a"]}), message("the default control region is missing")),
        (json!({"enabledRegions": ["a"], "defaultControlRegion": "a"}), Vec::new()),
    ];
    for (json, expected) in rows {
        assert_eq!(problems(&json), expected, "{json}");
    }
}

#[test]
fn what_has_no_problem_is_kept() {
    let json = json!({
        "enabledRegions": ["a", 1],
        "defaultControlRegion": "c",
        "criteriaForDisabledSync": [{"sourceRegion": "a", "destRegion": 1}, {"sourceRegion": "a"}],
    });
    let (read, problems) = MultiRegionPolicy::read(&json);
    let expected =
        MultiRegionPolicy { default_control_region: "c".into(), ..policy_with("a", &[["*", "a", "*"]]) };
    assert_eq!(read, expected);
    let default = PolicyMistake::DefaultNotEnabled("c".into());
    assert!(problems.iter().any(|it| it.mistake == default), "{problems:?}");
}

#[test]
fn regions_beyond_those_of_the_service_are_found() {
    let service = policy("a b c");
    let rows = [("a b", ""), ("a b c", ""), ("a d b e", "d e"), ("", "")];
    for (project, beyond) in rows {
        let found = policy(project).regions_beyond(&service).cloned().collect();
        assert_eq!(regions(beyond), found, "{project}");
    }
}
