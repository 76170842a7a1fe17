//! One file in the list.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement};
use workspace::view::Role;
use yew::prelude::*;

use super::{FileProblems, RailEvent};
use crate::{
    Apart, IconName, LayerBadge, MenuButton, MenuItem, chips::problems_sentence, focus::focus_when_found,
};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct RowProps {
    pub at: usize,
    pub count: usize,
    pub layer: LayerBadge,
    pub problems: FileProblems,
    pub package: Option<AttrValue>,
    pub selected: bool,
    pub renaming: bool,
    /// It is being dragged.
    pub held: bool,
    pub on_grab: Callback<AttrValue>,
    pub list: NodeRef,
    /// Starts (or with `None` ends) the renaming of a row.
    pub on_rename: Callback<Option<usize>>,
    pub on_event: Callback<RailEvent>,
}

#[component]
pub(super) fn Row(props: &RowProps) -> Html {
    let onpointerdown = {
        let (on_grab, letter) = (props.on_grab.clone(), props.layer.letter.clone());
        Callback::from(move |event: PointerEvent| {
            if event.button() == 0 {
                event.prevent_default();
                on_grab.emit(letter.clone());
            }
        })
    };
    let LayerBadge { file, letter, number, apart, .. } = &props.layer;
    let class = classes!(
        "rail-row",
        props.layer.class(),
        props.selected.then_some("selected"),
        props.held.then_some("held"),
        props.layer.muted.then_some("muted"),
    );
    html! {
        <li {class}>
            <span class="rail-grip" aria-hidden="true" title="Drag to reorder" {onpointerdown}>
                { IconName::Grip.html() }
            </span>
            if props.renaming {
                <span class="layer-letter" aria-hidden="true">{ letter }</span>
                <NameInput name={file.clone()} on_done={done(props)} />
            } else {
                <button type="button" class="rail-open" title={file.clone()}
                    aria-current={props.selected.then_some("true")}
                    aria-keyshortcuts="F2 Delete M S Alt+ArrowUp Alt+ArrowDown"
                    onclick={emit(props, RailEvent::Open(props.at))} ondblclick={rename(props)}
                    onkeydown={keys(props)}>
                    <span class="layer-letter" aria-hidden="true">{ letter }</span>
                    <span class="rail-number">{ apart.as_ref().map_or_else(|| html! { { number.map(|it| it.to_string()).unwrap_or_default() } }, icon) }</span>
                    <span class="rail-name">{ file }</span>
                    if let Some(package) = &props.package {
                        <span class="rail-package" title={format!("From {package}: no order among its files")}>
                            { IconName::Payload.html() }
                            <span class="visually-hidden">{ format!("from {package}") }</span>
                        </span>
                    }
                    if props.layer.muted { <span class="rail-muted">{ "muted" }</span> }
                    { problems(props.problems) }
                </button>
                <MenuButton icon={IconName::More} label={format!("Actions for {file}")} items={menu(props)} />
            }
        </li>
    }
}

/// The sign that a file that is not merged has in place of a number.
fn icon(apart: &Apart) -> Html {
    let icon = match apart.role {
        Role::Catalog => IconName::Versions,
        Role::Lock => IconName::Lock,
        Role::Layer
        | Role::Operations
        | Role::Variables
        | Role::Release
        | Role::Request
        | Role::Types
        | Role::Specification
        | Role::Fixtures
        | Role::Problem
        | Role::State
        | Role::Observed
        | Role::Plan
        | Role::Other => IconName::File,
    };
    let title = &apart.title;
    html! {
        <span class="rail-apart" title={format!("{title}: not merged")}>
            { icon.html() }<span class="visually-hidden">{ format!("{title}, not merged") }</span>
        </span>
    }
}

/// Errors and warnings, as the problems count them; in the colour of the worst.
fn problems(problems: FileProblems) -> Html {
    let FileProblems { errors, warnings } = problems;
    let count = errors + warnings;
    if count == 0 {
        return Html::default();
    }
    let class = if errors > 0 { "severity-error" } else { "severity-warning" };
    let said = problems_sentence(Some(errors), warnings);
    html! {
        <span class={classes!("rail-problems", class)} title={said.clone()}>
            <span aria-hidden="true">{ count }</span><span class="visually-hidden">{ said }</span>
        </span>
    }
}

fn menu(props: &RowProps) -> Vec<MenuItem> {
    let run = |event: RailEvent| props.on_event.reform(move |()| event.clone());
    let at = props.at;
    let rename = props.on_rename.reform(move |()| Some(at));
    let muted = props.layer.muted;
    vec![
        MenuItem::new(IconName::Pencil, "Rename", rename).keys("F2"),
        MenuItem::new(IconName::ChevronUp, "Move up", run(RailEvent::Move(at, at.saturating_sub(1))))
            .keys("Alt ↑")
            .enabled(at > 0),
        MenuItem::new(IconName::ChevronDown, "Move down", run(RailEvent::Move(at, at + 1)))
            .keys("Alt ↓")
            .enabled(at + 1 < props.count),
        MenuItem::new(IconName::Eye, if muted { "Unmute" } else { "Mute" }, run(RailEvent::Mute(at, !muted)))
            .keys("M"),
        MenuItem::new(IconName::Filter, "Solo: mute all others", run(RailEvent::Solo(at))).keys("S"),
        MenuItem::new(IconName::Export, "Download", run(RailEvent::Download(at))),
        MenuItem::new(IconName::Trash, "Delete", run(RailEvent::Delete(at))).keys("Del"),
    ]
}

fn emit(props: &RowProps, event: RailEvent) -> Callback<MouseEvent> {
    props.on_event.reform(move |_| event.clone())
}

fn rename(props: &RowProps) -> Callback<MouseEvent> {
    let at = props.at;
    props.on_rename.reform(move |_| Some(at))
}

fn done(props: &RowProps) -> Callback<Option<String>> {
    let (on_rename, on_event, at) = (props.on_rename.clone(), props.on_event.clone(), props.at);
    let list = props.list.clone();
    Callback::from(move |name: Option<String>| {
        on_rename.emit(None);
        if let Some(name) = name {
            on_event.emit(RailEvent::Rename(at, name));
        }
        // The input is gone with this: the focus goes back to the row.
        focus_when(&list, at, |_| true);
    })
}

fn keys(props: &RowProps) -> Callback<KeyboardEvent> {
    let props = props.clone();
    Callback::from(move |event: KeyboardEvent| {
        let at = props.at;
        let (up, down) = (at.checked_sub(1), (at + 1 < props.count).then_some(at + 1));
        match (event.key().as_str(), event.alt_key()) {
            ("ArrowUp", true) => up.into_iter().for_each(|to| move_row(&props, to)),
            ("ArrowDown", true) => down.into_iter().for_each(|to| move_row(&props, to)),
            ("ArrowUp", false) => up.into_iter().for_each(|to| focus_row(&props.list, to)),
            ("ArrowDown", false) => down.into_iter().for_each(|to| focus_row(&props.list, to)),
            ("m" | "M", false) if is_plain(&event) => {
                props.on_event.emit(RailEvent::Mute(at, !props.layer.muted));
            }
            ("s" | "S", false) if is_plain(&event) => props.on_event.emit(RailEvent::Solo(at)),
            ("F2", _) => props.on_rename.emit(Some(at)),
            ("Delete", _) => {
                props.on_event.emit(RailEvent::Delete(at));
                let left = props.count - 1;
                let is_gone = move |list: &Element| list.child_element_count() as usize == left;
                focus_when(&props.list, down.map_or(at.saturating_sub(1), |_| at), is_gone);
            }
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    })
}

fn is_plain(event: &KeyboardEvent) -> bool {
    !event.ctrl_key() && !event.meta_key()
}

fn move_row(props: &RowProps, to: usize) {
    props.on_event.emit(RailEvent::Move(props.at, to));
    // A row that changes its place in the page loses the focus.
    let letter = props.layer.letter.clone();
    focus_when(&props.list, to, move |list| {
        let row = list.children().item(to as u32);
        let shown = row.and_then(|row| row.query_selector(".layer-letter").ok().flatten());
        shown.is_some_and(|it| it.text_content().as_deref() == Some(letter.as_str()))
    });
}

/// Puts the focus on a row once the list is as it will be.
fn focus_when(list: &NodeRef, at: usize, is_rendered: impl Fn(&Element) -> bool + 'static) {
    let list = list.clone();
    focus_when_found(move || {
        let is_rendered = list.cast::<Element>().is_some_and(|list| is_rendered(&list));
        if is_rendered { button(&list, at) } else { None }
    });
}

fn focus_row(list: &NodeRef, at: usize) {
    if let Some(button) = button(list, at) {
        let _ = button.focus();
    }
}

/// The button that opens the file of a row; `None` while the file is being renamed.
fn button(list: &NodeRef, at: usize) -> Option<HtmlElement> {
    let row = list.cast::<Element>()?.children().item(at as u32)?;
    row.query_selector(".rail-open").ok()??.dyn_into().ok()
}

#[derive(Clone, PartialEq, Properties)]
struct NameInputProps {
    name: AttrValue,
    /// The new name; `None` when it is to stay as it was.
    on_done: Callback<Option<String>>,
}

#[component]
fn NameInput(props: &NameInputProps) -> Html {
    let node = use_node_ref();
    let finished = use_mut_ref(|| false);
    // The text is set once: as a property, each rendering would put the old name over what is being typed.
    {
        let (node, name) = (node.clone(), props.name.clone());
        use_effect_with((), move |()| {
            if let Some(input) = node.cast::<HtmlInputElement>() {
                let stem = name.rfind('.').unwrap_or(name.len()) as u32;
                input.set_value(&name);
                let _ = input.focus();
                let _ = input.set_selection_range(0, stem);
            }
        });
    }
    // Taking the input away also blurs it: only the first of both counts.
    let finish = {
        let (node, on_done) = (node.clone(), props.on_done.clone());
        move |keep: bool| {
            if !finished.replace(true) {
                on_done.emit(node.cast::<HtmlInputElement>().filter(|_| keep).map(|input| input.value()));
            }
        }
    };
    let onblur = {
        let finish = finish.clone();
        Callback::from(move |_: FocusEvent| finish(true))
    };
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        event.stop_propagation();
        match event.key().as_str() {
            "Enter" => finish(true),
            "Escape" => finish(false),
            _ => {}
        }
    });
    html! {
        <input ref={node} class="rail-input" type="text" aria-label={format!("New name of {}", props.name)}
            spellcheck="false" autocomplete="off" {onblur} {onkeydown} />
    }
}
