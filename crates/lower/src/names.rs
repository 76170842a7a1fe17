//! Places that name other resources where no definition of a field says so.

use std::sync::Arc;

use diag::order;
use model::Dependency;

use crate::{Lowered, NamedResource, ReferenceUse, build::sort_dependencies};

/// Adds a dependency, and a use for going to the definition, for each name of a resource that is described.
pub(crate) fn add(lowered: &mut Lowered, names: &[NamedResource]) {
    if names.is_empty() {
        return;
    }
    let resources = &mut lowered.desired.resources;
    let places = order::map(resources.iter().enumerate().map(|(n, it)| (it.address.clone(), n)));
    let mut changed = Vec::new();
    for NamedResource { by, path, to, kind, span } in names {
        let (Some(by), Some(target)) = (places.get(by), places.get(to)) else { continue };
        let Some(declared) = resources.get(*target).map(|it| it.declared) else { continue };
        lowered.uses.push(ReferenceUse { span: *span, target: declared, address: to.clone() });
        if let Some(resource) = resources.get_mut(*by).map(Arc::make_mut) {
            let dependency =
                Dependency { to: to.clone(), kind: *kind, path: path.clone(), takes: None, span: *span };
            resource.dependencies.push(dependency);
            changed.push(*by);
        }
    }
    sort_dependencies(resources, changed.into_iter());
}
