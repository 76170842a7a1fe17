//! Plans that observe the existing resources, and change nothing.

use host::SystemTimer;
use report::codes;
use state::Snapshot;
use workspace::view::{DiagnosticView, PlanView, Severity};
use workspace::{
    PlanOptions,
    engine::{EngineError, Session},
};

use super::{
    adapters, errors::diagnostic, orphans, place, service_adapter::ServiceConnection, session::environment,
};
use crate::args::Plan;
use crate::files::STDIN;
use crate::load::Loaded;
use crate::problem::problem;

/// The plan against the recorded state and the resources that the adapters report. The state is not locked, adapters
/// are only queried, and those of this program are opened for observation only.
///
/// # Errors
/// If the state cannot be read, or an adapter cannot report the status of its resources.
pub(crate) async fn plan(
    args: &Plan,
    options: &PlanOptions,
    loaded: &mut Loaded,
) -> Result<PlanView, Box<DiagnosticView>> {
    let state = args.state.as_deref().map(|it| it.display().to_string()).filter(|it| it != "-");
    let state = state.ok_or_else(|| Box::new(no_place(args)))?;
    let timer = SystemTimer::new();
    let backend = place::open(&state, timer.clone())?;
    let services = ServiceConnection::open(&mut loaded.workspace, &args.adapters)?;
    let mut adapters =
        adapters::connect_for_reading(&args.adapters, &args.programs, &state, &*backend, &timer).await?;
    if let Some(services) = &services {
        adapters.routes.extend(services.routes(&*backend, &timer).await?);
    }
    loaded.add_types(adapters.types);
    let deployment = loaded.workspace.deployment(options);
    let environment = environment(timer);
    let engine =
        Session::start(&environment, environment.setup(deployment.clone(), backend, adapters.routes));
    engine.inspect().await.map_err(boxed)?;
    let interrupted = interrupted(&engine.snapshot());
    engine.inspect_begun().await.map_err(boxed)?;
    engine.plan(true).await.map_err(boxed)?;
    let mut view = deployment.plan().unwrap_or_else(|| loaded.workspace.plan(options));
    view.diagnostics.extend(adapters.notes);
    view.diagnostics.extend(interrupted);
    if let Some(services) = services {
        services.check_new(&view).await?;
    }
    // That what no state records cannot be listed does not change what the plan says.
    let orphans = orphans::find(&engine, &view).await.unwrap_or_default();
    if !orphans.is_empty() {
        view.diagnostics.push(orphans::warning(&orphans));
    }
    Ok(view)
}

/// The note that a run was interrupted, with the actions that it had begun.
fn interrupted(state: &Snapshot) -> Option<DiagnosticView> {
    let begun: Vec<String> =
        state.journal.iter().map(|it| format!("{} {}", it.verb.as_str(), it.address)).collect();
    let message = format!("an earlier run was interrupted after it had started to {}", begun.join(", "));
    let help = "this plan includes its result, which the next `planloom apply` records";
    let warning =
        DiagnosticView { severity: Severity::Warning, ..problem(codes::INTERRUPTED, None, message, help) };
    (!begun.is_empty()).then_some(warning)
}

fn no_place(args: &Plan) -> DiagnosticView {
    let (message, help) = match args.state {
        None => ("there is no state to refresh", "name it: `--state STATE`".to_owned()),
        Some(_) => (
            "a state that comes from standard input cannot be refreshed",
            format!("name the state's location instead of {STDIN}"),
        ),
    };
    problem(codes::NO_STATE, None, message, help)
}

fn boxed(error: EngineError) -> Box<DiagnosticView> {
    Box::new(diagnostic(&error))
}
