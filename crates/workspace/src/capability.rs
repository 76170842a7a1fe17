//! What the core leaves to others: capabilities read formats of their own and take part where a model is built.
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
    /// What was registered for it.
    fn registration(&self) -> &'static Registration;

    /// Reads the files of its formats. Never fails: what is wrong is told.
    fn read(&mut self, inputs: &Inputs<'_>) -> Contribution;

    /// What reads expressions over links; `None` where it does not.
    fn accessors(&self) -> Option<&dyn AccessorReader> {
        None
    }

    /// Versions for the packages that descriptors want, once for each model; `reading` is its own
    /// [`Contribution::reading`]. `None` where it chooses none.
    fn choose(&self, _reading: &dyn Any, _wanted: &[PackageRequest]) -> Option<Choice> {
        None
    }
}

/// A capability's contribution to a model.
#[derive(Debug)]
pub struct Contribution {
    /// What is wrong with its files.
    pub diagnostics: Diagnostics,
    /// What is wrong with them and stands in the way of no plan.
    pub advisory: Arc<Diagnostics>,
    /// Providers and consumers that links may cross over to.
    pub site: LinkModel,
    /// What is described where there are no descriptors.
    pub described: Option<Described>,
    /// What it keeps for the questions that it answers; the model gives it back by its type.
    pub reading: Arc<dyn Any + Send + Sync>,
}

/// Something that is described by other files than descriptors: the first deployment of the [site](Contribution::site).
#[derive(Debug)]
pub struct Described {
    /// What the files say, merged.
    pub merged: Merged,
    /// Why it is not planned.
    pub not_planned: Diagnostic,
}

/// The versions that were chosen.
#[derive(Debug, Default)]
pub struct Choice {
    /// What is put into the payloads.
    pub pins: Pins,
    /// All packages that were chosen, with what those that are wanted need in turn.
    pub packages: Vec<Package>,
    /// What is wrong.
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
