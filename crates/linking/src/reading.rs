//! Reading the files of BOSH.

use std::{collections::BTreeMap, sync::Arc};

use bosh::DocumentKind;
use diag::Diagnostic;
use lower::AccessorReader;
use workspace::capability::{
    Capability, CombinedDocument, Contribution, FrontEnd, Input, Inputs, Registration,
};

use crate::{
    accessors,
    formats::{REGISTRATION, sort},
    invisible,
};

/// The capability.
#[derive(Debug)]
pub struct Linking;

/// The files' content.
#[derive(Debug)]
pub(crate) struct Reading {
    /// Jobs whose spec was not given, and how often they are deployed.
    pub(crate) jobs_without_spec: BTreeMap<Arc<str>, u32>,
}

impl Capability for Linking {
    fn accessors(&self) -> Option<&dyn AccessorReader> {
        Some(&accessors::Reader)
    }
}

impl FrontEnd for Linking {
    fn registration(&self) -> &'static Registration {
        &REGISTRATION
    }

    fn read(&mut self, inputs: &Inputs<'_>) -> Contribution {
        let documents = documents(inputs);
        if documents.is_empty() {
            let reading = Arc::new(Reading { jobs_without_spec: BTreeMap::new() });
            return Contribution { reading, ..Contribution::default() };
        }
        let mut read = bosh::read(&documents, inputs.profile);
        for document in documents {
            invisible::check(document.root, &mut read.diagnostics);
        }
        // Of several configs the one that operations change is what somebody wants to see.
        let (changed, others): (Vec<_>, Vec<_>) =
            read.configs.into_iter().partition(|(_, it)| !it.history.is_empty());
        let manifests = read.manifests.into_iter().map(|it| (DocumentKind::Manifest, it));
        let first = manifests.chain(changed).chain(others).next();
        let combined =
            first.map(|(kind, merged)| CombinedDocument { not_planned: not_planned(kind, &merged), merged });
        Contribution {
            diagnostics: read.diagnostics,
            site: read.site,
            combined,
            reading: Arc::new(Reading { jobs_without_spec: read.jobs_without_spec }),
            ..Contribution::default()
        }
    }
}

/// The diagnostic for a manifest or a config, which describes no resource of Planloom.
fn not_planned(kind: DocumentKind, merged: &merge::Merged) -> Diagnostic {
    let (message, help) = match kind {
        DocumentKind::CloudConfig | DocumentKind::RuntimeConfig => (
            "a BOSH config can be inspected, but not planned",
            "`planloom merge` shows the config with its operations applied",
        ),
        DocumentKind::Other => (
            "a document that operations or variables change can be inspected, but not planned",
            "`planloom merge` shows the document as they change it",
        ),
        DocumentKind::Manifest
        | DocumentKind::Operations
        | DocumentKind::JobSpec
        | DocumentKind::Variables => (
            "a BOSH manifest can be inspected, but not planned",
            "`planloom links` shows its links, `planloom merge` the manifest with its operations applied",
        ),
    };
    Diagnostic::error(workspace::codes::plan::MANIFEST, merged.root.span, message).help(help)
}

/// The documents of BOSH, in their order.
pub(crate) fn documents<'a>(inputs: &Inputs<'a>) -> Vec<bosh::Document<'a>> {
    inputs.all().filter_map(document).collect()
}

fn document(input: Input<'_>) -> Option<bosh::Document<'_>> {
    let root = input.document().root.as_ref()?;
    let kind = sort(input.format(), input.name(), root)?;
    Some(bosh::Document { name: input.name(), kind, root })
}
