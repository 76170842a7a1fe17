use report::codes;
use std::path::Path;

use adapter::conformance::{self, Options};
use host::SystemTimer;
use protocol::{Caller, Reply, Transport, Unclear};
use serde_json::{Map, Value as Json};
use workspace::view::DiagnosticView;

use super::apply::failed;
use crate::answer::{Answer, Code, json};
use crate::args::{AdapterTest, Format};
use crate::console::Console;
use crate::files::{Stdin, read_text};
use crate::problem::problem;
use crate::work::{
    self,
    adapters::{describe, kinds, not_described},
    session::name,
    tokens::Tokens,
    transport::transport,
};

pub(crate) fn run(args: &AdapterTest, console: Console) -> Answer {
    work::run::run(test(args)).unwrap_or_else(|problem| failed(&[*problem], &[], args.format, console))
}

async fn test(args: &AdapterTest) -> Result<Answer, Box<DiagnosticView>> {
    let token = Tokens::of_environment([&*args.url])?.of(&args.url);
    let caller = Caller::new(&args.url, token).ok_or_else(|| {
        let message = format!("`{}` is not an address of an adapter", args.url);
        Box::new(problem(
            codes::BAD_ADAPTER,
            None,
            message,
            "write the part before `/v1`, such as `https://host:port`",
        ))
    })?;
    let transport = transport()?;
    let first = first_kind(&*transport, &caller, &args.url).await?;
    let kind = args.kind.clone().unwrap_or(first);
    let spec = |path: &Option<_>| path.as_deref().map(read_spec).transpose();
    let mut options = Options::new(kind, spec(&args.spec)?.unwrap_or_default(), name());
    options.changed = spec(&args.changed)?;
    options.rebuild = spec(&args.rebuild)?;
    options.origin = args.origin.clone();
    let report = conformance::run(transport, caller, SystemTimer::new(), options).await;
    let code = if report.is_ok() { Code::Fine } else { Code::Errors };
    let out = match args.format {
        Format::Text => format!("{report}\n"),
        Format::Json => json(&report),
    };
    Ok(Answer { out, code, ..Answer::default() })
}

/// The first kind that the adapter describes. A caller without access, or an adapter that cannot be reached, need not
/// be tested; other errors of the adapter are reported better by the suite.
async fn first_kind(
    transport: &dyn Transport,
    caller: &Caller,
    url: &str,
) -> Result<String, Box<DiagnosticView>> {
    match describe(transport, caller).await {
        Ok(description) => Ok(kinds(&description).into_iter().next().unwrap_or_else(|| "service".into())),
        Err(reply @ (Reply::Unauthorized(_) | Reply::Unclear(Unclear::Transport(_)))) => {
            Err(not_described(&reply, url))
        }
        Err(_) => Ok("service".into()),
    }
}

fn read_spec(path: &Path) -> Result<Map<String, Json>, Box<DiagnosticView>> {
    let text = read_text(&mut Stdin::default(), path)?;
    match serde_json::from_str(&text) {
        Ok(Json::Object(map)) => Ok(map),
        other => {
            let name = path.display().to_string();
            let why = other.err().map(|error| format!(": {error}")).unwrap_or_default();
            let message = format!("`{name}` holds no attributes{why}");
            Err(Box::new(problem(
                codes::BAD_SPEC,
                Some(&name),
                message,
                "write a JSON object from attributes to values",
            )))
        }
    }
}
