//! The views as tabs with counts.

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

use crate::Tab;

/// The number of items in a view, and the number of those that have to be fixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TabCount {
    /// The number of items; `None` before it is known. Zero is not shown.
    pub count: Option<usize>,
    /// The number that has to be fixed, shown in place of the count unless it is zero.
    pub failed: usize,
}

impl From<Option<usize>> for TabCount {
    fn from(count: Option<usize>) -> Self {
        Self { count, failed: 0 }
    }
}

/// The row of tabs with `count` of each. A tab opens the element with the id `panel-<tab>`.
pub fn tabs(open: Tab, count: impl Fn(Tab) -> TabCount, on_open: &Callback<Tab>) -> Html {
    let onkeydown = {
        let on_open = on_open.clone();
        Callback::from(move |event: KeyboardEvent| {
            if let Some(tab) = neighbour(open, &event.key()) {
                event.prevent_default();
                on_open.emit(tab);
                focus(tab);
            }
        })
    };
    html! {
        <div class="tabs" role="tablist" aria-label="Views" {onkeydown}>
            { for Tab::ALL.into_iter().map(|tab| button(open == tab, tab, count(tab), on_open)) }
        </div>
    }
}

fn button(open: bool, tab: Tab, TabCount { count, failed }: TabCount, on_open: &Callback<Tab>) -> Html {
    let onclick = on_open.reform(move |_: MouseEvent| tab);
    let count = count.filter(|count| *count > 0);
    let mend = if failed > 0 { format!(", {failed} to fix") } else { String::new() };
    let said = count.map(|count| tab.counted(count) + &mend);
    html! {
        <button type="button" role="tab" class="tab" id={format!("tab-{}", tab.id())} title={said}
            aria-selected={open.to_string()} aria-controls={open.then(|| format!("panel-{}", tab.id()))}
            tabindex={if open { "0" } else { "-1" }} {onclick}>
            { tab.icon().html() }
            <span>{ tab.title() }</span>
            if failed > 0 {
                <span class="count tab-failed"><span aria-hidden="true">{ "!" }</span>{ failed }</span>
            } else {
                <span class="count">{ count.map(|count| count.to_string()).unwrap_or_default() }</span>
            }
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

fn focus(tab: Tab) {
    let button = gloo::utils::document().get_element_by_id(&format!("tab-{}", tab.id()));
    if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
        let _ = button.focus();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_go_round() {
        let [first, .., last] = Tab::ALL;
        assert_eq!(neighbour(last, "ArrowRight"), Some(first));
        assert_eq!(neighbour(first, "ArrowLeft"), Some(last));
        assert_eq!(neighbour(first, "End"), Some(last));
        assert_eq!(neighbour(first, "x"), None);
    }
}
