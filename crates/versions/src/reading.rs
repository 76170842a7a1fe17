//! The content of the files about versions, and the choice for descriptors.

use std::{any::Any, sync::Arc};

use catalog::active_resolution::ActiveResolution;
use diag::{Diagnostics, FileId};
use lower::PackageRequest;
use resolve::Problem;
use workspace::capability::{
    Capability, Choice, Contribution, FrontEnd, Inputs, Offer, Package, PackageField, Registration,
};

use crate::{
    catalog_set::CatalogSet,
    choose::ChoiceInput,
    formats::{ACTIVE_RESOLUTION, CATALOG, LOCK, PROBLEM, REGISTRATION},
    integrity,
    lock::{self, Lock},
    offers,
    options::Options,
};

/// The capability. It keeps the catalogs that it read last, as long as their texts stay the same.
#[derive(Debug, Default)]
pub struct Versions {
    catalogs: Arc<CatalogSet>,
}

/// The content of the files.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) catalogs: Arc<CatalogSet>,
    pub(crate) options: Options,
    /// The earlier choice, as it is recorded.
    pub(crate) lock: Option<Lock>,
    /// The documents that request packages.
    pub(crate) resolutions: Vec<(FileId, ActiveResolution)>,
    /// Variables and constraints, from a document: then only these are solved.
    pub(crate) problem: Option<Problem>,
}

impl FrontEnd for Versions {
    fn registration(&self) -> &'static Registration {
        &REGISTRATION
    }

    fn read(&mut self, inputs: &Inputs<'_>) -> Contribution {
        let mut diagnostics = Diagnostics::new();
        let options = inputs.settings::<Options>().cloned().unwrap_or_default();
        self.catalogs = CatalogSet::of(Arc::clone(&self.catalogs), inputs.of(&CATALOG), &options.priorities);
        let lock = read_lock(inputs, &mut diagnostics);
        if let Some(lock) = lock.as_ref().filter(|_| !options.fresh) {
            diagnostics.append(&mut integrity::compare(lock, &self.catalogs));
        }
        let resolutions = read_resolutions(inputs, &mut diagnostics);
        let problem = inputs.of(&PROBLEM).next().map(|it| {
            let read = resolve::document::read(it.document());
            diagnostics.extend(read.diagnostics);
            read.problem
        });
        let advisory = Arc::clone(&self.catalogs.diagnostics);
        let reading = Reading { catalogs: Arc::clone(&self.catalogs), options, lock, resolutions, problem };
        Contribution { diagnostics, advisory, reading: Arc::new(reading), ..Contribution::default() }
    }
}

impl Capability for Versions {
    fn choose(&self, reading: &dyn Any, requests: &[PackageRequest]) -> Option<Choice> {
        let Reading { catalogs, options, lock, .. } = reading.downcast_ref()?;
        let (pins, chosen) = ChoiceInput { catalogs, lock: lock.as_ref(), options }.choose(requests);
        let packages = chosen.packages.into_values();
        let package =
            |it: lock::LockedBundle| Package { name: it.package, wanted_by: it.wanted_by, span: it.span };
        Some(Choice { pins, packages: packages.map(package).collect(), diagnostics: chosen.diagnostics })
    }

    fn offers(&self, reading: &dyn Any, field: PackageField<'_>) -> Vec<Offer> {
        let catalogs = reading.downcast_ref::<Reading>().map(|it| &*it.catalogs);
        catalogs.map(|it| offers::offers(it, field)).unwrap_or_default()
    }
}

impl Reading {
    /// The number of packages that documents request.
    pub(crate) fn required_by_resolutions(&self) -> usize {
        self.resolutions.iter().map(|(_, it)| it.request.requirements.len()).sum()
    }
}

/// The lock file among the files; of several the last one is used.
fn read_lock(inputs: &Inputs<'_>, diagnostics: &mut Diagnostics) -> Option<Lock> {
    let root = inputs.of(&LOCK).filter_map(|it| it.document().root.as_ref()).last()?;
    Some(lock::read(root, diagnostics))
}

/// The documents that request packages.
fn read_resolutions(inputs: &Inputs<'_>, diagnostics: &mut Diagnostics) -> Vec<(FileId, ActiveResolution)> {
    let mut all = Vec::new();
    for file in inputs.of(&ACTIVE_RESOLUTION) {
        let (documents, mut found) = catalog::active_resolution::read(file.id, file.text());
        diagnostics.append(&mut found);
        all.extend(documents.into_iter().map(|it| (file.id, it)));
    }
    all
}
