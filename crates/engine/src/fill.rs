use std::collections::BTreeMap;

use model::{Address, Data, DesiredResource, Pointer, Reference, Step, Value};

use state::holds_mark;

use crate::{EngineError, codes};

/// The actual values of resources, as far as references can read them. Kept in memory only: they may contain
/// secrets.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownResources(BTreeMap<Address, ResourceFacts>);

/// The actual values of one resource.
#[derive(Clone, Debug)]
pub(crate) struct ResourceFacts {
    /// The attributes as they were sent.
    pub(crate) spec: Value,
    /// The outputs that the adapter reported.
    pub(crate) outputs: Value,
    /// The identity that finds the resource.
    pub(crate) identity: Value,
}

impl KnownResources {
    pub(crate) fn put(&mut self, address: Address, facts: ResourceFacts) {
        self.0.insert(address, facts);
    }

    /// Adds the facts of a resource unless there are some already.
    pub(crate) fn put_new(&mut self, address: Address, facts: impl FnOnce() -> ResourceFacts) {
        self.0.entry(address).or_insert_with(facts);
    }

    pub(crate) fn remove(&mut self, address: &Address) {
        self.0.remove(address);
    }

    /// The attributes of a resource with all references filled in.
    ///
    /// # Errors
    /// If a value that is taken from an active resource is missing there.
    pub(crate) fn fill(&self, desired: &DesiredResource) -> Result<Value, EngineError> {
        self.filled(&desired.spec, &Pointer::root())
    }

    fn filled(&self, value: &Value, path: &Pointer) -> Result<Value, EngineError> {
        let data = match &value.data {
            Data::Unknown(expression) => {
                let found = expression.evaluate(value.origin, |reference| self.value_of(reference));
                let found = found.ok_or_else(|| {
                    let missing = expression.references().find(|it| self.value_of(it).is_none());
                    unresolved(missing, path)
                })?;
                return Ok(Value { sensitive: found.sensitive || value.sensitive, ..found });
            }
            Data::List(items) => {
                let items = items.iter().enumerate().map(|(index, it)| self.filled(it, &path.index(index)));
                Data::List(items.collect::<Result<_, _>>()?)
            }
            Data::Map(map) => {
                let entries = map.iter().map(|(key, it)| Ok((key.clone(), self.filled(it, &path.key(key))?)));
                Data::Map(entries.collect::<Result<_, EngineError>>()?)
            }
            _ => return Ok(value.clone()),
        };
        Ok(Value { data, ..value.clone() })
    }

    fn value_of(&self, reference: &Reference) -> Option<Value> {
        let facts = self.0.get(&reference.to)?;
        let places = [&facts.spec, &facts.outputs, &facts.identity];
        places.into_iter().find_map(|it| at(it, &reference.path)).cloned()
    }
}

fn at<'v>(value: &'v Value, path: &[Step]) -> Option<&'v Value> {
    // A secret whose value is not known here must not be sent.
    let found = path.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.as_list()?.get(*index),
    });
    found.filter(|it| !matches!(it.data, Data::Null) && !holds_mark(it))
}

fn unresolved(missing: Option<&Reference>, path: &Pointer) -> EngineError {
    let message = match missing {
        Some(reference) => format!("`{}` has no value, though `{}` is active", reference.text, reference.to),
        None => "a value that it refers to cannot be written inside text".to_owned(),
    };
    let mut error = EngineError::new(codes::NO_SUCH_VALUE, message)
        .help("check which values the adapter reports; a newer version may be needed");
    error.blames.push(crate::Blame { pointer: path.to_string(), detail: "no value".into(), place: None });
    error
}

#[cfg(test)]
mod tests;
