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
        meta:              # base.yaml:2 deep
          name: store      # edit.yaml:1 override, over base.yaml:2
          description: |   # base.yaml:3 set
            several
            lines
        payloads:          # base.yaml:7 deep
          p:               # base.yaml:8 deep
            runtime: vm    # base.yaml:8 set
            capabilities:  # base.yaml:9 concatenate
            - vpn          # base.yaml:9 set
            - inet         # edit.yaml:4 set
        services:          # base.yaml:11 set
          web:             # base.yaml:12 set
            payload: p     # base.yaml:12 set
            init:          # base.yaml:14 set
            - - /bin/a     # base.yaml:14 set
              - 'x: y'     # base.yaml:14 set
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
fn every_comment_stands_on_its_own_line_of_odd_documents() {
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
            meta:                           # odd.yaml:2 set
              x:                            # odd.yaml:3 set
                a/b: 1                      # odd.yaml:3 set
                list:                       # odd.yaml:4 set
                - []                        # odd.yaml:4 set
                - {}                        # odd.yaml:4 set
                - - - 1                     # odd.yaml:4 set
                    - - 2                   # odd.yaml:4 set
                - - x:                      # odd.yaml:4 set
                    - z: 1                  # odd.yaml:4 set
                - |-                        # odd.yaml:4 set
                  a
                  b
              text: |+                      # odd.yaml:7 set
                - a

                b: c

              quoted "key": '# no comment'  # odd.yaml:12 set
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
fn with_errors_there_is_no_document() {
    let folder = Folder::new(&[("a.yaml", "payloads: {p: {runtime: vm}}\n"), ("b.yaml", "payloads: [p]\n")]);
    let said = folder.run("merge a.yaml b.yaml");
    assert_eq!((said.code, said.out.as_str()), (1, ""));
    assert!(said.err.contains("error[merge/"), "{}", said.err);
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
          is    edit.yaml:1  override     store
          over  base.yaml:2  set          shop
        --- exit code 0
    "#]],
    );
    folder.check(
        "explain /services/web/init base.yaml edit.yaml",
        &expect![[r#"
        services.web.init
          is    base.yaml:14  set          [[/bin/a, x: y]]
        --- exit code 0
    "#]],
    );
    folder.check(
        "explain services.wbe base.yaml edit.yaml",
        &expect![[r#"
        --- standard error
        error[host/no-such-place]: nothing stands at `services.wbe`
         │
         ╰ help: `planloom merge` prints the whole document

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
