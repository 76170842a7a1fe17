//! The operation of a route.

use std::collections::BTreeSet;

use fields::schema::{Field, FieldType, Message};
use serde_json::{Map, Value, json};
use spec::{Api, Method, Route, StandardMethod};

use super::{
    REFS, parameters,
    path::{self, Template},
    problems, responses,
};
use crate::{
    Definition,
    schemas::{Schemas, is_required},
    text,
};

/// A route with all that describes it.
#[derive(Clone, Copy)]
pub(super) struct Operation<'a> {
    pub(super) definition: Definition<'a>,
    pub(super) api: &'a Api,
    pub(super) method: &'a Method,
    pub(super) route: &'a Route,
    /// The place of the route among those of the method.
    pub(super) at: usize,
    pub(super) template: &'a Template,
}

/// The place of the fields of a request besides the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body<'a> {
    /// In the query.
    None,
    /// One field is the body, the others are in the query.
    Field(&'a str),
    /// In the body.
    Whole,
}

impl<'a> Operation<'a> {
    pub(super) fn value(self) -> Value {
        let mut operation = Map::new();
        let mut set = |key: &str, value: Value| drop(operation.insert(key.to_owned(), value));
        set("operationId", json!(self.id()));
        set("tags", json!([&*self.api.name]));
        set("summary", json!(text::summary(self.method, self.definition)));
        let parameters = parameters::of(self);
        if !parameters.is_empty() {
            set("parameters", Value::Array(parameters));
        }
        if let Some(body) = self.request_body() {
            set("requestBody", body);
        }
        let mut all = Map::new();
        all.insert("200".to_owned(), responses::of(self));
        if self.is_versioned_read() {
            all.insert("304".to_owned(), responses::not_modified());
        }
        all.extend(problems::of(self.method, self.body() != Body::None));
        set("responses", Value::Object(all));
        let permission = spec::permission_name(&self.definition.service.name, &self.method.permission);
        set("x-permission", json!(permission));
        let package = &self.definition.service.package;
        set("x-rpc", json!(format!("{package}.{}/{}", self.api.name, self.method.name)));
        Value::Object(operation)
    }

    /// True if it reads one resource, which has a version.
    pub(super) fn is_versioned_read(self) -> bool {
        self.method.standard == Some(StandardMethod::Get) && self.has_version()
    }

    /// True if its resource has a version.
    pub(super) fn has_version(self) -> bool {
        self.definition.kind_of(self.method).is_some_and(|it| it.features.metadata_field)
    }

    /// Names of methods have no `_`, so the number of a further route cannot be part of another name.
    fn id(self) -> String {
        let number = if self.at == 0 { String::new() } else { format!("_{}", self.at + 1) };
        format!("{}_{}{number}", self.api.name, self.method.name)
    }

    pub(super) fn request(self) -> Option<&'a Message> {
        self.definition.message(&self.method.request)
    }

    /// The same in all routes of a method.
    pub(super) fn body(self) -> Body<'a> {
        let named = self.method.routes.iter().map(|it| &*it.body).find(|it| !it.is_empty());
        match (&*self.route.method, named) {
            (_, Some("*")) => Body::Whole,
            (_, Some(field)) => Body::Field(field),
            ("GET" | "DELETE", None) => Body::None,
            (_, None) => Body::Whole,
        }
    }

    fn request_body(self) -> Option<Value> {
        let (schema, required) = match self.body() {
            Body::None => return None,
            Body::Field(name) => (self.with_required(name, self.field_schema(name)), true),
            Body::Whole => (self.whole_schema(), false),
        };
        let media = if self.method.client_streaming { responses::NDJSON } else { "application/json" };
        let schema = match self.method.client_streaming {
            true => json!({"type": "array", "items": schema}),
            false => schema,
        };
        let mut body = json!({"required": required, "content": {media: {"schema": schema}}});
        if let (Some(body), Some(text)) = (body.as_object_mut(), self.body_text()) {
            body.insert("description".to_owned(), json!(text));
        }
        Some(body)
    }

    fn body_text(self) -> Option<&'static str> {
        match self.method.standard {
            Some(StandardMethod::Create) => Some(
                "The resource. Its `name` may be absent or empty: the server then generates an id. If it is set, it is below the parent in the path.",
            ),
            Some(StandardMethod::Update) => {
                Some("The resource. Its `name` may be absent; if it is set, it is that of the path.")
            }
            _ if self.method.client_streaming => Some("A message a line."),
            _ if self.body() == Body::Whole => {
                Some("The fields of the request that the path does not have. May be absent, which is `{}`.")
            }
            _ => None,
        }
    }

    fn schemas(self) -> Schemas<'a> {
        Schemas { schema: self.definition.schema, refs: REFS, requires: false }
    }

    fn field_schema(self, name: &str) -> Value {
        let field = self.request().and_then(|it| it.field(name));
        field.map_or_else(|| json!({"type": "object"}), |it| self.schemas().field(it))
    }

    /// A new resource has its required fields. Other bodies may leave them out, if a mask does not name them.
    fn with_required(self, name: &str, schema: Value) -> Value {
        let resource = match self.request().and_then(|it| it.field(name)).map(|it| &it.ty) {
            Some(FieldType::Message(message)) => self.definition.message(message),
            _ => None,
        };
        let fields = resource.into_iter().flat_map(|it| &it.fields);
        let required: Vec<String> = fields.filter(|it| is_required(it)).map(Field::json_name).collect();
        match self.method.standard {
            Some(StandardMethod::Create) if !required.is_empty() => {
                json!({"allOf": [schema, {"required": required}]})
            }
            _ => schema,
        }
    }

    /// Fields in the path are not repeated in the body.
    fn whole_schema(self) -> Value {
        let Some(request) = self.request() else { return json!({"type": "object"}) };
        self.schemas().message(request, &self.bound())
    }

    /// The fields that the path of any route has: where another route does not have them, they are empty.
    pub(super) fn bound(self) -> BTreeSet<&'a str> {
        self.method.routes.iter().flat_map(path::fields).collect()
    }
}
