//! Everything that can be done, as the palette lists it.

use diag::order;
use ui::{Command, IconName, Tab, Theme};

use crate::{examples::EXAMPLES, state::State};

fn command(id: impl Into<String>, icon: IconName, group: &'static str, title: impl Into<String>) -> Command {
    Command { id: id.into().into(), title: title.into().into(), group: group.into(), icon, keys: None }
}

fn keys(command: Command, keys: impl Into<String>) -> Command {
    Command { keys: Some(keys.into().into()), ..command }
}

/// All commands; those in `recent` first.
pub fn all(state: &State, recent: &[String]) -> Vec<Command> {
    let mut commands = Vec::new();
    commands.extend(views());
    commands.extend(edits(state));
    commands.extend(files());
    commands.extend(state.document.files.iter().map(|file| {
        command(format!("open:{}", file.name), IconName::File, "File", format!("Open {}", file.name))
    }));
    let nodes = state.answers.layout.iter().flat_map(|layout| &layout.graph.nodes);
    commands.extend(nodes.map(|node| {
        command(
            format!("resource:{}", node.address),
            IconName::Box,
            "Resource",
            format!("Go to {}", node.address),
        )
    }));
    commands.extend(EXAMPLES.iter().enumerate().map(|(at, example)| {
        command(
            format!("example:{at}"),
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
        keys(show, format!("Alt {}", at + 1))
    };
    let mut views: Vec<Command> = Tab::ALL.into_iter().enumerate().map(view).collect();
    views.push(command("problems", IconName::Warning, "View", "Show or hide the problems"));
    views.push(command("rail", IconName::Sidebar, "View", "Fold or unfold the files"));
    views
}

fn edits(state: &State) -> Vec<Command> {
    let mut edits = Vec::new();
    if let Some(what) = state.history.undoes() {
        edits
            .push(keys(command("undo", IconName::Undo, "Edit", format!("Undo {what}")), ui::dom::chord("Z")));
    }
    if let Some(what) = state.history.redoes() {
        edits.push(keys(
            command("redo", IconName::Redo, "Edit", format!("Redo {what}")),
            ui::dom::chord("⇧ Z"),
        ));
    }
    edits
}

fn files() -> Vec<Command> {
    vec![
        command("new", IconName::Plus, "File", "New file"),
        command("import", IconName::Import, "File", "Import files or a zip…"),
        command("folder", IconName::Folder, "File", "Import a folder…"),
        command("paste", IconName::Copy, "File", "New file from the clipboard"),
        command("export", IconName::Export, "File", "Export as zip"),
        command("clear", IconName::Trash, "File", "Delete all files"),
        command("state", IconName::State, "Plan", "Choose a recorded state…"),
        command("observed", IconName::Eye, "Plan", "Choose an observed state…"),
        command("copy-merged", IconName::Copy, "Copy", "Copy the merged document"),
        command("save-svg", IconName::Graph, "File", "Save the graph as a picture"),
        command("copy-mermaid", IconName::Copy, "Copy", "Copy the graph as Mermaid"),
        command("share", IconName::Share, "Copy", "Copy a link to this workspace"),
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
    rest.push(keys(command("shortcuts", IconName::Keyboard, "Help", "Keyboard"), "?"));
    rest.push(command(
        "backup",
        IconName::Undo,
        "File",
        "Restore the files from before the last opened link",
    ));
    rest
}
