//! Problems that are written as variables and constraints.

use syntax::Node;

use crate::{
    pipeline::Model,
    view::{MoveView, ResolutionView},
};

pub(crate) fn view(model: &Model, root: &Node) -> ResolutionView {
    let _ = (model, root);
    ResolutionView::default()
}

pub(crate) fn what_would_move(model: &Model, root: &Node, id: &str) -> MoveView {
    let _ = (model, root, id);
    MoveView::default()
}
