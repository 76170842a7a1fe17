mod accessors;
mod hidden;
mod later;
mod laws;
mod limits;
mod methods;
mod operators;
mod passed;
mod paths;
mod reading;
mod templates;
mod typical;
mod writing;

use std::sync::Arc;

use diag::{FileId, Span};
use model::{Address, Data, Expression, Origin, Part, Reference, Value};

use super::{AddressQuery, Problem, Scope, parse};

pub(super) const ORIGIN: Origin = Origin::Written(Span::at(FileId(7), 3));

/// The scope of most cases. Texts that begin with `unknown ` are references, those with `secret ` are
/// sensitive, and so are the values of keys that begin so.
const WORLD: &str = r#"
links:
  db:
    address: db.internal
    instances:
    - {name: db, id: one, index: 0, az: z1, address: 10.0.0.4, bootstrap: true}
    - {name: db, id: two, index: 1, az: z2, address: 10.0.0.5, bootstrap: false}
    properties:
      port: 6400
      "off": false
      zero: 0
      blank: ""
      none: ~
      size: 3
      auth: {user: svc, pass: secret hush}
      roles: [{name: reader}, {name: writer}]
      "odd key": 1
  live:
    address: unknown services.db.network_node.ip
    instances:
    - {name: live, id: ~, index: 0, az: ~, address: unknown services.db.network_node.ip, bootstrap: true}
    - {name: live, id: ~, index: 1, az: ~, address: unknown services.db2.network_node.ip, bootstrap: false}
    properties: {port: 1, all: unknown services.db.outputs, key: unknown secret services.db.key}
  bare: {address: h, instances: ~, properties: ~}
  group: {instances: [], properties: {}}
  own: {instances: [{name: own, address: 10.0.0.9, properties: {port: 7}}]}
  gone: ~
properties: {name: app, a: {b: 5}, list: [1, 2], empty: [], nothing: ~, key: secret own}
spec: {index: 3, id: me, az: z1}
"#;

pub(super) struct World {
    value: Value,
}

impl World {
    pub(super) fn new(text: &str) -> Self {
        let parsed = syntax::parse(FileId(7), text, &syntax::Limits::default());
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        Self { value: value(&parsed.document.root.expect("a world holds something")) }
    }

    pub(super) fn with<T>(&self, look: impl FnOnce(&Scope<'_>) -> T) -> T {
        let links = self.value.get("links").and_then(Value::as_map).expect("a world has links");
        let reported = |name: &str, query: &AddressQuery| reported(name, query);
        look(&Scope {
            links,
            properties: self.value.get("properties"),
            spec: self.value.get("spec"),
            address: Some(&reported),
            origin: ORIGIN,
        })
    }
}

/// The world of most cases.
pub(super) fn world() -> World {
    World::new(WORLD)
}

fn reported(name: &str, query: &AddressQuery) -> Option<Value> {
    let status = query.status.as_deref().unwrap_or("default");
    let rest: String =
        [&query.uuid, &query.initial_health_check].into_iter().flatten().map(|it| format!("-{it}")).collect();
    let text = format!("q-{}-{status}{rest}.{name}", query.azs.join("+"));
    (name != "group").then(|| Value::new(Data::String(text.into()), ORIGIN))
}

fn value(node: &syntax::Node) -> Value {
    let data = match &node.data {
        syntax::NodeData::Null => Data::Null,
        syntax::NodeData::Bool(it) => Data::Bool(*it),
        syntax::NodeData::Int(it) => Data::Int(*it),
        syntax::NodeData::Float(it) => Data::Float(*it),
        syntax::NodeData::String(it, _) => return text(it),
        syntax::NodeData::Sequence(items) => Data::List(items.iter().map(value).collect()),
        syntax::NodeData::Mapping(map) => {
            Data::Map(map.entries.iter().map(|it| entry(&it.key, value(&it.value))).collect())
        }
    };
    Value::new(data, Origin::Written(node.span))
}

fn entry(key: &Arc<str>, value: Value) -> (Arc<str>, Value) {
    match key.strip_prefix("secret ") {
        Some(key) => (key.into(), Value { sensitive: true, ..value }),
        None => (key.clone(), value),
    }
}

fn text(text: &str) -> Value {
    let (unknown, rest) = text.strip_prefix("unknown ").map_or((false, text), |rest| (true, rest));
    let (sensitive, rest) = rest.strip_prefix("secret ").map_or((false, rest), |rest| (true, rest));
    let data = if unknown { reference(rest, sensitive) } else { Data::String(rest.into()) };
    Value { sensitive, ..Value::new(data, ORIGIN) }
}

fn reference(text: &str, sensitive: bool) -> Data {
    let mut words = text.split('.');
    let mut word = || words.next().unwrap_or_default();
    let to = Address::new(word(), word());
    let path = words.map(|word| model::Step::Key(word.into())).collect();
    let span = Span::at(FileId(7), 0);
    let reference = Reference { to, path, text: text.into(), span, sensitive };
    Data::Unknown(Expression { parts: vec![Part::Reference(reference)] })
}

/// A value as one line; `secret` precedes sensitive values.
pub(super) fn show(value: &Value) -> String {
    let shown = match &value.data {
        Data::Null => "null".to_owned(),
        Data::Bool(it) => it.to_string(),
        Data::Int(it) => it.to_string(),
        Data::Float(it) => format!("{it:?}"),
        Data::String(it) => format!("{it:?}"),
        Data::List(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(", ")),
        Data::Map(map) => {
            let entries = map.iter().map(|(key, value)| format!("{key}: {}", show(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Data::Unknown(expression) => expression.to_string(),
    };
    if value.sensitive { format!("secret {shown}") } else { shown }
}

/// The result of an accessor; or a problem with its kind and the text it points at.
pub(super) fn evaluated(text: &str) -> String {
    let made = parse(text).and_then(|it| world().with(|scope| it.evaluate(scope)));
    made.map_or_else(|problem| shown_problem(text, &problem), |value| show(&value))
}

/// A problem as one line.
pub(super) fn shown_problem(text: &str, problem: &Problem) -> String {
    let at = text.get(problem.at.start..problem.at.end).expect("a problem points into the text");
    format!("{:?} at `{at}`: {problem}", problem.kind)
}
