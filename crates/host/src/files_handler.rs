//! Files of the user, for the app: read, written when nobody else has written them meanwhile, and watched.

mod disk;
mod held;
mod lease;
mod listing;
mod name;
mod notified;
mod renames;
mod request;
mod served;
mod source;
mod text;
mod watch;

use std::{
    fmt,
    rc::Rc,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use http::{HeaderValue, Request, Response, StatusCode, header, request::Parts};
use protocol::{Code, LocalFuture, Problem};
use serde_json::{Value, json};
use tokio::{select, sync::watch as channel, task, time};

use crate::{Access, Handler, handler::refusal};
use listing::Listing;
use request::{FileOperation, FileRequest};
use served::Served;
pub use source::{FileSource, PackageFormat, ReadPackage, SourceError, WritePackage};

/// The longest file that is read or written, in bytes.
pub const MAX_FILE: usize = 16 << 20;

/// The longest time that a request for changes waits for one.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Serves files of this machine to the app that shows them: those that were named, or those of a folder.
///
/// - `GET /files` lists them in merge order, each with an etag of its content. With `If-None-Match` and `Prefer: wait=20` it
///   is answered when the list changes, or with 304 after that many seconds.
/// - `GET /files/NAME` is the text of one. Its byte order mark is not part of it, and is kept when it is written.
/// - `PUT /files/NAME` writes one, if its content still has the etag of `If-Match`; `If-None-Match: *` creates one in a folder.
///   Otherwise the response is 412 with the current text. `DELETE` removes one, `POST` with `{"to": …}` renames it.
/// - `PUT /files` with `{"order": […]}` changes the merge order until the server ends.
///
/// # Guarantees
/// A file is written whole or not at all, and keeps its permissions and links. Concurrent writes of another program are not
/// lost: they stay, and the request is answered with 412. A link is renamed and removed itself, never its target. Nothing but
/// the named files and the files of named folders is read or written, also if links take the place of files and folders meanwhile;
/// hidden files, other kinds of files and links that lead elsewhere are not served.
#[derive(Clone)]
pub struct FilesHandler(Rc<Inner>);

struct Inner {
    base: String,
    served: Arc<Mutex<Served>>,
    listing: channel::Sender<Arc<Listing>>,
    open: channel::Sender<bool>,
}

impl FilesHandler {
    /// Serves these files at and below `base`, e.g. `/files`, and watches them. It has to be called in a `LocalSet`.
    ///
    /// # Errors
    /// If one of them cannot be served.
    pub fn new(base: &str, sources: Vec<FileSource>) -> Result<Self, SourceError> {
        let mut served = Served::open(sources)?;
        let (listing, _) = channel::channel(Arc::new(served.listing()));
        let (open, _) = channel::channel(true);
        let served = Arc::new(Mutex::new(served));
        let inner = Rc::new(Inner { base: base.to_owned(), served, listing, open });
        watch::begin(inner.served.clone(), inner.listing.clone(), inner.open.subscribe());
        Ok(Self(inner))
    }

    /// The current number of files.
    pub fn count(&self) -> usize {
        self.0.listing.borrow().files.len()
    }

    /// Answers those who wait for changes, and stops watching.
    pub fn close(&self) {
        self.0.open.send_replace(false);
    }

    async fn answer(self, request: Request<Vec<u8>>) -> Response<Vec<u8>> {
        let (head, body) = request.into_parts();
        let response = match FileRequest::read(&head, &self.0.base) {
            Ok(FileRequest { operation: FileOperation::List, if_none_match, wait, .. }) => {
                Ok(self.list(if_none_match.as_deref(), wait).await)
            }
            Ok(request) => self.execute(request, body).await,
            Err(problem) => Err(problem),
        };
        response.unwrap_or_else(refusal)
    }

    async fn list(&self, known: Option<&str>, wait: Duration) -> Response<Vec<u8>> {
        let mut listing = self.0.listing.subscribe();
        let mut open = self.0.open.subscribe();
        let is_news = |it: &Arc<Listing>| Some(&*it.etag()) != known;
        select! {
            biased;
            _ = listing.wait_for(is_news) => {}
            _ = open.wait_for(|it| !*it) => {}
            () = time::sleep(wait.min(LONGEST_WAIT)) => {}
        }
        let listing = self.0.listing.borrow().clone();
        let mut response = if is_news(&listing) {
            respond(StatusCode::OK, &listing.json_with_etag())
        } else {
            let mut response = Response::new(Vec::new());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response
        };
        add_etag(&mut response, &listing.etag());
        response
    }

    /// Executes a request. It is finished even if the client disconnects.
    async fn execute(&self, request: FileRequest, body: Vec<u8>) -> Result<Response<Vec<u8>>, Problem> {
        let (served, listing) = (self.0.served.clone(), self.0.listing.clone());
        let work = task::spawn_blocking(move || {
            let mut served = served.lock().unwrap_or_else(PoisonError::into_inner);
            let outcome = served.execute(request, body);
            let before = listing.borrow().clone();
            if let Some(now) = served.news(&before) {
                listing.send_replace(Arc::new(now));
            }
            outcome
        });
        match work.await {
            Ok(outcome) => outcome.map(Outcome::response).or_else(Refused::response),
            Err(why) => Err(Problem::new(Code::Internal, why.to_string())),
        }
    }
}

/// The outcome of a request.
enum Outcome {
    /// The text of a file.
    Text { name: String, text: String, etag: String },
    /// It was written, or has another name.
    Written { name: String, etag: String, is_new: bool },
    /// It is gone, or the order is another.
    Done,
}

/// The reason why a request was not executed.
enum Refused {
    /// Somebody else has changed the file: its current text and etag, if it still exists.
    Changed(Option<(String, String)>),
    Problem(Box<Problem>),
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self::Problem(Box::new(problem))
    }
}

impl Outcome {
    fn response(self) -> Response<Vec<u8>> {
        match self {
            Self::Text { name, text, etag } => {
                with_etag(StatusCode::OK, &json!({"name": name, "etag": etag, "text": text}), &etag)
            }
            Self::Written { name, etag, is_new } => {
                let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
                with_etag(status, &json!({"name": name, "etag": etag}), &etag)
            }
            Self::Done => {
                let mut response = Response::new(Vec::new());
                *response.status_mut() = StatusCode::NO_CONTENT;
                response
            }
        }
    }
}

impl Refused {
    fn response(self) -> Result<Response<Vec<u8>>, Problem> {
        let current = match self {
            Self::Problem(problem) => return Err(*problem),
            Self::Changed(current) => current,
        };
        let problem = Problem::new(Code::Stale, "the file was changed or removed by another program");
        let mut body = serde_json::to_value(problem).unwrap_or_default();
        body["current"] = match current {
            Some((text, etag)) => json!({"text": text, "etag": etag}),
            None => Value::Null,
        };
        let mut response = respond(StatusCode::PRECONDITION_FAILED, &body);
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        Ok(response)
    }
}

fn with_etag(status: StatusCode, body: &Value, etag: &str) -> Response<Vec<u8>> {
    let mut response = respond(status, body);
    add_etag(&mut response, etag);
    response
}

fn add_etag(response: &mut Response<Vec<u8>>, etag: &str) {
    response.headers_mut().extend(HeaderValue::from_str(etag).ok().map(|it| (header::ETAG, it)));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
}

fn respond(status: StatusCode, body: &Value) -> Response<Vec<u8>> {
    let mut response = Response::new(body.to_string().into_bytes());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

impl Handler for FilesHandler {
    fn access(&self, _head: &Parts) -> Access {
        Access { body_bytes: Some(MAX_FILE), ..Access::OPEN }
    }

    fn refuse(&self, head: &Parts) -> Option<Response<Vec<u8>>> {
        FileRequest::read(head, &self.0.base).err().map(refusal)
    }

    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        Box::pin(self.clone().answer(request))
    }
}

impl fmt::Debug for FilesHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FilesHandler").field("base", &self.0.base).finish_non_exhaustive()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.open.send_replace(false);
    }
}
