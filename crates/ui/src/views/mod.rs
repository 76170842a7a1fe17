//! The panes: graph, merged document, plan, links, versions, controllers, services, problems.
//!
//! The logic that needs no page is plain Rust beside the component that shows it (lines, differences, sentences,
//! neighbourhoods, the camera) and is tested natively.

mod cell;
pub mod comparison;
pub mod controllers;
pub mod diff;
mod fit;
pub mod graph;
pub mod links;
pub mod live;
mod long;
pub mod merged;
pub mod place;
pub mod plan;
pub mod problems;
pub mod prose;
mod rove;
mod same;
pub mod services;
mod size;
pub mod texts;
pub mod value;
pub mod versions;
mod window;

pub use comparison::{
    ComparisonPane, ComparisonPaneProps, NOW, PointItem, PointTime, PointsEvent, STATE, TextDifference,
};
pub use controllers::{ControllersPane, ControllersPaneProps};
pub use graph::{GraphExport, GraphPane, GraphPaneProps, GraphTools, GroupBy, PlacesQuestion, graph_tools};
pub use links::{LinksPane, LinksPaneProps};
pub use merged::{MergedPane, MergedPaneProps, SetValue};
pub use place::strip;
pub use plan::{PlanPane, PlanPaneProps};
pub use problems::{ProblemsPane, ProblemsPaneProps, is_of_catalog, no_problems};
pub use same::Same;
pub use services::{ServicesEvent, ServicesPane, ServicesPaneProps, ServicesQuestion};
pub use texts::both;
pub use versions::{VersionsEvent, VersionsPane, VersionsPaneProps, VersionsQuestion};
