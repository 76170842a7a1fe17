//! What would have to change for a bundle to be chosen.

use catalog::Request;
use diag::Sources;

use super::shelf::Shelf;
use crate::view::MoveView;

pub(crate) fn view(sources: &Sources, shelf: &Shelf, request: &Request, id: &str) -> MoveView {
    let _ = (sources, shelf, request, id);
    MoveView::default()
}

pub(crate) fn nothing_asked() -> MoveView {
    let sentence = "no package is asked for".into();
    MoveView { outcome: "unsolvable".into(), sentence, ..MoveView::default() }
}
