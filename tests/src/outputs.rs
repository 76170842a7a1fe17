//! The answers of the engine, as the exact JSON text of each verb.

use std::collections::BTreeMap;

use comparison::{Side, compare};
use linking::Questions as _;
use serde::Serialize;
use serde_json::Value as Json;
use services::{Questions as _, ServiceSession};
use versions::{Questions as _, VersionOptions};
use workspace::{
    Workspace,
    view::{
        CacheQuestion, GeneratedArtifact, GraphFormat, Outcome, ResolutionView, ServiceGraphFormat,
        ServiceOptions,
    },
};

use crate::{conversion, example::Inputs, requests::Said, servers};

/// The answers to one example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outputs {
    /// The kind of each file.
    pub files: String,
    /// `planloom.check/1`
    pub check: String,
    /// `planloom.merge/1` with origins
    pub merged: String,
    /// `planloom.graph/1`
    pub graph: String,
    /// `planloom.plan/1`
    pub plan: String,
    /// The merged document as YAML text.
    pub merged_yaml: String,
    /// The graph in the language of Graphviz.
    pub dot: String,
    /// The graph in the language of Mermaid.
    pub mermaid: String,
    /// `planloom.links/1`; only where something is linked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<String>,
    /// `planloom.spec/1`; only where a service is specified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub specification: Option<String>,
    /// `planloom.spec-diff/1`; only where a service is compared with an older version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_changes: Option<String>,
    /// The names that texts are; only where some are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<String>,
    /// The names or requests that texts are; only where some are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texts: Option<String>,
    /// Resources with what they are merged to; only where some are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merges: Option<String>,
    /// `planloom.spec-graph/1`; only where a service is specified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_graph: Option<String>,
    /// The same graph as text, by format; only where a service is specified.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub service_graph_text: BTreeMap<String, String>,
    /// Lists and writes, and what a cache has of them; only where some are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached: Option<String>,
    /// Requests and commands with their responses; only where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    /// `planloom.generated/1` of each kind of artifact; only where it is requested.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub generated: BTreeMap<String, String>,
    /// What is reported of a conversion, what it says, and what it converts; only where there is one. The npm package has none.
    #[serde(skip)]
    pub conversion: Option<String>,
    /// The steps of a session with servers, and what they show; only where there is one. The npm package has none.
    #[serde(skip)]
    pub session: Option<String>,
    /// `planloom.compare/1`; only where descriptors are compared with earlier ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<String>,
    /// `planloom.resolve/1`; only where something is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<String>,
    /// `planloom.upgrades/1` of each package, where there are only a few.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub upgrades: BTreeMap<String, String>,
    /// The first file that asks, with the outcome in its `status`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_status: Option<String>,
    /// The text that is written into `planloom.lock`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lock: Option<String>,
}

/// Of catalogs with more packages the upgrades are not asked for.
const FEW_PACKAGES: usize = 4;

impl Outputs {
    /// Asks a new workspace.
    pub fn of(inputs: &Inputs) -> Self {
        Self::ask(&mut workspace(inputs), inputs)
    }

    /// Asks a workspace that holds the inputs.
    pub fn ask(workspace: &mut Workspace, inputs: &Inputs) -> Self {
        let resolution = workspace.resolution();
        let is_asked = resolution.outcome != Outcome::Empty;
        Self {
            files: text(&workspace.files()),
            check: text(&workspace.diagnostics()),
            merged: text(&workspace.merged(true)),
            graph: text(&workspace.graph()),
            plan: text(&workspace.plan(&inputs.plan)),
            merged_yaml: workspace.merged_yaml(),
            dot: workspace.graph_text(GraphFormat::Dot),
            mermaid: workspace.graph_text(GraphFormat::Mermaid),
            comparison: comparison(workspace, inputs),
            links: links(workspace, inputs),
            specification: specification(workspace),
            service_changes: service_changes(workspace, inputs),
            names: names(workspace, &inputs.names),
            texts: texts(workspace, &inputs.texts),
            merges: merges(workspace, &inputs.merges),
            service_graph: service_graph(workspace),
            service_graph_text: service_graph_text(workspace),
            cached: cached(workspace, &inputs.cached),
            conversation: conversation(workspace, &inputs.requests, &inputs.service),
            generated: generated(workspace, inputs.generate),
            conversion: conversion::answers(workspace, inputs).map(|it| text(&it)),
            session: servers::answers(inputs).map(|it| text(&it)),
            upgrades: upgrades(workspace, &resolution),
            resolution: is_asked.then(|| text(&resolution)),
            with_status: workspace.with_status().into_iter().next().map(|(_, text)| text),
            lock: workspace.lock(),
        }
    }
}

/// A workspace that holds the inputs.
pub fn workspace(inputs: &Inputs) -> Workspace {
    let mut workspace = inputs.engine.workspace();
    workspace.set_lenient(inputs.lenient);
    if let Some(profile) = inputs.profile {
        workspace.set_profile(profile);
    }
    if inputs.versions != VersionOptions::default() {
        workspace.set_versions(inputs.versions.clone());
    }
    if !inputs.releases.is_empty() {
        workspace.set_releases(inputs.releases.clone());
    }
    if !inputs.catalogs.is_empty() {
        workspace.set_catalogs(inputs.catalogs.clone());
    }
    if !inputs.types.is_empty() {
        workspace.set_types(inputs.types.clone());
    }
    workspace.set_files(inputs.files.clone());
    workspace
}

fn upgrades(current: &mut Workspace, resolution: &ResolutionView) -> BTreeMap<String, String> {
    let packages: Vec<String> = resolution.catalogs.iter().flat_map(|it| it.packages.clone()).collect();
    if packages.len() > FEW_PACKAGES {
        return BTreeMap::new();
    }
    let views = packages.into_iter().filter_map(|it| Some((current.upgrades(&it)?, it)));
    views.map(|(view, package)| (package, text(&view))).collect()
}

fn links(current: &mut Workspace, inputs: &Inputs) -> Option<String> {
    let before = inputs.before.as_deref().map(|it| workspace(it).links());
    let view = match before {
        Some(before) => current.links_since(&before.into()),
        None => current.links(),
    };
    let is_linked = !view.links.is_empty() || !view.providers.is_empty();
    is_linked.then(|| text(&view))
}

fn specification(workspace: &mut Workspace) -> Option<String> {
    let view = workspace.specification();
    (!view.services.is_empty()).then(|| text(&view))
}

fn service_graph(workspace: &mut Workspace) -> Option<String> {
    let view = workspace.service_graph();
    (!view.services.is_empty()).then(|| text(&view))
}

fn service_graph_text(workspace: &mut Workspace) -> BTreeMap<String, String> {
    let has_any = !workspace.services().services.is_empty();
    let formats = ServiceGraphFormat::ALL.iter().filter(|_| has_any);
    formats.map(|it| (it.as_str().to_owned(), text(&workspace.service_graph_text(*it)))).collect()
}

fn cached(workspace: &mut Workspace, questions: &[CacheQuestion]) -> Option<String> {
    let answers = questions
        .iter()
        .map(|it| serde_json::json!({"question": it, "answer": workspace.cached(it)}))
        .collect::<Vec<Json>>();
    (!answers.is_empty()).then(|| text(&answers))
}

fn comparison(current: &mut Workspace, inputs: &Inputs) -> Option<String> {
    let before = Side::Files(inputs.before.as_deref()?.files.clone());
    let found = compare(current, &|_| (), &before, &Side::Current);
    let is_compared = found.before.resources + found.after.resources > 0;
    is_compared.then(|| text(&found))
}

fn service_changes(current: &mut Workspace, inputs: &Inputs) -> Option<String> {
    let mut before = workspace(inputs.before.as_deref()?);
    let is_compared = !current.services().services.is_empty();
    is_compared.then(|| text(&current.service_changes(&mut before)))
}

fn generated(workspace: &mut Workspace, is_requested: bool) -> BTreeMap<String, String> {
    let all = GeneratedArtifact::ALL.iter().filter(|_| is_requested);
    all.map(|it| (it.as_str().to_owned(), text(&workspace.generated(*it)))).collect()
}

fn names(workspace: &mut Workspace, names: &[String]) -> Option<String> {
    let answers: serde_json::Map<String, Json> = names
        .iter()
        .map(|it| (it.clone(), serde_json::to_value(workspace.resource_name(it)).expect("plain data")))
        .collect();
    (!answers.is_empty()).then(|| text(&answers))
}

fn texts(workspace: &mut Workspace, texts: &[String]) -> Option<String> {
    let answers: Vec<Json> = texts
        .iter()
        .map(|it| serde_json::json!({"text": it, "answer": workspace.name_or_request(it)}))
        .collect();
    (!answers.is_empty()).then(|| text(&answers))
}

fn merges(workspace: &mut Workspace, merges: &[(String, Vec<Json>)]) -> Option<String> {
    let answers: Vec<Json> = merges
        .iter()
        .map(|(kind, values)| {
            let merged = workspace.merged_resources(kind, values);
            serde_json::json!({"type": kind, "resources": values, "merged": merged})
        })
        .collect();
    (!answers.is_empty()).then(|| text(&answers))
}

fn conversation(workspace: &mut Workspace, said: &[Said], options: &ServiceOptions) -> Option<String> {
    if said.is_empty() {
        return None;
    }
    let session = ServiceSession::open(workspace, options).expect("each service is there once");
    let mut exchange = |it: &Said| {
        let response = match it {
            Said::Request(request) => serde_json::to_value(session.send(request)),
            Said::Command(json) => {
                serde_json::to_value(capabilities::execute(workspace, &session, &Said::command(json)))
            }
        };
        serde_json::json!({"request": it, "response": response.expect("plain data")})
    };
    let exchanges: Vec<Json> = said.iter().map(&mut exchange).collect();
    Some(text(&exchanges))
}

/// JSON text of a view.
pub fn text(view: &impl Serialize) -> String {
    serde_json::to_string(view).expect("views are plain data")
}

/// JSON text that the engine wrote.
///
/// # Panics
/// If it is not JSON.
pub fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}
