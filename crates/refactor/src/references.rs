use workspace::{
    Workspace,
    capability::location,
    view::{ReferenceView, ReferencesView},
};

use crate::{OccurrenceKind, Occurrences};

/// Every place that names what is named at a position; `None` where nothing is. Lines and columns count from 1, columns in
/// characters.
pub fn references(workspace: &mut Workspace, file: &str, line: u32, column: u32) -> Option<ReferencesView> {
    let all = Occurrences::of(workspace);
    let address = all.at_position(workspace, file, line, column)?.address.clone();
    let model = workspace.current();
    let view = |it: &crate::Occurrence| ReferenceView {
        location: location(&model.sources, it.span),
        declares: it.kind == OccurrenceKind::Declaration,
    };
    Some(ReferencesView { address: address.to_string(), references: all.named(&address).map(view).collect() })
}
