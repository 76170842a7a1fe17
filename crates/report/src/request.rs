//! A whole command of a host that has only files: its output, and its exit code.

use crate::codes;
use serde::Deserialize;
use serde_json::Value as Json;
use workspace::codes::plan::LOOKS_RENAMED;
use workspace::{
    File, PlanOptions, Workspace, escape_invisible,
    view::{CheckoutView, DiagnosticView, ReportCommand, ReportFormat, ReportView, Severity, words::count},
};

use crate::{
    conceal::{concealed, masked},
    finding::Findings,
    github::github,
    json::{json, plan_json},
    plain::{self, plain, tally},
    problem,
    rules::RuleText,
    sarif::sarif_with,
    summary::summary,
};

/// A request to a workspace.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The command.
    pub command: ReportCommand,
    /// The format.
    #[serde(default)]
    pub format: ReportFormat,
    /// True if a merge has the origin of each value.
    #[serde(default)]
    pub origins: bool,
    /// The folder to which names of files are relative.
    #[serde(default)]
    pub checkout: CheckoutView,
    /// The place of a state that does not exist yet.
    #[serde(default)]
    pub missing_state: Option<String>,
    /// The documentation of codes, which rules of SARIF have: a list as `planloom.codes/1` has it.
    #[serde(default)]
    pub codes: Json,
    /// The reasons why inputs could not be read. If there are any, nothing else is reported.
    #[serde(default)]
    pub problems: Vec<DiagnosticView>,
}

/// The functions that a workspace needs of its host.
pub trait ReportHost {
    /// An empty workspace.
    fn workspace(&self) -> Workspace;
    /// Adds the capabilities that the files of a workspace need.
    fn complete(&self, workspace: &mut Workspace);
    /// The merged document as YAML.
    fn merged_yaml(&self, workspace: &mut Workspace) -> String;
}

/// Runs a command. Its output has no characters that a terminal would obey.
pub fn report(
    workspace: &mut Workspace,
    request: &Request,
    options: &PlanOptions,
    host: &dyn ReportHost,
) -> ReportView {
    let run = Run { request, host };
    let ReportView { out, err, summary, code } = match request.command {
        ReportCommand::Check => run.check(workspace),
        ReportCommand::Merge => run.merge(workspace),
        ReportCommand::Plan => run.plan(workspace, options),
    };
    let printable = |it: String| escape_invisible(&it, &['\n', '\t']).into_owned();
    ReportView { out: printable(out), err: printable(err), summary: summary.map(printable), code }
}

/// That nothing was recorded yet.
pub fn no_state(place: &str) -> DiagnosticView {
    let message = format!("there is no state at `{place}` yet: everything is new");
    let hint = problem(codes::NO_STATE, None, message, "`planloom apply` creates it");
    DiagnosticView { severity: Severity::Hint, ..hint }
}

struct Run<'r> {
    request: &'r Request,
    host: &'r dyn ReportHost,
}

/// Diagnostics and texts as they may be shown.
struct Shown {
    diagnostics: Vec<DiagnosticView>,
    texts: Vec<File>,
}

impl Run<'_> {
    fn check(&self, workspace: &mut Workspace) -> ReportView {
        let mut view = workspace.diagnostics();
        self.replace(&mut view.diagnostics);
        let shown = self.shown(&view.diagnostics, workspace.given_files());
        let code = u8::from(has_errors(&view.diagnostics));
        view.diagnostics = shown.diagnostics;
        let out = match self.request.format {
            ReportFormat::Json => json(&view),
            ReportFormat::Sarif => self.written(&self.findings(&view.diagnostics)),
            ReportFormat::Github => github(&self.findings(&view.diagnostics)),
            ReportFormat::Text => {
                let files = count(workspace.texts().len(), "file");
                let found = match tally(&view.diagnostics) {
                    Some(tally) if workspace.texts().is_empty() => tally,
                    Some(tally) => format!("{tally} in {files}"),
                    None => format!("{files}, no problems"),
                };
                format!("{}{found}\n", plain(&view.diagnostics, &shown.texts))
            }
        };
        ReportView { out, code, ..ReportView::default() }
    }

    fn merge(&self, workspace: &mut Workspace) -> ReportView {
        let mut view = workspace.merged(self.request.origins);
        self.replace(&mut view.diagnostics);
        let code = u8::from(has_errors(&view.diagnostics));
        let (out, err) = match self.request.format {
            ReportFormat::Json => (json(&view), String::new()),
            ReportFormat::Sarif | ReportFormat::Github => {
                (self.problems(&view.diagnostics, workspace.given_files()), String::new())
            }
            ReportFormat::Text => {
                let is_empty =
                    view.document.is_null() || view.document.as_object().is_some_and(|it| it.is_empty());
                let out = if is_empty && code > 0 { String::new() } else { self.host.merged_yaml(workspace) };
                (out, self.notes(&view.diagnostics, workspace.given_files()))
            }
        };
        ReportView { out, err, code, ..ReportView::default() }
    }

    fn plan(&self, workspace: &mut Workspace, options: &PlanOptions) -> ReportView {
        let mut view = workspace.plan(options);
        self.replace(&mut view.diagnostics);
        let mut texts = workspace.given_files();
        texts.extend(beside(options));
        let missing = self.request.missing_state.as_deref().filter(|_| !has_errors(&view.diagnostics));
        let missing = missing.map(no_state);
        view.diagnostics.extend(missing.clone());
        let code = match has_errors(&view.diagnostics) {
            true => 1,
            false if view.summary.changes() > 0 => 2,
            false => 0,
        };
        let mut report = ReportView { code, ..ReportView::default() };
        match self.request.format {
            ReportFormat::Json => {
                view.diagnostics = self.shown(&view.diagnostics, texts).diagnostics;
                report.out = plan_json(&view, false);
            }
            ReportFormat::Sarif | ReportFormat::Github => {
                let diagnostics = self.shown(&reported(&view.diagnostics), texts).diagnostics;
                let first = workspace.texts().into_iter().next().map(|it| it.name);
                let found = self.findings(&diagnostics);
                let found = found.and_risks(&view, first.as_deref(), &mut |it| workspace.origin(it));
                report.summary = Some(summary(&view, &diagnostics));
                report.out = self.written(&found);
            }
            ReportFormat::Text => {
                let missing = missing.map(|it| format!("Note: {}\n", it.message)).unwrap_or_default();
                report.err = self.notes(&view.diagnostics, texts) + &missing;
                let is_shown = code != 1 || !view.actions.is_empty();
                report.out = if is_shown { plain::plan(&view) } else { String::new() };
            }
        }
        report
    }

    /// Nothing is said of half of what was requested.
    fn replace(&self, diagnostics: &mut Vec<DiagnosticView>) {
        if !self.request.problems.is_empty() {
            diagnostics.clone_from(&self.request.problems);
        }
    }

    fn findings(&self, diagnostics: &[DiagnosticView]) -> Findings {
        Findings::new(self.request.command, diagnostics, &self.request.checkout)
    }

    fn written(&self, findings: &Findings) -> String {
        match self.request.format {
            ReportFormat::Github => github(findings),
            ReportFormat::Text | ReportFormat::Json | ReportFormat::Sarif => {
                sarif_with(findings, &|code| RuleText::find(&self.request.codes, code))
            }
        }
    }

    fn problems(&self, diagnostics: &[DiagnosticView], texts: Vec<File>) -> String {
        self.written(&self.findings(&self.shown(&reported(diagnostics), texts).diagnostics))
    }

    /// Problems beside a product, with their number.
    fn notes(&self, diagnostics: &[DiagnosticView], texts: Vec<File>) -> String {
        let shown = self.shown(&reported(diagnostics), texts);
        let tally = tally(&shown.diagnostics).map(|it| it + "\n").unwrap_or_default();
        plain(&shown.diagnostics, &shown.texts) + &tally
    }

    fn shown(&self, diagnostics: &[DiagnosticView], texts: Vec<File>) -> Shown {
        if diagnostics.is_empty() || texts.is_empty() {
            return Shown { diagnostics: diagnostics.to_vec(), texts };
        }
        let hidden = masked(&texts, self.host.workspace(), |it| self.host.complete(it));
        Shown { diagnostics: concealed(diagnostics, &texts, &hidden), texts: hidden }
    }
}

/// The state and the observed resources, which diagnostics point into.
fn beside(options: &PlanOptions) -> impl Iterator<Item = File> {
    let file = |name: &Option<String>, text: &Option<String>| {
        Some(File { name: name.clone()?, text: text.clone()?, package: None })
    };
    let state = file(&options.state_file, &options.state);
    state.into_iter().chain(file(&options.observed_file, &options.observed))
}

fn has_errors(diagnostics: &[DiagnosticView]) -> bool {
    diagnostics.iter().any(|it| it.severity == Severity::Error)
}

/// The diagnostics that are reported beside a product: other hints are for `check`, and so are the problems of catalogs, which
/// others write. Those that are errors to `check` are warnings to the user who chooses from a catalog, so they are counted as
/// problems.
pub fn reported(diagnostics: &[DiagnosticView]) -> Vec<DiagnosticView> {
    let family = catalog::codes::TOO_MANY.family();
    let of_catalog = |it: &&DiagnosticView| it.family() == family && it.severity == Severity::Warning;
    let left_out: Vec<&DiagnosticView> = diagnostics.iter().filter(of_catalog).collect();
    let is_reported = |it: &&DiagnosticView| it.severity != Severity::Hint || it.is(LOOKS_RENAMED);
    let reported = diagnostics.iter().filter(|it| is_reported(it) && !of_catalog(it)).cloned();
    reported.chain((!left_out.is_empty()).then(|| not_shown(&left_out))).collect()
}

/// Of a catalog with very many, one of the warnings says how many more there are.
fn not_shown(warnings: &[&DiagnosticView]) -> DiagnosticView {
    let listed = warnings.iter().filter(|it| !it.is(catalog::codes::TOO_MANY)).count();
    let more = if listed < warnings.len() { "more than " } else { "" };
    let message = format!("catalogs: {more}{} not shown", count(listed, "problem"));
    let reported = problem(
        codes::CATALOG_WARNINGS,
        None,
        message,
        "`planloom check` with the same arguments shows them",
    );
    DiagnosticView { severity: Severity::Warning, ..reported }
}
