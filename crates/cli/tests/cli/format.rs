use expect_test::expect;

use crate::run::{Folder, codes};

const WIDE: &str =
    "services:\n    web:   {payload: a,network: b}   # front\n    db:\n        init:\n        - ['x']\n";
const LAID_OUT: &str =
    "services:\n  web: { payload: a, network: b } # front\n  db:\n    init:\n      - [\"x\"]\n";
const BROKEN: &str = "services: [\n";

fn folder() -> Folder {
    Folder::new(&[("wide.yaml", WIDE), ("fine.yaml", LAID_OUT), ("broken.yaml", BROKEN)])
}

#[test]
fn files_are_written_in_place_and_those_that_changed_are_listed() {
    let folder = folder();
    folder.check(
        "format wide.yaml fine.yaml",
        &expect![[r#"
            wide.yaml
            --- exit code 0
        "#]],
    );
    assert_eq!(folder.read("wide.yaml").as_deref(), Some(LAID_OUT));
    assert_eq!(folder.names(), ["broken.yaml", "fine.yaml", "wide.yaml"]);
    let again = folder.run("format wide.yaml fine.yaml");
    assert_eq!((again.out.as_str(), again.err.as_str(), again.code), ("", "", 0));
}

#[test]
fn check_lists_what_would_change_and_writes_nothing() {
    let folder = folder();
    folder.check(
        "format --check fine.yaml wide.yaml",
        &expect![[r#"
            wide.yaml
            --- exit code 1
        "#]],
    );
    assert_eq!(folder.read("wide.yaml").as_deref(), Some(WIDE));
    assert_eq!(folder.run("format --check fine.yaml").code, 0);
}

#[test]
fn a_diff_is_printed_and_nothing_is_written() {
    let folder = folder();
    folder.check(
        "format --diff wide.yaml fine.yaml",
        &expect![[r#"
            --- wide.yaml
            +++ wide.yaml
            @@ -1,5 +1,5 @@
             services:
            -    web:   {payload: a,network: b}   # front
            -    db:
            -        init:
            -        - ['x']
            +  web: { payload: a, network: b } # front
            +  db:
            +    init:
            +      - ["x"]
            --- exit code 0
        "#]],
    );
    assert_eq!(folder.read("wide.yaml").as_deref(), Some(WIDE));
    assert_eq!(folder.run("format --diff --check wide.yaml").code, 1);
}

#[test]
fn standard_input_goes_to_standard_output_byte_for_byte() {
    let folder = folder().stdin("\u{feff}a:   1\r\nb: \u{200b}\r\n".as_bytes());
    let printed = folder.run("format -");
    assert_eq!((printed.out.as_str(), printed.err.as_str()), ("\u{feff}a: 1\r\nb: \u{200b}\r\n", ""));
    assert_eq!(folder.run("format --check -").out, "<stdin>\n");
    folder.check("format - wide.yaml", &expect![[r#"
        --- standard error
        error[host/stdin-alone]: standard input is formatted to standard output, so no other file can be named with it
        help: run the command once for `-` and once for the files

        1 error
        --- exit code 1
    "#]]);
    assert_eq!(folder.read("wide.yaml").as_deref(), Some(WIDE));
}

#[test]
fn a_file_that_cannot_be_read_is_left_and_the_others_are_formatted() {
    let folder = folder();
    folder.check(
        "format broken.yaml missing.yaml wide.yaml",
        &expect![[r#"
        wide.yaml
        --- standard error
        error[syntax/unclosed-bracket]: this `[` is not closed
          ╭▸ broken.yaml:1:11
          │
        1 │ services: [
          │           ━
          │
          ╰ help: close it with `]`

        error[host/not-found]: cannot read `missing.yaml`: there is no such file
         ╭▸ missing.yaml
         ╰ help: check the name and the folder

        2 errors
        --- exit code 1
    "#]],
    );
    assert_eq!(folder.read("wide.yaml").as_deref(), Some(LAID_OUT));
    assert_eq!(folder.read("broken.yaml").as_deref(), Some(BROKEN));
}

#[test]
fn a_file_that_readers_take_apart_differently_is_left_with_a_warning() {
    let text = "a:   x\u{2028}y\n";
    let folder = Folder::new(&[("odd.yaml", text)]);
    let found = folder.run("format odd.yaml --format json");
    assert_eq!((codes(&found.json()), found.code), (vec!["format/left"], 0), "{}", found.out);
    assert_eq!(folder.read("odd.yaml").as_deref(), Some(text));
}

#[test]
fn a_package_is_refused() {
    folder().check(
        "format app.zip",
        &expect![[r#"
        --- standard error
        error[host/package]: `app.zip` is a package, and packages are not formatted
         ╭▸ app.zip
         ╰ help: unpack it and name the files in it

        1 error
        --- exit code 1
    "#]],
    );
}

#[test]
fn json_has_each_file_and_the_diagnostics() {
    let folder = folder();
    let run = folder.run("format --format json --diff wide.yaml fine.yaml broken.yaml");
    let json = run.json();
    assert_eq!((json["format"].as_str(), run.code), (Some("planloom.format/1"), 1));
    assert_eq!(json["files"][0]["changed"], true);
    assert_eq!(json["files"][0]["written"], false);
    assert!(json["files"][0]["diff"].as_str().is_some_and(|it| it.starts_with("--- wide.yaml\n")));
    assert_eq!(json["files"][1]["changed"], false);
    assert_eq!(codes(&json), ["syntax/unclosed-bracket"]);
    let json = folder.run("format --format json wide.yaml").json();
    assert_eq!(json["files"][0]["written"], true);
    let json = folder.stdin(b"a:   1").run("format --format json -").json();
    assert_eq!(json["files"][0]["text"], "a: 1\n");
}

#[test]
fn what_is_written_to_stays_a_link() {
    let folder = folder();
    std::os::unix::fs::symlink("wide.yaml", folder.path("link.yaml")).expect("a link");
    assert_eq!(folder.run("format link.yaml").out, "link.yaml\n");
    assert_eq!(folder.read("wide.yaml").as_deref(), Some(LAID_OUT));
    assert!(folder.path("link.yaml").is_symlink());
}
