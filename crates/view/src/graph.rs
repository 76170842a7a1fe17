//! The dependency graph.

use serde::{Deserialize, Serialize};

use crate::{DiagnosticView, LocationView, closed_set::closed_set};

closed_set! {
    /// The kind of a dependency.
    EdgeKind {
        /// Explicit: `depends_on`.
        DependsOn = "depends_on",
        /// A `${…}` reference.
        Reference = "reference",
        /// The dependent is attached to the other, as a service to a network.
        Attachment = "attachment",
        /// The dependent consumes a link of the other.
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
        /// An image.
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
    /// The dependencies.
    pub edges: Vec<EdgeView>,
    /// The problems that were found.
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
    /// Its wave, from 0.
    pub wave: u32,
    /// The location of its declaration.
    pub origin: LocationView,
}

/// A dependency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "GraphEdge"))]
pub struct EdgeView {
    /// The dependent's address.
    pub from: String,
    /// The address of the dependency.
    pub to: String,
    /// The kind of dependency.
    pub kind: EdgeKind,
    /// The attribute that contains the dependency.
    pub path: String,
    /// The location at which it is written.
    pub origin: LocationView,
    /// True if it should be drawn: no path of other edges implies it.
    pub direct: bool,
}

/// The positions of the boxes and of the lines between them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlacesView {
    /// Each box's left, top, width, height.
    pub boxes: Vec<[f32; 4]>,
    /// Each line's polyline.
    pub routes: Vec<Vec<[f32; 2]>>,
    /// Width and height of the drawing.
    pub size: [f32; 2],
}

/// The graph with the coordinates for drawing it, in the order of [`GraphView`].
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
    /// Width and height of the drawing.
    #[cfg_attr(feature = "typescript", ts(type = "[width: number, height: number]"))]
    pub size: [f32; 2],
}
