use std::sync::Arc;

use model::{Data, Map, Origin, Step, Value};

use super::{
    machine::INSTANCE,
    tree::{Call, CallTarget, Head, HeadName, Node, NodeKind, TextPart},
};

/// The place in the content of a link that an accessor reads.
#[derive(Clone, Debug)]
pub struct LinkPath {
    /// The link's name.
    pub link: Arc<str>,
    /// The path in the content of the link: `address`, `instances[0].address`, `properties.a.b`.
    pub steps: Vec<Step>,
    /// The value if there is nothing, or null, at the place. Its origin is the one that was passed.
    pub default: Option<Value>,
}

/// The position that a path has reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PathPosition {
    Link,
    Instances,
    Instance,
    /// Inside properties, where any key is possible.
    Properties,
    /// A value from `p`, whose keys are read with brackets.
    Value,
    /// A value that has no parts.
    End,
}

pub(super) fn of(node: &Node, origin: Origin) -> Option<LinkPath> {
    let NodeKind::Chain(head, calls) = &node.kind else { return None };
    let link = link_name(head)?;
    let mut path = LinkPath { link, steps: Vec::new(), default: None };
    calls.iter().try_fold(PathPosition::Link, |at, call| follow(&mut path, at, call, origin))?;
    Some(path)
}

fn link_name(node: &Node) -> Option<Arc<str>> {
    let NodeKind::Head(head) = &node.kind else { return None };
    let Head { name: HeadName::Link, args, .. } = &**head else { return None };
    text(args.first()?)
}

/// Follows one call; `None` if it is more than a place.
fn follow(path: &mut LinkPath, at: PathPosition, call: &Call, origin: Origin) -> Option<PathPosition> {
    if call.safe {
        return None;
    }
    match &call.what {
        CallTarget::Name(name) => key(path, at, name),
        CallTarget::Index(index) => brackets(path, at, index),
        CallTarget::Method { name, args, named, block } => {
            if !named.is_empty() || block.is_some() {
                return None;
            }
            match (at, &**name, &args[..]) {
                (PathPosition::Link, "p", args) => property(path, args, origin),
                (PathPosition::Link, "address", []) => push(path, Step::Key(name.clone()), PathPosition::End),
                (PathPosition::Instance, "address", []) => {
                    push(path, Step::Key(name.clone()), PathPosition::End)
                }
                (PathPosition::Instances, "first", []) => push(path, Step::Index(0), PathPosition::Instance),
                _ => None,
            }
        }
    }
}

fn push(path: &mut LinkPath, step: Step, to: PathPosition) -> Option<PathPosition> {
    path.steps.push(step);
    Some(to)
}

fn key(path: &mut LinkPath, at: PathPosition, name: &Arc<str>) -> Option<PathPosition> {
    let to = match (at, &**name) {
        (PathPosition::Link, "instances" | "nodes") => {
            return push(path, Step::Key("instances".into()), PathPosition::Instances);
        }
        (PathPosition::Link, "properties") => PathPosition::Properties,
        (PathPosition::Instance, name) if INSTANCE.contains(&name) => PathPosition::End,
        (PathPosition::Properties, _) => PathPosition::Properties,
        _ => return None,
    };
    push(path, Step::Key(name.clone()), to)
}

fn brackets(path: &mut LinkPath, at: PathPosition, index: &Node) -> Option<PathPosition> {
    let step = match &index.kind {
        NodeKind::Literal(Data::Int(nth)) => Step::Index(usize::try_from(*nth).ok()?),
        _ => Step::Key(text(index)?),
    };
    let to = match (at, &step) {
        (PathPosition::Instances, Step::Index(_)) => PathPosition::Instance,
        (PathPosition::Properties, _) => PathPosition::Properties,
        // A default would replace the whole value, not a part of it.
        (PathPosition::Value, _) if path.default.is_none() => PathPosition::Value,
        _ => return None,
    };
    push(path, step, to)
}

fn property(path: &mut LinkPath, args: &[Node], origin: Origin) -> Option<PathPosition> {
    let (name, default) = match args {
        [name] => (name, None),
        [name, default] => (name, Some(literal(default, origin)?)),
        _ => return None,
    };
    let name = match &name.kind {
        NodeKind::List(names) if names.len() == 1 => text(names.first()?)?,
        _ => text(name)?,
    };
    path.steps.push(Step::Key("properties".into()));
    path.steps.extend(name.split('.').map(|key| Step::Key(key.into())));
    path.default = default;
    Some(PathPosition::Value)
}

fn text(node: &Node) -> Option<Arc<str>> {
    let NodeKind::Text(parts) = &node.kind else { return None };
    match &parts[..] {
        [] => Some("".into()),
        [TextPart::Literal(text)] => Some(text.clone()),
        _ => None,
    }
}

/// The value of a literal.
fn literal(node: &Node, origin: Origin) -> Option<Value> {
    let data = match &node.kind {
        NodeKind::Literal(data) => data.clone(),
        NodeKind::Text(_) => Data::String(text(node)?),
        NodeKind::List(items) => {
            Data::List(items.iter().map(|item| literal(item, origin)).collect::<Option<_>>()?)
        }
        NodeKind::Map(entries) => {
            let entry = |(key, value): &(Node, Node)| Some((text(key)?, literal(value, origin)?));
            Data::Map(entries.iter().map(entry).collect::<Option<Map>>()?)
        }
        NodeKind::Minus(inner) => match literal(inner, origin)?.data {
            Data::Int(number) => Data::Int(number.checked_neg()?),
            Data::Float(number) => Data::Float(-number),
            _ => return None,
        },
        _ => return None,
    };
    Some(Value::new(data, origin))
}
