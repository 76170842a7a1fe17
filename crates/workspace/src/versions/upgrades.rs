//! The upgrades between the versions of a package.

use super::{Options, shelf::Shelf};
use crate::{pipeline::Model, view::UpgradesView};

pub(crate) fn view(model: &Model, shelf: &Shelf, options: &Options, package: &str) -> Option<UpgradesView> {
    let _ = (model, shelf, options, package);
    None
}

pub(crate) fn mermaid(shelf: &Shelf, options: &Options, package: &str) -> Option<String> {
    let _ = (shelf, options, package);
    None
}
