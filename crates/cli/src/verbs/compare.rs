use comparison::{Side, compare};
use workspace::{File, Workspace, view::DiagnosticView};

use super::Artifact;
use crate::answer::{Answer, Code, json};
use crate::args::{Compare, Format};
use crate::console::Console;
use crate::files::read_all;
use crate::load::{Loaded, load};
use crate::show;

/// The format of a state, as its first words say.
const STATE: &str = "planloom.state/";

pub(crate) fn run(args: &Compare, console: Console) -> Answer {
    let mut loaded = load(&args.inputs, None);
    let mut other = read_all(&mut loaded.stdin, &args.to);
    loaded.problems.append(&mut other.problems);
    if !loaded.problems.is_empty() {
        return refused(loaded, console);
    }
    let (before, after) = (side(loaded.workspace.texts()), side(other.files));
    for side in [&before, &after] {
        if let Some(answer) = broken(&mut loaded, side, console) {
            return answer;
        }
    }
    let found = compare(&mut loaded.workspace, &|_| (), &before, &after);
    let code = if found.differs() { Code::Changes } else { Code::Fine };
    let out = match args.format {
        Format::Json => json(&found),
        Format::Text => show::comparison::show(&found, names(args), console),
    };
    Answer { out, code, ..Answer::default() }
}

/// Files, or a state where that is all there is.
fn side(mut files: Vec<File>) -> Side {
    let is_state = |file: &File| {
        let json = serde_json::from_str::<serde_json::Value>(&file.text).unwrap_or_default();
        json["format"].as_str().is_some_and(|it| it.starts_with(STATE))
    };
    match files.as_slice() {
        [file] if is_state(file) => files.pop().map_or(Side::Current, |file| Side::State(file.text)),
        _ => Side::Files(files),
    }
}

/// The errors of files, for which nothing can be compared.
fn broken(loaded: &mut Loaded, side: &Side, console: Console) -> Option<Answer> {
    let Side::Files(files) = side else { return None };
    let own = loaded.workspace.snapshot();
    loaded.workspace.set_files(files.clone());
    let diagnostics = errors(&mut loaded.workspace);
    loaded.workspace.restore(&own);
    let artifact =
        Artifact { text: String::new(), to: None, diagnostics: diagnostics?, texts: files, is_private: true };
    Some(artifact.answer(console))
}

fn errors(workspace: &mut Workspace) -> Option<Vec<DiagnosticView>> {
    (workspace.blocking_errors() > 0).then(|| workspace.diagnostics().diagnostics)
}

fn refused(loaded: Loaded, console: Console) -> Answer {
    let Loaded { problems: diagnostics, texts, .. } = loaded;
    Artifact { text: String::new(), to: None, diagnostics, texts: &texts, is_private: true }.answer(console)
}

/// The sides as the command line names them.
fn names(args: &Compare) -> [String; 2] {
    let name = |paths: &[std::path::PathBuf]| {
        let names: Vec<String> = paths.iter().map(|it| it.display().to_string()).collect();
        names.join(" + ")
    };
    [name(&args.inputs.files), name(&args.to)]
}
