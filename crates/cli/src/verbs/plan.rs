use std::path::{Path, PathBuf};

use fixtures::GroupSettings;
use host::SystemTimer;
use report::{no_state, plan_json_with, reported, summary};
use serde::Serialize;
use workspace::view::{DiagnosticView, PlanView, ReportCommand, SummaryView};
use workspace::{File, PlanOptions};

use super::notes;
use crate::answer::{Answer, Code, has_errors};
use crate::args::{Plan, ReportFormat, destination};
use crate::comparison;
use crate::conceal::concealed;
use crate::console::Console;
use crate::files::{name, overwritten, read_text};
use crate::findings::{findings, summarize, written};
use crate::load::{Loaded, load, load_fixtures};
use crate::problem::unwritable;
use crate::saved::{PlanSources, Saved, marks};
use crate::secrets::Secrets;
use crate::show;
use crate::show::plan::Compared;
use crate::work::{
    damage,
    embedded::{Embedded, RentalTerms, Rentals},
    errors::diagnostic,
    place, refresh, run,
    service_adapter::ServiceConnection,
};

pub(crate) fn run(args: &Plan, console: Console) -> Answer {
    let out = destination(args.out.as_deref());
    let is_of_service = !args.service.services.is_empty();
    let mut loaded = match is_of_service {
        true => load_fixtures(&args.service, &args.inputs.files),
        false => load(&args.inputs, out),
    };
    let mut options = PlanOptions {
        destroy: args.destroy,
        knock_on: Some(args.knock_on.view()),
        list_unchanged: args.all,
        ..PlanOptions::default()
    };
    let described = loaded.texts.clone();
    if !is_of_service {
        loaded.add_types_of(&args.adapters);
    }
    (options.state_file, options.state) = match args.state.as_deref().filter(|it| place::is_kept(it)) {
        Some(kept) => kept_state(kept, &mut loaded),
        None => read(args.state.as_ref(), &mut loaded),
    };
    (options.observed_file, options.observed) = read(args.observed.as_ref(), &mut loaded);
    loaded.problems.extend(overwritten(out, args.state.iter().chain(&args.observed)));
    if is_of_service && loaded.problems.is_empty() {
        match recorded_groups(args, &mut loaded) {
            Ok(groups) => {
                let PlanOptions { knock_on, list_unchanged, .. } = options;
                options = PlanOptions { knock_on, list_unchanged, ..groups };
            }
            Err(problems) => loaded.problems = problems,
        }
    }
    if !loaded.problems.is_empty() {
        // Nothing is planned with half of what was requested.
        loaded.workspace = capabilities::workspace();
        options = PlanOptions { destroy: args.destroy, ..PlanOptions::default() };
    }
    if let Err(problem) = answered(args, &mut loaded) {
        loaded.problems.push(*problem);
    }
    let mut view = loaded.workspace.plan(&options);
    if !loaded.problems.is_empty() {
        view.diagnostics = std::mem::take(&mut loaded.problems);
    }
    if !has_errors(&view.diagnostics) {
        let refused = loaded.not_accepted(&options, &view);
        if !refused.is_empty() {
            view.diagnostics.extend(refused);
            (view.actions, view.summary) = (Vec::new(), SummaryView::default());
        }
    }
    let mut refreshed = false;
    if let (true, false) = (args.is_refreshed(), has_errors(&view.diagnostics)) {
        match run::run(refresh::plan(args, &options, &mut loaded)) {
            Ok(seen) => (view, refreshed) = (seen, true),
            Err(problem) => {
                let (actions, diagnostics) = (Vec::new(), vec![*problem]);
                view = PlanView { actions, diagnostics, summary: SummaryView::default(), ..view };
            }
        }
    }
    if let Some(state) = args.state.as_deref().filter(|it| *it != Path::new("-")) {
        damage::advise(&mut view.diagnostics, &name(state));
    }
    if let (Some(path), false) = (out, has_errors(&view.diagnostics)) {
        let secrets = Secrets::of(loaded.workspace.texts(), &described, marks(options.state.as_deref()));
        let inputs = PlanSources::of(&args.inputs, &described, &secrets, args.state.as_deref());
        let shown = comparison::hidden(&view, &with_own_kinds(&mut loaded));
        if let Err(error) = Saved::new(shown, refreshed, inputs, &secrets).write(path) {
            view.diagnostics.push(unwritable(path, &error));
        }
    }
    let fresh = args.state.as_deref().filter(|_| options.state.is_none() && !has_errors(&view.diagnostics));
    let fresh = fresh.map(|it| no_state(&name(it)));
    view.diagnostics.extend(fresh.clone());
    let code = code(&view);
    // Standard output holds only one of the two.
    let format = if args.out.is_some() && out.is_none() { ReportFormat::Json } else { args.format };
    match format {
        ReportFormat::Json => {
            view.diagnostics = concealed(&view.diagnostics, &loaded.texts).0;
            let out = document(args, &options, &mut loaded, &view, refreshed);
            Answer { out, code, ..Answer::default() }
        }
        ReportFormat::Sarif | ReportFormat::Github => reports(&view, &mut loaded, format, code),
        ReportFormat::Text => {
            let reported = reported(&view.diagnostics);
            // A plan that is refused still has actions: one sees what asks for the end of what is protected.
            let shown = !has_errors(&reported) || !view.actions.is_empty();
            let out = if shown {
                let shown = show::plan::show(&view, compared(args, refreshed), args.all, console);
                shown + &rental_terms(args, &options, &mut loaded, &view)
            } else {
                String::new()
            };
            // Hints are not shown here; of this one everything depends.
            let fresh = fresh.map(|it| format!("Note: {}\n", it.message)).unwrap_or_default();
            let saved =
                args.out.as_deref().filter(|_| !has_errors(&reported)).map(|it| saved(it, args.destroy));
            let err = notes(&reported, &loaded.texts, console) + &fresh + &saved.unwrap_or_default();
            Answer { out, err, code }
        }
    }
}

/// The options of a plan that compares with what services have recorded.
fn recorded_groups(args: &Plan, loaded: &mut Loaded) -> Result<PlanOptions, Vec<DiagnosticView>> {
    let settings = GroupSettings { destroy: args.destroy, prune: args.service.prune };
    let services =
        ServiceConnection::open_all(&mut loaded.workspace, &args.adapters).map_err(|it| vec![*it])?;
    let read = run::run(async { Ok(services.read_groups(loaded, settings).await) });
    Ok(read.map_err(|it| vec![*it])??.plan_options())
}

/// Reads from services the resources that the files refer to, if addresses of services are given.
fn answered(args: &Plan, loaded: &mut Loaded) -> Result<(), Box<DiagnosticView>> {
    if loaded.workspace.needs().is_empty() {
        return Ok(());
    }
    match ServiceConnection::open(&mut loaded.workspace, &args.adapters)? {
        Some(services) => run::run(services.answer_needs(loaded)),
        None => Ok(()),
    }
}

/// The plan as JSON, with its rentals from the Golem network.
fn document(
    args: &Plan,
    options: &PlanOptions,
    loaded: &mut Loaded,
    view: &PlanView,
    refreshed: bool,
) -> String {
    let terms = RentalTerms::of(&args.adapters, &args.programs);
    let terms = terms.map(|it| (it, loaded.workspace.deployment(options)));
    let rental = terms.as_ref().and_then(|(terms, deployment)| terms.rented(deployment, view));
    plan_json_with(view, refreshed, &RentalFields { rental })
}

#[derive(Serialize)]
struct RentalFields<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    rental: Option<Rentals<'r>>,
}

/// The terms under which the plan rents from the Golem network.
fn rental_terms(args: &Plan, options: &PlanOptions, loaded: &mut Loaded, view: &PlanView) -> String {
    let terms = RentalTerms::of(&args.adapters, &args.programs);
    terms.map(|it| it.text(&loaded.workspace.deployment(options), view)).unwrap_or_default()
}

/// The message that the plan was saved, with the command that carries it out.
fn saved(path: &Path, destroy: bool) -> String {
    let (path, verb) = (name(path), if destroy { "destroy" } else { "apply" });
    let command = format!("planloom {verb} {}", damage::in_shell(&path));
    format!("Saved the plan as `{path}`. To apply it, run `{command}` with `--state` and the allow list.\n")
}

/// The problems and the dangerous actions of a plan; all of it is in the summary of the job.
fn reports(view: &PlanView, loaded: &mut Loaded, format: ReportFormat, code: Code) -> Answer {
    let diagnostics = reported(&view.diagnostics);
    let first = loaded.workspace.texts().into_iter().next().map(|it| it.name);
    let found = findings(ReportCommand::Plan, &diagnostics, &loaded.texts);
    let found = found.and_risks(view, first.as_deref(), &mut |pointer| loaded.workspace.origin(pointer));
    let failed = match format {
        ReportFormat::Github => summarize(&summary(view, &diagnostics)),
        ReportFormat::Text | ReportFormat::Json | ReportFormat::Sarif => None,
    };
    let out = written(&found, format).unwrap_or_default();
    Answer { out, err: failed.unwrap_or_default(), code }
}

impl Plan {
    /// True if it observes the existing resources: if that is requested, or if both a state and its adapters are named.
    fn is_refreshed(&self) -> bool {
        let is_named =
            self.state.as_deref().is_some_and(|it| it != Path::new("-")) && !self.adapters.is_empty();
        self.refresh.unwrap_or(is_named && self.observed.is_none())
    }
}

/// A plan of everything that is described, also by the kinds of the adapters of this program: a user who did not name
/// an adapter does not expect its secrets to be shown either.
fn with_own_kinds(loaded: &mut Loaded) -> PlanView {
    let file = |it: Embedded| Some(File { name: it.name().into(), text: it.types()?.into(), package: None });
    loaded.workspace.add_types(Embedded::ALL.into_iter().filter_map(file).collect());
    loaded.workspace.plan(&PlanOptions::default())
}

fn compared(args: &Plan, refreshed: bool) -> Compared {
    match (args.state.is_some(), args.observed.is_some()) {
        _ if refreshed => Compared::Existing,
        _ if !args.service.services.is_empty() => Compared::Service,
        (false, _) => Compared::Nothing,
        (true, true) => Compared::Observed,
        (true, false) => Compared::Recorded,
    }
}

/// Name and text of a state that is more than one file, or no file at all.
fn kept_state(kept: &Path, loaded: &mut Loaded) -> (Option<String>, Option<String>) {
    let name = name(kept);
    let snapshot = run::run(async {
        let snapshot = place::open(&name, SystemTimer::new())?.load().await;
        snapshot.map_err(|error| Box::new(diagnostic(&error.into())))
    });
    match snapshot {
        Ok(snapshot) => (Some(name), snapshot.map(|it| it.to_text())),
        Err(problem) => {
            loaded.problems.push(*problem);
            (None, None)
        }
    }
}

/// Name and text of a file beside the descriptors, kept for the excerpts of its problems.
fn read(path: Option<&PathBuf>, loaded: &mut Loaded) -> (Option<String>, Option<String>) {
    let Some(path) = path else { return (None, None) };
    match read_text(&mut loaded.stdin, path) {
        Ok(text) => {
            // The engine does not count the mark that some editors put before a text.
            let text = text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), Into::into);
            let name = name(path);
            loaded.texts.push(File { name: name.clone(), text: text.clone(), package: None });
            (Some(name), Some(text))
        }
        Err(problem) => {
            loaded.problems.push(*problem);
            (None, None)
        }
    }
}

fn code(view: &PlanView) -> Code {
    match Code::of(&view.diagnostics) {
        Code::Fine if view.summary.changes() > 0 => Code::Changes,
        code => code,
    }
}
