//! The row that finds, filters and groups.

use std::collections::{BTreeMap, BTreeSet};

use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use workspace::view::Action;
use yew::prelude::*;

use super::ToolsProps;
use crate::{
    IconName, action_mark, dom,
    views::graph::{
        lens::{GroupBy, Lens},
        model::Model,
    },
};

#[component]
pub(super) fn Finder(props: &ToolsProps) -> Html {
    let input = use_node_ref();
    let at = use_state_eq(|| None::<usize>);
    use_effect_with((), {
        let input = input.clone();
        move |()| dom::focus(&input)
    });
    let hits: Vec<usize> = match (&props.kept, props.lens.text.is_empty()) {
        (Some(kept), false) => {
            props.model.order.iter().copied().filter(|at| kept.nodes.contains(at)).collect()
        }
        _ => Vec::new(),
    };
    let go = {
        let (hits, at, on_find, on_select) =
            (hits.clone(), at.clone(), props.on_find.clone(), props.on_select.clone());
        let model = props.model.clone();
        Callback::from(move |by: isize| {
            let Some(next) = step(*at, hits.len(), by) else { return };
            at.set(Some(next));
            let Some((hit, node)) = hits.get(next).and_then(|hit| Some((*hit, model.nodes.get(*hit)?)))
            else {
                return;
            };
            on_select.emit(node.address.clone());
            on_find.emit(hit);
        })
    };
    let oninput = {
        let (lens, at) = (props.lens.clone(), at.setter());
        Callback::from(move |event: InputEvent| {
            let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            at.set(None);
            lens.set(Lens { text: input.map(|input| input.value()).unwrap_or_default(), ..(*lens).clone() });
        })
    };
    let onkeydown = {
        let (go, props) = (go.clone(), props.clone());
        Callback::from(move |event: KeyboardEvent| {
            match (event.key().as_str(), event.shift_key()) {
                ("Enter" | "ArrowDown", false) => go.emit(1),
                ("Enter" | "ArrowUp", _) => go.emit(-1),
                ("Escape", _) => leave(&props),
                _ => return,
            }
            event.prevent_default();
            event.stop_propagation();
        })
    };
    let step = |by: isize| go.reform(move |_: MouseEvent| by);
    let none = hits.is_empty();
    html! {
        <div class="graph-tools" role="search" aria-label="Find, filter and group">
            <label class="pane-search">
                { IconName::Search.html() }
                <input ref={input} type="search" placeholder="Find by name or kind" aria-label="Find a resource"
                    autocomplete="off" spellcheck="false" value={props.lens.text.clone()} {oninput} {onkeydown} />
                if !props.lens.text.is_empty() { <span class="pane-hits" role="status">{ said(*at, hits.len()) }</span> }
            </label>
            <button type="button" class="quiet-button" title="Previous (⇧ Enter)" aria-label="Previous match" disabled={none}
                onclick={step(-1)}>{ IconName::ChevronUp.html() }</button>
            <button type="button" class="quiet-button" title="Next (Enter)" aria-label="Next match" disabled={none}
                onclick={step(1)}>{ IconName::ChevronDown.html() }</button>
            { actions(&props.model, &props.lens) }
            { kinds(&props.model, &props.lens) }
            <span class="pane-bar-space" />
            { grouping(props) }
        </div>
    }
}

/// The index of the next hit, which wraps around at the ends.
fn step(at: Option<usize>, count: usize, by: isize) -> Option<usize> {
    let last = count.checked_sub(1)?;
    Some(match (at, by > 0) {
        (None, true) => 0,
        (None, false) => last,
        (Some(at), true) => {
            if at >= last {
                0
            } else {
                at + 1
            }
        }
        (Some(at), false) => at.checked_sub(1).unwrap_or(last),
    })
}

fn said(at: Option<usize>, count: usize) -> String {
    match (at, count) {
        (_, 0) => "no match".into(),
        (Some(at), count) => format!("{} of {count}", at + 1),
        (None, 1) => "1 match".into(),
        (None, count) => format!("{count} matches"),
    }
}

/// First the text goes, then the row.
fn leave(props: &ToolsProps) {
    if props.lens.text.is_empty() {
        props.open.set(super::Open { finder: false, ..(*props.open).clone() });
        props.on_back.emit(());
    } else {
        props.lens.set(Lens { text: String::new(), ..(*props.lens).clone() });
    }
}

fn actions(model: &Model, lens: &UseStateHandle<Lens>) -> Html {
    let mut counts = BTreeMap::<Action, usize>::new();
    for node in &model.nodes {
        *counts.entry(node.action.unwrap_or(Action::NoOp)).or_default() += 1;
    }
    if counts.len() < 2 {
        return Html::default();
    }
    html! {
        <div class="chip-group" role="group" aria-label="Show only some actions">
            { for counts.into_iter().map(|(action, count)| {
                let on = lens.actions.contains(&action);
                let onclick = changing(lens, move |lens| toggled(&mut lens.actions, action));
                html! {
                    <button type="button" class="filter-chip" aria-pressed={on.to_string()} {onclick}>
                        { action_mark(action, false) }{ count }
                    </button>
                }
            }) }
        </div>
    }
}

fn kinds(model: &Model, lens: &UseStateHandle<Lens>) -> Html {
    let mut counts = BTreeMap::<&str, usize>::new();
    for node in &model.nodes {
        *counts.entry(node.kind.as_str()).or_default() += 1;
    }
    if counts.len() < 2 {
        return Html::default();
    }
    html! {
        <div class="chip-group" role="group" aria-label="Show only some kinds">
            { for counts.into_iter().map(|(kind, count)| {
                let (on, own) = (lens.kinds.contains(kind), kind.to_owned());
                let onclick = changing(lens, move |lens| toggled(&mut lens.kinds, own.clone()));
                html! {
                    <button type="button" class="filter-chip" aria-pressed={on.to_string()} {onclick}>
                        { format!("{kind} {count}") }
                    </button>
                }
            }) }
        </div>
    }
}

fn toggled<T: Ord>(all: &mut BTreeSet<T>, one: T) {
    if !all.remove(&one) {
        all.insert(one);
    }
}

fn changing(lens: &UseStateHandle<Lens>, change: impl Fn(&mut Lens) + 'static) -> Callback<MouseEvent> {
    let lens = lens.clone();
    Callback::from(move |_: MouseEvent| {
        let mut next = (*lens).clone();
        change(&mut next);
        lens.set(next);
    })
}

fn grouping(props: &ToolsProps) -> Html {
    let lens = &props.lens;
    let onchange = {
        let lens = lens.clone();
        Callback::from(move |event: Event| {
            let select = event.target().and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
            let chosen = select.map(|select| select.value()).unwrap_or_default();
            let group = GroupBy::ALL.into_iter().find(|by| by.word() == chosen);
            lens.set(Lens { group, open: BTreeSet::new(), ..(*lens).clone() });
        })
    };
    let fold = changing(lens, |lens| lens.open.clear());
    html! {
        <>
            <label class="graph-group">
                <span>{ "Group by" }</span>
                <select {onchange}>
                    <option value="" selected={lens.group.is_none()}>{ "nothing" }</option>
                    { for GroupBy::ALL.into_iter().map(|by| html! {
                        <option value={by.word()} selected={lens.group == Some(by)}>{ by.word() }</option>
                    }) }
                </select>
            </label>
            if !lens.open.is_empty() {
                <button type="button" class="quiet-button" onclick={fold}>{ "Fold all" }</button>
            }
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::{said, step};

    #[test]
    fn enter_goes_from_hit_to_hit_and_round() {
        assert_eq!(
            (step(None, 3, 1), step(Some(2), 3, 1), step(Some(0), 3, -1)),
            (Some(0), Some(0), Some(2))
        );
        assert_eq!((step(None, 0, 1), step(None, 3, -1), step(Some(9), 3, 1)), (None, Some(2), Some(0)));
        assert_eq!(
            (said(None, 2), said(Some(1), 2), said(None, 0)),
            ("2 matches".into(), "2 of 2".into(), "no match".into())
        );
    }
}
