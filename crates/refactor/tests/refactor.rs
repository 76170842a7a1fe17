//! Renaming, references and outlines over files as users write them.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use diag::{FileId, Span, TextEdit, apply_edits};
use planloom_refactor::{RenameError, outline, references, rename};
use workspace::{
    File, Workspace,
    view::{EditView, LocationView},
};

const BASE: &str = "\
# The store comes first.
payloads:
  image: {runtime: vm, params: {image_tag: me/db:1}}  # one image for both
networks:
  lan: {ip: 10.0.0.0/24}
services:
  db: {payload: image, network: lan}
  web:
    payload: image
    network: \"lan\"
    depends_on: [db]
    init: [[serve, \"--db=${services.db.network_node.ip}\", '$${services.db.ip}']]
";
const PROD: &str = "\
services:
  db:
    labels: {tier: gold}
  web:
    init: [[\"extra\", '${services.db.network_node.ip}']]
    labels: {of: services.db}
";

fn workspace(files: &[(&str, &str)]) -> Workspace {
    let mut workspace = Workspace::new();
    let file =
        |(name, text): &(&str, &str)| File { name: (*name).into(), text: (*text).into(), package: None };
    workspace.set_files(files.iter().map(file).collect());
    workspace
}

fn both() -> Workspace {
    workspace(&[("base.yaml", BASE), ("prod.yaml", PROD)])
}

/// The line and column of the first character of a text in a file, from 1.
fn place(text: &str, of: &str) -> (u32, u32) {
    let at = text.find(of).expect("it is there");
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    (line as u32 + 1, text[start..at].chars().count() as u32 + 1)
}

fn edited(text: &str, name: &str, edits: &[EditView]) -> String {
    let byte = |line: u32, column: u32| {
        let start: usize = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
        let rest = &text[start..];
        let column = rest.char_indices().nth(column as usize - 1).map_or(rest.len(), |(at, _)| at);
        (start + column) as u32
    };
    let edit = |it: &EditView| {
        let LocationView { line, column, end_line, end_column, .. } = it.location;
        let span = Span::new(FileId(0), byte(line, column), byte(end_line, end_column));
        TextEdit { span, new_text: it.new_text.clone() }
    };
    let own: Vec<TextEdit> = edits.iter().filter(|it| it.location.file == name).map(edit).collect();
    apply_edits(text, &own)
}

#[test]
fn a_service_is_renamed_in_all_files_and_nothing_else_changes() {
    let mut workspace = both();
    let (line, column) = place(BASE, "db.network_node");
    let renamed = rename(&mut workspace, ("base.yaml", line, column), "store", true).unwrap();
    assert_eq!(
        (&*renamed.from, &*renamed.to, &*renamed.summary),
        ("services.db", "services.store", "5 places in 2 files")
    );
    let base = edited(BASE, "base.yaml", &renamed.edits);
    let expected = BASE
        .replace("  db:", "  store:")
        .replace("depends_on: [db]", "depends_on: [store]")
        .replace("--db=${services.db.", "--db=${services.store.");
    assert_eq!(base, format!("{expected}moved:\n  - {{from: services.db, to: services.store}}\n"));
    let prod = edited(PROD, "prod.yaml", &renamed.edits);
    assert_eq!(prod, PROD.replace("  db:", "  store:").replace("'${services.db.", "'${services.store."));
    let mut after = self::workspace(&[("base.yaml", &base), ("prod.yaml", &prod)]);
    assert_eq!(after.blocking_errors(), 0, "{:?}", after.diagnostics());
}

#[test]
fn payloads_and_networks_are_renamed_where_they_are_named() {
    for (at, name, count) in [("image: {", "picture", 3), ("lan: {", "backbone", 3)] {
        let mut workspace = both();
        let (line, column) = place(BASE, at);
        let renamed = rename(&mut workspace, ("base.yaml", line, column), name, false).unwrap();
        assert!(!renamed.moved);
        assert_eq!(renamed.edits.len(), count, "{renamed:?}");
        let base = edited(BASE, "base.yaml", &renamed.edits);
        let mut after = self::workspace(&[("base.yaml", &base), ("prod.yaml", PROD)]);
        assert_eq!(after.blocking_errors(), 0, "{:?}", after.diagnostics());
    }
}

#[test]
fn a_second_move_is_added_to_the_list() {
    let text = "payloads: {p: {runtime: vm}}\nservices:\n  b: {payload: p}\nmoved:\n  - {from: services.a, to: services.b}\n";
    let mut workspace = workspace(&[("app.yaml", text)]);
    let renamed = rename(&mut workspace, ("app.yaml", 3, 3), "c d", true).unwrap();
    let after = edited(text, "app.yaml", &renamed.edits);
    assert!(after.contains("  \"c d\": {payload: p}"), "{after}");
    assert!(after.contains("- {from: services.b, to: \"services.\\\"c d\\\"\"}"), "{after}");
    let mut after = self::workspace(&[("app.yaml", &after)]);
    assert_eq!(after.blocking_errors(), 0, "{:?}", after.diagnostics());
}

#[test]
fn what_cannot_be_renamed_says_why() {
    let at = |of: &str| {
        let (line, column) = place(BASE, of);
        ("base.yaml", line, column)
    };
    let mut all = both();
    let mut refused = |at, name| rename(&mut all, at, name, false).expect_err("it is refused");
    assert_eq!(refused(at("db: {"), "web"), RenameError::Taken("services.web".into()));
    assert_eq!(refused(at("db: {"), " "), RenameError::NotAName);
    assert_eq!(refused(at("db: {"), "a\nb"), RenameError::NotAName);
    assert_eq!(refused(at("runtime"), "x"), RenameError::Nothing);
    assert_eq!(refused(("none.yaml", 1, 1), "x"), RenameError::Nothing);
    let mut alone = workspace(&[("prod.yaml", "services: {web: {payload: none}}\n")]);
    let refused = rename(&mut alone, ("prod.yaml", 1, 28), "x", false).expect_err("it is refused");
    assert_eq!(refused, RenameError::NotDeclared("payloads.none".into()));
}

#[test]
fn references_are_all_places_that_name_it() {
    let mut workspace = both();
    let (line, column) = place(PROD, "db:");
    let found = references(&mut workspace, "prod.yaml", line, column).unwrap();
    assert_eq!(found.address, "services.db");
    let lines: Vec<(&str, u32, bool)> =
        found.references.iter().map(|it| (&*it.location.file, it.location.line, it.declares)).collect();
    assert_eq!(
        lines,
        [
            ("base.yaml", 7, true),
            ("base.yaml", 11, false),
            ("base.yaml", 12, false),
            ("prod.yaml", 2, true),
            ("prod.yaml", 5, false)
        ]
    );
    assert!(references(&mut workspace, "prod.yaml", 1, 1).is_none());
}

#[test]
fn an_outline_is_what_a_file_consists_of() {
    let mut workspace = both();
    let found = outline(&mut workspace, "prod.yaml");
    let shown: Vec<(u32, &str, &str)> = found.iter().map(|it| (it.depth, &*it.name, &*it.detail)).collect();
    assert_eq!(
        shown,
        [
            (0, "services", ""),
            (1, "db", "service"),
            (2, "labels", ""),
            (1, "web", "service"),
            (2, "init", ""),
            (2, "labels", "")
        ]
    );
    assert_eq!(outline(&mut workspace, "none.yaml"), []);
}
