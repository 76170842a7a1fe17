//! The other deployments that a served API refers to, or that refer to it, and other regions of what is served.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::Arc,
};

use ::store::Store;
use api::{Neighbors, Topology};
use host::{HttpPeers, PeerAddress};
use regions::{Deployment, MultiRegionPolicy};
use report::codes;
use spec::Services;
use workspace::view::DiagnosticView;

use crate::args::Serve;
use crate::problem::problem;
use crate::work::{tokens::Tokens, transport::transport};

/// The deployments that `--peer` names.
#[derive(Clone, Debug)]
pub(super) struct PeerConnections {
    pub(super) http: Rc<HttpPeers>,
    /// For each service the regions that it is deployed in, and its control region.
    services: BTreeMap<Arc<str>, MultiRegionPolicy>,
    region: Arc<str>,
}

impl PeerConnections {
    /// Those of options like `library.example.com=https://library.example.com`, or
    /// `library.example.com@eastus2=https://eastus2.library.example.com`; `None` without any.
    pub(super) fn of(args: &Serve, services: &Services) -> Result<Option<Self>, Box<DiagnosticView>> {
        if args.api.peer.is_empty() {
            return Ok(None);
        }
        let region: Arc<str> = (&*args.api.region).into();
        let options: Result<Vec<_>, _> = args.api.peer.iter().map(|it| peer(it, &region)).collect();
        let options = options?;
        let tokens = Tokens::of_peers(options.iter().map(|(_, address)| *address))?;
        let mut addresses = BTreeMap::new();
        for (deployment, address) in &options {
            check_deployment(services, &region, deployment)?;
            let base = address.parse().map_err(|_| no_peer(address))?;
            addresses.insert(deployment.clone(), PeerAddress { base, token: tokens.of(address) });
        }
        let known = regions_by_service(services, &region, addresses.keys());
        let control = args.api.control_region.as_deref();
        let mut policies = BTreeMap::new();
        for (service, enabled) in known {
            check_import(services, &region, (&service, &enabled))?;
            let policy = policy(services, &region, control, (&service, enabled))?;
            policies.insert(service, policy);
        }
        let http = Rc::new(HttpPeers::new(transport()?, addresses));
        Ok(Some(Self { http, services: policies, region }))
    }

    /// Those that a registry will say: until then, all services are in the own region only.
    pub(super) fn of_registry(args: &Serve, services: &Services) -> Result<Self, Box<DiagnosticView>> {
        let region = own_region(args);
        let names =
            services.services.iter().map(|it| it.name.clone()).filter(|it| **it != *registry::SERVICE);
        let policy = MultiRegionPolicy {
            enabled_regions: [region.clone()].into(),
            default_control_region: region.clone(),
            ..MultiRegionPolicy::default()
        };
        let services = names.map(|it| (it, policy.clone())).collect();
        Ok(Self { http: Rc::new(HttpPeers::new(transport()?, BTreeMap::new())), services, region })
    }

    /// The deployments and the way to them. Policies of resources are those in the store.
    pub(super) fn neighbors(&self, store: &Store) -> Neighbors {
        let store = store.clone();
        let policies =
            move |key: &::store::Key| MultiRegionPolicy::of(store.get(key).ok()?.spec.shared_value());
        let topology = Topology::new(self.region.clone(), self.services.clone(), Arc::new(policies));
        Neighbors { topology, peers: self.http.clone() }
    }
}

/// The region of this server: that of `--region`, or the first one of a registry that is served alone.
pub(super) fn own_region(args: &Serve) -> Arc<str> {
    let first = args.api.serve_registry.first().filter(|_| args.services.is_empty());
    first.unwrap_or(&args.api.region).as_str().into()
}

/// Checks the region of this server, which others have to know.
pub(super) fn check_region(args: &Serve) -> Result<(), Box<DiagnosticView>> {
    let (own, known) = (own_region(args), &args.api.serve_registry);
    let is_name = own.starts_with(|it: char| it.is_ascii_lowercase())
        && own.ends_with(|it: char| it.is_ascii_alphanumeric())
        && own.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-');
    if !is_name {
        let help = "name a region with lower-case letters, digits and hyphens, like `us-west2`";
        return Err(Box::new(problem(codes::PEER, None, format!("`{own}` is no name of a region"), help)));
    }
    if known.is_empty() || known.iter().any(|it| **it == *own) {
        return Ok(());
    }
    let message = format!(
        "the region of this server, `{own}`, is not among those of its registry: {}",
        known.join(", ")
    );
    let help = "name one of them with `--region`, or add this one to `--serve-registry`";
    Err(Box::new(problem(codes::PEER, None, message, help)))
}

/// The deployment and the address of an option.
fn peer<'a>(option: &'a str, own: &Arc<str>) -> Result<(Deployment, &'a str), Box<DiagnosticView>> {
    let (name, address) = option.split_once('=').ok_or_else(|| no_peer(option))?;
    let (service, region) = match name.split_once('@') {
        Some((service, region)) => (service, region.into()),
        None => (name, own.clone()),
    };
    if service.is_empty() || matches!(&*region, "" | "-" | "*") {
        return Err(no_peer(option));
    }
    Ok((Deployment { service: service.into(), region }, address))
}

/// Refuses an address of what is served by this server itself.
fn check_deployment(services: &Services, own: &str, peer: &Deployment) -> Result<(), Box<DiagnosticView>> {
    if !is_served(services, &peer.service) || *peer.region != *own {
        return Ok(());
    }
    let message = format!("`{}` is served here, so it has no other address", peer.service);
    let help = format!(
        "name the services of other servers only, or another region of it: `{}@REGION=https://...` with `--region` for this one",
        peer.service
    );
    Err(Box::new(problem(codes::PEER, None, message, &help)))
}

/// Refuses an imported service that is in other regions only: it has to be available in all regions of those that import it
/// (source: Goten's guide, on the decisions of the registry).
fn check_import(
    services: &Services,
    own: &Arc<str>,
    (service, enabled): (&Arc<str>, &BTreeSet<Arc<str>>),
) -> Result<(), Box<DiagnosticView>> {
    if is_served(services, service) || enabled.contains(own) {
        return Ok(());
    }
    let message = format!("`{service}` is imported here, and is not in region `{own}`");
    let help = format!("serve it in `{own}` too, and name that server with `--peer {service}=https://...`");
    Err(Box::new(problem(codes::PEER, None, message, &help)))
}

/// The regions of each service that is served or imported here.
fn regions_by_service<'a>(
    services: &Services,
    own: &Arc<str>,
    peers: impl Iterator<Item = &'a Deployment>,
) -> BTreeMap<Arc<str>, BTreeSet<Arc<str>>> {
    let mut known: BTreeMap<Arc<str>, BTreeSet<Arc<str>>> = BTreeMap::new();
    for peer in peers.filter(|peer| services.services.iter().any(|it| it.name == peer.service)) {
        let regions = known.entry(peer.service.clone()).or_default();
        regions.insert(peer.region.clone());
        if is_served(services, &peer.service) {
            regions.insert(own.clone());
        }
    }
    known
}

/// The regions of a service as a policy.
fn policy(
    services: &Services,
    own: &Arc<str>,
    control: Option<&str>,
    (service, enabled_regions): (&Arc<str>, BTreeSet<Arc<str>>),
) -> Result<MultiRegionPolicy, Box<DiagnosticView>> {
    let names: Vec<&str> = enabled_regions.iter().map(|it| &**it).collect();
    let names = names.join(", ");
    let chosen = control.and_then(|it| enabled_regions.get(it));
    let default_control_region = match (chosen, is_served(services, service)) {
        (Some(region), _) => region.clone(),
        (None, false) => enabled_regions.get(own).or(enabled_regions.first()).cloned().unwrap_or_default(),
        (None, true) => {
            let message = match control {
                Some(control) => format!("`{service}` is not in the control region `{control}`"),
                None => format!("`{service}` is in several regions, and none of them is its control region"),
            };
            let help = format!(
                "name one of its regions, {names}, with `--control-region`, the same for all its servers: it owns what has no \
                 region in its name and no policy above it"
            );
            return Err(Box::new(problem(codes::PEER, None, message, &help)));
        }
    };
    Ok(MultiRegionPolicy { enabled_regions, default_control_region, ..MultiRegionPolicy::default() })
}

fn is_served(services: &Services, name: &str) -> bool {
    services.services.iter().any(|it| *it.name == *name && !it.is_import)
}

fn no_peer(option: &str) -> Box<DiagnosticView> {
    let help = "write it as `library.example.com=https://library.example.com`, or \
                `library.example.com@REGION=https://library.example.com` for another region";
    Box::new(problem(codes::PEER, None, format!("`{option}` is not a service with its address"), help))
}
