//! The lines that can be seen, and the card of the active one.

use std::{cell::RefCell, rc::Rc};

use gloo::timers::callback::Timeout;
use web_sys::Element;
use workspace::view::{LocationView, MergeView};
use yew::prelude::*;

use super::{
    SetValue,
    bar::bar,
    card::Card,
    filter::{self, Filter},
    lines::{self, Line},
    row::{self, LineRow},
};
use crate::{
    LayerBadge, dom,
    views::{
        Same,
        size::use_size,
        window::{self, Window},
    },
};

/// Height of a line in pixels; the same as in `.merged-line` in `static/views.css`.
pub(super) const ROW: i32 = 20;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct DocumentProps {
    pub(super) merge: Same<MergeView>,
    pub(super) lines: Same<Vec<Line>>,
    pub(super) layers: Same<Vec<LayerBadge>>,
    pub(super) on_goto: Callback<LocationView>,
    pub(super) on_set: Option<Callback<SetValue>>,
    pub(super) reveal: Option<AttrValue>,
}

/// The active line: the card is shown for it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Look {
    /// The line's place in the document.
    pub(super) line: usize,
    /// By key or click: it stays when the mouse leaves.
    pub(super) pinned: bool,
    /// The card is a form.
    pub(super) editing: bool,
}

#[component]
pub(super) fn Document(props: &DocumentProps) -> Html {
    let filter = use_state(Filter::default);
    let look = use_state(|| None::<Look>);
    let view = use_state(Window::default);
    let scroller = use_node_ref();
    let rest = use_mut_ref(|| None::<Timeout>);
    let shown = use_memo((props.lines.clone(), (*filter).clone()), |(lines, filter)| filter.keep(lines));
    let hits =
        use_memo((props.lines.clone(), filter.find.clone()), |(lines, find)| filter::find(lines, find));

    let measure = {
        let (view, scroller) = (view.clone(), scroller.clone());
        Callback::from(move |()| {
            if let Some(element) = scroller.cast::<Element>() {
                view.set(Window::of(element.scroll_top(), element.client_height(), ROW));
            }
        })
    };
    use_size(scroller.clone(), measure.clone());
    let go_to_row = {
        let scroller = scroller.clone();
        Callback::from(move |row: usize| {
            if let Some(element) = scroller.cast::<Element>() {
                let (top, height) = (element.scroll_top(), element.client_height());
                if let Some(top) = window::scroll_for(row, ROW, top, height) {
                    element.set_scroll_top(top);
                }
            }
        })
    };
    use_kept(props, &look);
    use_reveal(props, &look, &go_to_row);
    let parts = Parts { props, filter: &filter, look: &look, shown: &shown, go: &go_to_row, rest: &rest };
    let rows = view.rows(shown.len());
    let onscroll = measure.reform(|_: Event| ());
    html! {
        <>
            { bar(&parts, &hits) }
            <div class="pane-scroll merged-scroll" ref={scroller} {onscroll} onmouseleave={leave(&parts)}>
                <div class="merged-sheet" ~style={size(shown.len(), &props.lines)}>
                    <div class="merged-lines" role="listbox" tabindex="0"
                        aria-label="Lines of the merged document"
                        aria-activedescendant={look.as_ref().map(|look| row::id(look.line))}
                            onkeydown={keys(&parts)}>
                        { for rows.filter_map(|at| Some(one_row(&parts, at, *shown.get(at)?, &hits))) }
                    </div>
                    { card_of(&parts) }
                </div>
                if shown.is_empty() { <p class="pane-note">{ filter.nothing() }</p> }
            </div>
        </>
    }
}

/// The card goes when the files change their order or names, and when its line is not the same value any more: it must
/// not speak of one line over another.
#[hook]
fn use_kept(props: &DocumentProps, look: &UseStateHandle<Option<Look>>) {
    let before = use_mut_ref(|| (props.layers.clone(), props.lines.clone()));
    let look = look.clone();
    use_effect_with((props.layers.clone(), props.lines.clone()), move |now| {
        let (layers, lines) = before.replace(now.clone());
        let Some(at) = look.as_ref().map(|look| look.line) else { return };
        let pointer = |lines: &[Line]| lines.get(at).map(|line| line.pointer.clone());
        if layers != now.0 || pointer(&lines) != pointer(&now.1) {
            look.set(None);
        }
    });
}

/// Shows the card of the place that is to be seen: once, as soon as it is there.
#[hook]
fn use_reveal(props: &DocumentProps, look: &UseStateHandle<Option<Look>>, go: &Callback<usize>) {
    let shown = use_mut_ref(|| None::<AttrValue>);
    let (look, go) = (look.clone(), go.clone());
    use_effect_with((props.reveal.clone(), props.lines.clone()), move |(pointer, lines)| {
        if *shown.borrow() == *pointer {
            return;
        }
        let found = pointer.as_ref().and_then(|pointer| lines::line_of(lines, pointer));
        if let Some(line) = found {
            shown.replace(pointer.clone());
            go.emit(line);
            look.set(Some(Look { line, pinned: true, editing: false }));
        }
    });
}

/// The context that the parts of the pane are made from.
pub(super) struct Parts<'a> {
    pub(super) props: &'a DocumentProps,
    pub(super) filter: &'a UseStateHandle<Filter>,
    pub(super) look: &'a UseStateHandle<Option<Look>>,
    pub(super) shown: &'a Rc<Vec<usize>>,
    pub(super) go: &'a Callback<usize>,
    /// Runs while the mouse rests on a line.
    pub(super) rest: &'a Rc<RefCell<Option<Timeout>>>,
}

/// As high as all lines, as wide as the longest with its note.
fn size(rows: usize, lines: &[Line]) -> String {
    format!("height:{}px;min-width:calc({}ch + 120px)", window::top(rows, ROW), widest(lines))
}

fn widest(lines: &[Line]) -> usize {
    lines.iter().map(Line::width).max().unwrap_or(0).min(400)
}

fn leave(parts: &Parts<'_>) -> Callback<MouseEvent> {
    let (look, rest) = (parts.look.clone(), parts.rest.clone());
    Callback::from(move |_| {
        rest.take();
        if look.as_ref().is_some_and(|look| !look.pinned) {
            look.set(None);
        }
    })
}

/// Shows the card when the mouse rests and hides it when it moves on: it must not cover the text to be read.
fn hover(parts: &Parts<'_>) -> Callback<usize> {
    const REST: u32 = 350;
    let (look, rest) = (parts.look.clone(), parts.rest.clone());
    Callback::from(move |line: usize| {
        if look.as_ref().is_some_and(|look| look.pinned) {
            return;
        }
        if look.as_ref().is_some_and(|look| look.line != line) {
            look.set(None);
        }
        let look = look.clone();
        let show = move || look.set(Some(Look { line, pinned: false, editing: false }));
        rest.replace(Some(Timeout::new(REST, show)));
    })
}

fn one_row(parts: &Parts<'_>, at: usize, line: usize, hits: &Rc<Vec<usize>>) -> Html {
    let Some(text) = parts.props.lines.get(line) else { return Html::default() };
    let badge = text.file().and_then(|file| LayerBadge::of(&parts.props.layers, file)).cloned();
    let looked = parts.look.as_ref().is_some_and(|look| look.line == line);
    let choose = |editing: bool| {
        let (look, rest) = (parts.look.clone(), parts.rest.clone());
        Callback::from(move |line: usize| {
            rest.take();
            look.set(Some(Look { line, pinned: true, editing }));
        })
    };
    html! {
        <LineRow key={line} lines={parts.props.lines.clone()} {line} top={window::top(at, ROW)} {badge} {looked}
            count={parts.shown.len()} position={at + 1}
            hit={hits.binary_search(&line).is_ok()} find={parts.filter.find.clone()}
                can_edit={parts.props.on_set.is_some()}
            on_hover={hover(parts)} on_edit={choose(true)} on_choose={choose(false)}
                on_goto={parts.props.on_goto.clone()} />
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
        <Card key={format!("card {}", look.line)} merge={parts.props.merge.clone()}
            lines={parts.props.lines.clone()} line={look.line} layers={parts.props.layers.clone()}
            top={window::top(at + 1, ROW)} last={at + 6 > parts.shown.len() && at > 8} pinned={look.pinned}
                editing={look.editing} on_goto={parts.props.on_goto.clone()}
            on_set={parts.props.on_set.clone()} on_edit={edit} on_close={close} />
    }
}

/// Arrows walk the lines, Enter goes to the source, `e` changes the value, Escape puts the card away.
fn keys(parts: &Parts<'_>) -> Callback<KeyboardEvent> {
    let (look, shown, go) = (parts.look.clone(), parts.shown.clone(), parts.go.clone());
    let (lines, on_goto, can_edit) =
        (parts.props.lines.clone(), parts.props.on_goto.clone(), parts.props.on_set.is_some());
    Callback::from(move |event: KeyboardEvent| {
        let within = dom::origin(&event);
        if !within.is_some_and(|element| element.matches(".merged-lines").unwrap_or(false)) {
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
