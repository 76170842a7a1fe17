//! A workspace that is asked everything it can be asked.

use linking::Questions as _;
use versions::Questions as _;
use workspace::{File, PlanOptions, Workspace, view::Severity};

/// A file by its name and text.
pub(crate) fn file(name: &str, text: &str) -> File {
    File { name: name.to_owned(), text: text.to_owned(), package: None }
}

/// Asks all questions, and checks what holds for each answer.
pub(crate) fn ask_everything(workspace: &mut Workspace, plan: &PlanOptions) {
    let files = workspace.texts();
    for found in workspace.diagnostics().diagnostics {
        assert!(!found.message.is_empty() && !found.message.contains('\n'), "{found:?}");
        let Some(named) = found.file.as_deref().and_then(|it| files.iter().find(|file| file.name == it))
        else {
            continue;
        };
        let lines = named.text.split('\n').count();
        assert!(found.line.is_none_or(|line| (1..=lines + 1).contains(&(line as usize))), "{found:?}");
    }
    workspace.merged(true);
    workspace.graph();
    workspace.layout();
    workspace.links_with_map();
    workspace.resolution();
    workspace.lock();
    workspace.with_status();
    let first = workspace.plan(plan);
    // Read anew, so that it is planned anew.
    workspace.set_files(Vec::new());
    workspace.set_files(files);
    let second = workspace.plan(plan);
    assert_eq!(first.digest, second.digest);
    let has_errors = first.diagnostics.iter().any(|it| it.severity == Severity::Error);
    assert!(!has_errors || first.actions.is_empty(), "a plan in spite of errors");
}
