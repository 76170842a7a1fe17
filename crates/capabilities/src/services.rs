//! Specifications of services, and services in memory.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use ::services::{Questions as _, ServiceSession, Services};
use ::workspace::{
    Workspace,
    view::{GeneratedArtifact, NamedResourceView, ServiceGraphFormat, ServiceOptions, ServiceRequest},
};
use serde::Deserialize;
use serde_json::Value;

use crate::{json, service_commands::ServiceCommandsPart};

/// The functions of the part. Answers are JSON text.
pub trait ServicesPart {
    /// The answer to a question: `services`, which gives their specification, `generated` with what is generated,
    /// `resource_name` with a text, `graph` with a text format or nothing, `cached` with a list or a write, or `open`, which
    /// opens a service in memory and answers with its number, or null if two versions of a service cannot be served together.
    /// Others count each service in its newest version: `overview`, `name_or_request` with a text, `deletion_trial` with
    /// `{resources, delete}` as JSON, where without `resources` the fixtures of the workspace count, and `changes` with the old
    /// and the new file as a list.
    /// `merged` has a kind and a list of resources as a list, and answers with the merged one, or null if there is no such kind.
    /// `send` has the number of an open service and a request as a list, and answers with the response; `close` has the number.
    /// `None` if there is no such question or argument, or no such open service.
    fn ask(&self, workspace: &mut Workspace, question: &str, argument: &str) -> Option<String>;
    /// The result of a command for an open service: its number, a space, and the command as JSON. `None` if it is no command, or
    /// the service is not open.
    fn execute(
        &self,
        workspace: &mut Workspace,
        commands: &dyn ServiceCommandsPart,
        argument: &str,
    ) -> Option<String>;
    /// The number of kinds of resources of the services; those of several versions count once.
    fn count_kinds(&self, workspace: &mut Workspace) -> usize;
    /// The changes of the services since an earlier version of them.
    fn service_changes(&self, workspace: &mut Workspace, before: &mut Workspace) -> String;
}

/// The argument of a trial deletion.
#[derive(Deserialize)]
struct DeletionArgument {
    /// Example resources as YAML.
    resources: Option<String>,
    /// The resource that is deleted.
    delete: Option<NamedResourceView>,
}

#[derive(Debug)]
pub(crate) struct Loaded;

thread_local! {
    static OPEN: RefCell<BTreeMap<u32, ServiceSession>> = const { RefCell::new(BTreeMap::new()) };
}

impl ServicesPart for Loaded {
    fn ask(&self, workspace: &mut Workspace, question: &str, argument: &str) -> Option<String> {
        let workspace = having(workspace);
        Some(match question {
            "services" => json(&workspace.specification()),
            "generated" => json(&workspace.generated(GeneratedArtifact::named(argument)?)),
            "resource_name" => json(&workspace.resource_name(argument)),
            "overview" => json(&workspace.service_overview()),
            "name_or_request" => json(&workspace.name_or_request(argument)),
            "deletion_trial" => {
                let it: DeletionArgument = serde_json::from_str(argument).ok()?;
                json(&workspace.deletion_trial(it.resources.as_deref(), it.delete.as_ref()))
            }
            "changes" => {
                let (old, new): (String, String) = serde_json::from_str(argument).ok()?;
                json(&workspace.changes_between(&old, &new))
            }
            "graph" if argument.is_empty() => json(&workspace.service_graph()),
            "graph" => json(&workspace.service_graph_text(ServiceGraphFormat::named(argument)?)),
            "cached" => json(&workspace.cached(&serde_json::from_str(argument).ok()?)),
            "open" => json(&open(workspace, argument)?),
            "send" => send(argument)?,
            "merged" => {
                let (kind, values): (String, Vec<Value>) = serde_json::from_str(argument).ok()?;
                json(&workspace.merged_resources(&kind, &values))
            }
            "close" => {
                let number: u32 = argument.parse().ok()?;
                json(&OPEN.with_borrow_mut(|open| open.remove(&number).is_some()))
            }
            _ => return None,
        })
    }

    fn execute(
        &self,
        workspace: &mut Workspace,
        commands: &dyn ServiceCommandsPart,
        argument: &str,
    ) -> Option<String> {
        let (number, command) = argument.split_once(' ')?;
        let number: u32 = number.parse().ok()?;
        OPEN.with_borrow(|open| commands.execute(having(workspace), open.get(&number)?, command))
    }

    fn count_kinds(&self, workspace: &mut Workspace) -> usize {
        let services = workspace.services();
        services.kinds().map(|(id, _)| services.type_name(id)).collect::<BTreeSet<_>>().len()
    }

    fn service_changes(&self, workspace: &mut Workspace, before: &mut Workspace) -> String {
        json(&having(workspace).service_changes(having(before)))
    }
}

/// Opens a service in memory, with options as JSON or none. Its number, if it can be opened; `None` if the options are none.
fn open(workspace: &mut Workspace, options: &str) -> Option<Option<u32>> {
    let options =
        if options.is_empty() { ServiceOptions::default() } else { serde_json::from_str(options).ok()? };
    let Some(session) = ServiceSession::open(workspace, &options) else { return Some(None) };
    OPEN.with_borrow_mut(|open| {
        let number = open.keys().next_back().map_or(0, |last| last + 1);
        open.insert(number, session);
        Some(Some(number))
    })
}

/// The response of an open service to a request; `None` if it is no request, or no service of that number is open.
fn send(argument: &str) -> Option<String> {
    let (number, request): (u32, ServiceRequest) = serde_json::from_str(argument).ok()?;
    OPEN.with_borrow(|open| open.get(&number).map(|it| json(&it.send(&request))))
}

/// The workspace with the capability, be it that its files do not need it: a question about services has an answer.
fn having(workspace: &mut Workspace) -> &mut Workspace {
    workspace.load(Box::new(Services));
    workspace
}
