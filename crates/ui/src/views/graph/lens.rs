//! The filters and groups of the graph: chosen by the user, kept while the graph changes.

use std::collections::BTreeSet;

use workspace::view::{Action, PlacesView};
use yew::{AttrValue, Callback};

/// The property that resources are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupBy {
    /// The network that they are attached to.
    Network,
    /// The file that declares them.
    File,
    /// Their kind.
    Kind,
    /// The step in which they can be created.
    Wave,
}

impl GroupBy {
    /// All of them.
    pub(super) const ALL: [Self; 4] = [Self::Network, Self::File, Self::Kind, Self::Wave];

    /// In a word.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::File => "file",
            Self::Kind => "kind",
            Self::Wave => "wave",
        }
    }
}

/// Filters and groups.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lens {
    /// The property that resources are grouped by.
    pub(super) group: Option<GroupBy>,
    /// The groups whose members are shown.
    pub(super) open: BTreeSet<String>,
    /// Only resources with one of these actions; [`Action::NoOp`] stands for those without.
    pub(super) actions: BTreeSet<Action>,
    /// Only resources of one of these kinds.
    pub(super) kinds: BTreeSet<String>,
    /// Only resources that this file has a hand in.
    pub(super) file: Option<AttrValue>,
    /// Only resources whose address or kind has this in it.
    pub(super) text: String,
}

impl Lens {
    /// True if something is filtered.
    pub(super) fn filters(&self) -> bool {
        !self.actions.is_empty() || !self.kinds.is_empty() || self.file.is_some() || !self.text.is_empty()
    }

    /// The same without filters.
    pub(super) fn unfiltered(&self) -> Self {
        Self { group: self.group, open: self.open.clone(), ..Self::default() }
    }
}

/// A request for places: boxes, and which of them needs which.
#[derive(Clone, Debug)]
pub struct PlacesQuestion {
    /// Width and height of each box.
    pub sizes: Vec<[f32; 2]>,
    /// Pairs of a dependent and the box it needs, as indices of `sizes`.
    pub edges: Vec<[usize; 2]>,
    /// Called with the places; with nothing where there are none.
    pub then: Callback<Option<PlacesView>>,
}

/// The format that the graph is saved in.
#[derive(Clone, Debug)]
pub enum GraphExport {
    /// An image of lines.
    Svg,
    /// An image of points, as its file.
    Png(web_sys::Blob),
    /// DOT, for Graphviz.
    Dot,
    /// A Mermaid flowchart.
    Mermaid,
}
