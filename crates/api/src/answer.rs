//! From a request whose method is known to its response.

use std::{
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, Waker},
};

use fields::{FieldPath, schema::lower_camel};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header::CONTENT_TYPE, request::Parts};
use integrity::Agreements;
use serde_json::{Map, Value};
use spec::{Method, Service, StandardMethod};

use crate::{
    Api, HookRequest, LongBody, Match, Problem, Reply, Violation, codes, custom, etag, json,
    kinds::Served,
    methods::{
        self, Call, Shown,
        items::Items,
        written::{Submission, Written},
    },
    parameters::Parameters,
    permissions::Permissions,
    query,
};

#[cfg(feature = "neighbors")]
use crate::{Neighbors, agreeing::Agreeing, regional::Arrived};

/// The header that names the references which a write has stored and nothing checks.
pub const UNCHECKED: &str = "planloom-unchecked-references";
/// Its longest value; clients refuse responses with more than 8 or 16 KiB of headers.
const UNCHECKED_LENGTH: usize = 4096;

pub(crate) fn answer(api: &Rc<Api>, found: &Match, head: Parts, body: Vec<u8>) -> Reply {
    let Some(method) = api.method(found) else {
        return Reply::Whole(Problem::internal("the method no longer exists").response());
    };
    #[cfg(feature = "neighbors")]
    if let (Some(standard), Some(arrived)) =
        (method.standard, Arrived::new(api, found, method, (&head, &body)))
        && let Some(reply) = arrived.reply(standard)
    {
        return reply;
    }
    #[cfg(feature = "neighbors")]
    if let (Some(standard), Some(neighbors)) = (method.standard.filter(|it| is_write(*it)), &api.neighbors) {
        let (api, neighbors, found) = (api.clone(), neighbors.clone(), found.clone());
        return ready_or_later(async move {
            let response = write_agreed(&api, neighbors, &found, standard, (&head, &body)).await;
            response.unwrap_or_else(|problem| problem.response())
        });
    }
    let result = match method.standard {
        Some(standard) => {
            answer_standard(Received { api, found, method, head: &head, body: &body }, standard)
        }
        None => answer_custom(api, found, method, head, &body),
    };
    result.unwrap_or_else(|problem| Reply::Whole(problem.response()))
}

/// What a request is answered from: its method, its head and its body.
#[derive(Clone, Copy)]
struct Received<'a> {
    api: &'a Rc<Api>,
    found: &'a Match,
    method: &'a Method,
    head: &'a Parts,
    body: &'a [u8],
}

fn answer_standard(received: Received<'_>, standard: StandardMethod) -> Result<Reply, Problem> {
    let agreements = Agreements::default();
    let call = call(received, standard, &agreements)?;
    match standard {
        StandardMethod::Get => methods::get::get(call).map(|it| found_resource(&received.head.headers, &it)),
        StandardMethod::BatchGet => methods::batch_get::batch_get(call).map(several),
        StandardMethod::List => methods::list::list(call, false).map(several),
        StandardMethod::Search => methods::list::list(call, true).map(several),
        StandardMethod::Watch => methods::watch::watch_one(call),
        StandardMethod::WatchCollection => methods::watch::watch_collection(call),
        StandardMethod::Create | StandardMethod::Update | StandardMethod::Delete => submit(call, standard)
            .map(|it| match it {
                Submission::Submitted(it) => written(*it),
                Submission::Previewed(it) => whole(&it),
            }),
    }
}

#[cfg(feature = "neighbors")]
const fn is_write(standard: StandardMethod) -> bool {
    match standard {
        StandardMethod::Create | StandardMethod::Update | StandardMethod::Delete => true,
        StandardMethod::Get
        | StandardMethod::BatchGet
        | StandardMethod::List
        | StandardMethod::Search
        | StandardMethod::Watch
        | StandardMethod::WatchCollection => false,
    }
}

/// Submits a write.
fn submit(mut call: Call<'_>, standard: StandardMethod) -> Result<Submission, Problem> {
    let submitted = |it: Written| Submission::Submitted(Box::new(it));
    match standard {
        StandardMethod::Create => methods::create::create(&mut call).map(submitted),
        StandardMethod::Update => methods::update::update(&mut call).map(submitted),
        StandardMethod::Delete => methods::delete::delete(call),
        StandardMethod::Get
        | StandardMethod::BatchGet
        | StandardMethod::List
        | StandardMethod::Search
        | StandardMethod::Watch
        | StandardMethod::WatchCollection => Err(Problem::internal("the method does not write")),
    }
}

/// The call that a request is, if its caller may make it.
fn call<'a>(
    received: Received<'a>,
    standard: StandardMethod,
    agreements: &'a Agreements,
) -> Result<Call<'a>, Problem> {
    let Received { api, found, method, head, body } = received;
    let served = method.kind.and_then(|it| Served::new(&api.services, &api.schemas, it));
    let served = served.ok_or_else(|| Problem::internal("the kind of the method no longer exists"))?;
    let body = read_json(head, body)?;
    let query = query::pairs(head.uri.query().unwrap_or_default())
        .ok_or_else(|| Problem::invalid_argument("the query is encoded wrongly"))?;
    let takes_resource = !method.request_paths.resource_body.is_empty();
    let (resource, rest) = if takes_resource { (body, None) } else { (None, body) };
    let call = Call {
        api,
        served,
        fields: &found.fields,
        parameters: Parameters::new(query, rest)?,
        resource,
        headers: &head.headers,
        permissions: permissions(api, found, head)?,
        agreements,
        #[cfg(feature = "conversions")]
        completion: head.extensions.get().cloned(),
    };
    authorize(&call, method, standard)?;
    Ok(call)
}

/// The response to a write, after other deployments have agreed to it.
#[cfg(feature = "neighbors")]
async fn write_agreed(
    api: &Rc<Api>,
    neighbors: Neighbors,
    found: &Match,
    standard: StandardMethod,
    (head, body): (&Parts, &[u8]),
) -> Result<Response<Vec<u8>>, Problem> {
    let method = api.method(found).ok_or_else(|| Problem::internal("the method no longer exists"))?;
    let received = Received { api, found, method, head, body };
    let permissions = permissions(api, found, head)?;
    let agreeing = Agreeing::new(api.clone(), neighbors, &service(api, found)?.name);
    let response = agreeing.agreed(async |agreements| {
        let mut write = match submit(call(received, standard, agreements)?, standard)? {
            Submission::Submitted(it) => *it,
            Submission::Previewed(it) => return Ok(response(&it)),
        };
        let unchecked = std::mem::take(&mut write.unchecked).join(", ");
        write.result().await.map(|shown| response_of(Ok(shown), &unchecked))
    });
    response.await.map_err(|refusal| refusal.problem(api, &permissions))
}

/// The permissions of the caller of a request in the service of its method.
fn permissions(api: &Api, found: &Match, head: &Parts) -> Result<Permissions, Problem> {
    Permissions::of(api.policy(), &service(api, found)?.name, &head.extensions)
}

fn service<'a>(api: &'a Api, found: &Match) -> Result<&'a Service, Problem> {
    let service = api.services.services.get(found.service);
    service.ok_or_else(|| Problem::internal("the service no longer exists"))
}

/// Refuses a standard method that the caller has no permission for: for each resource that it names, or for the parent.
fn authorize(call: &Call<'_>, method: &Method, standard: StandardMethod) -> Result<(), Problem> {
    let permission = &method.permission;
    match standard {
        StandardMethod::Get | StandardMethod::Update | StandardMethod::Delete | StandardMethod::Watch => {
            call.permissions.require(permission, call.name()?.as_str())
        }
        StandardMethod::List
        | StandardMethod::Search
        | StandardMethod::Create
        | StandardMethod::WatchCollection => call.permissions.require(permission, call.parent_text()),
        StandardMethod::BatchGet => {
            call.parameters.peek("names").try_for_each(|it| call.permissions.require(permission, it))
        }
    }
}

/// The hook of a method, or 501.
fn answer_custom(
    api: &Rc<Api>,
    found: &Match,
    method: &Method,
    head: Parts,
    body: &[u8],
) -> Result<Reply, Problem> {
    let service = service(api, found)?;
    let of = service.apis.get(found.api).map_or_else(String::new, |it| it.name.to_string());
    let name = format!("{of}/{}", method.name);
    let permissions = permissions(api, found, &head)?;
    let sent = read_json(&head, body)?;
    let field = method.routes.get(found.route).map_or("", |it| &it.body);
    let mut request = custom::body(sent, field)?;
    let query = query::pairs(head.uri.query().unwrap_or_default())
        .ok_or_else(|| Problem::invalid_argument("the query is encoded wrongly"))?;
    let query: Vec<_> = query.into_iter().map(|(name, text)| (lower_camel(&name), text)).collect();
    for (name, text) in &query {
        request.insert(name.clone(), Value::String(text.clone()));
    }
    let mut request = Value::Object(request);
    for (field, value) in &found.fields {
        // The path of a request is what was authorised by others on its way, so it wins over the body.
        let set = FieldPath::parse(field).ok().map(|it| it.set(&mut request, Value::String(value.clone())));
        if !matches!(set, Some(Ok(_))) {
            return Err(Problem::invalid_argument(format!(
                "the body has no place for `{field}` of the path"
            )));
        }
    }
    let names = custom::names(&api.services, method, &request)?;
    names.iter().try_for_each(|it| permissions.require(&method.permission, it))?;
    #[cfg(feature = "neighbors")]
    if let Some(reply) =
        Arrived::new(api, found, method, (&head, body)).and_then(|it| it.reply_of_custom(&names, &request))
    {
        return Ok(reply);
    }
    custom::check_message(api.schemas.get(found.service), method, &request, query.iter().map(|it| &*it.0))?;
    let Some(hook) = api.hook(&service.name, &name) else {
        let detail = format!("nothing executes `{name}`: it needs a hook");
        return Err(Problem::unimplemented(detail));
    };
    let request = HookRequest {
        service: service.name.to_string(),
        method: name,
        request,
        user: permissions.user(),
        headers: head.headers,
    };
    Ok(Reply::Later(hook.call(request)))
}

/// The body as JSON; `None` if there is none.
pub(crate) fn read_json(head: &Parts, body: &[u8]) -> Result<Option<Value>, Problem> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    let media = head.headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or("application/json");
    let media = media.split(';').next().unwrap_or_default().trim();
    // `curl -d` calls every body a form.
    let is_json = ["application/json", "application/x-www-form-urlencoded"]
        .iter()
        .any(|it| media.eq_ignore_ascii_case(it));
    if !is_json && !media.ends_with("+json") {
        return Err(Problem::unsupported_media_type(format!(
            "the body is `{media}`: send the header `Content-Type: application/json`"
        )));
    }
    json::parse(body).map(Some).map_err(|error| {
        let message = if error.is_duplicate { &*error.message } else { "the body is not JSON" };
        let violation =
            Violation::new(&format!("#{}", error.pointer), codes::JSON.as_str(), message).at(error.byte);
        match error.is_duplicate {
            true => Problem::invalid_argument(format!("the body is ambiguous: {}", error.message))
                .with(violation.help("write each key of an object once")),
            false => {
                Problem::invalid_argument(format!("the body is not JSON: {}", error.message)).with(violation)
            }
        }
    })
}

/// A reply that is complete, if its response is there at once.
fn ready_or_later(response: impl Future<Output = Response<Vec<u8>>> + 'static) -> Reply {
    let mut response = Box::pin(response);
    match response.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(response) => Reply::Whole(response),
        Poll::Pending => Reply::Later(response),
    }
}

/// The response to a write, once that is kept.
fn written(mut write: Written) -> Reply {
    let unchecked = std::mem::take(&mut write.unchecked).join(", ");
    ready_or_later(async move { response_of(write.await, &unchecked) })
}

/// The response to a write, marked if it has stored references that cannot be checked.
fn response_of(result: Result<Option<Shown>, Problem>, unchecked: &str) -> Response<Vec<u8>> {
    match result {
        Ok(Some(resource)) => {
            let mut response = resource_response(&resource);
            // Keys of maps, which are in places, may have any characters.
            let places = unchecked.replace(|it: char| !it.is_ascii_graphic() && it != ' ', "?");
            let places = HeaderValue::from_str(&shortened(places)).ok().filter(|it| !it.is_empty());
            response.headers_mut().extend(places.map(|it| (HeaderName::from_static(UNCHECKED), it)));
            response
        }
        Ok(None) => response(&Value::Object(Map::new())),
        Err(problem) => problem.response(),
    }
}

/// A list of places in ASCII, without the last ones if it is too long for a header.
fn shortened(mut places: String) -> String {
    if places.len() > UNCHECKED_LENGTH {
        places.truncate(UNCHECKED_LENGTH);
        places.truncate(places.rfind(", ").unwrap_or_default());
        places += ", ...";
    }
    places
}

/// A response with several resources. A long one is made while others are answered.
fn several(items: Items) -> Reply {
    let length = items.length();
    let mut text: Pin<Box<dyn Future<Output = Vec<u8>>>> = Box::pin(items.json());
    match text.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(text) => Reply::Whole(json_response(text)),
        Poll::Pending => Reply::Long(json_response(LongBody { length, text })),
    }
}

/// A message as a response.
pub(crate) fn response(message: &Value) -> Response<Vec<u8>> {
    json_response(serde_json::to_vec(message).unwrap_or_default())
}

fn json_response<B>(body: B) -> Response<B> {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::OK;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A resource with its version.
fn resource_response(resource: &Shown) -> Response<Vec<u8>> {
    let mut response = response(&resource.shown);
    if let Some((name, value)) = etag::header(&resource.whole) {
        response.headers_mut().insert(name, value);
    }
    response
}

/// A message as a reply that is complete.
pub(crate) fn whole(message: &Value) -> Reply {
    Reply::Whole(response(message))
}

/// A resource that was read; without it where the client has this version.
fn found_resource(headers: &HeaderMap, resource: &Shown) -> Reply {
    let mut response = resource_response(resource);
    if etag::is_known(headers, &resource.whole) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.headers_mut().remove(CONTENT_TYPE);
        response.body_mut().clear();
    }
    Reply::Whole(response)
}
