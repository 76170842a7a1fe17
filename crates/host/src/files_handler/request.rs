//! Requests about files.

use std::time::Duration;

use http::{HeaderMap, HeaderName, Method, header, request::Parts};
use protocol::{Code, Problem, percent_decoded};

/// A requested operation and its conditions.
#[derive(Debug)]
pub(super) struct FileRequest {
    pub(super) operation: FileOperation,
    pub(super) if_match: Option<String>,
    pub(super) if_none_match: Option<String>,
    pub(super) wait: Duration,
}

/// The operations, each on the file of that name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FileOperation {
    List,
    Reorder,
    Read(String),
    Write(String),
    Rename(String),
    Delete(String),
}

impl FileRequest {
    /// The request of that head; `base` is the path of the list.
    pub(super) fn read(head: &Parts, base: &str) -> Result<Self, Problem> {
        let path = head.uri.path().strip_prefix(base).unwrap_or_default();
        let operation = match path.strip_prefix('/').filter(|it| !it.is_empty()) {
            None => of_list(&head.method),
            Some(name) => {
                let name = percent_decoded(name);
                let name = name.ok_or_else(|| Problem::new(Code::NotFound, "this path is not valid"))?;
                of_file(&head.method, name)
            }
        };
        let operation = operation.ok_or_else(not_allowed)?;
        let text = |name: HeaderName| Some(head.headers.get(name)?.to_str().ok()?.trim().to_owned());
        let (if_match, if_none_match) = (text(header::IF_MATCH), text(header::IF_NONE_MATCH));
        let request = Self { operation, if_match, if_none_match, wait: wait(&head.headers) };
        request.is_conditional().map(|()| request)
    }

    /// Checks that a request that changes a file has a condition on its current content.
    fn is_conditional(&self) -> Result<(), Problem> {
        let is_missing = match &self.operation {
            FileOperation::List | FileOperation::Reorder | FileOperation::Read(_) => false,
            FileOperation::Write(_) => self.if_match.is_none() && self.if_none_match.as_deref() != Some("*"),
            FileOperation::Rename(_) | FileOperation::Delete(_) => self.if_match.is_none(),
        };
        if !is_missing {
            return Ok(());
        }
        Err(Problem {
            status: 428,
            title: "A condition is missing".into(),
            code: "condition_missing".into(),
            ..Problem::new(
                Code::BadRequest,
                "send `If-Match` with the etag of the file, or `If-None-Match: *` to create it",
            )
        })
    }
}

fn of_list(method: &Method) -> Option<FileOperation> {
    match *method {
        Method::GET => Some(FileOperation::List),
        Method::PUT => Some(FileOperation::Reorder),
        _ => None,
    }
}

fn of_file(method: &Method, name: String) -> Option<FileOperation> {
    match *method {
        Method::GET => Some(FileOperation::Read(name)),
        Method::PUT => Some(FileOperation::Write(name)),
        Method::POST => Some(FileOperation::Rename(name)),
        Method::DELETE => Some(FileOperation::Delete(name)),
        _ => None,
    }
}

/// The seconds of `Prefer: wait` (RFC 7240).
fn wait(headers: &HeaderMap) -> Duration {
    let values = headers.get_all("prefer").iter().filter_map(|it| it.to_str().ok());
    let mut wait = values.flat_map(|it| it.split(',')).filter_map(|it| it.trim().strip_prefix("wait="));
    Duration::from_secs(wait.next().and_then(|it| it.parse().ok()).unwrap_or(0))
}

fn not_allowed() -> Problem {
    Problem {
        status: 405,
        title: "This method is not supported here".into(),
        code: "method_not_allowed".into(),
        ..Problem::new(
            Code::BadRequest,
            "the list can be read and reordered, files read, written, renamed and deleted",
        )
    }
}
