use model::Data;

use crate::{ByteRange, Problem, ProblemKind, runtime_value::RuntimeValue};

use super::{Machine, Result, index::place, method::CallArguments, method::no_method};

impl<'a> Machine<'a> {
    /// The methods of maps.
    pub(super) fn of_map(
        &mut self,
        on: &RuntimeValue<'a>,
        name: &str,
        call: CallArguments<'_>,
    ) -> Result<RuntimeValue<'a>> {
        let Some(map) = on.value().as_map() else { return Err(no_method(on, name, call.at)) };
        let data = match name {
            "keys" => {
                let keys = map.keys().map(|key| self.value(Data::String(key.clone()))).collect();
                return Ok(self.list(keys, call.at)?.tainted(on.sensitive));
            }
            "values" => {
                let keys = map.keys().cloned().map(model::Step::Key);
                let values = keys.filter_map(|key| on.child(&key)).collect();
                return self.list(values, call.at);
            }
            "key?" | "has_key?" | "include?" => {
                let key = self.all(call.args)?.into_iter().next().unwrap_or_else(|| self.nil());
                check_key(&key, call.at)?;
                Data::Bool(key.value().as_str().is_some_and(|key| map.contains_key(key)))
            }
            "to_h" => return Ok(on.clone()),
            "first" => {
                let first = self.items(on, call.at)?.into_iter().next();
                return Ok(first.unwrap_or_else(|| self.nil()));
            }
            "last" | "join" | "reverse" => return Err(no_method(on, name, call.at)),
            _ => return self.of_list(on, name, call),
        };
        Ok(self.value(data).tainted(on.sensitive))
    }

    /// `fetch(key, default)`, of maps and of lists.
    pub(super) fn fetch(
        &mut self,
        on: &RuntimeValue<'a>,
        call: CallArguments<'_>,
    ) -> Result<RuntimeValue<'a>> {
        let mut args = self.all(call.args)?.into_iter();
        let key = args.next().unwrap_or_else(|| self.nil());
        check_key(&key, call.at)?;
        let found = match (on.data(), key.data()) {
            (Data::Map(map), Data::String(key)) => map.contains_key(key),
            (Data::List(items), Data::Int(nth)) => {
                place(*nth, items.len()).is_some_and(|it| it < items.len())
            }
            _ => false,
        };
        if found {
            return self.index(on, &key, call.at);
        }
        let missing = || Problem::new(call.at, ProblemKind::Mismatch, "there is no such key to fetch");
        args.next().map(|it| it.tainted(on.sensitive)).ok_or_else(missing)
    }

    /// `dig(a, b, …)`, of maps and of lists.
    pub(super) fn dig(&mut self, on: RuntimeValue<'a>, call: CallArguments<'_>) -> Result<RuntimeValue<'a>> {
        let keys = self.all(call.args)?;
        keys.iter().try_fold(on, |on, key| if on.is_nil() { Ok(on) } else { self.index(&on, key, call.at) })
    }
}

/// Checks that the key is known and not sensitive.
fn check_key(key: &RuntimeValue<'_>, at: ByteRange) -> Result<()> {
    key.decide(at)?;
    if key.is_unknown() { Err(Problem::unknown(at, "the requested key")) } else { Ok(()) }
}
