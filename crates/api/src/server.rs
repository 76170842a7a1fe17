use std::{cell::RefCell, fmt, future::Future, pin::Pin, rc::Rc, sync::Arc};

use authorization::Policy;
use fields::schema::Schema;
use futures_core::Stream;
use http::{Request, Response};
use integrity::{Outcome, Transactions, Work};
use serde_json::Value;
use spec::{KindId, Method, Services};

use crate::{
    Hooks, Match, NoHooks, Problem, Router, UnservedPolicy, UnservedReference, answer, unserved,
    versions::Versions,
};

#[cfg(feature = "neighbors")]
use crate::Neighbors;

/// A source of random numbers, for ids of resources that are created without name.
pub type Ids = Rc<dyn Fn() -> u64>;

/// The API of some services over one store.
pub struct Api {
    pub(crate) services: Arc<Services>,
    pub(crate) schemas: Arc<Vec<Schema>>,
    pub(crate) transactions: Transactions,
    pub(crate) ids: Ids,
    pub(crate) settings: Settings,
    pub(crate) versions: Versions,
    router: Router,
    unserved: Vec<UnservedReference>,
    hooks: Rc<dyn Hooks>,
    policy: RefCell<Option<Rc<Policy>>>,
    #[cfg(feature = "conversions")]
    old_versions: Option<Rc<dyn crate::OldVersions>>,
    #[cfg(feature = "neighbors")]
    pub(crate) neighbors: Option<Neighbors>,
    /// The transactions that establish references with other deployments, while they are in progress.
    #[cfg(feature = "neighbors")]
    pub(crate) open: RefCell<std::collections::BTreeSet<u64>>,
    /// The last requests for copies of what other regions own.
    #[cfg(feature = "neighbors")]
    pub(crate) copies: RefCell<std::collections::BTreeMap<regions::Deployment, crate::copying::CopyAttempt>>,
    /// Watches of the resources that may have policies of regions.
    #[cfg(feature = "neighbors")]
    pub(crate) policies: RefCell<Vec<store::Watch>>,
    /// The resources that may have been written under other policies.
    #[cfg(feature = "neighbors")]
    pub(crate) placing: RefCell<crate::copying::Placing>,
}

/// The limits of an API.
#[derive(Clone, PartialEq, Eq)]
pub struct Settings {
    /// The number of resources of a page if the request does not say.
    pub page_size: u64,
    /// The maximum number of resources of a page.
    pub max_page_size: u64,
    /// The maximum number of names that one request reads.
    pub max_names: usize,
    /// The maximum length of the resources of a response together, in bytes: a page ends before it would be longer.
    pub max_answer: usize,
    /// The key with which page tokens are signed, so that only this server makes them.
    pub secret: Vec<u8>,
    /// The treatment of references to kinds that are not served.
    pub unserved: UnservedPolicy,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("page_size", &self.page_size).finish_non_exhaustive()
    }
}

impl Default for Settings {
    fn default() -> Self {
        let (max_answer, secret, unserved) = (8 << 20, Vec::new(), UnservedPolicy::default());
        Self { page_size: 50, max_page_size: 1000, max_names: 1000, max_answer, secret, unserved }
    }
}

/// A response, or a future that becomes one.
pub enum Reply {
    /// It is complete.
    Whole(Response<Vec<u8>>),
    /// Its body comes in parts, until the client has enough or the store is closed. The part that reports an earlier end is the
    /// [`LastPart`] among its extensions.
    Stream(Response<Pin<Box<dyn Stream<Item = Vec<u8>>>>>),
    /// Its body is made in pieces, so that others are answered meanwhile.
    Long(Response<LongBody>),
    /// It is awaited: a hook, or a write until it is kept.
    Later(Pin<Box<dyn Future<Output = Response<Vec<u8>>>>>),
}

/// A body that is not made yet.
pub struct LongBody {
    /// The maximum length, in bytes.
    pub length: usize,
    /// The future that makes it. It waits for nothing, and only gives way to others.
    pub text: Pin<Box<dyn Future<Output = Vec<u8>>>>,
}

impl fmt::Debug for LongBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LongBody").field("length", &self.length).finish_non_exhaustive()
    }
}

/// The last part of a stream that ends early: it makes of a problem the bytes that are sent.
#[derive(Clone, Copy, Debug)]
pub struct LastPart(pub fn(&Problem) -> Vec<u8>);

impl Api {
    /// The API of the services that are not only imported. `schemas` has the messages of each service at its place, or
    /// fewer.
    pub fn new(
        services: Arc<Services>,
        schemas: Arc<Vec<Schema>>,
        transactions: Transactions,
        ids: Ids,
    ) -> Self {
        let router = Router::new(&services);
        let unserved = unserved::unserved_references(&services, &schemas);
        let versions = Versions::of(&services);
        Self {
            services,
            schemas,
            transactions,
            ids,
            settings: Settings::default(),
            versions,
            router,
            unserved,
            hooks: Rc::new(NoHooks),
            policy: RefCell::default(),
            #[cfg(feature = "conversions")]
            old_versions: None,
            #[cfg(feature = "neighbors")]
            neighbors: None,
            #[cfg(feature = "neighbors")]
            open: RefCell::default(),
            #[cfg(feature = "neighbors")]
            copies: RefCell::default(),
            #[cfg(feature = "neighbors")]
            policies: RefCell::default(),
            #[cfg(feature = "neighbors")]
            placing: RefCell::default(),
        }
    }

    /// With other limits.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// With hooks for methods that the specifications add.
    #[must_use]
    pub fn with_hooks(mut self, hooks: Rc<dyn Hooks>) -> Self {
        self.hooks = hooks;
        self
    }

    /// With old versions of the services, whose requests are converted.
    #[cfg(feature = "conversions")]
    #[must_use]
    pub fn with_old_versions(mut self, old_versions: Rc<dyn crate::OldVersions>) -> Self {
        self.old_versions = Some(old_versions);
        self
    }

    /// With other deployments that own resources which are referred to, or other regions of what is served here. The rules of the
    /// transactions have to know the same [`Topology`](crate::Topology).
    #[cfg(feature = "neighbors")]
    #[must_use]
    pub fn with_neighbors(mut self, neighbors: Neighbors) -> Self {
        let served = neighbors.topology.services();
        let is_served = |it: &UnservedReference| {
            let service = it.target.split_once('/').map_or("", |(service, _)| service);
            served.contains_key(service)
        };
        self.unserved.retain(|it| !is_served(it));
        self.neighbors = Some(neighbors);
        self.watch_policies();
        self
    }

    /// With an access policy: only what it allows is done. Without one, all callers may do everything.
    #[must_use]
    pub fn with_policy(self, policy: Rc<Policy>) -> Self {
        self.set_policy(policy);
        self
    }

    /// Puts another access policy in force, for all requests from now on. Watches that began under the former one end before
    /// the next message, so that no client is sent what the new one does not allow; clients resume them.
    pub fn set_policy(&self, policy: Rc<Policy>) {
        self.policy.replace(Some(policy));
    }

    /// The response to a request.
    pub fn answer(self: &Rc<Self>, request: Request<Vec<u8>>) -> Reply {
        #[cfg(feature = "conversions")]
        let request = match &self.old_versions {
            Some(old_versions) => match old_versions.answer(self, request) {
                Ok(reply) => return reply,
                Err(request) => *request,
            },
            None => request,
        };
        match self.find_own(request.method(), request.uri().path()) {
            Ok(found) => self.answer_found(&found, request),
            Err(problem) => Reply::Whole(problem.response()),
        }
    }

    /// The response to a request whose method is known; its path does not count.
    pub fn answer_found(self: &Rc<Self>, found: &Match, request: Request<Vec<u8>>) -> Reply {
        let (head, body) = request.into_parts();
        answer::answer(self, found, head, body)
    }

    /// The method of a request.
    ///
    /// # Errors
    /// 404, 405, or 400 if its path is encoded wrongly.
    pub fn find(&self, head: &http::request::Parts) -> Result<Match, Problem> {
        #[cfg(feature = "conversions")]
        if let Some(found) = self.old_versions.as_ref().and_then(|it| it.find(head)) {
            return found;
        }
        self.find_own(&head.method, head.uri.path())
    }

    fn find_own(&self, method: &http::Method, path: &str) -> Result<Match, Problem> {
        self.router.find(method, path).map_err(|miss| miss.problem(method, path))
    }

    /// A method that was found.
    pub fn method(&self, found: &Match) -> Option<&Method> {
        let service = self.services.services.get(found.service)?;
        service.apis.get(found.api)?.methods.get(found.method)
    }

    /// True if a request only reads, as its method in the specification says; where it has none, as its method of HTTP does.
    pub fn only_reads(&self, head: &http::request::Parts) -> bool {
        let found = self.find(head).ok();
        found.and_then(|it| self.method(&it)).map_or_else(|| head.method.is_safe(), |it| it.read_only)
    }

    /// The reference fields of served kinds that nothing checks, because the kinds that they refer to are not served.
    pub fn unserved_references(&self) -> &[UnservedReference] {
        &self.unserved
    }

    /// The places of references that cannot be checked, in what a resource becomes.
    ///
    /// # Errors
    /// 409 if such references are refused.
    pub(crate) fn check_unserved(
        &self,
        kind: KindId,
        old: &Value,
        new: &Value,
    ) -> Result<Vec<String>, Problem> {
        unserved::check(&self.unserved, self.settings.unserved, kind, old, new)
    }

    /// True if deletions left something for later.
    pub fn has_work(&self) -> bool {
        #[cfg(feature = "neighbors")]
        if self.neighbors.is_some() && (self.is_misplaced() || !self.transactions.owed().is_empty()) {
            return true;
        }
        !self.transactions.pending().is_empty()
    }

    /// Does one piece of what deletions left for later, and waits until it is kept; false if there is nothing that can
    /// be done.
    pub fn work(&self) -> bool {
        matches!(self.transactions.step(), Ok(Some(_)))
    }

    /// The same, without waiting in this thread.
    pub async fn work_later(self: &Rc<Self>) -> bool {
        for work in self.transactions.pending() {
            if self.perform(&work).await {
                return true;
            }
        }
        #[cfg(feature = "neighbors")]
        if self.place_some().await || self.send_owed().await {
            return true;
        }
        false
    }

    /// Does some work; false if it cannot be done.
    async fn perform(self: &Rc<Self>, work: &Work) -> bool {
        #[cfg(feature = "neighbors")]
        if let Some(neighbors) = &self.neighbors {
            return self.perform_agreed(neighbors, work).await;
        }
        let (outcome, submitted) = self.transactions.submit_work(work);
        submitted.await.is_ok() && matches!(outcome, Outcome::Done(_))
    }

    /// The services, imported ones too.
    pub fn services(&self) -> Arc<Services> {
        self.services.clone()
    }

    /// The transactions on the store.
    pub fn transactions(&self) -> &Transactions {
        &self.transactions
    }

    pub(crate) fn hook(&self, service: &str, method: &str) -> Option<Rc<dyn crate::Hook>> {
        self.hooks.find(service, method)
    }

    pub(crate) fn policy(&self) -> Option<Rc<Policy>> {
        self.policy.borrow().clone()
    }

    pub(crate) fn stored(&self, key: &store::Key) -> Option<Arc<Value>> {
        self.transactions.store().get(key).ok().map(|it| it.spec.shared_value().clone())
    }
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Api").field("router", &self.router).finish_non_exhaustive()
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(response) => f.debug_tuple("Whole").field(response).finish(),
            Self::Stream(response) => f.debug_tuple("Stream").field(response.headers()).finish(),
            Self::Long(response) => f.debug_tuple("Long").field(&response.body().length).finish(),
            Self::Later(_) => f.write_str("Later"),
        }
    }
}
