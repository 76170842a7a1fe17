mod calls;
mod gate;
mod reads;
mod resource_index;
mod setup;
mod signal;
mod turns;
mod verbs;
mod writes;

use std::{
    cell::{Cell, RefCell},
    fmt,
    rc::Rc,
};

use http::{Request, Response};
use protocol::{Answer, Call, Code, Description, Feature, LocalFuture, Problem, VERSION, openapi};
use runtime::Timer;

use crate::{Adapter, Cors, Deliver, Delivered, Record, gather::first};
use calls::{Calls, RunningWrite};
use resource_index::ResourceIndex;
pub use setup::{Limits, Setup, Spawn};
use turns::ResourceLocks;

/// Serves an [`Adapter`] over the protocol. Clones are the same service.
///
/// # Guarantees
/// - Every request gets a response; every error is a problem.
/// - At most one method of the adapter is in progress for a resource, reads included.
/// - A write continues when its caller disconnects. A request with the same key gets its answer again.
/// - A resource of one deployment is never changed or destroyed for another one.
/// - A record is in the ledger before its resource is created, and until it is destroyed or found missing.
/// - The memory in use grows with the number of resources, and by [`Limits::keep`] answers.
pub struct Service<A> {
    inner: Rc<Inner<A>>,
}

impl<A> Clone for Service<A> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone() }
    }
}

impl<A> fmt::Debug for Service<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").field("name", &self.inner.description.name).finish_non_exhaustive()
    }
}

pub(crate) struct Inner<A> {
    description: Description,
    adapter: A,
    timer: Rc<dyn Timer>,
    spawn: Spawn,
    token: Option<String>,
    base: String,
    cors: RefCell<Cors>,
    limits: Cell<Limits>,
    index: RefCell<ResourceIndex>,
    calls: RefCell<Calls>,
    turns: ResourceLocks,
}

impl<A: Adapter + 'static> Service<A> {
    /// Serves an adapter with that description. `batch_read`, `list` and `lineage` are provided by the
    /// service, whatever the description says of them; the instance is that of the ledger, if it has one. If
    /// an adapter declares `cancel`, the future of a method can be dropped before it ends.
    ///
    /// # Errors
    /// The reason why the ledger cannot be read.
    pub fn new(mut description: Description, adapter: A, setup: Setup) -> Result<Self, String> {
        description.protocol = VERSION;
        for feature in [Feature::BatchRead, Feature::List, Feature::Lineage] {
            if !description.can(feature) {
                description.features.push(feature.as_str().into());
            }
        }
        let Setup { ledger, timer, spawn, token, base } = setup;
        let calls = RefCell::new(Calls::new(timer.now().0));
        let books = RefCell::new(ResourceIndex::open(ledger)?);
        if !books.borrow().instance().is_empty() {
            description.instance = books.borrow().instance().to_owned();
        }
        let (cors, limits, turns) = (RefCell::default(), Cell::default(), ResourceLocks::default());
        let inner = Inner {
            description,
            adapter,
            timer,
            spawn,
            token,
            base,
            cors,
            limits,
            index: books,
            calls,
            turns,
        };
        Ok(Self { inner: Rc::new(inner) })
    }

    /// The same service with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        self.inner.limits.set(limits);
        self
    }

    /// The same service, which pages of these origins may call.
    #[must_use]
    pub fn with_cors(self, cors: Cors) -> Self {
        self.inner.cors.replace(cors);
        self
    }

    /// Responds to a request. Dropping the future ends the wait, not the work.
    pub fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        let inner = self.inner.clone();
        Box::pin(async move { inner.handle(request).await })
    }

    /// The adapter's description of itself.
    pub fn description(&self) -> &Description {
        &self.inner.description
    }

    /// The adapter itself.
    pub fn adapter(&self) -> &A {
        &self.inner.adapter
    }

    /// The records of all resources that exist or whose creation was begun.
    pub fn records(&self) -> Vec<Record> {
        self.inner.index.borrow().all()
    }

    /// The error of the last write to the ledger, if it failed. Resources that are created meanwhile are
    /// known until the service ends, and are afterwards found by their ids.
    pub fn ledger_error(&self) -> Option<String> {
        self.inner.index.borrow().error().map(Into::into)
    }
}

impl<A: Adapter + 'static> Deliver for Service<A> {
    fn deliver(&self, request: Request<Vec<u8>>) -> LocalFuture<Delivered> {
        let answer = self.handle(request);
        Box::pin(async move { Delivered::complete(answer.await) })
    }
}

/// The shortest time that a request for an operation waits, in milliseconds, so that clients who follow it do not do so
/// without pause.
const PAUSE: i64 = 200;

impl<A: Adapter + 'static> Inner<A> {
    async fn handle(self: Rc<Self>, request: Request<Vec<u8>>) -> Response<Vec<u8>> {
        let preflight = self.cors.borrow().preflight(&request);
        if let Some(response) = preflight {
            return response;
        }
        let origin = self.cors.borrow().allowed(&request);
        let mut response = match gate::call(&self.base, self.token.as_deref(), &request) {
            Ok(call) => self.answer(call).await,
            Err(problem) => gate::response(&self.base, problem.into()),
        };
        self.cors.borrow().add_headers(origin, &mut response);
        response
    }

    async fn answer(self: &Rc<Self>, call: Call) -> Response<Vec<u8>> {
        let answer = match call {
            Call::Create { .. } | Call::Update { .. } | Call::Destroy { .. } => {
                return self.write(call).await;
            }
            Call::Describe => Ok(Answer::Described(Box::new(self.description.clone()))),
            Call::OpenApi => Ok(Answer::Document(Box::new(openapi(&self.description)))),
            Call::Read(id) => self.read(&id).await,
            Call::BatchRead(ids) => self.batch(ids).await,
            Call::List { deployment, page } => self.list(&deployment, page.as_deref()).await,
            Call::ListByName { name, except, page } => {
                self.list_by_name(&name, except.as_deref(), page.as_deref()).await
            }
            Call::Operation { op, wait } => self.operation(&op, wait).await,
            Call::Cancel { op } => self.cancel(&op),
        };
        gate::response(&self.base, answer.unwrap_or_else(Answer::from))
    }

    fn makes(&self, kind: &str) -> Result<(), Problem> {
        if self.description.types.contains_key(kind) {
            return Ok(());
        }
        Err(Problem::new(Code::UnknownKind, format!("the kind `{kind}` is not supported")))
    }

    async fn operation(&self, op: &str, wait: Option<u32>) -> Result<Answer, Problem> {
        let work = self.work(op)?;
        if let Some(seconds) = wait {
            let longest = i64::from(seconds.min(self.limits.get().long_poll_s)) * 1000;
            first(work.ended(), self.until_news(&work, longest, PAUSE)).await;
        }
        Ok(Answer::Operation(Box::new(self.operation_of(&work))))
    }

    fn cancel(&self, op: &str) -> Result<Answer, Problem> {
        let work = self.work(op)?;
        let refused = if !self.description.can(Feature::Cancel) {
            Some("this adapter cannot cancel operations")
        } else {
            work.has_ended().then_some("it has ended already")
        };
        if let Some(why) = refused {
            return Err(Problem::new(Code::NotCancellable, why));
        }
        work.cancel();
        Ok(Answer::Done)
    }

    fn work(&self, op: &str) -> Result<Rc<RunningWrite>, Problem> {
        let mut calls = self.calls.borrow_mut();
        calls.forget(self.timer.now().0, self.limits.get());
        calls.work(op).ok_or_else(|| {
            Problem::new(Code::NotFound, "there is no such operation, or it is no longer kept")
        })
    }
}
