//! The messages between the page and the engine's worker. Edits carry a revision; answers name the one they are for,
//! and only the newest is answered.

mod arguments;
pub mod query;

use std::{collections::BTreeMap, marker::PhantomData};

pub use query::{AnyQuery, Query};

use crate::{codec, splice::Splice};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use workspace::{
    File, PlanOptions,
    view::{CheckView, FileView, LayoutView, LinkMapView, LinksView, MergeView, PlanView, ResolutionView},
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
    /// A query with one answer, in order.
    Query { id: u32, query: AnyQuery },
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
    Laid { revision: u64, layout: Encoded<LayoutView> },
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
    /// The answer to a query; `None` if there is none, or its part of the engine could not be loaded: the same query tries
    /// again.
    Answer { id: u32, answer: Option<AnyAnswer> },
    /// The engine stopped: our mistake. Nothing more will come from it.
    Stopped { message: String },
}

/// The answer to a query of any type.
pub type AnyAnswer = Encoded<()>;

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
    /// The view; `None` where the text is of another one.
    pub fn read(&self) -> Option<T> {
        serde_json::from_str(&self.text).ok()
    }
}

impl<T> Encoded<T> {
    /// A view that was written already.
    pub const fn new(text: String) -> Self {
        Self { text, view: PhantomData }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same text, read as another view.
    pub fn cast<U>(self) -> Encoded<U> {
        Encoded { text: self.text, view: PhantomData }
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
