//! Commands for services in memory, those about fixtures too, which are of another capability.

use std::rc::Rc;

use ::fixtures::{Context, GroupSettings, ServiceAdapter};
use ::services::{ServiceSession, now};
use ::workspace::{
    PlanOptions, Workspace,
    view::{PlanView, ServiceCommand, ServiceError, ServiceResult, SummaryView},
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
    let settings = GroupSettings { prune: prune.unwrap_or_default(), ..GroupSettings::default() };
    let result = now(fixtures(workspace, session, settings, applies)).unwrap_or_default();
    workspace.set(None::<GroupSettings>);
    ServiceResult { changes: session.take_changes(), ..result }
}

async fn fixtures(
    workspace: &mut Workspace,
    session: &ServiceSession,
    settings: GroupSettings,
    applies: bool,
) -> ServiceResult {
    workspace.load(Box::new(::fixtures::Fixtures));
    let context = Context::new(session.services().clone(), session.schemas().clone());
    let access = session.access();
    let groups = match ::fixtures::read_groups(workspace, &context, &access, settings).await {
        Ok(groups) => groups,
        Err(diagnostics) => {
            let (actions, summary) = (Vec::new(), SummaryView::default());
            let plan = PlanView { diagnostics, actions, summary, ..workspace.plan(&PlanOptions::default()) };
            return ServiceResult { plan: Some(plan), ..ServiceResult::default() };
        }
    };
    let plan = workspace.plan(&PlanOptions { list_unchanged: true, ..groups.plan_options() });
    let error = match applies {
        true => {
            let adapter = ServiceAdapter::new(context, Rc::new(access));
            ::fixtures::apply(&plan, &groups, &adapter).await.err().map(|problem| ServiceError {
                code: problem.code,
                status: Some(problem.status),
                message: problem.detail,
                ..ServiceError::default()
            })
        }
        false => None,
    };
    ServiceResult { plan: Some(plan), error, ..ServiceResult::default() }
}
