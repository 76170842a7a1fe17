//! The views, the panes and the colour themes.

use serde::{Deserialize, Serialize};

use crate::IconName;

/// Defines the views: for each its title, its part of element ids and classes, its icon, and what it counts, in the singular and
/// in the plural.
macro_rules! tabs {
    ($($(#[$of_tab:meta])* $tab:ident = $id:literal, $icon:ident, $one:literal | $many:literal;)+) => {
        /// A view beside the editor.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Tab {
            $($(#[$of_tab])* $tab,)+
        }

        impl Tab {
            /// Every view, in order.
            pub const ALL: [Self; [$(Self::$tab),+].len()] = [$(Self::$tab),+];

            /// The titles of the views that have keys, as a list.
            pub const TITLES_WITH_KEYS: &'static str = first(concat!($(stringify!($tab), ", "),+), Self::KEYS);

            /// Its title.
            pub const fn title(self) -> &'static str {
                match self {
                    $(Self::$tab => stringify!($tab),)+
                }
            }

            /// A count with its unit: `2 resources`.
            pub fn counted(self, count: usize) -> String {
                let (one, many) = match self {
                    $(Self::$tab => ($one, $many),)+
                };
                format!("{count} {}", if count == 1 { one } else { many })
            }

            /// Its icon.
            pub const fn icon(self) -> IconName {
                match self {
                    $(Self::$tab => IconName::$icon,)+
                }
            }

            /// Part of element ids and classes.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$tab => $id,)+
                }
            }
        }
    };
}

tabs! {
    /// The dependency graph.
    #[default]
    Graph = "graph", Graph, "resource" | "resources";
    /// The merged document.
    Merged = "merged", Merge, "value that overrides another" | "values that override another";
    /// The plan.
    Plan = "plan", Plan, "action" | "actions";
    /// The links between providers and consumers.
    Links = "links", Links, "link" | "links";
    /// The chosen versions, with reasons.
    Versions = "versions", Versions, "required package" | "required packages";
    /// The recorded and the observed state.
    State = "state", State, "recorded resource" | "recorded resources";
    /// The differences between two environments, moments or states.
    Compare = "compare", Compare, "difference" | "differences";
    /// The controllers of a runtime, the kinds of resources that they work on, and the connections between them.
    Controllers = "controllers", Controllers, "controller" | "controllers";
    /// The kinds of resources of services, and the effects of deletions.
    Services = "services", Services, "kind of resources" | "kinds of resources";
}

impl Tab {
    /// The number of views that keys open: Alt with a digit from 1.
    pub const KEYS: usize = 9;
}

/// The first parts of a list whose parts end with a comma and a space, without the last comma.
const fn first(list: &str, parts: usize) -> &str {
    let (mut rest, mut end, mut commas) = (list.as_bytes(), 0, 0);
    while let [byte, others @ ..] = rest
        && commas < parts
    {
        if *byte == b',' {
            (end, commas) = (list.len() - rest.len(), commas + 1);
        }
        rest = others;
    }
    list.split_at(end).0
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_those_of_the_views_that_have_keys() {
        let titles: Vec<&str> = Tab::ALL.iter().take(Tab::KEYS).map(|it| it.title()).collect();
        assert_eq!(Tab::TITLES_WITH_KEYS, titles.join(", "));
        assert_eq!((first("a, b, c, ", 2), first("a, b, ", 3)), ("a, b", "a, b"));
    }

    #[test]
    fn ids_are_the_names_in_stored_screens() {
        for tab in Tab::ALL {
            assert_eq!(serde_json::to_value(tab).ok(), Some(tab.id().into()));
        }
    }
}
