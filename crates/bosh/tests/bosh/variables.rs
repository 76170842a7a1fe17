//! Variables in documents: results, histories and diagnostics.

use crate::files::Files;
use expect_test::{Expect, expect};
use links::Profile;

/// Reads one document with what changes it: the document, where its changed values come from, and what is reported.
#[track_caller]
fn check(document: &str, others: &[(&str, &str)], expected: Expect) {
    let files = Files::new([("any.yml", document)].into_iter().chain(others.iter().copied()));
    let read = files.read(Profile::Strict);
    files.check_fixes(&read, Profile::Strict);
    let at = |span: diag::Span| {
        let name = files.sources.locate(span).map_or("", |it| it.0);
        format!("{name} {}", files.sources.text(span))
    };
    let merged = &read.configs[0].1;
    let mut found = syntax::emit(&merged.root);
    for (pointer, history) in &merged.history {
        let over: Vec<String> = history.shadowed.iter().map(|it| at(it.value.span)).collect();
        found += &format!("{pointer}: {} {:?} {over:?}\n", at(history.span), history.rule);
    }
    for it in &read.diagnostics {
        let help = it.help.as_deref().unwrap_or_default();
        let place = it.span.map_or_else(String::new, at);
        found += &format!("{}: {} @ {place} ({help})\n", it.severity.as_str(), it.message);
    }
    expected.assert_eq(&found);
}

#[test]
fn a_value_takes_the_place_of_its_placeholder() {
    check(
        "{port: ((port)), list: [a, ((!all))], x: ((db.user.name))}",
        &[("vars.yml", "{port: 80, all: [1, {b: 2}], db: {user: {name: me}}}")],
        expect![[r#"
            port: 80
            list:
            - a
            - - 1
              - b: 2
            x: me
            /list/1: vars.yml [1, {b: 2}] Replace ["any.yml ((!all))"]
            /port: vars.yml 80 Override ["any.yml ((port))"]
            /x: vars.yml me Override ["any.yml ((db.user.name))"]
        "#]],
    );
}

#[test]
fn texts_and_integers_can_be_parts_of_a_text() {
    check(
        "{url: 'http://((host)):((port))/', ((name))-x: 1}",
        &[("vars.yml", "{host: h, port: 80, name: n}")],
        expect![[r#"
            url: http://h:80/
            n-x: 1
            /url: any.yml 'http://((host)):((port))/' Concatenate ["vars.yml 80", "vars.yml h"]
        "#]],
    );
    check(
        "{url: 'a ((flag)) ((map)) b'}",
        &[("vars.yml", "{flag: true, map: {a: 1}}")],
        expect![[r#"
        url: a ((flag)) ((map)) b
        error: `flag` is a boolean, which cannot be a part of a text @ any.yml ((flag)) (write the value in quotes, or the placeholder alone)
        error: `map` is a map, which cannot be a part of a text @ any.yml ((map)) (write the value in quotes, or the placeholder alone)
    "#]],
    );
}

#[test]
fn a_later_file_replaces_the_whole_value() {
    check(
        "{a: ((db.user)), b: ((db.port))}",
        &[("vars1.yml", "db: {user: one, port: 1}"), ("vars2.yml", "db: {user: two}")],
        expect![[r#"
            a: two
            b: ((db.port))
            /a: vars2.yml two Override ["vars1.yml one", "any.yml ((db.user))"]
            error: the value of `db` has no key `port` @ any.yml ((db.port)) (the keys are `user`)
        "#]],
    );
}

#[test]
fn variables_are_replaced_after_operations_and_values_are_not_searched() {
    check(
        "{a: 1}",
        &[("ops.yml", "[{type: replace, path: /a, value: ((x))}]"), ("vars.yml", "{x: ((y)), y: 2}")],
        expect![[r#"
            a: ((y))
            /a: vars.yml ((y)) Override ["ops.yml ((x))", "any.yml 1"]
            hint: the variable `y` is not used @ vars.yml y (write `((y))` where its value belongs, or remove it)
        "#]],
    );
}

#[test]
fn what_is_not_defined_stays_and_is_reported_at_its_bytes() {
    check(
        "{a: ((prot)), b: 'x ((none)) y', variables: [{name: made}], c: ((made.ca))}",
        &[("vars.yml", "{port: 1}")],
        expect![[r#"
            a: ((prot))
            b: x ((none)) y
            variables:
            - name: made
            c: ((made.ca))
            warning: the variable `prot` is not defined @ any.yml ((prot)) (did you mean `port`?)
            warning: the variable `none` is not defined @ any.yml ((none)) (the defined variables are `port`)
            hint: the variable `port` is not used @ vars.yml port (write `((port))` where its value belongs, or remove it)
        "#]],
    );
}

#[test]
fn without_variables_files_placeholders_stay() {
    check(
        "{a: ((port))}",
        &[],
        expect![[r#"
        a: ((port))
    "#]],
    );
}

#[test]
fn variables_files_are_maps() {
    check(
        "{a: ((port))}",
        &[("vars.yml", "[port]")],
        expect![[r#"
        a: ((port))
        error: a variables file is a map of names to values, not a list @ vars.yml [port] (write `name: value`, a line for each)
        warning: the variable `port` is not defined @ any.yml ((port)) (there are no defined variables)
    "#]],
    );
}

#[test]
fn only_one_other_document_is_changed() {
    let files = Files::new([
        ("any1.yml", "{a: 1}"),
        ("any2.yml", "{b: 1}"),
        ("ops.yml", "[{type: remove, path: /a}]"),
    ]);
    let read = files.read(Profile::Strict);
    let reported: Vec<&str> = read.diagnostics.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(reported, ["operations and variables change one document, and this is another one"]);
    assert_eq!((read.configs.len(), syntax::emit(&read.configs[0].1.root).as_str()), (1, "{}\n"));
}

#[test]
fn manifests_are_read_with_their_values() {
    let manifest = "{name: ((name)), instance_groups: [{name: ((group)), instances: 1, jobs: []}]}";
    let files = Files::new([("d.yml", manifest), ("vars.yml", "{name: shop, group: web}")]);
    let read = files.read(Profile::Strict);
    let deployment = &read.site.deployments[0];
    assert_eq!((&*deployment.name, &*deployment.groups[0].name), ("shop", "web"));
}
