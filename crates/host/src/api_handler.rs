use std::{cell::Cell, future::ready, rc::Rc};

use api::{Api, Reply};
use http::{Request, Response, StatusCode};
use protocol::LocalFuture;
use tokio::task;

use crate::{Body, Handler};

/// A handler that serves the API of a specification. After each request it does the work that deletions left for later.
///
/// A write is answered when the store has kept it. Others are read and submitted meanwhile, and a request that was begun is
/// finished even if its client disconnects.
#[derive(Clone, Debug)]
pub struct ApiHandler(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    api: Rc<Api>,
    work: Cell<Working>,
}

/// The state of the work that deletions left for later.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Working {
    Idle,
    /// A task does it.
    Busy,
    /// A task does it, and has to check again for more.
    Again,
}

impl ApiHandler {
    /// A handler for an API.
    pub fn new(api: Rc<Api>) -> Self {
        Self(Rc::new(Inner { api, work: Cell::new(Working::Idle) }))
    }

    /// Does the work that deletions left for later, one piece at a time, so that requests are answered in between. A host calls
    /// it at the start, if the store may have any from before; it has to be in a task.
    pub fn work(&self) {
        if self.0.work.get() != Working::Idle {
            return self.0.work.set(Working::Again);
        }
        if self.0.api.has_work() {
            self.0.work.set(Working::Busy);
            task::spawn_local(work(self.0.clone()));
        }
    }
}

async fn work(inner: Rc<Inner>) {
    loop {
        inner.work.set(Working::Busy);
        if !inner.api.work_later().await && inner.work.get() == Working::Busy {
            return inner.work.set(Working::Idle);
        }
        task::yield_now().await;
    }
}

impl Handler for ApiHandler {
    fn respond(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Body>> {
        let changes = request.method() != http::Method::GET;
        let reply = self.0.api.answer(request);
        if changes {
            self.work();
        }
        match reply {
            Reply::Whole(response) => Box::pin(ready(response.map(Body::Whole))),
            Reply::Stream(response) => Box::pin(ready(response.map(Body::Stream))),
            Reply::Long(response) => Box::pin(ready(response.map(|it| Body::Long(it.length, it.text)))),
            Reply::Later(response) if changes => {
                let response = task::spawn_local(response);
                Box::pin(async { response.await.unwrap_or_else(|_| failed()).map(Body::Whole) })
            }
            Reply::Later(response) => Box::pin(async { response.await.map(Body::Whole) }),
        }
    }

    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        let response = self.respond(request);
        Box::pin(async move {
            let (head, body) = response.await.into_parts();
            Response::from_parts(head, body.whole().await)
        })
    }
}

/// The response if the task of a request has panicked.
fn failed() -> Response<Vec<u8>> {
    let mut response = Response::new(Vec::new());
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
}
