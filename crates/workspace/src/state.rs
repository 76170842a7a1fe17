//! Recorded and observed state from their JSON.

mod reader;
mod records;

use diag::{Diagnostics, FileId, Source, Span};
use model::{Observed, Recorded};
use syntax::{Limits, Node};
use types::Types;

use reader::Reader;

/// Reads `planloom.state/1`; unreadable parts are reported, and then nothing of it is used. `file` is the id that
/// `source` has in the diagnostics.
pub(crate) fn read_state(types: &Types, file: FileId, source: &Source) -> (Recorded, Diagnostics) {
    let mut reader = Reader::new("state", file, source);
    let recorded = reader.state(types).unwrap_or_default();
    let recorded = if reader.diagnostics.is_empty() { recorded } else { Recorded::default() };
    (recorded, reader.diagnostics)
}

/// Reads `planloom.observed/1`, in the same way.
pub(crate) fn read_observed(file: FileId, source: &Source) -> (Observed, Diagnostics) {
    let mut reader = Reader::new("observed state", file, source);
    let observed = reader.observed().unwrap_or_default();
    let observed = if reader.diagnostics.is_empty() { observed } else { Observed::default() };
    (observed, reader.diagnostics)
}

/// The span of the value at `path` in a JSON text; if it is absent, that of the innermost value on the path.
pub(crate) fn place_in(file: FileId, source: &Source, path: &[&str]) -> Span {
    let root = root_of(file, source);
    root.map_or(Span::at(file, 0), |root| innermost(&root, path))
}

/// JSON is YAML, so the reader that keeps positions reads it too.
fn root_of(file: FileId, source: &Source) -> Option<Node> {
    syntax::parse(file, &source.text, &Limits::default()).document.root
}

fn innermost(root: &Node, path: &[&str]) -> Span {
    let mut node = root;
    for key in path {
        match node.get(key) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    // A whole object is no place to look at; where it begins is.
    if node.as_mapping().is_some() { Span { end: node.span.start + 1, ..node.span } } else { node.span }
}
