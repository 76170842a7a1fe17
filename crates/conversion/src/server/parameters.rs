//! The parameters of requests to standard methods.

use api::Problem;
use fields::{
    BySegment, FieldMask, FieldPath, Filter, MessageType, OrderBy, View, Views, schema::lower_camel,
};
use serde_json::{Map, Value};

use super::{
    problem::{no_name, of_name, of_text, part, unconvertible},
    resource,
};
use crate::{Direction, KindConversion, codes};

/// The parameters of a request while they are converted.
pub(super) struct Parameters<'a> {
    kind: KindConversion<'a>,
    given: Vec<(String, Value)>,
    /// The fields of the old version that the response has; `None` for all.
    pub(super) selected: Option<FieldMask>,
    /// The request has a mask of fields to change.
    pub(super) has_update_mask: bool,
}

impl<'a> Parameters<'a> {
    /// Those of a query and of a body that is the request.
    pub(super) fn new(kind: KindConversion<'a>, query: Vec<(String, String)>, body: Option<Value>) -> Self {
        let mut given: Vec<(String, Value)> =
            query.into_iter().map(|(name, it)| (lower_camel(&name), Value::String(it))).collect();
        if let Some(Value::Object(body)) = body {
            given.extend(body.into_iter().map(|(name, it)| (lower_camel(&name), it)));
        }
        let has_update_mask = given.iter().any(|(name, it)| name == "updateMask" && it.as_str() != Some(""));
        Self { kind, given, selected: None, has_update_mask }
    }

    /// The parameters of the request to the new version, by name.
    pub(super) fn converted(&mut self) -> Result<Vec<(String, Value)>, Problem> {
        self.select()?;
        let mut converted = Vec::new();
        for (name, value) in std::mem::take(&mut self.given) {
            let value = match &*name {
                "filter" => self.filter(&value)?,
                "orderBy" => self.order(&value)?,
                "updateMask" => self.update_mask(&value)?,
                "names" => self.names(&value)?,
                "cas" => self.condition(&value)?,
                "view" | "fieldMask" if self.is_selecting(&name, &value) => continue,
                _ => value,
            };
            converted.push((name, value));
        }
        if let Some(selected) = &self.selected {
            let mask = resource::mask(self.kind, selected);
            converted.push(("fieldMask".to_owned(), Value::String(mask.to_json())));
        }
        Ok(converted)
    }

    fn text(&self, name: &str) -> Option<&str> {
        let mut given = self.given.iter().filter(|(it, _)| it == name);
        let (_, only) = given.next().filter(|_| given.next().is_none())?;
        only.as_str().filter(|it| !it.is_empty())
    }

    fn old(&self) -> Option<MessageType<'a>> {
        self.kind.message(Direction::ToOld).filter(|it| !it.message().open)
    }

    /// Reads view and mask of the response, whose fields are those of the old version.
    fn select(&mut self) -> Result<(), Problem> {
        let view = self.text("view").and_then(View::named);
        let mask = self.text("fieldMask").map(|it| self.mask("fieldMask", it)).transpose()?;
        if view.is_none() && mask.is_none() {
            return Ok(());
        }
        if let Some(of) = self.kind.message(Direction::ToOld) {
            let selected = views(self.kind).select(view, mask.as_ref(), of);
            self.selected = Some(selected).filter(|it| !it.is_full());
        }
        Ok(())
    }

    /// True for a parameter that was read as what the response has; one that is wrong is reported by the new version.
    fn is_selecting(&self, name: &str, value: &Value) -> bool {
        let text = value.as_str().unwrap_or_default();
        text.is_empty() || name == "fieldMask" || View::named(text).is_some()
    }

    fn mask(&self, name: &str, text: &str) -> Result<FieldMask, Problem> {
        let mask = FieldMask::parse_json(text).or_else(|_| FieldMask::parse(text));
        let mask = mask.map_err(|error| of_text(name, &error))?;
        match self.old() {
            Some(of) => mask.typed(of).map_err(|error| of_text(name, &error)),
            None => Ok(mask),
        }
    }

    fn update_mask(&self, value: &Value) -> Result<Value, Problem> {
        let Some(text) = value.as_str().filter(|it| !it.is_empty()) else { return Ok(value.clone()) };
        let mask = self.mask("updateMask", text)?;
        if let Some(of) = self.old() {
            mask.check_copy(of).map_err(|error| of_text("updateMask", &error))?;
        }
        Ok(Value::String(resource::mask(self.kind, &mask).to_json()))
    }

    fn filter(&self, value: &Value) -> Result<Value, Problem> {
        let Some(text) = value.as_str() else { return Ok(value.clone()) };
        let filter = Filter::parse(text).map_err(|error| of_text("filter", &error))?;
        filter.bind(self.old(), &BySegment).map_err(|error| of_text("filter", &error))?;
        let converted = self.kind.filter(&filter).map_err(|error| unconvertible("filter", error))?;
        Ok(Value::String(if converted.is_all() { String::new() } else { converted.to_string() }))
    }

    fn order(&self, value: &Value) -> Result<Value, Problem> {
        let Some(text) = value.as_str() else { return Ok(value.clone()) };
        let order = OrderBy::parse(text).map_err(|error| of_text("orderBy", &error))?;
        order.bind(self.old()).map_err(|error| of_text("orderBy", &error))?;
        let converted = self.kind.order(&order).map_err(|error| unconvertible("orderBy", error))?;
        Ok(Value::String(converted.to_string()))
    }

    fn names(&self, value: &Value) -> Result<Value, Problem> {
        match value {
            Value::Array(items) => items.iter().map(|it| self.names(it)).collect(),
            Value::String(text) => name(self.kind, "names", text).map(Value::String),
            value => Ok(value.clone()),
        }
    }

    /// The condition of an update: fields, and the values that they have.
    fn condition(&self, value: &Value) -> Result<Value, Problem> {
        let parsed = value.as_str().and_then(|it| serde_json::from_str::<Value>(it).ok());
        let Value::Object(mut condition) = parsed.unwrap_or_else(|| value.clone()) else {
            return Ok(value.clone());
        };
        if let Some(state) = condition.get_mut("conditionalState") {
            *state = resource::converted(self.kind, state, false)?;
        }
        if let Some(mask) = condition.get_mut("fieldMask")
            && let Some(text) = mask.as_str().filter(|it| !it.is_empty())
        {
            let converted = self.mask("cas", text)?;
            *mask = Value::String(resource::mask(self.kind, &converted).to_json());
        }
        Ok(match value.is_string() {
            true => Value::String(Value::Object(condition).to_string()),
            false => Value::Object(condition),
        })
    }
}

/// The name of one resource in the new version.
pub(super) fn name(kind: KindConversion<'_>, field: &str, text: &str) -> Result<String, Problem> {
    let Some(old) = kind.old_kind() else { return Ok(text.to_owned()) };
    old.patterns.parse_concrete(text).map_err(|error| of_name(field, &error))?;
    kind.name(Direction::ToNew, text).ok_or_else(|| no_name(field, text))
}

/// The views of the old version.
fn views(kind: KindConversion<'_>) -> Views {
    let mask = |paths: &[spec::skeleton::Text]| {
        let paths = paths.iter().filter_map(|it| FieldPath::parse(&it.value).ok());
        FieldMask::new(paths).ok()
    };
    let views = kind.old_kind().into_iter().flat_map(|it| &it.views);
    let defined = views.filter_map(|(name, paths)| Some((View::named(&name.value)?, mask(paths)?)));
    Views { defined: defined.collect() }
}

/// Parameters as the query of a request; what is no text is JSON.
pub(super) fn query(parameters: &[(String, Value)]) -> String {
    let texts = |value: &Value| match value {
        Value::Array(items) => items.iter().map(plain).collect(),
        value => vec![plain(value)],
    };
    let pairs = parameters.iter().flat_map(|(name, value)| {
        texts(value).into_iter().map(move |it| format!("{name}={}", protocol::percent_encoded(&it)))
    });
    pairs.collect::<Vec<_>>().join("&")
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Parameters as the body of a request.
pub(super) fn body(parameters: Vec<(String, Value)>) -> Value {
    Value::Object(parameters.into_iter().collect::<Map<_, _>>())
}

/// The problem of a query that is encoded wrongly.
pub(super) fn wrong_encoding() -> Problem {
    Problem::invalid_argument("the query is encoded wrongly")
}

/// The problem of a method that only the old version has.
pub(super) fn no_method(name: &str) -> Problem {
    let message = format!("`{name}` has no counterpart in the version in which resources are stored");
    let violation = part(name, codes::METHOD.as_str(), message, "use another method".to_owned());
    Problem { violations: violation.violations, ..Problem::unimplemented(violation.detail) }
}
