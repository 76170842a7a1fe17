//! The examples as a gallery, and the page before there is anything.

use std::rc::Rc;

use workspace::view::LayoutView;
use yew::prelude::*;

use crate::{Dialog, IconButton, IconName, picture::picture};

/// An example to start from.
#[derive(Clone, Debug, PartialEq)]
pub struct ExampleView {
    /// Its title.
    pub title: AttrValue,
    /// The one lesson that it teaches, as a line.
    pub line: AttrValue,
    /// The view that shows it.
    pub tab: AttrValue,
    /// The icon of that view.
    pub icon: IconName,
    /// Its graph; `None` while it is made.
    pub layout: Option<Rc<LayoutView>>,
}

/// An action of the user on the empty page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyEvent {
    /// Picks files or a zip.
    Files,
    /// Picks a folder.
    Folder,
    /// Pastes from the clipboard.
    Paste,
    /// Starts with an empty file.
    New,
    /// Opens an example, by its index.
    Example(usize),
}

/// The page before there is anything.
pub fn empty(examples: &[ExampleView], on_event: &Callback<EmptyEvent>) -> Html {
    let button = |event: EmptyEvent, icon: IconName, label: &'static str| {
        html! {
            <button type="button" class="button" onclick={on_event.reform(move |_: MouseEvent| event)}>
                { icon.html() }{ label }
            </button>
        }
    };
    html! {
        <section class="empty" aria-labelledby="empty-title">
            <div class="empty-drop">
                { IconName::Layers.html_with("empty-icon") }
                <h2 id="empty-title">{ "Drop YAML files, a folder or a zip" }</h2>
                <p>{ "See the merged model, every problem at its line, the graph and the plan. Nothing \
                      leaves this browser." }</p>
                <div class="empty-buttons">
                    { button(EmptyEvent::Files, IconName::Import, "Choose files or a zip") }
                    { button(EmptyEvent::Folder, IconName::Folder, "Choose a folder") }
                    { button(EmptyEvent::Paste, IconName::Copy, "Paste") }
                    { button(EmptyEvent::New, IconName::Plus, "New file") }
                </div>
            </div>
            <h3 class="empty-or">{ "Or start from an example" }</h3>
            { cards(examples, on_event) }
        </section>
    }
}

/// Properties of [`Gallery`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct GalleryProps {
    /// The examples.
    pub examples: Rc<Vec<ExampleView>>,
    /// One opens in a tab of its own, and replaces nothing.
    pub opens_beside: bool,
    /// Called with the place of the one to open.
    pub on_open: Callback<usize>,
    /// It is closed.
    pub on_close: Callback<()>,
}

/// The dialog with all examples.
#[component]
pub fn Gallery(props: &GalleryProps) -> Html {
    let on_open = props.on_open.clone();
    let on_event = Callback::from(move |event| {
        if let EmptyEvent::Example(at) = event {
            on_open.emit(at);
        }
    });
    let note = match props.opens_beside {
        true => {
            "Each shows one feature, and opens in a new tab with the simulator. Your files stay as they are."
        }
        false => "Each shows one feature. Opening one replaces your files; Undo brings them back.",
    };
    html! {
        <Dialog label="Examples" class="gallery" on_close={props.on_close.clone()}>
            <div class="dialog-head">
                <h2>{ "Examples" }</h2>
                { IconButton::new(IconName::Close, "Close", props.on_close.reform(|_: MouseEvent| ())).html() }
            </div>
            <div class="gallery-body">
                <p class="muted">{ note }</p>
                { cards(&props.examples, &on_event) }
            </div>
        </Dialog>
    }
}

fn cards(examples: &[ExampleView], on_event: &Callback<EmptyEvent>) -> Html {
    html! {
        <ul class="empty-examples">
            { for examples.iter().enumerate().map(|(at, example)| card(on_event, at, example)) }
        </ul>
    }
}

fn card(on_event: &Callback<EmptyEvent>, at: usize, example: &ExampleView) -> Html {
    html! {
        <li>
            <button type="button" class="empty-card"
                onclick={on_event.reform(move |_: MouseEvent| EmptyEvent::Example(at))}>
                { picture(example.layout.as_deref(), example.icon) }
                <span class="empty-card-title">{ &example.title }</span>
                <span class="empty-card-line">{ &example.line }</span>
                <span class="empty-card-tab">{ format!("Opens in {}", example.tab) }</span>
            </button>
        </li>
    }
}
