//! A button that opens a list of commands.

use gloo::{events::EventListener, utils::document};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::{IconButton, IconName, dom::use_properties};

/// One command of a menu.
#[derive(Clone, Debug, PartialEq)]
pub struct MenuItem {
    /// Its label.
    pub label: AttrValue,
    /// Its icon.
    pub icon: IconName,
    /// The key that does the same.
    pub keys: Option<AttrValue>,
    /// True if it is not available now.
    pub disabled: bool,
    /// Runs the command.
    pub run: Callback<()>,
}

impl MenuItem {
    /// A command that can be given.
    pub fn new(icon: IconName, label: impl Into<AttrValue>, run: Callback<()>) -> Self {
        Self { label: label.into(), icon, keys: None, disabled: false, run }
    }

    /// With the key that does the same.
    #[must_use]
    pub fn keys(mut self, keys: impl Into<AttrValue>) -> Self {
        self.keys = Some(keys.into());
        self
    }

    /// Disables the command unless `enabled`.
    #[must_use]
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.disabled = !enabled;
        self
    }
}

/// Properties of [`MenuButton`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct MenuButtonProps {
    /// The icon of the button.
    pub icon: IconName,
    /// The label of the button.
    pub label: AttrValue,
    /// The commands.
    pub items: Vec<MenuItem>,
    /// True if it can be reached with the Tab key.
    #[prop_or(true)]
    pub tabbable: bool,
}

/// A button that opens a list of commands.
#[component]
pub fn MenuButton(props: &MenuButtonProps) -> Html {
    let host = use_node_ref();
    let open = use_state_eq(|| None::<[f64; 2]>);
    let close = {
        let (open, host) = (open.clone(), host.clone());
        Callback::from(move |refocus: bool| {
            open.set(None);
            if refocus && let Some(button) = inside(&host, "button") {
                let _ = button.focus();
            }
        })
    };
    let toggle = {
        let (open, host) = (open.clone(), host.clone());
        Callback::from(move |event: MouseEvent| {
            event.stop_propagation();
            let place = host.cast::<Element>().map(|host| below(&host)).filter(|_| open.is_none());
            open.set(place);
        })
    };
    use_closing(&host, open.is_some(), &close);
    html! {
        <span ref={host} class={classes!("menu-host", (!props.tabbable).then_some("menu-untabbed"))}>
            { IconButton::new(props.icon, props.label.clone(), toggle).expanded(open.is_some()).html() }
            if let Some(place) = *open {
                <Menu label={props.label.clone()} items={props.items.clone()} {place} {close} />
            }
        </span>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct MenuProps {
    label: AttrValue,
    items: Vec<MenuItem>,
    place: [f64; 2],
    close: Callback<bool>,
}

#[component]
fn Menu(props: &MenuProps) -> Html {
    let node = use_node_ref();
    let [left, top] = props.place;
    use_properties(&node, vec![("left", format!("{left}px")), ("top", format!("{top}px"))]);
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            if let Some(first) = inside(&node, "[role=menuitem]:not([disabled])") {
                let _ = first.focus();
            }
        });
    }
    let onkeydown = {
        let (node, close) = (node.clone(), props.close.clone());
        Callback::from(move |event: KeyboardEvent| {
            let step = match event.key().as_str() {
                "ArrowDown" => 1,
                "ArrowUp" => -1,
                "Escape" => {
                    event.stop_propagation();
                    return close.emit(true);
                }
                "Tab" => return close.emit(false),
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            focus_next(&node, step);
        })
    };
    html! {
        <div ref={node} class="menu" role="menu" aria-label={props.label.clone()} {onkeydown}>
            { for props.items.iter().map(|item| row(item, &props.close)) }
        </div>
    }
}

fn row(item: &MenuItem, close: &Callback<bool>) -> Html {
    let onclick = {
        let (run, close) = (item.run.clone(), close.clone());
        Callback::from(move |event: MouseEvent| {
            event.stop_propagation();
            close.emit(true);
            run.emit(());
        })
    };
    html! {
        <button type="button" role="menuitem" tabindex="-1" class="menu-item" disabled={item.disabled} {onclick}>
            { item.icon.html() }
            <span>{ &item.label }</span>
            if let Some(keys) = &item.keys { <kbd>{ keys }</kbd> }
        </button>
    }
}

/// Closes when an element beside it is pressed or the window changes.
#[hook]
fn use_closing(host: &NodeRef, open: bool, close: &Callback<bool>) {
    let (host, close) = (host.clone(), close.clone());
    use_effect_with(open, move |open| {
        let listener = open.then(|| {
            EventListener::new(&document(), "pointerdown", move |event| {
                let target = event.composed_path().get(0).dyn_into::<web_sys::Node>().ok();
                if host.get().is_some_and(|host| !host.contains(target.as_ref())) {
                    close.emit(false);
                }
            })
        });
        move || drop(listener)
    });
}

fn inside(node: &NodeRef, selector: &str) -> Option<HtmlElement> {
    node.cast::<Element>()?.query_selector(selector).ok().flatten()?.dyn_into().ok()
}

/// Below an element, inside the window.
fn below(host: &Element) -> [f64; 2] {
    const WIDTH: f64 = 232.0;
    let place = host.get_bounding_client_rect();
    let window = gloo::utils::window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or(WIDTH);
    [place.left().min(window - WIDTH - 8.0).max(8.0), place.bottom() + 4.0]
}

fn focus_next(menu: &NodeRef, step: i32) {
    let Some(menu) = menu.cast::<Element>() else { return };
    let Ok(items) = menu.query_selector_all("[role=menuitem]:not([disabled])") else { return };
    let items: Vec<HtmlElement> =
        (0..items.length()).filter_map(|idx| items.item(idx)?.dyn_into().ok()).collect();
    let focused = document().active_element();
    let at = items.iter().position(|item| focused.as_ref() == Some(item)).unwrap_or(0) as i32;
    let next = (at + step).rem_euclid(items.len().max(1) as i32);
    if let Some(item) = items.get(next as usize) {
        let _ = item.focus();
    }
}
