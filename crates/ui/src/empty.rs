//! What is shown before there is anything.

use std::rc::Rc;

use workspace::view::LayoutView;
use yew::prelude::*;

use crate::{Icon, IconName, Picture};

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

/// Properties of [`Empty`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct EmptyProps {
    /// Examples to start from.
    pub examples: Vec<ExampleView>,
    /// Something is chosen.
    pub on_event: Callback<EmptyEvent>,
}

/// The page before there is anything.
#[component]
pub fn Empty(props: &EmptyProps) -> Html {
    let button = |event: EmptyEvent, icon: IconName, label: &'static str| {
        html! {
            <button type="button" class="button" onclick={props.on_event.reform(move |_: MouseEvent| event)}>
                <Icon name={icon} />{ label }
            </button>
        }
    };
    html! {
        <section class="empty" aria-labelledby="empty-title">
            <div class="empty-drop">
                <Icon name={IconName::Layers} class="empty-icon" />
                <h2 id="empty-title">{ "Drop YAML files, a folder or a zip" }</h2>
                <p>{ "See the merged model, every problem where it was written, the graph and the plan. \
                    Nothing leaves this browser." }</p>
                <div class="empty-buttons">
                    { button(EmptyEvent::Files, IconName::Import, "Choose files or a zip") }
                    { button(EmptyEvent::Folder, IconName::Folder, "Choose a folder") }
                    { button(EmptyEvent::Paste, IconName::Copy, "Paste") }
                    { button(EmptyEvent::New, IconName::Plus, "New file") }
                </div>
            </div>
            <h3 class="empty-or">{ "Or start from an example" }</h3>
            <ul class="empty-examples">
                { for props.examples.iter().enumerate().map(|(at, example)| card(props, at, example)) }
            </ul>
        </section>
    }
}

fn card(props: &EmptyProps, at: usize, example: &ExampleView) -> Html {
    html! {
        <li>
            <button type="button" class="empty-card"
                onclick={props.on_event.reform(move |_: MouseEvent| EmptyEvent::Example(at))}>
                <Picture layout={example.layout.clone()} />
                <span class="empty-card-title">{ &example.title }</span>
                <span class="empty-card-line">{ &example.line }</span>
            </button>
        </li>
    }
}
