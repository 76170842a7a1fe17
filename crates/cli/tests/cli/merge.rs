use expect_test::expect;

use crate::run::{Folder, codes};

const BASE: &str = "\
meta:
  name: shop
  description: |
    several
    lines
payloads:
  p:
    runtime: vm
    capabilities: [vpn]
services:
  web:
    payload: p
    init:
      - [/bin/a, 'x: y']
";
const EDIT: &str = "\
meta: {name: store}
payloads:
  p:
    capabilities: [inet]
";

fn folder() -> Folder {
    Folder::new(&[("base.yaml", BASE), ("edit.yaml", EDIT)])
}

#[test]
fn the_merged_document_is_yaml() {
    folder().check(
        "merge base.yaml edit.yaml",
        &expect![[r#"
        meta:
          name: store
          description: |
            several
            lines
        payloads:
          p:
            runtime: vm
            capabilities:
            - vpn
            - inet
        services:
          web:
            payload: p
            init:
            - - /bin/a
              - 'x: y'
        --- exit code 0
    "#]],
    );
}

#[test]
fn each_line_says_where_it_came_from() {
    folder().check(
        "merge base.yaml edit.yaml --origins",
        &expect![[r#"
        meta:              # base.yaml:2 merged by key
          name: store      # edit.yaml:1 overrides base.yaml:2
          description: |   # base.yaml:3 set here
            several
            lines
        payloads:          # base.yaml:7 merged by key
          p:               # base.yaml:8 merged by key
            runtime: vm    # base.yaml:8 set here
            capabilities:  # base.yaml:9 joined
            - vpn          # base.yaml:9 set here
            - inet         # edit.yaml:4 set here
        services:          # base.yaml:11 set here
          web:             # base.yaml:12 set here
            payload: p     # base.yaml:12 set here
            init:          # base.yaml:14 set here
            - - /bin/a     # base.yaml:14 set here
              - 'x: y'     # base.yaml:14 set here
        --- exit code 0
    "#]],
    );
}

#[test]
fn with_origins_it_is_still_the_same_document() {
    let folder = folder();
    let plain = folder.run("merge base.yaml edit.yaml --format json").json();
    folder.write("merged.yaml", folder.run("merge base.yaml edit.yaml --origins").out.as_bytes());
    let again = folder.run("merge merged.yaml --format json").json();
    assert_eq!(plain["document"], again["document"]);
    let lines = folder.read("merged.yaml").expect("it is there");
    let uncommented: Vec<&str> = lines.lines().filter(|line| !line.contains(" # ")).collect();
    assert_eq!(uncommented, ["    several", "    lines"], "only the insides of texts have no comment");
}

#[test]
fn comments_of_odd_documents_are_on_their_own_lines() {
    let odd = "\
'': {'a/b': 1, 'c~d': [[], {}, [[1, [2]]], [{x: [{z: 1}]}]]}
'- k': null
'quoted \"key\"': '# no comment'
text: |+
  - a

  b: c

";
    let folder = Folder::new(&[("odd.yaml", odd)]);
    let json = folder.run("merge odd.yaml --origins --format json").json();
    let yaml = folder.run("merge odd.yaml --format json").json();
    assert_eq!(json["document"], yaml["document"]);
    // Descriptors with such keys are wrong, but JSON shows them; text does so when nothing is wrong.
    let nested = "meta:\n  x:\n    'a/b': 1\n    list: [[], {}, [[1, [2]]], [{x: [{z: 1}]}], 'a\n\n      b']\n  text: |+\n    - a\n\n    b: c\n\n  'quoted \"key\"': '# no comment'\n";
    let folder = Folder::new(&[("odd.yaml", nested)]);
    folder.check(
        "merge odd.yaml --origins",
        &expect![[r#"
            meta:                           # odd.yaml:2 set here
              x:                            # odd.yaml:3 set here
                a/b: 1                      # odd.yaml:3 set here
                list:                       # odd.yaml:4 set here
                - []                        # odd.yaml:4 set here
                - {}                        # odd.yaml:4 set here
                - - - 1                     # odd.yaml:4 set here
                    - - 2                   # odd.yaml:4 set here
                - - x:                      # odd.yaml:4 set here
                    - z: 1                  # odd.yaml:4 set here
                - |-                        # odd.yaml:4 set here
                  a
                  b
              text: |+                      # odd.yaml:7 set here
                - a

                b: c

              quoted "key": '# no comment'  # odd.yaml:12 set here
            --- exit code 0
        "#]],
    );
}

#[test]
fn json_has_the_origins_too() {
    let view = folder().run("merge base.yaml edit.yaml --origins --format json").json();
    assert_eq!(view["format"], "planloom.merge/1");
    let origin = &view["origins"]["/meta/name"];
    assert_eq!((origin["file"].as_str(), origin["line"].as_u64()), (Some("edit.yaml"), Some(1)));
    assert_eq!(origin["shadowed"][0]["file"], "base.yaml");
    assert!(folder().run("merge base.yaml edit.yaml --format json").json().get("origins").is_none());
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let folder = folder();
    folder.check(
        "merge base.yaml edit.yaml --out merged.yaml",
        &expect![[r#"
        --- exit code 0
    "#]],
    );
    let merged = folder.read("merged.yaml").expect("it is there");
    assert_eq!(merged, folder.run("merge base.yaml edit.yaml").out);
    folder.write("bad.yaml", b"services: [\n");
    let said = folder.run("merge base.yaml bad.yaml --out merged.yaml");
    assert_eq!((said.code, said.out.as_str()), (1, ""));
    assert_eq!(folder.read("merged.yaml"), Some(merged), "what was there stays");
    folder.check(
        "merge base.yaml --out no/such/folder.yaml",
        &expect![[r#"
        --- standard error
        error[host/unwritable]: cannot write `no/such/folder.yaml`: its folder does not exist
         ╭▸ no/such/folder.yaml
         ╰ help: name a file in a folder that you may write to; nothing was written

        1 error
        --- exit code 1
    "#]],
    );
    folder.check(
        "merge base.yaml --out .",
        &expect![[r#"
            --- standard error
            error[host/unwritable]: cannot write `.`: it is a directory
             ╭▸ .
             ╰ help: name a file in a folder that you may write to; nothing was written

            1 error
            --- exit code 1
        "#]],
    );
    assert_eq!(folder.names(), ["bad.yaml", "base.yaml", "edit.yaml", "merged.yaml"], "nothing is left over");
}

#[test]
fn with_errors_one_sees_what_could_be_made() {
    let folder = Folder::new(&[("a.yaml", "payloads: {p: {runtime: vm}}\n"), ("b.yaml", "payloads: [p]\n")]);
    let said = folder.run("merge a.yaml b.yaml");
    assert_eq!((said.code, said.out.as_str()), (1, "payloads:\n  p:\n    runtime: vm\n"));
    assert!(said.err.contains("error[merge/"), "{}", said.err);
    for words in
        ["merge", "graph", "graph --format dot", "merge none.yaml", "merge state.json", "graph state.json"]
    {
        folder.write("state.json", br#"{"format": "planloom.state/1"}"#);
        let said = folder.run(words);
        assert_eq!((said.code, said.out.as_str()), (1, ""), "{words}: nothing could be made");
    }
    let json = folder.run("merge a.yaml b.yaml --format json");
    assert_eq!(json.code, 1);
    assert!(!codes(&json.json()).is_empty());
}

#[test]
fn one_value_is_explained() {
    let folder = folder();
    folder.check(
        "explain meta.name base.yaml edit.yaml",
        &expect![[r#"
        meta.name
          is    edit.yaml:1  overrides  store
          over  base.yaml:2  set here   shop
        --- exit code 0
    "#]],
    );
    folder.check(
        "explain /services/web/init base.yaml edit.yaml",
        &expect![[r#"
        services.web.init
          is    base.yaml:14  set here  [[/bin/a, x: y]]
        --- exit code 0
    "#]],
    );
    folder.check(
        "explain services.wbe base.yaml edit.yaml",
        &expect![[r#"
        --- standard error
        error[host/no-such-place]: there is no value at `services.wbe`
        help: did you mean `services.web`?

        1 error
        --- exit code 1
    "#]],
    );
    let same = folder.run("explain /services/web/init base.yaml edit.yaml").out;
    for address in ["services.web[0].init", "services.\"web\".init"] {
        assert_eq!(folder.run(&format!("explain {address} base.yaml edit.yaml")).out, same, "{address}");
    }
    let view = folder.run("explain meta.name base.yaml edit.yaml --format json").json();
    assert_eq!(view["format"], "planloom.explain/1");
    assert_eq!((view["value"].as_str(), view["pointer"].as_str()), (Some("store"), Some("/meta/name")));
}

#[test]
fn a_place_is_found_as_a_plan_prints_it() {
    folder().check(
        "explain services.web.payload.capabilities[1] base.yaml edit.yaml",
        &expect![[r#"
            payloads.p.capabilities[1]
              is    edit.yaml:4  set here  inet
            --- exit code 0
        "#]],
    );
    let implied =
        "payloads: {p: {runtime: vm}}\nnetworks: {lan: {}}\nservices: {w: {payload: p, network: lan}}\n";
    Folder::new(&[("a.yaml", implied)]).check(
        "explain services.w.payload.capabilities a.yaml",
        &expect![[r#"
            payloads.p.capabilities
              is    a.yaml:3  a service in a network runs on a runtime that can join it  [vpn]
            --- exit code 0
        "#]],
    );
}

#[test]
fn a_place_that_is_not_there_is_one_mistake() {
    let check = |words: &str, expected: &str| {
        let said = folder().run(words);
        assert_eq!((said.code, said.out.as_str()), (1, ""), "{words}");
        assert_eq!(said.err.trim_end().trim_end_matches("\n\n1 error"), expected, "{words}");
    };
    let nothing = |place: &str, help: &str| {
        format!("error[host/no-such-place]: there is no value at `{place}`\nhelp: {help}")
    };
    check("explain metta.nam base.yaml", &nothing("metta.nam", "did you mean `meta.name`?"));
    check("explain web base.yaml", &nothing("web", "did you mean `services.web`?"));
    check(
        "explain services.web.payload.runtme base.yaml",
        &nothing("services.web.payload.runtme", "did you mean `payloads.p.runtime`?"),
    );
    check("explain other base.yaml", &nothing("other", "`planloom merge` prints the whole document"));
    check(
        "explain other",
        "error[host/no-place]: no file is named in which `other` could be\nhelp: name the files that have it: \
         `planloom explain other app.yaml`; or the code of a\n      problem, such as `host/no-such-place`: `planloom explain \
         codes` lists all",
    );
    check(
        "explain base.yaml services.web",
        "error[host/no-place]: `base.yaml` is a file and `services.web` is not: the path comes \
         first\nhelp: write `planloom explain services.web base.yaml`",
    );
    check(
        "explain base.yaml",
        "error[host/no-place]: `base.yaml` is a file: no path is given\nhelp: give the path first: \
         `planloom explain services.web.payload base.yaml`",
    );
    let said = folder().command("explain").args(["", "base.yaml"]).output().expect("the binary");
    assert!(
        said.stdout.is_empty()
            && said.stderr.starts_with(b"error[host/no-place]: the path to explain is empty")
    );
}
