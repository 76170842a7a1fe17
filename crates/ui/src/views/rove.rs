//! Arrow keys between elements of one kind.

use wasm_bindgen::JsCast;
use web_sys::{Element, FocusOptions, HtmlElement};
use yew::KeyboardEvent;

use crate::dom;

/// On Up, Down, Home and End, moves the focus among the elements that match `selector` inside the element
/// around the
/// focus that matches `list`. The focus need not be on one of them: anything inside the same list item counts
/// for it.
pub(crate) fn by_key(event: &KeyboardEvent, list: &str, selector: &str) {
    let moved = |count: usize, at: Option<usize>| step(&event.key(), count, at);
    let Some(from) = dom::origin(event) else { return };
    let Some(list) = from.closest(list).ok().flatten() else { return };
    if from.tag_name().eq_ignore_ascii_case("input") {
        return;
    }
    let stops = matching(&list, selector);
    let own = |stop: &HtmlElement| stop.contains(Some(&from)) || shares_item(stop, &from);
    if let Some(stop) = moved(stops.len(), stops.iter().position(own)).and_then(|to| stops.get(to)) {
        event.prevent_default();
        let _ = stop.focus();
    }
}

/// The stop a key leads to; `None` for other keys.
fn step(key: &str, count: usize, at: Option<usize>) -> Option<usize> {
    let last = count.checked_sub(1)?;
    match key {
        "ArrowDown" => Some(at.map_or(0, |at| (at + 1).min(last))),
        "ArrowUp" => Some(at.map_or(last, |at| at.saturating_sub(1))),
        "Home" => Some(0),
        "End" => Some(last),
        _ => None,
    }
}

/// Puts the focus on an element of a page. Nothing scrolls: the element has been scrolled to already, and to find out
/// what to scroll would cost a layout.
pub(crate) fn focus(element: &HtmlElement) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    let _ = element.focus_with_options(&options);
}

/// The elements of the page below `root` that match.
pub(crate) fn matching(root: &Element, selector: &str) -> Vec<HtmlElement> {
    let Ok(found) = root.query_selector_all(selector) else { return Vec::new() };
    (0..found.length()).filter_map(|at| found.item(at)?.dyn_into().ok()).collect()
}

fn shares_item(stop: &Element, from: &Element) -> bool {
    let item = |element: &Element| element.closest("li").ok().flatten();
    item(stop).is_some_and(|mine| item(from).is_some_and(|theirs| mine == theirs))
}

#[cfg(test)]
mod tests {
    use super::step;

    #[test]
    fn keys_stop_at_the_ends() {
        assert_eq!(step("ArrowDown", 3, Some(2)), Some(2));
        assert_eq!(step("ArrowUp", 3, Some(0)), Some(0));
        assert_eq!(step("ArrowDown", 3, None), Some(0));
        assert_eq!(step("ArrowUp", 3, None), Some(2));
        assert_eq!(step("End", 3, Some(0)), Some(2));
        assert_eq!(step("End", 0, None), None);
        assert_eq!(step("a", 3, Some(0)), None);
    }
}
