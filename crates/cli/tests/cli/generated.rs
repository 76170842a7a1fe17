//! The output of `spec`, and its destinations.

use std::fs;

use crate::run::Folder;

const LIBRARY: &str = "name: library.example.com
proto:
  package: {name: example.library, currentVersion: v1, protoImportPathPrefix: example/library/proto}
resources:
- name: Book
  fields:
  - {path: title, required: true}
  - {path: 'authors[]'}
";

#[test]
fn one_text_goes_to_standard_output_or_a_file() {
    let folder = Folder::new(&[("library.yaml", LIBRARY)]);
    let rows = [
        ("types", "export interface Book {"),
        ("openapi", "\"/v1/books/{book}\""),
        ("schema", "\"title\": \"Resources of library.example.com v1\""),
        ("docs", "## Book"),
        ("proto", "// example/library/proto/v1/book.proto"),
        ("permissions", "- name: services/library.example.com/permissions/books.create"),
        ("roles", "- name: services/library.example.com/roles/library-viewer"),
    ];
    for (command, expected) in rows {
        let printed = folder.run(&format!("spec {command} library.yaml"));
        assert_eq!((printed.err.as_str(), printed.code), ("", 0), "{command}");
        assert!(printed.out.contains(expected), "{command}: {}", printed.out);
        if command != "proto" {
            let saved = folder.run(&format!("spec {command} library.yaml --out out.txt"));
            assert_eq!((saved.out.as_str(), saved.code), ("", 0), "{command}");
            assert_eq!(folder.read("out.txt").as_deref(), Some(&*printed.out), "{command}");
        }
    }
}

#[test]
fn the_schema_of_specifications_needs_none() {
    let schema = Folder::new(&[]).run("spec schema").json();
    assert_eq!(schema["title"], "Service specification");
}

#[test]
fn protobuf_files_go_to_a_folder() {
    let folder = Folder::new(&[("library.yaml", LIBRARY)]);
    let run = folder.run("spec proto library.yaml --out out");
    assert_eq!((run.out.as_str(), run.err.as_str(), run.code), ("", "", 0));
    let mut names: Vec<String> = fs::read_dir(folder.path("out/example/library/proto/v1"))
        .expect("the folder")
        .map(|it| it.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["book.proto", "book_change.proto", "book_service.proto", "library.proto"]);
}

#[test]
fn nothing_is_written_outside_of_the_folder() {
    for prefix in ["../up", "/tmp/up", "a/../../up"] {
        let text = LIBRARY.replace("example/library/proto", prefix);
        let folder = Folder::new(&[("library.yaml", &text)]);
        let run = folder.run("spec proto library.yaml --out out");
        assert_eq!(run.code, 1, "{prefix}");
        assert!(run.err.contains("is not a path below a folder"), "{prefix}: {}", run.err);
        assert_eq!(folder.names(), ["library.yaml"], "{prefix}");
    }
}

#[test]
fn nothing_is_generated_from_what_is_wrong() {
    let wrong = LIBRARY.replace("path: title", "path: name, type: int32");
    let folder = Folder::new(&[("library.yaml", &wrong), ("old.ts", "old")]);
    for words in ["types library.yaml", "types library.yaml --out old.ts", "proto library.yaml --out out"] {
        let run = folder.run(&format!("spec {words}"));
        assert_eq!((run.out.as_str(), run.code), ("", 1), "{words}");
        assert!(run.err.contains("spec/field-reserved"), "{words}: {}", run.err);
    }
    assert_eq!(folder.names(), ["library.yaml", "old.ts"]);
    assert_eq!(folder.read("old.ts").as_deref(), Some("old"));
    let run = Folder::new(&[("library.yaml", LIBRARY)]).run("spec docs library.yaml --out library.yaml");
    assert!(run.err.contains("would be overwritten") && run.code == 1, "{}", run.err);
}
