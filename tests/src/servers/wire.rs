use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    future::{poll_fn, ready},
    rc::{Rc, Weak},
    task::{Context, Poll},
};

use api::{Api, CopyRequest, Peers, Problem};
use http::{Request, Response};
use protocol::LocalFuture;
use regions::{
    Deployment, copies,
    references::{Reply, Request as Asked},
};
use serde_json::Value as Json;
use store::Key;

use super::run::complete;

/// The connections among all servers, which are at places.
#[derive(Debug, Default)]
pub(super) struct Connections {
    servers: RefCell<BTreeMap<usize, Weak<Api>>>,
    deployments: BTreeMap<Deployment, usize>,
    cut: RefCell<BTreeSet<usize>>,
    lossy: RefCell<BTreeSet<usize>>,
    held: RefCell<BTreeSet<usize>>,
}

impl Connections {
    /// Connections among deployments, which are at these places.
    pub(super) fn new(deployments: BTreeMap<Deployment, usize>) -> Self {
        Self { deployments, ..Self::default() }
    }

    /// Makes an API that of a server.
    pub(super) fn set(&self, server: usize, api: &Rc<Api>) {
        self.servers.borrow_mut().insert(server, Rc::downgrade(api));
    }

    /// Cuts a server off.
    pub(super) fn cut(&self, server: usize) {
        self.cut.borrow_mut().insert(server);
    }

    /// Loses the replies of a server.
    pub(super) fn lose(&self, server: usize) {
        self.lossy.borrow_mut().insert(server);
    }

    /// Holds the replies of a server.
    pub(super) fn hold(&self, server: usize) {
        self.held.borrow_mut().insert(server);
    }

    /// Ends all of it.
    pub(super) fn join(&self, server: usize) {
        self.held.borrow_mut().remove(&server);
        self.cut.borrow_mut().remove(&server);
        self.lossy.borrow_mut().remove(&server);
    }

    /// Waits while the replies of a server are held.
    async fn wait_for(&self, server: usize) {
        let is_held = |_: &mut Context<'_>| match self.held.borrow().contains(&server) {
            true => Poll::Pending,
            false => Poll::Ready(()),
        };
        poll_fn(is_held).await;
    }

    /// The server of a deployment, with its place, if a request from another one comes to it.
    fn reached(&self, from: usize, to: &Deployment) -> Result<(Rc<Api>, usize), String> {
        let at = *self.deployments.get(to).ok_or("has no address")?;
        let is_cut = [from, at].iter().any(|it| self.cut.borrow().contains(it));
        let api = self.servers.borrow().get(&at).filter(|_| !is_cut).and_then(Weak::upgrade);
        api.map(|api| (api, at)).ok_or_else(unreplied)
    }
}

/// The requests of one server to the others.
#[derive(Debug)]
pub(super) struct Wire {
    pub(super) own: usize,
    pub(super) connections: Rc<Connections>,
}

impl Wire {
    fn exchange<T: 'static>(
        &self,
        to: &Deployment,
        reply: impl FnOnce(Rc<Api>) -> LocalFuture<Result<T, String>>,
    ) -> LocalFuture<Result<T, String>> {
        let (api, at) = match self.connections.reached(self.own, to) {
            Ok(reached) => reached,
            Err(why) => return Box::pin(ready(Err(why))),
        };
        let (replied, connections) = (reply(api), self.connections.clone());
        Box::pin(async move {
            let replied = replied.await?;
            connections.wait_for(at).await;
            let is_lost = connections.lossy.borrow().contains(&at);
            if is_lost { Err(unreplied()) } else { Ok(replied) }
        })
    }
}

impl Peers for Wire {
    fn send(
        &self,
        to: &Deployment,
        request: &Asked<Deployment, Key>,
    ) -> LocalFuture<Result<Reply<Key>, String>> {
        let request = request.clone();
        self.exchange(to, |api| {
            Box::pin(async move { api.reply_to(request).await.map_err(|it| refusal(&it)) })
        })
    }

    fn request_copies(
        &self,
        to: &Deployment,
        request: &CopyRequest,
    ) -> LocalFuture<Result<copies::Reply<Key, Json>, String>> {
        let request = request.clone();
        self.exchange(to, |api| {
            Box::pin(async move {
                let reply = api.reply_to_reader(&request, Box::pin(ready(())));
                reply.await.map_err(|it| refusal(&it))
            })
        })
    }

    fn forward(
        &self,
        to: &Deployment,
        request: Request<Vec<u8>>,
    ) -> LocalFuture<Result<Response<Vec<u8>>, String>> {
        self.exchange(to, |api| Box::pin(async move { Ok(complete(api.answer(request)).await) }))
    }
}

fn unreplied() -> String {
    "has not replied in time".to_owned()
}

fn refusal(problem: &Problem) -> String {
    format!("replies: {}", problem.detail)
}
