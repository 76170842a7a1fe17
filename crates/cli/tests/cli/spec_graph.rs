//! `spec graph`: resource types with parents, references and imports.

use expect_test::expect;

use crate::run::{Folder, codes};

const IAM: &str = "\
name: iam.example.com
proto: {package: {name: example.iam, currentVersion: v1}}
resources:
- name: Project
- name: Role
  parents: [Project, '']
  onParentDeleted: CASCADE_DELETE
";

const LIBRARY: &str = "\
name: library.example.com
proto: {package: {name: example.library, currentVersion: v2}}
imports: [iam.example.com]
resources:
- name: Archive
  parents: [iam.example.com/Project]
  onParentDeleted: CASCADE_DELETE
- name: Volume
  parents: [Archive, Reader]
  fields:
  - {path: 'spec.editors[].role', type: reference, resource: iam.example.com/Role, targetDeleteBehavior: UNSET}
- name: Reader
- name: Loan
  parents: [Reader, '']
  fields:
  - {path: volume, type: reference, resource: Volume, targetDeleteBehavior: BLOCK}
";

fn folder() -> Folder {
    Folder::new(&[("iam.yaml", IAM), ("library.yaml", LIBRARY)])
}

#[test]
fn resource_types_are_below_their_parents_with_their_references() {
    folder().check("spec graph library.yaml --import iam.yaml", &expect![[r#"
        library.example.com v2: 4 resource types, 2 references
        imports iam.example.com v1

        Reader
        ├─ Volume                                         ASYNC_CASCADE_DELETE (default)
        │     spec.editors[].role → iam.example.com/Role  UNSET, done later
        └─ Loan                                           ASYNC_CASCADE_DELETE (default)
              volume → Volume                             BLOCK, can get stuck
        Loan, see above
        iam.example.com/Project
        └─ Archive                                        CASCADE_DELETE, done later
           └─ Volume, see above                           ASYNC_CASCADE_DELETE (default)
        --- standard error
        warning[integrity/stuck-deletion]: deleting a `iam.example.com/Project` later deletes `library.example.com/Volume`, which `volume` of `library.example.com/Loan` can block for ever
           ╭▸ library.yaml:8:9
           │
         8 │ - name: Volume
           │         ━━━━━━
           ┆
        13 │ - name: Loan
           │         ──── what blocks it
           │
           ⸬  iam.yaml:4:9
           │
         4 │ - name: Project
           │         ─────── what is deleted first
           │
           ╰ help: let `library.example.com/Loan` be deleted with `iam.example.com/Project` too, use
                   another behaviour for `volume`, or delete the blocking resources first

        warning[integrity/stuck-deletion]: deleting a `library.example.com/Archive` later deletes `library.example.com/Volume`, which `volume` of `library.example.com/Loan` can block for ever
           ╭▸ library.yaml:8:9
           │
         5 │ - name: Archive
           │         ─────── what is deleted first
           ┆
         8 │ - name: Volume
           │         ━━━━━━
           ┆
        13 │ - name: Loan
           │         ──── what blocks it
           │
           ╰ help: let `library.example.com/Loan` be deleted with `library.example.com/Archive` too, use
                   another behaviour for `volume`, or delete the blocking resources first

        2 warnings
        --- exit code 0
    "#]]);
}

#[test]
fn other_programs_read_it_too() {
    let folder = folder();
    let drawn = |words: &str| folder.run(words).out;
    expect![[r#"
        flowchart RL
          s0(["library.example.com v2"])
          s1(["iam.example.com v1"])
          k0["Archive (library.example.com/v2)"]
          k1["Volume (library.example.com/v2)"]
          k2["Reader (library.example.com/v2)"]
          k3["Loan (library.example.com/v2)"]
          k4["Project (iam.example.com/v1)"]
          k5["Role (iam.example.com/v1)"]
          k0 ==>|"parent, ASYNC_CASCADE_DELETE"| k4
          k1 ==>|"parent, ASYNC_CASCADE_DELETE"| k0
          k1 ==>|"parent, ASYNC_CASCADE_DELETE"| k2
          k3 ==>|"optional parent, ASYNC_CASCADE_DELETE"| k2
          k5 ==>|"optional parent, CASCADE_DELETE"| k4
          k1 -->|"spec.editors[].role, ASYNC_UNSET"| k5
          k3 -->|"volume, BLOCK, can get stuck"| k1
          s0 -.->|imports| s1
    "#]]
    .assert_eq(&drawn("spec graph library.yaml --import iam.yaml --format mermaid"));
    expect![[r#"
        digraph services {
          rankdir=RL;
          node [shape=box];
          "iam.example.com/v1/Project" [label="Project\niam.example.com/v1"];
          "iam.example.com/v1/Role" [label="Role\niam.example.com/v1"];
          "iam.example.com/v1/Role" -> "iam.example.com/v1/Project" [style=bold, label="optional parent\nCASCADE_DELETE"];
        }
    "#]].assert_eq(&drawn("spec graph iam.yaml --format dot"));
}

#[test]
fn as_json_it_has_everything() {
    let run = folder().run("spec graph library.yaml --import iam.yaml --format json");
    assert_eq!((run.err.as_str(), run.code), ("", 0));
    let graph = run.json();
    assert_eq!(graph["format"], "planloom.spec-graph/1");
    let ids = |list: &str, key: &str| -> Vec<String> {
        let all = graph[list].as_array().expect("a list");
        all.iter().map(|it| it[key].as_str().expect("a text").to_owned()).collect()
    };
    assert_eq!(ids("services", "id"), ["library.example.com/v2", "iam.example.com/v1"]);
    assert_eq!(
        ids("kinds", "id"),
        [
            "library.example.com/v2/Archive",
            "library.example.com/v2/Volume",
            "library.example.com/v2/Reader",
            "library.example.com/v2/Loan",
            "iam.example.com/v1/Project",
            "iam.example.com/v1/Role",
        ]
    );
    assert_eq!(
        graph["parents"][0],
        serde_json::json!({
            "from": "library.example.com/v2/Archive", "to": "iam.example.com/v1/Project", "is_optional": false,
            "behavior": "CASCADE_DELETE", "is_default": false, "effective_behavior": "ASYNC_CASCADE_DELETE",
            "is_stuck": false,
        })
    );
    assert_eq!(
        graph["references"],
        serde_json::json!([
            {
                "from": "library.example.com/v2/Volume", "to": "iam.example.com/v1/Role",
                "field": "spec.editors[].role", "behavior": "UNSET", "effective_behavior": "ASYNC_UNSET",
                "is_stuck": false,
            },
            {
                "from": "library.example.com/v2/Loan", "to": "library.example.com/v2/Volume", "field": "volume",
                "behavior": "BLOCK", "effective_behavior": "BLOCK", "is_stuck": true,
            },
        ])
    );
    let import = serde_json::json!([{"from": "library.example.com/v2", "to": "iam.example.com/v1"}]);
    assert_eq!(graph["imports"], import);
    assert_eq!(
        ids("stuck_deletions", "root"),
        ["iam.example.com/v1/Project", "library.example.com/v2/Archive"]
    );
    assert_eq!(
        graph["stuck_deletions"][1]["steps"],
        serde_json::json!([{
            "from": "library.example.com/v2/Archive", "to": "library.example.com/v2/Volume", "field": "parent",
            "behavior": "ASYNC_CASCADE_DELETE",
        }])
    );
}

#[test]
fn two_versions_of_a_service_are_two_services() {
    let newer = IAM.replace("currentVersion: v1", "currentVersion: v2");
    let folder = Folder::new(&[("v1.yaml", IAM), ("v2.yaml", &newer)]);
    let graph = folder.run("spec graph v1.yaml v2.yaml --format json").json();
    let edges = graph["parents"].as_array().expect("a list");
    let edges: Vec<[&str; 2]> =
        edges.iter().map(|it| ["from", "to"].map(|key| it[key].as_str().unwrap())).collect();
    assert_eq!(
        edges,
        [
            ["iam.example.com/v1/Role", "iam.example.com/v1/Project"],
            ["iam.example.com/v2/Role", "iam.example.com/v2/Project"],
        ]
    );
}

#[test]
fn of_what_is_wrong_there_is_no_drawing() {
    let folder = Folder::new(&[("library.yaml", LIBRARY)]);
    for format in ["text", "dot", "mermaid"] {
        let run = folder.run(&format!("spec graph library.yaml --format {format}"));
        assert_eq!((run.out.as_str(), run.code), ("", 1), "{format}");
        assert!(run.err.contains("spec/import-missing"), "{format}: {}", run.err);
    }
    let run = folder.run("spec graph library.yaml --format json");
    assert!(codes(&run.json()).contains(&"spec/import-missing") && run.code == 1);
    let run = folder.run("spec graph missing.yaml --format json");
    assert_eq!((run.json()["kinds"].as_array().map(Vec::len), run.code), (Some(0), 1));
}
