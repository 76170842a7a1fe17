use std::collections::BTreeSet;

use workspace::{
    Workspace,
    view::{ComparedView, GraphView, MergeView},
};

use crate::{applied::applied, origins::Origins};

/// The baseline of a comparison: everything of the earlier files that a comparison needs, so that one workspace can hold
/// first the ones and then the others.
pub(crate) struct Baseline {
    pub(crate) side: ComparedView,
    /// The state as if they were applied.
    pub(crate) state: String,
    pub(crate) origins: Origins,
    pub(crate) graph: GraphView,
    pub(crate) merge: MergeView,
    pub(crate) secrets: BTreeSet<String>,
}

impl Baseline {
    /// The files of a workspace, as they are now.
    pub(crate) fn of(files: &mut Workspace) -> Self {
        Self {
            side: side(files),
            state: applied(files, ""),
            origins: Origins::of(files),
            graph: files.graph(),
            merge: files.merged(true),
            secrets: files.secrets(),
        }
    }
}

pub(crate) fn side(files: &mut Workspace) -> ComparedView {
    ComparedView {
        deployment: files.written_name().unwrap_or_default().to_owned(),
        resources: files.current().lowered.desired.resources.len(),
        errors: files.blocking_errors(),
    }
}
