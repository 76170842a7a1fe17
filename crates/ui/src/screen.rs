//! Which view, which pane, which colours.

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
    /// Who provides what for whom.
    Links,
    /// Which versions are chosen, and why.
    Versions,
    /// What is recorded and what was seen.
    State,
    /// How two environments, moments or states differ.
    Compare,
    /// Who works for whom in the runtime.
    Controllers,
    /// What services consist of, and what deletions do.
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

    /// What it is called.
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

    /// What the number beside its name counts.
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

/// What a narrow screen shows.
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

    /// What it is called.
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
    /// What the theme button switches to.
    pub const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// The value of `data-theme`, and what it is called.
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
