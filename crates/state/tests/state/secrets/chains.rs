//! Secrets that are combined with values that only exist at run time, in a chain of resources.

use std::collections::BTreeMap;

use model::{
    Address, Data, Desired, DesiredResource, Expression, Origin, Part, Phase, Pointer, Recorded,
    RecordedResource, Reference, Step, Value,
};
use planloom_state::{Marks, holds_mark, template, to_value, unseal_all};

use super::{list, map, secret, text};

fn part(resource: &str, key: &str) -> Part {
    Part::Reference(Reference {
        to: Address::new("services", resource),
        path: vec![Step::Key(key.into())],
        text: format!("services.{resource}.{key}").into(),
        span: diag::Span::at(diag::FileId(0), 0),
        sensitive: false,
    })
}

/// A secret that is not known before it is created.
fn unknown<const N: usize>(parts: [Part; N]) -> Value {
    let data = Data::Unknown(Expression { parts: parts.into() });
    Value { sensitive: true, ..Value::new(data, Origin::Observed) }
}

fn desired(name: &str, spec: Value) -> DesiredResource {
    DesiredResource {
        address: Address::new("services", name),
        kind: "service".into(),
        spec,
        templates: BTreeMap::new(),
        declared: diag::Span::at(diag::FileId(0), 0),
        dependencies: Vec::new(),
        links: Vec::new(),
        packages: Vec::new(),
    }
}

/// The recorded form after it was written and read.
fn recorded(spec: &Value, outputs: &Value) -> RecordedResource {
    let kept = |value: &Value| to_value(&Marks::of("l").seal(value), Origin::Recorded);
    RecordedResource {
        kind: "service".into(),
        phase: Phase::Active,
        identity: None,
        template: None,
        spec: kept(spec),
        outputs: kept(outputs),
        depends_on: Vec::new(),
        protected: false,
        tainted: false,
        replace: false,
        created_as: None,
        moved_from: None,
    }
}

#[test]
fn chained_secret_references_are_unsealed() {
    let literal = |text: &str| Part::Text(text.into());
    let url = || unknown([part("db", "password"), literal("@"), part("db", "ip")]);
    let desired = Desired {
        resources: vec![
            desired("db", map([("password", secret("hunter2"))])).into(),
            // Its name sorts before those of the resources that it refers to.
            desired(
                "a",
                map([
                    ("copy", unknown([part("web", "url")])),
                    ("more", list([unknown([part("web", "url")]), unknown([part("web", "url")])])),
                ]),
            )
            .into(),
            desired("web", map([("url", url()), ("again", url())])).into(),
        ],
        ..Desired::default()
    };
    let whole = || secret("hunter2@10.0.0.2");
    let expected = [
        ("a", map([("copy", whole()), ("more", list([whole(), whole()]))])),
        ("db", map([("password", secret("hunter2"))])),
        ("web", map([("url", whole()), ("again", whole())])),
    ];
    let outputs = map([("ip", text("10.0.0.2"))]);
    let resources =
        expected.iter().map(|(name, spec)| (Address::new("services", *name), recorded(spec, &outputs)));
    let mut read = Recorded { deployment: Some("shop".into()), serial: 1, resources: resources.collect() };
    assert!(read.resources.values().all(|it| holds_mark(&it.spec)));
    unseal_all(&mut read, &desired);
    for (name, spec) in &expected {
        let found = &read.resources[&Address::new("services", *name)].spec;
        assert!(found.same_data(spec), "{name}: {found:?}");
    }
    let web = &read.resources[&Address::new("services", "web")].spec;
    assert!(web.get("url").is_some_and(|it| it.sensitive && it.origin == Origin::Recorded));
}

#[test]
fn a_template_has_the_text_that_was_written_also_in_lists() {
    let mut web = desired("web", map([("init", list([text("first"), text("10.0.0.2")]))]));
    web.templates = BTreeMap::from([(Pointer::parse("/init/1"), "${services.db.ip}".into())]);
    let template = template(&web);
    assert!(
        template.same_data(&map([("init", list([text("first"), text("${services.db.ip}")]))])),
        "{template:?}"
    );
}
