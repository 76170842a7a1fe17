use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
    future::ready,
    rc::Rc,
};

use base64::{Engine, prelude::BASE64_STANDARD};
use http::{Request, Response, StatusCode, header};
use md5::{Digest, Md5};
use protocol::{LocalFuture, Transport, TransportError};
use serde_json::Value as Json;

/// A server that speaks Terraform's HTTP protocol, in memory; a state for each path.
///
/// It is strict: a body needs its `Content-MD5`, and while a state is locked only its lock's `ID` writes it.
/// It contains the planned faults.
#[derive(Clone, Debug, Default)]
pub struct TerraformServer(Rc<RefCell<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    states: BTreeMap<String, Vec<u8>>,
    locks: BTreeMap<String, Vec<u8>>,
    faults: VecDeque<Option<Fault>>,
    requests: Vec<String>,
    token: Option<String>,
}

/// A fault of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The request does not arrive.
    Refused,
    /// The request is executed, and the answer is lost.
    LostReply,
    /// The request is not executed, and there is no answer.
    LostRequest,
    /// The request is not executed; the answer has that status.
    Status(u16),
    /// The request is executed; the status reports a failure.
    DoneBut(u16),
    /// The body of the answer is truncated.
    Cut,
}

impl TerraformServer {
    /// A server that requires a token.
    pub fn guarded(token: &str) -> Self {
        let server = Self::default();
        server.0.borrow_mut().token = Some(format!("Bearer {token}"));
        server
    }

    /// The faults of the next requests, one after the other.
    pub fn faults(&self, faults: impl IntoIterator<Item = Option<Fault>>) {
        self.0.borrow_mut().faults = faults.into_iter().collect();
    }

    /// The requests so far, as `POST /shop?ID=x`; clears them.
    pub fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.0.borrow_mut().requests)
    }

    /// The data under a path.
    pub fn kept(&self, path: &str) -> Option<Vec<u8>> {
        self.0.borrow().states.get(path).cloned()
    }

    /// Stores data under a path.
    pub fn keep(&self, path: &str, body: impl Into<Vec<u8>>) {
        self.0.borrow_mut().states.insert(path.into(), body.into());
    }

    /// The answer to a request, without faults.
    pub fn answer(&self, request: &Request<Vec<u8>>) -> Response<Vec<u8>> {
        let mut kept = self.0.borrow_mut();
        kept.requests.push(format!("{} {}", request.method(), request.uri()));
        let (status, body) = kept.answer(request);
        let mut answer = Response::new(body);
        *answer.status_mut() = status;
        answer
    }

    fn with_fault(
        &self,
        request: &Request<Vec<u8>>,
        fault: Fault,
    ) -> Result<Response<Vec<u8>>, TransportError> {
        let status = |code| StatusCode::from_u16(code).unwrap_or_default();
        match fault {
            Fault::Refused => Err(TransportError::Unreachable("connection refused".into())),
            Fault::LostRequest => Err(TransportError::TimedOut),
            Fault::LostReply => {
                self.answer(request);
                Err(TransportError::Broken("connection reset".into()))
            }
            Fault::Status(code) => Ok(with_status(Response::new(Vec::new()), status(code))),
            Fault::DoneBut(code) => Ok(with_status(self.answer(request), status(code))),
            Fault::Cut => {
                let mut answer = self.answer(request);
                let digest = BASE64_STANDARD.encode(Md5::digest(answer.body()));
                answer.headers_mut().extend(digest.parse().ok().map(|it| (CONTENT_MD5, it)));
                let half = answer.body().len() / 2;
                answer.body_mut().truncate(half);
                Ok(answer)
            }
        }
    }
}

const CONTENT_MD5: header::HeaderName = header::HeaderName::from_static("content-md5");

fn with_status(mut answer: Response<Vec<u8>>, status: StatusCode) -> Response<Vec<u8>> {
    *answer.status_mut() = status;
    answer
}

impl Kept {
    fn answer(&mut self, request: &Request<Vec<u8>>) -> (StatusCode, Vec<u8>) {
        let said = request.headers().get(header::AUTHORIZATION).and_then(|it| it.to_str().ok());
        if self.token.is_some() && self.token.as_deref() != said {
            return (StatusCode::UNAUTHORIZED, Vec::new());
        }
        let (path, body) = (request.uri().path().to_owned(), request.body());
        match request.method().as_str() {
            "GET" => match self.states.get(&path) {
                Some(state) => (StatusCode::OK, state.clone()),
                None => (StatusCode::NOT_FOUND, Vec::new()),
            },
            "POST" | "PUT" => self.write(request, path),
            "LOCK" => match self.locks.get(&path) {
                Some(holder) => (StatusCode::LOCKED, holder.clone()),
                None => {
                    self.locks.insert(path, body.clone());
                    (StatusCode::OK, Vec::new())
                }
            },
            "UNLOCK" => match self.locks.get(&path) {
                Some(holder) if id(holder) != id(body) => (StatusCode::CONFLICT, holder.clone()),
                _ => {
                    self.locks.remove(&path);
                    (StatusCode::OK, Vec::new())
                }
            },
            "DELETE" => {
                self.states.remove(&path);
                (StatusCode::OK, Vec::new())
            }
            _ => (StatusCode::METHOD_NOT_ALLOWED, Vec::new()),
        }
    }

    fn write(&mut self, request: &Request<Vec<u8>>, path: String) -> (StatusCode, Vec<u8>) {
        let digest = BASE64_STANDARD.encode(Md5::digest(request.body()));
        if request.headers().get(CONTENT_MD5).is_none_or(|it| it != digest.as_str()) {
            return (StatusCode::BAD_REQUEST, Vec::new());
        }
        let given = request.uri().query().and_then(|it| it.strip_prefix("ID=")).unwrap_or_default();
        let given = given.replace("%20", " ");
        match self.locks.get(&path) {
            Some(holder) if id(holder) != given => (StatusCode::LOCKED, holder.clone()),
            _ => {
                self.states.insert(path, request.body().clone());
                (StatusCode::OK, Vec::new())
            }
        }
    }
}

fn id(lock: &[u8]) -> String {
    let lock = serde_json::from_slice::<Json>(lock).unwrap_or_default();
    lock.get("ID").and_then(Json::as_str).unwrap_or_default().to_owned()
}

impl Transport for TerraformServer {
    fn send(&self, request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let fault = self.0.borrow_mut().faults.pop_front().flatten();
        Box::pin(ready(match fault {
            None => Ok(self.answer(&request)),
            Some(fault) => self.with_fault(&request, fault),
        }))
    }
}
