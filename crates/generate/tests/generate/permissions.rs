//! Permissions as Goten generated them, and roles.

use std::fs;

use planloom_generate as generate;

use crate::support::{EVERYTHING, data, real, service};

/// Without what a file says of its origin.
fn content(text: &str) -> String {
    let lines = text.lines().filter(|it| !it.starts_with('#') && !it.is_empty());
    lines.map(|it| format!("{it}\n")).collect()
}

#[test]
fn permissions_are_those_that_goten_generated() {
    let Some(folder) = data() else { return };
    let expected =
        fs::read_to_string(folder.join("fixtures/applications.pb.permissions.yaml")).expect("a file");
    let own = generate::permissions(real(&folder, "applications-v1").definition());
    assert_eq!(content(&own), content(&expected));
    assert_eq!(own.matches("- name:").count(), 35);
}

/// The permissions of a role, without service.
fn of_role(yaml: &str, role: &str) -> Vec<String> {
    let own = yaml.split("\n- name: ").find(|it| it.lines().next().is_some_and(|it| it.ends_with(role)));
    let lines = own.expect("the role").lines().filter_map(|it| it.split_once("/permissions/"));
    lines.map(|(_, permission)| permission.to_owned()).collect()
}

#[test]
fn roles_contain_each_other() {
    let everything = service(EVERYTHING, &[]);
    let yaml = generate::roles(everything.definition());
    let [admin, editor, viewer] = ["-admin", "-editor", "-viewer"].map(|it| of_role(&yaml, it));
    assert!(viewer.iter().all(|it| editor.contains(it)) && editor.iter().all(|it| admin.contains(it)));
    let rows = [
        ("samples.get", true, true),
        ("samples.watch", true, true),
        ("samples.create", true, false),
        ("samples.rotate", true, false),
        ("samples!attach", true, false),
        ("projects.list", true, true),
        ("projects.create", false, false),
        ("projects!attach", true, false),
        ("healthCheck", true, true),
        ("purge", true, false),
    ];
    for (permission, edits, views) in rows {
        let has = |role: &[String]| role.iter().any(|it| it == permission);
        assert_eq!((has(&admin), has(&editor), has(&viewer)), (true, edits, views), "{permission}");
    }
}
