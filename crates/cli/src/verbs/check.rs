use workspace::view::ReportCommand;

use crate::answer::{Answer, Code, has_errors, json};
use crate::args::{Check, Programs, ReportFormat};
use crate::conceal::concealed;
use crate::console::Console;
use crate::findings::{findings, written};
use crate::load::load_changed;
use crate::show::diagnostics::{show, tally};
use crate::work::{embedded::RentalTerms, errors::diagnostic};
use workspace::view::{DiagnosticView, words::count};
use workspace::{PlanOptions, Workspace};

/// The diagnostics are the product here, so they go to standard output.
pub(crate) fn run(args: &Check, console: Console) -> Answer {
    let mut loaded = load_changed(&args.inputs, &args.bosh, &args.changes, None);
    loaded.add_types_of(&args.adapters);
    let mut view = loaded.workspace.diagnostics();
    if !loaded.problems.is_empty() {
        view.diagnostics = loaded.problems;
    } else if !has_errors(&view.diagnostics) {
        let plan = loaded.workspace.plan(&PlanOptions::default());
        view.diagnostics.extend(loaded.not_accepted(&PlanOptions::default(), &plan));
        view.diagnostics.extend(not_rentable(&args.adapters, &mut loaded.workspace));
    }
    args.changes.judge(&mut view.diagnostics);
    let code = Code::of(&view.diagnostics);
    let out = match args.format {
        ReportFormat::Json => {
            view.diagnostics = concealed(&view.diagnostics, &loaded.texts).0;
            json(&view)
        }
        ReportFormat::Sarif | ReportFormat::Github => {
            let found = findings(ReportCommand::Check, &view.diagnostics, &loaded.texts);
            written(&found, args.format).unwrap_or_default()
        }
        ReportFormat::Text => {
            let files = count(loaded.workspace.texts().len(), "file");
            let found = match tally(&view.diagnostics) {
                Some(tally) if loaded.texts.is_empty() => tally,
                Some(tally) => format!("{tally} in {files}"),
                None => format!("{files}, no problems"),
            };
            show(&view.diagnostics, &loaded.texts, console.out, console.width)
                + &console.out.bold(&found)
                + "\n"
        }
    };
    Answer { out, code, ..Answer::default() }
}

/// The services of the Golem network that cannot be rented as described, if services are rented there.
fn not_rentable(adapters: &[String], workspace: &mut Workspace) -> Vec<DiagnosticView> {
    if RentalTerms::of(adapters, &Programs::default()).is_none() {
        return Vec::new();
    }
    let options = PlanOptions::default();
    let (deployment, plan) = (workspace.deployment(&options), workspace.plan(&options));
    RentalTerms::invalid(&deployment, &plan).iter().map(diagnostic).collect()
}
