use std::sync::Arc;

use model::{Data, Map, Part, Value};

use super::{Key, Resolver};

/// The highest number of bytes that references may insert into texts.
const TEXT: usize = 8 << 20;
/// The highest number of values in lists and maps that references may insert.
const VALUES: usize = 1 << 20;
/// The highest nesting depth of lists and maps after resolution: the same as for written ones.
const DEPTH: usize = 128;

/// The remaining size that references may insert in total. References to references could grow exponentially
/// otherwise.
pub(super) struct Budget {
    text: usize,
    pub(super) values: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { text: TEXT, values: VALUES }
    }
}

impl Budget {
    /// True if a value may still be inserted into text; counts it.
    pub(super) fn takes_text(&mut self, value: &Value) -> bool {
        let bytes = match &value.data {
            Data::String(text) => text.len(),
            Data::Unknown(expression) => expression.parts.iter().map(weight).sum(),
            _ => size_of::<Value>(),
        };
        let left = self.text.checked_sub(bytes);
        self.text = left.unwrap_or(self.text);
        left.is_some()
    }

    pub(super) fn help() -> String {
        format!("references may add at most {} MiB of text, {VALUES} values and {DEPTH} levels", TEXT >> 20)
    }
}

fn weight(part: &Part) -> usize {
    match part {
        Part::Text(text) => text.len(),
        Part::Reference(_) => size_of::<Part>(),
    }
}

/// The reason why a value cannot be copied.
pub(super) enum Stop {
    /// A part of it is not resolved.
    Waits,
    /// It is too large or too deep.
    TooMuch,
}

impl Resolver<'_, '_> {
    /// A value with the resolved values in it, to be inserted `depth` levels deep. `place` is the place where
    /// it is written; `None` if nothing in it is left to resolve. Each value in lists and maps is counted in
    /// `left`.
    pub(super) fn copy(
        &self,
        value: &Value,
        place: Option<Key>,
        depth: usize,
        left: &mut usize,
    ) -> Result<Value, Stop> {
        if depth > DEPTH {
            return Err(Stop::TooMuch);
        }
        let mut take = |count: usize| {
            let rest = left.checked_sub(count);
            *left = rest.unwrap_or(0);
            rest.map(drop).ok_or(Stop::TooMuch)
        };
        let data = match &value.data {
            Data::Unknown(expression) => match place {
                Some(key) => {
                    return self.copy(self.done.get(&key).ok_or(Stop::Waits)?, None, depth, left);
                }
                None => {
                    take(expression.parts.len())?;
                    value.data.clone()
                }
            },
            Data::List(items) => {
                take(items.len())?;
                let inner = |n: usize| place.as_ref().map(|(item, place)| (*item, place.index(n)));
                let items = items.iter().enumerate();
                let copies = items.map(|(n, it)| self.copy(it, inner(n), depth + 1, left));
                Data::List(copies.collect::<Result<_, _>>()?)
            }
            Data::Map(map) => {
                take(map.len())?;
                let inner = |key: &str| place.as_ref().map(|(item, place)| (*item, place.key(key)));
                let mut copies = Map::new();
                for (key, it) in map {
                    copies.insert(Arc::clone(key), self.copy(it, inner(key), depth + 1, left)?);
                }
                Data::Map(copies)
            }
            data => data.clone(),
        };
        Ok(Value { data, ..*value })
    }
}
