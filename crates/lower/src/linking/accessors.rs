//! Expressions over the contents of the links of items, e.g. `${link("db").p("port", 5432)}`.

use std::sync::Arc;

use diag::Diagnostic;
use links::{Link, LinkModel, names::lower_first};
use model::{Data, Map, Origin, Value};

use super::SiteMap;
use crate::{codes, declare::Declarations};

/// The name of the values among the contents of an item's links; no link can have this name.
pub(crate) const VALUES: &str = "()";

/// Evaluates the expressions of every item and stores their values where references to them lead.
pub(super) fn put(declarations: &mut Declarations<'_>, site: &LinkModel, links: &[Link], map: &SiteMap) {
    let mut failed = vec![false; declarations.items.len()];
    for link in links.iter().filter(|it| it.deployment == 0 && !it.outcome.is_fine()) {
        let group = link.consumer(site).and_then(|(_, it)| it.owner.group());
        if let Some(item) = group.and_then(|it| map.items.get(it)) {
            failed[*item] = true;
        }
    }
    for (item, failed) in failed.into_iter().enumerate() {
        put_item(declarations, item, failed);
    }
}

/// `failed`: some link of the item has no provider, which was reported.
fn put_item(declarations: &mut Declarations<'_>, item: usize, failed: bool) {
    let accessors = std::mem::take(&mut declarations.items[item].accessors);
    let Some(fields) = declarations.definition(item).links.as_ref().filter(|_| !accessors.is_empty()) else {
        return;
    };
    let origin = Origin::Inferred(declarations.items[item].span);
    let contents = declarations.items[item].attributes.get(&fields.contents).cloned();
    let contents = contents.unwrap_or_else(|| Value::new(Data::Map(Map::new()), origin));
    let nothing = Map::new();
    let mut values = Vec::with_capacity(accessors.len());
    for accessor in &accessors {
        let origin = Origin::Written(accessor.span);
        let links = contents.as_map().unwrap_or(&nothing);
        let value = accessor.expression.evaluate(links, origin).unwrap_or_else(|error| {
            if !(failed && error.is_absent_link) {
                let diagnostic =
                    Diagnostic::error(codes::ACCESSOR, accessor.span, lower_first(&error.message));
                declarations.diagnostics.push(diagnostic.help(error.help));
            }
            Value::new(Data::String("".into()), origin)
        });
        values.push(value);
    }
    let mut all = contents;
    if let Data::Map(map) = &mut all.data {
        map.insert(VALUES.into(), Value::new(Data::List(values), origin));
    }
    Arc::make_mut(&mut declarations.items[item].attributes).insert(fields.contents.clone(), all);
}
