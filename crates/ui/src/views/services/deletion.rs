//! Deletions tried with example resources.

use std::rc::Rc;

use gloo::timers::callback::Timeout;
use web_sys::{Element, HtmlTextAreaElement, ScrollIntoViewOptions, ScrollLogicalPosition};
use workspace::view::{
    DeletionTrialView, LocationView, NamedResourceView, TrialProblemView, TriedResourceView,
};
use yew::prelude::*;

use super::{ServicesEvent, ServicesQuestion, outcome, show::Show};
use crate::views::{prose::prose, rove};

/// The pause after the last keystroke before the engine is asked, in milliseconds.
const PAUSE: u32 = 150;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct DeletionProps {
    pub(super) show: Show,
    /// The examples that the user wrote.
    pub(super) draft: Option<AttrValue>,
}

/// The deletion that is tried.
#[derive(Clone, Debug, PartialEq)]
struct Trial {
    /// The examples; `None` for fixtures.
    text: Option<AttrValue>,
    delete: Option<NamedResourceView>,
}

#[component]
pub(super) fn Deletion(DeletionProps { show, draft }: &DeletionProps) -> Html {
    let fixtures = use_state_eq(|| false);
    let delete = use_state_eq(|| None::<NamedResourceView>);
    let area = use_node_ref();
    let example = AttrValue::from(show.view.example.clone());
    let text = draft.clone().unwrap_or(example);
    let is_fixtures = *fixtures && !show.view.fixtures.is_empty();
    let trial = Trial { text: (!is_fixtures).then(|| text.clone()), delete: (*delete).clone() };
    let answer = use_trial(show, trial);
    let on_goto = goes(show, &area, &text);
    let on_delete = Callback::from({
        let delete = delete.clone();
        move |it| delete.set(it)
    });
    let on_fixtures = Callback::from({
        let fixtures = fixtures.clone();
        move |now| fixtures.set(now)
    });
    html! {
        <div class="services-body services-trial">
            <div class="services-side services-examples">
                { source(show, is_fixtures, draft.is_some(), &on_fixtures) }
                if !is_fixtures { { editor(show, &area, &text) } }
                if let Some(answer) = &answer {
                    { problems(show, answer, &on_goto) }
                }
            </div>
            <div class="services-main">
                if let Some(answer) = answer {
                    <Choices show={show.clone()} {answer} delete={(*delete).clone()} {on_delete} />
                }
            </div>
        </div>
    }
}

/// The newest answer.
#[hook]
fn use_trial(show: &Show, trial: Trial) -> Option<Rc<DeletionTrialView>> {
    let answer = use_state_eq(|| None::<Rc<DeletionTrialView>>);
    let latest = use_mut_ref(|| None::<AttrValue>);
    let (setter, on_ask) = (answer.setter(), show.on_ask.clone());
    use_effect_with((trial, show.view.clone()), move |(trial, _)| {
        // Only typing waits: a choice is answered at once.
        let is_typed = latest.replace(trial.text.clone()) != trial.text;
        let trial = trial.clone();
        let timeout = Timeout::new(if is_typed { PAUSE } else { 0 }, move || {
            let then = Callback::from(move |answer| setter.set(Some(answer)));
            let resources = trial.text.map(|it| it.to_string());
            on_ask.emit(ServicesQuestion::Delete { resources, delete: trial.delete, then });
        });
        move || drop(timeout)
    });
    (*answer).clone()
}

/// The choice of the source of the examples.
fn source(show: &Show, is_fixtures: bool, is_draft: bool, on_fixtures: &Callback<bool>) -> Html {
    let tab = |title: &'static str, fixtures: bool| {
        let onclick = on_fixtures.reform(move |_: MouseEvent| fixtures);
        let pressed = (is_fixtures == fixtures).to_string();
        html! { <button type="button" class="toggle" aria-pressed={pressed} {onclick}>{ title }</button> }
    };
    html! {
        <div class="services-source">
            <h3>{ "Example resources" }</h3>
            if !show.view.fixtures.is_empty() {
                <div class="segmented" role="group" aria-label="Resources">
                    { tab("Written here", false) }{ tab("Fixtures", true) }
                </div>
            }
            <span class="pane-bar-space" />
            if is_draft && !is_fixtures {
                <button type="button" class="quiet-button" title="Replace the text by what follows from the specification"
                    onclick={show.does(ServicesEvent::Draft(None))}>{ "Reset" }</button>
            }
        </div>
    }
}

fn editor(show: &Show, area: &NodeRef, text: &AttrValue) -> Html {
    let oninput = show.on_event.reform(|event: InputEvent| {
        let text = event.target_unchecked_into::<HtmlTextAreaElement>().value();
        ServicesEvent::Draft(Some(text))
    });
    html! {
        <textarea ref={area.clone()} class="services-text" aria-label="Example resources as YAML" spellcheck="false" wrap="off"
            autocapitalize="off" value={text.clone()} {oninput} />
    }
}

/// Goes to a place in a file, or in the text that is written here.
fn goes(show: &Show, area: &NodeRef, text: &AttrValue) -> Callback<LocationView> {
    let (on_goto, area, text) = (show.on_goto.clone(), area.clone(), text.clone());
    Callback::from(move |place: LocationView| {
        if !place.file.is_empty() {
            return on_goto.emit(place);
        }
        if let Some(area) = area.cast::<HtmlTextAreaElement>() {
            let at = |line, column| units(&text, line, column);
            let _ = area.focus();
            let (start, end) = (at(place.line, place.column), at(place.end_line, place.end_column));
            let _ = area.set_selection_range(start, end);
        }
    })
}

/// A place in a text as the browser counts: in units of UTF-16.
fn units(text: &str, line: u32, column: u32) -> u32 {
    let skipped = usize::try_from(line.saturating_sub(1)).unwrap_or(0);
    let before = text.split_inclusive('\n').take(skipped).flat_map(str::chars);
    let rest = text.split_inclusive('\n').nth(skipped).unwrap_or_default();
    let within = rest.chars().take(usize::try_from(column.saturating_sub(1)).unwrap_or(0));
    let count: usize = before.chain(within).map(char::len_utf16).sum();
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn problems(show: &Show, answer: &DeletionTrialView, on_goto: &Callback<LocationView>) -> Html {
    if answer.problems.is_empty() {
        return Html::default();
    }
    html! {
        <ul class="services-problems" aria-label="Problems of the examples">
            { for answer.problems.iter().map(|it| problem(show, it, on_goto)) }
        </ul>
    }
}

fn problem(show: &Show, it: &TrialProblemView, on_goto: &Callback<LocationView>) -> Html {
    let place = it.location.clone();
    let onclick = on_goto.reform(move |_: MouseEvent| place.clone());
    html! {
        <li class="services-problem">
            if it.location.file.is_empty() {
                <button type="button" class="place" title="select it in the text" {onclick}>{ format!("line {}", it.location.line) }</button>
            } else {
                { show.place(&it.location) }
            }
            <span>{ prose(&it.message) }
                if !it.help.is_empty() { <span class="muted">{ "; " }{ prose(&it.help) }</span> }</span>
        </li>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct ChoicesProps {
    show: Show,
    answer: Rc<DeletionTrialView>,
    /// The resource to delete.
    delete: Option<NamedResourceView>,
    on_delete: Callback<Option<NamedResourceView>>,
}

/// The resources to choose from, and below the chosen one the effect of its deletion.
#[component]
fn Choices(ChoicesProps { show, answer, delete, on_delete }: &ChoicesProps) -> Html {
    let onkeydown = Callback::from(|event: KeyboardEvent| {
        rove::by_key(&event, ".services-choices", ".services-choice");
    });
    let chosen = use_node_ref();
    {
        let chosen = chosen.clone();
        use_effect_with((delete.clone(), answer.preview.is_some()), move |_| {
            // As much of the outcome is seen as has room.
            if let Some(chosen) = chosen.cast::<Element>() {
                let options = ScrollIntoViewOptions::new();
                options.set_block(ScrollLogicalPosition::Nearest);
                chosen.scroll_into_view_with_scroll_into_view_options(&options);
            }
        });
    }
    let choice = |it: &TriedResourceView| {
        let is_chosen = delete.as_ref() == Some(&it.resource);
        let resource = (!is_chosen).then(|| it.resource.clone());
        let onclick = on_delete.reform(move |_: MouseEvent| resource.clone());
        html! {
            <li ref={if is_chosen { chosen.clone() } else { NodeRef::default() }}>
                <button type="button" class="services-choice" aria-expanded={is_chosen.to_string()} {onclick}>
                    <span class="services-kind-name">{ show.said(&it.resource.kind).to_owned() }</span>
                    { super::tree::pattern(&it.resource.name) }
                </button>
                if is_chosen { { outcome::view(show, answer) } }
            </li>
        }
    };
    html! {
        <section class="services-deletes" aria-label="Delete">
            <h3>{ "Delete" }</h3>
            <p class="muted">{ if answer.resources.is_empty() {
                "Write at least one valid resource above."
            } else {
                "Choose a resource to see what its deletion would do. Nothing is deleted."
            } }</p>
            <ul class="services-choices" {onkeydown}>{ for answer.resources.iter().map(choice) }</ul>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::units;

    #[test]
    fn places_are_counted_as_the_browser_does() {
        let text = "a: 😀\nbc: d\n";
        assert_eq!(units(text, 1, 5), 5, "a face has two units");
        assert_eq!(units(text, 2, 1), 6);
        assert_eq!(units(text, 2, 3), 8);
        assert_eq!(units(text, 9, 9), 12, "the end");
    }
}
