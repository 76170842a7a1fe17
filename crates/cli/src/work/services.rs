//! Services at their addresses.

use report::codes;
use std::rc::Rc;

use access::{ByService, HttpAccess, Server};
use fixtures::Context;
use host::SystemTimer;
use workspace::view::DiagnosticView;

use crate::problem::problem;
use crate::work::{adapters::split, tokens::Tokens, transport::transport};

/// Access to each service: `SERVICE=URL` to that one, `URL` to all others.
pub(crate) fn access(context: &Context, adapters: &[String]) -> Result<ByService, Box<DiagnosticView>> {
    if adapters.is_empty() {
        let help = "name it with `--adapter https://…`, or `--adapter SERVICE=https://…` for each service";
        return Err(Box::new(problem(
            codes::NO_ADDRESS,
            None,
            "the address of the service is not given",
            help,
        )));
    }
    let named: Vec<(Option<&str>, &str)> = adapters.iter().map(|it| split(it)).collect();
    let tokens = Tokens::of_services(named.iter().map(|(_, address)| *address))?;
    let (transport, timer) = (transport()?, SystemTimer::new());
    let mut access = ByService::new();
    for (service, address) in named {
        let server = Server::new(address, tokens.of(address)).ok_or_else(|| no_address(address))?;
        let of = (context.services.clone(), context.schemas.clone());
        let http = Rc::new(HttpAccess::new(of.0, of.1, server, transport.clone(), timer.clone()));
        let places = context.services.services.iter().enumerate();
        let meant = places.filter(|(_, it)| service.is_none_or(|name| *it.name == *name));
        let meant: Vec<usize> = meant.map(|(at, _)| at).collect();
        if meant.is_empty() {
            return Err(unknown_service(service.unwrap_or_default(), context));
        }
        for at in meant {
            // A service that is named keeps its own address.
            if service.is_some() || !access.has(at) {
                access = access.with(at, http.clone());
            }
        }
    }
    Ok(access)
}

fn no_address(address: &str) -> Box<DiagnosticView> {
    let help = "write the address of the service, such as `https://library.example.com`";
    Box::new(problem(
        codes::BAD_ADAPTER,
        None,
        format!("`{address}` is not an address of http or https"),
        help,
    ))
}

fn unknown_service(name: &str, context: &Context) -> Box<DiagnosticView> {
    let known: Vec<String> = context.services.services.iter().map(|it| format!("`{}`", it.name)).collect();
    let message = format!("no specification is of the service `{name}`");
    Box::new(problem(codes::BAD_ADAPTER, None, message, format!("there are {}", known.join(", "))))
}
