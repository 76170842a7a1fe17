//! Small text forms of what goes into a plan and of what comes out.
//!
//! A line is one resource: its address, then `path=value` with dots in paths and numbers for list items.
//! `network=` is an attachment, `depends_on=a,b` order, `${…}` in a value a reference.
use std::{collections::BTreeMap, fmt::Write, sync::Arc};

use diag::{FileId, Span};
use model::{
    Address, Data, Dependency, Desired, DesiredResource, EdgeKind, Expression, Observed, Origin, Part,
    Pointer, Recorded, Reference, Step, Value,
};
use types::{Edge, Field, MergeOptions, OnChange, Shape, TypeDefinition, Types};

use crate::{KnockOn, Mode, Plan, PlanInput, PlannedAction, Reason, plan};

pub(super) fn address(text: &str) -> Address {
    text.parse().expect("an address")
}

pub(super) fn desired(text: &str) -> Desired {
    let lines =
        text.lines().enumerate().map(|(row, line)| (row, line.trim())).filter(|(_, line)| !line.is_empty());
    Desired { resources: lines.map(|(row, line)| resource(row, line).into()).collect(), ..Desired::default() }
}

fn resource(row: usize, line: &str) -> DesiredResource {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let address = address(name);
    let span = Span::at(FileId(0), row as u32);
    let mut resource = DesiredResource {
        kind: address.collection.trim_end_matches('s').into(),
        address,
        spec: value(Data::Map(model::Map::new()), span),
        templates: BTreeMap::new(),
        declared: span,
        dependencies: Vec::new(),
        links: Vec::new(),
        packages: Vec::new(),
    };
    for (idx, item) in rest.split_whitespace().enumerate() {
        let (path, text) = item.split_once('=').expect("path=value");
        attribute(&mut resource, path, text, Span::at(FileId(0), (row * 100 + idx) as u32));
    }
    resource
}

fn attribute(resource: &mut DesiredResource, path: &str, text: &str, span: Span) {
    let segments: Vec<&str> = path.split('.').collect();
    let pointer = segments.iter().fold(Pointer::root(), |pointer, segment| pointer.key(segment));
    let mut need = |to: Address, kind, takes| {
        resource.dependencies.push(Dependency { to, kind, path: pointer.clone(), takes, span });
    };
    match path {
        "network" => need(Address::new("networks", text), EdgeKind::Attachment, Some(Pointer::root())),
        "depends_on" => {
            for name in text.split(',').filter(|name| !name.is_empty()) {
                need(Address::new("services", name), EdgeKind::DependsOn, None);
            }
        }
        _ => {}
    }
    let data = scalar(text, span);
    if let Data::Unknown(expression) = &data {
        for reference in expression.references() {
            let takes = reference.path.iter().fold(Pointer::root(), |pointer, step| match step {
                Step::Key(key) => pointer.key(key),
                Step::Index(index) => pointer.index(*index),
            });
            need(reference.to.clone(), EdgeKind::Reference, Some(takes));
        }
        resource.templates.insert(pointer.clone(), text.into());
    }
    put(&mut resource.spec, &segments, value(data, span));
}

fn put(at: &mut Value, segments: &[&str], new: Value) {
    let [segment, rest @ ..] = segments else {
        *at = new;
        return;
    };
    let empty = Value::new(
        if is_index(rest) { Data::List(Vec::new()) } else { Data::Map(model::Map::new()) },
        new.origin,
    );
    match &mut at.data {
        Data::Map(map) => put(map.entry((*segment).into()).or_insert(empty), rest, new),
        Data::List(items) => {
            let index: usize = segment.parse().expect("an index");
            if index == items.len() {
                items.push(empty);
            }
            put(&mut items[index], rest, new);
        }
        _ => panic!("{segment} lies in a scalar"),
    }
}

fn is_index(segments: &[&str]) -> bool {
    segments.first().is_some_and(|it| it.parse::<usize>().is_ok())
}

fn value(data: Data, span: Span) -> Value {
    Value::new(data, Origin::Written(span))
}

fn scalar(text: &str, span: Span) -> Data {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let (inside, behind) = after.split_once('}').expect("a closing brace");
        if !before.is_empty() {
            parts.push(Part::Text(before.into()));
        }
        parts.push(Part::Reference(reference(inside, span)));
        rest = behind;
    }
    match text {
        "null" => return Data::Null,
        "{}" => return Data::Map(model::Map::new()),
        "[]" => return Data::List(Vec::new()),
        _ => {}
    }
    if parts.is_empty() {
        return text.parse().map_or_else(|_| Data::String(text.into()), Data::Int);
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest.into()));
    }
    Data::Unknown(Expression { parts })
}

fn reference(text: &str, span: Span) -> Reference {
    let mut segments = text.split('.');
    let mut next = || segments.next().expect("a name");
    let to = Address::new(next(), next());
    let path: Vec<Step> =
        segments.map(|it| it.parse().map_or_else(|_| Step::Key(it.into()), Step::Index)).collect();
    let sensitive = text.contains("secret");
    Reference { to, path, text: text.into(), span, sensitive }
}

/// `services.web labels={}` makes a map; what is not named is left out.
pub(super) fn attributes(text: &str) -> Value {
    resource(0, &format!("x.x {text}")).spec
}

/// A service's labels can be changed in place, `depends_on` is not sent, `secret` must be hidden, `network_node`
/// only exists at run time; of a port the local number may be found at run time. All else forces a rebuild.
pub(super) fn types() -> Types {
    let sensitive = Field { sensitive: true, ..field("secret", Shape::Text) };
    let node = Field { output: true, on_change: OnChange::Nothing, ..field("network_node", Shape::Any) };
    let local = Field { output: true, ..field("local_port", Shape::Any) };
    let port = Shape::Object { fields: vec![field("remote_port", Shape::Any), local], open: false };
    let service = vec![
        field("payload", Shape::Reference { to: "payload".into(), edge: Edge::Embed }),
        field("network", Shape::Reference { to: "network".into(), edge: Edge::Needs(EdgeKind::Attachment) }),
        field("init", Shape::List(Box::new(Shape::Any))),
        field("ports", Shape::List(Box::new(port))),
        Field { on_change: OnChange::Update, ..field("labels", Shape::MapOf(Box::new(Shape::Text))) },
        Field { on_change: OnChange::Nothing, ..field("depends_on", Shape::Any) },
        sensitive,
        node,
    ];
    let payload = vec![
        field("image", Shape::Text),
        Field { on_change: OnChange::Update, ..field("scale", Shape::Any) },
        field("params", Shape::Any),
    ];
    let network =
        vec![field("ip", Shape::Text), Field { on_change: OnChange::Update, ..field("note", Shape::Text) }];
    let kinds = [("network", true, network), ("payload", false, payload), ("service", true, service)];
    Types {
        kinds: kinds.into_iter().map(|(name, tangible, fields)| kind(name, tangible, fields)).collect(),
        root: vec![],
    }
}

fn kind(name: &str, tangible: bool, fields: Vec<Field>) -> TypeDefinition {
    TypeDefinition {
        kind: name.into(),
        collection: format!("{name}s").into(),
        spellings: vec![],
        doc: "".into(),
        tangible,
        singleton: false,
        open: false,
        literal: false,
        hidden_changes: Vec::new(),
        instances: None,
        address_range: None,
        address_mask: None,
        address_owner: None,
        links: None,
        contract: None,
        packages: None,
        fields,
        implies: vec![],
    }
}

fn field(name: &str, shape: Shape) -> Field {
    Field {
        name: name.into(),
        doc: "".into(),
        shape,
        required: false,
        default: None,
        when_left_out: None,
        set: false,
        merge: MergeOptions::default(),
        on_change: OnChange::Rebuild,
        sensitive: false,
        output: false,
        spellings: vec![],
        examples: vec![],
    }
}

/// The input of a test.
#[derive(Clone, Default)]
pub(super) struct Case {
    pub(super) desired: Desired,
    pub(super) recorded: Recorded,
    pub(super) observed: Observed,
    pub(super) mode: Mode,
    pub(super) knock_on: KnockOn,
}

impl Case {
    /// The desired resource at that place, to be changed.
    pub(super) fn desired_at(&mut self, place: usize) -> &mut DesiredResource {
        Arc::make_mut(&mut self.desired.resources[place])
    }

    pub(super) fn plan(&self) -> Plan {
        let Self { desired, recorded, observed, .. } = self;
        let (mode, knock_on) = (self.mode, self.knock_on);
        plan(&PlanInput { desired, recorded, observed, types: &types(), mode, knock_on })
    }

    /// The actions but `no_op`, one in a line: `rebuild services.web after services.db: knock_on …`.
    #[track_caller]
    pub(super) fn check(&self, expected: &expect_test::Expect) {
        expected.assert_eq(&print(&self.plan(), false));
    }

    /// The same with the changes below each action.
    #[track_caller]
    pub(super) fn check_changes(&self, expected: &expect_test::Expect) {
        expected.assert_eq(&print(&self.plan(), true));
    }
}

fn print(plan: &Plan, changes: bool) -> String {
    let mut out = String::new();
    for (idx, action) in plan.actions.iter().enumerate().filter(|(_, it)| it.reason.is_some()) {
        let refused = if plan.refused.contains(&idx) { " REFUSED" } else { "" };
        writeln!(
            out,
            "{} {}{}: {}{refused}",
            action.action.as_str(),
            action.address,
            after(plan, action),
            why(plan, action)
        )
        .expect("a string");
        for change in action.changes.iter().filter(|_| changes) {
            writeln!(out, "    {}", print_change(change)).expect("a string");
        }
    }
    out
}

fn after(plan: &Plan, action: &PlannedAction) -> String {
    let names: Vec<String> = action.after.iter().map(|it| plan.actions[*it].address.to_string()).collect();
    if names.is_empty() { String::new() } else { format!(" after {}", names.join(", ")) }
}

fn why(plan: &Plan, action: &PlannedAction) -> String {
    match action.reason.as_ref().expect("a reason") {
        Reason::KnockOn { cause, via } => {
            assert_eq!(plan.actions[*cause].address, via.to, "the cause is what is needed");
            format!("knock_on of {} via {} {}", via.to, via.edge.as_str(), via.path)
        }
        reason => reason.kind().into(),
    }
}

fn print_change(change: &crate::Change) -> String {
    let show = |value: &Option<Value>| value.as_ref().map_or("–".into(), brief);
    let mut line = format!("{}: {} → {}", change.path, show(&change.persisted), show(&change.desired));
    if change.observed.is_some() {
        write!(line, " (really {})", show(&change.observed)).expect("a string");
    }
    for (flag, text) in [
        (change.unknown, " unknown"),
        (change.sensitive, " sensitive"),
        (change.forces_rebuild, " forces rebuild"),
    ] {
        line.push_str(if flag { text } else { "" });
    }
    line
}

fn brief(value: &Value) -> String {
    match &value.data {
        Data::Null => "null".into(),
        Data::Bool(it) => it.to_string(),
        Data::Int(it) => it.to_string(),
        Data::Float(it) => it.to_string(),
        Data::String(it) => it.to_string(),
        Data::List(items) => format!("[{}]", items.iter().map(brief).collect::<Vec<_>>().join(", ")),
        Data::Map(map) => {
            let entries: Vec<_> = map.iter().map(|(key, value)| format!("{key}: {}", brief(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        Data::Unknown(expression) => expression.to_string(),
    }
}
