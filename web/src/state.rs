//! Everything the app knows, and how it changes. Plain Rust without a page, so that it can be tested as it is.

mod answers;
mod environments;
mod file_keys;
mod files;
mod history;
mod live;
mod screen;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use workspace::{
    File, PlanOptions,
    view::{EditView, KnockOn, LocationView},
};

pub use answers::Answers;
pub use environments::{Environment, Environments};
pub use file_keys::FileKeys;
pub use files::{FileEntry, FileKey, Files};
pub use history::{History, Step};
pub use live::{Applying, Phase, is_refused};
pub use screen::{Border, Pane, Screen, Tab, Theme};

use crate::{
    apply::link::News,
    examples::Example,
    message::{Response, Want},
    text,
};

/// The data that belongs to the user and can be undone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The files in merge order.
    pub files: Files,
    /// The file in the editor.
    pub selected: Option<FileKey>,
    /// The states and options that the plan is made with.
    pub inputs: Inputs,
    /// Sets of layers with a name.
    pub environments: Environments,
}

impl Document {
    /// The same, to be opened in the place of another one.
    fn in_place_of(self, other: &Self) -> Self {
        let (files, first) = self.files.unlike(&other.files);
        let later = |key: FileKey| FileKey(key.0 + first);
        let mut environments = self.environments;
        for environment in Rc::make_mut(&mut environments) {
            environment.muted = environment.muted.iter().map(later).collect();
        }
        Self { files, selected: self.selected.map(later), environments, ..self }
    }
}

/// The states and options that a plan is made with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Inputs {
    /// The recorded state.
    #[serde(with = "shared")]
    pub state: Option<Rc<Input>>,
    /// The observed state.
    #[serde(with = "shared")]
    pub observed: Option<Rc<Input>>,
    /// Plan the removal of everything. It is not kept: a page that opens is never about to destroy something.
    #[serde(skip)]
    pub destroy: bool,
    /// Every dependent of what acts acts too.
    pub knock_on_all: bool,
    /// Also list what stays.
    pub list_unchanged: bool,
    /// Links follow the rules of BOSH's director.
    pub bosh: bool,
}

impl Inputs {
    /// The plan options for the engine.
    pub fn options(&self) -> PlanOptions {
        let Self { state, observed, destroy, knock_on_all, list_unchanged, bosh: _ } = self;
        PlanOptions {
            state: state.as_ref().map(|input| input.text.clone()),
            observed: observed.as_ref().map(|input| input.text.clone()),
            state_file: state.as_ref().map(|input| input.name.clone()),
            observed_file: observed.as_ref().map(|input| input.name.clone()),
            destroy: *destroy,
            knock_on: knock_on_all.then_some(KnockOn::All),
            keep_removed: false,
            list_unchanged: *list_unchanged,
        }
    }
}

/// Shared data is stored as if it were not.
mod shared {
    use std::rc::Rc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Input;

    pub(super) fn serialize<S: Serializer>(
        input: &Option<Rc<Input>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        input.as_deref().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Rc<Input>>, D::Error> {
        Ok(Option::<Input>::deserialize(deserializer)?.map(Rc::new))
    }
}

/// A JSON file that a plan is made against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The kind of a state file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// The recorded state.
    State,
    /// The observed state.
    Observed,
}

impl InputKind {
    /// As it is said in a sentence.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::State => "recorded state",
            Self::Observed => "observed state",
        }
    }
}

/// A request to show a location in the editor. A higher number is a newer request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reveal {
    /// Counts requests.
    pub number: u64,
    /// The location to show.
    pub location: LocationView,
}

/// A short word about what was just done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toast {
    /// Its identity.
    pub id: u64,
    /// The message.
    pub text: String,
    /// It can be undone from here.
    pub undo: bool,
    /// It is about a change: the next change makes it old news.
    pub change: bool,
}

/// Something about the machine that stays on screen until it is dealt with.
#[derive(Clone, Debug, PartialEq)]
pub enum Bar {
    /// The browser's storage is full.
    StorageFull,
    /// The browser's storage cannot be used.
    StorageRefused,
    /// The engine stopped and runs again.
    EngineRestarted,
    /// The engine stops again and again on this text.
    EngineStopped(String),
    /// The engine does not answer.
    EngineSilent,
    /// A part of the engine could not be loaded.
    PartMissing,
    /// The editor could not be loaded.
    EditorMissing,
    /// Another tab changed the stored workspace.
    OtherTab,
    /// The address holds a workspace, and there is work that it must not replace.
    Shared(Box<Document>, Option<Tab>),
    /// The address holds something that cannot be read.
    SharedBroken,
    /// The address names an example, and there is work that it must not replace unasked.
    Example(Example),
    /// This is the first visit.
    Welcome,
    /// There is a new version of the app.
    NewVersion,
}

impl Bar {
    /// Two bars of one kind are never shown.
    fn same_kind(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// The subject of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A resource, by its address.
    Resource(Rc<str>),
    /// A version that was chosen, by its id.
    Version(Rc<str>),
    /// A problem, by its [key](ui::why::problem_key).
    Problem(Rc<str>),
}

/// Everything the app knows.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The data that belongs to the user.
    pub document: Document,
    /// It is the example that the app opens on, untouched.
    pub pristine: bool,
    /// The open views and their sizes.
    pub screen: Screen,
    /// The changes that can be undone or redone.
    pub history: History,
    /// Counts what changes the engine's answers.
    pub revision: u64,
    /// The last answers of the engine.
    pub answers: Answers,
    /// The engine has been busy with the newest revision for a while: its last answers are of older files.
    pub is_late: bool,
    /// The revision that last brought whole files: answers for earlier ones say nothing of these.
    pub imported: u64,
    /// The reports of the worker that applies.
    pub applying: Applying,
    /// The location that the editor is to show.
    pub reveal: Option<Reveal>,
    /// The selected resource.
    pub resource: Option<Rc<str>>,
    /// The subject of the last explanation.
    pub subject: Option<Subject>,
    /// The place in the merged document that the cursor is at.
    pub pointer: Option<Rc<str>>,
    /// Short words.
    pub toasts: Vec<Toast>,
    /// The problems with the machine.
    pub bars: Vec<Bar>,
    /// There were problems since this workspace was opened, or somebody asked for them: until then their drawer is one
    /// line high, and from then on it does not jump with every mistake that comes and goes.
    pub had_problems: bool,
    /// The document before a file was dragged.
    dragging: Option<Document>,
    said: u64,
}

/// An event that changes the state.
#[derive(Clone, Debug)]
pub enum Action {
    /// The editor's text changed, at a time in milliseconds.
    Type { key: FileKey, text: Rc<str>, at: f64 },
    /// An empty file is put on top.
    New,
    /// Files are put on top, or in place of an untouched example.
    Import { files: Vec<File>, from: String },
    /// Everything is replaced.
    Open { document: Document, title: String },
    /// The workspace is another one from now on, as one change.
    Change { document: Box<Document>, title: String },
    /// Another tab has kept something else, or the disk has it, and nothing of that was changed here.
    Follow { document: Box<Document>, what: &'static str, said: String },
    /// Another tab has changed the workspace: its content, and what can be undone.
    FollowTab { document: Box<Document>, history: History },
    /// A file gets another name.
    Rename { key: FileKey, name: String },
    /// A file is taken away.
    Delete(FileKey),
    /// A file is left out of what is merged and planned, or no longer.
    Mute { key: FileKey, muted: bool },
    /// All files but one are left out, or none.
    Solo(FileKey),
    /// A file moves in the merge order.
    Move { key: FileKey, to: usize },
    /// A file is taken hold of.
    Grab,
    /// The dragged file is let go; with `keep`, it stays at its new place.
    Drop { keep: bool },
    /// Edits of one or several files, applied together.
    Edit { title: String, edits: Vec<EditView> },
    /// The same, of one file, as long as that has the text that the edits are of.
    EditOf { title: String, edits: Vec<EditView>, key: FileKey, text: Rc<str> },
    /// A file gets a text; it is made where there is none.
    Put { name: String, text: String, said: String },
    /// The file of a recorded or observed state is set or removed.
    SetInput { kind: InputKind, input: Option<Input> },
    /// The chosen recorded state is the current one of this browser from now on.
    UseState,
    /// The plan options change.
    SetInputs(Inputs),
    /// The removal of everything is planned, or no longer.
    SetDestroy(bool),
    /// The last change is taken back.
    Undo,
    /// The last change that was taken back is made again.
    Redo,
    /// A file is opened in the editor.
    Select(FileKey),
    /// A view is opened.
    Show(Tab),
    /// A narrow screen shows something else.
    ShowPane(Pane),
    /// The colours.
    SetTheme(Theme),
    /// A border is moved.
    Resize(Border, f64),
    /// The rail folds or opens.
    FoldRail,
    /// The problems fold or open.
    FoldDrawer,
    /// A place in a file is shown.
    Goto(LocationView),
    /// A resource is selected, or none.
    Look(Option<Rc<str>>),
    /// Asks why something is as it is.
    Explain(Subject),
    /// The cursor stands for a place in the merged document.
    Point(Rc<str>),
    /// The engine takes longer than one waits without a word, or has said everything.
    Late(bool),
    /// The engine answers.
    Answer(Box<Response>),
    /// The worker that applies tells something.
    Hear(Box<News>),
    /// The report of the last run was read.
    Read,
    /// Something is said.
    Say { text: String, undo: bool },
    /// It was read.
    Unsay(u64),
    /// Something is wrong with the machine.
    Raise(Bar),
    /// It is dealt with.
    Lower(Bar),
}

impl State {
    /// The state that the app opens on.
    pub fn new(document: Document, screen: Screen, pristine: bool) -> Self {
        Self { document, screen, pristine, revision: 1, ..Self::default() }
    }

    /// The state after an action.
    pub fn act(&mut self, action: Action) {
        match action {
            Action::Type { key, text, at } => self.type_text(key, text, at),
            Action::New => self.new_file(),
            Action::Import { files, from } => self.import(files, &from),
            Action::Open { document, title } => self.open(document, title),
            Action::Change { document, title } => self.change(title, |now| *now = *document),
            Action::Follow { document, what, said } => self.follow(*document, what, said),
            Action::FollowTab { document, history } => self.follow_tab(*document, history),
            Action::Rename { key, name } => self.rename(key, &name),
            Action::Delete(key) => self.delete(key),
            Action::Mute { key, muted } => {
                let title = if muted { "mute a file" } else { "unmute a file" };
                self.change(title, |document| document.files.mute(key, muted));
            }
            Action::Solo(key) => self.change("solo a file", |document| document.files.solo(key)),
            Action::Move { key, to } => self.move_file(key, to),
            Action::Grab => self.dragging = Some(self.document.clone()),
            Action::Drop { keep } => self.drop_file(keep),
            Action::Edit { title, edits } => self.edit(title, &edits),
            Action::EditOf { title, edits, key, text } => {
                if self.document.files.get(key).is_some_and(|file| file.text == text) {
                    self.edit(title, &edits);
                } else {
                    self.say("The text has just changed: try again".into(), false);
                }
            }
            Action::Put { name, text, said } => self.put(&name, text, said),
            Action::SetInput { kind, input } => self.set_input(kind, input),
            Action::UseState => self.use_state(),
            Action::SetInputs(inputs) => self.set_inputs(inputs),
            Action::SetDestroy(destroy) => self.set_destroy(destroy),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Select(key) => self.select(key),
            Action::Show(tab) => self.show(tab),
            Action::ShowPane(pane) => self.screen.pane = pane,
            Action::SetTheme(theme) => self.screen.theme = theme,
            Action::Resize(border, to) => self.screen.resize(border, to),
            Action::FoldRail => self.screen.rail_folded = !self.screen.rail_folded,
            Action::FoldDrawer => self.fold_drawer(),
            Action::Goto(location) => self.goto(location),
            Action::Look(resource) => self.resource = resource,
            Action::Explain(subject) => {
                if let Subject::Resource(address) = &subject {
                    self.resource = Some(address.clone());
                }
                self.subject = Some(subject);
            }
            Action::Point(pointer) => self.pointer = Some(pointer),
            Action::Late(is_late) => self.is_late = is_late,
            Action::Answer(response) => self.take(*response),
            Action::Hear(news) => self.applying.take(*news),
            Action::Read => self.applying.read = true,
            Action::Say { text, undo } => self.say(text, undo),
            Action::Unsay(id) => self.toasts.retain(|toast| toast.id != id),
            Action::Raise(bar) => self.raise(bar),
            Action::Lower(bar) => self.bars.retain(|shown| !shown.same_kind(&bar)),
        }
    }

    /// The file in the editor.
    pub fn selected(&self) -> Option<&FileEntry> {
        self.document.files.get(self.document.selected?)
    }

    /// The large views that are on screen.
    pub fn want(&self) -> Want {
        let tab = self.screen.tab;
        Want {
            layout: tab == Tab::Graph,
            merge: tab == Tab::Merged,
            links: tab == Tab::Links,
            versions: tab == Tab::Versions,
            changes: tab == Tab::Plan,
        }
    }

    fn take(&mut self, response: Response) {
        self.answers.take(self.revision, response);
        self.had_problems |= self.answers.check.as_ref().is_some_and(|check| !check.diagnostics.is_empty());
    }

    fn type_text(&mut self, key: FileKey, text: Rc<str>, at: f64) {
        let before = self.document.clone();
        let Some(name) = before.files.get(key).map(|file| file.name.clone()) else { return };
        if self.document.files.set_text(key, text) {
            self.history.record_typing(format!("typing in {name}"), key, at, before);
            self.changed();
        }
    }

    fn new_file(&mut self) {
        self.change("new file", |document| {
            let key =
                document.files.add(File { name: "untitled.yaml".into(), text: String::new(), package: None });
            document.selected = Some(key);
        });
        // The user who creates a file wants to write in it.
        if let Some(name) = self.selected().map(|file| file.name.to_string()) {
            self.goto(LocationView { file: name, line: 1, column: 1, end_line: 1, end_column: 1 });
        }
    }

    fn import(&mut self, files: Vec<File>, from: &str) {
        if files.is_empty() {
            return self.say(format!("There is no YAML file in {from}."), false);
        }
        let said = match files.as_slice() {
            [file] => format!("Added {}", file.name),
            several => format!("Added {} files from {from}", several.len()),
        };
        let replace = self.pristine;
        self.change("import", |document| {
            let before = if replace { std::mem::take(document) } else { Document::default() };
            for (idx, file) in files.into_iter().enumerate() {
                let key = document.files.add(file);
                if idx == 0 {
                    document.selected = Some(key);
                }
            }
            if replace {
                *document = std::mem::take(document).in_place_of(&before);
            }
        });
        self.imported = self.revision;
        self.say(said, true);
    }

    fn open(&mut self, document: Document, title: String) {
        self.change(title.clone(), |now| *now = document.in_place_of(now));
        (self.answers.since, self.imported) = (self.revision, self.revision);
        self.resource = None;
        self.had_problems = false;
        self.say(title, true);
    }

    /// The file that is open here stays open.
    fn follow(&mut self, document: Document, what: &'static str, said: String) {
        let selected = self.document.selected.filter(|key| document.files.get(*key).is_some());
        let destroy = self.document.inputs.destroy;
        self.change(what, |now| {
            *now = document;
            now.selected = selected.or(now.selected);
            now.inputs.destroy = destroy;
        });
        self.say(said, false);
    }

    fn follow_tab(&mut self, document: Document, history: History) {
        let said = "Another tab has changed this workspace. This one follows it.";
        self.follow(document, "what another tab changed", said.into());
        self.history = history;
    }

    fn rename(&mut self, key: FileKey, name: &str) {
        let Some(before) = self.document.files.get(key).map(|file| file.name.clone()) else { return };
        if &*before == name.trim() {
            return;
        }
        let mut document = self.document.clone();
        match document.files.rename(key, name) {
            Ok(now) => {
                let added = if now.len() > name.trim().len() { ": descriptors end in .yaml" } else { "" };
                self.change("rename", |now| *now = document);
                self.say(format!("Renamed {before} to {now}{added}"), true);
            }
            Err(why) => self.say(why, false),
        }
    }

    fn delete(&mut self, key: FileKey) {
        let Some((name, at)) =
            self.document.files.get(key).map(|file| file.name.clone()).zip(self.document.files.position(key))
        else {
            return;
        };
        self.change(format!("delete {name}"), |document| {
            document.files.remove(key);
            // A later file may have its key.
            for environment in Rc::make_mut(&mut document.environments) {
                environment.muted.remove(key);
            }
            if document.selected == Some(key) {
                let next = document.files.at(at).or_else(|| document.files.at(at.wrapping_sub(1)));
                document.selected = next.map(|file| file.key);
            }
        });
        self.say(format!("Deleted {name}"), true);
    }

    fn move_file(&mut self, key: FileKey, to: usize) {
        let before = self.document.clone();
        if !self.document.files.move_to(key, to) {
            return;
        }
        if self.dragging.is_none() {
            self.history.record("reorder files", before);
        }
        self.changed();
    }

    fn drop_file(&mut self, keep: bool) {
        let Some(before) = self.dragging.take().filter(|before| before.files != self.document.files) else {
            return;
        };
        if keep {
            self.history.record("reorder files", before);
        } else {
            self.document = before;
            self.changed();
        }
    }

    fn edit(&mut self, title: String, edits: &[EditView]) {
        let revision = self.revision;
        self.change(title, |document| {
            let texts: Vec<(FileKey, String)> = document
                .files
                .iter()
                .map(|file| (file, edits.iter().filter(|edit| edit.location.file == *file.name)))
                .filter(|(_, edits)| edits.clone().next().is_some())
                .map(|(file, edits)| (file.key, text::apply(&file.text, edits)))
                .collect();
            for (key, text) in texts {
                document.files.set_text(key, text.into());
            }
        });
        if self.revision != revision {
            self.history.mark_edits();
        }
    }

    fn put(&mut self, name: &str, text: String, said: String) {
        self.change(format!("change in {name}"), |document| {
            match document.files.named(name).map(|file| file.key) {
                Some(key) => {
                    document.files.set_text(key, text.into());
                }
                None => {
                    document.files.add(File { name: name.into(), text, package: None });
                }
            }
        });
        self.say(said, true);
    }

    fn set_input(&mut self, kind: InputKind, input: Option<Input>) {
        let said = match &input {
            Some(input) => format!("{} is now the {}", input.name, kind.noun()),
            None => format!("Removed the {}", kind.noun()),
        };
        self.change(kind.noun(), |document| {
            let input = input.map(Rc::new);
            match kind {
                InputKind::State => document.inputs.state = input,
                InputKind::Observed => document.inputs.observed = input,
            }
        });
        self.say(said, true);
    }

    fn set_inputs(&mut self, inputs: Inputs) {
        self.set_destroy(inputs.destroy);
        let only_rules = Inputs { bosh: self.document.inputs.bosh, ..inputs.clone() } == self.document.inputs;
        let label = if only_rules { "rules for links" } else { "plan options" };
        self.change(label, |document| document.inputs = inputs);
    }

    /// Sets the mode, which is no part of the history: Undo must not bring back a mode that destroys.
    fn set_destroy(&mut self, destroy: bool) {
        if self.document.inputs.destroy != destroy {
            self.document.inputs.destroy = destroy;
            self.revision += 1;
        }
    }

    fn use_state(&mut self) {
        if self.document.inputs.state.take().is_some() {
            self.history.keep_states();
            self.changed();
        }
    }

    fn undo(&mut self) {
        self.history.settle(&self.document);
        if let Some((label, document)) = self.history.undo(self.document.clone()) {
            self.document = document;
            self.changed();
            self.toast(format!("Undid {label}"), false, true);
        }
    }

    fn redo(&mut self) {
        if let Some((label, document)) = self.history.redo(self.document.clone()) {
            self.document = document;
            self.changed();
            self.toast(format!("Redid {label}"), false, true);
        }
    }

    /// True if the last check was of these very files, or of their texts before a few more letters.
    pub fn is_checked(&self) -> bool {
        !self.is_late && self.answers.revision >= self.imported
    }

    /// True if the problems are shown below everything.
    pub fn shows_drawer(&self) -> bool {
        self.screen.drawer_open && self.had_problems
    }

    fn fold_drawer(&mut self) {
        self.screen.drawer_open = !self.shows_drawer();
        self.had_problems = true;
    }

    fn select(&mut self, key: FileKey) {
        if self.document.files.get(key).is_some() {
            self.document.selected = Some(key);
            self.screen.pane = Pane::Edit;
        }
    }

    fn show(&mut self, tab: Tab) {
        self.screen.tab = tab;
        self.screen.pane = if tab == Tab::Plan { Pane::Plan } else { Pane::View };
    }

    fn goto(&mut self, location: LocationView) {
        let Some(key) = self.document.files.named(&location.file).map(|file| file.key) else {
            let Inputs { state, observed, .. } = &self.document.inputs;
            if state.iter().chain(observed).any(|input| input.name == location.file) {
                return self.show(Tab::State);
            }
            return self.say(format!("{} no longer exists", location.file), false);
        };
        self.select(key);
        let number = self.reveal.as_ref().map_or(1, |reveal| reveal.number + 1);
        self.reveal = Some(Reveal { number, location });
    }

    fn raise(&mut self, bar: Bar) {
        if !self.bars.iter().any(|shown| shown.same_kind(&bar)) {
            self.bars.push(bar);
        }
    }

    /// Shows a message; one with `undo` is about a change.
    fn say(&mut self, text: String, undo: bool) {
        self.toast(text, undo, undo);
    }

    /// Adds a message; only the newest is on screen, and others wait below. A message about a change removes those
    /// about earlier changes.
    fn toast(&mut self, text: String, undo: bool, change: bool) {
        const KEPT: usize = 3;
        self.said += 1;
        self.toasts.retain(|toast| toast.text != text && !(change && toast.change));
        self.toasts.push(Toast { id: self.said, text, undo, change });
        let extra = self.toasts.len().saturating_sub(KEPT);
        self.toasts.drain(..extra);
    }

    /// Changes the document as one step of the history.
    fn change(&mut self, label: impl Into<String>, change: impl FnOnce(&mut Document)) {
        let before = self.document.clone();
        change(&mut self.document);
        if self.document != before {
            let chosen = |of: &Document| (of.inputs.state.clone(), of.inputs.observed.clone());
            let states = chosen(&before) != chosen(&self.document);
            self.history.record(label, before);
            if states {
                self.history.mark_states();
            }
            self.changed();
        }
    }

    fn changed(&mut self) {
        self.revision += 1;
        self.pristine = false;
        self.applying.read_success();
        // A message about an earlier change must not offer to undo a later one.
        self.toasts.iter_mut().for_each(|toast| toast.undo = false);
        if self.document.files.is_blank() {
            self.answers = Answers { since: self.revision, ..Answers::default() };
        }
    }
}
