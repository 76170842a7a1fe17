use std::rc::Rc;

use api::{Api, Reply};
use http::{Request, Response};
use protocol::LocalFuture;
use tokio::task;

use crate::{Body, Handler};

/// A handler that serves the API of a specification. After each request it does what deletions left for later.
#[derive(Clone, Debug)]
pub struct ApiHandler(Rc<Api>);

impl ApiHandler {
    /// A handler for an API.
    pub fn new(api: Rc<Api>) -> Self {
        Self(api)
    }

    /// Does what deletions left for later, one piece at a time, so that requests are answered in between.
    fn work(&self) {
        let api = self.0.clone();
        if !api.has_work() {
            return;
        }
        task::spawn_local(async move {
            while api.work() {
                task::yield_now().await;
            }
        });
    }
}

impl Handler for ApiHandler {
    fn respond(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Body>> {
        let changes = request.method() != http::Method::GET;
        let reply = self.0.answer(request);
        if changes {
            self.work();
        }
        Box::pin(async move {
            match reply {
                Reply::Whole(response) => response.map(Body::Whole),
                Reply::Stream(response) => response.map(Body::Stream),
                Reply::Later(response) => response.await.map(Body::Whole),
            }
        })
    }

    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        let response = self.respond(request);
        Box::pin(async move {
            response.await.map(|body| match body {
                Body::Whole(body) => body,
                Body::Stream(_) => Vec::new(),
            })
        })
    }
}
