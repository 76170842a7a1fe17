//! Front ends, which read files, and capabilities, the parts of the engine beside the core that have them.
//!
//! A [`FrontEnd`] reads the files of its formats: out come layers, definitions of the kinds that these use, providers and
//! consumers that links may cross over to, and diagnostics. Everything after that is the same for all of them. Descriptors of
//! the Golem application model are the core's own front end.
//!
//! The core names no capability. A host registers those that there are, so that their files are recognised; a
//! [`Registration`] is small. A [`Capability`], which does the work, is added where it is loaded. Until then the
//! files that it would read are reported as `capability/not-loaded`.

use std::{any::Any, fmt, sync::Arc};

use diag::{Diagnostic, Diagnostics, FileId, Span};
use links::LinkModel;
use lower::{AccessorReader, PackageRequest, Pins};
use merge::{Layer, Merged};
use types::TypeDefinition;

pub use lower::NamedResource;

pub use crate::{
    answers::{Answer, Answers, Need, NeedKind},
    formats::{
        Candidate, Format, Notice, Precedence, Reader, Recognizer, SyntaxCheck, endings::of as endings,
    },
    inputs::{Input, Inputs},
    locate::{diagnostic_view, diagnostic_views, edit_view, has_errors, location},
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
    /// The points at which descriptors need it.
    pub hooks: &'static [Hook],
}

/// A point at which descriptors, which the core reads, need a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// The choice of versions of packages that stand in place of images.
    Versions,
    /// The reading of expressions over links in texts.
    Accessors,
}

/// A reader of files.
pub trait FrontEnd: fmt::Debug {
    /// The formats that it reads, and its name.
    fn registration(&self) -> &'static Registration;

    /// Reads the files of its formats. It never fails and does no IO: problems are reported as diagnostics, and missing data
    /// from outside as [needs](Contribution::needs), with which it is read again once the host has answered.
    fn read(&mut self, inputs: &Inputs<'_>) -> Contribution;
}

/// A part of the engine beside the core: a front end that may also take part in lowering descriptors.
pub trait Capability: FrontEnd {
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
    /// A short description.
    pub detail: String,
}

/// A front end's contribution to a model.
#[derive(Debug)]
pub struct Contribution {
    /// The problems of its files.
    pub diagnostics: Diagnostics,
    /// Problems of a plan, which count also where everything is destroyed. With an error there is no plan.
    pub plan_diagnostics: Diagnostics,
    /// Problems of its files that do not prevent a plan.
    pub advisory: Arc<Diagnostics>,
    /// The trees of its files, which are merged with those of all other front ends in the order of the files.
    pub layers: Vec<FileLayer>,
    /// Definitions of the kinds that the layers use, besides the built-in ones. A kind that is defined already stays as it is.
    /// They count only if there are layers: what descriptors may contain must not depend on the parts that a host has loaded.
    pub kinds: Vec<TypeDefinition>,
    /// Places of the layers that name other resources, if no definition of a field declares them. Names of resources that no
    /// layer describes have no effect.
    pub names: Vec<NamedResource>,
    /// The needs from outside that were not answered.
    pub needs: Vec<Need>,
    /// Providers and consumers that links may cross over to.
    pub site: LinkModel,
    /// The document that it combines by rules of its own, if no file is a layer.
    pub combined: Option<CombinedDocument>,
    /// The data that it stores for its queries; the model returns it by its type.
    pub reading: Arc<dyn Any + Send + Sync>,
}

/// A file as a layer.
#[derive(Debug)]
pub struct FileLayer {
    /// The file.
    pub file: FileId,
    /// Its tree.
    pub layer: Layer,
    /// The deployment that it is a layer of, where that is not the described one.
    pub deployment: Option<Arc<str>>,
}

/// A document that is combined by rules of its own, such as a manifest with its operations: it is shown and linked (as the
/// first deployment of the [site](Contribution::site)) where no file is a layer, and not planned.
#[derive(Debug)]
pub struct CombinedDocument {
    /// The combined tree.
    pub merged: Merged,
    /// The reason why it is not planned.
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
    /// The requirers: payloads, and other packages as `packages.NAME`.
    pub wanted_by: Vec<Arc<str>>,
    /// The place that describes it.
    pub span: Span,
}

impl Default for Contribution {
    fn default() -> Self {
        Self {
            diagnostics: Diagnostics::new(),
            plan_diagnostics: Diagnostics::new(),
            advisory: Arc::default(),
            layers: Vec::new(),
            kinds: Vec::new(),
            names: Vec::new(),
            needs: Vec::new(),
            site: LinkModel::default(),
            combined: None,
            reading: Arc::new(()),
        }
    }
}
