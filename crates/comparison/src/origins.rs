use std::{collections::BTreeMap, sync::Arc};

use model::{DesiredResource, Origin, Pointer};
use workspace::{
    Workspace,
    capability::{Model, location},
    view::{ChangeOriginView, LocationView},
};

/// The places where files write resources and their values. Empty for a state, which has no files.
#[derive(Default)]
pub(crate) struct Origins {
    model: Option<Arc<Model>>,
    /// By address: the place among the desired resources.
    places: BTreeMap<String, usize>,
}

impl Origins {
    pub(crate) fn of(files: &mut Workspace) -> Self {
        let model = files.current();
        let resources = model.lowered.desired.resources.iter().enumerate();
        let places = resources.map(|(at, it)| (it.address.to_string(), at)).collect();
        Self { model: Some(model), places }
    }

    /// The place where a resource is declared.
    pub(crate) fn of_resource(&self, address: &str) -> Option<LocationView> {
        let (model, resource) = self.get(address)?;
        Some(location(&model.sources, resource.declared))
    }

    /// The origin of a value of a resource; `None` if it has no such value.
    pub(crate) fn of_value(&self, address: &str, path: &str) -> Option<ChangeOriginView> {
        let (model, resource) = self.get(address)?;
        let value = resource.spec.at(&Pointer::parse(path))?;
        Some(ChangeOriginView {
            location: location(&model.sources, value.origin.span()?),
            inferred: matches!(value.origin, Origin::Inferred(_) | Origin::Default(_)),
        })
    }

    fn get(&self, address: &str) -> Option<(&Model, &DesiredResource)> {
        let model = self.model.as_ref()?;
        Some((model, model.lowered.desired.resources.get(*self.places.get(address)?)?))
    }
}
