//! The problems pane: by file and line, with what to do about it.

mod preview;
mod row;

use std::{collections::BTreeMap, rc::Rc};

use workspace::{
    File,
    view::{CheckView, DiagnosticView, FixView, LocationView},
};
use yew::prelude::*;

pub(in crate::views) use self::row::ProblemRow;
use super::place::short_name;
use crate::{IconName, LayerBadge, layer_mark, severity_mark};

/// Properties of [`ProblemsPane`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct ProblemsPaneProps {
    /// What is wrong, in the order it is shown.
    pub check: Rc<CheckView>,
    /// The files, for their badges.
    pub layers: Rc<Vec<LayerBadge>>,
    /// The texts, for the preview of fixes; without them a preview shows the new text only.
    #[prop_or_default]
    pub files: Rc<Vec<File>>,
    /// Called with the place of a problem or of what belongs to it.
    pub on_goto: Callback<LocationView>,
    /// Called with the fix to apply.
    pub on_fix: Callback<FixView>,
}

/// All problems of a workspace.
#[component]
pub fn ProblemsPane(props: &ProblemsPaneProps) -> Html {
    let hidden = use_state(Vec::<&'static str>::new);
    let diagnostics = &props.check.diagnostics;
    if diagnostics.is_empty() {
        return html! {
            <section class="problems pane" aria-label="Problems">
                <div class="pane-empty">
                    { IconName::Check.html() }
                    <p class="pane-empty-title">{ "No problems" }</p>
                    <p>{ "Every file can be read, and every value is what its kind asks for." }</p>
                </div>
            </section>
        };
    }
    let toggle = |severity: &'static str| {
        let hidden = hidden.clone();
        Callback::from(move |_: MouseEvent| hidden.set(toggled(&hidden, severity)))
    };
    let shown = |problem: &&DiagnosticView| !hidden.contains(&problem.severity.as_str());
    html! {
        <section class="problems pane" aria-label="Problems">
            <div class="pane-bar" role="group" aria-label="Show severities">
                { for SEVERITIES.iter().map(|&(severity, one, many)| filter_chip(
                    severity, count_word(diagnostics, severity, one, many), !hidden.contains(&severity),
                        toggle(severity),
                )) }
            </div>
            <div class="pane-scroll problems-list" onkeydown={Callback::from(walk)}>
                { for by_file(diagnostics.iter().filter(shown)).into_iter().map(|(file, problems)|
                    group(props, file, &problems)) }
                if diagnostics.iter().all(|problem| !shown(&problem)) {
                    <p class="pane-note">{ format!("All {} are filtered out.", diagnostics.len()) }</p>
                }
            </div>
        </section>
    }
}

const SEVERITIES: [(&str, &str, &str); 3] =
    [("error", "error", "errors"), ("warning", "warning", "warnings"), ("hint", "hint", "hints")];

fn toggled(hidden: &[&'static str], severity: &'static str) -> Vec<&'static str> {
    let mut next: Vec<_> = hidden.iter().copied().filter(|other| *other != severity).collect();
    if next.len() == hidden.len() {
        next.push(severity);
    }
    next
}

fn count_word(diagnostics: &[DiagnosticView], severity: &str, one: &str, many: &str) -> (usize, String) {
    let count = diagnostics.iter().filter(|problem| problem.severity == severity).count();
    (count, format!("{count} {}", if count == 1 { one } else { many }))
}

fn filter_chip(
    severity: &'static str,
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

/// Problems of one file together; files in the order of their first problem, what belongs to no file first.
fn by_file<'a>(
    problems: impl Iterator<Item = &'a DiagnosticView>,
) -> Vec<(Option<&'a str>, Vec<&'a DiagnosticView>)> {
    let mut order = Vec::new();
    let mut groups = BTreeMap::<Option<&str>, Vec<&DiagnosticView>>::new();
    for problem in problems {
        let group = groups.entry(problem.file.as_deref()).or_default();
        if group.is_empty() {
            order.push(problem.file.as_deref());
        }
        group.push(problem);
    }
    order.sort_by_key(Option::is_some);
    order.into_iter().filter_map(|file| groups.remove_entry(&file)).collect()
}

fn group(props: &ProblemsPaneProps, file: Option<&str>, problems: &[&DiagnosticView]) -> Html {
    let badge = file.and_then(|file| LayerBadge::of(&props.layers, file)).cloned();
    html! {
        <section key={file.unwrap_or_default()} class="problems-group">
            <h3 class="problems-file" title={file.map(str::to_owned)}>
                if let Some(layer) = badge { { layer_mark(&layer, false) } }
                <span>{ file.map_or("The workspace", short_name) }</span>
                <span class="count">{ problems.len() }</span>
            </h3>
            <ul>
                { for problems.iter().enumerate().map(|(at, problem)| html! {
                    <ProblemRow key={format!("{at} {} {}", problem.code, problem.line.unwrap_or(0))}
                        problem={(*problem).clone()}
                        layers={props.layers.clone()} files={props.files.clone()}
                        on_goto={props.on_goto.clone()} on_fix={props.on_fix.clone()} />
                }) }
            </ul>
        </section>
    }
}

/// Up, Down, Home and End go from problem to problem.
fn walk(event: KeyboardEvent) {
    super::rove::by_key(&event, ".problems-list", ".problem-goto");
}

#[cfg(test)]
mod tests {
    use workspace::view::DiagnosticView;

    use super::{by_file, toggled};

    fn problem(file: Option<&str>, message: &str) -> DiagnosticView {
        DiagnosticView {
            code: "merge/kind".into(),
            severity: "error".into(),
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
    fn files_keep_their_order_and_the_workspace_comes_first() {
        let problems =
            [problem(Some("b"), "1"), problem(Some("a"), "2"), problem(None, "3"), problem(Some("b"), "4")];
        let groups = by_file(problems.iter());
        let shown: Vec<_> = groups
            .iter()
            .map(|(file, problems)| {
                (*file, problems.iter().map(|problem| problem.message.as_str()).collect::<String>())
            })
            .collect();
        assert_eq!(shown, [(None, "3".into()), (Some("b"), "14".into()), (Some("a"), "2".into())]);
    }

    #[test]
    fn a_chip_switches_back_and_forth() {
        assert_eq!(toggled(&["error"], "hint"), ["error", "hint"]);
        assert_eq!(toggled(&["error", "hint"], "error"), ["hint"]);
    }
}
