//! The parameters of a request: those of its path, its query and its body, read by name and type.

use std::collections::BTreeMap;

use fields::{FieldMask, schema::lower_camel};
use serde_json::{Map, Value};

use crate::{Problem, Violation, codes, json};

/// The parameters by their names in JSON. Each is read once; [`finish`](Self::finish) refuses the others.
#[derive(Debug, Default)]
pub(crate) struct Parameters {
    given: BTreeMap<String, Vec<Value>>,
    known: Vec<&'static str>,
}

const CODE: &str = codes::PARAMETER.as_str();

impl Parameters {
    /// Those of a query and, for methods whose body is the request, of a body. Names may be in `snake_case`, too.
    ///
    /// # Errors
    /// If something is given in both, or the body is not an object.
    pub(crate) fn new(query: Vec<(String, String)>, body: Option<Value>) -> Result<Self, Problem> {
        let mut given: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for (name, value) in query {
            given.entry(lower_camel(&name)).or_default().push(Value::String(value));
        }
        let body = match body {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(body)) => body,
            Some(_) => return Err(Problem::body_not_an_object()),
        };
        for (name, value) in body {
            let name = lower_camel(&name);
            if given.contains_key(&name) {
                let message = "it is given more than once";
                return Err(Problem::parameter(Violation::new(&name, CODE, message)));
            }
            if !value.is_null() {
                given.insert(name, vec![value]);
            }
        }
        Ok(Self { given, known: Vec::new() })
    }

    /// The texts of a parameter that is read later.
    pub(crate) fn peek(&self, name: &str) -> impl Iterator<Item = &str> {
        self.given.get(name).into_iter().flatten().flat_map(each).filter_map(Value::as_str)
    }

    /// A text; `None` if it is absent or empty.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<Option<String>, Problem> {
        let value = self.single(name)?;
        match value {
            None => Ok(None),
            Some(Value::String(text)) => Ok((!text.is_empty()).then_some(text)),
            Some(_) => Err(wrong(name, "it has to be a text")),
        }
    }

    /// Texts, of a parameter that is repeated.
    pub(crate) fn texts(&mut self, name: &'static str) -> Result<Vec<String>, Problem> {
        self.known.push(name);
        let values = self.given.remove(name).unwrap_or_default();
        let text =
            |it: &Value| it.as_str().map(str::to_owned).ok_or_else(|| wrong(name, "it has to be texts"));
        values.iter().flat_map(each).map(text).collect()
    }

    pub(crate) fn flag(&mut self, name: &'static str) -> Result<bool, Problem> {
        match self.single(name)? {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(Value::String(text)) if matches!(&*text, "true" | "1") => Ok(true),
            Some(Value::String(text)) if matches!(&*text, "false" | "0") => Ok(false),
            Some(_) => Err(wrong(name, "it has to be `true` or `false`")),
        }
    }

    /// A whole number from 0.
    pub(crate) fn number(&mut self, name: &'static str) -> Result<Option<u64>, Problem> {
        let number = match self.single(name)? {
            None => return Ok(None),
            Some(Value::Number(number)) => number.as_u64(),
            Some(Value::String(text)) if text.is_empty() => return Ok(None),
            Some(Value::String(text)) => text.parse().ok(),
            Some(_) => None,
        };
        number.map(Some).ok_or_else(|| wrong(name, "it has to be a whole number from 0"))
    }

    /// A mask of fields; `None` if it is absent.
    pub(crate) fn mask(&mut self, name: &'static str) -> Result<Option<FieldMask>, Problem> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let mask = FieldMask::parse_json(&text).or_else(|_| FieldMask::parse(&text));
        mask.map(Some).map_err(|error| Problem::parameter(Violation::of_text(name, &error)))
    }

    /// Any JSON; a text of a query is parsed.
    pub(crate) fn json(&mut self, name: &'static str) -> Result<Option<Value>, Problem> {
        match self.single(name)? {
            Some(Value::String(text)) => json::parse(text.as_bytes()).map(Some).map_err(|error| {
                let what = if error.is_duplicate { "it is ambiguous" } else { "it is not JSON" };
                let violation = Violation::new(name, CODE, format!("{what}: {}", error.message));
                Problem::parameter(violation.at(error.byte))
            }),
            value => Ok(value),
        }
    }

    /// Refuses parameters that were not read.
    pub(crate) fn finish(self) -> Result<(), Problem> {
        let Some((name, _)) = self.given.into_iter().next() else { return Ok(()) };
        let known: Vec<String> = self.known.iter().map(|it| format!("`{it}`")).collect();
        let help = match known.is_empty() {
            true => "the method has no parameters".to_owned(),
            false => format!("the parameters are {}", known.join(", ")),
        };
        Err(Problem::parameter(Violation::new(&name, CODE, "there is no such parameter").help(help)))
    }

    fn single(&mut self, name: &'static str) -> Result<Option<Value>, Problem> {
        self.known.push(name);
        let mut values = self.given.remove(name).unwrap_or_default();
        match values.len() {
            0 | 1 => Ok(values.pop()),
            _ => Err(wrong(name, "it is given more than once")),
        }
    }
}

/// The values of a parameter that may be repeated: those of a query one by one, those of a body as a list.
fn each(value: &Value) -> &[Value] {
    match value {
        Value::Array(values) => values,
        value => std::slice::from_ref(value),
    }
}

fn wrong(name: &str, message: &str) -> Problem {
    Problem::parameter(Violation::new(name, CODE, message))
}
