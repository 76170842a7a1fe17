//! The dependency graph.

use serde::{Deserialize, Serialize};

use crate::{DiagnosticView, LocationView, closed_set::closed_set};

closed_set! {
    /// How a resource is connected with what it needs.
    EdgeKind {
        /// It says so: `depends_on`.
        DependsOn = "depends_on",
        /// A `${…}` reference.
        Reference = "reference",
        /// It lives in the other, as a service in a network.
        Attachment = "attachment",
        /// It consumes what the other provides.
        Link = "link",
        /// It runs a package, or one package needs another.
        Version = "version",
    }
}

closed_set! {
    /// A text format of the graph.
    GraphFormat {
        /// DOT, for Graphviz.
        Dot = "dot",
        /// A Mermaid flowchart.
        Mermaid = "mermaid",
        /// A picture.
        Svg = "svg",
    }
}

/// `planloom.graph/1`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Graph"))]
pub struct GraphView {
    /// `planloom.graph/1`
    #[cfg_attr(feature = "typescript", ts(type = "\"planloom.graph/1\""))]
    pub format: String,
    /// The resources, in the order they are declared.
    pub nodes: Vec<NodeView>,
    /// The connections.
    pub edges: Vec<EdgeView>,
    /// What was wrong.
    pub diagnostics: Vec<DiagnosticView>,
}

/// One resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "GraphNode"))]
pub struct NodeView {
    /// Its address.
    pub address: String,
    /// Its kind.
    pub kind: String,
    /// Its step of a parallel creation, from 0.
    pub wave: u32,
    /// Where it is declared.
    pub origin: LocationView,
}

/// One connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "GraphEdge"))]
pub struct EdgeView {
    /// The dependent's address.
    pub from: String,
    /// The address of what it needs.
    pub to: String,
    /// How they are connected.
    pub kind: EdgeKind,
    /// The attribute that says so.
    pub path: String,
    /// Where it is written.
    pub origin: LocationView,
    /// No longer way says the same: draw it.
    pub direct: bool,
}

/// The graph with places to draw it at. Same order as [`GraphView`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Layout"))]
pub struct LayoutView {
    /// The graph.
    pub graph: GraphView,
    /// Each node's left, top, width, height.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "[left: number, top: number, width: number, height: number][]")
    )]
    pub boxes: Vec<[f32; 4]>,
    /// Each edge's polyline; empty for edges that need not be drawn.
    #[cfg_attr(feature = "typescript", ts(type = "[x: number, y: number][][]"))]
    pub routes: Vec<Vec<[f32; 2]>>,
    /// Width and height of it all.
    #[cfg_attr(feature = "typescript", ts(type = "[width: number, height: number]"))]
    pub size: [f32; 2],
}
