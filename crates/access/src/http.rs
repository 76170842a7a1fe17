//! Resources of a server, by the routes of a specification.

mod encode;
mod exchange;
mod method;
mod outgoing;
mod page;
mod problem;
mod retry;
mod template;
mod write;

use std::{fmt, rc::Rc, sync::Arc};

use ::http::Request;
use fields::{MessageType, schema::Schema};
use protocol::{LocalFuture, Token, Transport};
use runtime::Timer;
use serde_json::Value;
use spec::{KindId, Services, StandardMethod};

pub(crate) use method::parent_of;
use outgoing::Outgoing;
pub use retry::Retries;

use crate::{Access, AccessError, ListQuery, Resource, Update, Version};

/// The server of some services.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    base: String,
    token: Option<Token>,
}

impl Server {
    /// The server at an address of http or https, before the paths of the specification; `None` if it is none, or has a
    /// query, a fragment or a password.
    pub fn new(base: &str, token: Option<Token>) -> Option<Self> {
        let caller = protocol::Caller::new(base, None)?;
        Some(Self { base: caller.base().to_owned(), token })
    }

    /// The address, without a slash at the end.
    pub fn base(&self) -> &str {
        &self.base
    }
}

/// Access to a server. Clones share the transport.
#[derive(Clone)]
pub struct HttpAccess(Rc<Client>);

struct Client {
    services: Arc<Services>,
    schemas: Arc<Vec<Schema>>,
    server: Server,
    transport: Rc<dyn Transport>,
    timer: Rc<dyn Timer>,
    retries: Retries,
}

impl HttpAccess {
    /// To a server of these services. `schemas` are their messages, each at the place of its service, or fewer.
    pub fn new(
        services: Arc<Services>,
        schemas: Arc<Vec<Schema>>,
        server: Server,
        transport: Rc<dyn Transport>,
        timer: Rc<dyn Timer>,
    ) -> Self {
        Self(Rc::new(Client { services, schemas, server, transport, timer, retries: Retries::default() }))
    }

    /// With other limits for trying again.
    #[must_use]
    pub fn with_retries(self, retries: Retries) -> Self {
        let Client { services, schemas, server, transport, timer, .. } = &*self.0;
        Self(Rc::new(Client {
            services: services.clone(),
            schemas: schemas.clone(),
            server: server.clone(),
            transport: transport.clone(),
            timer: timer.clone(),
            retries,
        }))
    }
}

impl HttpAccess {
    /// The request that watches a list, from its state on or from where an earlier watch was. Its response is a stream of
    /// messages, a line each, for a [`Watcher`](crate::Watcher); hosts send it with what can read streams.
    ///
    /// # Errors
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if no route is for that parent;
    /// [`Unimplemented`](crate::ErrorKind::Unimplemented) if the service cannot be watched.
    pub fn watch_request(
        &self,
        kind: KindId,
        query: &ListQuery,
        resume_token: Option<&str>,
    ) -> Result<Request<Vec<u8>>, AccessError> {
        let token = resume_token.unwrap_or_default().to_owned();
        let outgoing = Outgoing {
            parent: query.parent.clone(),
            parameters: vec![("filter", vec![query.filter.clone()]), ("resume_token", vec![token])],
            ..Outgoing::default()
        };
        self.0.request(kind, StandardMethod::WatchCollection, &outgoing)
    }
}

impl Client {
    /// The message of a kind, if its fields are known.
    fn message(&self, kind: KindId) -> Option<MessageType<'_>> {
        let name = &self.services.kind(kind)?.name;
        let message = MessageType::new(self.schemas.get(kind.service)?, name)?;
        (!message.message().open).then_some(message)
    }

    /// True if a request has a field of that name; `None` if its fields are not known.
    fn has_field(&self, kind: KindId, request: &str, field: &str) -> Option<bool> {
        let message = self.schemas.get(kind.service)?.messages.get(request)?;
        match message.fields.iter().any(|it| &*it.name == field) {
            false if message.open => None,
            has => Some(has),
        }
    }
}

impl Access for HttpAccess {
    fn get(&self, kind: KindId, name: &str) -> LocalFuture<Result<Resource, AccessError>> {
        let (client, name) = (self.0.clone(), name.to_owned());
        Box::pin(async move { client.get(kind, &name).await })
    }

    fn batch_get(&self, kind: KindId, names: Vec<String>) -> LocalFuture<Result<Vec<Resource>, AccessError>> {
        let client = self.0.clone();
        Box::pin(async move { client.batch_get(kind, &names).await })
    }

    fn list(&self, kind: KindId, query: ListQuery) -> LocalFuture<Result<Vec<Resource>, AccessError>> {
        let client = self.0.clone();
        Box::pin(async move { client.list(kind, &query).await })
    }

    fn create(&self, kind: KindId, resource: Value) -> LocalFuture<Result<Resource, AccessError>> {
        let client = self.0.clone();
        Box::pin(async move { client.create(kind, resource).await })
    }

    fn update(&self, kind: KindId, update: Update) -> LocalFuture<Result<Resource, AccessError>> {
        let client = self.0.clone();
        Box::pin(async move { client.update(kind, update).await })
    }

    fn delete(
        &self,
        kind: KindId,
        name: &str,
        expected: Option<Version>,
    ) -> LocalFuture<Result<(), AccessError>> {
        let (client, name) = (self.0.clone(), name.to_owned());
        Box::pin(async move { client.delete(kind, &name, expected).await })
    }
}

impl fmt::Debug for HttpAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpAccess").field("server", &self.0.server).finish_non_exhaustive()
    }
}
