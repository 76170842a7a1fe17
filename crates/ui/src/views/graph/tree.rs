//! The graph as an ordered table: wave by wave, what needs what. It says everything that the drawing says.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use workspace::view::LocationView;
use yew::prelude::*;

use super::{
    model::{Model, Node},
    neighbours::Neighbours,
    scene::kind_icon,
    stage::Stage,
};
use crate::{
    IconName, LayerBadge, action_mark, dom,
    views::{Same, place::PlaceLink, rove},
};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct TreeProps {
    pub(super) model: Same<Model>,
    pub(super) layers: Same<Vec<LayerBadge>>,
    pub(super) stage: Same<RefCell<Stage>>,
    pub(super) selected: Option<usize>,
    /// Only these are listed.
    pub(super) kept: Option<Same<Neighbours>>,
    pub(super) on_goto: Callback<LocationView>,
    pub(super) on_select: Callback<String>,
}

/// Waves and the nodes in them.
fn waves(model: &Model, kept: Option<&Neighbours>) -> Vec<(u32, Vec<usize>)> {
    let mut waves: Vec<(u32, Vec<usize>)> = Vec::new();
    for &at in model.order.iter().filter(|at| kept.is_none_or(|kept| kept.nodes.contains(at))) {
        let wave = model.nodes.get(at).map_or(0, |node| node.wave);
        match waves.last_mut() {
            Some((last, nodes)) if *last == wave => nodes.push(at),
            _ => waves.push((wave, vec![at])),
        }
    }
    waves
}

#[component]
pub(super) fn Tree(props: &TreeProps) -> Html {
    let folded = use_state(BTreeSet::<u32>::new);
    let stop = use_state(|| 0usize);
    let waves = waves(&props.model, props.kept.as_deref());
    let count = waves.len();
    let light = {
        let (stage, model) = (props.stage.clone(), props.model.clone());
        Callback::from(move |at: Option<usize>| {
            let lit = at.map(|at| Neighbours::of(&model, at));
            stage.borrow_mut().light(at, lit);
        })
    };
    let onkeydown = on_key(props, &folded);
    let mut row = 0;
    html! {
        <div class="graph-tree" onmouseleave={light.reform(|_: MouseEvent| None)}>
            <div role="treegrid" aria-label="Resources by wave"
                aria-rowcount={(props.model.nodes.len() + count + 1).to_string()} {onkeydown}>
                <div role="row" class="tree-head">
                    { for ["Address", "Action", "Depends on", "Used by", "Source"].map(|words| html! {
                        <span role="columnheader">{ words }</span>
                    }) }
                </div>
                { for waves.iter().enumerate().map(|(position, (wave, nodes))| {
                    let shut = folded.contains(wave);
                    let head = wave_row(*wave, nodes.len(), (position + 1, count), shut, &folded,
                        roving(&stop, row));
                    row += 1;
                    let rows: Html = if shut { Html::default() } else {
                        let rows: Vec<Html> = nodes.iter().enumerate().map(|(place, at)| {
                            let html = node_row(props, *at, (place + 1, nodes.len()), &light,
                                roving(&stop, row));
                            row += 1;
                            html
                        }).collect();
                        rows.into_iter().collect()
                    };
                    html! { <>{ head }{ rows }</> }
                }) }
            </div>
        </div>
    }
}

/// The tab stop of a row, and what moves it there.
type Roving = (AttrValue, Callback<FocusEvent>);

fn roving(stop: &UseStateHandle<usize>, row: usize) -> Roving {
    let handle = stop.clone();
    let onfocus = Callback::from(move |_: FocusEvent| {
        if *handle != row {
            handle.set(row);
        }
    });
    (if **stop == row { "0".into() } else { "-1".into() }, onfocus)
}

fn wave_row(
    wave: u32,
    nodes: usize,
    (position, count): (usize, usize),
    shut: bool,
    folded: &UseStateHandle<BTreeSet<u32>>,
    (tabindex, onfocusin): Roving,
) -> Html {
    let folded = folded.clone();
    let onclick = Callback::from(move |_: MouseEvent| folded.set(toggled(&folded, wave)));
    html! {
        <div key={format!("wave {wave}")} role="row" class="tree-row tree-wave" aria-level="1"
            aria-setsize={count.to_string()} aria-posinset={position.to_string()}
            aria-expanded={if shut { "false" } else { "true" }} data-wave={wave.to_string()} {tabindex}
                {onfocusin} {onclick}>
            <span role="gridcell">
                { (if shut { IconName::ChevronRight } else { IconName::ChevronDown }).html() }
                { format!("Wave {} · {nodes}", wave + 1) }</span>
        </div>
    }
}

fn toggled(folded: &BTreeSet<u32>, wave: u32) -> BTreeSet<u32> {
    let mut next = folded.clone();
    if !next.remove(&wave) {
        next.insert(wave);
    }
    next
}

fn node_row(
    props: &TreeProps,
    at: usize,
    (position, count): (usize, usize),
    light: &Callback<Option<usize>>,
    (tabindex, onfocusin): Roving,
) -> Html {
    let model = &props.model;
    let Some(node) = model.nodes.get(at) else { return Html::default() };
    let onclick = {
        let (on_goto, on_select, node) =
            (props.on_goto.clone(), props.on_select.clone(), (node.address.clone(), node.origin.clone()));
        Callback::from(move |_: MouseEvent| {
            on_select.emit(node.0.clone());
            on_goto.emit(node.1.clone());
        })
    };
    let onfocusin = {
        let light = light.clone();
        Callback::from(move |event: FocusEvent| {
            onfocusin.emit(event);
            light.emit(Some(at));
        })
    };
    let selected = props.selected == Some(at);
    html! {
        <div key={node.address.clone()} role="row"
            class={classes!("tree-row", selected.then_some("selected"))} aria-level="2"
            aria-setsize={count.to_string()}
            aria-posinset={position.to_string()} aria-selected={if selected { "true" } else { "false" }}
                data-name={node.name.to_lowercase()} data-address={node.address.clone()}
            {tabindex} {onfocusin} {onclick} onmouseenter={light.reform(move |_: MouseEvent| Some(at))}>
            <span role="gridcell" class="tree-address">{ kind_icon(&node.kind).html() }
                <span title={node.address.clone()}>{ &node.address }</span></span>
            <span role="gridcell">{ fate(node) }</span>
            <span role="gridcell" class="tree-links">{ links(props, model.needs(at)) }</span>
            <span role="gridcell" class="tree-links">{ links(props, model.needed_by(at)) }</span>
            <span role="gridcell"><PlaceLink place={node.origin.clone()} layers={props.layers.0.clone()}
                on_goto={props.on_goto.clone()} tabbable=false /></span>
        </div>
    }
}

fn fate(node: &Node) -> Html {
    match node.action {
        Some(action) => html! { <span title={node.why.clone()}>{ action_mark(action, true) }</span> },
        None => html! { <span class="tree-state">{ node.state.word() }</span> },
    }
}

/// Names that lead to their own rows.
fn links(props: &TreeProps, ends: Vec<usize>) -> Html {
    if ends.is_empty() {
        return html! { <span class="tree-none">{ "–" }</span> };
    }
    let link = |node: &Node| {
        let address = node.address.clone();
        let onclick = Callback::from(move |event: MouseEvent| {
            event.stop_propagation();
            if let Some(from) = dom::origin(&event) {
                go_to(&from, &address);
            }
        });
        html! { <button type="button" class="link" tabindex="-1" title={node.address.clone()}
        {onclick}>{ &node.name }</button> }
    };
    ends.into_iter().filter_map(|end| props.model.nodes.get(end)).map(link).collect()
}

fn go_to(from: &Element, address: &str) {
    let Some(grid) = from.closest("[role=treegrid]").ok().flatten() else { return };
    let rows = rove::matching(&grid, ".tree-row");
    if let Some(row) = rows.iter().find(|row| row.get_attribute("data-address").as_deref() == Some(address)) {
        let _ = row.focus();
    }
}

/// Up and Down between rows, Right into the links of a row and Left back, both to open and fold a wave, Enter
/// to
/// the source, letters to a name.
fn on_key(props: &TreeProps, folded: &UseStateHandle<BTreeSet<u32>>) -> Callback<KeyboardEvent> {
    let (folded, model) = (folded.clone(), props.model.clone());
    let (on_goto, on_select) = (props.on_goto.clone(), props.on_select.clone());
    let follow = Rc::new(move |address: &str| {
        if let Some(node) = model.find(address).and_then(|at| model.nodes.get(at)) {
            on_select.emit(node.address.clone());
            on_goto.emit(node.origin.clone());
        }
    });
    Callback::from(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let Some(target) = dom::origin(&event).and_then(|it| it.dyn_into::<HtmlElement>().ok()) else {
            return;
        };
        let Some(row) =
            target.closest(".tree-row").ok().flatten().and_then(|row| row.dyn_into::<HtmlElement>().ok())
        else {
            return;
        };
        let wave = row.get_attribute("data-wave").and_then(|wave| wave.parse::<u32>().ok());
        let on_row = row == target;
        let key = event.key();
        match (key.as_str(), wave) {
            ("ArrowDown" | "ArrowUp" | "Home" | "End", _) => {
                let _ = row.focus();
                return rove::by_key(&event, "[role=treegrid]", ".tree-row");
            }
            ("ArrowRight", Some(wave)) if folded.contains(&wave) => folded.set(toggled(&folded, wave)),
            ("ArrowLeft", Some(wave)) if !folded.contains(&wave) => folded.set(toggled(&folded, wave)),
            ("Enter" | " ", Some(wave)) => folded.set(toggled(&folded, wave)),
            ("ArrowRight", None) => step_within(&row, &target, 1),
            ("ArrowLeft", None) if on_row => to_wave(&row),
            ("ArrowLeft", None) => step_within(&row, &target, -1),
            ("Enter" | " ", None) if on_row => follow(&row.get_attribute("data-address").unwrap_or_default()),
            (letter, _) if letter.chars().count() == 1 && letter != " " => to_name(&row, letter),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    })
}

/// From the row to its first link, from link to link, and back to the row.
fn step_within(row: &HtmlElement, from: &HtmlElement, by: isize) {
    let links = rove::matching(row, "button");
    let at = links.iter().position(|link| link == from);
    let to = match at {
        None if by > 0 => links.first(),
        None => None,
        Some(0) if by < 0 => Some(row),
        Some(at) => at.checked_add_signed(by).and_then(|at| links.get(at)),
    };
    if let Some(element) = to {
        let _ = element.focus();
    }
}

fn to_wave(row: &HtmlElement) {
    let mut before = row.previous_element_sibling();
    while let Some(element) = before {
        if element.has_attribute("data-wave") {
            if let Ok(element) = element.dyn_into::<HtmlElement>() {
                let _ = element.focus();
            }
            return;
        }
        before = element.previous_element_sibling();
    }
}

fn to_name(row: &HtmlElement, letter: &str) {
    let Some(grid) = row.closest("[role=treegrid]").ok().flatten() else { return };
    let rows = rove::matching(&grid, ".tree-row");
    let start = rows.iter().position(|other| other == row).map_or(0, |at| at + 1);
    let letter = letter.to_lowercase();
    let fits =
        |row: &&HtmlElement| row.get_attribute("data-name").is_some_and(|name| name.starts_with(&letter));
    if let Some(row) = rows.iter().cycle().skip(start).take(rows.len()).find(fits) {
        let _ = row.focus();
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{model::tests::model, neighbours::Neighbours},
        waves,
    };

    #[test]
    fn waves_in_order_with_what_is_kept() {
        let model = model(&[("a.web", 1), ("a.net", 0), ("a.db", 1)], &[("a.web", "a.net", "attachment")]);
        assert_eq!(waves(&model, None), [(0, vec![1]), (1, vec![0, 2])]);
        assert_eq!(waves(&model, Some(&Neighbours::of(&model, 0))), [(0, vec![1]), (1, vec![0])]);
    }
}
