use model::{Data, Value};

/// The desired, persisted and observed value of one place of one resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldStates<'a> {
    pub(crate) desired: Option<&'a Value>,
    pub(crate) persisted: Option<&'a Value>,
    pub(crate) observed: Observation<'a>,
    /// The recorded value with its `${…}` text.
    pub(crate) template: Option<&'a Value>,
}

/// The value that an adapter saw at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Observation<'a> {
    /// It was not observed: it is as recorded.
    NotLooked,
    /// It is this, or not there.
    Is(Option<&'a Value>),
}

impl<'a> FieldStates<'a> {
    /// The actual value: the observed one, else the recorded one.
    pub(crate) fn actual(self) -> Option<&'a Value> {
        match self.observed {
            Observation::NotLooked => self.persisted,
            Observation::Is(value) => value,
        }
    }

    pub(crate) fn seen(self) -> Option<&'a Value> {
        match self.observed {
            Observation::NotLooked => None,
            Observation::Is(value) => value,
        }
    }

    /// The sides that hold something.
    pub(crate) fn values(self) -> impl Iterator<Item = &'a Value> {
        [self.desired, self.persisted, self.seen()].into_iter().flatten()
    }

    /// True if nothing needs to happen here, determined without type definitions.
    pub(crate) fn agree(self) -> bool {
        same(self.desired, self.actual())
    }

    /// The sides of what lies under a key. `partial`: a key that the adapter left out was not observed.
    pub(crate) fn key(self, key: &str, partial: bool) -> Self {
        let get = |value: Option<&'a Value>| value.and_then(|it| it.get(key));
        let observed = match self.observed {
            Observation::Is(Some(map)) if partial && map.get(key).is_none() => Observation::NotLooked,
            Observation::Is(value) => Observation::Is(get(value)),
            Observation::NotLooked => Observation::NotLooked,
        };
        Self {
            desired: get(self.desired),
            persisted: get(self.persisted),
            observed,
            template: self.template_below(get),
        }
    }

    /// The sides of a list's item.
    pub(crate) fn index(self, index: usize) -> Self {
        let get =
            |value: Option<&'a Value>| value.and_then(Value::as_list).and_then(|items| items.get(index));
        let observed = match self.observed {
            Observation::Is(value) => Observation::Is(get(value)),
            Observation::NotLooked => Observation::NotLooked,
        };
        Self {
            desired: get(self.desired),
            persisted: get(self.persisted),
            observed,
            template: self.template_below(get),
        }
    }

    /// Text is all that was written of what lies below it.
    fn template_below(self, get: impl Fn(Option<&'a Value>) -> Option<&'a Value>) -> Option<&'a Value> {
        if self.template?.as_str().is_some() { self.template } else { get(self.template) }
    }

    /// The same with `null` taken for "not there".
    pub(crate) fn without_nulls(self) -> Self {
        let something = |value: Option<&'a Value>| value.filter(|it| !matches!(it.data, Data::Null));
        let observed = match self.observed {
            Observation::Is(value) => Observation::Is(something(value)),
            Observation::NotLooked => Observation::NotLooked,
        };
        Self { desired: something(self.desired), persisted: something(self.persisted), observed, ..self }
    }
}

pub(crate) fn same(a: Option<&Value>, b: Option<&Value>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.same_data(b),
        (None, None) => true,
        _ => false,
    }
}
