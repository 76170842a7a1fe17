//! The registration of what is served in a registry of deployments, which says in return where the others are.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc, sync::Arc, time::Duration};

use api::{Api, Problem};
use host::{
    Access, ApiHandler, Body, Handler, HttpPeers, PeerAddress, REGISTRY, RegistryClient, RegistryState,
    register,
};
use http::{Request, Response, request::Parts};
use protocol::LocalFuture;
use regions::MultiRegionPolicy;
use registry::{Installation, Name, Surroundings};
use spec::Services;
use workspace::view::DiagnosticView;

use crate::args::Serve;
use crate::console::write_err;
use crate::work::{tokens::Tokens, transport::transport};

use super::{
    addresses::{addresses, own_address, server_address},
    peers::own_region,
    regions::Regions,
    store,
};

/// The time between looks at whether everything is registered.
const PAUSE: Duration = Duration::from_millis(25);

/// The services of a server, as the registry has them.
pub(super) struct Registration {
    services: Arc<Services>,
    installation: u64,
    states: Rc<States>,
    followers: Rc<Followers>,
}

/// What follows the registry: the addresses of others, the regions of services, and the copies of other regions.
struct Followers {
    http: Rc<HttpPeers>,
    api: Rc<Api>,
    answering: ApiHandler,
    regions: Regions,
    known: RefCell<Surroundings>,
}

/// The states of the registrations, by service.
#[derive(Default)]
struct States {
    all: RefCell<BTreeMap<Name, RegistryState>>,
    /// The copies that a server has to have before it is ready for the first time.
    copied: RefCell<Option<String>>,
    /// The last reason to wait that was printed, by service.
    printed: RefCell<BTreeMap<Name, String>>,
}

/// A handler that serves what another one does once everything is registered.
struct RegisteredOnly {
    handler: Rc<dyn Handler>,
    states: Rc<States>,
}

impl RegisteredOnly {
    /// The response to requests that come too early. Other servers are answered as soon as everything is registered: they copy, too.
    fn early(&self, head: &Parts) -> Option<Response<Vec<u8>>> {
        let path = head.uri.path();
        let reason = match path.starts_with("/peers/") {
            true => self.states.reason().filter(|_| path != REGISTRY),
            false => self.states.pending(),
        };
        reason.map(|it| Problem::unavailable(it).response())
    }
}

impl Handler for RegisteredOnly {
    fn access(&self, head: &Parts) -> Access {
        self.handler.access(head)
    }

    fn refuse(&self, head: &Parts) -> Option<Response<Vec<u8>>> {
        self.handler.refuse(head).or_else(|| self.early(head))
    }

    fn respond(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Body>> {
        self.handler.respond(request)
    }

    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        self.handler.handle(request)
    }
}

impl Registration {
    /// That of all services that are served.
    pub(super) fn new(
        (services, installation): (Arc<Services>, u64),
        http: Rc<HttpPeers>,
        (api, answering, regions): (Rc<Api>, ApiHandler, Regions),
    ) -> Self {
        let followers = Followers { http, api, answering, regions, known: RefCell::default() };
        // Until it is known which copies are missing, some may be.
        let copied = RefCell::new(Some("it is not known yet which copies are missing".to_owned()));
        let states = Rc::new(States { copied, ..States::default() });
        Self { services, installation, states, followers: Rc::new(followers) }
    }

    /// A handler that serves nothing but the registry before everything is registered: until then it is not known which other
    /// regions there are.
    pub(super) fn protect(&self, handler: Rc<dyn Handler>) -> Rc<dyn Handler> {
        Rc::new(RegisteredOnly { handler, states: self.states.clone() })
    }

    /// The reason why the server is not ready.
    pub(super) fn reason(&self) -> impl Fn() -> Option<String> + 'static + use<> {
        let states = self.states.clone();
        move || states.pending()
    }

    /// Registers everything, and follows the registry from then on. It is ready when all is registered.
    ///
    /// # Errors
    /// If the address of the registry is none.
    pub(super) async fn begin(&self, args: &Serve, origin: &str) -> Result<(), Box<DiagnosticView>> {
        let address = args.api.registry.as_deref().unwrap_or(origin);
        let token = Tokens::of_registered()?.of(address);
        let address = PeerAddress { base: server_address(address)?, token };
        let client = RegistryClient { transport: transport()?, address };
        let installation = Installation {
            region: own_region(args),
            number: self.installation,
            address: own_address(args, origin)?,
            control_regions: self.control_regions(args),
        };
        let registrations = registry::registrations(&self.services, &installation);
        for it in &registrations {
            self.states.all.borrow_mut().insert(it.service.clone(), RegistryState::InProgress);
        }
        let (states, followers) = (self.states.clone(), self.followers.clone());
        let clock = self.followers.api.transactions().store().clone();
        let report = move |service: &Name, state| states.report(service, state, &followers);
        tokio::task::spawn_local(register(client, registrations, move || clock.now().0, report));
        while self.states.reason().is_some() || !self.has_joined() {
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }

    /// True if this server was ready once with all copies that it had to have, or is now. Before, it would not find what there is.
    fn has_joined(&self) -> bool {
        let api = &self.followers.api;
        let is_joined = store::has_joined(api.transactions().store());
        let missing = if is_joined { Vec::new() } else { api.uncopied_regions() };
        let owners: Vec<String> =
            missing.iter().map(|it| format!("`{}` in {}", it.service, it.region)).collect();
        let reason = format!("the resources of {} are being copied", owners.join(", "));
        self.states.copied.replace((!missing.is_empty()).then_some(reason));
        if missing.is_empty() && !is_joined {
            store::note_joined(api.transactions().store());
        }
        missing.is_empty()
    }

    /// The control regions that services are to have if the registry does not have them: those before, or `--control-region`.
    fn control_regions(&self, args: &Serve) -> BTreeMap<Name, Name> {
        let mut regions = store::control_regions(self.followers.api.transactions().store());
        if let Some(region) = &args.api.control_region {
            for service in self.services.services.iter().filter(|it| *it.name != *registry::SERVICE) {
                let region = regions.remove(&service.name).unwrap_or_else(|| region.as_str().into());
                regions.insert(service.name.clone(), region);
            }
        }
        regions
    }
}

impl States {
    /// The reason why the server is not ready.
    fn pending(&self) -> Option<String> {
        self.reason().or_else(|| self.copied.borrow().clone())
    }

    /// The reason why not everything is registered.
    fn reason(&self) -> Option<String> {
        self.all.borrow().iter().find_map(|(service, state)| match state {
            RegistryState::InProgress => Some(format!("`{service}` is not registered yet")),
            RegistryState::Waiting(reason) => Some(format!("`{service}` is not registered yet: {reason}")),
            RegistryState::Registered(_) => None,
        })
    }

    /// Notes a state. What was registered once stays it: without the registry, a server goes on with what it knows.
    fn report(&self, service: &Name, state: RegistryState, followers: &Followers) {
        match &state {
            RegistryState::InProgress => {}
            RegistryState::Waiting(reason) => self.print(service, Some(reason)),
            RegistryState::Registered(_) => self.print(service, None),
        }
        let is_registered = |it: &RegistryState| matches!(it, RegistryState::Registered(_));
        if self.all.borrow().get(service).is_some_and(is_registered) && !is_registered(&state) {
            return;
        }
        self.all.borrow_mut().insert(service.clone(), state);
        if self.reason().is_none() {
            followers.follow(self.surroundings());
        }
    }

    fn surroundings(&self) -> Surroundings {
        let mut surroundings = Surroundings::default();
        for state in self.all.borrow().values() {
            if let RegistryState::Registered(entries) = state {
                surroundings.add(entries);
            }
        }
        surroundings
    }

    /// Prints why a service has to wait, once for each reason, and that it waits no more.
    fn print(&self, service: &Name, reason: Option<&str>) {
        let mut printed = self.printed.borrow_mut();
        let text = match (reason, printed.get(service)) {
            (Some(reason), Some(before)) if reason == before => return,
            (None, None) => return,
            (Some(reason), _) => format!("Waiting: `{service}`: {reason}.\n"),
            (None, Some(_)) => format!("Registered: `{service}`.\n"),
        };
        match reason {
            Some(reason) => drop(printed.insert(service.clone(), reason.to_owned())),
            None => drop(printed.remove(service)),
        }
        drop(write_err(&text));
    }
}

impl Followers {
    fn follow(&self, surroundings: Surroundings) {
        if *self.known.borrow() == surroundings {
            return;
        }
        self.http.set_addresses(addresses(&surroundings));
        let mut services = surroundings.services.clone();
        services.remove(registry::SERVICE);
        self.note_control_regions(&services);
        self.api.set_regions(services);
        self.known.replace(surroundings);
        self.regions.copy();
        self.answering.work();
    }

    fn note_control_regions(&self, services: &BTreeMap<Name, MultiRegionPolicy>) {
        let all = services.iter().map(|(service, it)| (service.clone(), it.default_control_region.clone()));
        store::note_control_regions(self.api.transactions().store(), &all.collect());
    }
}
