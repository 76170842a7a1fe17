//! Reads providers and consumers from the declarations.

use std::sync::Arc;

use diag::Span;
use links::{Deployment, LinkProperty, LinkType, Named};
use model::{Data, Value};
use syntax::{Entry, Mapping};
use types::LinkFields;

use super::{consumes, group, provides};
use crate::declare::Declarations;

/// The items and groups of the described deployment.
#[derive(Clone, Debug, Default)]
pub(crate) struct SiteMap {
    /// By group: the item.
    pub(crate) items: Vec<usize>,
}

/// The groups, providers and consumers among the declared items; items without links are no groups.
pub(super) fn read(declarations: &mut Declarations<'_>, name: Arc<str>) -> (Deployment, SiteMap) {
    let mut deployment = Deployment { name, ..Deployment::default() };
    let mut map = SiteMap::default();
    for item in 0..declarations.items.len() {
        let Some(fields) = declarations.definition(item).links.as_ref() else { continue };
        let says = |field: &str| declarations.items[item].node.is_some_and(|it| it.get(field).is_some());
        if !says(&fields.provides) && !says(&fields.consumes) {
            continue;
        }
        let group = deployment.groups.len();
        deployment.groups.push(group::read(declarations, item, fields));
        map.items.push(item);
        let linkable = LinkableItem { item, group, fields };
        let provided = provides::read(declarations, &linkable);
        deployment.providers.extend(provided);
        let consumed = consumes::read(declarations, &linkable);
        deployment.consumers.extend(consumed);
    }
    (deployment, map)
}

/// An item that can be linked.
pub(super) struct LinkableItem<'a> {
    /// The index of the declared item.
    pub(super) item: usize,
    /// The index of the group in the deployment.
    pub(super) group: usize,
    pub(super) fields: &'a LinkFields,
}

/// The entries of one of an item's fields, as written, each with its value.
pub(super) fn entries<'a>(
    declarations: &Declarations<'a>,
    item: usize,
    field: &str,
) -> Vec<(&'a Entry, Option<Value>)> {
    let item = &declarations.items[item];
    let written = item.node.and_then(|it| it.get(field)).and_then(|it| it.as_mapping());
    let entries = written.map_or(&[][..], |it: &Mapping| &it.entries);
    let read = item.attributes.get(field);
    entries.iter().map(|it| (it, read.and_then(|read| read.get(&it.key)).cloned())).collect()
}

/// The text of a key, if it is a text that may be shown.
pub(crate) fn named(value: Option<&Value>, key: &str) -> Option<Named> {
    let value = value?.get(key).filter(|it| !it.sensitive)?;
    Some(Named::new(value.as_str()?, value.origin.span()?))
}

/// The place of a key, if its value is `true`.
pub(super) fn flag(value: Option<&Value>, key: &str) -> Option<Span> {
    let value = value?.get(key)?;
    matches!(value.data, Data::Bool(true)).then(|| value.origin.span()).flatten()
}

/// The contracts of link types.
pub(super) fn link_types(declarations: &Declarations<'_>) -> Vec<LinkType> {
    let kinds = |item: &usize| declarations.definition(*item).contract.as_deref();
    let items = (0..declarations.items.len()).filter_map(|item| Some((item, kinds(&item)?)));
    let read = |(item, field): (usize, &str)| {
        let it = &declarations.items[item];
        let properties = entries(declarations, item, field);
        LinkType {
            name: Named::new(Arc::clone(&it.name), it.span),
            properties: properties
                .into_iter()
                .map(|(entry, value)| property(entry, value.as_ref()))
                .collect(),
        }
    };
    items.map(read).collect()
}

fn property(entry: &Entry, value: Option<&Value>) -> LinkProperty {
    LinkProperty {
        path: Named::new(Arc::clone(&entry.key), entry.key_span),
        kind: named(value, "type").map_or_else(|| "any".into(), |it| it.text),
        optional: flag(value, "optional").is_some(),
    }
}
