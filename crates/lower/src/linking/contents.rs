//! Inserts the contents of links into their consumers.

use std::sync::Arc;

use diag::{Diagnostic, Span};
use links::{Consumer, Link, LinkModel, Owner, Profile, Scope};
use model::{Data, Map, Origin, Part, Step, Value};

use super::{SiteMap, group::reference};
use crate::{
    codes,
    declare::{ColocatedLink, Declarations, OWN_INSTANCE},
};

/// Inserts the contents of its links into each item of the described deployment.
pub(super) fn put(declarations: &mut Declarations<'_>, site: &LinkModel, links: &[Link], map: &SiteMap) {
    for link in links.iter().filter(|it| it.deployment == 0) {
        let Some((_, consumer)) = link.consumer(site) else { continue };
        let Some(item) = consumer.owner.group().and_then(|it| map.items.get(it)).copied() else { continue };
        let Some(mut content) = links::content(site, link, Profile::Strict) else { continue };
        refer_to_properties(site, link, consumer, declarations, &mut content);
        tidy(&mut content, consumer.name.span);
        put_own_instance(declarations, item, consumer, &mut content);
        insert(declarations, item, consumer, content);
    }
}

fn insert(declarations: &mut Declarations<'_>, item: usize, consumer: &Consumer, content: Value) {
    let Some(fields) = declarations.definition(item).links.as_ref() else { return };
    let origin = Origin::Inferred(consumer.name.span);
    let attributes = Arc::make_mut(&mut declarations.items[item].attributes);
    let all = attributes.entry(Arc::clone(&fields.contents));
    let all = all.or_insert_with(|| Value::new(Data::Map(Map::new()), origin));
    if let Data::Map(map) = &mut all.data {
        map.insert(Arc::clone(&consumer.name.text), content);
    }
}

/// Replaces unknown properties of the same deployment by references to the places where they are written.
fn refer_to_properties(
    site: &LinkModel,
    link: &Link,
    consumer: &Consumer,
    declarations: &Declarations<'_>,
    content: &mut Value,
) {
    let Some(id) = link.provider().filter(|it| it.deployment == 0) else { return };
    let Some(properties) = content_of(content, "properties") else { return };
    let provider = &site.deployments[0].providers[id.provider];
    let Owner::Service { address, .. } = &provider.owner else { return };
    let kind = declarations.types.kinds.iter().find(|it| it.collection == address.collection);
    let Some(fields) = kind.and_then(|it| it.links.as_ref()) else { return };
    let keys = [&fields.provides, &provider.name.text, &"properties".into()];
    let path = keys.map(|key| Step::Key(Arc::clone(key))).to_vec();
    refer(properties, &path, &|path| reference(address.clone(), path, consumer.name.span));
}

fn content_of<'c>(content: &'c mut Value, key: &str) -> Option<&'c mut Value> {
    match &mut content.data {
        Data::Map(map) => map.get_mut(key),
        _ => None,
    }
}

/// Replaces each unknown value by a reference; `path` leads to `value`.
fn refer(value: &mut Value, path: &[Step], to: &impl Fn(Vec<Step>) -> Value) {
    let inner = |step: Step| [path, &[step]].concat();
    match &mut value.data {
        Data::Unknown(_) => *value = Value { sensitive: value.sensitive, ..to(path.to_vec()) },
        Data::Map(map) => {
            map.iter_mut().for_each(|(key, it)| refer(it, &inner(Step::Key(Arc::clone(key))), to))
        }
        Data::List(items) => {
            items.iter_mut().enumerate().for_each(|(n, it)| refer(it, &inner(Step::Index(n)), to));
        }
        _ => {}
    }
}

/// Removes missing values. The place of references becomes that of the link's declaration.
fn tidy(value: &mut Value, span: Span) {
    match &mut value.data {
        Data::Map(map) => {
            map.retain(|_, it| !matches!(it.data, Data::Null));
            map.iter_mut().for_each(|(_, it)| tidy(it, span));
        }
        Data::List(items) => items.iter_mut().for_each(|it| tidy(it, span)),
        Data::Unknown(expression) => expression.parts.iter_mut().for_each(|part| {
            if let Part::Reference(reference) = part {
                reference.span = span;
            }
        }),
        _ => {}
    }
}

/// A colocated link also contains the instance that runs beside the consumer's. That instance is only known
/// once the consumer's instances are created; the first one is inserted here.
fn put_own_instance(
    declarations: &mut Declarations<'_>,
    item: usize,
    consumer: &Consumer,
    content: &mut Value,
) {
    let Data::Map(map) = &mut content.data else { return };
    if consumer.scope != Scope::Colocated {
        return;
    }
    let Some(instances) = map.get("instances").and_then(Value::as_list) else { return };
    let (own, theirs) = (declarations.count(item).unwrap_or(1), instances.len());
    if own as usize != theirs {
        let message = format!("the consumer has {own} and the provider {theirs} on one host");
        let help = "give both the same number of `instances`";
        declarations
            .diagnostics
            .push(Diagnostic::error(codes::COLOCATED_COUNT, consumer.name.span, message).help(help));
    }
    if let Some(first) = instances.first().cloned() {
        map.insert(OWN_INSTANCE.into(), first);
    }
    let (name, span) = (Arc::clone(&consumer.name.text), consumer.name.span);
    declarations.items[item].beside.push(ColocatedLink { name, span });
}
