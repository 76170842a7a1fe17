use model::{Data, DesiredResource, Pointer, RecordedResource, Value};

use super::{fits, mark_of};

/// Puts a value in where a mark is one of it. Other marks stay: they equal no value, so that a plan sees a change.
pub fn unseal(recorded: &mut Value, desired: &Value) {
    if let Some(mark) = mark_of(recorded) {
        if !matches!(desired.data, Data::Unknown(_)) && fits(mark, desired) {
            *recorded = Value { origin: recorded.origin, sensitive: true, ..desired.clone() };
        }
        return;
    }
    match (&mut recorded.data, &desired.data) {
        (Data::List(items), Data::List(wanted)) => {
            items.iter_mut().zip(wanted).for_each(|(item, wanted)| unseal(item, wanted));
        }
        (Data::Map(map), Data::Map(wanted)) => {
            let pairs = map.iter_mut().filter_map(|(key, it)| Some((it, wanted.get(key)?)));
            pairs.for_each(|(it, wanted)| unseal(it, wanted));
        }
        _ => {}
    }
}

/// Puts the desired values and texts in where the marks of a recorded resource's attributes and template are those of
/// them.
pub fn unseal_resource(recorded: &mut RecordedResource, desired: &DesiredResource) {
    unseal(&mut recorded.spec, &desired.spec);
    if let Some(kept) = &mut recorded.template {
        unseal(kept, &template(desired));
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
