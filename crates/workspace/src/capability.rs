//! Capabilities: parts of the engine beside the core, which read formats of their own and take part in building a model.
//!
//! The core names none of them. A host registers those that there are, so that their files are recognised; what a
//! [`Registration`] holds is small. A [`Capability`], which does the work, is added where it is loaded. Until then the
//! files that it would read are told as `capability/not-loaded`.

use std::{any::Any, fmt, sync::Arc};

use diag::{Diagnostic, Diagnostics, Span};
use links::LinkModel;
use lower::{AccessorReader, PackageRequest, Pins};
use merge::Merged;

pub use crate::{
    formats::{
        Candidate, Format, Notice, Precedence, Reader, Recognizer, SyntaxCheck, endings::of as endings,
    },
    inputs::{Input, Inputs},
    locate::{diagnostic_views, edit_view, has_errors, location},
    moved::begin_moves,
    pipeline::Model,
    secrets::{hide_in_link, link_to_json, redactor},
};

/// The collection that packages stand under in the graph; nothing declares them.
pub const PACKAGES: &str = "packages";

/// A capability's entry before it is loaded.
#[derive(Debug)]
pub struct Registration {
    /// Its name, as in [`FileView::capability`](crate::view::FileView::capability).
    pub name: &'static str,
    /// The formats that it reads, in the order in which they are tried.
    pub formats: &'static [&'static Format],
    /// Where descriptors need it.
    pub hooks: &'static [Hook],
}

/// Where descriptors, which the core reads, need a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// To choose versions of packages that stand in place of images.
    Versions,
    /// To read expressions over links in texts.
    Accessors,
}

/// A part of the engine beside the core.
pub trait Capability: fmt::Debug {
    /// Its registration.
    fn registration(&self) -> &'static Registration;

    /// Reads the files of its formats. It never fails: problems are reported as diagnostics.
    fn read(&mut self, inputs: &Inputs<'_>) -> Contribution;

    /// The reader of expressions over links; `None` if the capability has none.
    fn accessors(&self) -> Option<&dyn AccessorReader> {
        None
    }

    /// Versions for the packages that descriptors want, once for each model; `reading` is its own
    /// [`Contribution::reading`]. `None` where it chooses none.
    fn choose(&self, _reading: &dyn Any, _wanted: &[PackageRequest]) -> Option<Choice> {
        None
    }

    /// The values that fit a field of a request for a package, the best first; `reading` is its own
    /// [`Contribution::reading`].
    fn offers(&self, _reading: &dyn Any, _field: PackageField<'_>) -> Vec<Offer> {
        Vec::new()
    }
}

/// A field of a request for a package, for which values are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageField<'a> {
    /// Its name.
    Name,
    /// The range of its versions, of the package of this name.
    Version(&'a str),
    /// Its channel, of the package of this name.
    Channel(&'a str),
    /// The catalog, of those that have the package of this name.
    Catalog(&'a str),
}

/// A value that is offered for a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The value.
    pub value: String,
    /// What is to be known of it, in a few words.
    pub detail: String,
}

/// A capability's contribution to a model.
#[derive(Debug)]
pub struct Contribution {
    /// The problems of its files.
    pub diagnostics: Diagnostics,
    /// Problems of its files that do not prevent a plan.
    pub advisory: Arc<Diagnostics>,
    /// Providers and consumers that links may cross over to.
    pub site: LinkModel,
    /// The described deployment, if there are no descriptors.
    pub described: Option<Described>,
    /// The data that it stores for its queries; the model returns it by its type.
    pub reading: Arc<dyn Any + Send + Sync>,
}

/// Something that is described by other files than descriptors: the first deployment of the [site](Contribution::site).
#[derive(Debug)]
pub struct Described {
    /// The merged tree of the files.
    pub merged: Merged,
    /// Why it is not planned.
    pub not_planned: Diagnostic,
}

/// The versions that were chosen.
#[derive(Debug, Default)]
pub struct Choice {
    /// The versions to insert into the payloads.
    pub pins: Pins,
    /// All chosen packages, including transitive dependencies.
    pub packages: Vec<Package>,
    /// The problems that were found.
    pub diagnostics: Diagnostics,
}

/// A package that was chosen, as the graph shows it.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name.
    pub name: Arc<str>,
    /// Who asked for it: payloads, and other packages as `packages.NAME`.
    pub wanted_by: Vec<Arc<str>>,
    /// Where it is described.
    pub span: Span,
}

impl Default for Contribution {
    fn default() -> Self {
        Self {
            diagnostics: Diagnostics::new(),
            advisory: Arc::default(),
            site: LinkModel::default(),
            described: None,
            reading: Arc::new(()),
        }
    }
}
