use workspace::{File, view::DiagnosticView};

use crate::secrets::masked;

/// Diagnostics as they may be shown, and the texts for their excerpts.
pub(crate) fn concealed(diagnostics: &[DiagnosticView], texts: &[File]) -> (Vec<DiagnosticView>, Vec<File>) {
    if diagnostics.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let shown = masked(texts);
    (report::concealed(diagnostics, texts, &shown), shown)
}
