//! What the page and the worker of the Controllers view say to each other.

use serde::{Deserialize, Serialize};
use ui::views::controllers::Snapshot;
use workspace::view::GraphFormat;

/// To the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Whether the view is on screen: if not, nothing is sent.
    Watch(bool),
    /// A number of the user's says this from now on.
    Put { id: String, number: i64 },
    /// A number of the user's shall go.
    Remove { id: String },
    /// The runtime shall run, or stop.
    Run(bool),
    /// The graph as text.
    Text { id: u32, format: GraphFormat },
}

/// From the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// How everything is.
    Snapshot(Box<Snapshot>),
    /// What was asked cannot be done.
    Refused { message: String },
    /// The graph as text.
    Text { id: u32, text: String },
    /// The worker stopped: our mistake. Nothing more will come from it.
    Stopped { message: String },
}
