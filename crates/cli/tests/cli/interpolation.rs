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
    let done = folder.run("merge pipeline.yml -v uri=[1,2] -v empty= -l vars.yml");
    assert!(done.out.contains("uri:\n    - 1\n    - 2\n"), "{}{}", done.out, done.err);
}
