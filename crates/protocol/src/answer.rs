use http::{HeaderValue, Response, StatusCode, header};
use serde::Serialize;
use serde_json::Value as Json;

use crate::{
    Batch, Code, Description, Operation, Page, Problem, Resource, VERSION,
    headers::{JSON, PROBLEM, PROTOCOL_HEADER},
};

/// An adapter's answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// What it is.
    Described(Box<Description>),
    /// The OpenAPI document.
    Document(Box<Json>),
    /// It was made just now: 201.
    Created(Box<Resource>),
    /// How it is, and that nothing is left to do: 200.
    Is(Box<Resource>),
    /// The work goes on: 202.
    Accepted(Box<Operation>),
    /// How far an operation is: 200.
    Operation(Box<Operation>),
    /// It is gone: 204.
    Done,
    /// Many at once.
    Batch(Batch),
    /// A part of a list.
    Page(Page),
    /// No.
    Problem(Box<Problem>),
}

impl Answer {
    /// As it goes over the network.
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
    // Maps have text keys and numbers are JSON's own, so it has a JSON form.
    let mut response = Response::new(serde_json::to_vec(body).unwrap_or_default());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(PROTOCOL_HEADER, VERSION.into());
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
    // What an adapter says of itself may change at any time.
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
