//! Services at their addresses, and the fixtures that are for them.

use report::codes;
use std::path::PathBuf;
use std::rc::Rc;

use access::{ByService, HttpAccess, Server};
use diag::Sources;
use fixtures::{Context, FixtureFile, FixturePlan, PlanSettings, Questions as _};
use host::SystemTimer;
use services::Questions as _;
use workspace::File;
use workspace::view::{DiagnosticView, Role};

use crate::answer::has_errors;
use crate::args::ServiceInputs;
use crate::files::read_all;
use crate::load::load_specifications;
use crate::problem::problem;
use crate::work::{tokens::Tokens, transport::transport};

/// Services that can be read and written.
pub(crate) struct ServiceSession {
    pub(crate) context: Context,
    pub(crate) access: ByService,
    pub(crate) files: Vec<FixtureFile>,
    pub(crate) sources: Sources,
    pub(crate) texts: Vec<File>,
}

/// The reasons that there is no session, with the texts that the problems are in.
pub(crate) struct Refused {
    pub(crate) problems: Vec<DiagnosticView>,
    pub(crate) texts: Vec<File>,
}

impl ServiceSession {
    /// Reads specifications and fixtures; nothing is sent yet.
    pub(crate) fn open(
        inputs: &ServiceInputs,
        fixtures: &[PathBuf],
        adapters: &[String],
    ) -> Result<Self, Box<Refused>> {
        let mut loaded = load_specifications(&inputs.services, &inputs.imports, &inputs.protos);
        let mut read = read_all(&mut loaded.stdin, fixtures);
        loaded.problems.append(&mut read.problems);
        if fixtures.is_empty() {
            let help = "name the files with the resources, before or after the options";
            loaded.problems.push(problem(codes::NO_FILES, None, "no file of fixtures is given", help));
        }
        loaded.texts.extend(read.files.iter().cloned());
        loaded.workspace.set_files_as(Role::Fixtures, read.files);
        let refused = |problems, texts| Err(Box::new(Refused { problems, texts }));
        let problems = match loaded.problems.is_empty() {
            true => loaded.workspace.diagnostics().diagnostics,
            false => loaded.problems,
        };
        if has_errors(&problems) {
            return refused(problems, loaded.texts);
        }
        let context = Context::new(loaded.workspace.services(), loaded.workspace.schemas());
        let read = loaded.workspace.fixtures();
        match access(&context, adapters) {
            Ok(access) => {
                Ok(Self { context, access, files: read.files, sources: read.sources, texts: loaded.texts })
            }
            Err(problem) => refused(vec![*problem], loaded.texts),
        }
    }

    /// The plan of the actions that are necessary.
    pub(crate) async fn plan(&self, settings: PlanSettings) -> FixturePlan {
        fixtures::plan(&self.files, &self.context, &self.access, settings).await
    }
}

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

/// The service that an adapter is for, if it names one, and the address.
fn split(adapter: &str) -> (Option<&str>, &str) {
    match adapter.split_once('=') {
        Some((service, address)) if !service.contains('/') => (Some(service), address),
        _ => (None, adapter),
    }
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
