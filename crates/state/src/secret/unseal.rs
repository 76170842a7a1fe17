use std::sync::Arc;

use diag::order;
use model::{
    Address, Data, Desired, DesiredResource, Expression, Origin, Pointer, Recorded, RecordedResource,
    Reference, Value,
};

use super::{fits, holds_mark, mark_of};

/// Puts a value in where a mark is one of it. Other marks stay: they equal no value, so that a plan sees a change.
pub fn unseal(recorded: &mut Value, desired: &Value) {
    walk(recorded, desired, &|_, _| None);
}

/// Puts the desired values and texts in where the marks of a recorded resource's attributes and template are those of
/// them. What is not known yet is left; see [`unseal_all`].
pub fn unseal_resource(recorded: &mut RecordedResource, desired: &DesiredResource) {
    unseal(&mut recorded.spec, &desired.spec);
    if let Some(kept) = &mut recorded.template {
        unseal(kept, &template(desired));
    }
}

/// The same for all resources, and for values that took a secret together with what only exists at run time: they are
/// made again from what was recorded of those they refer to.
pub fn unseal_all(recorded: &mut Recorded, desired: &Desired) {
    for wanted in &desired.resources {
        if let Some(resource) = recorded.resources.get_mut(&wanted.address) {
            unseal_resource(resource, wanted);
        }
    }
    let wanted = DesiredByAddress::of(desired);
    // Each round may make known what others refer to; a chain is no longer than there are resources.
    for _ in &desired.resources {
        if !round(recorded, &wanted) {
            return;
        }
    }
}

/// The desired resources in the order of their addresses.
struct DesiredByAddress<'d>(Vec<&'d DesiredResource>);

impl<'d> DesiredByAddress<'d> {
    fn of(desired: &'d Desired) -> Self {
        let mut resources: Vec<&DesiredResource> = desired.resources.iter().collect();
        order::by(&mut resources, |a, b| a.address.cmp(&b.address));
        Self(resources)
    }

    fn get(&self, address: &Address) -> Option<&'d DesiredResource> {
        let place = self.0.binary_search_by(|it| it.address.cmp(address));
        place.ok().map(|place| self.0[place])
    }
}

/// Whether anything was put in.
fn round(recorded: &mut Recorded, desired: &DesiredByAddress<'_>) -> bool {
    let mut found: Vec<(Address, Value)> = Vec::new();
    for (address, resource) in recorded.resources.iter().filter(|(_, it)| holds_mark(&it.spec)) {
        let Some(wanted) = desired.get(address) else { continue };
        let mut spec = resource.spec.clone();
        let evaluate = |expression: &Expression, origin| {
            expression.evaluate(origin, |reference| known(recorded, desired, reference))
        };
        if walk(&mut spec, &wanted.spec, &evaluate) {
            found.push((address.clone(), spec));
        }
    }
    let any = !found.is_empty();
    for (address, spec) in found {
        recorded.resources.entry(address).and_modify(|it| it.spec = spec);
    }
    any
}

/// What a reference read when the one that has it was made, as far as that is known.
fn known(recorded: &Recorded, desired: &DesiredByAddress<'_>, reference: &Reference) -> Option<Value> {
    let pointer = Pointer::root().steps(&reference.path);
    let there = |value: &Value| {
        let found = value.at(&pointer).filter(|it| !matches!(it.data, Data::Null));
        found.filter(|it| !it.has_unknown() && !holds_mark(it)).cloned()
    };
    let wanted = desired.get(&reference.to).and_then(|it| there(&it.spec));
    let resource = || recorded.resources.get(&reference.to);
    wanted.or_else(|| {
        let resource = resource()?;
        let places = [Some(&resource.spec), Some(&resource.outputs), resource.identity.as_ref()];
        places.into_iter().flatten().find_map(there)
    })
}

/// Puts in what fits, or what `evaluate` makes of an expression; whether anything was.
fn walk(
    recorded: &mut Value,
    desired: &Value,
    evaluate: &dyn Fn(&Expression, Origin) -> Option<Value>,
) -> bool {
    if let Some(mark) = mark_of(recorded) {
        let computed = match &desired.data {
            Data::Unknown(expression) => evaluate(expression, desired.origin),
            _ => Some(desired.clone()),
        };
        let Some(value) = computed.filter(|it| fits(mark, it)) else { return false };
        *recorded = Value { origin: recorded.origin, sensitive: true, ..value };
        return true;
    }
    match (&mut recorded.data, &desired.data) {
        (Data::List(items), Data::List(wanted)) => {
            let pairs = items.iter_mut().zip(wanted);
            pairs.fold(false, |any, (item, wanted)| walk(item, wanted, evaluate) | any)
        }
        (Data::Map(map), Data::Map(wanted)) => {
            let pairs = map.iter_mut().filter_map(|(key, it): (&Arc<str>, _)| Some((it, wanted.get(key)?)));
            pairs.fold(false, |any, (it, wanted)| walk(it, wanted, evaluate) | any)
        }
        _ => false,
    }
}

/// The attributes with their `${…}` text as it was written: what is recorded as an entry's template. Text with a secret
/// around or in it is sensitive; a reference alone is none.
pub fn template(desired: &DesiredResource) -> Value {
    let mut template = desired.spec.clone();
    for (path, text) in &desired.templates {
        if let Some(place) = place(&mut template, path) {
            let sensitive = place.sensitive && !is_bare_reference(text);
            *place = Value { data: Data::String(text.clone()), origin: place.origin, sensitive };
        }
    }
    template
}

fn place<'v>(value: &'v mut Value, path: &Pointer) -> Option<&'v mut Value> {
    path.segments().try_fold(value, |value, segment| match &mut value.data {
        Data::Map(map) => map.get_mut(&*segment),
        Data::List(items) => items.get_mut(segment.parse::<usize>().ok()?),
        _ => None,
    })
}

/// `${…}` and nothing else.
fn is_bare_reference(text: &str) -> bool {
    let inside = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    inside.is_some_and(|inside| !inside.contains(['$', '{', '}']))
}
