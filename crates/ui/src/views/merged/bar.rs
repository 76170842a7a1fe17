//! The bar of the merged pane: find, and show less.

use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::{
    document::{Look, Parts},
    filter::{self, Filter, Only},
};
use crate::IconName;

pub(super) fn bar(parts: &Parts<'_>, hits: &Rc<Vec<usize>>) -> Html {
    let chip = |only: Only, words: &'static str, count: usize| {
        let (filter, on) = (parts.filter.clone(), parts.filter.only == Some(only));
        let onclick = Callback::from(move |_: MouseEvent| {
            let only = (filter.only != Some(only)).then_some(only);
            filter.set(Filter { only, ..(*filter).clone() });
        });
        html! {
            <button type="button" class="filter-chip" aria-pressed={if on { "true" } else { "false" }}
                {onclick} disabled={count == 0 && !on}>
                { words }<span class="count">{ count }</span>
            </button>
        }
    };
    let lines = &parts.props.lines;
    html! {
        <div class="pane-bar">
            { search(parts, hits) }
            <div class="chip-group" role="group" aria-label="Show only">
                { chip(Only::Overridden, "Overridden",
                    lines.iter().filter(|line| line.is_overridden()).count()) }
                { chip(Only::Inferred, "Inferred", lines.iter().filter(|line| line.is_inferred()).count()) }
            </div>
        </div>
    }
}

/// Enter goes to the next hit, Shift+Enter to the one before.
fn search(parts: &Parts<'_>, hits: &Rc<Vec<usize>>) -> Html {
    let oninput = {
        let filter = parts.filter.clone();
        Callback::from(move |event: InputEvent| {
            let find = event.target_unchecked_into::<HtmlInputElement>().value();
            filter.set(Filter { find: find.into(), ..(*filter).clone() });
        })
    };
    let onkeydown = {
        let (look, hits, shown, go) =
            (parts.look.clone(), hits.clone(), parts.shown.clone(), parts.go.clone());
        Callback::from(move |event: KeyboardEvent| {
            if event.key() != "Enter" {
                return;
            }
            event.prevent_default();
            let from = look.as_ref().map(|look| look.line);
            let Some(line) = filter::next_hit(&hits, from, event.shift_key()) else { return };
            if let Some(at) = shown.iter().position(|other| *other == line) {
                go.emit(at);
            }
            look.set(Some(Look { line, pinned: true, editing: false }));
        })
    };
    let at = parts.look.as_ref().and_then(|look| hits.binary_search(&look.line).ok());
    html! {
        <label class="pane-search">
            { IconName::Search.html() }
            <input type="search" placeholder="Find a key or a value" aria-label="Find in the merged document"
                {oninput} {onkeydown}
                value={parts.filter.find.clone()} spellcheck="false" autocomplete="off" />
            if !parts.filter.find.is_empty() {
                <span class="pane-hits" role="status">{ match (hits.len(), at) {
                    (0, _) => "none".to_owned(),
                    (count, Some(at)) => format!("{}/{count}", at + 1),
                    (count, None) => count.to_string(),
                } }</span>
            }
        </label>
    }
}
