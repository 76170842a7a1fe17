//! The problems pane: errors first, then by file and line, with their remedies.

mod preview;
mod row;

use std::rc::Rc;

use diag::order;
use workspace::codes::capability::NOT_LOADED;
use workspace::view::words::count;
use workspace::view::{CheckView, DiagnosticView, FixView, LocationView, Role, Severity};
use yew::prelude::*;

pub(in crate::views) use self::row::{Fix, ProblemRow};
pub(crate) use self::row::{place, sentence};
use crate::text::FileText;
use crate::{IconName, LayerBadge, severity_mark};

/// The largest number of problems that are listed, of the user's own files and of catalogs each.
const MOST: usize = 1_000;

/// Properties of [`ProblemsPane`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct ProblemsPaneProps {
    /// The problems, in the order they are shown.
    pub check: Rc<CheckView>,
    /// The files, for their badges.
    pub layers: Rc<Vec<LayerBadge>>,
    /// The texts, for the preview of fixes; without them a preview shows the new text only.
    #[prop_or_default]
    pub files: Rc<Vec<FileText>>,
    /// Called with the place of a problem or of a related one.
    pub on_goto: Callback<LocationView>,
    /// Called with the fix to apply.
    pub on_fix: Callback<FixView>,
}

/// All problems of a workspace.
#[component]
pub fn ProblemsPane(props: &ProblemsPaneProps) -> Html {
    let hidden = use_state(Vec::<Severity>::new);
    let shows_catalogs = use_state_eq(|| false);
    let role = |file: &str| Some(LayerBadge::of(&props.layers, file)?.apart.as_ref()?.role);
    let is_of_catalog = |problem: &&DiagnosticView| is_of_catalog(problem, role);
    let (in_catalogs, own): (Vec<&DiagnosticView>, Vec<&DiagnosticView>) =
        props.check.diagnostics.iter().partition(is_of_catalog);
    let diagnostics = &*own;
    if diagnostics.is_empty() && in_catalogs.is_empty() {
        return no_problems();
    }
    let on_catalogs = {
        let shows_catalogs = shows_catalogs.clone();
        Callback::from(move |_: MouseEvent| shows_catalogs.set(!*shows_catalogs))
    };
    let row = |(at, problem): (usize, &DiagnosticView)| {
        html! {
            <ProblemRow key={format!("{at} {} {}", problem.code, problem.line.unwrap_or(0))} problem={problem.clone()}
                layers={props.layers.clone()} files={props.files.clone()} on_goto={props.on_goto.clone()}
                on_fix={props.on_fix.clone()} />
        }
    };
    let rows = |all: Vec<&DiagnosticView>| {
        html! { <ul>{ for worst_first(all.into_iter()).into_iter().take(MOST).enumerate().map(row) }</ul> }
    };
    let toggle = |severity: Severity| {
        let hidden = hidden.clone();
        Callback::from(move |_: MouseEvent| hidden.set(toggled(&hidden, severity)))
    };
    let shown = |problem: &&DiagnosticView| !hidden.contains(&problem.severity);
    html! {
        <section class="problems pane" aria-label="Problems">
            if is_mixed(diagnostics) || !hidden.is_empty() {
                <div class="pane-bar" role="group" aria-label="Show severities">
                    { for Severity::ALL.iter().map(|&severity| filter_chip(
                        severity, count_word(diagnostics, severity), !hidden.contains(&severity),
                            toggle(severity),
                    )) }
                </div>
            }
            <div class="pane-scroll problems-list" onkeydown={Callback::from(walk)}>
                { rows(own.iter().copied().filter(shown).collect()) }
                if own.is_empty() {
                    <p class="pane-note">{ "No problems in your own files." }</p>
                } else if !own.iter().any(shown) {
                    <p class="pane-note">{ format!("All {} are filtered out.", own.len()) }</p>
                }
                if !in_catalogs.is_empty() {
                    <button type="button" class="problems-catalogs" aria-expanded={shows_catalogs.to_string()}
                        onclick={on_catalogs}>
                        { (if *shows_catalogs { IconName::ChevronDown } else { IconName::ChevronRight }).html() }
                        <span>{ format!("In catalogs: {}", in_words(&in_catalogs)) }</span>
                        <span class="muted">{ "They do not prevent a plan." }</span>
                    </button>
                    if *shows_catalogs { { rows(in_catalogs) } }
                }
            </div>
        </section>
    }
}

/// The pane when there are no problems.
pub fn no_problems() -> Html {
    html! {
        <section class="problems pane" aria-label="Problems">
            <div class="pane-empty">
                { IconName::Check.html() }
                <p class="pane-empty-title">{ "No problems in the files" }</p>
                <p>{ "Every file can be read, and every value is valid for its kind." }</p>
            </div>
        </section>
    }
}

fn toggled(hidden: &[Severity], severity: Severity) -> Vec<Severity> {
    let mut next: Vec<_> = hidden.iter().copied().filter(|other| *other != severity).collect();
    if next.len() == hidden.len() {
        next.push(severity);
    }
    next
}

/// Catalogs are mostly written by others, and what is wrong in them prevents no plan that can do without it. That one
/// could not be read for lack of its reader is no fault of the catalog.
/// `role` is that of the file of that name.
pub fn is_of_catalog(problem: &DiagnosticView, role: impl FnOnce(&str) -> Option<Role>) -> bool {
    !problem.is(NOT_LOADED) && problem.file.as_deref().and_then(role) == Some(Role::Catalog)
}

/// `3 errors, 12 warnings`; severities without a problem are left out.
fn in_words(diagnostics: &[&DiagnosticView]) -> String {
    let counts = Severity::ALL.iter().map(|&severity| count_word(diagnostics, severity));
    counts.filter(|(number, _)| *number > 0).map(|(_, words)| words).collect::<Vec<_>>().join(", ")
}

fn count_word(diagnostics: &[&DiagnosticView], severity: Severity) -> (usize, String) {
    let number = diagnostics.iter().filter(|problem| problem.severity == severity).count();
    (number, count(number, severity.as_str()))
}

fn filter_chip(
    severity: Severity,
    (count, words): (usize, String),
    on: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! {
        <button type="button" class="filter-chip" aria-pressed={if on { "true" } else { "false" }}
            disabled={count == 0} {onclick}>
            { severity_mark(severity) }{ words }
        </button>
    }
}

/// True if there is anything to choose between.
fn is_mixed(diagnostics: &[&DiagnosticView]) -> bool {
    diagnostics.windows(2).any(|pair| matches!(pair, [a, b] if a.severity != b.severity))
}

/// Errors, warnings, hints; within that, problems without a file first, then the order of files and lines.
fn worst_first<'a>(problems: impl Iterator<Item = &'a DiagnosticView>) -> Vec<&'a DiagnosticView> {
    let rank = |problem: &&DiagnosticView| (problem.severity, problem.file.is_some());
    let mut sorted: Vec<_> = problems.collect();
    order::by_key(&mut sorted, rank);
    sorted
}

/// Up, Down, Home and End go from problem to problem.
fn walk(event: KeyboardEvent) {
    super::rove::by_key(&event, ".problems-list", ".problem-goto");
}

#[cfg(test)]
mod tests {
    use workspace::view::{DiagnosticView, Severity};

    use super::{is_mixed, toggled, worst_first};

    fn problem(severity: Severity, file: Option<&str>, message: &str) -> DiagnosticView {
        DiagnosticView {
            code: "merge/kind".into(),
            severity,
            message: message.into(),
            file: file.map(str::to_owned),
            line: file.map(|_| 1),
            column: file.map(|_| 1),
            end_line: file.map(|_| 1),
            end_column: file.map(|_| 2),
            related: vec![],
            help: None,
            fixes: vec![],
        }
    }

    #[test]
    fn errors_come_first_and_files_keep_their_order() {
        let problems = [
            problem(Severity::Hint, Some("a"), "1"),
            problem(Severity::Error, Some("b"), "2"),
            problem(Severity::Warning, Some("a"), "3"),
            problem(Severity::Error, Some("a"), "4"),
            problem(Severity::Error, None, "5"),
        ];
        let shown: String =
            worst_first(problems.iter()).iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(shown, "52431");
    }

    #[test]
    fn one_severity_needs_no_filter() {
        let errors = [problem(Severity::Error, None, "1"), problem(Severity::Error, Some("a"), "2")];
        assert!(!is_mixed(&errors.iter().collect::<Vec<_>>()) && !is_mixed(&[]));
        assert!(is_mixed(&[&problem(Severity::Error, None, "1"), &problem(Severity::Hint, None, "2")]));
    }

    #[test]
    fn a_chip_switches_back_and_forth() {
        assert_eq!(toggled(&[Severity::Error], Severity::Hint), [Severity::Error, Severity::Hint]);
        assert_eq!(toggled(&[Severity::Error, Severity::Hint], Severity::Error), [Severity::Hint]);
    }
}
