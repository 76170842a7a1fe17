use report::codes;
use std::path::Path;

use versions::{BundleSearch, Questions as _, VersionOptions};
use workspace::File;
use workspace::view::{DiagnosticView, MoveView, Outcome, ResolutionView, Severity, UpgradesView};

use super::{Artifact, notes};
use crate::answer::{Answer, Code, has_errors, json};
use crate::args::{Resolve, ResolveFormat, VersionProfile, destination};
use crate::catalogs::lock_path;
use crate::conceal::concealed;
use crate::console::{Console, Paint};
use crate::load::{Loaded, load};
use crate::problem::{problem, unwritable};
use crate::save::save;
use crate::show::{self, width::clean};

pub(crate) fn run(args: &Resolve, console: Console) -> Answer {
    let out = destination(args.out.as_deref());
    let mut loaded = load(&args.inputs, out);
    let mut problems = Vec::new();
    loaded.workspace.set_versions(options(args, &mut problems));
    loaded.problems.append(&mut problems);
    let paint = if out.is_some() { Paint { on: false } } else { console.out };
    if args.format == ResolveFormat::Mermaid && args.upgrades.is_none() {
        let message = "only upgrades are drawn in Mermaid";
        loaded.problems.push(problem(
            codes::FORMAT,
            None,
            message,
            "add `--upgrades PACKAGE`, or write `--format text`",
        ));
    }
    let reported = match (&args.to, &args.upgrades) {
        (Some(id), _) => would_move(args, &mut loaded, id, paint),
        (None, Some(package)) => upgrades(args, &mut loaded, package, paint),
        (None, None) if args.search.is_some() || args.provides.is_some() => bundles(args, &mut loaded, paint),
        (None, None) => resolution(args, &mut loaded, paint, console.room),
    };
    let Output { text, failed, mut diagnostics, is_told } = reported;
    let mut written = Vec::new();
    if !loaded.problems.is_empty() {
        diagnostics = std::mem::take(&mut loaded.problems);
    } else if !has_errors(&diagnostics) {
        diagnostics.extend(keep(args, failed, &mut loaded, &mut written));
    }
    let mut answer = if args.format == ResolveFormat::Json && out.is_none() {
        let is_silent = is_told || !has_errors(&diagnostics);
        let err = if is_silent { String::new() } else { notes(&diagnostics, &loaded.texts, console) };
        Answer { out: text, err, code: Code::of(&diagnostics) }
    } else {
        Artifact { text, to: out, diagnostics, texts: &loaded.texts, is_private: true }.answer(console)
    };
    if args.format == ResolveFormat::Text {
        written.iter().for_each(|it| answer.err.push_str(&format!("Wrote `{}`.\n", clean(it))));
    }
    if failed {
        answer.code = Code::Errors;
    }
    answer
}

/// The printed result.
struct Output {
    text: String,
    /// True if the request cannot be satisfied.
    failed: bool,
    diagnostics: Vec<DiagnosticView>,
    /// True if a text in JSON itself reports the problems, so that they are not reported beside it.
    is_told: bool,
}

fn options(args: &Resolve, problems: &mut Vec<DiagnosticView>) -> VersionOptions {
    VersionOptions {
        profile: args.profile.map(VersionProfile::view),
        openshift: args.openshift.clone(),
        kubernetes: args.kubernetes.clone(),
        fresh: args.fresh,
        priorities: args.priorities.iter().filter_map(|it| priority(it, problems)).collect(),
    }
}

fn priority(given: &str, problems: &mut Vec<DiagnosticView>) -> Option<(String, i64)> {
    let read = given.split_once('=').and_then(|(name, number)| Some((name.to_owned(), number.parse().ok()?)));
    if read.is_none() {
        let message = format!("`{given}` has no catalog or no priority");
        problems.push(problem(codes::PRIORITY, None, message, "write `--priority community=10`"));
    }
    read
}

fn resolution(args: &Resolve, loaded: &mut Loaded, paint: Paint, room: usize) -> Output {
    let mut problems = Vec::new();
    let instead: Vec<(&str, &str)> =
        args.instead.iter().filter_map(|it| instead(it, &mut problems)).collect();
    let mut view = match &instead[..] {
        [] => loaded.workspace.resolution(),
        _ => loaded.workspace.resolution_if(&instead),
    };
    loaded.problems.append(&mut problems);
    if !loaded.problems.is_empty() {
        let diagnostics = loaded.problems.clone();
        view = ResolutionView { outcome: Outcome::Refused, diagnostics, ..ResolutionView::default() };
    }
    let text = match args.format {
        ResolveFormat::Json => {
            view.diagnostics = concealed(&view.diagnostics, &loaded.texts).0;
            json(&view)
        }
        ResolveFormat::Text | ResolveFormat::Mermaid => show::resolve::show(&view, args.why, paint, room),
    };
    Output { text, failed: is_failure(view.outcome), diagnostics: unsaid(view), is_told: true }
}

const fn is_failure(outcome: Outcome) -> bool {
    match outcome {
        Outcome::Solved | Outcome::Empty => false,
        Outcome::Unsolvable | Outcome::Stopped | Outcome::Refused => true,
    }
}

/// Conflicts stand in the answer itself.
fn unsaid(view: ResolutionView) -> Vec<DiagnosticView> {
    view.diagnostics.into_iter().filter(|it| !it.is(versions::codes::catalog::UNSOLVABLE)).collect()
}

fn instead<'a>(given: &'a str, problems: &mut Vec<DiagnosticView>) -> Option<(&'a str, &'a str)> {
    let parts = given.split_once('=');
    if parts.is_none() {
        let message = format!("`{given}` has no requirement or no range of versions");
        problems.push(problem(codes::IF, None, message, "write `--if payloads.queue=^2.0.0`"));
    }
    parts
}

fn would_move(args: &Resolve, loaded: &mut Loaded, id: &str, paint: Paint) -> Output {
    let view: MoveView = loaded.workspace.what_would_move(id);
    let text = match args.format {
        ResolveFormat::Json => json(&view),
        ResolveFormat::Text | ResolveFormat::Mermaid => show::resolve::moves(&view, paint),
    };
    Output {
        text,
        failed: view.outcome != Outcome::Solved,
        diagnostics: loaded.workspace.diagnostics().diagnostics,
        is_told: true,
    }
}

fn upgrades(args: &Resolve, loaded: &mut Loaded, package: &str, paint: Paint) -> Output {
    let mut diagnostics = loaded.workspace.diagnostics().diagnostics;
    let Some(view): Option<UpgradesView> = loaded.workspace.upgrades(package) else {
        let message = format!("no catalog has a package `{package}`");
        diagnostics.push(problem(codes::NO_PACKAGE, None, message, "give its catalog with `--catalog`"));
        return Output { text: String::new(), failed: true, diagnostics, is_told: false };
    };
    let text = match args.format {
        ResolveFormat::Json => json(&view),
        ResolveFormat::Mermaid => loaded.workspace.upgrades_mermaid(package).unwrap_or_default(),
        ResolveFormat::Text => show::resolve::upgrades(&view, paint),
    };
    Output { text, failed: false, diagnostics, is_told: true }
}

/// Lists the bundles that are searched for; that there are none is an answer too.
fn bundles(args: &Resolve, loaded: &mut Loaded, paint: Paint) -> Output {
    let search = BundleSearch { text: args.search.clone(), provides: args.provides.clone() };
    if let Some(api) = search.provides.as_deref().filter(|it| it.split('/').count() != 3) {
        let message = format!("`{api}` is not an API with group, version and kind");
        loaded.problems.push(problem(
            codes::API,
            None,
            message,
            "write `--provides group/version/Kind`, with `*` for any",
        ));
    }
    let view = loaded.workspace.bundles(&search);
    let text = match args.format {
        ResolveFormat::Json => json(&view),
        ResolveFormat::Text | ResolveFormat::Mermaid => show::resolve::bundles(&view, paint),
    };
    Output { text, failed: false, diagnostics: loaded.workspace.diagnostics().diagnostics, is_told: false }
}

/// Writes the lock and the status where that was requested, and names the files in `written`; returns the errors.
fn keep(args: &Resolve, failed: bool, loaded: &mut Loaded, written: &mut Vec<String>) -> Vec<DiagnosticView> {
    let mut write = |path: &Path, text: &str| match save(path, text) {
        Ok(()) => {
            written.push(path.display().to_string());
            None
        }
        Err(error) => Some(unwritable(path, &error)),
    };
    let mut problems = Vec::new();
    if args.lock && !failed {
        let path = lock_path(&args.inputs.files);
        match loaded.workspace.lock() {
            Some(text) if is_refused(&path, &text) => problems.push(hidden(&path)),
            Some(text) => problems.extend(write(&path, &text)),
            None => problems.push(nothing("no lock is written: no payload requires a package")),
        }
    }
    if args.write_status {
        let answered = loaded.workspace.with_status();
        if answered.is_empty() {
            problems.push(nothing(
                "no status is written: no YAML document is an ActiveResolution, or its \
                                   status is up to date",
            ));
        }
        for (name, text) in answered {
            problems.extend(write(Path::new(&name), &text));
        }
    }
    problems
}

/// True if a lock would be refused for a name in it when it is read again.
fn is_refused(path: &Path, lock: &str) -> bool {
    let file = File { name: path.display().to_string(), text: lock.to_owned(), package: None };
    let mut again = capabilities::workspace();
    again.set_files(vec![file]);
    again.diagnostics().diagnostics.iter().any(|it| it.is(workspace::codes::syntax::INVISIBLE_CHARACTER))
}

fn hidden(path: &Path) -> DiagnosticView {
    let name = path.display().to_string();
    let message = "no lock is written: a name in it has a character that cannot be seen";
    problem(
        codes::INVISIBLE_CHARACTER,
        Some(&name),
        message,
        "`planloom check` shows where it is; remove the character there",
    )
}

fn nothing(message: &str) -> DiagnosticView {
    let reported = problem(codes::NOTHING_WRITTEN, None, message, "remove the option");
    DiagnosticView { severity: Severity::Warning, ..reported }
}
