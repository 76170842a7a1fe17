//! The implementation of commands.

use std::{cell::Cell, rc::Rc};

use gloo::utils::window;
use ui::{EmptyEvent, Pane, RailEvent, Tab, Theme, TopEvent, dom};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::HtmlInputElement;
use workspace::{
    File,
    view::{EditView, FileView, FixView, GraphFormat},
};
use yew::prelude::*;

use super::{
    context::{Context, Overlay},
    lazy,
};
use crate::{
    commands::Plain,
    examples::{self, EXAMPLES, Example},
    home, host,
    import::{self, Imported, Picked},
    message::{
        Query,
        query::{
            GraphText, Hover, HoveredValue, MergedText, Position, ReadPackage, Recognise, SetValue,
            WritePackage,
        },
    },
    state::{Action, Bar, Document, Input, InputKind, Subject},
    storage,
};

thread_local! {
    /// Counts what was to be opened in place of what is there.
    static OPENINGS: Cell<u32> = const { Cell::new(0) };
}

/// Begins to open something in place of what is there; its number.
fn begin_opening() -> u32 {
    OPENINGS.set(OPENINGS.get() + 1);
    OPENINGS.get()
}

/// True if nothing else was to be opened since: the last is what is there in the end, however late an earlier one comes.
fn is_last(opening: u32) -> bool {
    OPENINGS.get() == opening
}

impl Context {
    /// Gives a command of the palette.
    pub(super) fn run(&self, id: &str) {
        storage::remember(id);
        match id.split_once(':') {
            Some(("show", tab)) => {
                let tab = Tab::ALL.into_iter().find(|known| known.id() == tab);
                tab.into_iter().for_each(|tab| self.act(Action::Show(tab)));
            }
            Some(("open", name)) => {
                let key = self.state().document.files.named(name).map(|file| file.key);
                key.into_iter().for_each(|key| self.act(Action::Select(key)));
            }
            Some(("resource", address)) => self.look(address),
            Some(("example", name)) => {
                examples::named(name).into_iter().for_each(|example| self.open_example(example));
            }
            Some(("theme", theme)) => {
                let theme =
                    [Theme::System, Theme::Light, Theme::Dark].into_iter().find(|known| known.id() == theme);
                theme.into_iter().for_each(|theme| self.act(Action::SetTheme(theme)));
            }
            _ => Plain::named(id).into_iter().for_each(|it| self.run_plain(it)),
        }
    }

    fn run_plain(&self, command: Plain) {
        match command {
            Plain::Problems => self.act(Action::FoldDrawer),
            Plain::Rail => self.act(Action::FoldRail),
            Plain::Undo => self.act(Action::Undo),
            Plain::Redo => self.act(Action::Redo),
            Plain::New => self.act(Action::New),
            Plain::Import => pick(&self.fields.files),
            Plain::Folder => pick(&self.fields.folder),
            Plain::Paste => self.paste_clipboard(),
            Plain::Export => self.export(),
            Plain::Clear => {
                begin_opening();
                self.act(Action::Open { document: Document::default(), title: "Deleted all files".into() })
            }
            Plain::State => pick(&self.fields.state),
            Plain::Observed => pick(&self.fields.observed),
            Plain::CopyMerged => self.copy_answer(MergedText {}, "Copied the merged document"),
            Plain::CopyMermaid => {
                self.copy_answer(GraphText { format: GraphFormat::Mermaid }, "Copied the graph as Mermaid");
            }
            Plain::SaveSvg => self.save_graph(GraphFormat::Svg),
            Plain::Share => self.share(),
            Plain::Shortcuts => self.overlay.set(Overlay::Shortcuts),
            Plain::Backup => self.restore_backup(),
            Plain::Gallery => self.overlay.set(Overlay::Gallery),
            Plain::Rename => self.overlay.set(Overlay::Rename),
            Plain::References => self.overlay.set(Overlay::References),
            Plain::Outline => self.overlay.set(Overlay::Outline),
            Plain::Format => self.overlay.set(Overlay::Format),
            Plain::OpenFolder => self.overlay.set(Overlay::Folder),
            Plain::Save => self.save(),
            Plain::Workspaces => self.overlay.set(Overlay::Workspaces),
            Plain::Why => {
                let resource = self.state().resource.clone();
                resource.into_iter().for_each(|it| self.act(Action::Explain(Subject::Resource(it))));
                self.overlay.set(Overlay::Why);
            }
        }
    }

    /// Says why the resource, the version or the problem that has the focus is as it is; where none has it, which keys
    /// there are.
    pub(super) fn explain(&self) {
        let focused = gloo::utils::document().active_element();
        let row = focused
            .and_then(|it| it.closest("[data-address], [data-version], [data-problem]").ok().flatten());
        let named = |attribute: &str| row.as_ref()?.get_attribute(attribute).map(Rc::from);
        let subject = named("data-problem")
            .map(Subject::Problem)
            .or_else(|| named("data-version").map(Subject::Version))
            .or_else(|| named("data-address").map(Subject::Resource));
        match subject {
            Some(subject) => {
                self.act(Action::Explain(subject));
                self.overlay.set(Overlay::Why);
            }
            None => self.overlay.set(Overlay::Shortcuts),
        }
    }

    /// Saves into the folder that the workspace was opened from.
    pub(super) fn save(&self) {
        match storage::folder() {
            Some(_) => self.overlay.set(Overlay::SaveFolder),
            None => self.say("Everything is kept in this browser as you type"),
        }
    }

    /// Runs an action of the user in the list of files.
    pub(super) fn rail(&self, event: RailEvent) {
        let key = |at: usize| self.state().document.files.at(at).map(|file| file.key);
        let action = match event {
            RailEvent::Open(at) => key(at).map(Action::Select),
            RailEvent::New => Some(Action::New),
            RailEvent::Rename(at, name) => key(at).map(|key| Action::Rename { key, name }),
            RailEvent::Delete(at) => key(at).map(Action::Delete),
            RailEvent::Mute(at, muted) => key(at).map(|key| Action::Mute { key, muted }),
            RailEvent::Solo(at) => key(at).map(Action::Solo),
            RailEvent::Grab => Some(Action::Grab),
            RailEvent::Move(at, to) => key(at).map(|key| Action::Move { key, to }),
            RailEvent::Drop(keep) => Some(Action::Drop { keep }),
            RailEvent::Fold => Some(Action::FoldRail),
            RailEvent::Workspaces => return self.overlay.set(Overlay::Workspaces),
            RailEvent::Examples => return self.overlay.set(Overlay::Gallery),
            RailEvent::ImportFiles => return pick(&self.fields.files),
            RailEvent::OpenFolder => return self.overlay.set(Overlay::Folder),
            RailEvent::ImportFolder => return pick(&self.fields.folder),
            RailEvent::ExportZip => return self.export(),
            RailEvent::Download(at) => return self.download(at),
        };
        action.into_iter().for_each(|action| self.act(action));
    }

    /// Runs an action of the user in the top bar.
    pub(super) fn top(&self, event: TopEvent) {
        match event {
            TopEvent::Problems => self.show_problems(),
            TopEvent::Plan => self.act(Action::Show(Tab::Plan)),
            TopEvent::Main => self.press_main(),
            TopEvent::State | TopEvent::Target => self.act(Action::Show(Tab::State)),
            TopEvent::Palette => self.overlay.set(Overlay::Palette),
            TopEvent::Share => self.share(),
            TopEvent::Theme => self.act(Action::SetTheme(self.state().screen.theme.next())),
            TopEvent::Undo => self.act(Action::Undo),
            TopEvent::Redo => self.act(Action::Redo),
        }
    }

    /// Runs an action of the user on the empty page.
    pub(super) fn empty(&self, event: EmptyEvent) {
        match event {
            EmptyEvent::Files => pick(&self.fields.files),
            EmptyEvent::Folder => pick(&self.fields.folder),
            EmptyEvent::Paste => self.paste_clipboard(),
            EmptyEvent::New => self.act(Action::New),
            EmptyEvent::Example(at) => {
                EXAMPLES.get(at).into_iter().for_each(|example| self.open_example(*example));
            }
        }
    }

    /// Shows the problems, on a narrow screen as well.
    pub(super) fn show_problems(&self) {
        if !self.state().shows_drawer() {
            self.act(Action::FoldDrawer);
        }
        self.act(Action::ShowPane(Pane::Problems));
    }

    /// Selects a resource and shows it in the graph.
    pub(super) fn look(&self, address: &str) {
        self.act(Action::Look(Some(address.into())));
        self.act(Action::Show(Tab::Graph));
    }

    /// Follows the cursor in the merged document, while that is on screen.
    pub(super) fn point(&self, line: u32, column: u32) {
        let state = self.state();
        let Some(file) = state.selected().filter(|_| state.screen.tab == Tab::Merged) else { return };
        let context = self.clone();
        let then = Callback::from(move |answer: Option<Option<HoveredValue>>| {
            let pointer = answer.flatten().map(|it| it.pointer.into());
            pointer.into_iter().for_each(|it| context.act(Action::Point(it)));
        });
        self.engine.ask(Hover { at: Position { file: file.name.to_string(), line, column } }, then);
    }

    /// Applies a fix.
    pub(super) fn fix(&self, fix: &FixView) {
        let answers = &self.state().answers;
        if answers.revision != self.state().revision {
            return self.say("The text has just changed: try again");
        }
        self.act(Action::Edit { title: fix.title.clone(), edits: fix.edits.clone() });
    }

    /// Applies a fix that was chosen in the editor.
    pub(super) fn fix_at(&self, problem: usize, fix: usize) {
        let check = self.state().answers.check.clone();
        let fix = check.as_ref().and_then(|check| check.diagnostics.get(problem)?.fixes.get(fix));
        fix.into_iter().for_each(|fix| self.fix(fix));
    }

    /// Writes a value into a file.
    pub(super) fn set_value(&self, file: String, pointer: String, yaml: String) {
        let (context, title) = (self.clone(), format!("change in {file}"));
        let then = Callback::from(move |answer: Option<Option<Vec<EditView>>>| match answer.flatten() {
            Some(edits) => context.apply(title.clone(), edits),
            None => context.say("That value cannot be written there"),
        });
        self.engine.ask(SetValue { file, pointer, yaml }, then);
    }

    fn apply(&self, title: String, edits: Vec<EditView>) {
        self.act(Action::Edit { title, edits });
    }

    /// Opens the workspace of a link in the view that it names.
    pub(super) fn open_shared(&self, document: Document, view: Option<Tab>) {
        self.open_document(document, view, "Opened the workspace of the link; secrets are left out");
    }

    /// Opens a workspace in place of what is there, once a copy of that is kept.
    pub(super) fn open_document(
        &self,
        document: Document,
        view: Option<Tab>,
        title: impl Into<String> + 'static,
    ) {
        let (context, opening) = (self.clone(), begin_opening());
        let old = (!self.state().pristine).then(|| self.state().document.files.texts());
        spawn_local(async move {
            if let Some(old) = old
                && storage::back_up(&old).await.is_err()
            {
                return context.say("There is no room for a copy of your files, so nothing was opened");
            }
            if !is_last(opening) {
                return;
            }
            context.act(Action::Open { document, title: title.into() });
            view.into_iter().for_each(|tab| context.act(Action::Show(tab)));
        });
    }

    /// Opens an example in its view, in place of the current workspace; undo brings that back. If that would replace
    /// files of the disk or aim the example at real resources, it opens in a tab of its own, which has the simulator.
    pub(super) fn open_example(&self, example: Example) {
        if home::is_real() {
            home::open_beside(&example.link());
            return self.say(format!("Opened in a new tab, with the simulator: {}", example.title));
        }
        let (context, opening) = (self.clone(), begin_opening());
        spawn_local(async move {
            let document = example.document().await;
            if !is_last(opening) {
                return;
            }
            let Some(document) = document else {
                return context.say("The example could not be loaded. Try again when you are online.");
            };
            context.act(Action::Lower(Bar::Welcome));
            context.act(Action::Open { document, title: format!("Opened: {}", example.title) });
            context.act(Action::Show(example.tab));
        });
    }

    fn restore_backup(&self) {
        let context = self.clone();
        spawn_local(async move {
            match storage::backup().await {
                Some(files) => {
                    let files: crate::state::Files = files.into_iter().collect();
                    let selected = files.at(0).map(|file| file.key);
                    let document = Document { selected, files, ..Document::default() };
                    context.open_document(document, None, "Restored the files");
                }
                None => context.say("There is no copy: no link has replaced your files"),
            }
        });
    }

    /// Brings in what was picked or dropped.
    pub(super) fn bring_in(&self, picked: Vec<Picked>) {
        let Imported { texts, packages, refused, from, is_folder } = import::read_all(picked);
        refused.into_iter().for_each(|why| self.say(why));
        packages.into_iter().for_each(|package| self.bring_in_package(package));
        if texts.is_empty() {
            return;
        }
        begin_opening();
        let (context, query) = (self.clone(), Recognise { files: texts.clone() });
        let then = Callback::from(move |answer: Option<Vec<FileView>>| match answer {
            Some(known) => {
                let routed = import::route(texts.clone(), &known, is_folder);
                for (kind, input) in routed.inputs {
                    context.act(Action::SetInput { kind, input: Some(input) });
                }
                if !routed.files.is_empty() {
                    context.act(Action::Import { files: routed.files, from: from.clone() });
                }
            }
            None => context.say("The files could not be read"),
        });
        self.engine.ask(query, then);
    }

    fn bring_in_package(&self, Picked { path, bytes }: Picked) {
        let (context, name) = (self.clone(), path.clone());
        let then = Callback::from(move |answer: Option<Result<Vec<File>, String>>| match answer {
            Some(Ok(files)) => context.act(Action::Import { files, from: name.clone() }),
            Some(Err(why)) => context.say(format!("{name}: {why}")),
            None => context.say(format!("{name} could not be read")),
        });
        self.engine.ask(ReadPackage { name: path, bytes: host::to_base64url(&bytes) }, then);
    }

    /// Brings in what was picked with a file field.
    pub(super) fn picked(&self, event: &Event) {
        let Some(field) = event.target_dyn_into::<HtmlInputElement>() else { return };
        let Some(list) = field.files() else { return };
        let context = self.clone();
        spawn_local(async move {
            let picked = import::picked(list).await;
            // Only now: emptying the field empties its list, and the same file can be picked again.
            field.set_value("");
            context.bring_in(picked);
        });
    }

    /// Brings in a state that was picked.
    pub(super) fn picked_input(&self, event: &Event, kind: InputKind) {
        let Some(field) = event.target_dyn_into::<HtmlInputElement>() else { return };
        let Some(list) = field.files() else { return };
        let context = self.clone();
        spawn_local(async move {
            for Picked { path, bytes } in import::picked(list).await {
                match crate::text::read(&path, bytes) {
                    Ok(text) => {
                        context.act(Action::SetInput { kind, input: Some(Input { name: path, text }) })
                    }
                    Err(why) => context.say(why),
                }
            }
            field.set_value("");
        });
    }

    /// Picks a state.
    pub(super) fn pick_input(&self, kind: InputKind) {
        pick(match kind {
            InputKind::State => &self.fields.state,
            InputKind::Observed => &self.fields.observed,
        });
    }

    fn paste_clipboard(&self) {
        let context = self.clone();
        spawn_local(async move {
            let text = JsFuture::from(window().navigator().clipboard().read_text()).await;
            match text.ok().and_then(|text| text.as_string()) {
                Some(text) => context.paste(text),
                None => context.say(format!(
                    "The browser does not allow reading the clipboard: press {}",
                    ui::dom::chord("V")
                )),
            }
        });
    }

    fn export(&self) {
        let context = self.clone();
        let name = self
            .state()
            .answers
            .plan
            .as_ref()
            .map(|plan| plan.deployment.clone())
            .filter(|name| !name.is_empty());
        let name = format!("{}.zip", name.unwrap_or_else(|| "descriptors".into()));
        let then = Callback::from(move |answer: Option<String>| match answer {
            Some(text) => {
                host::download(&name, "application/zip", &host::from_base64url(&text));
            }
            None => context.say("The package could not be written"),
        });
        self.engine.ask(WritePackage {}, then);
    }

    fn download(&self, at: usize) {
        if let Some(file) = self.state().document.files.at(at) {
            host::download(&file.name, "application/yaml", file.text.as_bytes());
        }
    }

    /// Saves the graph as a text.
    pub(super) fn save_graph(&self, format: GraphFormat) {
        let (name, mime) = match format {
            GraphFormat::Svg => ("graph.svg", "image/svg+xml"),
            GraphFormat::Dot => ("graph.dot", "text/vnd.graphviz"),
            GraphFormat::Mermaid => ("graph.mmd", "text/plain"),
        };
        let context = self.clone();
        let then = Callback::from(move |answer: Option<Option<String>>| match answer.flatten() {
            Some(text) => host::download(name, mime, text.as_bytes()),
            None => context.say("The graph could not be drawn"),
        });
        self.engine.ask(GraphText { format }, then);
    }

    fn share(&self) {
        let context = self.clone();
        spawn_local(async move {
            match lazy::sharing().await {
                Some(sharing) => (sharing.copy)(&context),
                None => context.say("The link could not be made. Try again when you are online."),
            }
        });
    }

    fn copy_answer(&self, query: impl Query<Answer = Option<String>> + 'static, said: &'static str) {
        let context = self.clone();
        let then = Callback::from(move |answer: Option<Option<String>>| {
            answer.flatten().into_iter().for_each(|text| context.copy(&text, said));
        });
        self.engine.ask(query, then);
    }

    /// Copies a text and says so.
    pub(super) fn copy(&self, text: &str, said: impl Into<String>) {
        let (context, said) = (self.clone(), said.into());
        dom::copy(text, move |copied| {
            context.say(if copied { said } else { "The browser does not allow copying".into() });
        });
    }
}

fn pick(field: &NodeRef) {
    if let Some(field) = field.cast::<HtmlInputElement>() {
        field.click();
    }
}
