//! Operations on manifests: results, histories and diagnostics.

use crate::files::Files;
use expect_test::{Expect, expect};
use links::Profile;
use merge::Merged;
use planloom_bosh::DocumentKind;
use syntax::Node;

const MANIFEST: &str = "\
name: d
instance_groups: []
key: 1
key2: {nested: {super_nested: 2}, other: 3}
array: [4, 5, 6]
items: [{name: item7}, {name: item8}, {name: item9}, {name: item9}]
";

fn patched(manifest: &str, operations: &[&str]) -> (Files, Merged, Vec<String>) {
    let names: Vec<String> = (0..operations.len()).map(|n| format!("ops{n}.yml")).collect();
    let ops = names.iter().map(String::as_str).zip(operations.iter().copied());
    let files = Files::new([("d.yml", manifest)].into_iter().chain(ops));
    let mut read = files.read(Profile::Strict);
    files.check_fixes(&read, Profile::Strict);
    let reported = read.diagnostics.iter().map(|it| {
        let text = it.span.map_or("", |span| files.sources.text(span));
        let help = it.help.as_deref().unwrap_or_default();
        format!("{}: {} @ {text} ({help})", it.severity.as_str(), it.message)
    });
    let reported = reported.collect();
    (files, read.manifests.remove(0), reported)
}

/// Applies one operation to the manifest above, and compares what it changed, line by line.
#[track_caller]
fn check(operation: &str, expected: Expect) {
    let before = patched(MANIFEST, &["[{type: test, path: /name, value: d}]"]).1;
    let (_, after, reported) = patched(MANIFEST, &[&format!("- {{{operation}}}")]);
    let (before, after) = (syntax::emit(&before.root), syntax::emit(&after.root));
    let mut found = String::new();
    let has = |text: &str, line: &str| text.lines().any(|it| it == line);
    before.lines().filter(|it| !has(&after, it)).for_each(|it| found += &format!("-{it}\n"));
    after.lines().filter(|it| !has(&before, it)).for_each(|it| found += &format!("+{it}\n"));
    reported.iter().for_each(|it| found += &format!("{it}\n"));
    expected.assert_eq(&found);
}

#[test]
fn keys_are_replaced_and_made() {
    check(
        "type: replace, path: /key, value: 10",
        expect![[r#"
        -key: 1
        +key: 10
    "#]],
    );
    check(
        "type: replace, path: /new, value: 10",
        expect![[r#"
            error: the path does not exist: the document has no key `new` @ new (the keys are `name`, `instance_groups`, `key`, `key2`, `array`, `items`; `new?` creates what is missing)
        "#]],
    );
    check(
        "type: replace, path: /new?, value: 10",
        expect![[r#"
        +new: 10
    "#]],
    );
    check(
        "type: replace, path: /key2/nested/super_nested, value: 10",
        expect![[r#"
        -    super_nested: 2
        +    super_nested: 10
    "#]],
    );
    check(
        "type: replace, path: /key2/nested?/another/super_nested, value: 10",
        expect![[r#"
        +    another:
        +      super_nested: 10
    "#]],
    );
    check(
        "type: replace, path: /key2/nestde/super_nested, value: 10",
        expect![[r#"
            error: the path does not exist: `/key2` has no key `nestde` @ nestde (did you mean `nested`?)
        "#]],
    );
    check(
        "type: replace, path: /key/deeper, value: 10",
        expect![[r#"
        error: the path does not exist: `/key` is a whole number, not a map @ deeper ()
    "#]],
    );
    check(
        "type: replace, path: /a~1b?, value: {x: [y]}",
        expect![[r#"
        +a/b:
        +  x:
        +  - "y"
    "#]],
    );
}

#[test]
fn items_are_replaced_and_put_in() {
    check(
        "type: replace, path: /array/0, value: 10",
        expect![[r#"
        -- 4
        +- 10
    "#]],
    );
    check(
        "type: replace, path: /array/-1, value: 10",
        expect![[r#"
        -- 6
        +- 10
    "#]],
    );
    check(
        "type: replace, path: /array/3, value: 10",
        expect![[r#"
            error: the path does not exist: the list has 3 items, there is no item 3 @ 3 ()
        "#]],
    );
    check(
        "type: replace, path: /array/-, value: 10",
        expect![[r#"
        +- 10
    "#]],
    );
    check(
        "type: replace, path: /array2?/-, value: 10",
        expect![[r#"
        +array2:
        +- 10
    "#]],
    );
    check(
        "type: replace, path: '/array/1:prev', value: 10",
        expect![[r#"
        -- 4
        +- 10
    "#]],
    );
    check(
        "type: replace, path: '/array/0:next', value: 10",
        expect![[r#"
        -- 5
        +- 10
    "#]],
    );
    check(
        "type: replace, path: '/array/0:after', value: 10",
        expect![[r#"
        +- 10
    "#]],
    );
    check(
        "type: replace, path: '/array/0:before', value: 10",
        expect![[r#"
        +- 10
    "#]],
    );
    check(
        "type: replace, path: '/array/0:before/x', value: 10",
        expect![[r#"
        error: the path does not exist: `:before` and `:after` set where an item is inserted, and can only end a path @ 0:before ()
    "#]],
    );
    check(
        "type: replace, path: /key2/-, value: 10",
        expect![[r#"
        error: the path does not exist: `/key2` is a map, not a list @ - ()
    "#]],
    );
    check(
        "type: replace, path: /array3?/0, value: 10",
        expect![[r#"
        error: the path does not exist: the list that is created here has no item 0 @ 0 ()
    "#]],
    );
}

#[test]
fn named_items_are_found_and_made() {
    check(
        "type: replace, path: /items/name=item7/count?, value: 10",
        expect![[r#"
        +  count: 10
    "#]],
    );
    check(
        "type: replace, path: /items/name=item9/count?, value: 10",
        expect![[r#"
        error: the path does not exist: several items have the name `item9` @ name=item9 ()
    "#]],
    );
    check(
        "type: replace, path: /items/name=item6/count?, value: 10",
        expect![[r#"
            error: the path does not exist: `/items` has no item `item6` @ name=item6 (did you mean `item7`?)
        "#]],
    );
    check(
        "type: replace, path: /items/name=item10?/count, value: 10",
        expect![[r#"
        +- name: item10
        +  count: 10
    "#]],
    );
    check(
        "type: replace, path: '/items/name=item8:before', value: {name: new}",
        expect![[r#"
        +- name: new
    "#]],
    );
    check(
        "type: replace, path: '/items/name=item8:prev/x?', value: 1",
        expect![[r#"
        +  x: 1
    "#]],
    );
    check(
        "type: replace, path: /things?/name=a/parts/name=b/size, value: 1",
        expect![[r#"
        +things:
        +- name: a
        +  parts:
        +  - name: b
        +    size: 1
    "#]],
    );
    check(
        "type: replace, path: /things?/name=a/0, value: 1",
        expect![[r#"
        error: the path does not exist: the item that is created here is a map, not a list @ 0 ()
    "#]],
    );
}

#[test]
fn paths_are_removed() {
    check(
        "type: remove, path: /key",
        expect![[r#"
        -key: 1
    "#]],
    );
    check(
        "type: remove, path: /kye",
        expect![[r#"
            error: the path does not exist: the document has no key `kye` @ kye (did you mean `key`?)
        "#]],
    );
    check("type: remove, path: /none?", expect![[""]]);
    check("type: remove, path: /none?/further", expect![[""]]);
    check(
        "type: remove, path: /array/1",
        expect![[r#"
        -- 5
    "#]],
    );
    check(
        "type: remove, path: /items/name=item7",
        expect![[r#"
        -- name: item7
    "#]],
    );
    check("type: remove, path: /items/name=none?", expect![[""]]);
    check(
        "type: remove, path: '/array/0:before'",
        expect![[r#"
        error: the path does not exist: `:before` and `:after` set where an item is inserted, and can only end a path @ 0:before ()
    "#]],
    );
    check(
        "type: remove, path: ''",
        expect![[r#"
        error: the whole document cannot be removed @ '' ()
    "#]],
    );
}

#[test]
fn values_are_tested() {
    check("type: test, path: /key2, value: {other: 3, nested: {super_nested: 2}}", expect![[""]]);
    check(
        "type: test, path: /array/-1, value: 7",
        expect![[r#"
        error: `/array/-1` is not what the operation expects @ 7 ()
    "#]],
    );
    check(
        "type: test, path: /key, absent: true",
        expect![[r#"
        error: `/key` exists, and the operation expects that it does not @ /key ()
    "#]],
    );
    check("type: test, path: /none, absent: true", expect![[""]]);
    check(
        "type: test, path: /none, value: 1",
        expect![[r#"
            error: the path does not exist: the document has no key `none` @ none (the keys are `name`, `instance_groups`, `key`, `key2`, `array`, `items`)
        "#]],
    );
}

#[test]
fn operations_that_make_no_sense_are_reported() {
    check(
        "type: replase, path: /key, value: 1",
        expect![[r#"
        error: unknown operation `replase` @ replase (did you mean `replace`?)
    "#]],
    );
    check(
        "type: replace, path: /key",
        expect![[r#"
        error: an operation needs `value` @ {type: replace, path: /key} (write the new value; `null` for none)
    "#]],
    );
    check(
        "type: replace, path: 5, value: 1",
        expect![[r#"
        error: `path` must be text, not a whole number @ 5 ()
    "#]],
    );
    check(
        "type: remove, path: /key, value: 1",
        expect![[r#"
        error: `remove` has no `value` @ 1 (remove it, or write `type: replace`)
    "#]],
    );
    check(
        "type: replace, path: '/a:b?', value: 1",
        expect![[r#"
        error: the path `/a:b?` cannot be read: a key has no modifiers such as `:before`; write `~7` for `:` @ a:b? ()
    "#]],
    );
    check(
        "type: replace, path: key, value: 1",
        expect![[r#"
        error: the path `key` cannot be read: it does not begin with `/` @ key ()
    "#]],
    );
}

#[test]
fn the_others_are_applied() {
    let ops = "[{type: remove, path: /none}, 5, {type: remove, path: /key}]";
    let (_, merged, reported) = patched(MANIFEST, &[ops]);
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(merged.root.get("key").is_none());
}

#[test]
fn operations_need_something_to_change() {
    let files = Files::new([("o.yml", "[{type: remove, path: /a}]"), ("d.yml", MANIFEST)]);
    let read = files.read(Profile::Strict);
    let reported: Vec<&str> = read.diagnostics.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(reported, ["these operations have no document before them that they can change"]);
}

#[test]
fn configs_are_changed_where_there_is_no_manifest_before() {
    let cloud = "{azs: [{name: z1}], vm_types: [{name: small}]}";
    let ops = "[{type: replace, path: '/vm_types/name=large?', value: {name: large}}]";
    let other = "[{type: replace, path: /name, value: e}]";
    let files = Files::new([("c.yml", cloud), ("o.yml", ops), ("d.yml", MANIFEST), ("p.yml", other)]);
    let read = files.read(Profile::Strict);
    let found: Vec<_> = read.diagnostics.iter().map(|it| (it.severity.as_str(), &*it.message)).collect();
    let order = "the operations before this manifest change a config, not the manifest";
    assert_eq!(found, [("warning", order)]);
    assert_eq!(read.diagnostics[0].related.len(), 2);
    let types = read.configs[0].1.root.get("vm_types").and_then(Node::as_sequence).unwrap();
    assert_eq!(types.len(), 2);
    assert_eq!(read.manifests[0].root.get("name").and_then(Node::as_str), Some("e"));
}

#[test]
fn runtime_configs_are_changed_too() {
    let runtime =
        "{releases: [{name: r, version: '1'}], addons: [{name: log, jobs: [{name: tail, release: r}]}]}";
    let ops = "[{type: replace, path: /addons/name=log/jobs/-, value: {name: forward, release: r}}]";
    let files = Files::new([("r.yml", runtime), ("o.yml", ops)]);
    let read = files.read(Profile::Strict);
    assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
    let [(kind, config)] = &read.configs[..] else { panic!("{:?}", read.configs) };
    assert_eq!(*kind, DocumentKind::RuntimeConfig);
    let expected = "releases:\n- name: r\n  version: \"1\"\naddons:\n- name: log\n  jobs:\n  - name: tail\n    release: r\n  \
                    - name: forward\n    release: r\n";
    assert_eq!(syntax::emit(&config.root), expected);
}

#[test]
fn values_that_anchors_share_are_changed_apart() {
    let manifest = "\
name: d
instance_groups:
- {name: a, db: &db {scheme: mysql, tls: {on: true}}}
- {name: b, db: *db}
- {name: c, <<: {db: *db}}
";
    let ops = "[{type: replace, path: /instance_groups/name=b/db/tls/on, value: false}]";
    let (_, merged, _) = patched(manifest, &[ops]);
    expect![[r#"
        name: d
        instance_groups:
        - name: a
          db:
            scheme: mysql
            tls:
              "on": true
        - name: b
          db:
            scheme: mysql
            tls:
              "on": false
        - name: c
          db:
            scheme: mysql
            tls:
              "on": true
    "#]]
    .assert_eq(&syntax::emit(&merged.root));
}

/// The history of places: the rule, the current texts, and the shadowed ones.
#[track_caller]
fn check_history(operations: &[&str], expected: Expect) {
    let (files, merged, reported) = patched(MANIFEST, operations);
    assert_eq!(reported, Vec::<String>::new());
    let text = |span: diag::Span| {
        let name = files.sources.locate(span).map_or("", |it| it.0);
        format!("{}:{}", name, files.sources.text(span).lines().next().unwrap_or_default())
    };
    let mut found = String::new();
    for (place, it) in &merged.history {
        let parts: Vec<String> = it.parts.iter().map(|it| text(*it)).collect();
        let shadowed = it.shadowed.iter().map(|it| format!("{} {}", it.rule.as_str(), text(it.value.span)));
        let shadowed: Vec<String> = shadowed.collect();
        found += &format!("{place} {} {} [{}]", it.rule.as_str(), text(it.span), parts.join(", "));
        found += &format!(" not [{}]\n", shadowed.join(", "));
        assert!(merged.origin(place).is_some(), "{place}");
    }
    expected.assert_eq(&found);
}

#[test]
fn operations_record_origins() {
    check_history(
        &["[{type: replace, path: /key, value: 10}]", "[{type: replace, path: /key, value: [a]}]"],
        expect![[r#"
            /key replace ops1.yml:[a] [ops1.yml:[a]] not [override ops0.yml:10, set d.yml:1]
        "#]],
    );
    check_history(
        &["[{type: remove, path: /key}]", "[{type: replace, path: /key?, value: 10}]"],
        expect![[r#"
             deep d.yml:name: d [d.yml:name: d, ops1.yml:10] not []
            /key replace ops1.yml:10 [ops1.yml:10] not [reset ops0.yml:/key, set d.yml:1]
        "#]],
    );
    check_history(
        &["[{type: replace, path: /key2/new?, value: 1}]"],
        expect![[r#"
        /key2 deep d.yml:{nested: {super_nested: 2}, other: 3} [d.yml:{nested: {super_nested: 2}, other: 3}, ops0.yml:1] not []
    "#]],
    );
    check_history(
        &["[{type: replace, path: /array/-, value: 7}, {type: remove, path: /array/0}]"],
        expect![[r#"
            /array concatenate d.yml:[4, 5, 6] [d.yml:[4, 5, 6], ops0.yml:7] not [reset ops0.yml:/array/0, set d.yml:4]
        "#]],
    );
    // Histories move along with their items.
    check_history(
        &[
            "[{type: replace, path: /items/1/name, value: x}]",
            "[{type: remove, path: /items/0}, {type: replace, path: '/items/0:before', value: {name: y}}]",
            "[{type: remove, path: /items/name=y}]",
        ],
        expect![[r#"
            /items by_key d.yml:[{name: item7}, {name: item8}, {name: item9}, {name: item9}] [d.yml:[{name: item7}, {name: item8}, {name: item9}, {name: item9}], ops1.yml:{name: y}] not [reset ops2.yml:/items/name=y, set ops1.yml:{name: y}, reset ops1.yml:/items/0, set d.yml:{name: item7}]
            /items/0/name override ops0.yml:x [ops0.yml:x] not [set d.yml:item8]
        "#]],
    );
    check_history(
        &["[{type: replace, path: /key2/other, value: 1}, {type: replace, path: /key2, value: {}}]"],
        expect![[r#"
            /key2 replace ops0.yml:{} [ops0.yml:{}] not [set d.yml:{nested: {super_nested: 2}, other: 3}]
        "#]],
    );
}

#[test]
fn losing_links_is_said() {
    let manifest = "\
name: d
instance_groups:
- name: g
  jobs: [{name: j, release: r, consumes: {database: {from: x}, cache: nil}}]
  instances: 1
  networks: [{name: n}]
";
    let check = |operation: &str, expected: Expect| {
        let path = "/instance_groups/name=g/jobs/name=j";
        let (_, _, reported) = patched(manifest, &[&operation.replace("JOB", path)]);
        expected.assert_eq(&reported.join("\n"));
    };
    check(
        "[{type: replace, path: JOB/consumes?, value: {database: nil}}]",
        expect![
            "warning: this replaces all of `consumes` and removes `database`, `cache` @ \
             /instance_groups/name=g/jobs/name=j/consumes? (to change one link only, write \
             `/instance_groups/name=g/jobs/name=j/consumes?/database`)"
        ],
    );
    check(
        "[{type: replace, path: JOB/consumes?, value: {database: {from: x}, cache: nil, more: {}}}]",
        expect![[""]],
    );
    check("[{type: replace, path: JOB/consumes?/cache, value: {}}]", expect![[""]]);
    check("[{type: replace, path: JOB/provides?, value: {a: nil}}]", expect![[""]]);
}

#[test]
fn tags_of_layers_mean_nothing_here() {
    let (_, merged, _) = patched("name: d\ninstance_groups: []\na: !override {b: !reset null}\n", &[]);
    let a = merged.root.get("a").unwrap();
    assert_eq!((a.tag, a.get("b").unwrap().tag), (syntax::Tag::None, syntax::Tag::None));
}
