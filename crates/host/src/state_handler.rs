//! A server of states, by Terraform's HTTP protocol.

mod folder;
mod history;
mod lock;
mod name;
mod request;

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use base64::{Engine, prelude::BASE64_STANDARD};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, header, request::Parts};
use md5::{Digest, Md5};
use protocol::{Code, LocalFuture, MAX_STATE, Problem};
use state::BackendError;

use crate::{Access, Handler, file::blocking::blocking, handler::refusal};
use folder::{Folder, Outcome};
use lock::Lock;
use name::Name;
use request::{StateOperation, StateRequest};

const CONTENT_MD5: HeaderName = HeaderName::from_static("content-md5");

/// Serves states from a folder, one at each path below that of the handler, to clients of Terraform's HTTP
/// protocol.
///
/// A state is stored as the client writes it, and replaced as a whole: its serials are the client's
/// responsibility, and it may be encrypted. A lock is stored in the same way, so it outlives the server, and
/// ends only when it is released or removed. A write with a lock (`?ID=`) that is not held any more is
/// refused. Several servers may serve one folder.
///
/// As an extension of that protocol a client may store versions: `PUT` of `versions/SERIAL` below a state,
/// `GET` of it, and `GET` of `versions` for the list of all, as `[{"serial", "at", "resources"}]`. Responses
/// about a state announce this in a `Link`.
#[derive(Clone)]
pub struct StateHandler {
    base: String,
    folder: Arc<Folder>,
}

impl StateHandler {
    /// The states in that folder, each at `base` and its name, e.g. `/state/shop`. The folder is created, for
    /// its owner only, if it does not exist.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn new(base: &str, folder: impl Into<PathBuf>) -> io::Result<Self> {
        let folder = Folder::open(folder.into())?;
        Ok(Self { base: format!("/{}", base.trim_matches('/')), folder: Arc::new(folder) })
    }

    /// The folder of the states.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The operation of a request, and the state it is about.
    fn requested(&self, head: &Parts) -> Result<StateRequest, Response<Vec<u8>>> {
        let path = head.uri.path().strip_prefix(&self.base).and_then(|it| it.strip_prefix('/'));
        let none = || {
            let what = format!("a state is at {}/NAME, a name of letters, digits and `-._`", self.base);
            refusal(Problem::new(Code::NotFound, what))
        };
        StateRequest::read(&head.method, path.unwrap_or_default()).ok_or_else(none)?
    }

    async fn answer(self, request: Request<Vec<u8>>) -> Response<Vec<u8>> {
        let (head, body) = request.into_parts();
        let StateRequest { name, operation: what } = match self.requested(&head) {
            Ok(requested) => requested,
            Err(response) => return response,
        };
        let link = format!("<{}/{name}/versions>; rel=\"version-history\"", self.base);
        let mut response = match self.done(name, what, &head, body).await {
            Ok(response) => response,
            Err(problem) => refusal(problem),
        };
        response.headers_mut().extend(HeaderValue::from_str(&link).ok().map(|it| (header::LINK, it)));
        response
    }

    async fn done(
        self,
        name: Name,
        what: StateOperation,
        head: &Parts,
        body: Vec<u8>,
    ) -> Result<Response<Vec<u8>>, Problem> {
        let query = head.uri.query().unwrap_or_default();
        let under = lock::id(query).map_err(bad)?;
        is_whole(&head.headers, &body)?;
        let folder = self.folder;
        match what {
            StateOperation::Read => {
                Ok(found(on_disk(move || folder.read(&name)).await?).unwrap_or_else(nothing))
            }
            StateOperation::Version(serial) => {
                let version = on_disk(move || folder.version(&name, serial)).await?;
                found(version).ok_or_else(|| Problem::new(Code::NotFound, "that version is not kept"))
            }
            StateOperation::Versions => {
                let versions = on_disk(move || folder.versions(&name)).await?;
                Ok(json(StatusCode::OK, serde_json::to_vec(&versions).unwrap_or_default()))
            }
            StateOperation::Write | StateOperation::Keep(_) if body.is_empty() => {
                Err(bad("a state must not be empty"))
            }
            StateOperation::Write => {
                Ok(respond(on_disk(move || folder.write(&name, under.as_deref(), &body)).await?))
            }
            StateOperation::Keep(serial) => {
                let resources = request::resources(query).map_err(bad)?;
                let keep = move || folder.keep(&name, under.as_deref(), serial, resources, &body);
                Ok(respond(on_disk(keep).await?))
            }
            StateOperation::Delete => {
                Ok(respond(on_disk(move || folder.delete(&name, under.as_deref())).await?))
            }
            StateOperation::Lock => {
                let lock = Lock::read(body)?;
                Ok(respond(on_disk(move || folder.lock(&name, &lock)).await?))
            }
            // Terraform's `force-unlock` sends this.
            StateOperation::Unlock if body.is_empty() => {
                Ok(respond(on_disk(move || folder.free(&name)).await?))
            }
            StateOperation::Unlock => {
                let lock = Lock::read(body)?;
                Ok(respond(on_disk(move || folder.unlock(&name, &lock)).await?))
            }
        }
    }
}

impl Handler for StateHandler {
    fn access(&self, _head: &Parts) -> Access {
        Access { body_bytes: Some(MAX_STATE), ..Access::OPEN }
    }

    fn refuse(&self, head: &Parts) -> Option<Response<Vec<u8>>> {
        self.requested(head).err()
    }

    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        Box::pin(self.clone().answer(request))
    }
}

impl fmt::Debug for StateHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateHandler").field("base", &self.base).field("folder", &self.folder.path()).finish()
    }
}

/// Completes also if the client disconnects.
async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, BackendError> + Send + 'static,
) -> Result<T, Problem> {
    blocking(work).await.map_err(|why| Problem::new(Code::Internal, why.to_string()))
}

/// Checks that a body was received as it was sent, if the client has sent a hash of it.
fn is_whole(headers: &HeaderMap, body: &[u8]) -> Result<(), Problem> {
    match headers.get(CONTENT_MD5) {
        Some(sent) if sent.as_bytes() != digest(body).as_bytes() => {
            Err(bad("the body does not match Content-MD5"))
        }
        _ => Ok(()),
    }
}

fn digest(body: &[u8]) -> String {
    BASE64_STANDARD.encode(Md5::digest(body))
}

fn bad(why: &str) -> Problem {
    Problem::new(Code::BadRequest, why)
}

fn found(text: Option<Vec<u8>>) -> Option<Response<Vec<u8>>> {
    let text = text?;
    let digest = HeaderValue::from_str(&digest(&text));
    let mut response = json(StatusCode::OK, text);
    response.headers_mut().extend(digest.ok().map(|it| (CONTENT_MD5, it)));
    Some(response)
}

/// There is no state yet. It is not an error status, because browsers would show that.
fn nothing() -> Response<Vec<u8>> {
    json(StatusCode::NO_CONTENT, Vec::new())
}

fn respond(outcome: Outcome) -> Response<Vec<u8>> {
    match outcome {
        Outcome::Done => json(StatusCode::OK, Vec::new()),
        Outcome::Held(lock) => json(StatusCode::LOCKED, lock),
        Outcome::NotHeld => refusal(Problem {
            status: 409,
            title: "The lock is no longer held".into(),
            code: "lock_lost".into(),
            ..Problem::new(Code::BadRequest, "the lock was removed")
        }),
    }
}

/// Only the client may store the response.
fn json(status: StatusCode, body: Vec<u8>) -> Response<Vec<u8>> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
