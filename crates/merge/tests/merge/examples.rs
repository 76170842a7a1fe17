//! The rules that hold wherever a type definition says nothing else.

use std::ops::Range;

use crate::descriptors::files;

#[track_caller]
fn check(texts: &[&str], value: &str) {
    let files = files(texts);
    assert_eq!(files.value(), value);
    assert!(files.diagnostics.iter().all(|it| it.severity == diag::Severity::Hint), "{}", files.reported());
}

#[test]
fn maps_merge_deep_and_keys_keep_their_order() {
    check(
        &[
            "{payloads: {p: {runtime: vm, params: {a: 1}}}}",
            "{payloads: {p: {params: {b: 2}}}, networks: {n: {}}}",
        ],
        "{payloads: {p: {runtime: vm, params: {a: 1, b: 2}}}, networks: {n: {}}}",
    );
    check(&["{x-a: {z: 1, y: 2}}", "{x-a: {b: 3, y: 4, a: 5}}"], "{x-a: {z: 1, y: 4, b: 3, a: 5}}");
}

#[test]
fn maps_of_any_width_merge_key_by_key() {
    let entries = |keys: Range<usize>, value: u8| keys.map(move |key| format!("k{key}: {value}"));
    let map = |entries: Vec<String>| format!("{{x: {{{}}}}}", entries.join(", "));
    for width in [1, 14, 15, 16, 17, 40] {
        let half = width / 2;
        let texts = [(0..width, 1), (half..width + 3, 2), (half + 1..width + 5, 3)];
        let texts = texts.map(|(keys, value)| map(entries(keys, value).collect()));
        let parts = entries(0..half, 1).chain(entries(half..half + 1, 2));
        let expected = map(parts.chain(entries(half + 1..width + 5, 3)).collect());
        check(&texts.each_ref().map(String::as_str), &expected);
    }
}

#[test]
fn a_later_scalar_wins_whatever_kind_it_is() {
    check(
        &["{meta: {name: shop, version: \"1\"}}", "{meta: {version: \"2\"}}"],
        "{meta: {name: shop, version: \"2\"}}",
    );
    check(&["{x-p: {budget: 10}}", "{x-p: {budget: 1.5}}"], "{x-p: {budget: 1.5}}");
    check(&["{x-a: 1}", "{x-a: \"1\"}"], "{x-a: \"1\"}");
    check(&["{x-m: {rel: 2024-01-01}}", "{x-m: {rel: 2025-01-01}}"], "{x-m: {rel: 2025-01-01}}");
    check(&["{x-m: null}", "{x-m: {a: 1}}"], "{x-m: {a: 1}}");
}

#[test]
fn lists_are_put_behind_each_other() {
    check(&["{x: {caps: [vpn, inet]}}", "{x: {caps: [inet, gpu]}}"], "{x: {caps: [vpn, inet, inet, gpu]}}");
    check(
        &["{s: {web: {init: [{run: {args: [a]}}]}}}", "{s: {web: {init: [{run: {args: [b]}}]}}}"],
        "{s: {web: {init: [{run: {args: [a]}}, {run: {args: [b]}}]}}}",
    );
}

#[test]
fn files_are_taken_one_after_the_other() {
    check(&["{v: 1, l: [a]}", "{v: 2, l: [b]}", "{l: [c]}"], "{v: 2, l: [a, b, c]}");
    check(&["{v: 2, l: [b]}", "{v: 1, l: [a]}"], "{v: 1, l: [b, a]}");
}

#[test]
fn empty_layers_clear_nothing() {
    check(&["{a: {b: 1}, l: [1]}", "{a: {}, l: []}"], "{a: {b: 1}, l: [1]}");
    check(&["{}", "{a: {}, l: []}"], "{a: {}, l: []}");
    check(&["{a: 1}", "# nothing\n"], "{a: 1}");
    check(&["", "{a: 1}"], "{a: 1}");
    check(&["~", "{a: 1}", "null"], "{a: 1}");
    check(&[], "{}");
    check(&["", "# nothing"], "{}");
}

#[test]
fn keys_mean_nothing_but_themselves() {
    check(&["{a: {\"x/y\": 1, p.q: 1, \"*\": 1}}", "{a: {\"*\": 2}}"], "{a: {x/y: 1, p.q: 1, *: 2}}");
    check(&["{a: {\"\": 1, 1: 2}}", "{a: {\"1\": 3, \"\": 4}}"], "{a: {: 4, 1: 3}}");
}

#[test]
fn text_is_not_read() {
    check(
        &[
            "{payloads: {p: {runtime: vm}}, services: {w: {payload: p}}}",
            "{services: {w: {init: [[\"echo ${meta.name}\"]]}}, meta: {name: z}}",
        ],
        "{payloads: {p: {runtime: vm}}, services: {w: {payload: p, init: [[echo ${meta.name}]]}}, meta: {name: z}}",
    );
}

/// The value, and everything that is said about it.
#[track_caller]
fn check_diagnostics(texts: &[&str], value: &str, expected: &expect_test::Expect) {
    let files = files(texts);
    assert_eq!(files.value(), value);
    expected.assert_eq(&files.reported());
}

#[test]
fn another_kind_of_node_is_not_applied_at_all() {
    check_diagnostics(
        &["{nets: {d: {ip: x}}, l: [1]}", "{nets: [d], l: 1, b: 2}", "{nets: {d: {ip: y}}}"],
        "{nets: {d: {ip: y}}, l: [1], b: 2}",
        &expect_test::expect![[r#"
            error merge/kind-mismatch: `nets` is a list here and a map in an earlier file @ b.yaml:1:2 nets
              a map here @ a.yaml:1:2 nets
              help: write a map, or put `!override` before the value to replace what is there; until then this value is ignored
            error merge/kind-mismatch: `l` is a single value here and a list in an earlier file @ b.yaml:1:16 1
              a list here @ a.yaml:1:22 l
              help: write a list, or put `!override` before the value to replace what is there; until then this value is ignored
        "#]],
    );
    check_diagnostics(
        &["{a: {b: 1}}", "{a: x}"],
        "{a: {b: 1}}",
        &expect_test::expect![[r#"
        error merge/kind-mismatch: `a` is a single value here and a map in an earlier file @ b.yaml:1:5 x
          a map here @ a.yaml:1:2 a
          help: write a map, or put `!override` before the value to replace what is there; until then this value is ignored
    "#]],
    );
    check_diagnostics(
        &["{a: x}", "{a: {b: 1}}"],
        "{a: x}",
        &expect_test::expect![[r#"
        error merge/kind-mismatch: `a` is a map here and a single value in an earlier file @ b.yaml:1:2 a
          a single value here @ a.yaml:1:5 x
          help: write a single value, or put `!override` before the value to replace what is there; until then this value is ignored
    "#]],
    );
}

#[test]
fn a_root_that_is_no_map_is_left_out() {
    check_diagnostics(
        &["[a]", "{b: 1}", "text"],
        "{b: 1}",
        &expect_test::expect![[r#"
            error merge/not-a-map: a descriptor must be a map, not a list @ a.yaml:1:1 [a]
              help: write `key: value` lines, e.g. `services:`
            error merge/not-a-map: a descriptor must be a map, not a single value @ c.yaml:1:1 text
              help: write `key: value` lines, e.g. `services:`
        "#]],
    );
}

#[test]
fn null_over_a_value_is_set_and_reported() {
    check_diagnostics(
        &["{a: 1}", "{a: null}"],
        "{a: null}",
        &expect_test::expect![[r#"
            warning merge/null-over-value: null replaces the single value that an earlier file sets for `a` @ b.yaml:1:5 null
              this single value is removed @ a.yaml:1:5 1
              help: write a value; or `!reset` to remove what an earlier file sets
              fix: Remove it with `!reset`
        "#]],
    );
    check_diagnostics(
        &["a: {b: 1}", "a:\n"],
        "{a: null}",
        &expect_test::expect![[r#"
            warning merge/null-over-value: null replaces the map that an earlier file sets for `a` @ b.yaml:1:1 a
              this map is removed @ a.yaml:1:1 a
              help: write a value; or `!reset` to remove what an earlier file sets
        "#]],
    );
    check_diagnostics(&["a: ~", "a:\n"], "{a: null}", &expect_test::expect![[""]]);
}

#[test]
fn a_repeated_value_is_reported() {
    check_diagnostics(
        &["{meta: {version: '1', name: x}}", "{meta: {version: \"1\", name: y}}"],
        "{meta: {version: \"1\", name: y}}",
        &expect_test::expect![[r#"
            hint merge/same-value: `meta.version` is set to the value that it has already @ b.yaml:1:18 "1"
              set here @ a.yaml:1:18 '1'
              help: remove one of them
        "#]],
    );
}

#[test]
fn a_repeated_list_is_reported() {
    check_diagnostics(
        &["{x: {caps: [vpn]}}", "{x: {caps: [vpn]}}"],
        "{x: {caps: [vpn, vpn]}}",
        &expect_test::expect![[r#"
            hint merge/repeated-list: `x.caps` has these items twice: a later file's list is appended to the earlier one @ b.yaml:1:6 caps
              the same items @ a.yaml:1:6 caps
              help: remove one of them; or put `!override` before a list to replace what is there
        "#]],
    );
}

#[test]
fn reset_removes() {
    check_diagnostics(
        &["{a: {b: 1, c: 2}, l: [1]}", "{a: {b: !reset }, l: !reset []}"],
        "{a: {c: 2}}",
        &expect_test::expect![[""]],
    );
    check_diagnostics(
        &["{a: {b: 1}}", "{a: {b: !reset }}", "{a: {b: 3}}"],
        "{a: {b: 3}}",
        &expect_test::expect![[""]],
    );
    check_diagnostics(
        &["{a: 1}", "{a: !reset 5, b: !reset }"],
        "{}",
        &expect_test::expect![[r#"
        warning merge/reset-with-value: the value after `!reset` is not used @ b.yaml:1:12 5
          help: write `!override` to replace what was inherited, or nothing after `!reset` to remove it
        warning merge/nothing-to-reset: `!reset` removes nothing: no earlier file sets `b` @ b.yaml:1:15 b
          help: remove this, or move the file further down
    "#]],
    );
    check_diagnostics(
        &["{a: {b: !reset , c: [!reset x]}}"],
        "{a: {c: []}}",
        &expect_test::expect![[r#"
        warning merge/nothing-to-reset: `!reset` removes nothing: no earlier file sets `a.b` @ a.yaml:1:6 b
          help: remove this, or move the file further down
        warning merge/nothing-to-reset: `!reset` removes nothing: no earlier file adds this to `a.c` @ a.yaml:1:29 x
          help: remove this, or move the file further down
    "#]],
    );
    check_diagnostics(&["{a: 1}", "!reset {}"], "{}", &expect_test::expect![[""]]);
}

#[test]
fn paths_are_shown_as_users_write_them() {
    for (text, place) in [
        ("{a: {b: !reset }}", "a.b"),
        ("{l: [{x: 1}, {x: !reset }]}", "l[1].x"),
        ("{a: {b.c: !reset }}", "a.\"b.c\""),
        ("{a: {\"b c\": {d: !reset }}}", "a.\"b c\".d"),
        ("{a: {\"\": !reset }}", "a.\"\""),
        ("{\"1\": !reset }", "1"),
    ] {
        let reported = files(&[text]).reported();
        assert!(reported.contains(&format!("no earlier file sets `{place}` @")), "{reported}");
    }
}

#[test]
fn reset_removes_items_that_hold_the_same() {
    check_diagnostics(
        &["{l: [a, b, {x: 1}, a]}", "{l: [!reset a, c, !reset {x: 1}, !reset z]}"],
        "{l: [b, c]}",
        &expect_test::expect![[r#"
            warning merge/nothing-to-reset: `!reset` removes nothing: no earlier file adds this to `l` @ b.yaml:1:41 z
              help: remove this, or move the file further down
        "#]],
    );
}

#[test]
fn override_replaces() {
    check_diagnostics(
        &[
            "{a: {b: 1, c: 2}, l: [1], s: 1}",
            "{a: !override {d: 3}, l: !override [2], s: !override [4], n: !override 1}",
        ],
        "{a: {d: 3}, l: [2], s: [4], n: 1}",
        &expect_test::expect![[r#"
            hint merge/tag-without-effect: `!override` replaces nothing: no earlier file sets `n` @ b.yaml:1:72 1
              help: remove the tag, or move the file further down
        "#]],
    );
    check_diagnostics(
        &["{a: {b: 1}}", "{a: {b: 2}}", "{a: !override {c: {e: !override 1}}}", "{a: {d: 4}}"],
        "{a: {c: {e: 1}, d: 4}}",
        &expect_test::expect![[r#"
            hint merge/tag-without-effect: `!override` replaces nothing: no earlier file sets `a.c.e` @ c.yaml:1:33 1
              help: remove the tag, or move the file further down
        "#]],
    );
}

#[track_caller]
fn check_history(texts: &[&str], history: &expect_test::Expect) {
    history.assert_eq(&files(texts).history());
}

#[test]
fn history_tells_what_was_not_simply_written() {
    check_history(
        &["{a: {b: 1}}", "{c: 2}"],
        &expect_test::expect![[r#"
            (root) deep @ a.yaml:1:1 {a: {b: 1}}
              + a.yaml:1:1 {a: {b: 1}}
              + b.yaml:1:1 {c: 2}
        "#]],
    );
    check_history(
        &["{v: 1, m: {x: 1}, l: [a], k: 1}", "{v: 2, m: {y: 2}, l: [b]}", "{v: 3, l: [c], n: 1}"],
        &expect_test::expect![[r#"
            (root) deep @ a.yaml:1:1 {v: 1, m: {x: 1}, l: [a], k: 1}
              + a.yaml:1:1 {v: 1, m: {x: 1}, l: [a], k: 1}
              + b.yaml:1:1 {v: 2, m: {y: 2}, l: [b]}
              + c.yaml:1:1 {v: 3, l: [c], n: 1}
            /l concatenate @ a.yaml:1:22 [a]
              + a.yaml:1:22 [a]
              + b.yaml:1:22 [b]
              + c.yaml:1:11 [c]
            /m deep @ a.yaml:1:11 {x: 1}
              + a.yaml:1:11 {x: 1}
              + b.yaml:1:11 {y: 2}
            /v override @ c.yaml:1:5 3
              - 2 (override) @ b.yaml:1:5 2
              - 1 (set) @ a.yaml:1:5 1
        "#]],
    );
}

#[test]
fn history_tells_what_was_replaced_and_removed() {
    check_history(
        &[
            "{a: {b: 1}, r: 1, l: [x, y]}",
            "{a: {b: 2}, r: !reset , l: [!reset x]}",
            "{a: !override {c: 1}, r: 2}",
        ],
        &expect_test::expect![[r#"
            (root) deep @ a.yaml:1:1 {a: {b: 1}, r: 1, l: [x, y]}
              + a.yaml:1:1 {a: {b: 1}, r: 1, l: [x, y]}
              + b.yaml:1:1 {a: {b: 2}, r: !reset , l: [!reset x]}
              + c.yaml:1:1 {a: !override {c: 1}, r: 2}
            /a replace @ c.yaml:1:15 {c: 1}
              - {b: 2} (deep) @ a.yaml:1:5 {b: 1}
            /l concatenate @ a.yaml:1:22 [x, y]
              + a.yaml:1:22 [x, y]
              + b.yaml:1:28 [!reset x]
              - x (set) @ a.yaml:1:23 x
            /r set @ c.yaml:1:26 2
              - null (reset) @ b.yaml:1:13 r
              - 1 (set) @ a.yaml:1:16 1
        "#]],
    );
    check_history(
        &["{a/b: {c: 1}}", "{a/b: {c: !reset }}"],
        &expect_test::expect![[r#"
            (root) deep @ a.yaml:1:1 {a/b: {c: 1}}
              + a.yaml:1:1 {a/b: {c: 1}}
              + b.yaml:1:1 {a/b: {c: !reset }}
            /a~1b deep @ a.yaml:1:7 {c: 1}
              + a.yaml:1:7 {c: 1}
              + b.yaml:1:7 {c: !reset }
            /a~1b/c reset @ b.yaml:1:8 c
              - 1 (set) @ a.yaml:1:11 1
        "#]],
    );
}

#[test]
fn origins_are_found_for_every_place() {
    let files = files(&["{a: {b: 1}, l: [x]}", "{a: {b: 2, c: !reset }, l: [y]}", "{a: {c: 3}}"]);
    let origins: Vec<String> = files
        .merged
        .origins()
        .into_iter()
        .map(|(pointer, _, origin)| {
            format!("'{pointer}' {} {}", origin.rule.as_str(), files.shown(origin.span))
        })
        .collect();
    expect_test::expect![[r#"
        '' deep a.yaml:1:1 {a: {b: 1}, l: [x]}
        '/a' deep a.yaml:1:5 {b: 1}
        '/a/b' override b.yaml:1:9 2
        '/a/c' set c.yaml:1:9 3
        '/l' concatenate a.yaml:1:16 [x]
        '/l/0' set a.yaml:1:17 x
        '/l/1' set b.yaml:1:29 y"#]]
    .assert_eq(&origins.join("\n"));
    for (pointer, node, origin) in files.merged.origins() {
        let same = files.merged.origin(&pointer).expect("it is there");
        assert_eq!((same.span, same.rule), (origin.span, origin.rule));
        assert_eq!(files.merged.at(&pointer).map(|it| it.span), Some(node.span));
    }
}

#[test]
fn a_removed_place_has_an_origin_too() {
    let files = files(&["{a: {b: 1}}", "{a: {b: !reset }}"]);
    let origin = files.merged.origin(&model::Pointer::parse("/a/b")).expect("it was removed");
    assert_eq!((origin.rule.as_str(), origin.shadowed.len()), ("reset", 1));
    assert!(files.merged.origin(&model::Pointer::parse("/a/c")).is_none());
}
