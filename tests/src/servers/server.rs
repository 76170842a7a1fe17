use std::{rc::Rc, sync::Arc};

use api::{Api, CopyReader};
use http::{Request, Response};
use protocol::LocalFuture;
use regions::copies::Snapshot;
use spec::{KindId, Services};
use store::{Key, Origin, Query, Resource};
use workspace::view::ServiceRequest;

use super::run::{complete, run};

/// A server in memory.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) api: Rc<Api>,
    pub(super) services: Arc<Services>,
    readers: Vec<CopyReader>,
}

/// The copies of a server.
#[derive(Debug, PartialEq, Eq)]
struct Copies {
    /// Each with its revision at its owner.
    origins: Vec<(Key, Origin)>,
    /// The snapshots that are read, by their regions.
    snapshots: Vec<Option<Snapshot<Key>>>,
}

impl Server {
    /// A server of an API, which has requested no copies.
    pub(super) fn new(api: Api, services: Arc<Services>) -> Self {
        let reader = |owner| CopyReader::new(owner, api.transactions().store().now());
        let readers = api.other_regions().into_iter().map(reader).collect();
        Self { api: Rc::new(api), services, readers }
    }

    /// The response to a client.
    pub(super) fn respond(&self, request: &ServiceRequest) -> LocalFuture<Response<Vec<u8>>> {
        let mut builder = Request::builder().method(&*request.method).uri(&*request.path);
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        let request = builder.body(request.body.clone().into_bytes()).expect("a request");
        complete(self.api.answer(request))
    }

    /// Requests once from each other region what it owns; true if that has changed the copies, or how far a snapshot is read.
    pub(super) fn copy(&mut self) -> bool {
        let before = self.copies();
        for reader in &mut self.readers {
            // The reason why there is no reply is part of the status.
            drop(run(self.api.copy(reader)));
        }
        self.copies() != before
    }

    fn copies(&self) -> Copies {
        let transactions = self.api.transactions();
        let copies = transactions.rules().model.kinds().flat_map(|model| {
            let all = transactions.store().list(&model.kind, &Query::all());
            let copy =
                |it: &Arc<Resource>| Some((it.key().clone(), (**it.metadata.origin.as_ref()?).clone()));
            all.iter().filter_map(copy).collect::<Vec<_>>()
        });
        let owners = self.api.other_regions().into_iter();
        let snapshots = owners.map(|it| transactions.copy_progress(&it).snapshot);
        Copies { origins: copies.collect(), snapshots: snapshots.collect() }
    }

    /// Does everything that was left for later; true if there was anything.
    pub(super) fn work(&self) -> bool {
        let mut is_changed = false;
        while self.api.has_work() && run(self.api.work_later()) {
            is_changed = true;
        }
        is_changed
    }

    /// A kind that is served.
    ///
    /// # Panics
    /// If there is none of that name.
    pub(super) fn kind(&self, name: &str) -> KindId {
        let served = self.services.kinds().filter(|(id, _)| !self.services.services[id.service].is_import);
        let mut found = served.filter(|(_, kind)| &*kind.name == name);
        found.next().unwrap_or_else(|| panic!("no kind {name} is served")).0
    }
}
