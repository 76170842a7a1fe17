//! The addresses of servers: of this one, of the registry, and of those that are registered there.

use std::{collections::BTreeMap, net::IpAddr};

use host::PeerAddress;
use http::Uri;
use regions::Deployment;
use registry::{Name, Surroundings};
use report::codes;
use workspace::view::DiagnosticView;

use crate::args::Serve;
use crate::problem::problem;
use crate::work::tokens::Tokens;

/// The addresses of other deployments, with their tokens. Those that are none are left out.
pub(super) fn addresses(surroundings: &Surroundings) -> BTreeMap<Deployment, PeerAddress> {
    let tokens = Tokens::of_registered().unwrap_or(Tokens::None);
    let address = |(deployment, address): (&Deployment, &Name)| {
        let base = address.parse().ok()?;
        Some((deployment.clone(), PeerAddress { base, token: tokens.of(address) }))
    };
    surroundings.addresses.iter().filter_map(address).collect()
}

/// The address at which others reach this server.
pub(super) fn own_address(args: &Serve, origin: &str) -> Result<Name, Box<DiagnosticView>> {
    let own = args.api.advertise.as_deref().unwrap_or(origin).trim_end_matches('/');
    let address = server_address(own)?;
    let host = address.host().and_then(|it| it.trim_matches(['[', ']']).parse::<IpAddr>().ok());
    if host.is_some_and(|it| it.is_unspecified()) {
        let message = format!("others cannot reach this server at `{own}`");
        let help = "name the address at which they reach it with `--advertise`";
        return Err(Box::new(problem(codes::PEER, None, message, help)));
    }
    Ok(own.into())
}

/// The address of a server, which has a scheme and a host.
pub(super) fn server_address(address: &str) -> Result<Uri, Box<DiagnosticView>> {
    let uri: Option<Uri> = address.parse().ok();
    uri.filter(|it| matches!(it.scheme_str(), Some("http" | "https")) && it.host().is_some()).ok_or_else(
        || {
            let help = "write it as `http://127.0.0.1:9000`";
            Box::new(problem(codes::PEER, None, format!("`{address}` is no address of a server"), help))
        },
    )
}
