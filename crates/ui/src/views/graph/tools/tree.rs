//! The graph as an ordered table: wave by wave, with the dependencies. It has all the content of the drawing.
//!
//! Only the rows that can be seen are on the page, and the one that has the focus: a row has some twenty elements, and
//! of a thousand rows the browser would lay out all whenever the table is opened.

mod row;
mod rows;

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use diag::order;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use super::ToolsProps;
use crate::{
    dom,
    views::{
        rove::{self, focus},
        same::use_stable,
        size::use_size,
        window::{self, Window},
    },
};
use row::{RowEvents, TreeRow};
use rows::{Row, RowItem, rows};

/// Height of a row in pixels, until it can be measured.
const ROW: i32 = 30;

/// The visible part: the window of the rows by the scroll position, and the height of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Viewport {
    window: Window,
    row: i32,
}

#[component]
pub(super) fn Tree(props: &ToolsProps) -> Html {
    let folded = use_state(BTreeSet::<u32>::new);
    let stop = use_state_eq(|| None::<Row>);
    let viewport = use_state_eq(|| Viewport { window: Window::default(), row: ROW });
    let scroller = use_node_ref();
    let rows =
        use_memo((props.model.clone(), props.listed.clone(), (*folded).clone()), |(model, kept, folded)| {
            rows(model, kept.as_deref(), folded)
        });
    let measure = measure(&scroller, &viewport);
    use_size(scroller.clone(), measure.clone());
    let grid = Grid {
        props: props.clone(),
        rows: rows.clone(),
        at: stop.and_then(|row| rows::place(&rows, row)).unwrap_or(0),
        folded: folded.clone(),
        stop: stop.clone(),
        viewport: *viewport,
        scroller: scroller.clone(),
        moves: use_mut_ref(|| false),
    };
    use_focus(&grid);
    let events = use_events(&grid);
    let row = viewport.row;
    let mut drawn: BTreeSet<usize> = order::set(viewport.window.rows(rows.len()));
    drawn.insert(grid.at);
    html! {
        <div class="graph-tree" ref={scroller} onscroll={measure.reform(|_: Event| ())}
            onmouseleave={events.on_light.reform(|_: MouseEvent| None)}>
            <div role="treegrid" aria-label="Resources by wave" aria-rowcount={(rows.len() + 1).to_string()}
                onkeydown={grid.on_key()}>
                <div role="row" class="tree-head" aria-rowindex="1">
                    { for ["Address", "Action", "Depends on", "Required by", "Source"].map(|words| html! {
                        <span role="columnheader">{ words }</span>
                    }) }
                </div>
                <div role="rowgroup" class="tree-sheet" ~style={format!("height:{}px", window::top(rows.len(), row))}>
                    { for drawn.into_iter().filter_map(|at| Some((at, *rows.get(at)?))).map(|(at, item)| html! {
                        <TreeRow key={key(item.row)} model={props.model.clone()} layers={props.layers.clone()} {item} {at}
                            top={window::top(at, row)} stop={at == grid.at} on={grid.is_on(item.row)} events={events.clone()} />
                    }) }
                </div>
            </div>
        </div>
    }
}

fn key(row: Row) -> String {
    match row {
        Row::Wave(wave) => format!("wave {wave}"),
        Row::Node(node) => node.to_string(),
    }
}

fn measure(scroller: &NodeRef, viewport: &UseStateHandle<Viewport>) -> Callback<()> {
    let (scroller, viewport) = (scroller.clone(), viewport.setter());
    Callback::from(move |()| {
        let Some(element) = scroller.cast::<Element>() else { return };
        let first = element.query_selector(".tree-row").ok().flatten();
        let row = first.map_or(ROW, |row| row.client_height()).max(1);
        let window = Window::of(element.scroll_top(), element.client_height(), row);
        viewport.set(Viewport { window, row });
    })
}

/// Puts the focus on the row that a key led to, once that is drawn.
#[hook]
fn use_focus(grid: &Grid) {
    let (moves, scroller, at) = (grid.moves.clone(), grid.scroller.clone(), grid.at);
    use_effect(move || {
        if moves.replace(false) {
            let row = scroller.cast::<Element>();
            let row = row.and_then(|it| it.query_selector(&format!("[data-row='{at}']")).ok().flatten());
            row.and_then(|it| it.dyn_into().ok()).iter().for_each(focus);
        }
    });
}

/// The callbacks of rows, the same for as long as the table is there: else all rows would be drawn again with each of
/// them.
#[hook]
fn use_events(grid: &Grid) -> RowEvents {
    let (props, stop) = (&grid.props, grid.stop.setter());
    let light = props.on_light.clone();
    let (on_focus, on_press, on_follow) = (light.clone(), grid.clone(), grid.clone());
    let on_focus = Callback::from(move |row: Row| {
        stop.set(Some(row));
        if let Row::Node(node) = row {
            on_focus.emit(Some(node));
        }
    });
    let on_press = Callback::from(move |row: Row| on_press.press(row));
    let on_follow = Callback::from(move |node: usize| {
        rows::place(&on_follow.rows, Row::Node(node)).into_iter().for_each(|at| on_follow.go_to(at));
    });
    RowEvents {
        on_focus: use_stable(&on_focus),
        on_press: use_stable(&on_press),
        on_light: use_stable(&light),
        on_follow: use_stable(&on_follow),
        on_center: use_stable(&props.on_center.reform(Some)),
        on_goto: props.on_goto.clone(),
    }
}

/// The context that handlers share.
#[derive(Clone)]
struct Grid {
    props: ToolsProps,
    rows: Rc<Vec<RowItem>>,
    /// The row that the Tab key leads to.
    at: usize,
    folded: UseStateHandle<BTreeSet<u32>>,
    stop: UseStateHandle<Option<Row>>,
    viewport: Viewport,
    scroller: NodeRef,
    /// The focus follows once the rows are drawn.
    moves: Rc<RefCell<bool>>,
}

impl Grid {
    fn is_on(&self, row: Row) -> bool {
        match row {
            Row::Wave(wave) => self.folded.contains(&wave),
            Row::Node(node) => self.props.selected == Some(node),
        }
    }

    /// Brings a row into view and puts the focus on it.
    fn go_to(&self, at: usize) {
        let Some(item) = self.rows.get(at) else { return };
        if let Some(element) = self.scroller.cast::<Element>() {
            // The head stands over the first row's height.
            let height = element.client_height() - ROW;
            let top = window::scroll_for(at, self.viewport.row, element.scroll_top(), height);
            top.into_iter().for_each(|top| element.set_scroll_top(top));
        }
        self.moves.replace(true);
        let again = *self.stop == Some(item.row);
        self.stop.set(Some(item.row));
        if again {
            // Nothing is drawn again, so the focus goes there at once.
            self.moves.replace(false);
            let row = self.scroller.cast::<Element>();
            let row = row.and_then(|it| it.query_selector(&format!("[data-row='{at}']")).ok().flatten());
            row.and_then(|it| it.dyn_into().ok()).iter().for_each(focus);
        }
    }

    fn press(&self, row: Row) {
        match row {
            Row::Wave(wave) => self.fold(wave),
            Row::Node(node) => {
                if let Some(node) = self.props.model.nodes.get(node) {
                    self.props.on_select.emit(node.address.clone());
                    self.props.on_goto.emit(node.origin.clone());
                }
            }
        }
    }

    fn fold(&self, wave: u32) {
        let mut next = (*self.folded).clone();
        if !next.remove(&wave) {
            next.insert(wave);
        }
        self.folded.set(next);
    }

    fn page(&self) -> usize {
        let height = self.scroller.cast::<Element>().map_or(0, |element| element.client_height());
        usize::try_from(height / self.viewport.row.max(1)).unwrap_or(0).max(2) - 1
    }

    /// Up and Down between rows, Right into the links of a row and Left back, both to open and fold a wave, Enter to the
    /// source, letters to a name.
    fn on_key(&self) -> Callback<KeyboardEvent> {
        let grid = self.clone();
        Callback::from(move |event: KeyboardEvent| {
            if !event.ctrl_key() && !event.meta_key() && !event.alt_key() && grid.key(&event).is_some() {
                event.prevent_default();
                event.stop_propagation();
            }
        })
    }

    /// Handles a key; `None` if it has no meaning here.
    fn key(&self, event: &KeyboardEvent) -> Option<()> {
        let target = dom::origin(event)?.dyn_into::<HtmlElement>().ok()?;
        let element = target.closest(".tree-row").ok()??.dyn_into::<HtmlElement>().ok()?;
        let at: usize = element.get_attribute("data-row")?.parse().ok()?;
        let row = self.rows.get(at)?.row;
        let (key, on_row) = (event.key(), element == target);
        if let Some(to) = rows::step(&key, at, self.rows.len(), self.page()) {
            self.go_to(to);
            return Some(());
        }
        match (key.as_str(), row) {
            ("ArrowRight", Row::Wave(wave)) if self.folded.contains(&wave) => self.fold(wave),
            ("ArrowLeft", Row::Wave(wave)) if !self.folded.contains(&wave) => self.fold(wave),
            ("Enter" | " ", _) if on_row => self.press(row),
            ("ArrowRight", Row::Node(_)) => step_within(&element, &target, 1),
            ("ArrowLeft", Row::Node(_)) if on_row => self.go_to(rows::heading(&self.rows, at)?),
            ("ArrowLeft", Row::Node(_)) => step_within(&element, &target, -1),
            (letter, _) if letter.chars().count() == 1 && letter != " " => {
                self.go_to(rows::named(&self.rows, &self.props.model, at, letter)?);
            }
            _ => return None,
        }
        Some(())
    }
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
