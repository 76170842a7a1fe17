//! Chosen bundles in the form for payloads and for the lock file.

use std::sync::Arc;

use catalog::{Bundle, Property, PropertyData, Selected};
use diag::Span;
use lower::Pin;
use model::{Data, Origin, Value};
use syntax::{Entry, Mapping, Node, NodeData, Style};

use crate::{catalog_set::CatalogSet, lock::LockedBundle};
use workspace::capability::PACKAGES;

/// A chosen bundle, with data from its catalog. Other chosen bundles that required it are named as in the
/// graph.
pub(crate) fn of_selected(
    selected: &Selected,
    all: &[Selected],
    catalogs: &CatalogSet,
) -> Option<LockedBundle> {
    let bundle = bundle(selected, catalogs);
    let span = selected.origin.or_else(|| bundle.map(|it| it.origin))?;
    Some(LockedBundle {
        package: Arc::clone(&selected.package),
        text: Arc::clone(&selected.version),
        version: bundle.map(|it| it.version.clone()),
        bundle: Arc::clone(&selected.bundle),
        catalog: Arc::clone(&selected.catalog),
        channel: Arc::clone(&selected.channel),
        image: Arc::clone(&selected.image),
        wanted_by: selected.wanted_by.iter().map(|it| requester(it, all)).collect(),
        properties: bundle.map(|it| properties(&it.properties, it.origin)),
        span,
        version_span: span,
        image_span: None,
    })
}

fn requester(by: &Arc<str>, all: &[Selected]) -> Arc<str> {
    match all.iter().find(|it| it.id == *by) {
        Some(it) => format!("{PACKAGES}.{}", it.package).into(),
        None => Arc::clone(by),
    }
}

fn bundle<'s>(selected: &Selected, catalogs: &'s CatalogSet) -> Option<&'s Bundle> {
    let catalog = catalogs.catalogs.iter().find(|it| it.name == selected.catalog)?;
    catalog.packages.get(&selected.package)?.bundles.get(&selected.bundle)
}

/// The properties of a bundle, by kind: a list if there are several of a kind. The one that names its package
/// is left out.
fn properties(properties: &[Property], span: Span) -> Node {
    let mut entries: Vec<(Arc<str>, Vec<Node>)> = Vec::new();
    for property in properties {
        let Some((kind, value)) = property_node(property) else { continue };
        match entries.iter_mut().find(|it| it.0 == kind) {
            Some((_, values)) => values.push(value),
            None => entries.push((kind, vec![value])),
        }
    }
    let entries = entries.into_iter().map(|(kind, mut values)| {
        let value = match values.len() {
            1 => values.remove(0),
            _ => Node::new(NodeData::Sequence(Arc::new(values)), span),
        };
        (kind, value)
    });
    map(entries, span)
}

fn property_node(property: &Property) -> Option<(Arc<str>, Node)> {
    let at = property.origin;
    let words = |pairs: &[(&str, &Arc<str>)]| {
        map(pairs.iter().map(|(key, value)| (Arc::from(*key), text(Arc::clone(value), at))), at)
    };
    let value = match &property.data {
        PropertyData::Package { .. } | PropertyData::Constraint(_) => return None,
        PropertyData::PackageRequired(it) => {
            words(&[("packageName", &it.package), ("versionRange", &it.range.text)])
        }
        PropertyData::Gvk(it) | PropertyData::GvkRequired(it) => {
            words(&[("group", &it.group), ("kind", &it.kind), ("version", &it.version)])
        }
        PropertyData::MaxOpenShift(major, minor) => text(format!("{major}.{minor}").into(), at),
        PropertyData::MinKube(it) => return Some(("minKubeVersion".into(), text(Arc::clone(it), at))),
        PropertyData::Label(it) | PropertyData::LabelRequired(it) => text(Arc::clone(it), at),
        PropertyData::Deprecated => Node::new(NodeData::Bool(true), at),
        PropertyData::Other { value: Node { data: NodeData::Null, .. }, .. } => return None,
        PropertyData::Other { value, .. } => value.clone(),
    };
    Some((property.data.kind().into(), value))
}

pub(crate) fn text(text: Arc<str>, span: Span) -> Node {
    Node::new(NodeData::String(text, Style::Plain), span)
}

pub(crate) fn map(entries: impl IntoIterator<Item = (Arc<str>, Node)>, span: Span) -> Node {
    let entries = entries.into_iter().map(|(key, value)| Entry { key, key_span: span, value });
    Node::new(NodeData::Mapping(Arc::new(Mapping { entries: entries.collect() })), span)
}

/// The values for a payload that requires the package.
pub(crate) fn pin(locked: &LockedBundle, because: String) -> Pin {
    let origin = Origin::Written(locked.span);
    let words = [
        ("name", &locked.bundle),
        ("version", &locked.text),
        ("channel", &locked.channel),
        ("catalog", &locked.catalog),
        ("image", &locked.image),
    ];
    let words = words.into_iter().filter(|(_, value)| !value.is_empty());
    let words = words.map(|(key, value)| (key.into(), Value::new(Data::String(Arc::clone(value)), origin)));
    let properties = locked.properties.iter().map(|it| ("properties".into(), lower::value_of(it)));
    Pin {
        version: Arc::clone(&locked.text),
        image: Arc::clone(&locked.image),
        bundle: model::map_of(words.chain(properties)),
        origin: locked.version_span,
        because,
    }
}
