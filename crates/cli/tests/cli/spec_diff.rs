//! `spec diff`: text, JSON and exit codes.

use expect_test::expect;

use crate::run::Folder;

fn library(version: &str, next: &str, resources: &str) -> String {
    format!(
        "name: library.example.com\nproto: {{package: {{name: example.library, currentVersion: {version}{next}}}}}\n\
         imports: [iam.example.com]\nresources:\n{resources}"
    )
}

fn iam(version: &str) -> String {
    format!(
        "name: iam.example.com\nproto: {{package: {{name: example.iam, currentVersion: {version}}}}}\nresources:\n- name: Project\n"
    )
}

const OUT: &str = "optOuts: {basicActions: ['{BatchGet,List,Watch,Create,Update,Delete}*']}";

/// Files `v1.yaml` and `v2.yaml` with these resources, and what both import.
fn folder(next: &str, old: &str, new: &str) -> Folder {
    let (old, new) = (library("v1", next, old), library("v2", "", new));
    Folder::new(&[
        ("v1.yaml", &old),
        ("v2.yaml", &new),
        ("iam-v1.yaml", &iam("v1")),
        ("iam-v2.yaml", &iam("v2")),
    ])
}

const DIFF: &str = "spec diff v1.yaml v2.yaml --import iam-v1.yaml --import iam-v2.yaml";

#[test]
fn breaking_changes_come_first_and_are_the_exit_code() {
    let old = format!("- {{name: Book, {OUT}, idPattern: '[a-z]+'}}\n");
    let new =
        format!("- {{name: Book, {OUT}, parents: [iam.example.com/Project]}}\n- {{name: Shelf, {OUT}}}\n");
    folder(", nextVersion: v2", &old, &new).check(
        DIFF,
        &expect![[r#"
        library.example.com v1 → v2: 7 changes (3 breaking, 1 unlisted, 2 compatible, 1 follows names)

        Breaking
          ! iam.example.com: import upgraded
              - v1
              + v2
              names and messages of the imported service are those of another version
              help: upgrade it in a new version of this service only; transform references by its owner's
              transformers
          ! Book: first parent added
              + iam.example.com/Project
              resources without parent need one now
              help: move them below a parent in the new version
          ! Book: patterns lost
              - books/{book}
              + projects/{project}/books/{book}
              names that were valid no longer are
              help: keep the old patterns besides the new ones, or transform names in a new version

        Not listed in the guide
          ? Book: id pattern changed
              - [a-z]+
              + [\w][\w.-]{0,127}
              the guide does not list it: ids that were valid may no longer be
              help: compare the two expressions; if ids that exist do not match the new one, make it in a
              new version

        Compatible
          + Shelf: resource added
              + shelfs/{shelf}
              it is new, and clients of the old version do not use it
          + ShelfService: api added
              it is new, and clients of the old version do not use it

        Following from changes of names
          ↳ BookService/GetBook: http paths
              - /{name=books/*}
              + /{name=projects/*/books/*}
        --- exit code 2
    "#]],
    );
}

#[test]
fn the_new_version_may_have_the_same_number() {
    let old = format!("- {{name: Book, {OUT}, parents: [iam.example.com/Project]}}\n");
    let new = format!("{old}- {{name: Shelf, {OUT}, parents: [iam.example.com/Project]}}\n");
    let (old, new) = (library("v1", "", &old), library("v1", "", &new));
    let folder = Folder::new(&[("old.yaml", &old), ("new.yaml", &new), ("iam.yaml", &iam("v1"))]);
    folder.check(
        "spec diff old.yaml new.yaml --import iam.yaml",
        &expect![[r#"
        library.example.com v1: 2 changes (2 compatible)

        Compatible
          + Shelf: resource added
              + projects/{project}/shelfs/{shelf}
              it is new, and clients of the old version do not use it
          + ShelfService: api added
              it is new, and clients of the old version do not use it
        --- exit code 0
    "#]],
    );
    let run = folder.run("spec diff old.yaml old.yaml --import iam.yaml");
    assert_eq!(
        (run.out.as_str(), run.err.as_str(), run.code),
        ("library.example.com v1: no changes\n", "", 0)
    );
}

#[test]
fn a_change_that_is_compatible_by_number_says_what_it_means_for_json() {
    let book = |field: &str, value: &str| {
        let state = format!("{{path: state, number: 4, type: enum, values: [NEW, {value}]}}");
        let fields = format!("[{{path: {field}, number: 3}}, {state}]");
        library("v1", "", &format!("- {{name: Book, {OUT}, fields: {fields}}}\n"))
    };
    let (old, new) = (book("title", "LENT"), book("caption", "BORROWED"));
    let folder = Folder::new(&[("old.yaml", &old), ("new.yaml", &new), ("iam.yaml", &iam("v1"))]);
    folder.check(
        "spec diff old.yaml new.yaml --import iam.yaml",
        &expect![[r#"
        library.example.com v1: 2 changes (2 compatible)

        Compatible
          + Book = 3: field renamed
              - title
              + caption
              the guide calls it compatible, because fields are found by number; JSON has names: Planloom's
              API refuses the old one, and values stored under it are lost when they are next saved
          + Book.State = 1: enum value renamed
              - LENT
              + BORROWED
              the guide calls it compatible, because values are found by number; JSON has names: Planloom's
              API refuses the old one, and does not take it for the new one in what is stored
        --- exit code 0
    "#]],
    );
}

#[test]
fn what_the_old_version_says_about_the_next_is_checked() {
    let resources = format!(
        "- {{name: Book, {OUT}, parents: [iam.example.com/Project], versioning: {{replacement: Tome}}}}\n"
    );
    let run = folder(", nextVersion: v3", &resources, &resources).run(&format!("{DIFF} --format json"));
    let view = run.json();
    let codes: Vec<&str> = crate::run::codes(&view);
    assert_eq!(codes, ["spec/next-version", "spec/replacement"]);
    assert_eq!(view["diagnostics"][0]["path"], "name");
}

#[test]
fn json_has_every_change_with_its_places() {
    let old = format!("- {{name: Book, {OUT}}}\n");
    let view = folder(", nextVersion: v2", &old, &old).run(&format!("{DIFF} --format json")).json();
    assert_eq!(
        (&view["format"], &view["old"], &view["new"]),
        (&"planloom.spec-diff/1".into(), &"v1".into(), &"v2".into())
    );
    let change = &view["changes"][0];
    assert_eq!(view["changes"].as_array().map(Vec::len), Some(1), "{view:#}");
    assert_eq!((&change["class"], &change["change"]), (&"breaking".into(), &"import_upgraded".into()));
    assert_eq!(
        (&change["item"], &change["old"], &change["new"]),
        (&"iam.example.com".into(), &"v1".into(), &"v2".into())
    );
    assert_eq!(
        (&change["old_location"]["file"], &change["old_location"]["line"]),
        (&"v1.yaml".into(), &3.into())
    );
    assert_eq!(change["new_location"]["file"], "v2.yaml");
}

#[test]
fn errors_are_reported_instead_of_changes() {
    let old = format!("- {{name: Book, {OUT}}}\n");
    let new = format!("- {{name: Book, {OUT}, parents: [Shelf]}}\n");
    let run = folder("", &old, &new).run(DIFF);
    assert_eq!((run.out.as_str(), run.code), ("", 1));
    assert!(run.err.contains("spec/unknown-kind"), "{}", run.err);
    let missing = folder("", &old, &old).run("spec diff v1.yaml v3.yaml");
    assert_eq!((missing.out.as_str(), missing.code), ("", 1));
    assert!(missing.err.contains("v3.yaml"), "{}", missing.err);
}

#[test]
fn fields_of_protobuf_files_are_compared() {
    let proto = |version: &str, ty: &str| {
        format!(
            "syntax = \"proto3\";\npackage example.library.{version};\nmessage Book {{\n  string name = 1;\n  {ty} title = 2;\n}}\n"
        )
    };
    let resources = format!("- {{name: Book, {OUT}}}\n");
    let folder = folder(", nextVersion: v2", &resources, &resources);
    folder.write("v1.proto", proto("v1", "string").as_bytes());
    folder.write("v2.proto", proto("v2", "int32").as_bytes());
    let find = |view: &serde_json::Value| {
        let changes = view["changes"].as_array().expect("a list").clone();
        changes.into_iter().find(|it| it["change"] == "field_type_changed").map(|it| it["item"].clone())
    };
    let both = folder.run(&format!("{DIFF} --proto v1.proto --proto v2.proto --format json")).json();
    assert_eq!(find(&both), Some("Book.title = 2".into()), "{both:#}");
    folder.write("v1-new.proto", proto("v1", "int32").as_bytes());
    let same = "spec diff v1.yaml v1.yaml --import iam-v1.yaml --old-proto v1.proto --proto v1-new.proto --format json";
    assert_eq!(find(&folder.run(same).json()), Some("Book.title = 2".into()));
}
