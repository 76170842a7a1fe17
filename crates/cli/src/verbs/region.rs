//! The state of the servers of a service in several regions.

use std::collections::{BTreeMap, BTreeSet};

use ::store::Clock as _;
use api::RegionStatus;
use host::{PeerAddress, RegistryClient, STATUS, SystemClock};
use http::{Request, header::AUTHORIZATION};
use protocol::Transport;
use regions::{Deployment, copies::Versioned};
use registry::{Entry, EntryName, Fit, Name, Surroundings, deployment_of};
use report::codes;
use serde::Serialize;
use workspace::view::DiagnosticView;

use super::apply::failed;
use crate::answer::{Answer, Code, json};
use crate::args::{Format, Region, RegionCheck, RegionCommand, RegionStatus as Status, RegionWithdraw};
use crate::console::Console;
use crate::problem::problem;
use crate::show::region::{text, versions};
use crate::work::{self, tokens::Tokens, transport::transport};

/// `planloom.region-status/1`
#[derive(Serialize)]
struct StatusView {
    format: &'static str,
    servers: Vec<ServerView>,
    diagnostics: Vec<DiagnosticView>,
}

/// A server, and what it says of its region.
#[derive(Serialize)]
pub(crate) struct ServerView {
    pub(crate) url: String,
    #[serde(flatten)]
    pub(crate) status: Option<RegionStatus>,
    /// The reason why it says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

/// `planloom.region-check/1`
#[derive(Serialize)]
struct CheckView {
    format: &'static str,
    deployments: Vec<DeploymentView>,
    diagnostics: Vec<DiagnosticView>,
}

/// The versions of a service in a region.
#[derive(Serialize)]
pub(crate) struct DeploymentView {
    #[serde(flatten)]
    pub(crate) deployment: Deployment,
    /// The one that it operates on.
    pub(crate) current: Name,
    /// The newest one that fits to the others; `None` if none do.
    pub(crate) newest: Option<Name>,
}

pub(crate) fn run(args: &Region, console: Console) -> Answer {
    let (answer, format) = match &args.command {
        RegionCommand::Status(args) => (work::run::run(status(args, console)), args.format),
        RegionCommand::Check(args) => (work::run::run(check(args, console)), args.format),
        RegionCommand::Withdraw(args) => (work::run::run(withdraw(args)), Format::Text),
    };
    answer.unwrap_or_else(|problem| failed(&[*problem], &[], format, console))
}

async fn check(args: &RegionCheck, console: Console) -> Result<Answer, Box<DiagnosticView>> {
    let entries = client(&args.registry)?.entries().await;
    let entries = entries.map_err(|error| no_registry(&error))?;
    let (fitting, diagnostics) = match Fit::of(&entries) {
        Fit::Fits(versions) => (versions, Vec::new()),
        Fit::Conflict(reasons) => (BTreeMap::new(), vec![unfit(&reasons)]),
    };
    let of_deployment = |(name, it): (&EntryName, &Versioned<Entry>)| {
        let (deployment, entry) = (deployment_of(name)?, it.value.deployment()?);
        let newest = fitting.get(&deployment).cloned();
        Some(DeploymentView { deployment, current: entry.version.current_version.clone(), newest })
    };
    let deployments: Vec<DeploymentView> = entries.iter().filter_map(of_deployment).collect();
    let code = if diagnostics.is_empty() { Code::Fine } else { Code::Errors };
    let (out, err) = match args.format {
        Format::Text => (versions(&deployments, console), super::notes(&diagnostics, &[], console)),
        Format::Json => {
            let view = CheckView { format: "planloom.region-check/1", deployments, diagnostics };
            (json(&view), String::new())
        }
    };
    Ok(Answer { out, err, code })
}

fn unfit(reasons: &[String]) -> DiagnosticView {
    let message = format!("no versions of the services fit together: {}", reasons.join("; "));
    let help = "deploy what is missing, or another version of a service that these sentences name";
    problem(codes::PEER, None, message, help)
}

async fn withdraw(args: &RegionWithdraw) -> Result<Answer, Box<DiagnosticView>> {
    let (deployment, registry) = (&args.deployment, &args.registry);
    let no_deployment = || {
        let help = "write it as `library.example.com@eastus2`";
        Box::new(problem(codes::PEER, None, format!("`{deployment}` is no service with its region"), help))
    };
    let (service, region) = deployment.split_once('@').ok_or_else(no_deployment)?;
    let client = client(registry)?;
    let withdrawn = Deployment { service: service.into(), region: region.into() };
    let clock = SystemClock::default();
    let done = host::withdraw(&client, &withdrawn, || clock.now().0).await;
    done.map_err(|error| no_registry(&error))?;
    Ok(Answer { out: format!("{withdrawn} is withdrawn.\n"), ..Answer::default() })
}

fn client(registry: &str) -> Result<RegistryClient, Box<DiagnosticView>> {
    let base = registry.parse().map_err(|_| no_registry(&format!("`{registry}` is no address")))?;
    let token = Tokens::of_registered()?.of(registry);
    Ok(RegistryClient { transport: transport()?, address: PeerAddress { base, token } })
}

fn no_registry(error: &str) -> Box<DiagnosticView> {
    let help = "check what is named, the address of the registry, and the variable `PLANLOOM_TOKEN`";
    Box::new(problem(codes::PEER, None, error.to_owned(), help))
}

async fn status(args: &Status, console: Console) -> Result<Answer, Box<DiagnosticView>> {
    let mut urls = args.urls.clone();
    if let Some(registry) = &args.registry {
        let entries = client(registry)?.entries().await;
        let mut found = Surroundings::default();
        found.add(&entries.map_err(|error| no_registry(&error))?);
        let others = found.addresses.iter().filter(|it| *it.0.service != *registry::SERVICE);
        urls.extend(others.map(|it| it.1.to_string()).collect::<BTreeSet<String>>());
    }
    let tokens = Tokens::of_peers(urls.iter().map(String::as_str))?;
    let transport = transport()?;
    let mut servers = Vec::new();
    for url in &urls {
        let status = one(&*transport, &tokens, url).await;
        let (status, error) = status.map_or_else(|error| (None, Some(error)), |it| (Some(it), None));
        servers.push(ServerView { url: url.clone(), status, error });
    }
    let diagnostics: Vec<DiagnosticView> = servers.iter().filter_map(unreachable).collect();
    let code = if diagnostics.is_empty() { Code::Fine } else { Code::Errors };
    let err = match args.format {
        Format::Text => super::notes(&diagnostics, &[], console),
        Format::Json => String::new(),
    };
    let out = match args.format {
        Format::Text => text(&servers, console),
        Format::Json => json(&StatusView { format: "planloom.region-status/1", servers, diagnostics }),
    };
    Ok(Answer { out, err, code })
}

async fn one(transport: &dyn Transport, tokens: &Tokens, url: &str) -> Result<RegionStatus, String> {
    let mut request = Request::builder().uri(format!("{}{STATUS}", url.trim_end_matches('/')));
    if let Some(token) = tokens.of(url) {
        request = request.header(AUTHORIZATION, token.bearer());
    }
    let request = request.body(Vec::new()).map_err(|_| "is no address".to_owned())?;
    let response = transport.send(request).await.map_err(|error| error.to_string())?;
    let problem = || serde_json::from_slice::<api::Problem>(response.body()).map(|it| it.detail);
    match response.status().is_success() {
        true => serde_json::from_slice(response.body())
            .map_err(|_| "responds with no state of a region".to_owned()),
        false => Err(problem().unwrap_or_else(|_| format!("responds with status {}", response.status()))),
    }
}

fn unreachable(server: &ServerView) -> Option<DiagnosticView> {
    let error = server.error.as_ref()?;
    let help = "check the address, the variable `PLANLOOM_TOKEN`, and that the server is started with `--peer` or `--registry`";
    Some(problem(codes::PEER, None, format!("`{}`: {error}", server.url), help))
}
