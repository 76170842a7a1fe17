//! The attributes of a resource as observed, with one of them reverted to what was recorded.

use std::iter;

use model::{Data, Origin, Pointer, Value};
use plan::reports_fields;
use state::{holds_mark, is_mark};
use types::Trail;

use crate::{EngineError, codes, recorded::nothing};

/// The known attributes of one resource.
pub(crate) struct KnownAttributes<'s> {
    /// The recorded attributes as they are kept: secrets are marks.
    pub(crate) sealed: &'s Value,
    /// The recorded attributes, with those secrets that are known.
    pub(crate) recorded: &'s Value,
    /// The observed attributes.
    pub(crate) seen: &'s Value,
    /// The definition of its kind.
    pub(crate) trail: Option<Trail<'s>>,
}

impl KnownAttributes<'_> {
    /// The complete spec to send so that the value at a pointer becomes what was recorded there, and all
    /// others stay as observed; `None` if it is so already. Attributes that only the adapter sets are not
    /// sent.
    ///
    /// # Errors
    /// If that value is a secret, another secret is not known, or it cannot be reverted without changing
    /// others.
    pub(crate) fn with_field_reverted(&self, pointer: &Pointer) -> Result<Option<Value>, EngineError> {
        if self.is_secret(pointer) {
            return Err(secret());
        }
        let mut spec = merge_observed(self.trail, self.recorded, self.seen);
        let expected = something(self.recorded.at(pointer));
        match (expected, something(spec.at(pointer))) {
            (None, None) => return Err(no_such(pointer)),
            (Some(expected), Some(seen)) if expected.same_data(seen) => return Ok(None),
            _ => {}
        }
        let way: Vec<String> = pointer.segments().collect();
        put(&mut spec, Some(self.recorded), &way, expected).ok_or_else(|| not_alone(pointer))?;
        self.keeps_secrets(&spec)?;
        Ok(Some(spec))
    }

    /// True if the value, something in it or something that contains it must never be shown.
    fn is_secret(&self, pointer: &Pointer) -> bool {
        let around = |it: &Pointer| it.split_last().map(|(around, _)| around);
        let sensitive =
            |trail: Trail<'_>| pointer.segments().fold(trail, |it, key| it.step(&key)).is_sensitive();
        self.sealed.at(pointer).is_some_and(holds_mark)
            || iter::successors(around(pointer), around).any(|it| self.sealed.at(&it).is_some_and(is_mark))
            || self.trail.is_some_and(sensitive)
    }

    /// Checks that each secret is sent as it was recorded; otherwise nothing is sent. An adapter may report
    /// something else in its place, and a value that is not known cannot be sent.
    fn keeps_secrets(&self, spec: &Value) -> Result<(), EngineError> {
        let is_kept = |place: &Pointer| {
            let recorded = self.recorded.at(place).filter(|it| !is_mark(it));
            recorded.zip(spec.at(place)).is_some_and(|(recorded, sent)| recorded.same_data(sent))
        };
        match marks(self.sealed, Pointer::root()).iter().find(|place| !is_kept(place)) {
            Some(place) => Err(unknown_secret(place.as_str())),
            None if holds_mark(spec) => Err(unknown_secret("")),
            None => Ok(()),
        }
    }
}

/// The recorded value, overlaid with the observed one. A field that the adapter left out is taken as it was
/// sent; inside a field, what is missing is gone.
pub(crate) fn merge_observed(trail: Option<Trail<'_>>, recorded: &Value, seen: &Value) -> Value {
    let fields = trail.is_none_or(|trail| reports_fields(trail.place()));
    let (Data::Map(map), Data::Map(now), true) = (&recorded.data, &seen.data, fields) else {
        return seen.clone();
    };
    let field = |key: &str, recorded: &Value| match (now.get(key), trail) {
        (None, _) => recorded.clone(),
        (Some(seen), Some(trail)) => merge_observed(Some(trail.step(key)), recorded, seen),
        (Some(seen), None) => seen.clone(),
    };
    let map = map.iter().map(|(key, it)| (key.clone(), field(key, it)));
    Value { data: Data::Map(model::map_of(map)), ..seen.clone() }
}

/// The value unless it is null: a field that is null and a missing one are equivalent.
pub(crate) fn something(value: Option<&Value>) -> Option<&Value> {
    value.filter(|it| !matches!(it.data, Data::Null))
}

/// Sets the value at the end of a path, or removes it; missing maps and lists on the path are created as
/// recorded. `None` if it cannot be done without moving another item of a list.
fn put(place: &mut Value, recorded: Option<&Value>, way: &[String], expected: Option<&Value>) -> Option<()> {
    let Some((step, rest)) = way.split_first() else {
        *place = expected?.clone();
        return Some(());
    };
    if matches!(place.data, Data::Null) {
        place.data = match recorded?.data {
            Data::Map(_) => Data::Map(model::Map::new()),
            Data::List(_) => Data::List(Vec::new()),
            _ => return None,
        };
    }
    let goes = rest.is_empty() && expected.is_none();
    match &mut place.data {
        Data::Map(map) if goes => map.remove(&**step).map(drop),
        Data::Map(map) => {
            let inner = recorded.and_then(|it| it.get(step));
            put(map.entry(step.as_str().into()).or_insert_with(null), inner, rest, expected)
        }
        Data::List(items) => {
            let index: usize = step.parse().ok()?;
            if goes {
                return (index + 1 == items.len()).then(|| drop(items.pop()));
            }
            if index == items.len() {
                items.push(null());
            }
            let inner = recorded.and_then(Value::as_list).and_then(|it| it.get(index));
            put(items.get_mut(index)?, inner, rest, expected)
        }
        _ => None,
    }
}

fn null() -> Value {
    Value { data: Data::Null, ..nothing(Origin::Observed) }
}

/// The pointers of all marks in a value.
pub(crate) fn marks(value: &Value, at: Pointer) -> Vec<Pointer> {
    if is_mark(value) {
        return vec![at];
    }
    match &value.data {
        Data::Map(map) => map.iter().flat_map(|(key, it)| marks(it, at.key(key))).collect(),
        Data::List(items) => {
            items.iter().enumerate().flat_map(|(index, it)| marks(it, at.index(index))).collect()
        }
        _ => Vec::new(),
    }
}

fn secret() -> EngineError {
    EngineError::new(codes::SECRET, "it is a secret: the state keeps only a mark of its recorded value")
        .help("apply: the plan sends the described value")
}

fn unknown_secret(place: &str) -> EngineError {
    let message = format!("the recorded value of its secret at {place} is not known, so it cannot be sent");
    EngineError::new(codes::SECRET, message).help("apply: the plan sends the described value")
}

fn no_such(pointer: &Pointer) -> EngineError {
    let message = format!("no value is recorded at {pointer}, and none exists");
    EngineError::new(codes::NO_SUCH_VALUE, message).help("check for drift again")
}

fn not_alone(pointer: &Pointer) -> EngineError {
    let message = format!(
        "{pointer} cannot be reverted alone: values beside it differ from the recorded ones as \
                 well"
    );
    EngineError::new(codes::NOT_ALONE, message).help("revert those first, or apply")
}

#[cfg(test)]
mod tests;
