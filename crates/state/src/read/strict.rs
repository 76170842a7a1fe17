//! JSON that says nothing twice: of two equal keys, other readers drop one silently.

use std::{cell::RefCell, fmt};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Deserializer as Text, Error as JsonError, Map, Value as Json};

use super::{Unreadable, place};

/// Collections inside each other that are read.
pub(crate) const DEPTH: usize = 120;

/// Reads a text.
pub(super) fn read(text: &str) -> Result<Json, Unreadable> {
    let wrong = RefCell::new(None);
    let mut reader = Text::from_str(text);
    let json = Strict { depth: 0, wrong: &wrong }.deserialize(&mut reader);
    json.and_then(|json| reader.end().map(|()| json)).map_err(|error| {
        let why = wrong.take().unwrap_or_else(|| format!("it is not JSON: {}", reason(&error)));
        place::unreadable(text, offset(text, &error), why)
    })
}

/// What serde says without the place, which is said beside it.
fn reason(error: &JsonError) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

fn offset(text: &str, error: &JsonError) -> usize {
    let before = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let line: usize = before.map(str::len).sum();
    // Its columns count bytes, from 1.
    text.floor_char_boundary(line + error.column().saturating_sub(1))
}

#[derive(Clone, Copy)]
struct Strict<'w> {
    depth: usize,
    wrong: &'w RefCell<Option<String>>,
}

impl Strict<'_> {
    fn refuse<E: Error>(&self, wrong: String) -> E {
        self.wrong.replace(Some(wrong));
        E::custom("refused")
    }

    fn inside<E: Error>(self) -> Result<Self, E> {
        if self.depth < DEPTH {
            Ok(Self { depth: self.depth + 1, ..self })
        } else {
            Err(self.refuse("it is nested too deep".into()))
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
                return Err(self.refuse(format!("the key `{key}` stands twice in one object")));
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
    fn what_is_said_once_is_read_as_others_read_it() {
        for text in
            ["{\"a\": [1, -2, 1.5, 18446744073709551615, \"x\", null, true], \"b\": {\"a\": {}}}", "[]", "1"]
        {
            assert_eq!(read(text).ok(), serde_json::from_str::<Json>(text).ok(), "{text}");
        }
    }

    #[test]
    fn what_is_said_twice_or_too_deep_or_not_at_all_is_refused() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(read(&nested(DEPTH)).is_ok());
        for (text, why, line, column) in [
            ("{\"a\": {\"b\": 1,\n \"b\": 2}}", "the key `b` stands twice in one object", 2, 4),
            ("{\"a\": 1} 2", "it is not JSON: trailing characters", 1, 10),
        ] {
            assert_eq!(read(text), Err(Unreadable { why: why.into(), line, column }));
        }
        for levels in [DEPTH + 1, 100_000] {
            let why = read(&nested(levels)).map_err(|it| it.why);
            assert_eq!(why, Err("it is nested too deep".into()));
        }
    }
}
