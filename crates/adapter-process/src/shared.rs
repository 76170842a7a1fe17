use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    net::Ipv4Addr,
    path::PathBuf,
    rc::Rc,
};

use ::adapter::ResourceRequest;
use model::Address;
use protocol::{Code, Problem};

use crate::{
    Allowed, Limits, Options, address,
    folder::{self, Folder, Kept},
    group,
    network::{Block, Network},
    service::Service,
    sockets,
    spec::ServiceSpec,
};

/// The state that all parts of one adapter share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) folder: Folder,
    pub(crate) allowed: Allowed,
    pub(crate) limits: Limits,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) supervisor: PathBuf,
    networks: RefCell<BTreeMap<String, Network>>,
    services: RefCell<BTreeMap<String, Rc<Service>>>,
    /// Services that may have processes: those that had some when the adapter started, and those that it has
    /// started itself. The processes of others need not be searched.
    met: RefCell<BTreeSet<String>>,
}

impl Shared {
    pub(crate) fn new(folder: Folder, options: Options) -> Self {
        let networks: Vec<Network> = folder.all(Kept::Networks);
        let networks = networks.into_iter().map(|it| (it.request.id.id.clone(), it)).collect();
        let (networks, met) = (RefCell::new(networks), RefCell::new(group::ids()));
        let Options { allowed, limits, environment, supervisor, .. } = options;
        let services = RefCell::default();
        Self { folder, allowed, limits, environment, supervisor, networks, services, met }
    }

    pub(crate) fn may_run(&self, id: &str) -> bool {
        self.met.borrow().contains(id)
    }

    pub(crate) fn service(&self, id: &str) -> Option<Rc<Service>> {
        self.services.borrow().get(id).cloned()
    }

    pub(crate) fn services(&self) -> Vec<Rc<Service>> {
        self.services.borrow().values().cloned().collect()
    }

    pub(crate) fn add_service(&self, service: Rc<Service>) {
        self.met.borrow_mut().insert(service.id.clone());
        self.services.borrow_mut().insert(service.id.clone(), service);
    }

    pub(crate) fn remove_service(&self, id: &str) {
        self.services.borrow_mut().remove(id);
    }

    pub(crate) fn network(&self, id: &str) -> Option<Network> {
        self.networks.borrow().get(id).cloned()
    }

    /// Records a network; with the block it had, if that is known and free.
    pub(crate) fn add_network(
        &self,
        request: &ResourceRequest,
        had: Option<Block>,
    ) -> Result<Network, Problem> {
        let id = &request.id.id;
        let mut taken = self.taken_blocks(id);
        let had = had.or(self.network(id).map(|it| it.block)).filter(|it| !taken.contains(it));
        // Its own services may listen in the block that it had.
        taken.extend(sockets::listening().into_iter().filter_map(Block::of));
        let block = had.or_else(|| Block::choose(id, &taken));
        let all_taken = || Problem::new(Code::Unavailable, "all blocks of loopback addresses are taken");
        let network = Network { request: request.clone(), block: block.ok_or_else(all_taken)? };
        folder::write(&self.folder.network(id), &network).map_err(|error| unwritten(&error))?;
        self.networks.borrow_mut().insert(id.clone(), network.clone());
        Ok(network)
    }

    pub(crate) fn remove_network(&self, id: &str) -> Result<(), Problem> {
        let removed = std::fs::remove_file(self.folder.network(id));
        folder::absent_is_fine(removed).map_err(|error| unwritten(&error))?;
        self.networks.borrow_mut().remove(id);
        Ok(())
    }

    /// The blocks of other networks, and of services that still use one.
    fn taken_blocks(&self, id: &str) -> BTreeSet<Block> {
        let networks = self.networks.borrow();
        let others = networks.values().filter(|it| it.request.id.id != id).map(|it| it.block);
        let own = networks.get(id).map(|it| it.block);
        let services = self.services().into_iter().filter_map(|it| Block::of(it.record().ip));
        others.chain(services.filter(|it| Some(*it) != own)).collect()
    }

    /// An address for a service: the one it has, or a free one of its network; 127.0.0.1 if it is in no
    /// network.
    ///
    /// # Errors
    /// If its network was not created by this adapter, or is full.
    pub(crate) fn address(&self, request: &ResourceRequest, spec: &ServiceSpec) -> Result<Ipv4Addr, Problem> {
        let Some(name) = &spec.network else { return Ok(Ipv4Addr::LOCALHOST) };
        let Some(block) = self.block(&request.deployment, name) else {
            let message = format!("the network `{name}` was not created by this adapter");
            return Err(Problem::new(Code::InvalidSpec, &message).at("/network", message));
        };
        let others = self.services().into_iter().filter(|it| it.id != request.id.id);
        let taken = others.map(|it| it.record().ip).collect();
        address::choose(&request.id.id, block, spec.fixed, &taken).ok_or_else(|| {
            let message = format!("all addresses of the network `{name}` are taken");
            Problem::new(Code::InvalidSpec, &message).at("/network", message)
        })
    }

    /// The block of a deployment's network; that of the latest one, while an older one still exists.
    fn block(&self, deployment: &str, name: &str) -> Option<Block> {
        let networks = self.networks.borrow();
        let is_it = |it: &&Network| {
            let address = it.request.address.parse::<Address>();
            it.request.deployment == deployment && address.is_ok_and(|it| *it.name == *name)
        };
        let latest = networks.values().filter(is_it).max_by_key(|it| it.request.generation);
        latest.map(|it| it.block)
    }
}

/// Nothing is started that could not be recorded.
pub(crate) fn unwritten(error: &std::io::Error) -> Problem {
    Problem::new(Code::NotRecorded, format!("the adapter cannot write to its folder: {error}"))
}
