//! Other spellings of keys.

use std::sync::Arc;

use diag::{FileId, Severity, apply_edits};
use model::Pointer;
use planloom_merge::{Layer, Merged, merge};
use syntax::{Node, NodeData};
use types::Types;

use crate::descriptors::{files, root, with_packages};

/// Keys with other spellings inside of fields.
const KINDS: &str = "
kinds:
  thing:
    collection: things
    fields:
      owner: {fields: {name: {type: text, spellings: [{path: nick, dialect: old}]}}}
      mounts: {type: {list: {fields: {path: {type: text, spellings: [{path: dir, dialect: old}]}}}}}
      sizes: {type: {map: {fields: {disk: {type: text, spellings: [{path: hd, dialect: old}]}}}}}
      times: {type: {either: [text, {list: {fields: {hour: {type: text, spellings: [{path: h, dialect: old}]}}}}]}}
      plain: {type: {either: [text, {list: text}]}}
";

#[track_caller]
fn check(texts: &[&str], value: &str, reported: &expect_test::Expect) {
    let files = files(texts);
    assert_eq!(files.value(), value);
    reported.assert_eq(&files.reported());
    assert!(
        files
            .diagnostics
            .iter()
            .all(|it| (it.severity == Severity::Hint) == (it.code.as_str() == "merge/other-spelling"))
    );
    check_fixes(texts, value);
}

/// Renaming as the hints say leaves the same value, and nothing to rename.
fn check_fixes(texts: &[&str], value: &str) {
    let before = files(texts);
    if before.diagnostics.iter().any(|it| it.severity == Severity::Error || it.fixes.is_empty()) {
        return;
    }
    let edits: Vec<_> = before.diagnostics.iter().flat_map(|it| &it.fixes[0].edits).cloned().collect();
    let fixed: Vec<String> = before
        .sources
        .iter()
        .map(|(file, source)| {
            let own: Vec<_> = edits.iter().filter(|edit| edit.span.file == file).cloned().collect();
            apply_edits(&source.text, &own)
        })
        .collect();
    let after = files(&fixed.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((after.value().as_str(), after.reported().as_str()), (value, ""));
}

#[test]
fn dapp_runner_and_legacy_spellings_become_ours() {
    check(
        &["nodes:\n  web:\n    entrypoint: [[a]]\n    payload: p\n", "services:\n  web:\n    init: [[b]]\n"],
        "{services: {web: {init: [[a], [b]], payload: p}}}",
        &expect_test::expect![[r#"
            hint merge/other-spelling: `nodes` is the dapp-runner spelling of `services` @ a.yaml:1:1 nodes
              help: write `services`
              fix: Rename to `services`
            hint merge/other-spelling: `entrypoint` is the legacy spelling of `init` @ a.yaml:3:5 entrypoint
              help: write `init`
              fix: Rename to `init`
        "#]],
    );
    check(
        &["{networks: {n: {mask: 10.0.0.0/24}, m: {ip: 10.0.0.0, mask: 255.255.255.0}}}"],
        "{networks: {n: {ip: 10.0.0.0/24}, m: {ip: 10.0.0.0, mask: 255.255.255.0}}}",
        &expect_test::expect![[r#"
            hint merge/other-spelling: `mask` is the legacy spelling of `ip` @ a.yaml:1:17 mask
              help: write `ip`
              fix: Rename to `ip`
        "#]],
    );
}

#[test]
fn a_key_moves_up_from_inside() {
    check(
        &["{payloads: {p: {runtime: vm, params: {image: x, capabilities: [vpn]}}}}"],
        "{payloads: {p: {runtime: vm, params: {image_hash: x}, capabilities: [vpn]}}}",
        &expect_test::expect![[r#"
            hint merge/other-spelling: `params.capabilities` is the dapp-runner spelling of `capabilities` @ a.yaml:1:49 capabilities
              help: move it up and write `capabilities`
            hint merge/other-spelling: `image` is the legacy spelling of `image_hash` @ a.yaml:1:39 image
              help: write `image_hash`
              fix: Rename to `image_hash`
        "#]],
    );
    check(
        &[
            "{payloads: {p: {params: {capabilities: [vpn]}}}}",
            "{payloads: {p: {params: !override {capabilities: [inet]}}}}",
        ],
        "{payloads: {p: {capabilities: [inet], params: {}}}}",
        &expect_test::expect![[r#"
            hint merge/other-spelling: `params.capabilities` is the dapp-runner spelling of `capabilities` @ a.yaml:1:26 capabilities
              help: move it up and write `capabilities`
            hint merge/other-spelling: `params.capabilities` is the dapp-runner spelling of `capabilities` @ b.yaml:1:36 capabilities
              help: move it up and write `capabilities`
        "#]],
    );
}

#[test]
fn keys_inside_of_fields_have_other_spellings_too() {
    let document = syntax::parse(FileId(900), KINDS, &syntax::Limits::default()).document;
    let (types, diagnostics) = types::read(&Types::default(), &document);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    for (text, value, hints) in [
        ("owner: {nick: x}", "owner: {name: x}", 1),
        ("mounts: [{path: a}, {dir: b}, {path: c}]", "mounts: [{path: a}, {path: b}, {path: c}]", 1),
        ("mounts: [{dir: a}, {dir: b}]", "mounts: [{path: a}, {path: b}]", 2),
        ("mounts: [{path: a}]", "mounts: [{path: a}]", 0),
        ("sizes: {s: {disk: x}, m: {hd: y}}", "sizes: {s: {disk: x}, m: {disk: y}}", 1),
        ("times: [{h: noon}]", "times: [{hour: noon}]", 1),
        ("times: noon", "times: noon", 0),
        ("plain: [h]", "plain: [h]", 0),
        // A key that is defined nowhere means itself.
        ("sizes: {s: {x: {hd: y}}}", "sizes: {s: {x: {hd: y}}}", 0),
    ] {
        let text = format!("{{things: {{a: {{{text}}}}}}}");
        let files = with_packages(&[(&text, None)], &types);
        assert_eq!(files.value(), format!("{{things: {{a: {{{value}}}}}}}"));
        let codes: Vec<_> = files.diagnostics.iter().map(|it| it.code.as_str()).collect();
        assert_eq!(codes, vec!["merge/other-spelling"; hints], "{}", files.reported());
    }
}

#[test]
fn two_spellings_in_one_object_are_an_error() {
    check(
        &["{nodes: {a: {}}, services: {b: {}}}"],
        "{services: {b: {}}}",
        &expect_test::expect![[r#"
        error merge/spelled-twice: `nodes` and `services` are two spellings of one key @ a.yaml:1:2 nodes
          this one is used @ a.yaml:1:18 services
          help: move what is here to `services`
    "#]],
    );
    check(
        &["{payloads: {p: {capabilities: [a], params: {x: 1, capabilities: [b]}}}}"],
        "{payloads: {p: {capabilities: [a], params: {x: 1}}}}",
        &expect_test::expect![[r#"
            error merge/spelled-twice: `params.capabilities` and `capabilities` are two spellings of one key @ a.yaml:1:51 capabilities
              this one is used @ a.yaml:1:17 capabilities
              help: move what is here to `capabilities`
        "#]],
    );
}

#[test]
fn an_anchor_is_reported_once() {
    check(
        &["{services: {a: &s {entrypoint: [[a]]}, b: *s}}"],
        "{services: {a: {init: [[a]]}, b: {init: [[a]]}}}",
        &expect_test::expect![[r#"
            hint merge/other-spelling: `entrypoint` is the legacy spelling of `init` @ a.yaml:1:20 entrypoint
              help: write `init`
              fix: Rename to `init`
        "#]],
    );
}

#[test]
fn nodes_of_a_single_layer_are_shared() {
    let texts = ["{services: {a: {init: [[a]]}}, networks: {n: {ip: 10.0.0.0/8}}}", "{services: {b: {}}}"];
    let roots: Vec<_> = (0..2).map(|idx| root(FileId(idx as u32), texts[idx]).expect("a map")).collect();
    let layers: Vec<_> = roots.iter().map(|it| Layer::new(Some(it.clone()), None)).collect();
    let (merged, _) = merge(&layers, &Types::builtin());
    for path in ["/services/a", "/networks", "/services/a/init/0"] {
        let at = |root: &Node| {
            let merged = Merged { root: root.clone(), history: Default::default() };
            merged.at(&Pointer::parse(path)).cloned().expect("it is there").data
        };
        let same = match (at(&merged.root), at(&roots[0])) {
            (NodeData::Mapping(one), NodeData::Mapping(other)) => Arc::ptr_eq(&one, &other),
            (NodeData::Sequence(one), NodeData::Sequence(other)) => Arc::ptr_eq(&one, &other),
            _ => false,
        };
        assert!(same, "{path}");
    }
}
