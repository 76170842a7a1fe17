//! Hovers.

use model::{Address, Pointer, Value};
use plan::{Plan, PlannedAction};
use syntax::Node;
use types::{Edge, OnChange, SchemaNode, Shape, Trail, Types};

use crate::{
    json::HIDDEN,
    locate::location,
    origins::is_sensitive,
    pipeline::Model,
    place::{FilePlace, Segment, canonical, in_merged, type_place},
    sentence,
    view::{self, HoverOriginView, HoverView},
    vocabulary,
};

/// Longest text of a value in a card.
const LONGEST: usize = 400;

/// The card for a place; `None` where nothing is known.
pub(crate) fn hover(model: &Model, types: &Types, plan: &Plan, place: &FilePlace<'_>) -> Option<HoverView> {
    let path = canonical(types, &place.path);
    let type_place = type_place(types, &path);
    let pointer = in_merged(&model.merged, types, &place.path);
    let range = if place.on_key { place.key_span.unwrap_or(place.node.span) } else { place.node.span };
    let shown = pointer.clone().unwrap_or_else(|| plain_pointer(&path));
    let hidden = is_sensitive(types, &shown);
    let address = address_of(types, &path);
    let value = pointer.as_ref().and_then(|it| effective(model, types, address.as_ref(), it));
    let effect = address.as_ref().and_then(|it| effect(model, types, plan, it, &path));
    let (plan, action) = address.map(|it| planned(model, plan, &it)).unwrap_or_default();
    Some(HoverView {
        range: location(&model.sources, range),
        pointer: shown.to_string(),
        title: title(&path),
        doc: doc(type_place),
        shape: type_place.phrase(),
        value: value.map(|it| if hidden { HIDDEN.into() } else { it }),
        origins: pointer.map(|it| origins(model, &it, hidden)).unwrap_or_default(),
        plan,
        action,
        effect,
    })
}

fn doc(place: SchemaNode<'_>) -> String {
    place.doc().to_owned()
}

fn title(path: &[Segment]) -> String {
    path.iter().fold(String::new(), |text, segment| match segment {
        Segment::Key(key) if text.is_empty() => key.to_string(),
        Segment::Key(key) => format!("{text}.{key}"),
        Segment::Item(index, _) => format!("{text}[{index}]"),
    })
}

fn plain_pointer(path: &[Segment]) -> Pointer {
    path.iter().fold(Pointer::root(), |pointer, segment| match segment {
        Segment::Key(key) => pointer.key(key),
        Segment::Item(index, _) => pointer.index(*index),
    })
}

/// The resource or part that a path lies in.
pub(crate) fn address_of(types: &Types, path: &[Segment]) -> Option<Address> {
    let [Segment::Key(collection), Segment::Key(name), ..] = path else { return None };
    let definition = types.collection(collection)?;
    (!definition.singleton).then(|| Address::new(definition.collection.clone(), name.clone()))
}

/// The value that will be used: references resolved where they can be.
fn effective(model: &Model, types: &Types, address: Option<&Address>, pointer: &Pointer) -> Option<String> {
    let merged = model.merged.at(pointer)?;
    if merged.is_collection() {
        return Some(short_yaml(merged));
    }
    let resolved = address.and_then(|address| resolved(model, types, address, pointer));
    Some(resolved.unwrap_or_else(|| short_yaml(merged)))
}

/// A scalar of a resource after references were resolved, if there were any.
fn resolved(model: &Model, types: &Types, address: &Address, pointer: &Pointer) -> Option<String> {
    let resources = model.lowered.desired.resources.iter();
    let resource = resources.into_iter().find(|it| it.address.declaration() == *address)?;
    let inside = pointer.segments().skip(2).fold(Pointer::root(), |pointer, segment| pointer.key(&segment));
    resource.templates.get(&inside)?;
    let value: &Value = resource.spec.at(&inside)?;
    let trail = pointer.segments().fold(Trail::root(types), |trail, segment| trail.step(&segment));
    if value.sensitive || trail.is_sensitive() {
        return Some(HIDDEN.into());
    }
    match &value.data {
        model::Data::Unknown(expression) => Some(expression.to_string()),
        _ => value.to_text().map(|text| shorten(&text)),
    }
}

fn origins(model: &Model, pointer: &Pointer, hidden: bool) -> Vec<HoverOriginView> {
    let Some(origin) = model.merged.origin(pointer) else { return Vec::new() };
    let show = |node: &Node| if hidden { HIDDEN.to_owned() } else { short_yaml(node) };
    let pieces = origin.parts.iter().rev().filter(|_| origin.parts.len() > 1).map(|span| HoverOriginView {
        location: location(&model.sources, *span),
        rule: vocabulary::rule(origin.rule),
        value: if hidden { HIDDEN.into() } else { shorten(model.sources.text(*span)) },
        shadowed: false,
    });
    let whole = model.merged.at(pointer).filter(|_| origin.parts.len() <= 1).map(|node| HoverOriginView {
        location: location(&model.sources, origin.span),
        rule: vocabulary::rule(origin.rule),
        value: show(node),
        shadowed: false,
    });
    let shadowed = origin.shadowed.iter().map(|it| HoverOriginView {
        location: location(&model.sources, it.value.span),
        rule: vocabulary::rule(it.rule),
        value: show(&it.value),
        shadowed: true,
    });
    pieces.chain(whole).chain(shadowed).collect()
}

/// The planned action on a resource, or on those that use a part.
fn planned(model: &Model, plan: &Plan, address: &Address) -> (Option<String>, Option<view::Action>) {
    let concerned = plan.actions.iter().filter(|it| it.address.declaration() == *address);
    let worst = concerned.filter(|it| it.action != view::Action::NoOp).max_by_key(|it| it.action);
    let Some(action) = worst else { return (None, None) };
    let name = &action.address;
    let because = action.reason.as_ref().map(|it| sentence::reason(plan, model, action, it));
    let act = action.action;
    let happens = act.words().future;
    let because = because.map(|it| format!(": {it}")).unwrap_or_default();
    (Some(format!("{name} {happens}{because}.")), Some(act))
}

/// The effect of a change of the value at a path on the recorded resources that use it, as a sentence.
fn effect(model: &Model, types: &Types, plan: &Plan, address: &Address, path: &[Segment]) -> Option<String> {
    const MOST: usize = 3;
    if path.len() < 3 {
        return None;
    }
    let on_change = path.iter().fold(Trail::root(types), step).on_change();
    let is_recorded = |it: &&PlannedAction| {
        it.action != view::Action::Create && uses(model, types, &it.address.declaration(), address)
    };
    let concerned = plan.actions.iter().filter(is_recorded);
    let mut names: Vec<String> = concerned.map(|it| it.address.to_string()).collect();
    names.dedup();
    let more = names.len().saturating_sub(MOST);
    names.truncate(MOST);
    let shown = names.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() };
    match on_change {
        _ if names.is_empty() => None,
        OnChange::Rebuild => Some(format!("A change rebuilds {shown}")),
        OnChange::Update => Some(format!("A change updates {shown} in place")),
        OnChange::Nothing => Some("A change does nothing to what is deployed".into()),
    }
}

fn step<'t>(trail: Trail<'t>, segment: &Segment) -> Trail<'t> {
    match segment {
        Segment::Key(key) => trail.step(key),
        Segment::Item(index, _) => trail.step(&index.to_string()),
    }
}

/// True if a resource is the one at an address, or has it embedded.
fn uses(model: &Model, types: &Types, resource: &Address, address: &Address) -> bool {
    if resource == address {
        return true;
    }
    let Some(definition) = types.collection(&resource.collection) else { return false };
    let kind = types.collection(&address.collection).map(|it| &it.kind);
    definition.fields.iter().any(|field| {
        let embeds =
            matches!(&field.shape, Shape::Reference { to, edge: Edge::Embed } if kind.is_some_and(|it| it == to));
        let place = Pointer::root().key(&resource.collection).key(&resource.name).key(&field.name);
        embeds && model.merged.at(&place).and_then(Node::as_str) == Some(&address.name)
    })
}

/// A tree as YAML that fits a card.
pub(crate) fn short_yaml(node: &Node) -> String {
    shorten(syntax::emit(node).trim_end())
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}
