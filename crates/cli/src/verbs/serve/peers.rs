//! The other deployments that a served API refers to, or that refer to it.

use std::{collections::BTreeMap, rc::Rc};

use api::{Neighbors, Owners};
use host::{HttpPeers, PeerAddress};
use regions::Deployment;
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
    pub(super) neighbors: Neighbors,
}

impl PeerConnections {
    /// Those of options like `library.example.com=https://library.example.com`; `None` without any.
    pub(super) fn of(args: &Serve, services: &Services) -> Result<Option<Self>, Box<DiagnosticView>> {
        if args.api.peer.is_empty() {
            return Ok(None);
        }
        let mut options = Vec::new();
        for option in &args.api.peer {
            options.push(option.split_once('=').ok_or_else(|| no_peer(option))?);
        }
        let tokens = Tokens::of_peers(options.iter().map(|(_, address)| *address))?;
        let (mut addresses, mut owners) = (BTreeMap::new(), Owners::new());
        for (service, address) in options {
            let base = address.parse().map_err(|_| no_peer(address))?;
            let deployment = Deployment { service: service.into(), region: (&*args.api.region).into() };
            if is_import(services, service)? {
                owners.insert(service.into(), deployment.clone());
            }
            addresses.insert(deployment, PeerAddress { base, token: tokens.of(address) });
        }
        let http = Rc::new(HttpPeers::new(transport()?, addresses));
        let neighbors = Neighbors { region: (&*args.api.region).into(), owners, peers: http.clone() };
        Ok(Some(Self { http, neighbors }))
    }
}

/// True if a service is imported, and false if it is in no specification, so that it can only be one that imports those here.
fn is_import(services: &Services, name: &str) -> Result<bool, Box<DiagnosticView>> {
    let mut known = services.services.iter().filter(|it| *it.name == *name);
    if known.clone().any(|it| !it.is_import) {
        let message = format!("`{name}` is served here, so it has no other address");
        return Err(Box::new(problem(codes::PEER, None, message, "name the services of other servers only")));
    }
    Ok(known.next().is_some())
}

fn no_peer(option: &str) -> Box<DiagnosticView> {
    let help = "write it as `library.example.com=https://library.example.com`";
    Box::new(problem(codes::PEER, None, format!("`{option}` is not a service with its address"), help))
}
