//! The content of the files.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use diag::{Diagnostic, Diagnostics, FileId, Span};
use fields::schema::Schema;
use merge::Merged;
use proto::{ProtoText, Protos};
use spec::Input as Specification;
use syntax::{Document, Node, NodeData};
use workspace::capability::{
    Capability, CombinedDocument, Contribution, FrontEnd, Input, Inputs, Registration,
};

use crate::{
    deletions,
    formats::{PROTOBUF, REGISTRATION, SPECIFICATION},
    protos, storage,
};

/// A setting of the workspace: the names of the specifications that are only given to be imported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imports(pub BTreeSet<String>);

/// The capability.
#[derive(Debug)]
pub struct Services;

/// The contents of the specifications.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) services: Arc<spec::Services>,
    /// The messages of each service, at its place.
    pub(crate) schemas: Arc<Vec<Schema>>,
    pub(crate) diagnostics: Diagnostics,
    /// The documents, by their number among all files, for places in them.
    pub(crate) documents: Documents,
}

impl Capability for Services {}

impl FrontEnd for Services {
    fn registration(&self) -> &'static Registration {
        &REGISTRATION
    }

    fn read(&mut self, inputs: &Inputs<'_>) -> Contribution {
        let reading = read(inputs);
        let combined = inputs.of(&SPECIFICATION).next().map(combined);
        Contribution {
            diagnostics: reading.diagnostics.clone(),
            combined,
            reading: Arc::new(reading),
            ..Contribution::default()
        }
    }
}

/// The services that the specifications among the files define, and the messages of each at its place; for front ends that read
/// after this one. None if it is not loaded.
pub fn definitions(inputs: &Inputs<'_>) -> (Arc<spec::Services>, Arc<Vec<Schema>>) {
    let reading = inputs.reading::<Reading>();
    reading.map(|it| (Arc::clone(&it.services), Arc::clone(&it.schemas))).unwrap_or_default()
}

fn read(inputs: &Inputs<'_>) -> Reading {
    let (protos, mut diagnostics) = read_protos(inputs);
    let (specifications, documents) = read_specifications(inputs, &protos, &mut diagnostics);
    let (services, problems) = spec::resolve(&specifications);
    diagnostics.extend(problems);
    let mut schemas = Vec::new();
    for (at, service) in services.services.iter().enumerate() {
        let (schema, problems) = spec::schema(&services, at, &protos::schema(&protos, service));
        diagnostics.extend(problems);
        diagnostics.extend(protos::patterns(&protos, service));
        schemas.push(schema);
    }
    diagnostics.extend(spec::unused_imports(&services, &schemas));
    diagnostics.extend(deletions::check(&services, &schemas));
    diagnostics.extend(storage::check(&services, &documents));
    Reading { services: Arc::new(services), schemas: Arc::new(schemas), diagnostics, documents }
}

fn read_protos(inputs: &Inputs<'_>) -> (Protos, Diagnostics) {
    let files = inputs.of(&PROTOBUF);
    let files: Vec<ProtoText<'_>> =
        files.map(|it| ProtoText { file: it.id, name: it.name(), text: it.text() }).collect();
    proto::read(&files)
}

pub(crate) type Documents = Vec<(FileId, Document)>;

fn read_specifications(
    inputs: &Inputs<'_>,
    protos: &Protos,
    diagnostics: &mut Diagnostics,
) -> (Vec<Specification>, Documents) {
    let imports = inputs.settings::<Imports>();
    let is_import = |it: &Input<'_>| imports.is_some_and(|imports| imports.0.contains(it.name()));
    let (mut specifications, mut documents) = (Vec::new(), Vec::new());
    for input in inputs.of(&SPECIFICATION) {
        let (skeleton, problems) = spec::read(input.document(), Span::at(input.id, 0));
        diagnostics.extend(problems);
        if let Some(mut skeleton) = skeleton {
            diagnostics.extend(protos::complete(protos, &mut skeleton));
            specifications.push(Specification { skeleton, is_import: is_import(&input) });
        }
        documents.push((input.id, input.document().clone()));
    }
    (specifications, documents)
}

/// A specification describes kinds, and no resources.
fn combined(input: Input<'_>) -> CombinedDocument {
    let root = input.document().root.clone();
    let root = root.unwrap_or_else(|| Node::new(NodeData::Null, Span::at(input.id, 0)));
    let not_planned = Diagnostic::error(
        workspace::codes::plan::SPECIFICATION,
        root.span,
        "a specification describes no resources to plan",
    )
    .help("add a descriptor, or plan fixtures with `--service`");
    CombinedDocument { merged: Merged { root, history: BTreeMap::new() }, not_planned }
}
