//! Consumers of links.

use std::sync::Arc;

use diag::{Diagnostic, Span};
use links::{Consumer, ConsumerSpec, Manual, Named, Owner, ProviderSelector, Request, Scope};
use model::{Data, Value};
use syntax::Entry;

use super::site::{LinkableItem, entries, flag, named};
use crate::codes;
use crate::{codes::WRONG_KIND, declare::Declarations};

/// The keys of a link from a provider.
const TAKEN: [&str; 4] = ["from", "deployment", "network", "ip_addresses"];
/// The keys of a manual link.
const WRITTEN_OUT: [&str; 3] = ["instances", "properties", "address"];

/// The consumers of an item, as written.
pub(super) fn read(declarations: &mut Declarations<'_>, linkable: &LinkableItem<'_>) -> Vec<Consumer> {
    let consumed = entries(declarations, linkable.item, &linkable.fields.consumes);
    consumed
        .into_iter()
        .map(|(entry, value)| consumer(declarations, linkable, entry, value.as_ref()))
        .collect()
}

fn consumer(
    declarations: &mut Declarations<'_>,
    linkable: &LinkableItem<'_>,
    entry: &Entry,
    value: Option<&Value>,
) -> Consumer {
    let name = Named::new(Arc::clone(&entry.key), entry.key_span);
    let names = ["type", "from", "deployment", "network", "scope"];
    let is_broken = report_unwritten(declarations, value, &names)
        || report_two_ways(declarations, entry, value)
        || report_instances(declarations, value);
    let scope = named(value, "scope").filter(|it| &*it.text == "colocated");
    Consumer {
        owner: Owner::Service { group: linkable.group, address: declarations.address(linkable.item) },
        declared: entry.key_span,
        body: declarations.items[linkable.item].node.map_or(entry.key_span, |it| it.span),
        said: None,
        link_type: named(value, "type").unwrap_or_else(|| name.clone()),
        optional: flag(value, "optional").is_some(),
        scope: if scope.is_some() { Scope::Colocated } else { Scope::Deployment },
        spec: if is_broken { ConsumerSpec::Broken } else { consumer_spec(entry, value) },
        name,
    }
}

fn consumer_spec(entry: &Entry, value: Option<&Value>) -> ConsumerSpec {
    if let Some(span) = flag(value, "blocked") {
        return ConsumerSpec::Blocked(span);
    }
    let get = |key: &str| value.and_then(|it| it.get(key)).cloned();
    if WRITTEN_OUT.iter().any(|key| get(key).is_some()) {
        let [instances, properties, address] = WRITTEN_OUT.map(get);
        return ConsumerSpec::Manual(Manual { instances, properties, address, span: entry.key_span });
    }
    let by = named(value, "from")
        .map_or(ProviderSelector::Type, |name| ProviderSelector::Name { name, written: true });
    let ip_addresses = get("ip_addresses").and_then(|it| match it.data {
        Data::Bool(it) => Some(it),
        _ => None,
    });
    let (deployment, network) = (named(value, "deployment"), named(value, "network"));
    let span = entry.value.as_mapping().map(|_| entry.value.span);
    ConsumerSpec::Ask(Request { by, deployment, network, ip_addresses, span })
}

/// The given keys of a map whose values are references, with their places.
pub(crate) fn unwritten(value: Option<&Value>, keys: &[&'static str]) -> Vec<(Span, &'static str)> {
    let unwritten = |key: &&'static str| {
        let value = value?.get(key)?;
        let span = value.origin.span()?;
        matches!(value.data, Data::Unknown(_)).then_some((span, *key))
    };
    keys.iter().filter_map(unwritten).collect()
}

/// Reports names that are references: links are chosen before anything is resolved. Returns whether there are
/// any.
pub(super) fn report_unwritten(
    declarations: &mut Declarations<'_>,
    value: Option<&Value>,
    keys: &[&'static str],
) -> bool {
    let found = unwritten(value, keys);
    for (span, key) in &found {
        let message = format!("`{key}` of a link must be known before anything is linked");
        let help = "write the value instead of referring to it";
        declarations.diagnostics.push(Diagnostic::error(codes::LINK_NOT_WRITTEN, *span, message).help(help));
    }
    !found.is_empty()
}

fn report_two_ways(declarations: &mut Declarations<'_>, entry: &Entry, value: Option<&Value>) -> bool {
    let has = |keys: &[&'static str]| {
        keys.iter().copied().find(|key| value.is_some_and(|value| value.get(key).is_some()))
    };
    let (Some(taken), Some(written)) = (has(&TAKEN), has(&WRITTEN_OUT)) else { return false };
    let message =
        format!("the link `{}` has both a provider (`{taken}`) and manual content (`{written}`)", entry.key);
    let help =
        format!("remove one of them: `{taken}` requests a provider, `{written}` makes it a manual link");
    let span = entry.value.get(written).map_or(entry.key_span, |it| it.span);
    declarations.diagnostics.push(Diagnostic::error(codes::LINK_TWO_WAYS, span, message).help(help));
    true
}

/// Reports instances of a manual link that are not maps. Returns whether there are any.
fn report_instances(declarations: &mut Declarations<'_>, value: Option<&Value>) -> bool {
    let instances = value.and_then(|it| it.get("instances")).and_then(Value::as_list).unwrap_or_default();
    let wrong = instances.iter().filter(|it| !matches!(it.data, Data::Map(_) | Data::Unknown(_)));
    let wrong: Vec<(Option<Span>, &str)> = wrong.map(|it| (it.origin.span(), it.kind_name())).collect();
    for (span, kind) in &wrong {
        let message = format!("an instance must be a map, not a {kind}");
        let help = "write e.g. `{address: 10.0.0.9}`";
        declarations.diagnostics.push(Diagnostic::error(WRONG_KIND, *span, message).help(help));
    }
    !wrong.is_empty()
}
