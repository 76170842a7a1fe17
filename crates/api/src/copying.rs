//! Copies of what other regions of a service own, by the protocol of [`regions::copies`].

use std::{collections::BTreeSet, future::poll_fn, sync::Arc, task::Poll};

use integrity::IntegrityError;
use protocol::LocalFuture;
use regions::{
    Deployment, MultiRegionPolicy,
    copies::{Limits, Reader, Reply, Request},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{From, Key, Millis, Query, Scope, StoreError, Watch};

use crate::{Api, Neighbors, Problem, ServiceRegions, Topology};

/// The number of resources whose regions are written again in one transaction.
const PLACED: usize = 50;

/// The maximum number of resources in a message, and of copies that a page deletes. Both together are less than what etcd takes in
/// one transaction.
const IN_MESSAGE: usize = 50;

/// A request of a region for what another one owns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CopyRequest {
    /// The deployment that has the copies.
    pub reader: Deployment,
    /// The regions that it takes the service to be in: both have to agree on who owns what.
    pub regions: AgreedRegions,
    /// The request of the protocol.
    pub request: Request<Key>,
    /// The number of resources in the reply; those of one transaction stay together.
    pub limit: usize,
    /// Changes are waited for, if there are none.
    pub wait: bool,
}

/// The regions of a service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgreedRegions {
    /// All of them.
    pub enabled_regions: BTreeSet<Arc<str>>,
    /// The one that owns what has no region and no other policy.
    pub default_control_region: Arc<str>,
}

/// The state of the copies that a region has of what another one owns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CopyStatus {
    /// The region that owns the resources.
    pub owner: Deployment,
    /// The revision of that region up to which the copies have every change.
    pub complete: u64,
    /// True while a snapshot is read, because changes are missing.
    pub reads_snapshot: bool,
    /// The time of the last reply, in milliseconds since 1970; `None` before the first one.
    pub last_reply: Option<i64>,
    /// The reason why the last request has no reply.
    pub error: Option<String>,
}

/// The last request for copies.
#[derive(Clone, Debug, Default)]
pub(crate) struct CopyAttempt {
    /// The time of the last reply, in milliseconds.
    last_reply: Option<i64>,
    /// The reason why the last request has no reply.
    error: Option<String>,
}

/// The part of the resources whose regions were compared with the policies of now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Placing {
    /// All of them.
    #[default]
    Done,
    /// Those up to this one.
    After(Option<Key>),
}

impl AgreedRegions {
    pub(crate) fn of(policy: &MultiRegionPolicy) -> Self {
        Self {
            enabled_regions: policy.enabled_regions.clone(),
            default_control_region: policy.default_control_region.clone(),
        }
    }
}

/// A reader of what another region owns.
#[derive(Debug)]
pub struct CopyReader {
    owner: Deployment,
    reader: Reader<Deployment>,
    /// The number of resources that the own store takes in one transaction.
    limit: usize,
}

impl CopyReader {
    /// One that has requested nothing.
    pub fn new(owner: Deployment, now: Millis) -> Self {
        // A request is sent again as soon as the one before has its reply.
        let limits = Limits { tombstones: 10_000, copies: IN_MESSAGE, patience: 0 };
        Self { reader: Reader::new(owner.clone(), limits, now.0), owner, limit: IN_MESSAGE }
    }
}

impl Api {
    /// The other regions of the services that are served here, whose resources this one may have copies of.
    pub fn other_regions(&self) -> Vec<Deployment> {
        let Some(Neighbors { topology, .. }) = &self.neighbors else { return Vec::new() };
        let served = self.services.services.iter().filter(|it| !it.is_import);
        let names: BTreeSet<_> = served.map(|it| it.name.clone()).collect();
        let services = topology.services();
        let regional = services.iter().filter(|(name, _)| names.contains(*name));
        let deployments = regional.flat_map(|(service, policy)| {
            let others = policy.enabled_regions.iter().filter(|it| **it != topology.own);
            others.map(|region| Deployment { service: service.clone(), region: region.clone() })
        });
        deployments.collect()
    }

    /// Takes over which regions services are in now. Requests and copies follow it at once; resources whose regions are others
    /// than before are written again by [`work_later`](Self::work_later).
    pub fn set_regions(&self, services: ServiceRegions) {
        let topology = self.neighbors.as_ref().map(|it| &it.topology);
        if topology.is_some_and(|it| it.set_services(services)) {
            self.placing.replace(Placing::After(None));
        }
    }

    /// The other regions of which no copies were made so far.
    pub fn uncopied_regions(&self) -> Vec<Deployment> {
        let mut regions = self.other_regions();
        regions.retain(|it| self.transactions.copy_progress(it).complete == 0);
        regions
    }

    /// Requests what has changed in another region, and a page of what it owns if changes are missing. Returns true if anything
    /// was recorded: copies, or how far they have come.
    ///
    /// # Errors
    /// The reason why that was not possible, in a line.
    pub async fn copy(&self, reader: &mut CopyReader) -> Result<bool, String> {
        let copied = self.copied(reader).await;
        let mut all = self.copies.borrow_mut();
        let attempt = all.entry(reader.owner.clone()).or_default();
        attempt.error = copied.as_ref().err().cloned();
        if copied.is_ok() {
            attempt.last_reply = Some(self.transactions.store().now().0);
        }
        copied
    }

    async fn copied(&self, reader: &mut CopyReader) -> Result<bool, String> {
        let progress = self.transactions.copy_progress(&reader.owner);
        // The first reply says at once that the other region is there.
        let is_known = self.copies.borrow().get(&reader.owner).is_some_and(|it| it.last_reply.is_some());
        let (wait, mut is_changed) = (is_known && progress.next_page().is_none(), false);
        for request in reader.reader.requests(&progress, self.transactions.store().now().0) {
            let reply = self.request_copies(reader, request, wait).await?;
            for part in reply.parts(reader.limit) {
                is_changed |= self.take_copies(reader, &part).await?;
            }
        }
        Ok(is_changed)
    }

    /// Applies a message. If the store does not take it, the next ones are shorter.
    async fn take_copies(&self, reader: &mut CopyReader, part: &Reply<Key, Value>) -> Result<bool, String> {
        let now = self.transactions.store().now().0;
        let submitted = self.transactions.take_copies(&mut reader.reader, &reader.owner, part, now).await;
        if matches!(&submitted, Err(IntegrityError::Store(StoreError::Invalid { .. }))) {
            reader.limit = (reader.limit / 2).max(1);
        }
        submitted.map(|it| !it.resources.is_empty()).map_err(|error| error.to_string())
    }

    async fn request_copies(
        &self,
        reader: &CopyReader,
        request: Request<Key>,
        wait: bool,
    ) -> Result<Reply<Key, Value>, String> {
        let CopyReader { owner, limit, .. } = reader;
        let neighbors = self.neighbors.as_ref().ok_or("there are no other regions")?;
        let Neighbors { topology, peers } = neighbors;
        let services = topology.services();
        let policy = services.get(&owner.service).ok_or("the service is in no other region")?;
        let reader = Deployment { service: owner.service.clone(), region: topology.own.clone() };
        let request =
            CopyRequest { reader, regions: AgreedRegions::of(policy), request, limit: *limit, wait };
        peers.request_copies(owner, &request).await
    }

    /// The states of the copies, by the regions that own the resources.
    pub(crate) fn copy_statuses(&self) -> Vec<CopyStatus> {
        let all = self.copies.borrow();
        let status = |owner: Deployment| {
            let progress = self.transactions.copy_progress(&owner);
            let attempt = all.get(&owner).cloned().unwrap_or_default();
            CopyStatus {
                owner,
                complete: progress.complete,
                reads_snapshot: progress.snapshot.is_some(),
                last_reply: attempt.last_reply,
                error: attempt.error,
            }
        };
        self.other_regions().into_iter().map(status).collect()
    }

    /// The reply to a region that has copies. If there are no changes, it comes with the first one, or when `patience` is
    /// ready.
    ///
    /// # Errors
    /// 409 if the two do not agree on the regions of the service.
    pub async fn reply_to_reader(
        &self,
        request: &CopyRequest,
        mut patience: LocalFuture<()>,
    ) -> Result<Reply<Key, Value>, Problem> {
        self.check_regions(request)?;
        let mut watches = self.watches(&request.reader.service);
        loop {
            let reply = self.transactions.reply_to_reader(
                &request.reader,
                &request.request,
                request.limit.clamp(1, IN_MESSAGE),
            );
            let is_empty = matches!(&reply, Reply::Changes(changes) if changes.changes.is_empty());
            if !is_empty || !request.wait {
                return Ok(reply);
            }
            if !changed(&mut watches, &mut patience).await {
                return Ok(reply);
            }
        }
    }

    fn check_regions(&self, request: &CopyRequest) -> Result<(), Problem> {
        let Deployment { service, region } = &request.reader;
        let topology = self.neighbors.as_ref().map(|it| &it.topology);
        let services = topology.map(Topology::services);
        let own = services.as_ref().and_then(|it| it.get(service)).map(AgreedRegions::of);
        match own {
            Some(own) if own == request.regions && own.enabled_regions.contains(region) => Ok(()),
            _ => Err(Problem::failed_precondition(format!(
                "the regions of `{service}` are not the same for the server in `{region}` and this one: start all with the \
                 same regions and the same `--control-region`"
            ))),
        }
    }

    /// Watches of all kinds of a service.
    pub fn watches(&self, service: &str) -> Vec<Watch> {
        let kinds = self.transactions.rules().model.kinds().map(|it| it.kind.clone());
        let kinds = kinds.filter(|it| *it.namespace == *service);
        let watch = |kind| self.transactions.store().watch(Scope::Kind(kind, Query::all()), From::Now).ok();
        kinds.filter_map(watch).collect()
    }

    /// True if policies may have changed since resources were written with their regions.
    pub(crate) fn is_misplaced(&self) -> bool {
        let mut watches = self.policies.borrow_mut();
        let is_changed = watches.iter_mut().fold(false, |is_changed, it| !it.batch().is_empty() | is_changed);
        let mut placing = self.placing.borrow_mut();
        if is_changed {
            *placing = Placing::After(None);
        }
        *placing != Placing::Done
    }

    /// Writes some of the resources again whose regions have changed; false if there are none.
    pub(crate) async fn place_some(&self) -> bool {
        if !self.is_misplaced() {
            return false;
        }
        let Placing::After(after) = self.placing.borrow().clone() else { return false };
        let keys = self.transactions.misplaced(after.as_ref(), PLACED);
        let Some(last) = keys.last().cloned() else {
            self.placing.replace(Placing::Done);
            return false;
        };
        let is_placed = self.transactions.place_again(&keys).await.is_ok();
        // If a policy has changed meanwhile, it begins again.
        if is_placed && *self.placing.borrow() == Placing::After(after) {
            self.placing.replace(Placing::After(Some(last)));
        }
        is_placed
    }

    /// Begins to watch the resources that may have policies.
    pub(crate) fn watch_policies(&mut self) {
        let holders = self.services.kinds().filter(|(_, kind)| kind.features.policy_holder);
        let kinds = holders.filter_map(|(id, _)| crate::stored_kind(&self.services, id));
        let watch = |kind| self.transactions.store().watch(Scope::Kind(kind, Query::all()), From::Now).ok();
        self.policies = kinds.filter_map(watch).collect::<Vec<_>>().into();
        let is_regional = !self.other_regions().is_empty();
        self.placing = if is_regional { Placing::After(None) } else { Placing::Done }.into();
    }
}

/// Waits for a change; false if the patience is ready first, or the store is closed.
pub async fn changed(watches: &mut [Watch], patience: &mut LocalFuture<()>) -> bool {
    poll_fn(|cx| {
        let mut result = Poll::Pending;
        for watch in &mut *watches {
            if let Poll::Ready(events) = watch.poll_batch(cx) {
                result = Poll::Ready(!events.is_empty());
            }
        }
        match patience.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(false),
            Poll::Pending => result,
        }
    })
    .await
}
