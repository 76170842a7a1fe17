//! The files as the reader of one format sees them.

use std::{any::Any, rc::Rc, sync::Arc};

use diag::FileId;
use links::Profile;
use syntax::Document;

use crate::{
    answers::Answers,
    file::ReadFile,
    formats::{Assigned, Format},
};

/// All files, and the settings.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    pub(crate) all: &'a [Input<'a>],
    pub(crate) settings: &'a [Rc<dyn Any>],
    pub(crate) readings: &'a [Arc<dyn Any + Send + Sync>],
    /// The answers of the host to the needs.
    pub answers: &'a Answers,
    /// The profile whose rules apply to links.
    pub profile: Profile,
    /// True if there is a descriptor that is merged.
    pub has_descriptors: bool,
}

/// One file.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Its place among all.
    pub id: FileId,
    pub(crate) file: &'a ReadFile,
    pub(crate) assigned: &'a Assigned,
}

impl<'a> Inputs<'a> {
    /// The files of a format, in their order; those that were given with its role come last.
    pub fn of<'i>(&'i self, format: &'i Format) -> impl Iterator<Item = Input<'a>> + use<'a, 'i> {
        self.all.iter().copied().filter(move |it| it.assigned.format == format)
    }

    /// All files, in their order.
    pub fn all(&self) -> impl Iterator<Item = Input<'a>> + use<'a> {
        self.all.iter().copied()
    }

    /// The data of that type which a front end that reads before this one stores for its queries.
    pub fn reading<T: Any>(&self) -> Option<&'a T> {
        self.readings.iter().find_map(|it| it.downcast_ref())
    }

    /// The settings of that type.
    pub fn settings<T: Any>(&self) -> Option<&'a T> {
        self.settings.iter().find_map(|it| it.downcast_ref())
    }
}

impl<'a> Input<'a> {
    /// Its name.
    pub fn name(&self) -> &'a str {
        self.file.name()
    }

    /// The package that it is part of.
    pub fn package(&self) -> Option<&'a str> {
        self.file.package().map(|it| &**it)
    }

    /// Its text.
    pub fn text(&self) -> &'a Arc<str> {
        self.file.text()
    }

    /// Its document; empty where its format is recognised by the text and read otherwise.
    pub fn document(&self) -> &'a Document {
        self.file.document()
    }

    /// True if it is a descriptor that is merged.
    pub fn is_layer(&self) -> bool {
        self.assigned.is_layer()
    }

    /// The format of the file.
    pub fn format(&self) -> &'static Format {
        self.assigned.format
    }
}
