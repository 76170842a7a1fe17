//! Providers of links.

use std::sync::Arc;

use links::{Exposure, Named, Owner, Provider};
use model::{Data, Map, Origin, Value};
use syntax::Entry;

use super::site::{LinkableItem, entries, flag, named};
use crate::declare::Declarations;

/// The providers of an item, as written.
pub(super) fn read(declarations: &mut Declarations<'_>, linkable: &LinkableItem<'_>) -> Vec<Provider> {
    let provided = entries(declarations, linkable.item, &linkable.fields.provides);
    provided
        .into_iter()
        .map(|(entry, value)| provider(declarations, linkable, entry, value.as_ref()))
        .collect()
}

fn provider(
    declarations: &mut Declarations<'_>,
    linkable: &LinkableItem<'_>,
    entry: &Entry,
    value: Option<&Value>,
) -> Provider {
    let name = Named::new(Arc::clone(&entry.key), entry.key_span);
    let broken = super::consumes::report_unwritten(declarations, value, &["type", "as"]);
    let body = declarations.items[linkable.item].node.map_or(entry.key_span, |it| it.span);
    let nothing = || Value::new(Data::Map(Map::new()), Origin::Written(entry.key_span));
    Provider {
        owner: Owner::Service { group: linkable.group, address: declarations.address(linkable.item) },
        declared: entry.key_span,
        body,
        said: None,
        link_type: named(value, "type").unwrap_or_else(|| name.clone()),
        alias: named(value, "as"),
        shared: flag(value, "shared").is_some(),
        blocked: flag(value, "blocked"),
        exposure: Exposure {
            written: Some(value.and_then(|it| it.get("properties")).cloned().unwrap_or_else(nothing)),
            ..Exposure::default()
        },
        broken,
        name,
        aliases: Vec::new(),
    }
}
