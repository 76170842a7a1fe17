//! The messages between the page and the engine's worker. Edits carry a revision; answers name the one they are for,
//! and only the newest is answered.

mod flat;

use std::{collections::BTreeMap, marker::PhantomData};

use flat::FlatQuestion;

use crate::{codec, splice::Splice};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use workspace::{
    File, PlanOptions,
    view::{
        CheckView, EditView, FileView, GraphFormat, LayoutView, LinkMapView, LinksView, MergeView, MoveView,
        PlacesView, PlanView, ResolutionView, UpgradesView,
    },
};

/// To the engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Request {
    /// All files in merge order.
    Files { revision: u64, files: Vec<File> },
    /// A change in one file's text.
    Edit { revision: u64, file: String, splice: Splice },
    /// The options of the plan; with `bosh`, links follow the rules of BOSH's director.
    Options { revision: u64, options: PlanOptions, bosh: bool },
    /// The large views that are on screen.
    Want(Want),
    /// A question with one answer, in order.
    Ask { id: u32, question: Question },
}

/// The large views that are on screen: the others are not sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Want {
    /// The graph with its places.
    pub layout: bool,
    /// The merged document with its origins.
    pub merge: bool,
    /// The links and their map.
    pub links: bool,
    /// The chosen versions, and the reasons for them.
    pub versions: bool,
    /// The values that a plan changes: without them it only says what happens to whom, and why.
    pub changes: bool,
}

/// Something asked once.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "FlatQuestion", into = "FlatQuestion")]
pub enum Question {
    /// The information about a position.
    Hover { file: String, line: u32, column: u32 },
    /// The completions at a position.
    Complete { file: String, line: u32, column: u32 },
    /// The declaration of the name at a position.
    Define { file: String, line: u32, column: u32 },
    /// Every place that names what is named at a place.
    References { file: String, line: u32, column: u32 },
    /// The edits that give it another name; with a record, where a state has it.
    Rename { file: String, line: u32, column: u32, name: String, recorded: bool },
    /// The outline of a file.
    Outline { file: String },
    /// The edits that format a text. It is sent along: of a file with errors the engine keeps the last text without.
    Format { name: String, text: String },
    /// The differences between two sides.
    Compare { before: ComparedSide, after: ComparedSide },
    /// The edits that set a value in a file.
    SetValue { file: String, pointer: String, yaml: String },
    /// The formats and roles of files that are not opened yet.
    Recognise { files: Vec<File> },
    /// The files of a zip package, given as base64url.
    ReadPackage { name: String, bytes: String },
    /// The files as a zip package.
    WritePackage,
    /// Files without their secrets, to be given away.
    FilesToShare { files: Vec<File> },
    /// The merged document as text.
    MergedText,
    /// The graph as text.
    GraphText { format: GraphFormat },
    /// The graph of other files, to be drawn small.
    Picture { files: Vec<File> },
    /// Places for boxes, given their sizes and which needs which.
    Places { sizes: Vec<[f32; 2]>, edges: Vec<[usize; 2]> },
    /// The versions that would be chosen if requirements had other ranges: pairs of the name of a requirement and its
    /// range.
    ResolveIf { ranges: Vec<(String, String)> },
    /// The changes that would be necessary for a bundle to be chosen.
    WouldMove { id: String },
    /// The upgrades between the versions of a package.
    Upgrades { package: String },
    /// The chosen versions, as the text of a lock file.
    Lock,
    /// A question about services, with its argument.
    Services { question: String, argument: String },
}

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ComparedSide {
    /// Files in merge order.
    Files(Vec<File>),
    /// The text of a state.
    State(String),
}

/// From the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// The problems, sent before everything else.
    Checked {
        /// The revision it is about.
        revision: u64,
        /// The problems.
        check: CheckView,
        /// The format and role of each file.
        files: Vec<FileView>,
        /// The number of problems that prevent a plan.
        blocking: usize,
        /// A file does not parse: graph and merged document stay as they were.
        model_stale: bool,
        /// Something is wrong: the plan stays as it was.
        plan_stale: bool,
    },
    /// The plan.
    Planned { revision: u64, plan: PlanView },
    /// The graph.
    Laid { revision: u64, layout: LayoutView },
    /// The merged document.
    Merged { revision: u64, merge: Encoded<MergeView> },
    /// The links, and the positions for drawing them.
    Linked { revision: u64, links: Encoded<(LinksView, LinkMapView)> },
    /// The chosen versions, and the reasons for them.
    Resolved { revision: u64, resolution: Encoded<ResolutionView> },
    /// Small facts about the model, and which lines override which, by file.
    Marked { revision: u64, counts: Counts, marks: Marks },
    /// Everything has been said of this revision.
    Settled { revision: u64 },
    /// A part of the engine that is needed could not be loaded; it is requested again when something changes.
    NotLoaded { part: String },
    /// The answer to a question.
    Answer { id: u32, answer: Answer },
    /// The engine stopped: our mistake. Nothing more will come from it.
    Stopped { message: String },
}

/// An answer to a [`Question`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// A view as JSON text, for the editor, which reads it by itself.
    Json(String),
    Edits(Option<Vec<EditView>>),
    Files(Result<Vec<File>, String>),
    Recognised(Vec<FileView>),
    /// A file's content as base64url.
    Package(String),
    Text(Option<String>),
    Picture(LayoutView),
    Places(PlacesView),
    Resolution(Encoded<ResolutionView>),
    Move(Encoded<MoveView>),
    Upgrades(Encoded<Option<UpgradesView>>),
    /// A part of the engine could not be loaded; asking again tries again.
    NotLoaded(String),
}

/// A view as JSON text: its writer belongs to a part of the engine, and its reader to the code that shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Encoded<T> {
    #[serde(serialize_with = "codec::attach", deserialize_with = "codec::detach")]
    text: String,
    #[serde(skip)]
    view: PhantomData<T>,
}

impl<T: DeserializeOwned> Encoded<T> {
    /// A view that was written already.
    pub const fn new(text: String) -> Self {
        Self { text, view: PhantomData }
    }

    /// The view; `None` where the text is of another one.
    pub fn read(&self) -> Option<T> {
        serde_json::from_str(&self.text).ok()
    }
}

/// Small facts about the model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// The name of the deployment in the files; empty if they have none.
    pub name: String,
    /// Resources in the graph.
    pub resources: usize,
    /// Values that override another.
    pub overrides: usize,
    /// Links.
    pub links: usize,
    /// Links that have to be mended.
    pub links_failed: usize,
    /// Packages that are asked for.
    pub versions: usize,
    /// Those of them that cannot be had.
    pub versions_failed: usize,
    /// Kinds of resources of services.
    pub services: usize,
}

/// Lines that override or are overridden, by file.
pub type Marks = BTreeMap<String, Vec<Mark>>;

/// One line's part in the merge.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mark {
    /// The line, from 1.
    pub line: u32,
    /// Its value is used and replaces another's; else it is replaced.
    pub wins: bool,
    /// The other file.
    pub other: String,
}
