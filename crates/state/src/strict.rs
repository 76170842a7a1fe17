//! Reads JSON without repeated keys: of two equal keys, other readers silently drop one.

use std::{cell::Cell, fmt};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Deserializer as Text, Error as JsonError, Map, Value as Json};

/// The highest nesting depth; a descriptor may have about as much.
pub(crate) const DEPTH: usize = 120;

/// The reason why a text cannot be read.
#[derive(Debug)]
pub enum ParseError {
    /// It is not JSON.
    Broken(JsonError),
    /// An object has a repeated key; the place is after the second one.
    Twice(String, JsonError),
    /// The nesting is too deep.
    TooDeep(JsonError),
}

/// Reads a text.
///
/// # Errors
/// [`ParseError`], with its place.
pub fn read(text: &str) -> Result<Json, ParseError> {
    let wrong = Cell::new(None);
    let mut reader = Text::from_str(text);
    let json = Strict { depth: 0, wrong: &wrong }.deserialize(&mut reader);
    let json = json.and_then(|json| reader.end().map(|()| json));
    json.map_err(|error| match wrong.take() {
        Some(StrictError::Twice(key)) => ParseError::Twice(key, error),
        Some(StrictError::TooDeep) => ParseError::TooDeep(error),
        None => ParseError::Broken(error),
    })
}

/// An error besides those of the grammar.
enum StrictError {
    Twice(String),
    TooDeep,
}

#[derive(Clone, Copy)]
struct Strict<'w> {
    depth: usize,
    wrong: &'w Cell<Option<StrictError>>,
}

impl Strict<'_> {
    fn refuse<E: Error>(&self, wrong: StrictError) -> E {
        self.wrong.set(Some(wrong));
        E::custom("refused")
    }

    fn inside<E: Error>(self) -> Result<Self, E> {
        if self.depth < DEPTH {
            Ok(Self { depth: self.depth + 1, ..self })
        } else {
            Err(self.refuse(StrictError::TooDeep))
        }
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Json, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, it: bool) -> Result<Json, E> {
        Ok(it.into())
    }

    fn visit_i64<E>(self, it: i64) -> Result<Json, E> {
        Ok(it.into())
    }

    fn visit_u64<E>(self, it: u64) -> Result<Json, E> {
        Ok(it.into())
    }

    fn visit_f64<E>(self, it: f64) -> Result<Json, E> {
        Ok(it.into())
    }

    fn visit_str<E>(self, it: &str) -> Result<Json, E> {
        Ok(it.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let inside = self.inside()?;
        let mut items = Vec::new();
        while let Some(item) = from.next_element_seed(inside)? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let inside = self.inside()?;
        let mut object = Map::new();
        while let Some(key) = from.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(self.refuse(StrictError::Twice(key)));
            }
            object.insert(key, from.next_value_seed(inside)?);
        }
        Ok(Json::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_json_agrees_with_serde() {
        for text in
            ["{\"a\": [1, -2, 1.5, 18446744073709551615, \"x\", null, true], \"b\": {\"a\": {}}}", "[]", "1"]
        {
            let json = read(text).ok();
            assert!(json.is_some(), "{text}");
            assert_eq!(json, serde_json::from_str::<Json>(text).ok());
        }
    }

    #[test]
    fn duplicate_keys_are_refused() {
        let found = read("{\"a\": {\"b\": 1,\n \"b\": 2}}");
        assert!(
            matches!(&found, Err(ParseError::Twice(key, at)) if key == "b" && at.line() == 2),
            "{found:?}"
        );
        assert!(matches!(read("{\"a\": 1} 2"), Err(ParseError::Broken(_))));
        assert!(matches!(read("{\"a\": "), Err(ParseError::Broken(_))));
    }

    #[test]
    fn deep_nesting_is_refused() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(read(&nested(DEPTH)).is_ok());
        assert!(matches!(read(&nested(DEPTH + 1)), Err(ParseError::TooDeep(_))));
        assert!(matches!(read(&nested(100_000)), Err(ParseError::TooDeep(_))));
    }
}
