mod convert;
mod diff;
mod generate;
mod graph;

use services::Questions as _;
use workspace::view::{
    DiagnosticView, GeneratedArtifact, SpecificationDiagnostic, SpecificationView, words::count,
};

use crate::answer::{Answer, Code, has_errors, json};
use crate::args::{Format, SpecCommand, SpecificationFiles, Specifications};
use crate::console::Console;
use crate::load::{Loaded, load_specifications};
use crate::show::{
    self,
    diagnostics::{show, tally},
};

pub(crate) fn run(command: &SpecCommand, console: Console) -> Answer {
    match command {
        SpecCommand::Check(args) => check(args, console),
        SpecCommand::Expand(args) => expand(args, console),
        SpecCommand::Graph(args) => graph::run(args, console),
        SpecCommand::Diff(args) => diff::run(args, console),
        SpecCommand::Convert(args) => convert::run(args, console),
        SpecCommand::Types(args) => generate::one(args, GeneratedArtifact::Types, console),
        SpecCommand::OpenApi(args) => generate::one(args, GeneratedArtifact::OpenApi, console),
        SpecCommand::Schema(args) => generate::schema(args, console),
        SpecCommand::Docs(args) => generate::one(args, GeneratedArtifact::Docs, console),
        SpecCommand::Proto(args) => generate::files(args, console),
        SpecCommand::Permissions(args) => generate::one(args, GeneratedArtifact::Permissions, console),
        SpecCommand::Roles(args) => generate::one(args, GeneratedArtifact::Roles, console),
    }
}

fn read(source: &SpecificationFiles) -> Loaded {
    load_specifications(&source.files, &source.imports, &source.protos)
}

/// The diagnostics are the product here, so they go to standard output.
fn check(args: &Specifications, console: Console) -> Answer {
    let Loaded { mut workspace, texts, problems, .. } = read(&args.source);
    let mut view = workspace.diagnostics();
    // Excerpts are made with a workspace of their own: two of a large specification need not be there at once.
    drop(workspace);
    if !problems.is_empty() {
        view.diagnostics = problems;
    }
    let code = Code::of(&view.diagnostics);
    let out = match args.format {
        Format::Json => json(&view),
        Format::Text => {
            let files = count(texts.len(), "file");
            let found = match tally(&view.diagnostics) {
                Some(tally) if texts.is_empty() => tally,
                Some(tally) => format!("{tally} in {files}"),
                None => format!("{files}, no problems"),
            };
            show(&view.diagnostics, &texts, console.out, console.width) + &console.out.bold(&found) + "\n"
        }
    };
    Answer { out, code, ..Answer::default() }
}

fn expand(args: &Specifications, console: Console) -> Answer {
    let mut loaded = read(&args.source);
    let view = expanded(&mut loaded);
    let diagnostics: Vec<DiagnosticView> = view.diagnostics.iter().map(|it| it.diagnostic.clone()).collect();
    match args.format {
        Format::Json => Answer { out: json(&view), code: Code::of(&diagnostics), ..Answer::default() },
        Format::Text => {
            let out =
                if has_errors(&diagnostics) { String::new() } else { show::spec::show(&view, console.out) };
            let artifact =
                super::Artifact { text: out, to: None, diagnostics, texts: &loaded.texts, is_private: false };
            artifact.answer(console)
        }
    }
}

fn expanded(loaded: &mut Loaded) -> SpecificationView {
    let mut view = loaded.workspace.specification();
    report_unread(loaded, &mut view.diagnostics);
    view
}

/// Files that cannot be read are the only problems then.
fn report_unread(loaded: &mut Loaded, diagnostics: &mut Vec<SpecificationDiagnostic>) {
    if !loaded.problems.is_empty() {
        let problems = std::mem::take(&mut loaded.problems).into_iter();
        let without_path = |diagnostic| SpecificationDiagnostic { diagnostic, path: None };
        *diagnostics = problems.map(without_path).collect();
    }
}
