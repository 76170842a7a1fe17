//! A snapshot of a runtime, as the page receives it.

use serde::Serialize;
use workspace::view::{ControllerEdge, ControllerState, ControllerStyle};

/// Controllers, kinds and how they hang together, with where to draw them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Snapshot {
    /// True if the runtime runs.
    pub running: bool,
    /// In the order of registration.
    pub controllers: Vec<ControllerItem>,
    /// By namespace and name.
    pub kinds: Vec<KindItem>,
    /// Inputs and outputs.
    pub edges: Vec<EdgeItem>,
    /// The problems of the graph, existing or likely.
    pub lints: Vec<LintItem>,
    /// Size of the drawing from left to right.
    pub wide: [f32; 2],
    /// Size of the drawing from top to bottom.
    pub tall: [f32; 2],
}

/// The rectangle of a node in both drawings: left, top, width, height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Place {
    /// In the drawing from left to right.
    pub wide: [f32; 4],
    /// In the drawing from top to bottom.
    pub tall: [f32; 4],
}

/// The way of an edge in both drawings, from where it begins to where its arrow points.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Way {
    /// In the drawing from left to right.
    pub wide: Vec<[f32; 2]>,
    /// In the drawing from top to bottom.
    pub tall: Vec<[f32; 2]>,
}

/// A controller.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ControllerItem {
    /// Names the node.
    pub node: String,
    /// Its id.
    pub id: String,
    /// Its purpose, in one line.
    pub does: String,
    /// The way it is run.
    pub style: ControllerStyle,
    /// Its current activity.
    pub state: ControllerState,
    /// Jobs that wait.
    pub queue: usize,
    /// Runs that went well.
    pub ok: u64,
    /// Runs that failed.
    pub failed: u64,
    /// Runs that had nothing to do.
    pub skipped: u64,
    /// The last error: its message, and its time in milliseconds since 1970.
    pub error: Option<(String, f64)>,
    /// The time of the next attempt after a failure, in milliseconds since 1970.
    pub retry_at: Option<f64>,
    /// Jobs it has given up on.
    pub given_up: usize,
    /// Its position in the drawings.
    pub place: Place,
}

/// A kind, and how many resources there are of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct KindItem {
    /// Names the node.
    pub node: String,
    /// Its name.
    pub name: String,
    /// The number of its resources.
    pub count: usize,
    /// Those of them that are tearing down.
    pub leaving: usize,
    /// Its position in the drawings.
    pub place: Place,
}

/// An input or output.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EdgeItem {
    /// Stays the same as long as it is declared.
    pub id: String,
    /// The node it leads from.
    pub from: String,
    /// The node it leads to.
    pub to: String,
    /// The kind of input or output.
    pub edge: ControllerEdge,
    /// The number of times that it woke the controller, or that the controller wrote.
    pub count: u64,
    /// Part of a loop of writes that does not settle.
    pub livelock: bool,
    /// Its route in the drawings.
    pub way: Way,
}

/// A problem of the graph, existing or likely.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LintItem {
    /// `runtime/what`.
    pub code: String,
    /// One line.
    pub message: String,
}
