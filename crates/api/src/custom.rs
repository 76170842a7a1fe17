//! The messages of requests to methods of the specification, and the resources that they name.

use fields::{
    FieldPath, MessageType,
    schema::{Schema, lower_camel},
};
use serde_json::{Map, Value};
use spec::{Method, Services, skeleton::Text};

use crate::{Problem, Violation, codes, values};

/// The fields of a request that its body has: all that the body is, or the field of the route that holds it.
///
/// # Errors
/// If the body has no fields.
pub(crate) fn body(body: Option<Value>, field: &str) -> Result<Map<String, Value>, Problem> {
    match (body, field) {
        (None | Some(Value::Null), _) => Ok(Map::new()),
        (Some(Value::Object(body)), "" | "*") => Ok(body),
        (Some(_), "" | "*") => Err(Problem::body_not_an_object()),
        (Some(body), field) => Ok(Map::from_iter([(lower_camel(field), body)])),
    }
}

/// Checks a request against its message, if a `.proto` file describes that. Fields of the query are texts, so their types are
/// not checked.
///
/// # Errors
/// Everything that is wrong with it, with its places.
pub(crate) fn check_message<'q>(
    schema: Option<&Schema>,
    method: &Method,
    request: &Value,
    query: impl Iterator<Item = &'q str> + Clone,
) -> Result<(), Problem> {
    let Some(message) = schema.and_then(|it| MessageType::new(it, &method.request)) else { return Ok(()) };
    let is_of_query = |pointer: &str| query.clone().any(|it| pointer.strip_prefix('/') == Some(it));
    let mut violations = fields::validate(request, message, None);
    violations.retain(|it| it.code != fields::codes::WRONG_TYPE || !is_of_query(&it.pointer));
    if violations.is_empty() {
        return Ok(());
    }
    Err(values::not_valid(format!("the request to `{}` is not valid", method.name), &violations))
}

/// The names of resources in a request, or those of parents; the root, whose name is empty, if there are none.
///
/// # Errors
/// If one of them is no name: what executes the method might take it for another one than was authorized.
pub(crate) fn names(services: &Services, method: &Method, request: &Value) -> Result<Vec<String>, Problem> {
    let paths = &method.request_paths;
    let all = [texts(&paths.resource_name, "", request)?, texts(&paths.resource_body, ".name", request)?];
    let parents = all.iter().all(Vec::is_empty);
    let names = match all.into_iter().find(|it| !it.is_empty()) {
        Some(names) => names,
        None => texts(&paths.resource_parent, "", request)?,
    };
    for (field, name) in &names {
        check(services, method, field, name, parents)?;
    }
    let names: Vec<String> = names.into_iter().map(|(_, name)| name).collect();
    Ok(if names.is_empty() { vec![String::new()] } else { names })
}

/// Checks that a text is a name of the method's kind, or of a parent of it.
fn check(
    services: &Services,
    method: &Method,
    field: &str,
    name: &str,
    is_parent: bool,
) -> Result<(), Problem> {
    let kind = method.kind.and_then(|it| services.kind(it));
    let wrong = match kind {
        Some(kind) if is_parent => kind.patterns.parse_parent(name).err(),
        Some(kind) => kind.patterns.parse(name).err(),
        None => return known(services, field, name),
    };
    wrong.map_or(Ok(()), |error| Err(Problem::parameter(Violation::of_name(field, &error))))
}

/// Checks that a text is the name of a resource of any kind, for methods that belong to none.
fn known(services: &Services, field: &str, name: &str) -> Result<(), Problem> {
    if services.kinds().any(|(_, kind)| kind.patterns.parse(name).is_ok()) {
        return Ok(());
    }
    Err(Problem::parameter(Violation::new(
        field,
        codes::NAME.as_str(),
        format!("`{name}` is not the name of a resource"),
    )))
}

/// The texts in the fields of a request by which the specification routes it (`multiRegionRouting`): ids of regions, or names of
/// resources.
#[cfg(feature = "neighbors")]
pub(crate) fn routing_texts(paths: &[std::sync::Arc<str>], request: &Value) -> Vec<String> {
    let paths = paths.iter().filter_map(|it| FieldPath::parse(it).ok());
    let found = paths.flat_map(|path| {
        let texts = path.get_all(request).into_iter().filter_map(|it| it.value.as_str());
        texts.filter(|it| !it.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    });
    found.collect()
}

/// The texts at some paths, each with its field. Empty ones are left out.
fn texts(paths: &[Text], more: &str, request: &Value) -> Result<Vec<(String, String)>, Problem> {
    let mut found = Vec::new();
    for path in paths {
        let Ok(path) = FieldPath::parse(&format!("{}{more}", path.value)) else { continue };
        for it in path.get_all(request) {
            let field = format!("#{}", it.pointer);
            match it.value {
                Value::Array(items) => {
                    for item in items {
                        found.push((field.clone(), text(&field, item)?));
                    }
                }
                value => found.push((field.clone(), text(&field, value)?)),
            }
        }
    }
    Ok(found.into_iter().filter(|(_, text)| !text.is_empty()).collect())
}

fn text(field: &str, value: &Value) -> Result<String, Problem> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Null => Ok(String::new()),
        _ => Err(Problem::parameter(Violation::new(
            field,
            codes::NAME.as_str(),
            "it has to be the name of a resource",
        ))),
    }
}
