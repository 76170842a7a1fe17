//! Everything that can be done, as the palette lists it.

use diag::order;
use ui::{Command, IconName, Tab, Theme};

use crate::{examples::EXAMPLES, home, state::State, storage};

/// Defines the commands that are about nothing in particular, each with its stable name.
macro_rules! plain_commands {
    ($($(#[$of_command:meta])* $command:ident = $id:literal,)+) => {
        /// A command that is about nothing in particular. Its name is kept among those that were used last.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Plain {
            $($(#[$of_command])* $command,)+
        }

        impl Plain {
            const ALL: [Self; [$(Self::$command),+].len()] = [$(Self::$command),+];

            /// Its stable name.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$command => $id,)+
                }
            }
        }
    };
}

plain_commands! {
    /// Shows or hides the problems.
    Problems = "problems",
    /// Folds or unfolds the rail.
    Rail = "rail",
    /// Takes the last change back.
    Undo = "undo",
    /// Makes it again.
    Redo = "redo",
    /// Adds a file.
    New = "new",
    /// Imports files.
    Import = "import",
    /// Imports a folder.
    Folder = "folder",
    /// Makes a file of what the clipboard holds.
    Paste = "paste",
    /// Downloads the files as a zip package.
    Export = "export",
    /// Deletes all files.
    Clear = "clear",
    /// Chooses a recorded state.
    State = "state",
    /// Chooses an observed state.
    Observed = "observed",
    /// Copies the merged document.
    CopyMerged = "copy-merged",
    /// Copies the graph as Mermaid.
    CopyMermaid = "copy-mermaid",
    /// Saves the graph as a picture.
    SaveSvg = "save-svg",
    /// Copies a link to the workspace.
    Share = "share",
    /// Shows the keys.
    Shortcuts = "shortcuts",
    /// Brings back the files from before the last opened link.
    Backup = "backup",
    /// Shows the examples.
    Gallery = "gallery",
    /// Renames what the cursor is at.
    Rename = "rename",
    /// Finds the places that name it.
    References = "references",
    /// Shows what the file consists of.
    Outline = "outline",
    /// Formats the file.
    Format = "format",
    /// Opens a folder, or shows the one that is open.
    OpenFolder = "open-folder",
    /// Saves into it.
    Save = "save",
    /// Shows the workspaces of this browser.
    Workspaces = "workspaces",
    /// Explains the action on the selected resource.
    Why = "why",
}

impl Plain {
    /// The command of that name.
    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.id() == id)
    }
}

fn plain(it: Plain, icon: IconName, group: &'static str, title: impl Into<String>) -> Command {
    command(it.id(), icon, group, title)
}

fn command(id: impl Into<String>, icon: IconName, group: &'static str, title: impl Into<String>) -> Command {
    Command { id: id.into().into(), title: title.into().into(), group: group.into(), icon, keys: None }
}

fn keys(command: Command, keys: impl Into<String>) -> Command {
    Command { keys: Some(keys.into().into()), ..command }
}

/// The commands for a folder of the disk.
fn folder() -> Vec<Command> {
    match storage::folder() {
        _ if home::has_files() => Vec::new(),
        None => {
            vec![plain(Plain::OpenFolder, IconName::Folder, "File", "Open a folder, and save back into it…")]
        }
        Some(name) => vec![
            keys(
                plain(Plain::Save, IconName::Folder, "File", format!("Save into {name}")),
                ui::dom::chord("S"),
            ),
            plain(Plain::OpenFolder, IconName::Folder, "File", format!("Show what is not saved in {name}…")),
        ],
    }
}

/// All commands; those in `recent` first.
pub fn all(state: &State, recent: &[String]) -> Vec<Command> {
    let mut commands = Vec::new();
    commands.extend(views());
    commands.extend(edits(state));
    commands.extend(files());
    commands.extend(folder());
    commands.extend(state.document.files.iter().map(|file| {
        command(format!("open:{}", file.name), IconName::File, "File", format!("Open {}", file.name))
    }));
    let layout = state.answers.layout.as_ref().and_then(|layout| layout.read());
    let nodes = layout.iter().flat_map(|layout| &layout.graph.nodes);
    commands.extend(nodes.map(|node| {
        command(
            format!("resource:{}", node.address),
            IconName::Box,
            "Resource",
            format!("Go to {}", node.address),
        )
    }));
    commands.extend(EXAMPLES.iter().map(|example| {
        command(
            format!("example:{}", example.name),
            IconName::Layers,
            "Example",
            format!("Open the example: {}", example.title),
        )
    }));
    commands.extend(rest());
    let place = |command: &Command| recent.iter().position(|id| **id == *command.id).unwrap_or(usize::MAX);
    order::by_key(&mut commands, place);
    commands
}

fn views() -> Vec<Command> {
    let view = |(at, tab): (usize, Tab)| {
        let show = command(format!("show:{}", tab.id()), tab.icon(), "View", format!("Show {}", tab.title()));
        if at < Tab::KEYS { keys(show, format!("Alt {}", at + 1)) } else { show }
    };
    let mut views: Vec<Command> = Tab::ALL.into_iter().enumerate().map(view).collect();
    views.push(plain(Plain::Problems, IconName::Warning, "View", "Show or hide the problems"));
    views.push(plain(Plain::Rail, IconName::Sidebar, "View", "Fold or unfold the files"));
    views
}

fn edits(state: &State) -> Vec<Command> {
    let mut edits = vec![
        keys(plain(Plain::Rename, IconName::Pencil, "Edit", "Rename in all files…"), "F2"),
        keys(plain(Plain::References, IconName::Search, "Edit", "Find all references"), "⇧ F12"),
        keys(plain(Plain::Outline, IconName::Layers, "Edit", "Outline of the file"), ui::dom::chord("⇧ O")),
        keys(plain(Plain::Format, IconName::Code, "Edit", "Format the file"), "⇧ Alt F"),
    ];
    if let Some(resource) = &state.resource {
        edits.push(keys(plain(Plain::Why, IconName::Hint, "Explain", format!("Why {resource}")), "?"));
    }
    if let Some(what) = state.history.undoes() {
        edits.push(keys(
            plain(Plain::Undo, IconName::Undo, "Edit", format!("Undo {what}")),
            ui::dom::chord("Z"),
        ));
    }
    if let Some(what) = state.history.redoes() {
        edits.push(keys(
            plain(Plain::Redo, IconName::Redo, "Edit", format!("Redo {what}")),
            ui::dom::chord("⇧ Z"),
        ));
    }
    edits
}

fn files() -> Vec<Command> {
    vec![
        plain(Plain::New, IconName::Plus, "File", "New file"),
        plain(Plain::Workspaces, IconName::Layers, "File", "Workspaces…"),
        plain(Plain::Import, IconName::Import, "File", "Import files or a zip…"),
        plain(Plain::Folder, IconName::Folder, "File", "Import a folder…"),
        plain(Plain::Paste, IconName::Copy, "File", "New file from the clipboard"),
        plain(Plain::Export, IconName::Export, "File", "Export as zip"),
        plain(Plain::Clear, IconName::Trash, "File", "Delete all files"),
        plain(Plain::State, IconName::State, "Plan", "Choose a recorded state…"),
        plain(Plain::Observed, IconName::Eye, "Plan", "Choose an observed state…"),
        plain(Plain::CopyMerged, IconName::Copy, "Copy", "Copy the merged document"),
        plain(Plain::SaveSvg, IconName::Graph, "File", "Save the graph as a picture"),
        plain(Plain::CopyMermaid, IconName::Copy, "Copy", "Copy the graph as Mermaid"),
        plain(Plain::Share, IconName::Share, "Copy", "Copy a link to this workspace"),
    ]
}

fn rest() -> Vec<Command> {
    let theme = |theme: Theme| {
        command(
            format!("theme:{}", theme.id()),
            theme.icon(),
            "Colours",
            match theme {
                Theme::System => "System colours",
                Theme::Light => "Light colours",
                Theme::Dark => "Dark colours",
            },
        )
    };
    let mut rest: Vec<Command> = [Theme::System, Theme::Light, Theme::Dark].map(theme).into();
    rest.push(plain(Plain::Gallery, IconName::Layers, "Example", "Show all examples…"));
    rest.push(keys(plain(Plain::Shortcuts, IconName::Keyboard, "Help", "Keyboard"), "?"));
    rest.push(plain(
        Plain::Backup,
        IconName::Undo,
        "File",
        "Restore the files from before the last opened link",
    ));
    rest
}
