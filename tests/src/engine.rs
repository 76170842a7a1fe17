//! The engine that answers the examples of pages: workspaces, and which capabilities they have.

use workspace::Workspace;

/// The function that makes the empty workspace of an example; by default with all capabilities.
#[derive(Clone, Copy, Debug)]
pub struct Engine(pub fn() -> Workspace);

impl Default for Engine {
    fn default() -> Self {
        Self(capabilities::workspace)
    }
}

impl Engine {
    /// An empty workspace.
    pub fn workspace(self) -> Workspace {
        self.0()
    }
}
