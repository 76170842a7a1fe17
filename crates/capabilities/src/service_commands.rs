//! Commands for services in memory, those about fixtures too, which are of another capability.

use ::fixtures::{Context, FixturePlan, PlanSettings, Questions as _};
use ::services::{ServiceSession, now};
use ::workspace::{
    Workspace,
    view::{ServiceCommand, ServiceError, ServiceResult},
};

use crate::json;

/// The functions of the part. Answers are JSON text.
pub trait ServiceCommandsPart {
    /// The result of a command, which is JSON; `None` if it is none.
    fn execute(&self, workspace: &mut Workspace, session: &ServiceSession, command: &str) -> Option<String>;
}

#[derive(Debug)]
pub(crate) struct Loaded;

impl ServiceCommandsPart for Loaded {
    fn execute(&self, workspace: &mut Workspace, session: &ServiceSession, command: &str) -> Option<String> {
        Some(json(&execute(workspace, session, &serde_json::from_str(command).ok()?)))
    }
}

/// The result of a command. The fixtures are those of the workspace.
pub fn execute(
    workspace: &mut Workspace,
    session: &ServiceSession,
    command: &ServiceCommand,
) -> ServiceResult {
    let (prune, applies) = match command {
        ServiceCommand::PlanFixtures { prune } => (prune, false),
        ServiceCommand::ApplyFixtures { prune } => (prune, true),
        _ => return session.execute(command).unwrap_or_default(),
    };
    session.advance(0);
    let settings = PlanSettings { prune: prune.unwrap_or_default(), ..PlanSettings::default() };
    let result = fixtures(workspace, session, settings, applies);
    ServiceResult { changes: session.take_changes(), ..result }
}

fn fixtures(
    workspace: &mut Workspace,
    session: &ServiceSession,
    settings: PlanSettings,
    applies: bool,
) -> ServiceResult {
    workspace.load(Box::new(::fixtures::Fixtures));
    let found = workspace.fixtures();
    let context = Context::new(session.services().clone(), session.schemas().clone());
    let access = session.access();
    let planned = now(::fixtures::plan(&found.files, &context, &access, settings)).unwrap_or_default();
    let error = if applies { apply(&planned, &context, session) } else { None };
    let plan = Some(::fixtures::view(&planned, &context, &found.sources, true));
    ServiceResult { plan, error, ..ServiceResult::default() }
}

fn apply(plan: &FixturePlan, context: &Context, session: &ServiceSession) -> Option<ServiceError> {
    let report = now(::fixtures::apply(plan, context, &session.access(), &mut |_, _| {}))?;
    let failed = report.error?.error;
    let code = failed.kind.as_str().to_owned();
    Some(ServiceError { code, status: failed.status, message: failed.detail, ..ServiceError::default() })
}
