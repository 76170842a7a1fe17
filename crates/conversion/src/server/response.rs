use std::rc::Rc;

use api::{LongBody, Match, Reply, UNCHECKED_REFERENCES};
use fields::FieldMask;
use http::{HeaderValue, Response, header::CONTENT_TYPE};
use serde_json::{Map, Value};
use spec::{KindId, StandardMethod};

use super::{custom, method, names::old_names, problem::ProblemWords, stream::ConvertedStream};
use crate::{Conversion, Direction, KindConversion};

/// The way back from a response of the new version.
#[derive(Clone)]
pub(super) struct ResponseConversion {
    pub(super) conversion: Rc<Conversion>,
    /// The resource type of the method, in the old version.
    pub(super) kind: Option<KindId>,
    pub(super) shape: ResponseShape,
    /// The fields of the old version that the response has; `None` for all.
    pub(super) selected: Option<FieldMask>,
}

/// What a response is.
#[derive(Clone)]
pub(super) enum ResponseShape {
    /// That of a standard method.
    Standard(StandardMethod),
    /// That of a method that the old specification adds.
    Custom(Match),
}

impl ResponseConversion {
    /// A reply in the old version.
    pub(super) fn reply(self, reply: Reply) -> Reply {
        match reply {
            Reply::Whole(response) => Reply::Whole(self.response(response)),
            Reply::Later(response) => Reply::Later(Box::pin(async move { self.response(response.await) })),
            Reply::Stream(response) => {
                Reply::Stream(response.map(|it| Box::pin(ConvertedStream::new(it, self)) as _))
            }
            Reply::Long(response) => Reply::Long(response.map(|LongBody { length, text }| LongBody {
                length: self.longest(length),
                text: Box::pin(async move { self.body(text.await) }),
            })),
        }
    }

    /// The length that a converted body may have: fields and constants of the old version may be longer.
    const fn longest(&self, length: usize) -> usize {
        length.saturating_mul(2)
    }

    fn response(&self, mut response: Response<Vec<u8>>) -> Response<Vec<u8>> {
        if let Some(places) = response.headers_mut().get_mut(UNCHECKED_REFERENCES) {
            self.convert_places(places);
        }
        let media = response.headers().get(CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default();
        if media.starts_with("application/problem+json") {
            let words = ProblemWords { conversion: &self.conversion, kind: self.kind() };
            let body = words.response(&response);
            return response.map(|it| body.unwrap_or(it));
        }
        match media.starts_with("application/json") {
            true => response.map(|it| self.body(it)),
            false => response,
        }
    }

    /// Names fields by their paths in the old version.
    fn convert_places(&self, places: &mut HeaderValue) {
        let words = ProblemWords { conversion: &self.conversion, kind: self.kind() };
        let text =
            places.to_str().unwrap_or_default().split(", ").map(|it| words.word(it)).collect::<Vec<_>>();
        if let Ok(converted) = HeaderValue::from_str(&text.join(", ")) {
            *places = converted;
        }
    }

    fn body(&self, body: Vec<u8>) -> Vec<u8> {
        let Ok(value) = serde_json::from_slice(&body) else { return body };
        self.value(value).to_string().into_bytes()
    }

    fn kind(&self) -> Option<KindConversion<'_>> {
        self.conversion.of_kind(self.kind?)
    }

    /// A message of the response.
    pub(super) fn value(&self, value: Value) -> Value {
        let Some(kind) = self.kind() else { return value };
        match &self.shape {
            ResponseShape::Standard(
                StandardMethod::Get | StandardMethod::Create | StandardMethod::Update,
            ) => self.resource(kind, value),
            ResponseShape::Standard(StandardMethod::Delete) => old_names(&self.conversion, value),
            ResponseShape::Standard(
                StandardMethod::BatchGet
                | StandardMethod::List
                | StandardMethod::Search
                | StandardMethod::Watch
                | StandardMethod::WatchCollection,
            ) => self.message(kind, &Words::of(kind), value),
            ResponseShape::Custom(old) => match method(&self.conversion.services, old) {
                Some(method) => custom::response(kind, method, value),
                None => value,
            },
        }
    }

    /// A resource, of which the selected fields are shown.
    fn resource(&self, kind: KindConversion<'_>, value: Value) -> Value {
        let Ok(converted) = kind.value(Direction::ToOld, &value) else { return value };
        match &self.selected {
            None => converted,
            Some(selected) => selected.project(&converted),
        }
    }

    /// A message with resources: of a list, or of a watch.
    fn message(&self, kind: KindConversion<'_>, words: &Words, value: Value) -> Value {
        let Value::Object(fields) = value else { return value };
        let field = |(key, value): (String, Value)| {
            if key == words.resource.1 {
                return (words.resource.0.clone(), self.named(kind, value));
            }
            if key == words.resources.1 {
                return (words.resources.0.clone(), self.each(value, |it| self.resource(kind, it)));
            }
            if key == words.changes.1 {
                return (words.changes.0.clone(), self.each(value, |it| self.message(kind, words, it)));
            }
            let value = match &*key {
                "name" | "missing" => old_names(&self.conversion, value),
                _ => self.message(kind, words, value),
            };
            (key, value)
        };
        Value::Object(fields.into_iter().map(field).collect::<Map<_, _>>())
    }

    /// A resource in a watch, which always has its name.
    fn named(&self, kind: KindConversion<'_>, value: Value) -> Value {
        let name = value.get("name").cloned().map(|it| old_names(&self.conversion, it));
        let mut resource = self.resource(kind, value);
        if let (Some(name), Some(fields)) = (name, resource.as_object_mut()) {
            fields.insert("name".to_owned(), name);
        }
        resource
    }

    fn each(&self, value: Value, convert: impl Fn(Value) -> Value) -> Value {
        match value {
            Value::Array(items) => items.into_iter().map(convert).collect(),
            value => value,
        }
    }
}

/// The names that fields of messages have by their resource type, in the old version and in the new one.
struct Words {
    resource: (String, String),
    resources: (String, String),
    changes: (String, String),
}

impl Words {
    fn of(kind: KindConversion<'_>) -> Self {
        let both = |of: fn(&spec::Kind) -> String| {
            (kind.old_kind().map(of).unwrap_or_default(), kind.new_kind().map(of).unwrap_or_default())
        };
        Self {
            resource: both(singular),
            resources: both(|it| it.collection.to_string()),
            changes: both(|it| format!("{}Changes", singular(it))),
        }
    }
}

fn singular(kind: &spec::Kind) -> String {
    let mut characters = kind.name.chars();
    let first = characters.next().map(|it| it.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}
