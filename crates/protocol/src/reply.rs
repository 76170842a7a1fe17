use std::{collections::BTreeSet, fmt, time::Duration};

use http::{HeaderMap, Response, header};
use model::Redactor;
use serde::de::DeserializeOwned;

use crate::{
    Batch, Call, Code, Description, MAX_BODY, Operation, Page, Problem, Resource, TransportError,
    text::{self, line_without},
};

/// The engine's reading of an answer, with one case for each row of the retry matrix.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// 200 or 201: the state of the resource.
    Resource(Box<Resource>),
    /// 202, or the answer about an operation: its state.
    Operation(Box<Operation>),
    /// 204: done. Any other successful answer to a `DELETE` has to contain the state of the resource.
    Done,
    /// 404 or 410: it does not exist.
    Absent,
    /// The description of the adapter.
    Described(Box<Description>),
    /// The result of a batch read.
    Batch(Batch),
    /// A page of a list.
    Page(Page),
    /// 401: the token is missing or wrong.
    Unauthorized(Problem),
    /// 409: it exists with another spec or generation.
    Differs(Problem),
    /// 409: another operation on it is in progress.
    Outstanding(Problem),
    /// 409: it cannot be changed in place.
    RebuildRequired(Problem),
    /// 412: it has changed since it was read.
    Stale(Problem),
    /// 412: another version of the protocol.
    OtherVersion(Problem),
    /// 408, 429, 503: try again later, after the given time if there is one.
    Busy(Problem, Option<Duration>),
    /// Any other 4xx, 507, and redirects: refused, and nothing was changed.
    Refused(Problem),
    /// It is not known whether the call was executed.
    Unclear(Unclear),
}

/// The reason why it is not known whether a call was executed.
#[derive(Clone, Debug, PartialEq)]
pub enum Unclear {
    /// The answer is successful, but its content does not fit the request. In a line.
    Malformed(String),
    /// 500 or a similar status.
    Failed(Problem),
    /// There was no answer.
    Transport(TransportError),
}

impl fmt::Display for Unclear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(what) => write!(f, "the response is malformed: {what}"),
            Self::Failed(problem) => write!(f, "the adapter failed: {problem}"),
            Self::Transport(error) => error.fmt(f),
        }
    }
}

/// Reads the outcome of a call.
pub fn read_reply(call: &Call, outcome: Result<Response<Vec<u8>>, TransportError>) -> Reply {
    read_reply_without(call, outcome, &Redactor::default())
}

/// The same, with these secrets removed from all texts for people before they are cut. The data of a resource
/// (identity, spec and outputs) are not redacted: references need them.
pub fn read_reply_without(
    call: &Call,
    outcome: Result<Response<Vec<u8>>, TransportError>,
    secrets: &Redactor,
) -> Reply {
    let response = match outcome {
        Ok(response) if response.body().len() <= MAX_BODY => response,
        Ok(_) => return Reply::Unclear(Unclear::Transport(TransportError::TooLong)),
        Err(error) => return Reply::Unclear(Unclear::Transport(error)),
    };
    match response.status().as_u16() {
        200..=299 => {
            success(call, &response, secrets).unwrap_or_else(|what| Reply::Unclear(Unclear::Malformed(what)))
        }
        300..=399 => Reply::Refused(redirected(&response, secrets)),
        404 | 410 => Reply::Absent,
        status => failure(status, &response, secrets),
    }
}

fn redirected(response: &Response<Vec<u8>>, secrets: &Redactor) -> Problem {
    let to = header_text(response.headers(), header::LOCATION);
    let to = to.map(|it| line_without(it, secrets)).unwrap_or_default();
    let detail = format!("the adapter redirects to `{to}`, which is not followed");
    Problem { code: "redirected".into(), status: response.status().as_u16(), detail, ..Problem::default() }
}

fn success(call: &Call, response: &Response<Vec<u8>>, secrets: &Redactor) -> Result<Reply, String> {
    let line = |text: &str| line_without(text, secrets);
    let is_operation = response.status().as_u16() == 202;
    match call {
        Call::Create { .. } | Call::Update { .. } | Call::Destroy { .. } if is_operation => {
            operation_of(call, json(response, secrets)?, secrets)
        }
        Call::Destroy { .. } if response.status().as_u16() != 204 => resource(call, response, secrets),
        Call::Destroy { .. } | Call::Cancel { .. } => Ok(Reply::Done),
        Call::Read(_) | Call::Create { .. } | Call::Update { .. } => resource(call, response, secrets),
        Call::Operation { op, .. } => {
            let operation: Operation = json(response, secrets)?;
            if operation.op != *op {
                return Err(other("operation", &operation.op, secrets));
            }
            Ok(Reply::Operation(Box::new(clean_operation(operation, secrets))))
        }
        Call::Describe => {
            let mut description: Description = json(response, secrets)?;
            for text in [&mut description.name, &mut description.version, &mut description.instance] {
                *text = line(text);
            }
            description.features.iter_mut().for_each(|it| *it = text::line(it));
            Ok(Reply::Described(Box::new(description)))
        }
        Call::BatchRead(ids) => {
            let mut batch: Batch = json(response, secrets)?;
            batch.items.iter_mut().for_each(|it| clean(it, secrets));
            let requested: BTreeSet<_> = ids.iter().collect();
            let answered = batch.items.iter().map(|it| &it.id).chain(&batch.missing);
            if let Some(strange) = answered.into_iter().find(|it| !requested.contains(it)) {
                return Err(other("resource", &strange.id, secrets));
            }
            Ok(Reply::Batch(batch))
        }
        Call::List { .. } | Call::ListByName { .. } => {
            let mut page: Page = json(response, secrets)?;
            page.items.iter_mut().for_each(|it| clean(it, secrets));
            Ok(Reply::Page(page))
        }
        Call::OpenApi => Ok(Reply::Done),
    }
}

fn operation_of(call: &Call, operation: Operation, secrets: &Redactor) -> Result<Reply, String> {
    if Some(&operation.id) != call.resource() || Some(operation.verb) != call.verb() {
        return Err(other("resource", &operation.id.id, secrets));
    }
    Ok(Reply::Operation(Box::new(clean_operation(operation, secrets))))
}

fn resource(call: &Call, response: &Response<Vec<u8>>, secrets: &Redactor) -> Result<Reply, String> {
    let mut resource: Resource = json(response, secrets)?;
    if Some(&resource.id) != call.resource() {
        return Err(other("resource", &resource.id.id, secrets));
    }
    if let Some(etag) = header_text(response.headers(), header::ETAG) {
        resource.etag = Some(etag.to_owned());
    }
    clean(&mut resource, secrets);
    Ok(Reply::Resource(Box::new(resource)))
}

fn other(what: &str, id: &str, secrets: &Redactor) -> String {
    format!("it is for another {what}, `{}`", line_without(id, secrets))
}

fn clean(resource: &mut Resource, secrets: &Redactor) {
    resource.message = resource.message.as_deref().map(|it| line_without(it, secrets));
}

fn clean_operation(mut operation: Operation, secrets: &Redactor) -> Operation {
    if let Some(resource) = &mut operation.resource {
        clean(resource, secrets);
    }
    operation.problem = operation.problem.map(|it| Box::new(it.clone().received(it.status, secrets)));
    if let Some(progress) = &mut operation.progress {
        progress.message = line_without(&progress.message, secrets);
    }
    operation
}

fn json<T: DeserializeOwned>(response: &Response<Vec<u8>>, secrets: &Redactor) -> Result<T, String> {
    let line = |text: &str| line_without(text, secrets);
    let kind = header_text(response.headers(), header::CONTENT_TYPE).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if kind != "application/json" && !kind.ends_with("+json") {
        return Err(format!("it is not JSON but `{}`", line(&kind)));
    }
    serde_json::from_slice(response.body()).map_err(|error| line(&error.to_string()))
}

fn failure(status: u16, response: &Response<Vec<u8>>, secrets: &Redactor) -> Reply {
    let problem: Problem = json(response, secrets).unwrap_or_default();
    let problem = problem.received(status, secrets);
    match status {
        401 => Reply::Unauthorized(problem),
        408 | 429 | 503 => Reply::Busy(problem, retry_after(response.headers())),
        409 if problem.is(Code::RebuildRequired) => Reply::RebuildRequired(problem),
        409 if problem.is(Code::OperationPending) => Reply::Outstanding(problem),
        409 if problem.is(Code::NotCancellable) => Reply::Refused(problem),
        409 => Reply::Differs(problem),
        412 if problem.is(Code::UnsupportedProtocol) => Reply::OtherVersion(problem),
        412 => Reply::Stale(problem),
        400..=499 | 507 => Reply::Refused(problem),
        _ => Reply::Unclear(Unclear::Failed(problem)),
    }
}

/// A delay of at most an hour. A date is not read: then the usual delay is used.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds: u64 = header_text(headers, header::RETRY_AFTER)?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds.min(3600)))
}

fn header_text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}
