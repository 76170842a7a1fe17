//! The views, the panes and the colour themes.

use serde::{Deserialize, Serialize};

use crate::IconName;

/// A view beside the editor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tab {
    /// The dependency graph.
    #[default]
    Graph,
    /// The merged document.
    Merged,
    /// The plan.
    Plan,
    /// The links between providers and consumers.
    Links,
    /// The chosen versions, with reasons.
    Versions,
    /// The recorded and the observed state.
    State,
    /// The differences between two environments, moments or states.
    Compare,
    /// The controllers of a runtime, the kinds of resources that they work on, and the connections between them.
    Controllers,
    /// The kinds of resources of services, and the effects of deletions.
    Services,
}

impl Tab {
    /// Every view, in order.
    pub const ALL: [Self; 9] = [
        Self::Graph,
        Self::Merged,
        Self::Plan,
        Self::Links,
        Self::Versions,
        Self::State,
        Self::Compare,
        Self::Controllers,
        Self::Services,
    ];

    /// Its title.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Graph => "Graph",
            Self::Merged => "Merged",
            Self::Plan => "Plan",
            Self::Links => "Links",
            Self::Versions => "Versions",
            Self::State => "State",
            Self::Compare => "Compare",
            Self::Controllers => "Controllers",
            Self::Services => "Services",
        }
    }

    /// A count with its unit: `2 resources`.
    pub fn counted(self, count: usize) -> String {
        let (one, many) = match self {
            Self::Graph => ("resource", "resources"),
            Self::Merged => ("value that overrides another", "values that override another"),
            Self::Plan => ("action", "actions"),
            Self::Links => ("link", "links"),
            Self::Versions => ("required package", "required packages"),
            Self::State => ("recorded resource", "recorded resources"),
            Self::Compare => ("difference", "differences"),
            Self::Controllers => ("controller", "controllers"),
            Self::Services => ("kind of resources", "kinds of resources"),
        };
        format!("{count} {}", if count == 1 { one } else { many })
    }

    /// Its icon.
    pub const fn icon(self) -> IconName {
        match self {
            Self::Graph => IconName::Graph,
            Self::Merged => IconName::Merge,
            Self::Plan => IconName::Plan,
            Self::Links => IconName::Links,
            Self::Versions => IconName::Versions,
            Self::State => IconName::State,
            Self::Compare => IconName::Compare,
            Self::Controllers => IconName::Controllers,
            Self::Services => IconName::Services,
        }
    }

    /// Part of element ids and classes.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Graph => "graph",
            Self::Merged => "merged",
            Self::Plan => "plan",
            Self::Links => "links",
            Self::Versions => "versions",
            Self::State => "state",
            Self::Compare => "compare",
            Self::Controllers => "controllers",
            Self::Services => "services",
        }
    }
}

/// The panes of a narrow screen, which shows one at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pane {
    /// The files.
    Files,
    /// The editor.
    #[default]
    Edit,
    /// A view.
    View,
    /// The plan.
    Plan,
    /// The problems.
    Problems,
}

impl Pane {
    /// Every pane, in order.
    pub const ALL: [Self; 5] = [Self::Files, Self::Edit, Self::View, Self::Plan, Self::Problems];

    /// Its title.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Files => "Files",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Plan => "Plan",
            Self::Problems => "Problems",
        }
    }

    /// Its icon.
    pub const fn icon(self) -> IconName {
        match self {
            Self::Files => IconName::Layers,
            Self::Edit => IconName::Code,
            Self::View => IconName::Graph,
            Self::Plan => IconName::Plan,
            Self::Problems => IconName::Warning,
        }
    }

    /// Part of element ids and classes.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Edit => "edit",
            Self::View => "view",
            Self::Plan => "plan",
            Self::Problems => "problems",
        }
    }
}

/// The colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The theme that the theme button switches to.
    pub const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// The value of `data-theme`, and the name of the theme.
    pub const fn id(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// Its icon.
    pub const fn icon(self) -> IconName {
        match self {
            Self::System => IconName::Contrast,
            Self::Light => IconName::Sun,
            Self::Dark => IconName::Moon,
        }
    }
}
