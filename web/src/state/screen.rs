//! The open views, their sizes and colours. They survive a reload and are not undone.

use serde::{Deserialize, Serialize};

pub use ui::{Pane, Tab, Theme};

/// The open views and their sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Screen {
    /// The view that is shown.
    pub tab: Tab,
    /// The part that a narrow screen shows.
    pub pane: Pane,
    /// Light, dark or as the system says.
    pub theme: Theme,
    /// The rail shows only badges.
    pub rail_folded: bool,
    /// The problems are shown.
    pub drawer_open: bool,
    /// Width of the rail in pixels.
    pub rail: f64,
    /// The editor's share of the room it has with the view, in percent.
    pub editor: f64,
    /// Height of the problems in pixels.
    pub drawer: f64,
}

impl Default for Screen {
    fn default() -> Self {
        Self {
            tab: Tab::Graph,
            pane: Pane::Edit,
            theme: Theme::System,
            rail_folded: false,
            drawer_open: true,
            rail: 220.0,
            editor: 50.0,
            drawer: 248.0,
        }
    }
}

/// A border that can be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// Between rail and editor.
    Rail,
    /// Between editor and view.
    Editor,
    /// Above the problems.
    Drawer,
}

impl Screen {
    /// Moves a border; sizes stay in what can be used.
    pub fn resize(&mut self, border: Border, to: f64) {
        match border {
            Border::Rail => self.rail = to.clamp(160.0, 420.0),
            Border::Editor => self.editor = to.clamp(20.0, 80.0),
            Border::Drawer => self.drawer = to.clamp(72.0, 600.0),
        }
    }
}
