//! The merged pane: the document that will be used, every line with who wrote it.

mod affected;
mod card;
mod editor;
mod filter;
mod lines;
mod row;
mod weave;
mod window;

use std::rc::Rc;

use web_sys::{Element, HtmlInputElement};
use workspace::view::{LocationView, MergeView};
use yew::prelude::*;

use self::{
    card::Card,
    filter::{Filter, Only},
    lines::{Line, lines},
    row::LineRow,
    window::Window,
};
use super::{Same, place::stale_strip};
use crate::{Icon, IconName, LayerBadge};

/// Properties of [`MergedPane`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct MergedPaneProps {
    /// The merged document with its origins.
    pub merge: Rc<MergeView>,
    /// The files in merge order.
    pub layers: Rc<Vec<LayerBadge>>,
    /// The files cannot be read at the moment; this is the last document.
    #[prop_or_default]
    pub stale: bool,
    /// Called with the place that wrote a line.
    pub on_goto: Callback<LocationView>,
    /// Called with a value to write; without it lines cannot be changed here.
    #[prop_or_default]
    pub on_set: Option<Callback<SetValue>>,
    /// The place in the document to bring into view, e.g. the one under the cursor of the editor.
    #[prop_or_default]
    pub reveal: Option<AttrValue>,
}

/// A value to be written into one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetValue {
    /// The file that is to say so.
    pub file: String,
    /// The place in the merged document.
    pub pointer: String,
    /// The value as YAML.
    pub yaml: String,
}

/// The merged document.
#[component]
pub fn MergedPane(props: &MergedPaneProps) -> Html {
    let lines = use_memo(Same(props.merge.clone()), |merge| lines(merge));
    let body = if lines.is_empty() {
        html! {
            <div class="pane-empty">
                <Icon name={IconName::Merge} />
                <p class="pane-empty-title">{ "Nothing to merge yet" }</p>
                <p>{ "Add a descriptor: the document that all files make together is shown here." }</p>
            </div>
        }
    } else {
        html! {
            <Document merge={Same(props.merge.clone())} lines={Same(lines)} layers={Same(props.layers.clone())}
                on_goto={props.on_goto.clone()} on_set={props.on_set.clone()} reveal={props.reveal.clone()} />
        }
    };
    html! {
        <section class="merged pane" aria-label="Merged document">
            { stale_strip(props.stale) }
            { body }
        </section>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct DocumentProps {
    merge: Same<MergeView>,
    lines: Same<Vec<Line>>,
    layers: Same<Vec<LayerBadge>>,
    on_goto: Callback<LocationView>,
    on_set: Option<Callback<SetValue>>,
    reveal: Option<AttrValue>,
}

/// The line that is looked at: the card is shown for it.
#[derive(Clone, Debug, PartialEq)]
struct Look {
    /// The line's place in the document.
    line: usize,
    /// By key or click: it stays when the mouse leaves.
    pinned: bool,
    /// The card is a form.
    editing: bool,
}

#[component]
fn Document(props: &DocumentProps) -> Html {
    let filter = use_state(Filter::default);
    let look = use_state(|| None::<Look>);
    let view = use_state(Window::default);
    let scroller = use_node_ref();
    let shown = use_memo((props.lines.clone(), (*filter).clone()), |(lines, filter)| filter.keep(lines));
    let hits =
        use_memo((props.lines.clone(), filter.find.clone()), |(lines, find)| filter::find(lines, find));

    let measure = {
        let (view, scroller) = (view.clone(), scroller.clone());
        Callback::from(move |()| {
            if let Some(element) = scroller.cast::<Element>() {
                view.set(Window::of(element.scroll_top(), element.client_height()));
            }
        })
    };
    super::size::use_size(scroller.clone(), measure.clone());
    let go_to_row = {
        let scroller = scroller.clone();
        Callback::from(move |row: usize| {
            if let Some(element) = scroller.cast::<Element>() {
                let (top, height) = (element.scroll_top(), element.client_height());
                if let Some(top) = window::scroll_for(row, top, height) {
                    element.set_scroll_top(top);
                }
            }
        })
    };
    {
        let (look, go) = (look.clone(), go_to_row.clone());
        use_effect_with((props.reveal.clone(), props.lines.clone()), move |(pointer, lines)| {
            let found = pointer.as_ref().and_then(|pointer| lines::line_of(lines, pointer));
            if let Some(line) = found {
                go.emit(line);
                look.set(Some(Look { line, pinned: true, editing: false }));
            }
        });
    }
    let parts = Parts { props, filter: &filter, look: &look, shown: &shown, go: &go_to_row };
    let rows = view.rows(shown.len());
    let onscroll = measure.reform(|_: Event| ());
    html! {
        <>
            { bar(&parts, &hits) }
            <div class="pane-scroll merged-scroll" ref={scroller} {onscroll} onkeydown={keys(&parts)} tabindex="0" role="listbox"
                aria-label="Lines of the merged document" aria-activedescendant={look.as_ref().map(|look| row::id(look.line))}
                onmouseleave={leave(&look)}>
                <div class="merged-lines" role="presentation" style={format!("height:{}px;min-width:calc({}ch + 120px)", window::height(shown.len()), widest(&props.lines))}>
                    { for rows.filter_map(|at| shown.get(at).map(|&line| (at, line))).map(|(at, line)| one_row(&parts, at, line, &hits)) }
                    { card_of(&parts) }
                </div>
                if shown.is_empty() { <p class="pane-note">{ filter.nothing() }</p> }
            </div>
        </>
    }
}

/// What the pieces of the pane are made from.
struct Parts<'a> {
    props: &'a DocumentProps,
    filter: &'a UseStateHandle<Filter>,
    look: &'a UseStateHandle<Option<Look>>,
    shown: &'a Rc<Vec<usize>>,
    go: &'a Callback<usize>,
}

fn widest(lines: &[Line]) -> usize {
    lines.iter().map(Line::width).max().unwrap_or(0).min(400)
}

fn leave(look: &UseStateHandle<Option<Look>>) -> Callback<MouseEvent> {
    let look = look.clone();
    Callback::from(move |_| {
        if look.as_ref().is_some_and(|look| !look.pinned) {
            look.set(None);
        }
    })
}

fn one_row(parts: &Parts<'_>, at: usize, line: usize, hits: &Rc<Vec<usize>>) -> Html {
    let Some(text) = parts.props.lines.get(line) else { return Html::default() };
    let badge = text.file().and_then(|file| LayerBadge::of(&parts.props.layers, file)).cloned();
    let looked = parts.look.as_ref().is_some_and(|look| look.line == line);
    let choose = |editing: bool, pinned: bool| {
        let look = parts.look.clone();
        Callback::from(move |line: usize| {
            if pinned || !look.as_ref().is_some_and(|look| look.pinned) {
                look.set(Some(Look { line, pinned, editing }));
            }
        })
    };
    html! {
        <LineRow key={line} lines={parts.props.lines.clone()} {line} top={window::top(at)} {badge} {looked} count={parts.shown.len()} position={at + 1}
            hit={hits.binary_search(&line).is_ok()} find={parts.filter.find.clone()} can_edit={parts.props.on_set.is_some()}
            on_hover={choose(false, false)} on_edit={choose(true, true)} on_choose={choose(false, true)} on_goto={parts.props.on_goto.clone()} />
    }
}

fn card_of(parts: &Parts<'_>) -> Html {
    let Some(look) = &**parts.look else { return Html::default() };
    let Some(at) = parts.shown.iter().position(|line| *line == look.line) else { return Html::default() };
    let close = {
        let look = parts.look.clone();
        Callback::from(move |()| look.set(None))
    };
    let edit = {
        let (handle, line) = (parts.look.clone(), look.line);
        Callback::from(move |()| handle.set(Some(Look { line, pinned: true, editing: true })))
    };
    html! {
        <Card key={look.line} merge={parts.props.merge.clone()} lines={parts.props.lines.clone()} line={look.line} layers={parts.props.layers.clone()}
            top={window::top(at + 1)} last={at + 6 > parts.shown.len() && at > 8} pinned={look.pinned} editing={look.editing} on_goto={parts.props.on_goto.clone()}
            on_set={parts.props.on_set.clone()} on_edit={edit} on_close={close} />
    }
}

/// Arrows walk the lines, Enter goes to the source, `e` changes the value, Escape puts the card away.
fn keys(parts: &Parts<'_>) -> Callback<KeyboardEvent> {
    let (look, shown, go) = (parts.look.clone(), parts.shown.clone(), parts.go.clone());
    let (lines, on_goto, can_edit) =
        (parts.props.lines.clone(), parts.props.on_goto.clone(), parts.props.on_set.is_some());
    Callback::from(move |event: KeyboardEvent| {
        if event.target() != event.current_target() {
            return;
        }
        let now = look.as_ref().and_then(|look| shown.iter().position(|line| *line == look.line));
        let page = 20;
        let last = shown.len().saturating_sub(1);
        let to = match event.key().as_str() {
            "ArrowDown" => now.map_or(0, |now| now + 1),
            "ArrowUp" => now.map_or(0, |now| now.saturating_sub(1)),
            "PageDown" => now.unwrap_or(0) + page,
            "PageUp" => now.unwrap_or(0).saturating_sub(page),
            "Home" => 0,
            "End" => last,
            key => {
                let current = look.as_ref().map(|look| look.line);
                match (key, current) {
                    ("Enter", Some(line)) => {
                        if let Some(place) = lines.get(line).and_then(Line::place) {
                            on_goto.emit(place.clone());
                        }
                    }
                    ("e" | "F2", Some(line)) if can_edit => {
                        look.set(Some(Look { line, pinned: true, editing: true }))
                    }
                    ("Escape", Some(_)) => look.set(None),
                    _ => return,
                }
                event.prevent_default();
                return;
            }
        };
        event.prevent_default();
        let to = to.min(last);
        if let Some(&line) = shown.get(to) {
            go.emit(to);
            look.set(Some(Look { line, pinned: true, editing: false }));
        }
    })
}

fn bar(parts: &Parts<'_>, hits: &Rc<Vec<usize>>) -> Html {
    let chip = |only: Only, words: &'static str, count: usize| {
        let (filter, on) = (parts.filter.clone(), parts.filter.only == Some(only));
        let onclick = Callback::from(move |_: MouseEvent| {
            let only = (filter.only != Some(only)).then_some(only);
            filter.set(Filter { only, ..(*filter).clone() });
        });
        html! {
            <button type="button" class="filter-chip" aria-pressed={if on { "true" } else { "false" }} {onclick} disabled={count == 0 && !on}>
                { words }<span class="count">{ count }</span>
            </button>
        }
    };
    let lines = &parts.props.lines;
    html! {
        <div class="pane-bar">
            { search(parts, hits) }
            <div class="chip-group" role="group" aria-label="Show only">
                { chip(Only::Overridden, "Overridden", lines.iter().filter(|line| line.is_overridden()).count()) }
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
            <Icon name={IconName::Search} />
            <input type="search" placeholder="Find a key or a value" aria-label="Find in the merged document" {oninput} {onkeydown}
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
