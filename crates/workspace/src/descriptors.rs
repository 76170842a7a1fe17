//! The core's own front end: descriptors of the Golem application model.

use merge::Layer;

use crate::{
    capability::{Contribution, FileLayer, FrontEnd, Registration},
    formats::{CORE, Reader},
    inputs::{Input, Inputs},
};

/// Its formats are the core's rows, which are there without registration.
static REGISTRATION: Registration = Registration { name: CORE, formats: &[], hooks: &[] };

/// The front end. Each descriptor is a layer as it is written; all of their kinds are built in or given as definitions.
#[derive(Debug)]
pub(crate) struct Descriptors;

impl FrontEnd for Descriptors {
    fn registration(&self) -> &'static Registration {
        &REGISTRATION
    }

    fn read(&mut self, inputs: &Inputs<'_>) -> Contribution {
        let descriptors = inputs.all().filter(|it| it.assigned.is(Reader::Descriptor));
        Contribution { layers: descriptors.map(layer).collect(), ..Contribution::default() }
    }
}

fn layer(input: Input<'_>) -> FileLayer {
    let root = input.document().root.clone();
    let layer = Layer { root, package: input.file.package().cloned(), has_tags: input.file.has_tags() };
    FileLayer { file: input.id, layer, deployment: input.assigned.beside.clone() }
}
