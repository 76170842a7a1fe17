//! Requests as they are sent.

use fields::schema::lower_camel;
use http::{
    HeaderName, HeaderValue, Request,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, IF_MATCH},
};
use protocol::percent_encoded;
use serde_json::{Map, Value};
use spec::{KindId, Method, StandardMethod};

use super::{Client, method, template};
use crate::{AccessError, ErrorKind, Version};

/// A request to a standard method.
#[derive(Clone, Debug, Default)]
pub(super) struct Outgoing {
    /// The name of the resource; empty if there is none.
    pub(super) name: String,
    /// The name of the parent; empty for the root.
    pub(super) parent: String,
    /// Other fields of the request, by their names in `snake_case`.
    pub(super) parameters: Vec<(&'static str, Vec<String>)>,
    /// The resource.
    pub(super) resource: Option<Value>,
    /// The version that it must have.
    pub(super) expected: Option<Version>,
}

impl Client {
    /// The request of a method by its first route that fits.
    pub(super) fn request(
        &self,
        id: KindId,
        standard: StandardMethod,
        outgoing: &Outgoing,
    ) -> Result<Request<Vec<u8>>, AccessError> {
        let method = method::find(&self.services, id, standard)?;
        let (http, path) = self.path(id, method, outgoing)?;
        let parameters = self.parameters(id, method, standard, outgoing);
        let (query, body) = query_and_body(method, &http, &path, parameters, outgoing);
        let uri = format!("{}{path}{query}", self.server.base);
        let builder = Request::builder().method(&*http).uri(uri);
        let request = builder.body(body.unwrap_or_default());
        let mut request = request.map_err(|error| {
            AccessError::new(ErrorKind::InvalidArgument, format!("the request cannot be sent: {error}"))
        })?;
        self.add_headers(request.headers_mut(), outgoing.expected.as_ref());
        Ok(request)
    }

    fn path(
        &self,
        id: KindId,
        method: &Method,
        outgoing: &Outgoing,
    ) -> Result<(String, String), AccessError> {
        let patterns = self.services.kind(id).map(method::patterns).unwrap_or_default();
        let field = |name: &str| match name {
            "parent" => (!outgoing.parent.is_empty()).then(|| outgoing.parent.clone()),
            name if name == "name" || name.ends_with(".name") => Some(outgoing.name.clone()),
            _ => None,
        };
        let has_parent = |path: &str| path.contains("{parent");
        let routes = method.routes.iter().filter(|it| outgoing.parent.is_empty() || has_parent(&it.path));
        let mut filled = routes.filter_map(|it| Some((it, template::fill(&it.path, &patterns, field)?)));
        let found = filled.next().map(|(route, path)| (route.method.to_ascii_uppercase(), path));
        found.ok_or_else(|| {
            let of = if outgoing.name.is_empty() { &outgoing.parent } else { &outgoing.name };
            let detail = format!("no route of `{}` is for `{of}`", method.name);
            AccessError::new(ErrorKind::InvalidArgument, detail)
        })
    }

    /// The parameters by their names in JSON.
    fn parameters(
        &self,
        id: KindId,
        method: &Method,
        standard: StandardMethod,
        outgoing: &Outgoing,
    ) -> Vec<(String, Vec<String>)> {
        let given = outgoing.parameters.iter().map(|(name, values)| (lower_camel(name), values.clone()));
        let mut parameters: Vec<(String, Vec<String>)> = given.collect();
        // AIP-133: the id of a new resource beside it, where the request has a field for it.
        if let (StandardMethod::Create, Some(kind)) = (standard, self.services.kind(id)) {
            let field = format!("{}_id", snake(&kind.name));
            let own = kind.patterns.parse(&outgoing.name).ok().map(|it| it.last_id().to_owned());
            if let (Some(true), Some(own)) = (self.has_field(id, &method.request, &field), own) {
                parameters.push((lower_camel(&field), vec![own]));
            }
        }
        // AIP-154: the version of a resource that is deleted.
        if let (StandardMethod::Delete, Some(version)) = (standard, outgoing.expected.as_ref())
            && version.is_field
        {
            parameters.push(("etag".to_owned(), vec![version.text.clone()]));
        }
        parameters
    }

    fn add_headers(&self, headers: &mut http::HeaderMap, expected: Option<&Version>) {
        let json = HeaderValue::from_static("application/json");
        headers.insert(ACCEPT, json.clone());
        headers.insert(CONTENT_TYPE, json);
        let mut add = |name: HeaderName, text: String, is_secret: bool| {
            if let Ok(mut value) = HeaderValue::from_str(&text) {
                value.set_sensitive(is_secret);
                headers.insert(name, value);
            }
        };
        if let Some(token) = &self.server.token {
            add(AUTHORIZATION, token.bearer(), true);
        }
        if let Some(version) = expected.filter(|it| !it.is_field) {
            add(IF_MATCH, format!("\"{}\"", version.text), false);
        }
    }
}

/// The query and the body, by the rules of `google.api.http`: the query has the fields that are neither in the path nor in the
/// body. The first route names the field of the body: Goten's tools leave it out of the others, and servers read it anyway.
fn query_and_body(
    method: &Method,
    http: &str,
    path: &str,
    parameters: Vec<(String, Vec<String>)>,
    outgoing: &Outgoing,
) -> (String, Option<Vec<u8>>) {
    let field = method.routes.first().map_or("", |it| &*it.body);
    let resource = outgoing.resource.as_ref();
    if field == "*" {
        let texts = |values: Vec<String>| match <[String; 1]>::try_from(values) {
            Ok([one]) => Value::String(one),
            Err(several) => several.into(),
        };
        let mut body: Map<String, Value> =
            parameters.into_iter().map(|(name, values)| (name, texts(values))).collect();
        let own = method.request_paths.resource_body.first();
        if let Some(resource) = resource {
            body.insert(lower_camel(own.map_or("resource", |it| &it.value)), resource.clone());
        }
        return (String::new(), serde_json::to_vec(&body).ok());
    }
    let body = resource.and_then(|it| serde_json::to_vec(it).ok());
    let body = body.or_else(|| (http == "POST").then(|| b"{}".to_vec()));
    let pairs = parameters.iter().flat_map(|(name, values)| {
        values.iter().filter(|it| !it.is_empty()).map(move |it| format!("{name}={}", percent_encoded(it)))
    });
    let pairs: Vec<String> = pairs.collect();
    let separator = if path.contains('?') { "&" } else { "?" };
    let query = if pairs.is_empty() { String::new() } else { format!("{separator}{}", pairs.join("&")) };
    (query, body)
}

/// `RoleBinding` as `role_binding`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (at, character) in name.chars().enumerate() {
        if at > 0 && character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}
