use http::{HeaderValue, Response, StatusCode, header};
use serde::Serialize;
use serde_json::Value as Json;

use crate::{
    Batch, Code, Description, Operation, Page, Problem, Resource, VERSION,
    headers::{JSON, PROBLEM, PROTOCOL_HEADER},
};

/// The answer of an adapter.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The description of the adapter.
    Described(Box<Description>),
    /// The OpenAPI document.
    Document(Box<Json>),
    /// 201: the resource was created by this call.
    Created(Box<Resource>),
    /// 200: the state of the resource, with nothing left to do.
    Is(Box<Resource>),
    /// 202: the operation continues.
    Accepted(Box<Operation>),
    /// 200: the state of an operation.
    Operation(Box<Operation>),
    /// 204: the resource no longer exists.
    Done,
    /// The result of a batch read.
    Batch(Batch),
    /// A page of a list.
    Page(Page),
    /// An error.
    Problem(Box<Problem>),
}

impl Answer {
    /// The HTTP response.
    pub fn into_response(self) -> Response<Vec<u8>> {
        match self {
            Self::Described(it) => json(StatusCode::OK, &it),
            Self::Document(it) => json(StatusCode::OK, &it),
            Self::Created(it) => resource(StatusCode::CREATED, &it),
            Self::Is(it) => resource(StatusCode::OK, &it),
            Self::Accepted(it) => json(StatusCode::ACCEPTED, &it),
            Self::Operation(it) => json(StatusCode::OK, &it),
            Self::Done => empty(),
            Self::Batch(it) => json(StatusCode::OK, &it),
            Self::Page(it) => json(StatusCode::OK, &it),
            Self::Problem(it) => problem(&it),
        }
    }
}

impl From<Problem> for Answer {
    fn from(problem: Problem) -> Self {
        Self::Problem(Box::new(problem))
    }
}

fn empty() -> Response<Vec<u8>> {
    let mut response = Response::new(Vec::new());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().insert(PROTOCOL_HEADER, VERSION.into());
    response
}

fn json(status: StatusCode, body: &impl Serialize) -> Response<Vec<u8>> {
    // Maps have text keys and numbers are those of JSON, so the value has a JSON form.
    let mut response = Response::new(serde_json::to_vec(body).unwrap_or_default());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(PROTOCOL_HEADER, VERSION.into());
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
    // The state of an adapter may change at any time.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn resource(status: StatusCode, resource: &Resource) -> Response<Vec<u8>> {
    let mut response = json(status, resource);
    if let Some(etag) = resource.etag.as_ref().and_then(|it| HeaderValue::from_str(it).ok()) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    response
}

fn problem(problem: &Problem) -> Response<Vec<u8>> {
    let status = StatusCode::from_u16(problem.status).ok().filter(|it| it.as_u16() >= 400);
    let mut response = json(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), problem);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM));
    if problem.is(Code::Busy) || problem.is(Code::Unavailable) {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}
