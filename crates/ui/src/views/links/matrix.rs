//! Consumers against providers: the number of links between each two, at a glance.

mod grid;

use std::collections::BTreeSet;

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use workspace::view::words::count;
use yew::prelude::*;

use self::grid::{By, Cell, Grid, Heading, Row, step};
use super::{list::toggled, outcome::outcome_mark, pick::Pick, show::Show};
use crate::{IconName, dom, views::rove};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct MatrixProps {
    pub(super) show: Show,
}

#[component]
pub(super) fn Matrix(props: &MatrixProps) -> Html {
    let by = use_state_eq(|| By::Owner);
    let open = use_state(BTreeSet::<String>::new);
    let stop = use_state_eq(|| None::<(usize, usize)>);
    let Show { model, kept, .. } = &props.show;
    let opened = (*open).clone();
    let grid = use_memo((model.clone(), kept.clone(), *by, opened), |(model, kept, by, open)| {
        Grid::new(model, kept, *by, open)
    });
    let onkeydown = Callback::from(walk);
    let onfocusin = {
        let stop = stop.clone();
        Callback::from(move |event: FocusEvent| {
            if let Some(at) = dom::origin(&event).and_then(|it| place(&it)) {
                stop.set(Some(at));
            }
        })
    };
    let stops = grid.stops();
    let stop = stop.filter(|at| stops.contains(at)).or(stops.first().copied());
    html! {
        <div class="links-matrix">
            { choose(&by) }
            <div class="pane-scroll links-matrix-scroll">
                if grid.rows.is_empty() {
                    <p class="pane-note">{ "No link matches." }</p>
                } else {
                    <table {onkeydown} {onfocusin}>
                        <caption class="visually-hidden">
                            { "How many links each consumer in a row has to each provider in a column. Arrow keys go from cell to cell." }
                        </caption>
                        { head(&props.show, &grid) }
                        <tbody>{ for grid.rows.iter().enumerate().map(|(at, row)|
                            row_html(&props.show, &grid, (at, row), stop, &open)) }</tbody>
                    </table>
                }
            </div>
        </div>
    }
}

fn choose(by: &UseStateHandle<By>) -> Html {
    let button = |which: By, words: &'static str| {
        let by = by.clone();
        let on = *by == which;
        html! {
            <button type="button" class="toggle" aria-pressed={on.to_string()}
                onclick={Callback::from(move |_: MouseEvent| by.set(which))}>{ words }</button>
        }
    };
    html! {
        <div class="links-matrix-bar">
            <span class="muted">{ "Columns" }</span>
            <div class="segmented" role="group" aria-label="Columns">
                { button(By::Owner, "Providers") }{ button(By::Type, "Types") }
            </div>
        </div>
    }
}

fn head(show: &Show, grid: &Grid) -> Html {
    html! {
        <thead><tr>
            <td class="matrix-corner"><span>{ "consumes ↓" }</span><span>{ "from →" }</span></td>
            { for grid.columns.iter().map(|heading| html! {
                <th scope="col" class={classes!("matrix-column", matches!(heading, Heading::Nobody).then_some("nobody"))}>
                    { heading_html(show, heading) }
                </th>
            }) }
        </tr></thead>
    }
}

fn heading_html(show: &Show, heading: &Heading) -> Html {
    match heading {
        Heading::Nobody => html! { <span class="muted">{ "nobody" }</span> },
        Heading::Type(name) => html! { <span title={name.clone()}>{ name }</span> },
        Heading::Owner(at) => {
            let name = show.model.owner_name(*at);
            html! {
                <button type="button" class="matrix-name" tabindex="-1" title={name.clone()}
                    onclick={show.picks(Pick::Owner(*at))}>{ name.clone() }</button>
            }
        }
    }
}

fn row_html(
    show: &Show,
    grid: &Grid,
    (at, row): (usize, &Row),
    stop: Option<(usize, usize)>,
    open: &UseStateHandle<BTreeSet<String>>,
) -> Html {
    let name = row.name(&show.model);
    html! {
        <tr key={format!("{} {name}", row.owner)} class={classes!(row.link.is_some().then_some("matrix-single"))}>
            <th scope="row">{ row_head(show, row, &name, open) }</th>
            { for row.cells.iter().enumerate().map(|(column, cell)| {
                let heading = grid.columns.get(column).map(|it| it.name(&show.model)).unwrap_or_default();
                html! { <td>{ cell_html(show, cell, (at, column), stop == Some((at, column)), (&name, &heading)) }</td> }
            }) }
        </tr>
    }
}

fn row_head(show: &Show, row: &Row, name: &str, open: &UseStateHandle<BTreeSet<String>>) -> Html {
    if row.link.is_some() {
        return html! { <span class="matrix-consumer" title={name.to_owned()}>{ name }</span> };
    }
    let owner = show.model.owner_name(row.owner);
    let shut = !open.contains(&owner);
    let onclick = {
        let (open, owner) = (open.clone(), owner.clone());
        Callback::from(move |_: MouseEvent| open.set(toggled(&open, &owner)))
    };
    html! {
        <button type="button" class="matrix-owner" aria-expanded={(!shut).to_string()} title={owner.clone()} {onclick}>
            { (if shut { IconName::ChevronRight } else { IconName::ChevronDown }).html() }
            <span>{ name }</span>
        </button>
    }
}

/// The worst that became of the links of a cell, and how many there are.
fn cell_html(
    show: &Show,
    cell: &Cell,
    (row, column): (usize, usize),
    is_stop: bool,
    (from, to): (&str, &str),
) -> Html {
    let Some(worst) = cell.worst else { return Html::default() };
    let picked = cell.links.iter().any(|link| show.is_picked(*link));
    let said = format!("{from}, {to}: {}, {}", count(cell.links.len(), "link"), cell.words);
    html! {
        <button type="button" class={classes!("matrix-cell", worst.is_failure().then_some("failed"))}
            data-cell={format!("{row} {column}")} tabindex={if is_stop { "0" } else { "-1" }}
            aria-pressed={picked.to_string()} aria-label={said.clone()} title={said} onclick={show.picks(Pick::of(&cell.links))}>
            { outcome_mark(worst, false) }
            if cell.links.len() > 1 { <span>{ cell.links.len() }</span> }
        </button>
    }
}

/// Row and column of the cell that an element is in.
fn place(element: &web_sys::Element) -> Option<(usize, usize)> {
    let cell = element.closest("[data-cell]").ok().flatten()?;
    let text = cell.get_attribute("data-cell")?;
    let (row, column) = text.split_once(' ')?;
    Some((row.parse().ok()?, column.parse().ok()?))
}

/// Arrow keys go to the next cell that holds something, Home and End to the ends of the row.
fn walk(event: KeyboardEvent) {
    let Some(from) = dom::origin(&event) else { return };
    let (Some(at), Some(table)) = (place(&from), from.closest("table").ok().flatten()) else { return };
    let cells = rove::matching(&table, "[data-cell]");
    let stops: Vec<(usize, usize)> = cells.iter().filter_map(|it| place(it)).collect();
    let to = step(&stops, at, &event.key()).and_then(|to| cells.iter().find(|it| place(it) == Some(to)));
    if let Some(cell) = to.and_then(|it| it.dyn_ref::<HtmlElement>()) {
        event.prevent_default();
        let _ = cell.focus();
    }
}
