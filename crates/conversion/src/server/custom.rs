//! Methods that specifications add: the same method of the new version, with converted names and resources.

use api::{Match, Problem};
use fields::FieldPath;
use http::{Request, request::Parts};
use serde_json::Value;
use spec::{Method, Service, skeleton::Text, snake_case};

use super::{
    parameters::{self, no_method, wrong_encoding},
    request::{Call, Converted, gone, with_query},
    resource,
    response::{ResponseConversion, ResponseShape},
};
use crate::{Direction, KindConversion, ParentUse};

/// The method of the new version: the replacement that the old specification names, or the one of the same name.
pub(super) fn found(call: &Call) -> Result<Match, Problem> {
    let old = call.old_method().ok_or_else(gone)?;
    let service = call.conversion.new_version().ok_or_else(gone)?;
    let (api, method) = counterpart(call, old, service).ok_or_else(|| no_method(&old.name))?;
    let fields = call.old.fields.iter().map(|(field, text)| {
        let text = match call.kind().filter(|_| is_named(old, field)) {
            Some(kind) => text_of(kind, old, field, text)?,
            None => text.clone(),
        };
        Ok((field.clone(), text))
    });
    let routes = service.apis.get(api).and_then(|it| it.methods.get(method)).map_or(&[][..], |it| &it.routes);
    let body = old.routes.get(call.old.route).map_or("", |it| &it.body);
    let route = routes.iter().position(|it| *it.body == *body).unwrap_or_default();
    Ok(Match {
        service: call.conversion.new,
        api,
        method,
        route,
        fields: fields.collect::<Result<_, Problem>>()?,
    })
}

fn counterpart(call: &Call, old: &Method, service: &Service) -> Option<(usize, usize)> {
    let named =
        old.replacement.as_ref().map_or(&*old.name, |it| it.value.rsplit('/').next().unwrap_or_default());
    let find = |api: usize| {
        let methods = &service.apis.get(api)?.methods;
        methods.iter().position(|it| it.standard.is_none() && *it.name == *named).map(|method| (api, method))
    };
    let of_kind = call.kind().and_then(|kind| {
        service.apis.iter().position(|it| it.kind == Some(kind.kind.new.kind)).and_then(find)
    });
    of_kind.or_else(|| (0..service.apis.len()).find_map(find))
}

fn is_named(method: &Method, field: &str) -> bool {
    let paths = &method.request_paths;
    let is = |all: &[Text]| all.iter().any(|it| *it.value == *field);
    is(&paths.resource_name) || is(&paths.resource_parent) || field.ends_with(".name")
}

/// A name or a parent of the new version.
fn text_of(kind: KindConversion<'_>, method: &Method, field: &str, text: &str) -> Result<String, Problem> {
    if method.request_paths.resource_parent.iter().any(|it| *it.value == *field) {
        let parent = kind.parent(Direction::ToNew, text, ParentUse::List);
        return Ok(parent.unwrap_or_else(|| text.to_owned()));
    }
    parameters::name(kind, field, text)
}

/// The request to the new version.
pub(super) fn convert(call: Call, found: Match, mut head: Parts, body: &[u8]) -> Result<Converted, Problem> {
    let sent = api::read_body(&head, body)?;
    let body = match (sent, call.kind(), call.old_method()) {
        (Some(sent), Some(kind), Some(method)) => {
            let field = method.routes.get(call.old.route).map_or("", |it| &it.body);
            converted(kind, method, sent, field)?.to_string().into_bytes()
        }
        _ => body.to_vec(),
    };
    let query = query(&call, head.uri.query().unwrap_or_default())?;
    head.uri = with_query(&head.uri, &parameters::query(&query));
    let response = ResponseConversion {
        shape: ResponseShape::Custom(call.old.clone()),
        selected: None,
        kind: call.kind,
        conversion: call.conversion.clone(),
    };
    Ok(Converted { found, request: Request::from_parts(head, body), response })
}

/// The parameters of a query, of which some are names.
fn query(call: &Call, text: &str) -> Result<Vec<(String, Value)>, Problem> {
    let pairs = api::query_pairs(text).ok_or_else(wrong_encoding)?;
    let converted = pairs.into_iter().map(|(name, text)| {
        let method = call.old_method().ok_or_else(gone)?;
        let field = snake_case(&name);
        let text = match call.kind().filter(|_| is_named(method, &field)) {
            Some(kind) => text_of(kind, method, &field, &text)?,
            None => text,
        };
        Ok((name, Value::String(text)))
    });
    converted.collect()
}

/// A body with the names and resources that its method says it has.
fn converted(
    kind: KindConversion<'_>,
    method: &Method,
    mut sent: Value,
    field: &str,
) -> Result<Value, Problem> {
    let paths = &method.request_paths;
    let inside = |path: &Text| {
        let path = FieldPath::parse(&path.value).ok()?;
        match field {
            "" | "*" => Some(path),
            field => path.below(&FieldPath::of_names([field])),
        }
    };
    for text in paths.resource_name.iter().chain(&paths.resource_parent) {
        let Some(path) = inside(text).filter(|it| !it.is_empty()) else { continue };
        if let Some(name) = path.get(&sent).and_then(Value::as_str) {
            let name = text_of(kind, method, &text.value, name)?;
            drop(path.set(&mut sent, Value::String(name)));
        }
    }
    for text in &paths.resource_body {
        let Some(path) = inside(text) else { continue };
        if path.is_empty() {
            return resource::converted(kind, &sent, false);
        }
        if let Some(body) = path.get(&sent) {
            let body = resource::converted(kind, body, false)?;
            drop(path.set(&mut sent, body));
        }
    }
    Ok(sent)
}

/// A response with the names and resources that its method says it has.
pub(super) fn response(kind: KindConversion<'_>, method: &Method, mut answer: Value) -> Value {
    let paths = &method.response_paths;
    for text in &paths.resource_name {
        let Ok(path) = FieldPath::parse(&text.value) else { continue };
        if let Some(name) =
            path.get(&answer).and_then(Value::as_str).and_then(|it| kind.name(Direction::ToOld, it))
        {
            drop(path.set(&mut answer, Value::String(name)));
        }
    }
    for text in &paths.resource_body {
        let Ok(path) = FieldPath::parse(&text.value) else { continue };
        if let Some(body) = path.get(&answer).and_then(|it| kind.value(Direction::ToOld, it).ok()) {
            drop(path.set(&mut answer, body));
        }
    }
    let is_resource = kind.new_kind().is_some_and(|it| *method.response == *it.name);
    match is_resource && paths.resource_body.is_empty() {
        true => kind.value(Direction::ToOld, &answer).unwrap_or(answer),
        false => answer,
    }
}
