//! The lines that were changed on disk and here, and which of them the merged file has.

use std::rc::Rc;

use yew::prelude::*;

use crate::served::merge::{Choice, Hunk, Merge};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct OverlapsProps {
    pub(super) name: Rc<str>,
    pub(super) merge: Rc<Merge>,
    /// Uses the merged text.
    pub(super) on_merged: Callback<Rc<str>>,
}

/// A choice for each overlap. Those of a merge that is no longer current are forgotten.
#[component]
pub(super) fn Overlaps(props: &OverlapsProps) -> Html {
    let OverlapsProps { name, merge, on_merged } = props;
    let kept = use_state(|| (merge.clone(), Vec::new()));
    let mut choices = if kept.0 == *merge { kept.1.clone() } else { Vec::new() };
    choices.resize(merge.overlaps(), None::<Choice>);
    let overlaps = merge.hunks.iter().filter_map(|it| match it {
        Hunk::Overlap { mine, theirs } => Some((mine, theirs)),
        Hunk::Merged(_) => None,
    });
    let choose = |at: usize, choice: Choice| {
        let (kept, merge, mut choices) = (kept.clone(), merge.clone(), choices.clone());
        choices.get_mut(at).into_iter().for_each(|it| *it = Some(choice));
        Callback::from(move |_: MouseEvent| kept.set((merge.clone(), choices.clone())))
    };
    let all: Option<Vec<Choice>> = choices.iter().copied().collect();
    let missing = choices.iter().filter(|it| it.is_none()).count();
    let text = all.and_then(|it| merge.text(&it));
    let onclick = {
        let (text, on_merged) = (text.clone(), on_merged.clone());
        Callback::from(move |_: MouseEvent| {
            text.iter().for_each(|it| on_merged.emit(it.as_str().into()));
        })
    };
    html! {
        <section class="overlaps" aria-label={format!("Merge {name}")}>
            { for overlaps.enumerate().map(|(at, (mine, theirs))| html! {
                <fieldset class="overlap">
                    <legend>{ format!("Change {} of {}", at + 1, choices.len()) }</legend>
                    <div class="overlap-lines">{ lines("On disk", theirs) }{ lines("Here", mine) }</div>
                    <div class="segmented" role="group" aria-label="Keep">
                        { for Choice::ALL.map(|choice| html! {
                            <button type="button" class="toggle" onclick={choose(at, choice)}
                                aria-pressed={(choices.get(at) == Some(&Some(choice))).to_string()}>{ words(choice) }</button>
                        }) }
                    </div>
                </fieldset>
            }) }
            <div class="overlaps-end">
                <button type="button" class="primary-button" disabled={text.is_none()} {onclick}>{ "Use the merged file" }</button>
                <span class="muted" role="status">{ left(missing) }</span>
            </div>
        </section>
    }
}

fn lines(title: &str, text: &str) -> Html {
    html! {
        <div class="overlap-side">
            <h3>{ title }</h3>
            if text.is_empty() { <p class="muted">{ "These lines were removed." }</p> } else { <pre tabindex="0">{ text }</pre> }
        </div>
    }
}

const fn words(choice: Choice) -> &'static str {
    match choice {
        Choice::Theirs => "On disk",
        Choice::Mine => "Here",
        Choice::Both => "Both",
    }
}

fn left(missing: usize) -> String {
    match missing {
        0 => "All other changes of both are in it.".to_owned(),
        1 => "Choose for 1 more change. All others of both are kept.".to_owned(),
        _ => format!("Choose for {missing} more changes. All others of both are kept."),
    }
}
