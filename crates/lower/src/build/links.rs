//! The links of items.

use diag::Span;
use model::Pointer;

use crate::{Linking, declare::Declarations, linking::SiteMap};

/// A link of an item.
pub(super) struct TypedLink {
    /// The item that provides it.
    pub(super) target: usize,
    /// The attribute that requests it.
    pub(super) path: Pointer,
    pub(super) span: Span,
}

/// By item: its links within the deployment.
pub(super) fn links_of(
    declarations: &Declarations<'_>,
    linking: &Linking,
    map: &SiteMap,
) -> Vec<Vec<TypedLink>> {
    let mut all: Vec<Vec<TypedLink>> = Vec::new();
    all.resize_with(declarations.items.len(), Vec::new);
    for link in &linking.links {
        let Some(((0, from), (0, to))) = ::links::impact::endpoints(&linking.site, link) else { continue };
        let (Some((_, consumer)), Some(item), Some(target)) =
            (link.consumer(&linking.site), map.items.get(from), map.items.get(to))
        else {
            continue;
        };
        let Some(fields) = &declarations.definition(*item).links else { continue };
        let path = Pointer::root().keys(&[&fields.consumes, &consumer.name.text]);
        all[*item].push(TypedLink { target: *target, path, span: consumer.name.span });
    }
    all
}
