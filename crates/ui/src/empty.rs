//! What is shown before there is anything.

use std::rc::Rc;

use workspace::view::LayoutView;
use yew::prelude::*;

use crate::{IconName, picture::picture};

/// An example to start from.
#[derive(Clone, Debug, PartialEq)]
pub struct ExampleView {
    /// What it is called.
    pub title: AttrValue,
    /// What it shows, in one line.
    pub line: AttrValue,
    /// Its graph; `None` while it is made.
    pub layout: Option<Rc<LayoutView>>,
}

/// What a person starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyEvent {
    /// Picks files or a zip.
    Files,
    /// Picks a folder.
    Folder,
    /// Takes what was copied.
    Paste,
    /// Starts with an empty file.
    New,
    /// Opens an example, by its place.
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
            <ul class="empty-examples">
                { for examples.iter().enumerate().map(|(at, example)| card(on_event, at, example)) }
            </ul>
        </section>
    }
}

fn card(on_event: &Callback<EmptyEvent>, at: usize, example: &ExampleView) -> Html {
    html! {
        <li>
            <button type="button" class="empty-card"
                onclick={on_event.reform(move |_: MouseEvent| EmptyEvent::Example(at))}>
                { picture(example.layout.as_deref()) }
                <span class="empty-card-title">{ &example.title }</span>
                <span class="empty-card-line">{ &example.line }</span>
            </button>
        </li>
    }
}
