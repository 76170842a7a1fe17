use services::Questions as _;
use workspace::{
    File,
    view::{DiagnosticView, ServiceDiffView},
};

use crate::answer::{Answer, Code, has_errors, json};
use crate::args::{Diff, Format};
use crate::console::Console;
use crate::load::{Loaded, load_specifications};
use crate::{show::spec_diff, verbs::notes};

pub(crate) fn run(args: &Diff, console: Console) -> Answer {
    let old_protos = if args.old_protos.is_empty() { &args.protos } else { &args.old_protos };
    let mut old = load_specifications(std::slice::from_ref(&args.old), &args.imports, old_protos);
    let mut new = load_specifications(std::slice::from_ref(&args.new), &args.imports, &args.protos);
    let view = compared(&mut old, &mut new);
    let diagnostics: Vec<DiagnosticView> = view.diagnostics.iter().map(|it| it.diagnostic.clone()).collect();
    let code = match (has_errors(&diagnostics), view.is_breaking()) {
        (true, _) => Code::Errors,
        (false, true) => Code::Changes,
        (false, false) => Code::Fine,
    };
    if args.format == Format::Json {
        return Answer { out: json(&view), code, ..Answer::default() };
    }
    let texts: Vec<File> = old.texts.into_iter().chain(new.texts).collect();
    let err = notes(&diagnostics, &texts, console);
    let out = if code == Code::Errors { String::new() } else { spec_diff::show(&view, console) };
    Answer { out, err, code }
}

/// Files that cannot be read are the only problems then.
fn compared(old: &mut Loaded, new: &mut Loaded) -> ServiceDiffView {
    let mut view = new.workspace.service_changes(&mut old.workspace);
    let unread = old.problems.drain(..).chain(new.problems.drain(..));
    let without_path = |diagnostic| workspace::view::SpecificationDiagnostic { diagnostic, path: None };
    let unread: Vec<_> = unread.map(without_path).collect();
    if !unread.is_empty() {
        view.changes.clear();
        view.diagnostics = unread;
        view.diagnostics.dedup();
    }
    view
}
