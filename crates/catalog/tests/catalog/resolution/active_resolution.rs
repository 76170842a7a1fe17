//! `ActiveResolution` documents: reading them, and writing the outcome back.

use std::fmt::Write;

use diag::{FileId, Source, Sources, apply_edits};
use expect_test::{Expect, expect};
use planloom_catalog::{
    Conflict, Fact, Resolution, Selected,
    active_resolution::{read, write_status},
};

fn shown(text: &str) -> String {
    let sources: Sources = [Source::new("wanted.yaml", text)].into_iter().collect();
    let (all, found) = read(FileId(0), text);
    let mut shown = String::new();
    let quoted = |it: Option<diag::Span>| it.map(|it| format!("{:?}", sources.text(it))).unwrap_or_default();
    for it in all {
        let request = &it.request;
        writeln!(shown, "document {} {:?} {}", it.document, it.name, request.profile.name()).expect("a text");
        if !request.sources.is_empty() {
            writeln!(shown, "  sources {}", request.sources.join(", ")).expect("a text");
        }
        for it in &request.requirements {
            let range = it.range.as_ref().map(|it| it.text.to_string()).unwrap_or_default();
            let (name, package, origin) = (&it.name, &it.package, it.origin);
            writeln!(shown, "  required {name}: {package} [{range}] {:?} {:?}", it.channels, it.catalog)
                .expect("a text");
            let (package, range, channel) =
                (quoted(origin.package), quoted(origin.range), quoted(origin.channel));
            writeln!(shown, "    at {package} {range} {channel} in {}", quoted(origin.whole))
                .expect("a text");
        }
        for it in &request.installed {
            writeln!(shown, "  installed {} {} {:?} {:?}", it.package, it.version, it.channel, it.bundle)
                .expect("a text");
            if let Some(bundle) = &it.described {
                writeln!(shown, "    {} with {} properties", bundle.name, bundle.properties.len())
                    .expect("a text");
            }
        }
        if let Some((major, minor)) = request.runtime.openshift {
            writeln!(shown, "  openshift {major}.{minor}").expect("a text");
        }
        if let Some(version) = &request.runtime.kubernetes {
            writeln!(shown, "  kubernetes {version}").expect("a text");
        }
    }
    for it in found {
        let place =
            it.span.and_then(|it| sources.locate(it)).map(|(_, at)| format!("{}:{}", at.line, at.column));
        writeln!(shown, "{} {} {} {}", it.severity.as_str(), it.code, place.unwrap_or_default(), it.message)
            .expect("a text");
    }
    shown
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(text));
}

#[test]
fn both_notations() {
    check(
        r#"apiVersion: deppy.io/v1alpha1
kind: ActiveResolution
metadata:
  name: po-resolution
spec:
  # optionally restrict the solution space
  sources:
  - "redhat-operators"
  - "certified-operators"
  constraints:
  - required("odf-operator", ">= 3.1.0", "stable")
  - installed("devspaces", "1.0.2", "alpha")
  # or
  - required:
      name: "cluster-logging"
      versionRange: ">= 2.0.0 < 3.0.0"
      channel: "stable"
  - installed:
      name: "fuse-online"
      version: "5.26.7"
      channel: "fast"
  - runtime("openshift", "4.21")
  - runtime: {kubernetes: 1.34.0}
"#,
        expect![[r#"
            document 0 "po-resolution" phase0
              sources redhat-operators, certified-operators
              required odf-operator: odf-operator [>= 3.1.0] ["stable"] None
                at "\"odf-operator\"" "\">= 3.1.0\"" "\"stable\"" in "required(\"odf-operator\", \">= 3.1.0\", \"stable\")"
              required cluster-logging: cluster-logging [>= 2.0.0 < 3.0.0] ["stable"] None
                at "\"cluster-logging\"" "\">= 2.0.0 < 3.0.0\"" "\"stable\"" in "required:\n      name: \"cluster-logging\"\n      versionRange: \">= 2.0.0 < 3.0.0\"\n      channel: \"stable\""
              installed devspaces 1.0.2 Some("alpha") None
              installed fuse-online 5.26.7 Some("fast") None
              openshift 4.21
              kubernetes 1.34.0
        "#]],
    );
}

#[test]
fn several_documents() {
    check(
        r#"# ü
schema: olm.package
name: ActiveResolution
---
kind: ActiveResolution
spec: {constraints: ['required("a")', "required('b', '^1.0.0')"], profile: v1}
---
kind: ActiveResolution
apiVersion: deppy.io/v1alpha1
spec:
  constraints:
  - required:
    name: a
    versionRange: 1.x
  - required(a, "2.0.0")
"#,
        expect![[r#"
            document 1 "" v1
              required a: a [] [] None
                at    in "'required(\"a\")'"
              required b: b [^1.0.0] [] None
                at    in "\"required('b', '^1.0.0')\""
            document 2 "" phase0
              required a: a [1.x] [] None
                at "a" "1.x"  in "required:\n    name: a\n    versionRange: 1.x"
              required a (2): a [2.0.0] [] None
                at "a" "\"2.0.0\""  in "required(a, \"2.0.0\")"
        "#]],
    );
}

#[test]
fn installed_bundles_describe_themselves() {
    check(
        r#"kind: ActiveResolution
spec:
  constraints:
  - installed:
      name: a
      version: 1.0.0
      bundle: a.v1
      properties:
      - {type: olm.gvk, value: {group: g, version: v1, kind: K}}
      - {type: olm.package.required, value: {packageName: b, versionRange: "<<1"}}
"#,
        expect![[r#"
            document 0 "" phase0
              installed a 1.0.0 None Some("a.v1")
                a.v1 with 2 properties
            warning catalog/invalid-range 10:76 Could not parse Range "<<1": Could not parse comparator "<<" in "<<1"
        "#]],
    );
}

#[test]
fn mistakes() {
    check(
        r#"kind: ActiveResolution
spce: {}
spec:
  profile: v2
  sources: {a: b}
  constraints:
  - require("a")
  - required(
  - required()
  - required("a", "1", "b", "c", "d")
  - required("a" "b")
  - required("a
  - required("a"), 1
  - installed("a")
  - installed("a", "x.y")
  - installed: {version: 1.0.0}
  - required: {nam: a}
  - required: {name: a, versionRange: ">>1", channel: [x]}
  - required: a
  - required: {name: a}
    installed: {name: b, version: 1.0.0}
  - runtime("openshift", "4.21")
  - runtime("openshift", "4.20")
  - runtime("windows", "11")
  - {}
  - 7
"#,
        expect![[r#"
            document 0 "" phase0
              required a: a [1] ["b"] Some("c")
                at "\"a\"" "\"1\"" "\"b\"" in "required(\"a\", \"1\", \"b\", \"c\", \"d\")"
              required a (2): a [>>1] [] None
                at "a" "\">>1\""  in "required: {name: a, versionRange: \">>1\", channel: [x]}"
              required a (3): a [] [] None
                at "a"   in "required: {name: a}\n    installed: {name: b, version: 1.0.0}"
              openshift 4.21
            error catalog/unknown-field 2:1 an `ActiveResolution` has no field `spce`
            error catalog/wrong-kind 5:12 `sources` of `spec` must be a list, not a map
            error catalog/unknown-profile 4:12 unknown profile `v2`
            error catalog/unknown-constraint 7:5 unknown constraint `require`
            error catalog/call 8:5 the call is not closed: `)` or `,` is missing
            error catalog/call 9:5 `required` needs the package's name
            error catalog/call 10:5 `required` takes at most 4 arguments, and this has 5
            error catalog/range 10:19 desired version range "1" is invalid: Last element in range is '||'
            error catalog/call 11:5 the call is not closed: `)` or `,` is missing
            error catalog/call 12:5 a string is not closed: its quote is missing
            error catalog/call 13:5 unexpected text after the call: `, 1`
            error catalog/call 14:5 `installed` needs its version
            error catalog/version 15:20 version "x.y" is invalid: Invalid character(s) found in major number "x"
            error catalog/missing-field 16:16 `installed` has no `name`
            error catalog/unknown-field 17:16 `required` has no field `nam`
            error catalog/missing-field 17:15 `required` has no `name`
            error catalog/wrong-kind 18:55 `channel` of `required` must be text, not a list
            error catalog/range 18:39 desired version range ">>1" is invalid: Could not parse Range ">>1": Could not parse comparator ">>" in ">>1"
            error catalog/wrong-kind 19:15 `required` must be a map, not a text
            error catalog/unknown-field 21:5 a constraint has no field `installed`
            warning catalog/said-twice 23:26 the version of openshift is set twice; the first one is used
            error catalog/unknown-constraint 24:13 unknown runtime `windows`
            error catalog/call 25:5 this is not a constraint: the map is empty
            error catalog/call 26:5 this is not a call
        "#]],
    );
    check(
        "kind: ActiveResolution\nspec: [\n",
        expect![[r#"
        document 0 "" phase0
        error syntax/unclosed-bracket 2:7 this `[` is not closed
        error catalog/wrong-kind 2:7 `spec` must be a map, not a list
    "#]],
    );
    check(
        "kind: ActiveResolution\nspec: []\n",
        expect![[r#"
        document 0 "" phase0
        error catalog/wrong-kind 2:7 `spec` must be a map, not a list
    "#]],
    );
    check("kind: Other # ActiveResolution\n", expect![[""]]);
}

fn solved() -> Resolution {
    let selected = |id: &str| Selected {
        id: id.into(),
        catalog: "".into(),
        package: "".into(),
        version: "".into(),
        channel: "".into(),
        bundle: "".into(),
        image: "".into(),
        wanted_by: Vec::new(),
        is_installed: false,
        previous: None,
        upgrade: None,
        considered: Vec::new(),
        origin: None,
    };
    Resolution::Solved(vec![
        selected("redhat-operators:odf-operator:3.5.7:stable"),
        selected("c:b:1.0.0:x y"),
    ])
}

fn unsolvable() -> Resolution {
    let fact = |text: &str| Fact {
        text: text.into(),
        subject: "".into(),
        kind: resolve::RuleKind::Mandatory,
        origin: None,
    };
    let facts = vec![fact("package a is requested"), fact("a 1.0.0 needs \"b\"\u{1b}")];
    Resolution::Unsolvable {
        conflicts: vec![Conflict { summary: "a cannot be met: no catalog has b".into(), facts }],
        fixes: Vec::new(),
    }
}

fn check_status(text: &str, document: usize, resolution: &Resolution, expected: Expect) {
    let written = apply_edits(text, &write_status(FileId(0), text, document, resolution));
    expected.assert_eq(&written);
    let again = write_status(FileId(0), &written, document, resolution);
    assert_eq!(again, [], "what is there is not written again");
}

const TWO: &str = r#"kind: ActiveResolution # first
spec: {constraints: ['required("a")']}
---
# second, ü
kind: ActiveResolution
spec:
  constraints:
  - required("a") # this one
"#;

#[test]
fn a_status_is_written() {
    check_status(
        TWO,
        0,
        &solved(),
        expect![[r#"
        kind: ActiveResolution # first
        spec: {constraints: ['required("a")']}
        status:
          conditions:
            - type: Resolved
              status: "True"
              reason: Solved
              message: every requirement is satisfied
          selection:
            - redhat-operators:odf-operator:3.5.7:stable
            - c:b:1.0.0:x y
        ---
        # second, ü
        kind: ActiveResolution
        spec:
          constraints:
          - required("a") # this one
    "#]],
    );
    check_status(
        TWO,
        1,
        &solved(),
        expect![[r#"
        kind: ActiveResolution # first
        spec: {constraints: ['required("a")']}
        ---
        # second, ü
        kind: ActiveResolution
        spec:
          constraints:
          - required("a") # this one
        status:
          conditions:
            - type: Resolved
              status: "True"
              reason: Solved
              message: every requirement is satisfied
          selection:
            - redhat-operators:odf-operator:3.5.7:stable
            - c:b:1.0.0:x y
    "#]],
    );
    check_status(
        TWO,
        1,
        &unsolvable(),
        expect![[r#"
        kind: ActiveResolution # first
        spec: {constraints: ['required("a")']}
        ---
        # second, ü
        kind: ActiveResolution
        spec:
          constraints:
          - required("a") # this one
        status:
          conditions:
            - type: Resolved
              status: "False"
              reason: Unsolvable
              message: "a cannot be met: no catalog has b\n- package a is requested\n- a 1.0.0 needs \"b\"\u001b"
          selection: []
    "#]],
    );
    assert_eq!(write_status(FileId(0), TWO, 2, &solved()), []);
}

#[test]
fn a_status_is_replaced() {
    let before = r#"kind: ActiveResolution
status:
  # what others say
  conditions:
  - type: Fresh # source condition
    status: "True"
  - type: Resolved
    status: "False"
    reason: Unsolvable
    message: it was not so
  selection: # chosen
  - old:a:1.0.0:stable
spec:
  constraints: []
"#;
    check_status(
        before,
        0,
        &solved(),
        expect![[r#"
        kind: ActiveResolution
        status:
          # what others say
          conditions:
          - type: Fresh # source condition
            status: "True"
          - type: Resolved
            status: "True"
            reason: Solved
            message: every requirement is satisfied
          selection: # chosen
            - redhat-operators:odf-operator:3.5.7:stable
            - c:b:1.0.0:x y
        spec:
          constraints: []
    "#]],
    );
    check_status(
        before,
        0,
        &unsolvable(),
        expect![[r#"
        kind: ActiveResolution
        status:
          # what others say
          conditions:
          - type: Fresh # source condition
            status: "True"
          - type: Resolved
            status: "False"
            reason: Unsolvable
            message: "a cannot be met: no catalog has b\n- package a is requested\n- a 1.0.0 needs \"b\"\u001b"
          selection: [] # chosen
        spec:
          constraints: []
    "#]],
    );
    check_status(
        "kind: ActiveResolution\nstatus: {}\n",
        0,
        &solved(),
        expect![[r#"
        kind: ActiveResolution
        status: {conditions: [{type: Resolved, status: "True", reason: Solved, message: every requirement is satisfied}], selection: [redhat-operators:odf-operator:3.5.7:stable, c:b:1.0.0:x y]}
    "#]],
    );
    check_status(
        "kind: ActiveResolution\nstatus:\nspec: {}\n",
        0,
        &Resolution::Stopped,
        expect![[r#"
        kind: ActiveResolution
        status:
          conditions:
            - type: Resolved
              status: "Unknown"
              reason: Stopped
              message: it was interrupted
          selection: []
        spec: {}
    "#]],
    );
}
