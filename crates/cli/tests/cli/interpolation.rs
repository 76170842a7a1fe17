//! Operations and variables on any YAML file, as `bosh interpolate` takes them.

use expect_test::expect;

use crate::run::{Folder, codes};

const PIPELINE: &str = "\
resources:
- name: repo
  source: {uri: ((uri)), key: ((git.key)), depth: 3}
networks: {lan: 1}
";
const OPS: &str = "- {type: replace, path: /resources/name=repo/source/branch?, value: ((branch))}\n";
const VARS: &str = "uri: example.com/repo\ngit: {key: topsecretkey}\nbranch: old\nspare: leftover\n";

fn folder() -> Folder {
    Folder::new(&[("pipeline.yml", PIPELINE), ("ops.yml", OPS), ("vars.yml", VARS)])
}

#[test]
fn any_file_is_changed_by_operations_and_variables() {
    folder().check(
        "merge pipeline.yml -o ops.yml -l vars.yml -v branch=main --origins",
        &expect![[r#"
        resources:                 # pipeline.yml:2 set here
        - name: repo               # pipeline.yml:2 set here
          source:                  # pipeline.yml:3 merged by key
            uri: example.com/repo  # vars.yml:1 overrides pipeline.yml:3
            key: topsecretkey      # vars.yml:2 overrides pipeline.yml:3
            depth: 3               # pipeline.yml:3 set here
            branch: main           # --var branch:1 overrides vars.yml:3, ops.yml:1
        networks:                  # pipeline.yml:4 set here
          lan: 1                   # pipeline.yml:4 set here
        --- exit code 0
    "#]],
    );
}

#[test]
fn operations_that_a_descriptor_is_given_with_say_how_to_apply_them() {
    folder().check(
        "merge pipeline.yml ops.yml",
        &expect![[r#"
        resources:
        - name: repo
          source:
            uri: ((uri))
            key: ((git.key))
            depth: 3
        networks:
          lan: 1
        --- standard error
        error[lower/unknown-key]: unknown key `resources`
          ╭▸ pipeline.yml:1:1
          │
        1 │ resources:
          │ ━━━━━━━━━
          │
          ╰ help: known keys: `meta`, `payloads`, `networks`, `services`, `link_types`, `schema`,
                  `deployment`, `moved`; keys that begin with `x-` are free

        error[lower/wrong-kind]: the network `lan` must be a map of its fields, not whole number
          ╭▸ pipeline.yml:4:12
          │
        4 │ networks: {lan: 1}
          │            ━━━━━━
          │
          ╰ help: a network has no required fields

        error[bosh/ops]: these operations have no document before them that they can change
          ╭▸ ops.yml:1:1
          │
        1 │ - {type: replace, path: /resources/name=repo/source/branch?, value: ((branch))}
          │ ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
          │
          ╰ help: put it before them: a manifest, a cloud config, a runtime config, or one other YAML
                  file alone; `planloom merge FILE -o OPERATIONS` changes any file

        3 errors
        --- exit code 1
    "#]],
    );
}

#[test]
fn a_value_is_explained() {
    folder().check(
        "explain /resources/0/source/branch pipeline.yml -o ops.yml -l vars.yml -v branch=main",
        &expect![[r#"
            resources[0].source.branch
              is    --var branch:1  overrides  main
              over  vars.yml:3      overrides  old
              over  ops.yml:1       set here   ((branch))
            --- exit code 0
        "#]],
    );
}

#[test]
fn what_is_not_defined_is_a_warning_or_an_error() {
    let folder = folder();
    folder.check(
        "merge pipeline.yml -o ops.yml -v branch=main -v uri=x",
        &expect![[r#"
        resources:
        - name: repo
          source:
            uri: x
            key: ((git.key))
            depth: 3
            branch: main
        networks:
          lan: 1
        --- standard error
        warning[bosh/undefined-variable]: the variable `git` is not defined
          ╭▸ pipeline.yml:3:31
          │
        3 │   source: {uri: ((uri)), key: ((git.key)), depth: 3}
          │                               ━━━━━━━━━━━
          │
          ╰ help: the defined variables are `branch`, `uri`

        1 warning
        --- exit code 0
    "#]],
    );
    let strict = folder.run("check pipeline.yml --var-errs");
    assert_eq!(strict.code, 1, "{}", strict.out);
    assert!(strict.out.contains("the variable `uri` is not defined"), "{}", strict.out);
}

#[test]
fn what_is_not_used_is_listed_and_can_be_an_error() {
    let folder = folder();
    let listed = folder.run("check pipeline.yml -o ops.yml -l vars.yml --format json").json();
    assert_eq!(codes(&listed), ["bosh/unused-variable"], "{listed}");
    let strict = folder.run("merge pipeline.yml -o ops.yml -l vars.yml --var-errs-unused");
    assert_eq!(strict.code, 1);
    assert!(strict.err.contains("the variable `spare` is not used"), "{}", strict.err);
    // Values are not shown with problems of their variables.
    assert!(!strict.err.contains("leftover"), "{}", strict.err);
}

#[test]
fn a_variable_has_a_name_and_its_value_is_yaml() {
    let folder = folder();
    for words in
        ["merge pipeline.yml -v =hush", "merge pipeline.yml -v hush", "merge pipeline.yml -v a=[hush"]
    {
        let done = folder.run(words);
        assert_eq!((done.code, done.out.as_str()), (1, ""), "{words}");
        assert!(done.err.contains("host/bad-variable") && !done.err.contains("hush"), "{}", done.err);
    }
    let done = folder.run("merge pipeline.yml -v uri=[1,2] -l vars.yml");
    assert!(done.out.contains("uri:\n    - 1\n    - 2\n"), "{}{}", done.out, done.err);
}

#[test]
fn a_file_of_operations_is_a_list() {
    folder().check(
        "merge pipeline.yml -o vars.yml",
        &expect![[r#"
            resources:
            - name: repo
              source:
                uri: ((uri))
                key: ((git.key))
                depth: 3
            networks:
              lan: 1
            --- standard error
            error[bosh/ops]: a file of operations is a list, not a map
              ╭▸ vars.yml:1:1
              │
            1 │ uri: example.com/repo
              │ ━━━━━━━━━━━━━━━━━━━━━
              │
              ╰ help: write `- type: replace` with a `path` and a `value`; a file of variables is given with
                      `-l`

            1 error
            --- exit code 1
        "#]],
    );
}

#[test]
fn a_document_may_look_like_something_else() {
    let of_melos = "name: app\npackages: [a]\nuri: ((uri))\n";
    let list = "- {path: /a, type: ((branch))}\n";
    let ops = "- {type: remove, path: /packages}\n";
    let files = [("melos.yaml", of_melos), ("list.yml", list), ("ops.yml", ops), ("vars.yml", VARS)];
    let folder = Folder::new(&files);
    folder.check(
        "merge melos.yaml -o ops.yml -l vars.yml",
        &expect![[r#"
        name: app
        uri: example.com/repo
        --- exit code 0
    "#]],
    );
    folder.check(
        "merge list.yml -l vars.yml",
        &expect![[r#"
        - path: /a
          type: old
        --- exit code 0
    "#]],
    );
}

#[test]
fn values_of_the_command_line_keep_their_lines_and_are_not_empty() {
    let folder = Folder::new(&[("app.yml", "ca: ((ca))\nport: ((db.port))\nhost: ((hosts.1))\n")]);
    let merge = |more: &[&str]| {
        let done = folder.command("merge app.yml").args(more).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(done.stdout), text(done.stderr))
    };
    let ca = "ca=-----BEGIN-----\nMII\n-----END-----\n";
    let (out, err) = merge(&["-v", ca, "-v", "db.port=1", "-v", "hosts=[a, b]"]);
    assert_eq!(out, "ca: |\n  -----BEGIN-----\n  MII\n  -----END-----\nport: 1\nhost: b\n", "{err}");
    let (_, err) = merge(&["-v", "ca="]);
    assert!(err.contains("the variable `ca` has no value"), "{err}");
}

#[test]
fn a_variables_file_without_values_is_one() {
    let folder = Folder::new(&[("app.yml", "ca: ((ca))\n"), ("empty.yml", "# nothing yet\n")]);
    folder.check(
        "check app.yml -l empty.yml --var-errs",
        &expect![[r#"
        error[bosh/undefined-variable]: the variable `ca` is not defined
          ╭▸ app.yml:1:5
          │
        1 │ ca: ((ca))
          │     ━━━━━━
          │
          ╰ help: there are no defined variables

        1 error in 1 file
        --- exit code 1
    "#]],
    );
}

#[test]
fn declarations_of_variables_with_values_are_removed() {
    let manifest = "a: ((password))\nvariables:\n- {name: password, type: password}\n- {name: other, type: password}\n- {name: spare, type: password}\n";
    let folder = Folder::new(&[("app.yml", manifest)]);
    folder.check(
        "merge app.yml -v password=x -v spare=y --var-errs-unused",
        &expect![[r#"
            a: x
            variables:
            - name: other
              type: password
            --- exit code 0
        "#]],
    );
}

#[test]
fn keys_that_become_the_same_are_reported() {
    let folder = Folder::new(&[("app.yml", "((a)): 1\nx: 2\n")]);
    folder.check(
        "merge app.yml -v a=x",
        &expect![[r#"
        x: 2
        --- standard error
        error[bosh/variable-value]: two keys are `x` with the values of variables
          ╭▸ app.yml:2:1
          │
        1 │ ((a)): 1
          │ ───── this is the other one
        2 │ x: 2
          │ ━
          │
          ╰ help: give the variables different values, or the keys different names

        1 error
        --- exit code 1
    "#]],
    );
}
