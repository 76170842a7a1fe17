use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use api::{Api, CopyReader, Neighbors, Settings, Topology};
use http::{Request, Response};
use integrity::{Flags, MetadataPlugin, Plugins, Transactions};
use protocol::LocalFuture;
use regions::{Deployment, MultiRegionPolicy, copies::Snapshot};
use services::{Imports, Questions as _};
use spec::{KindId, Services};
use store::{Clock, Key, Options, Origin, Query, Resource, Store};
use workspace::view::{Role, ServiceRequest};

use super::{
    ServerSetup, Setup,
    run::{complete, run},
    wire::{Connections, Wire},
};
use crate::example::Inputs;

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

/// What all servers have in common.
#[derive(Clone)]
pub(super) struct Shared<'a> {
    pub(super) setup: &'a Setup,
    pub(super) deployments: &'a BTreeMap<Deployment, usize>,
    pub(super) connections: Rc<Connections>,
    pub(super) clock: Arc<dyn Clock>,
}

impl Server {
    /// The server at a place.
    ///
    /// # Panics
    /// If its services cannot be served.
    pub(super) fn new(shared: &Shared<'_>, at: usize, inputs: &Inputs) -> Self {
        let own = &shared.setup.servers[at];
        let mut workspace = opened(own, inputs);
        let (services, schemas) = (workspace.services(), workspace.schemas());
        let number = u64::try_from(at).expect("few servers");
        let log_entries = shared.setup.log.unwrap_or(Options::default().log_entries);
        let options = Options { log_entries, number: Some(number), ..Options::default() };
        let store = Store::new(options, shared.clock.clone(), None).expect("a store in memory");
        let neighbors = neighbors(shared, at, &services, &store);
        let rules = api::rules_among(&services, &schemas, &neighbors.topology).expect("one version of each");
        let plugins = Plugins::new(MetadataPlugin::new(uuids(number)));
        let transactions = Transactions::new(store, rules, plugins, Flags::default());
        let settings = Settings { secret: own.name.clone().into_bytes(), ..Settings::default() };
        let api = Api::new(services.clone(), schemas, transactions, Rc::new(ids(number)));
        let api = Rc::new(api.with_settings(settings).with_neighbors(neighbors));
        let reader = |owner| CopyReader::new(owner, shared.clock.now());
        let readers = api.other_regions().into_iter().map(reader).collect();
        Self { api, services, readers }
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

/// The services that the page has in the files of a server.
pub(super) fn opened(own: &ServerSetup, inputs: &Inputs) -> workspace::Workspace {
    let is_own = |name: &String| own.serves.contains(name) || own.imports.contains(name);
    let files: Vec<_> = inputs.files.iter().filter(|it| is_own(&it.name)).cloned().collect();
    let mut workspace = inputs.engine.workspace();
    workspace.set(Imports(own.imports.iter().cloned().collect()));
    workspace.set_files_as(Role::Specification, files);
    workspace
}

/// The other deployments of a server, as `planloom serve` has them if it is told all of them. A service is in several regions if
/// another server has it.
fn neighbors(shared: &Shared<'_>, at: usize, services: &Services, store: &Store) -> Neighbors {
    let own: Arc<str> = (&*shared.setup.servers[at].region).into();
    let control: Arc<str> = (&*shared.setup.control).into();
    let mut policies = BTreeMap::new();
    for service in &services.services {
        let of_service = shared.deployments.iter().filter(|(it, _)| it.service == service.name);
        if of_service.clone().all(|(_, of)| *of == at) {
            continue;
        }
        let enabled_regions: BTreeSet<Arc<str>> = of_service.map(|(it, _)| it.region.clone()).collect();
        let default_control_region = enabled_regions.get(&control).unwrap_or(&own).clone();
        let policy =
            MultiRegionPolicy { enabled_regions, default_control_region, ..MultiRegionPolicy::default() };
        policies.insert(service.name.clone(), policy);
    }
    let store = store.clone();
    let of_resource = move |key: &Key| MultiRegionPolicy::of(store.get(key).ok()?.spec.shared_value());
    let topology = Topology { own, services: policies, policies: Arc::new(of_resource) };
    Neighbors { topology, peers: Rc::new(Wire { own: at, connections: shared.connections.clone() }) }
}

/// UUIDs that are counted, of the form of version 4.
fn uuids(server: u64) -> impl Fn() -> String + Send + Sync {
    let count = AtomicU64::new(0);
    move || format!("{server:08x}-0000-4000-8000-{:012x}", count.fetch_add(1, Ordering::Relaxed))
}

/// Ids that are counted. No two servers have the same.
fn ids(server: u64) -> impl Fn() -> u64 {
    let count = AtomicU64::new(server << 32);
    move || count.fetch_add(1, Ordering::Relaxed)
}
