//! The OpenAPI document of a service.

mod operation;
mod parameters;
mod path;
mod preview;
mod problems;
mod responses;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use spec::{Api, Method, Route};

use crate::{
    Definition,
    schemas::{Schemas, reachable},
};
use operation::Operation;
use path::Template;

const REFS: &str = "#/components/schemas/";

/// The OpenAPI 3.1 document of a service: the contract of its server over HTTP.
///
/// Every route of every method is an operation. It follows the `google.api.http` rules of the specification, except that
///
/// - a variable is one id: `/v1/{name=projects/*/secrets/*}` is `/v1/projects/{project}/secrets/{secret}`. A `/` in an id is
///   written as `%2F`;
/// - requests by POST, PUT and PATCH always have their fields in a JSON body, in all routes alike: the field that the
///   rule names, or else all of those that are not in the path. Goten's rules have a body in the first route only, and none
///   for watches;
/// - updates and deletions take the resource's version in the header `If-Match`, updates `cas` as JSON in the query, and
///   deletions `validateOnly`, which answers with what they would do; `response_mask` has no form over HTTP;
/// - reads of a resource take the versions that the client has in `If-None-Match`, and answer with 304 if it is one of them;
/// - streams are `application/x-ndjson`, a message a line, or `text/event-stream`, a message an event, as the client
///   accepts;
/// - errors are `application/problem+json` (RFC 9457).
///
/// If two methods have one route, the first one is described, and `x-same-route` names the other.
pub fn openapi(it: Definition<'_>) -> Value {
    let paths = paths(it);
    let components = components(it, &paths);
    let tags: Vec<Value> = it.service.apis.iter().map(|api| tag(it, api)).collect();
    let server = json!({"url": format!("https://{}", it.service.default_host)});
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": format!("{} API", it.short_name()),
            "version": &*it.service.version,
            "description": format!("The resources and methods of `{}`.", it.service.name),
        },
        "servers": [server],
        "security": [{"bearer": []}],
        "tags": tags,
        "paths": paths,
        "components": components,
    })
}

fn tag(it: Definition<'_>, api: &Api) -> Value {
    let kind = api.kind.and_then(|at| it.service.kinds.get(at));
    match kind {
        Some(kind) => {
            json!({"name": &*api.name, "description": format!("Resources of the kind `{}`.", kind.name)})
        }
        None => json!({"name": &*api.name}),
    }
}

/// The paths, in the order of methods. Paths of one form have the variables of the first of them.
fn paths(it: Definition<'_>) -> Map<String, Value> {
    let mut paths: Map<String, Value> = Map::new();
    let mut forms: BTreeMap<String, Template> = BTreeMap::new();
    for (api, method) in it.methods() {
        for (at, route) in method.routes.iter().enumerate() {
            let Some(verb) = verb(route) else { continue };
            let new = Template::of(route, method, it);
            let template = forms.entry(new.form.clone()).or_insert(new);
            let operations = paths.entry(template.text.clone()).or_insert_with(|| json!({}));
            let Some(operations) = operations.as_object_mut() else { continue };
            match operations.get_mut(verb) {
                Some(first) => same_route(first, api, method),
                None => {
                    let operation = Operation { definition: it, api, method, route, at, template };
                    operations.insert(verb.to_owned(), operation.value());
                }
            }
        }
    }
    paths
}

/// The name that OpenAPI has for the method of a route; `None` for methods that a path cannot have, which were reported.
fn verb(route: &Route) -> Option<&'static str> {
    match &*route.method {
        "GET" => Some("get"),
        "POST" => Some("post"),
        "PUT" => Some("put"),
        "PATCH" => Some("patch"),
        "DELETE" => Some("delete"),
        _ => None,
    }
}

fn same_route(first: &mut Value, api: &Api, method: &Method) {
    let Some(operation) = first.as_object_mut() else { return };
    let others = operation.entry("x-same-route").or_insert_with(|| json!([]));
    let name = json!(format!("{}.{}", api.name, method.name));
    if let Some(others) = others.as_array_mut().filter(|it| !it.contains(&name)) {
        others.push(name);
    }
}

fn components(it: Definition<'_>, paths: &Map<String, Value>) -> Value {
    let schemas = Schemas { schema: it.schema, refs: REFS, requires: false };
    let roots: Vec<&Value> = paths.values().collect();
    let mut all = schemas.all();
    all.insert(preview::SCHEMA.to_owned(), preview::schema());
    let mut used = reachable(all, REFS, &roots);
    used.insert(problems::SCHEMA.to_owned(), problems::schema());
    json!({
        "schemas": used,
        "responses": problems::responses(),
        "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
    })
}
