//! The layout of the page: top bar, files, editor, view and problems; stacked on narrower screens.

use yew::prelude::*;

use crate::{
    Pane, Splitter,
    dom::{note_drawn, use_media, use_properties},
};

/// The sizes of the parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Width of the files in pixels.
    pub rail: f64,
    /// The editor's share of the room it has with the view, in percent.
    pub editor: f64,
    /// Height of the problems in pixels.
    pub drawer: f64,
}

/// A border that was moved, with its new position: pixels or percent, as in [`Sizes`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moved {
    /// Between files and editor.
    Rail(f64),
    /// Between editor and view.
    Editor(f64),
    /// Above the problems.
    Drawer(f64),
}

/// Properties of [`Frame`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct FrameProps {
    /// The top bar.
    pub top: Html,
    /// The bars about errors of the machine.
    pub bars: Html,
    /// The files.
    pub rail: Html,
    /// The editor.
    pub editor: Html,
    /// The views.
    pub view: Html,
    /// The problems.
    pub drawer: Html,
    /// In place of editor, view and problems while there is nothing to show.
    #[prop_or_default]
    pub empty: Option<Html>,
    /// The bottom bar of narrow screens.
    pub bottom: Html,
    /// The layers above the page, such as dialogs.
    pub over: Html,
    /// The sizes of the parts.
    pub sizes: Sizes,
    /// True if only the badges of the files are shown.
    pub rail_folded: bool,
    /// True if the problems are shown.
    pub drawer_open: bool,
    /// The pane that a narrow screen shows.
    pub pane: Pane,
    /// A border was moved.
    pub on_move: Callback<Moved>,
}

/// The page.
#[component]
pub fn Frame(props: &FrameProps) -> Html {
    note_drawn("Frame");
    let node = use_node_ref();
    let Sizes { rail, editor, drawer } = props.sizes;
    use_properties(
        &node,
        vec![
            ("--rail-width", format!("{rail}px")),
            ("--editor-share", format!("{editor}fr")),
            ("--view-share", format!("{}fr", 100.0 - editor)),
            ("--drawer-height", format!("{drawer}px")),
        ],
    );
    let stacked = use_media("(max-width: 1099px)");
    let class = classes!(
        "frame",
        props.rail_folded.then_some("frame-rail-folded"),
        (!props.drawer_open).then_some("frame-drawer-closed"),
        props.empty.is_some().then_some("frame-empty"),
        format!("frame-pane-{}", props.pane.id()),
    );
    html! {
        <div ref={node} {class}>
            { props.top.clone() }
            <div class="bars">{ props.bars.clone() }</div>
            <main class="work">
                <div class="work-rail">{ props.rail.clone() }</div>
                <section class="work-edge" aria-label="Border of the files">
                    <Splitter label="Width of the files" vertical=true value={rail} min=160.0 max=420.0 home=220.0
                        on_move={props.on_move.reform(Moved::Rail)} />
                </section>
                if let Some(empty) = &props.empty {
                    <div class="work-main">{ empty.clone() }</div>
                } else {
                    <div class="work-main">{ panes(props, stacked) }</div>
                }
            </main>
            { props.bottom.clone() }
            { props.over.clone() }
        </div>
    }
}

/// Editor and view, beside each other or `stacked`, and the problems below.
fn panes(props: &FrameProps, stacked: bool) -> Html {
    let label = if stacked { "Height of the editor" } else { "Width of the editor" };
    html! {
        <>
            <div class="work-panes">
                <section class="work-editor" aria-label="Editor">{ props.editor.clone() }</section>
                <Splitter {label} vertical={!stacked} percent=true value={props.sizes.editor} min=20.0
                    max=80.0 home=50.0 on_move={props.on_move.reform(Moved::Editor)} />
                <section class="work-view" aria-label="Views">{ props.view.clone() }</section>
            </div>
            if props.drawer_open {
                <Splitter label="Height of the problems" vertical=false reverse=true value={props.sizes.drawer}
                    min=72.0 max=600.0 home=248.0 on_move={props.on_move.reform(Moved::Drawer)} />
            }
            <div class="work-drawer">{ props.drawer.clone() }</div>
        </>
    }
}
