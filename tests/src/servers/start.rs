use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use api::{Api, Neighbors, Settings, Topology};
use integrity::{Flags, MetadataPlugin, Plugins, Transactions};
use regions::{Deployment, MultiRegionPolicy};
use services::{Imports, Questions as _};
use spec::Services;
use store::{Clock, Key, MemoryBacking, Options, Store};
use workspace::view::Role;

use super::{
    ServerSetup, Setup,
    server::Server,
    wire::{Connections, Wire},
};
use crate::example::Inputs;

/// What all servers have in common.
pub(super) struct Shared {
    pub(super) setup: Setup,
    pub(super) inputs: Inputs,
    pub(super) deployments: BTreeMap<Deployment, usize>,
    pub(super) connections: Rc<Connections>,
    pub(super) clock: Arc<dyn Clock>,
}

/// What a server has again after a restart.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    backing: MemoryBacking,
    ids: Arc<AtomicU64>,
    uuids: Arc<AtomicU64>,
}

/// Starts the server at a place.
///
/// # Panics
/// If its services cannot be served.
pub(super) fn start(shared: &Shared, at: usize, kept: Kept) -> Server {
    let own = &shared.setup.servers[at];
    let mut workspace = opened(own, &shared.inputs);
    let (services, schemas) = (workspace.services(), workspace.schemas());
    let number = u64::try_from(at).expect("few servers");
    let log_entries = shared.setup.log.unwrap_or(Options::default().log_entries);
    let options = Options { log_entries, number: Some(number), ..Options::default() };
    let store = Store::new(options, shared.clock.clone(), Some(Box::new(kept.backing)));
    let store = store.expect("a store in memory");
    let neighbors = neighbors(shared, at, &services, &store);
    let rules = api::rules_among(&services, &schemas, &neighbors.topology).expect("one version of each");
    let plugins = Plugins::new(MetadataPlugin::new(uuids(number, kept.uuids)));
    let transactions = Transactions::new(store, rules, plugins, Flags::default());
    transactions.reindex().expect("resources of these services");
    let settings = Settings { secret: own.name.clone().into_bytes(), ..Settings::default() };
    let api = Api::new(services.clone(), schemas, transactions, Rc::new(ids(number, kept.ids)));
    let server = Server::new(api.with_settings(settings).with_neighbors(neighbors), services);
    shared.connections.set(at, &server.api);
    server
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
fn neighbors(shared: &Shared, at: usize, services: &Services, store: &Store) -> Neighbors {
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
    let topology = Topology::new(own, policies, Arc::new(of_resource));
    Neighbors { topology, peers: Rc::new(Wire { own: at, connections: shared.connections.clone() }) }
}

/// UUIDs that are counted, of the form of version 4.
fn uuids(server: u64, count: Arc<AtomicU64>) -> impl Fn() -> String + Send + Sync {
    move || format!("{server:08x}-0000-4000-8000-{:012x}", count.fetch_add(1, Ordering::Relaxed))
}

/// Ids that are counted. No two servers have the same, and none has one twice.
fn ids(server: u64, count: Arc<AtomicU64>) -> impl Fn() -> u64 {
    move || (server << 32) + count.fetch_add(1, Ordering::Relaxed)
}
