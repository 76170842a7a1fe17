use model::Data;

use crate::{Place, Problem, ProblemKind, runtime_value::RuntimeValue};

use super::{Machine, Result, index::place, method::Given, method::no_method};

impl<'a> Machine<'a> {
    /// The methods of maps.
    pub(super) fn of_map(
        &mut self,
        on: &RuntimeValue<'a>,
        name: &str,
        given: Given<'_>,
    ) -> Result<RuntimeValue<'a>> {
        let Some(map) = on.value().as_map() else { return Err(no_method(on, name, given.at)) };
        let data = match name {
            "keys" => {
                let keys = map.keys().map(|key| self.thing(Data::String(key.clone()))).collect();
                return Ok(self.list(keys, given.at)?.tainted(on.sensitive));
            }
            "values" => {
                let keys = map.keys().cloned().map(model::Step::Key);
                let values = keys.filter_map(|key| on.child(&key)).collect();
                return self.list(values, given.at);
            }
            "key?" | "has_key?" | "include?" => {
                let key = self.all(given.args)?.into_iter().next().unwrap_or_else(|| self.nil());
                asks(&key, given.at)?;
                Data::Bool(key.value().as_str().is_some_and(|key| map.contains_key(key)))
            }
            "to_h" => return Ok(on.clone()),
            "first" => {
                let first = self.items(on, given.at)?.into_iter().next();
                return Ok(first.unwrap_or_else(|| self.nil()));
            }
            "last" | "join" | "reverse" => return Err(no_method(on, name, given.at)),
            _ => return self.of_list(on, name, given),
        };
        Ok(self.thing(data).tainted(on.sensitive))
    }

    /// `fetch(key, default)`, of maps and of lists.
    pub(super) fn fetch(&mut self, on: &RuntimeValue<'a>, given: Given<'_>) -> Result<RuntimeValue<'a>> {
        let mut args = self.all(given.args)?.into_iter();
        let key = args.next().unwrap_or_else(|| self.nil());
        asks(&key, given.at)?;
        let found = match (on.data(), key.data()) {
            (Data::Map(map), Data::String(key)) => map.contains_key(key),
            (Data::List(items), Data::Int(nth)) => {
                place(*nth, items.len()).is_some_and(|it| it < items.len())
            }
            _ => false,
        };
        if found {
            return self.index(on, &key, given.at);
        }
        let missing = || Problem::new(given.at, ProblemKind::Mismatch, "there is no such key to fetch");
        args.next().map(|it| it.tainted(on.sensitive)).ok_or_else(missing)
    }

    /// `dig(a, b, …)`, of maps and of lists.
    pub(super) fn dig(&mut self, on: RuntimeValue<'a>, given: Given<'_>) -> Result<RuntimeValue<'a>> {
        let keys = self.all(given.args)?;
        keys.iter().try_fold(on, |on, key| if on.is_nil() { Ok(on) } else { self.index(&on, key, given.at) })
    }
}

/// Complains unless a key can be looked up now.
fn asks(key: &RuntimeValue<'_>, at: Place) -> Result<()> {
    key.decide(at)?;
    if key.is_unknown() { Err(Problem::unknown(at, "what is asked for")) } else { Ok(()) }
}
