//! Components of the app and of the custom elements: views in, callbacks out; no fetch, no storage.
//!
//! Everything that is shown answers "from which byte?": components take the [`workspace::view`] types by `Rc` and
//! hand [`LocationView`](workspace::view::LocationView)s back. Colours, sizes and states live in `static/app.css`
//! and `static/views.css`; a component sets what only it can know through custom properties.
//!
//! The graph is drawn on a canvas. A `Scene` is what a model, a camera and the nodes that are set apart give,
//! without a page, and `paint` draws it. Above the canvas are elements for the nodes that can be read, and the
//! attribute `data-drawn` has figures of the scene, for tests and for people who inspect a page.
#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing))]

pub mod bar;
pub mod bottom;
pub mod button;
pub mod case;
pub mod chips;
pub mod dialog;
pub mod dom;
pub mod editor;
pub mod environments;
mod focus;
pub mod folder;
pub mod frame;
pub mod gallery;
pub mod icons;
pub mod inputs;
pub mod large;
pub mod layer;
pub mod menu;
pub mod palette;
pub mod picture;
pub mod rail;
pub mod rename;
pub mod screen;
pub mod shortcuts;
pub mod splitter;
pub mod symbol;
pub mod tabs;
pub mod target;
pub mod text;
pub mod toast;
pub mod top;
pub mod views;
pub mod why;
pub mod workspaces;

pub use bar::{MachineBar, machine_bar};
pub use bottom::bottom_bar;
pub use button::{IconButton, main_button};
pub use chips::{LastRun, PlanAge, StateSign};
pub use dialog::Dialog;
pub use editor::{EditorDocument, EditorEvents, EditorHandle, EditorMark, EditorPane, OpenEditor, Opened};
pub use environments::{EnvironmentEvent, EnvironmentsStrip, EnvironmentsStripProps};
pub use folder::{FolderChange, FolderDialog, FolderEvent, FolderStatus};
pub use frame::{Frame, Moved, Sizes};
pub use gallery::{EmptyEvent, ExampleView, Gallery, empty};
pub use icons::IconName;
pub use inputs::{InputEvent, InputView, InputsView, PlanChoice, RecordedView, inputs_pane, plan_bar};
pub use large::{LARGE, LargeFile, LargeFileProps};
pub use layer::{Apart, LayerBadge, layer_mark};
pub use menu::{MenuButton, MenuItem};
pub use palette::{Command, Palette};
pub use picture::picture;
pub use rail::{FileProblems, Rail, RailEvent};
pub use rename::{Rename, RenamePreview};
pub use screen::{Pane, Tab, Theme};
pub use shortcuts::Shortcuts;
pub use splitter::Splitter;
pub(crate) use symbol::tone_class;
pub use symbol::{action_class, action_mark, severity_mark};
pub use tabs::{TabCount, tabs};
pub use target::{Target, target_banner};
pub use text::FileText;
pub use toast::{ToastView, Toasts};
pub use top::{TopBar, TopBarProps, TopEvent};
pub use why::{Why, WhyStep};
pub use workspaces::{WorkspaceItem, Workspaces, WorkspacesEvent};
