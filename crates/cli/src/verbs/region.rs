//! The state of the servers of a service in several regions.

use api::RegionStatus;
use host::STATUS;
use http::{Request, header::AUTHORIZATION};
use protocol::Transport;
use report::codes;
use serde::Serialize;
use workspace::view::DiagnosticView;

use super::apply::failed;
use crate::answer::{Answer, Code, json};
use crate::args::{Format, Region, RegionCommand, RegionStatus as Status};
use crate::console::Console;
use crate::problem::problem;
use crate::show::region::text;
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

pub(crate) fn run(args: &Region, console: Console) -> Answer {
    let RegionCommand::Status(args) = &args.command;
    let answer = work::run::run(status(args, console));
    answer.unwrap_or_else(|problem| failed(&[*problem], &[], args.format, console))
}

async fn status(args: &Status, console: Console) -> Result<Answer, Box<DiagnosticView>> {
    let tokens = Tokens::of_peers(args.urls.iter().map(String::as_str))?;
    let transport = transport()?;
    let mut servers = Vec::new();
    for url in &args.urls {
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
    let help =
        "check the address, the variable `PLANLOOM_TOKEN`, and that the server is started with `--peer`";
    Some(problem(codes::PEER, None, format!("`{}`: {error}", server.url), help))
}
