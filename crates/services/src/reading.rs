//! The content of the files.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use diag::{Code, Diagnostic, Diagnostics, Span};
use merge::Merged;
use spec::Input as Specification;
use syntax::{Document, Node, NodeData};
use workspace::capability::{Capability, Contribution, Described, Input, Inputs, Registration};

use crate::formats::{REGISTRATION, SPECIFICATION};

const NOT_PLANNED: Code = Code("plan/specification");

/// A setting of the workspace: the names of the specifications that are only given to be imported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imports(pub BTreeSet<String>);

/// The capability.
#[derive(Debug)]
pub struct Services;

/// What the specifications say.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) services: Arc<spec::Services>,
    pub(crate) diagnostics: Diagnostics,
    /// The documents, by their number among all files, for places in them.
    pub(crate) documents: Vec<(diag::FileId, Document)>,
}

impl Capability for Services {
    fn registration(&self) -> &'static Registration {
        &REGISTRATION
    }

    fn read(&mut self, inputs: &Inputs<'_>) -> Contribution {
        let reading = read(inputs);
        let described = inputs.of(&SPECIFICATION).next().map(described);
        Contribution {
            diagnostics: reading.diagnostics.clone(),
            described,
            reading: Arc::new(reading),
            ..Contribution::default()
        }
    }
}

fn read(inputs: &Inputs<'_>) -> Reading {
    let imports = inputs.settings::<Imports>();
    let is_import = |it: &Input<'_>| imports.is_some_and(|imports| imports.0.contains(it.name()));
    let (mut diagnostics, mut specifications) = (Diagnostics::new(), Vec::new());
    let mut documents = Vec::new();
    for input in inputs.of(&SPECIFICATION) {
        let (skeleton, problems) = spec::read(input.document(), Span::at(input.id, 0));
        diagnostics.extend(problems);
        specifications
            .extend(skeleton.map(|it| Specification { skeleton: it, is_import: is_import(&input) }));
        documents.push((input.id, input.document().clone()));
    }
    let (services, problems) = spec::resolve(&specifications);
    diagnostics.extend(problems);
    Reading { services: Arc::new(services), diagnostics, documents }
}

/// A specification describes kinds, and no resources.
fn described(input: Input<'_>) -> Described {
    let root = input.document().root.clone();
    let root = root.unwrap_or_else(|| Node::new(NodeData::Null, Span::at(input.id, 0)));
    let not_planned =
        Diagnostic::error(NOT_PLANNED, root.span, "a specification describes no resources to plan")
            .help("add a descriptor, or plan fixtures with `--service`");
    Described { merged: Merged { root, history: BTreeMap::new() }, not_planned }
}
