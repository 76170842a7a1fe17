use std::sync::Arc;

use diag::order;
use model::{
    Address, Data, Desired, DesiredResource, Expression, Origin, Pointer, Recorded, RecordedResource,
    Reference, Value,
};

use super::{fits, holds_mark, mark_of};

/// Replaces marks by the desired values that they are marks of. Other marks stay: they equal no value, so
/// that a plan sees a change.
pub fn unseal(recorded: &mut Value, desired: &Value) {
    walk(recorded, desired, &|_, _| None);
}

/// Replaces the marks in a recorded resource's attributes and template by the desired values and texts that
/// they are marks of. Values that are not known yet are left; see [`unseal_all`].
pub fn unseal_resource(recorded: &mut RecordedResource, desired: &DesiredResource) {
    unseal(&mut recorded.spec, &desired.spec);
    if let Some(kept) = &mut recorded.template {
        unseal(kept, &template(desired));
    }
}

/// The same for all resources, including values that combine a secret with a value that only exists at run
/// time: they are computed again from what was recorded of the resources that they refer to.
pub fn unseal_all(recorded: &mut Recorded, desired: &Desired) {
    for resource in &desired.resources {
        if let Some(entry) = recorded.resources.get_mut(&resource.address) {
            unseal_resource(entry, resource);
        }
    }
    let by_address = DesiredByAddress::of(desired);
    // Each round may provide values that others refer to; a chain is no longer than the number of resources.
    for _ in &desired.resources {
        if !round(recorded, &by_address) {
            return;
        }
    }
}

/// The desired resources in the order of their addresses.
struct DesiredByAddress<'d>(Vec<&'d DesiredResource>);

impl<'d> DesiredByAddress<'d> {
    fn of(desired: &'d Desired) -> Self {
        let mut resources: Vec<&DesiredResource> = desired.resources.iter().map(|it| &**it).collect();
        order::by(&mut resources, |a, b| a.address.cmp(&b.address));
        Self(resources)
    }

    fn get(&self, address: &Address) -> Option<&'d DesiredResource> {
        let place = self.0.binary_search_by(|it| it.address.cmp(address));
        place.ok().map(|place| self.0[place])
    }
}

/// Unseals values once; returns whether there were any.
fn round(recorded: &mut Recorded, desired: &DesiredByAddress<'_>) -> bool {
    let mut found: Vec<(Address, Value)> = Vec::new();
    for (address, resource) in recorded.resources.iter().filter(|(_, it)| holds_mark(&it.spec)) {
        let Some(declared) = desired.get(address) else { continue };
        let mut spec = resource.spec.clone();
        let evaluate = |expression: &Expression, origin| {
            expression.evaluate(origin, |reference| known(recorded, desired, reference))
        };
        if walk(&mut spec, &declared.spec, &evaluate) {
            found.push((address.clone(), spec));
        }
    }
    let any = !found.is_empty();
    for (address, spec) in found {
        recorded.resources.entry(address).and_modify(|it| it.spec = spec);
    }
    any
}

/// The value of a reference when the resource that has it was created, as far as it is known.
fn known(recorded: &Recorded, desired: &DesiredByAddress<'_>, reference: &Reference) -> Option<Value> {
    let pointer = Pointer::root().steps(&reference.path);
    let there = |value: &Value| {
        let found = value.at(&pointer).filter(|it| !matches!(it.data, Data::Null));
        found.filter(|it| !it.has_unknown() && !holds_mark(it)).cloned()
    };
    let declared = desired.get(&reference.to).and_then(|it| there(&it.spec));
    let resource = || recorded.resources.get(&reference.to);
    declared.or_else(|| {
        let resource = resource()?;
        let places = [Some(&resource.spec), Some(&resource.outputs), resource.identity.as_ref()];
        places.into_iter().flatten().find_map(there)
    })
}

/// Unseals values that match, directly or by `evaluate`; returns whether there were any.
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
        (Data::List(items), Data::List(desired)) => {
            let pairs = items.iter_mut().zip(desired);
            pairs.fold(false, |any, (item, desired)| walk(item, desired, evaluate) | any)
        }
        (Data::Map(map), Data::Map(desired)) => {
            let pairs = map.iter_mut().filter_map(|(key, it): (&Arc<str>, _)| Some((it, desired.get(key)?)));
            pairs.fold(false, |any, (it, desired)| walk(it, desired, evaluate) | any)
        }
        _ => false,
    }
}

/// The attributes with their `${…}` text as it was written, to be recorded as an entry's template. Text with
/// a secret around or in it is sensitive; a reference alone is not.
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

/// True if a text consists of one `${…}`.
fn is_bare_reference(text: &str) -> bool {
    let inside = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
    inside.is_some_and(|inside| !inside.contains(['$', '{', '}']))
}
