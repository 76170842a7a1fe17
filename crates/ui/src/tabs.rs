//! The views as tabs with counts.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::{Icon, Tab};

/// Properties of [`Tabs`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct TabsProps {
    /// The open one.
    pub open: Tab,
    /// How much is in each, in the order of [`Tab::ALL`]; `None` where there is nothing to count.
    pub counts: [Option<usize>; 4],
    /// One is opened.
    pub on_open: Callback<Tab>,
}

/// The row of tabs. What a tab opens is an element with the id `panel-<tab>`.
#[component]
pub fn Tabs(props: &TabsProps) -> Html {
    let node = use_node_ref();
    let onkeydown = {
        let (node, on_open, open) = (node.clone(), props.on_open.clone(), props.open);
        Callback::from(move |event: KeyboardEvent| {
            if let Some(tab) = neighbour(open, &event.key()) {
                event.prevent_default();
                on_open.emit(tab);
                focus(&node, tab);
            }
        })
    };
    html! {
        <div ref={node} class="tabs" role="tablist" aria-label="Views" {onkeydown}>
            { for Tab::ALL.into_iter().zip(props.counts).map(|(tab, count)| button(props, tab, count)) }
        </div>
    }
}

fn button(props: &TabsProps, tab: Tab, count: Option<usize>) -> Html {
    let open = props.open == tab;
    let onclick = props.on_open.reform(move |_: MouseEvent| tab);
    html! {
        <button type="button" role="tab" class="tab" id={format!("tab-{}", tab.id())}
            aria-selected={open.to_string()} aria-controls={open.then(|| format!("panel-{}", tab.id()))}
            tabindex={if open { "0" } else { "-1" }} {onclick}>
            <Icon name={tab.icon()} />
            <span>{ tab.title() }</span>
            <span class="count">{ count.map(|count| count.to_string()).unwrap_or_default() }</span>
        </button>
    }
}

fn neighbour(open: Tab, key: &str) -> Option<Tab> {
    let at = Tab::ALL.iter().position(|tab| *tab == open).unwrap_or(0);
    let last = Tab::ALL.len() - 1;
    let to = match key {
        "ArrowLeft" => at.checked_sub(1).unwrap_or(last),
        "ArrowRight" => (at + 1) % Tab::ALL.len(),
        "Home" => 0,
        "End" => last,
        _ => return None,
    };
    Tab::ALL.get(to).copied()
}

fn focus(node: &NodeRef, tab: Tab) {
    let button = node
        .cast::<Element>()
        .and_then(|tabs| tabs.query_selector(&format!("#tab-{}", tab.id())).ok().flatten());
    if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
        let _ = button.focus();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_go_round() {
        assert_eq!(neighbour(Tab::State, "ArrowRight"), Some(Tab::Graph));
        assert_eq!(neighbour(Tab::Graph, "ArrowLeft"), Some(Tab::State));
        assert_eq!(neighbour(Tab::Graph, "End"), Some(Tab::State));
        assert_eq!(neighbour(Tab::Graph, "x"), None);
    }
}
