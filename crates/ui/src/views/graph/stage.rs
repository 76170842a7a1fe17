//! The drawn elements, to light them up without drawing anything again.
//!
//! Hovering must not cost a comparison of a thousand nodes, so what comes and goes with the pointer is an
//! attribute
//! that is set here and that no component knows of: `data-lit`, `data-middle`, `data-apart`, `data-faded`,
//! `data-selected`. `static/views.css` says what they look like.

use std::collections::BTreeSet;

use wasm_bindgen::JsCast;
use web_sys::{Element, FocusOptions, HtmlElement, SvgElement};

use super::neighbours::Neighbours;
use crate::views::rove::matching_any;

/// Elements by index of the model.
#[derive(Debug, Default)]
pub(in crate::views) struct Stage {
    root: Option<Element>,
    nodes: Vec<Element>,
    edges: Vec<Element>,
    lit: Neighbours,
    selected: Option<usize>,
    stop: usize,
}

impl Stage {
    /// Takes the elements of a new drawing; whatever was lit no longer is.
    pub(super) fn attach(&mut self, root: &Element) {
        self.nodes = matching_any(root, "[data-node]");
        self.edges = by_index(matching_any(root, "[data-edge]"));
        self.root = Some(root.clone());
        self.lit = Neighbours::default();
        let _ = root.remove_attribute("data-lift");
        for element in self.nodes.iter().chain(&self.edges) {
            for name in ["data-lit", "data-middle", "data-selected"] {
                let _ = element.remove_attribute(name);
            }
        }
        let (selected, stop) = (self.selected.take(), self.stop.min(self.nodes.len().saturating_sub(1)));
        self.select(selected);
        self.stop_at(stop);
    }

    /// Lifts a node with its neighbours and fades the rest.
    pub(super) fn light(&mut self, middle: Option<usize>, lit: Option<Neighbours>) {
        let Some(root) = &self.root else { return };
        set(root, "data-lift", lit.is_some());
        let next = lit.unwrap_or_default();
        turn(&self.nodes, "data-lit", &self.lit.nodes, &next.nodes);
        turn(&self.edges, "data-lit", &self.lit.edges, &next.edges);
        let old: Vec<Element> = matching_any(root, "[data-middle]");
        old.iter().for_each(|element| set(element, "data-middle", false));
        if let Some(element) = middle.and_then(|middle| self.nodes.get(middle)) {
            set(element, "data-middle", true);
        }
        self.lit = next;
    }

    /// Sets an attribute on everything that is not in a set; on nothing without one.
    pub(super) fn set_apart(&self, name: &str, kept: Option<&Neighbours>) {
        let mark = |elements: &[Element], kept: Option<&BTreeSet<usize>>| {
            for (at, element) in elements.iter().enumerate() {
                set(element, name, kept.is_some_and(|kept| !kept.contains(&at)));
            }
        };
        mark(&self.nodes, kept.map(|kept| &kept.nodes));
        mark(&self.edges, kept.map(|kept| &kept.edges));
    }

    /// Marks the selected node.
    pub(super) fn select(&mut self, node: Option<usize>) {
        for (at, on) in [(self.selected, false), (node, true)] {
            if let Some(element) = at.and_then(|at| self.nodes.get(at)) {
                set(element, "data-selected", on);
            }
        }
        self.selected = node;
    }

    /// The one node that the Tab key leads to.
    pub(super) fn stop(&self) -> usize {
        self.stop
    }

    /// Makes a node the one that the Tab key leads to.
    pub(super) fn stop_at(&mut self, node: usize) {
        for (at, value) in [(self.stop, "-1"), (node, "0")] {
            if let Some(element) = self.nodes.get(at) {
                let _ = element.set_attribute("tabindex", value);
            }
        }
        self.stop = node;
    }

    /// The element of a node, to be focused once nothing holds the stage.
    pub(super) fn node(&self, node: usize) -> Option<Element> {
        self.nodes.get(node).cloned()
    }
}

/// Puts the focus on an element of a drawing or of a page. Nothing scrolls: the camera has moved already, and
/// to
/// look for what has to scroll would cost a layout.
pub(super) fn focus(element: &Element) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    if let Some(element) = element.dyn_ref::<SvgElement>() {
        let _ = element.focus_with_options(&options);
    } else if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus_with_options(&options);
    }
}

fn set(element: &Element, name: &str, on: bool) {
    let _ = if on { element.set_attribute(name, "") } else { element.remove_attribute(name) };
}

/// Only what changes is touched.
fn turn(elements: &[Element], name: &str, old: &BTreeSet<usize>, new: &BTreeSet<usize>) {
    for (set_to, at) in
        old.difference(new).map(|at| (false, at)).chain(new.difference(old).map(|at| (true, at)))
    {
        if let Some(element) = elements.get(*at) {
            set(element, name, set_to);
        }
    }
}

/// Edges that are not drawn have no element: the list gets a stand-in for them, an element that is not on the
/// page.
fn by_index(elements: Vec<Element>) -> Vec<Element> {
    let Some(first) = elements.first().cloned() else { return elements };
    let index =
        |element: &Element| element.get_attribute("data-edge").and_then(|at| at.parse::<usize>().ok());
    let Some(blank) = first.clone_node().ok().and_then(|node| node.dyn_into::<Element>().ok()) else {
        return elements;
    };
    let count = elements.iter().filter_map(index).max().map_or(0, |last| last + 1);
    let mut all = vec![blank; count];
    for element in elements {
        if let Some(slot) = index(&element).and_then(|at| all.get_mut(at)) {
            *slot = element;
        }
    }
    all
}
