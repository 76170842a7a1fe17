//! JSON of clients, in which every key is written once.

use std::{cell::RefCell, fmt};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The reason why a text was refused.
#[derive(Debug)]
pub(crate) struct JsonError {
    /// The place in the value, as a JSON pointer; empty where the text is not JSON.
    pub(crate) pointer: String,
    pub(crate) byte: usize,
    pub(crate) message: String,
    pub(crate) is_duplicate: bool,
}

/// Reads a text. Of a key that is written twice, programs differ in which value they take, so it is refused.
pub(crate) fn parse(text: &[u8]) -> Result<Value, JsonError> {
    let duplicate = RefCell::default();
    let mut reader = serde_json::Deserializer::from_slice(text);
    let read = Once(&duplicate).deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| {
        let byte = byte_of(text, error.line(), error.column());
        match duplicate.take() {
            Some(Duplicate { key, steps }) => {
                let pointer = steps.iter().rev().map(|it| format!("/{it}")).collect();
                let quoted = serde_json::to_string(&key).map_or(0, |it| it.len());
                let message = format!("the key `{key}` is written twice");
                JsonError { pointer, byte: byte.saturating_sub(quoted - 1), message, is_duplicate: true }
            }
            None => {
                let message = error.to_string();
                JsonError { pointer: String::new(), byte, message, is_duplicate: false }
            }
        }
    })
}

fn byte_of(body: &[u8], line: usize, column: usize) -> usize {
    let lines = body.split(|it| *it == b'\n').take(line.saturating_sub(1));
    let before: usize = lines.map(|it| it.len() + 1).sum();
    (before + column.saturating_sub(1)).min(body.len())
}

/// A key that is there twice, and the way to it, from the inside out.
#[derive(Debug)]
struct Duplicate {
    key: String,
    steps: Vec<String>,
}

/// Reads one value.
#[derive(Clone, Copy)]
struct Once<'d>(&'d RefCell<Option<Duplicate>>);

impl Once<'_> {
    fn within<E>(self, error: E, step: impl fmt::Display) -> E {
        if let Some(duplicate) = self.0.borrow_mut().as_mut() {
            duplicate.steps.push(step.to_string().replace('~', "~0").replace('/', "~1"));
        }
        error
    }
}

impl<'de> DeserializeSeed<'de> for Once<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Once<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) =
            elements.next_element_seed(self).map_err(|error| self.within(error, list.len()))?
        {
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                self.0.replace(Some(Duplicate { key: key.clone(), steps: Vec::new() }));
                return Err(self.within(A::Error::custom("a key is written twice"), &key));
            }
            let value = entries.next_value_seed(self).map_err(|error| self.within(error, &key))?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}
