//! What requests to methods of the specification are about.

use fields::FieldPath;
use serde_json::Value;
use spec::{Method, skeleton::Text};

/// The names of resources in a request, or those of parents; the root, whose name is empty, if there are none.
pub(crate) fn names(method: &Method, request: &Value) -> Vec<String> {
    let paths = &method.request_paths;
    let all = [texts(&paths.resource_name, request), of_bodies(&paths.resource_body, request)];
    let names = all.into_iter().find(|it| !it.is_empty());
    let names = names.unwrap_or_else(|| texts(&paths.resource_parent, request));
    if names.is_empty() { vec![String::new()] } else { names }
}

fn of_bodies(paths: &[Text], request: &Value) -> Vec<String> {
    let names = paths.iter().filter_map(|it| FieldPath::parse(&format!("{}.name", it.value)).ok());
    names.flat_map(|it| all(&it, request)).collect()
}

fn texts(paths: &[Text], request: &Value) -> Vec<String> {
    let paths = paths.iter().filter_map(|it| FieldPath::parse(&it.value).ok());
    paths.flat_map(|it| all(&it, request)).collect()
}

fn all(path: &FieldPath, request: &Value) -> Vec<String> {
    let found = path.get_all(request).into_iter();
    let texts = found.flat_map(|it| match it.value {
        Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        value => value.as_str().map(str::to_owned).into_iter().collect::<Vec<_>>(),
    });
    texts.filter(|it| !it.is_empty()).collect()
}
