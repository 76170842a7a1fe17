use std::{fmt, str::FromStr, sync::Arc};

use fields::schema::lower_camel;
use serde_json::{Map, Value};

/// The place of references in a resource: names in `snake_case` with dots, `[]` for the elements of a list, `{}` for the
/// values of a map: `spec.image_pull_secrets[].name`. Elements of lists are found without `[]` too.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldPath {
    text: Arc<str>,
    steps: Arc<[Step]>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Step {
    /// A field, as the path and as JSON spell it.
    Field(Arc<str>, Arc<str>),
    Elements,
    Values,
}

/// The reason why a text is not a [`FieldPath`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidFieldPath;

impl fmt::Display for InvalidFieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field path is names with dots between them, each with `[]` or `{}` after it if it has several values")
    }
}

impl std::error::Error for InvalidFieldPath {}

impl FromStr for FieldPath {
    type Err = InvalidFieldPath;

    fn from_str(text: &str) -> Result<Self, InvalidFieldPath> {
        let mut steps = Vec::new();
        for part in text.split('.') {
            let name = part.trim_end_matches(['[', ']', '{', '}']);
            if name.is_empty() || !name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_') {
                return Err(InvalidFieldPath);
            }
            steps.push(Step::Field(name.into(), lower_camel(name).into()));
            suffixes(&part[name.len()..], &mut steps)?;
        }
        Ok(Self { text: text.into(), steps: steps.into() })
    }
}

fn suffixes(mut text: &str, steps: &mut Vec<Step>) -> Result<(), InvalidFieldPath> {
    while !text.is_empty() {
        let list = text.strip_prefix("[]").map(|rest| (Step::Elements, rest));
        let found = list.or_else(|| text.strip_prefix("{}").map(|rest| (Step::Values, rest)));
        let (step, rest) = found.ok_or(InvalidFieldPath)?;
        steps.push(step);
        text = rest;
    }
    Ok(())
}

fn remove(value: &mut Value, steps: &[Step]) {
    match (steps, value) {
        ([Step::Field(name, json), rest @ ..], Value::Object(map)) => {
            for name in [name, json] {
                if rest.iter().any(|it| matches!(it, Step::Field(..))) {
                    map.get_mut(&**name).into_iter().for_each(|it| remove(it, rest));
                } else {
                    map.remove(&**name);
                }
            }
        }
        ([Step::Elements, rest @ ..], Value::Array(items)) => {
            items.iter_mut().for_each(|it| remove(it, rest));
        }
        ([Step::Values, rest @ ..], Value::Object(map)) => {
            map.values_mut().for_each(|it| remove(it, rest));
        }
        _ => {}
    }
}

impl FieldPath {
    /// A path of fields only, by names in `snake_case`.
    pub(crate) fn fields(names: &[&str]) -> Self {
        let steps = names.iter().map(|name| Step::Field((*name).into(), lower_camel(name).into()));
        Self { text: names.join(".").into(), steps: steps.collect() }
    }

    /// The number of its fields, if a path of names begins with them.
    pub(crate) fn begins(&self, path: &[&str]) -> Option<usize> {
        let fields = self.steps.iter().filter_map(|step| match step {
            Step::Field(name, json) => Some([&**name, &**json]),
            Step::Elements | Step::Values => None,
        });
        let mut names = path.iter();
        let mut count = 0;
        for field in fields {
            names.next().filter(|name| field.contains(name))?;
            count += 1;
        }
        Some(count)
    }

    /// Removes the field that it leads to, with all that is in it, wherever it occurs.
    pub(crate) fn remove(&self, value: &mut Value) {
        remove(value, &self.steps);
    }

    /// Its text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The texts there, and where each is: `spec.image_pull_secrets[1].name`. Empty texts are absent.
    pub fn texts<'a>(&self, value: &'a Value) -> Vec<(String, &'a str)> {
        let mut found = Vec::new();
        collect(value, &self.steps, &mut String::new(), &mut found);
        found
    }

    /// Clears all that are `text`: a field is removed, and so is an element of a list or an entry of a map that is the
    /// text itself. Returns whether there were any.
    pub fn clear(&self, value: &mut Value, text: &str) -> bool {
        clear(value, &self.steps, text)
    }
}

fn collect<'a>(value: &'a Value, steps: &[Step], place: &mut String, found: &mut Vec<(String, &'a str)>) {
    let within = |part: String, inner: &'a Value, rest: &[Step], place: &mut String, found: &mut _| {
        let length = place.len();
        place.push_str(&part);
        collect(inner, rest, place, found);
        place.truncate(length);
    };
    match (steps.split_first(), value) {
        (Some((Step::Elements, rest)), Value::Array(items)) => {
            items
                .iter()
                .enumerate()
                .for_each(|(at, item)| within(format!("[{at}]"), item, rest, place, found));
        }
        (_, Value::Array(items)) => {
            items
                .iter()
                .enumerate()
                .for_each(|(at, item)| within(format!("[{at}]"), item, steps, place, found));
        }
        (Some((Step::Values, rest)), Value::Object(map)) => {
            map.iter().for_each(|(key, inner)| within(format!("{{{key}}}"), inner, rest, place, found));
        }
        (Some((Step::Field(name, json), rest)), Value::Object(map)) => {
            let dot = if place.is_empty() { "" } else { "." };
            if let Some(inner) = map.get(&**json).or_else(|| map.get(&**name)) {
                within(format!("{dot}{name}"), inner, rest, place, found);
            }
        }
        (None, Value::String(text)) if !text.is_empty() => found.push((place.clone(), text)),
        _ => {}
    }
}

fn clear(value: &mut Value, steps: &[Step], text: &str) -> bool {
    match (steps.split_first(), value) {
        (Some((Step::Elements, rest)), Value::Array(items)) => elements(items, rest, text),
        (_, Value::Array(items)) => elements(items, steps, text),
        (Some((Step::Values, rest)), Value::Object(map)) => {
            let before = map.len();
            map.retain(|_, inner| !(rest.is_empty() && inner.as_str() == Some(text)));
            let removed = before != map.len();
            map.values_mut().fold(removed, |any, inner| clear(inner, rest, text) | any)
        }
        (Some((Step::Field(name, json), rest)), Value::Object(map)) => field(map, [json, name], rest, text),
        _ => false,
    }
}

fn elements(items: &mut Vec<Value>, rest: &[Step], text: &str) -> bool {
    let before = items.len();
    items.retain(|item| !(rest.is_empty() && item.as_str() == Some(text)));
    let removed = before != items.len();
    items.iter_mut().fold(removed, |any, item| clear(item, rest, text) | any)
}

fn field(map: &mut Map<String, Value>, names: [&Arc<str>; 2], rest: &[Step], text: &str) -> bool {
    let Some(name) = names.into_iter().find(|name| map.contains_key(&***name)) else { return false };
    if rest.is_empty() && map.get(&**name).and_then(Value::as_str) == Some(text) {
        map.shift_remove(&**name);
        return true;
    }
    map.get_mut(&**name).is_some_and(|inner| clear(inner, rest, text))
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
