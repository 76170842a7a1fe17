//! For any bad input there is a clear error, exit code 1, and nothing is written.

use std::fs;

use expect_test::{Expect, expect};

use workspace::{File, Workspace};

use crate::run::{Folder, codes};

const GOOD: &str = "payloads: {p: {runtime: vm}}\nservices: {a: {payload: p}}\n";

/// The same answer from every verb: as text, as JSON, and no file.
#[track_caller]
fn check(folder: &Folder, files: &str, code: &str, expected: &Expect) {
    folder.check(&format!("check {files}"), expected);
    for verb in ["check", "merge", "graph", "plan"] {
        let said = folder.run(&format!("{verb} {files} --format json"));
        assert_eq!(said.code, 1, "{verb}");
        let view = said.json();
        assert_eq!(view["format"], format!("planloom.{verb}/1"));
        assert!(codes(&view).contains(&code), "{verb}: {view}");
    }
    for words in ["merge", "graph", "graph --format svg", "plan"] {
        let before = folder.names();
        let said = folder.run(&format!("{words} {files} --out out.txt"));
        assert_eq!((said.code, said.out.as_str()), (1, ""), "{words}");
        assert!(said.err.contains(code), "{words}: {}", said.err);
        assert_eq!(folder.names(), before, "nothing is written");
    }
}

#[test]
fn a_missing_file() {
    let folder = Folder::new(&[("app.yaml", GOOD)]);
    check(
        &folder,
        "app.yaml prod.yaml",
        "host/not-found",
        &expect![[r#"
        error[host/not-found]: cannot read `prod.yaml`: there is no such file
         ╭▸ prod.yaml
         ╰ help: check the name and the folder

        1 error
        --- exit code 1
    "#]],
    );
}

#[test]
fn a_directory() {
    let folder = Folder::new(&[
        ("conf/base.yaml", GOOD),
        ("conf/prod.yml", ""),
        ("conf/notes.txt", ""),
        ("other/x.md", ""),
    ]);
    check(
        &folder,
        "conf",
        "host/directory",
        &expect![[r#"
        error[host/directory]: `conf` is a directory
         ╭▸ conf
         ╰ help: it holds `base.yaml`, `prod.yml`; name them in merge order

        1 error
        --- exit code 1
    "#]],
    );
    check(
        &folder,
        "other",
        "host/directory",
        &expect![[r#"
        error[host/directory]: `other` is a directory
         ╭▸ other
         ╰ help: it holds no YAML files; name the files themselves

        1 error
        --- exit code 1
    "#]],
    );
}

#[test]
fn a_binary() {
    let folder = Folder::new(&[]);
    folder.write("image.yaml", b"\x7fELF\x02\x01\x01\0\0\0");
    check(
        &folder,
        "image.yaml",
        "host/binary",
        &expect![[r#"
        error[host/binary]: `image.yaml` is not a text file
         ╭▸ image.yaml
         ╰ help: give a YAML file or a .zip package

        1 error
        --- exit code 1
    "#]],
    );
}

#[test]
fn bytes_that_are_no_text() {
    let folder = Folder::new(&[]);
    folder.write("latin.yaml", b"meta:\n  name: caf\xe9\n");
    check(
        &folder,
        "latin.yaml",
        "host/not-utf8",
        &expect![[r#"
        error[host/not-utf8]: `latin.yaml` is not valid UTF-8 (line 2, column 12)
         ╭▸ latin.yaml:2:12
         ╰ help: save it as UTF-8

        1 error
        --- exit code 1
    "#]],
    );
    folder.write("wide.yaml", b"\xff\xfem\0e\0t\0a\0:\0");
    check(
        &folder,
        "wide.yaml",
        "host/not-utf8",
        &expect![[r#"
        error[host/not-utf8]: `wide.yaml` is not UTF-8 but UTF-16
         ╭▸ wide.yaml
         ╰ help: save it as UTF-8

        1 error
        --- exit code 1
    "#]],
    );
}

#[test]
fn a_huge_file() {
    let folder = Folder::new(&[]);
    // Sparse: it has the length without the bytes.
    fs::File::create(folder.path("huge.yaml")).and_then(|it| it.set_len(50 * 1024 * 1024)).expect("a file");
    check(
        &folder,
        "huge.yaml",
        "host/too-large",
        &expect![[r#"
        error[host/too-large]: `huge.yaml` is larger than 16 MiB
         ╭▸ huge.yaml
         ╰ help: split it into several files

        1 error
        --- exit code 1
    "#]],
    );
}

#[test]
fn input_without_an_end() {
    let folder = Folder::new(&[]).stdin(&vec![b'#'; 17 * 1024 * 1024]);
    check(
        &folder,
        "-",
        "host/too-large",
        &expect![[r#"
        error[host/too-large]: `<stdin>` is larger than 16 MiB
         ╭▸ <stdin>
         ╰ help: split it into several files

        1 error
        --- exit code 1
    "#]],
    );
    if std::path::Path::new("/dev/zero").exists() {
        assert_eq!(codes(&folder.run("check /dev/zero --format json").json()), ["host/too-large"]);
    }
}

#[test]
fn no_files() {
    let folder = Folder::new(&[]);
    check(
        &folder,
        "",
        "workspace/no-files",
        &expect![[r#"
        error[workspace/no-files]: there are no files
        help: give at least one YAML file

        1 error
        --- exit code 1
    "#]],
    );
}

#[test]
fn files_that_cannot_be_opened_are_reported() {
    let folder = Folder::new(&[("app.yaml", GOOD)]);
    check(
        &folder,
        "app.yaml/below.yaml",
        "host/unreadable",
        &expect![[r#"
        error[host/unreadable]: cannot read `app.yaml/below.yaml`: Not a directory (os error 20)
         ╭▸ app.yaml/below.yaml
         ╰ help: check the path

        1 error
        --- exit code 1
    "#]],
    );
}

#[test]
fn standard_input_twice() {
    let folder = Folder::new(&[]).stdin(GOOD.as_bytes());
    check(
        &folder,
        "- -",
        "host/stdin-twice",
        &expect![[r#"
        error[host/stdin-twice]: standard input can be read only once
        help: give `-` once

        1 error
        --- exit code 1
    "#]],
    );
}

#[test]
fn a_package_that_is_none() {
    let folder = Folder::new(&[("app.zip", "not a zip at all")]);
    let said = folder.run("check app.zip --format json");
    assert_eq!((said.code, codes(&said.json())), (1, vec!["host/package"]));
    folder.check(
        "check app.zip",
        &expect![[r#"
        error[host/package]: cannot read the package `app.zip`: this is not a zip archive, or it is damaged
         ╭▸ app.zip
         ╰ help: a package holds YAML files at its root, none of them encrypted or huge

        1 error
        --- exit code 1
    "#]],
    );
}

#[test]
fn a_package_of_a_folder() {
    let folder = Folder::new(&[("app.yaml", GOOD)]);
    let mut packed = Workspace::new();
    let file = |name: &str| File { name: name.into(), text: GOOD.into(), package: None };
    packed.set_files(vec![file("shop/app.yaml"), file("shop/prod/app.yaml")]);
    folder.write("app.zip", &packed.write_package());
    check(
        &folder,
        "app.yaml app.zip",
        "host/package",
        &expect![[r#"
        error[host/package]: cannot read the package `app.zip`: it has no YAML file at its root
         ╭▸ app.zip
         ╰ help: the YAML files are in `shop/`, `shop/prod/`: pack the content of one of these folders

        1 error
        --- exit code 1
    "#]],
    );
}

#[test]
fn a_result_in_the_place_of_what_it_was_made_from() {
    let folder = Folder::new(&[("app.yaml", GOOD), ("state.json", "{\"format\": \"planloom.state/1\"}")]);
    folder.check(
        "merge app.yaml --out ./app.yaml",
        &expect![[r#"
        --- standard error
        error[host/overwritten]: `app.yaml` is read and would be overwritten
         ╭▸ app.yaml
         ╰ help: write to another file

        1 error
        --- exit code 1
    "#]],
    );
    assert_eq!(folder.read("app.yaml").as_deref(), Some(GOOD));
    let said = folder.run("plan app.yaml --state state.json --out state.json --format json");
    assert_eq!((said.code, codes(&said.json())), (1, vec!["host/overwritten"]));
}

#[test]
fn all_that_is_wrong_is_said_at_once() {
    let folder = Folder::new(&[("conf/a.txt", "")]);
    folder.write("b.yaml", b"\0");
    let said = folder.run("plan a.yaml b.yaml conf --observed o.json --types t.yaml --format json");
    assert_eq!(said.code, 1);
    let expected = ["host/not-found", "host/binary", "host/directory", "host/not-found", "host/not-found"];
    assert_eq!(codes(&said.json()), expected);
}

#[test]
fn a_state_that_is_none() {
    let folder =
        Folder::new(&[("app.yaml", GOOD), ("state.json", "{"), ("other.json", "{\"format\": \"other/1\"}")]);
    folder.check(
        "plan app.yaml --state state.json --out plan.json",
        &expect![[r#"
            --- standard error
            error[state/unreadable]: the state is not JSON
              ╭▸ state.json:1:1
              │
            1 │ {
              │ ━
              │
              ╰ help: give the file that planloom wrote, or leave it out to plan from nothing

            1 error
            --- exit code 1
        "#]],
    );
    folder.check(
        "plan app.yaml --state other.json",
        &expect![[r#"
            --- standard error
            error[state/unreadable]: the state has the format `other/1`
              ╭▸ other.json:1:12
              │
            1 │ {"format": "other/1"}
              │            ━━━━━━━━━
              │
              ╰ help: this version reads `planloom.state/1`

            1 error
            --- exit code 1
        "#]],
    );
    folder.check(
        "plan app.yaml --state missing/state.json",
        &expect![[r#"
        --- standard error
        error[host/bad-state]: the folder `missing` of the state does not exist
        help: check the name, or create the folder: `mkdir -p missing`

        1 error
        --- exit code 1
    "#]],
    );
    assert_eq!(folder.read("plan.json"), None);
}

#[test]
fn deep_and_endless_yaml() {
    let deep = "[".repeat(100_000);
    let mut bomb = String::from("a0: &a0 [x, x]\n");
    for n in 1..40 {
        bomb.push_str(&format!("a{n}: &a{n} [*a{0}, *a{0}]\n", n - 1));
    }
    let folder = Folder::new(&[("deep.yaml", &deep), ("bomb.yaml", &bomb), ("tabs.yaml", "a:\n\tb: 1\n")]);
    for file in ["deep.yaml", "bomb.yaml", "tabs.yaml"] {
        let said = folder.run(&format!("check {file} --format json"));
        assert_eq!(said.code, 1, "{file}");
        assert!(!codes(&said.json()).is_empty(), "{file}");
        assert_eq!(folder.run(&format!("check {file}")).code, 1, "{file}");
    }
}

#[test]
fn a_reader_who_has_seen_enough() {
    let folder = Folder::new(&[("app.yaml", GOOD)]);
    let mut child = folder.command("merge app.yaml").spawn().expect("the binary");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("its end");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

/// A truncated plan is no descriptor: `destroy` would take it for permission to remove all that is recorded.
#[test]
fn a_plan_that_is_not_whole() {
    let folder = Folder::new(&[("app.yaml", GOOD)]);
    let state = "--state state.json --adapter simulator --auto-approve";
    assert_eq!(folder.run(&format!("apply app.yaml {state}")).code, 0);
    let kept = folder.read("state.json");
    assert_eq!(folder.run("plan app.yaml --state state.json --destroy --out plan.json").code, 2);
    let plan = folder.read("plan.json").expect("a plan");
    for length in [40, 300, plan.len() - 2] {
        folder.write("cut.json", &plan.as_bytes()[..length]);
        for verb in ["apply", "destroy"] {
            let said = folder.run(&format!("{verb} cut.json {state}"));
            assert!(said.code == 1 && said.err.contains("it is incomplete"), "{verb} {length}: {}", said.err);
        }
    }
    assert_eq!(folder.read("state.json"), kept);
}
