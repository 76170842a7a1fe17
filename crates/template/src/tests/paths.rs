use model::{Data, Expression, Part, Step};

use super::{super::parse, ORIGIN, show, world};

#[track_caller]
fn check(text: &str, expected: &str) {
    let path = parse(text).expect("it can be read").as_path(ORIGIN);
    let shown = path.map(|path| {
        let steps: String = path.steps.iter().map(step).collect();
        let default = path.default.map(|it| format!(" else {}", show(&it))).unwrap_or_default();
        format!("{}{steps}{default}", path.link)
    });
    assert_eq!(shown.as_deref().unwrap_or("-"), expected, "{text}");
}

fn step(step: &Step) -> String {
    match step {
        Step::Key(key) => format!(".{key}"),
        Step::Index(at) => format!("[{at}]"),
    }
}

#[test]
fn pure_accessors_have_a_path() {
    check("link('db').address", "db.address");
    check("link('db').instances", "db.instances");
    check("link('db').nodes[0].address", "db.instances[0].address");
    check("link(\"db\").instances[0].address", "db.instances[0].address");
    check("link('db').instances.first.az", "db.instances[0].az");
    check("link('db').p('a.b')", "db.properties.a.b");
    check("link('db').p(['a.b'])", "db.properties.a.b");
    check("link('db').p('a', 'x')", "db.properties.a else \"x\"");
    check("link('db').p('a', nil)", "db.properties.a else null");
    check("link('db').p('a', [-1, {b: 'c'}])", "db.properties.a else [-1, {b: \"c\"}]");
    check("link('db').p('a')['b'][0]", "db.properties.a.b[0]");
    check("link('db').properties", "db.properties");
    check("link('db').properties.a[1]['size'].b", "db.properties.a[1].size.b");
    check("(link('db').address)", "db.address");
    check("link('db').p('a', '')", "db.properties.a else \"\"");
    check("link('db').p('a', -1.5)", "db.properties.a else -1.5");
}

#[test]
fn a_path_below_a_reference_extends_it() {
    let expression = parse("link('live').p('all.a b')['c']").expect("it can be read");
    let reported = world().with(|scope| expression.evaluate(scope)).expect("it can be evaluated");
    let Data::Unknown(Expression { parts }) = reported.data else { panic!("it is known") };
    let [Part::Reference(reference)] = &parts[..] else { panic!("it is no reference") };
    assert_eq!(reference.path.iter().map(step).collect::<String>(), ".outputs.a b.c");
}

#[test]
fn others_have_none() {
    for text in [
        "link('db')['x']",
        "link('db').p(['a', 'b'])",
        "link('db').p('a', p('b'))",
        "link('db').p('a', 1)['b']",
        "link('db').address(azs: ['z1'])",
        "link('db').instances.last.address",
        "link('db').instances[-1].address",
        "link('db').instances.map(&:address)",
        "link('db').properties.size",
        "link(p('x')).address",
        "link('db').p(\"a#{1}\")",
        "if_link('db').address",
        "link('db').p('a') + 'x'",
        "link('db')&.address",
        "link('db').instances[0].other",
        "p('a')",
        "1",
    ] {
        check(text, "-");
    }
}
