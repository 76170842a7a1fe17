//! The files as an ordered stack of layers: the last one wins.

mod drag;
mod row;

use std::rc::Rc;

use yew::prelude::*;

use crate::{IconButton, IconName, LayerBadge, MenuButton, MenuItem, dom};
use row::Row;

/// An action of the user on the files. Files are identified by their index in the order, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RailEvent {
    /// Opens one in the editor.
    Open(usize),
    /// Adds an empty one.
    New,
    /// Gives one another name.
    Rename(usize, String),
    /// Takes one away.
    Delete(usize),
    /// Leaves one out of merging and planning if true, or includes it again.
    Mute(usize, bool),
    /// Leaves out all but one, or none.
    Solo(usize),
    /// Takes hold of one to move it.
    Grab,
    /// Moves one to another place.
    Move(usize, usize),
    /// Releases it; true if it stays at its new place.
    Drop(bool),
    /// Picks files to add.
    ImportFiles,
    /// Picks a folder to add.
    ImportFolder,
    /// A folder is to be opened, and saved back into.
    OpenFolder,
    /// Saves all as a zip package.
    ExportZip,
    /// Saves one.
    Download(usize),
    /// Shows the examples.
    Examples,
    /// Shows the workspaces of this browser.
    Workspaces,
    /// Folds or unfolds the rail.
    Fold,
}

/// The number of problems of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileProblems {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
}

/// Properties of [`Rail`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct RailProps {
    /// The files in merge order.
    pub layers: Rc<Vec<LayerBadge>>,
    /// The number of problems of each file.
    pub problems: Rc<Vec<FileProblems>>,
    /// The package each came from.
    pub packages: Rc<Vec<Option<AttrValue>>>,
    /// The one in the editor.
    pub selected: Option<usize>,
    /// True if only badges are shown.
    pub folded: bool,
    /// Called with each action of the user.
    pub on_event: Callback<RailEvent>,
}

/// The list of files.
#[component]
pub fn Rail(props: &RailProps) -> Html {
    dom::note_drawn("Rail");
    let renaming = use_state_eq(|| None::<usize>);
    let list = use_node_ref();
    let drag = drag::use_drag(&list, &props.layers, &props.on_event);
    let emit = |event: RailEvent| props.on_event.reform(move |_: MouseEvent| event.clone());
    html! {
        <nav class={classes!("rail", props.folded.then_some("rail-folded"))} aria-label="Files">
            <div class="rail-head">
                <h2 class="rail-title">{ "Files" }</h2>
                { IconButton::new(IconName::Plus, "New file", emit(RailEvent::New)).html() }
                <MenuButton icon={IconName::More} label="Import and export" items={menu(props)} />
                { IconButton::new(IconName::Sidebar, "Fold the files", emit(RailEvent::Fold))
                    .class("rail-fold").pressed(props.folded).html() }
            </div>
            <ol ref={list.clone()} class="rail-list">
                { for props.layers.iter().enumerate().map(|(at, layer)| html! {
                    <Row key={layer.letter.to_string()} {at} layer={layer.clone()} count={props.layers.len()}
                        problems={props.problems.get(at).copied().unwrap_or_default()}
                        package={props.packages.get(at).cloned().flatten()}
                        selected={props.selected == Some(at)} renaming={*renaming == Some(at)}
                        held={drag.held.as_ref() == Some(&layer.letter)} on_grab={drag.grab.clone()}
                        list={list.clone()} on_rename={renaming.setter_callback()}
                        on_event={props.on_event.clone()} />
                }) }
            </ol>
            if props.layers.iter().filter(|it| it.apart.is_none()).count() > 1 {
                <p class="rail-note">{ "Merged from top to bottom: the last file wins." }</p>
            }
            <button type="button" class="rail-examples" title="All examples" aria-haspopup="dialog"
                onclick={emit(RailEvent::Examples)}>
                { IconName::Layers.html() }<span>{ "Examples" }</span>
            </button>
        </nav>
    }
}

fn menu(props: &RailProps) -> Vec<MenuItem> {
    let run = |event: RailEvent| props.on_event.reform(move |()| event.clone());
    let any = !props.layers.is_empty();
    vec![
        MenuItem::new(IconName::Import, "Import files or a zip…", run(RailEvent::ImportFiles)),
        MenuItem::new(IconName::Folder, "Open a folder…", run(RailEvent::OpenFolder)),
        MenuItem::new(IconName::Folder, "Import a folder…", run(RailEvent::ImportFolder)),
        MenuItem::new(IconName::Export, "Export as zip", run(RailEvent::ExportZip)).enabled(any),
        MenuItem::new(IconName::Layers, "Workspaces…", run(RailEvent::Workspaces)),
    ]
}

/// A state handle's setter as a callback.
trait SetterCallback<T> {
    fn setter_callback(&self) -> Callback<T>;
}

impl<T: PartialEq + 'static> SetterCallback<T> for UseStateHandle<T> {
    fn setter_callback(&self) -> Callback<T> {
        let setter = self.setter();
        Callback::from(move |value| setter.set(value))
    }
}
