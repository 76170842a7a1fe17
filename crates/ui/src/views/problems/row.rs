//! One problem.

use std::rc::Rc;

use workspace::view::{DiagnosticView, FixView, LocationView, RelatedView};
use yew::prelude::*;

use super::preview::FixPreview;
use crate::text::FileText;
use crate::why::problem_key;
use crate::{
    IconName, LayerBadge, case, layer_mark, severity_mark,
    views::{
        place::{PlaceLink, file_name},
        prose::prose,
    },
};

#[derive(Clone, PartialEq, Properties)]
pub(in crate::views) struct ProblemRowProps {
    pub(in crate::views) problem: DiagnosticView,
    pub(in crate::views) layers: Rc<Vec<LayerBadge>>,
    pub(in crate::views) files: Rc<Vec<FileText>>,
    pub(in crate::views) on_goto: Callback<LocationView>,
    pub(in crate::views) on_fix: Callback<FixView>,
}

#[component]
pub(in crate::views) fn ProblemRow(props: &ProblemRowProps) -> Html {
    let DiagnosticView { code, severity, message, related, help, fixes, .. } = &props.problem;
    let place = place(&props.problem);
    let onclick = {
        let (place, on_goto) = (place.clone(), props.on_goto.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(place) = &place {
                on_goto.emit(place.clone());
            }
        })
    };
    html! {
        <li class="problem" data-problem={problem_key(&props.problem)}>
            <button type="button" class="problem-goto" {onclick} disabled={place.is_none()}>
                { severity_mark(*severity) }
                <span class="problem-message">{ prose(&sentence(message)) }</span>
                <span class="problem-code">{ code }</span>
                <span class="problem-place">{ place.map(|place| where_it_is(&props.layers, &place)) }</span>
            </button>
            if help.is_some() || !related.is_empty() || !fixes.is_empty() {
                <div class="problem-more">
                    if let Some(help) = help { <p class="problem-help">{ prose(&sentence(help)) }</p> }
                    { for related.iter().map(|related| related_place(props, related)) }
                    { for fixes.iter().enumerate().map(|(at, fix)| html! {
                        <Fix key={at} fix={fix.clone()} files={props.files.clone()}
                            on_fix={props.on_fix.clone()} />
                    }) }
                </div>
            }
        </li>
    }
}

fn related_place(props: &ProblemRowProps, RelatedView { location, message }: &RelatedView) -> Html {
    html! {
        <p class="problem-related">
            <PlaceLink place={location.clone()} layers={props.layers.clone()} on_goto={props.on_goto.clone()}
                />
            <span>{ prose(message) }</span>
        </p>
    }
}

/// `B prod.yaml:12:3`.
fn where_it_is(layers: &[LayerBadge], LocationView { file, line, column, .. }: &LocationView) -> Html {
    html! {
        <>
            if let Some(layer) = LayerBadge::of(layers, file) { { layer_mark(layer, false) } }
            <span class="place-name" title={file.clone()}>{ file_name(file) }{ format!(":{line}:{column}") }</span>
        </>
    }
}

/// The place of a problem; `None` if it is not in a file.
pub(crate) fn place(problem: &DiagnosticView) -> Option<LocationView> {
    let (line, column) = (problem.line?, problem.column?);
    Some(LocationView {
        file: problem.file.clone()?,
        line,
        column,
        end_line: problem.end_line.unwrap_or(line),
        end_column: problem.end_column.unwrap_or(column),
    })
}

/// A message begins with a capital letter on screen, unless it begins with a name.
pub(crate) fn sentence(message: &str) -> String {
    let word = message.split_whitespace().next().unwrap_or_default();
    if word.chars().all(char::is_alphabetic) { case::capitalised(message) } else { message.to_owned() }
}

#[derive(Clone, PartialEq, Properties)]
pub(in crate::views) struct FixProps {
    pub(in crate::views) fix: FixView,
    pub(in crate::views) files: Rc<Vec<FileText>>,
    pub(in crate::views) on_fix: Callback<FixView>,
    /// True if its title names the result of the fix, not the fix itself.
    #[prop_or_default]
    pub(in crate::views) apply: bool,
}

/// A quick fix: the button that applies it, and a preview of its effect.
#[component]
pub(in crate::views) fn Fix(props: &FixProps) -> Html {
    let open = use_state(|| false);
    let apply = props.on_fix.reform({
        let fix = props.fix.clone();
        move |_: MouseEvent| fix.clone()
    });
    let toggle = Callback::from({
        let open = open.clone();
        move |_: MouseEvent| open.set(!*open)
    });
    html! {
        <div class="fix">
            <button type="button" class="fix-apply" onclick={apply}>
                { IconName::Hint.html() }<span>if props.apply { { "Apply: " } }{ prose(&props.fix.title) }</span>
            </button>
            <button type="button" class="fix-look" onclick={toggle}
                aria-expanded={if *open { "true" } else { "false" }}>
                { if *open { "Hide the edit" } else { "Preview" } }
            </button>
            if *open { <FixPreview fix={props.fix.clone()} files={props.files.clone()} /> }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn a_sentence_begins_with_a_capital_but_a_name_stays() {
        assert_eq!(sentence("unknown key"), "Unknown key");
        assert_eq!(sentence("`web` is missing"), "`web` is missing");
        assert_eq!(sentence("services.web is missing"), "services.web is missing");
        assert_eq!(sentence(""), "");
    }
}
