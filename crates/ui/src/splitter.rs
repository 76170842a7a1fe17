//! A border that can be moved by mouse, touch and keyboard.

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

/// Properties of [`Splitter`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct SplitterProps {
    /// The size that it changes, e.g. `Width of the files`.
    pub label: AttrValue,
    /// True if the border is a vertical line that moves to the left and right.
    pub vertical: bool,
    /// Its position: pixels, or percent of the length of its two neighbours.
    pub value: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// True if values are percent.
    #[prop_or_default]
    pub percent: bool,
    /// True if moving right or down makes the value smaller.
    #[prop_or_default]
    pub reverse: bool,
    /// The value that a double click restores.
    pub home: f64,
    /// Called with the new value when it was moved.
    pub on_move: Callback<f64>,
}

/// The start of a drag: the position of the pointer, the value, and the change of the value per pixel.
#[derive(Clone, Copy)]
struct Grip {
    at: f64,
    value: f64,
    per_pixel: f64,
}

/// A border that can be moved by mouse, touch and keyboard.
#[component]
pub fn Splitter(props: &SplitterProps) -> Html {
    let node = use_node_ref();
    let grip = use_mut_ref(|| None::<Grip>);
    // Keys may come faster than it is drawn again: each moves it on from where the one before has.
    let latest = use_mut_ref(|| props.value);
    *latest.borrow_mut() = props.value;
    let onpointerdown = {
        let (props, node, grip) = (props.clone(), node.clone(), grip.clone());
        Callback::from(move |event: PointerEvent| {
            let Some(element) = node.cast::<HtmlElement>().filter(|_| event.button() == 0) else { return };
            let _ = element.set_pointer_capture(event.pointer_id());
            *grip.borrow_mut() = Some(props.grip(&element, &event));
        })
    };
    let onpointermove = {
        let (props, grip) = (props.clone(), grip.clone());
        Callback::from(move |event: PointerEvent| {
            if let Some(grip) = *grip.borrow() {
                let moved = (props.along(&event) - grip.at) * grip.per_pixel;
                props.emit(grip.value + if props.reverse { -moved } else { moved });
            }
        })
    };
    let release = Callback::from(move |_: PointerEvent| *grip.borrow_mut() = None);
    let onkeydown = {
        let props = props.clone();
        Callback::from(move |event: KeyboardEvent| {
            let value = *latest.borrow();
            if let Some(value) = props.key(&event, value) {
                event.prevent_default();
                *latest.borrow_mut() = value.clamp(props.min, props.max);
                props.emit(value);
            }
        })
    };
    let ondblclick = {
        let props = props.clone();
        Callback::from(move |_: MouseEvent| props.emit(props.home))
    };
    let class = if props.vertical { "splitter splitter-vertical" } else { "splitter splitter-horizontal" };
    html! {
        <div ref={node} {class} role="separator" tabindex="0" aria-label={props.label.clone()}
            aria-orientation={if props.vertical { "vertical" } else { "horizontal" }}
            aria-valuenow={format!("{:.0}", props.value)} aria-valuemin={props.min.to_string()}
            aria-valuemax={props.max.to_string()}
            {onpointerdown} {onpointermove} onpointerup={release.clone()} onpointercancel={release}
            {onkeydown} {ondblclick} />
    }
}

impl SplitterProps {
    fn emit(&self, value: f64) {
        self.on_move.emit(value.clamp(self.min, self.max));
    }

    fn along(&self, event: &PointerEvent) -> f64 {
        f64::from(if self.vertical { event.client_x() } else { event.client_y() })
    }

    fn grip(&self, element: &HtmlElement, event: &PointerEvent) -> Grip {
        let per_pixel = if self.percent { 100.0 / self.room(element).max(1.0) } else { 1.0 };
        Grip { at: self.along(event), value: self.value, per_pixel }
    }

    /// The length of the two neighbours.
    fn room(&self, element: &HtmlElement) -> f64 {
        let neighbours = [element.previous_element_sibling(), element.next_element_sibling()];
        let length = |element: web_sys::Element| {
            let element = element.unchecked_into::<HtmlElement>();
            f64::from(if self.vertical { element.offset_width() } else { element.offset_height() })
        };
        neighbours.into_iter().flatten().map(length).sum()
    }

    /// The value that a key asks for, from the present one.
    fn key(&self, event: &KeyboardEvent, value: f64) -> Option<f64> {
        let step = match (self.percent, event.shift_key()) {
            (true, false) => 2.0,
            (true, true) => 10.0,
            (false, false) => 16.0,
            (false, true) => 64.0,
        };
        let step = if self.reverse { -step } else { step };
        match (event.key().as_str(), self.vertical) {
            ("ArrowLeft", true) | ("ArrowUp", false) => Some(value - step),
            ("ArrowRight", true) | ("ArrowDown", false) => Some(value + step),
            ("Home", _) => Some(self.min),
            ("End", _) => Some(self.max),
            ("Enter", _) => Some(self.home),
            _ => None,
        }
    }
}
