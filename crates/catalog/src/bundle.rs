use std::{cmp::Ordering, sync::Arc};

use diag::Span;

use crate::{
    Deprecation, Property,
    version::{Release, Version},
};

/// One version of a package.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// Its name, unique in its package.
    pub name: Arc<str>,
    /// The package's.
    pub package: Arc<str>,
    /// Where its content is; empty where it is only objects.
    pub image: Arc<str>,
    /// Of its property `olm.package`.
    pub version: Version,
    /// Of two bundles of one version, the one of the later release counts: pre-release identifiers with dots.
    pub release: Option<Arc<str>>,
    /// All its properties, in the order in which they are written.
    pub properties: Vec<Property>,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// Where it is declared.
    pub origin: Span,
}

impl Bundle {
    /// Its release; where none is given, what OLM 1 takes for it from the version's build metadata (notes/deppy §3.1).
    /// None where that cannot be read.
    pub fn release(&self) -> Release {
        match &self.release {
            Some(text) => Release::parse(text).unwrap_or_default(),
            None => Release::of_build(&self.version),
        }
    }

    /// Whether it is before another one: by version, then by release.
    pub fn precedence(&self, other: &Self) -> Ordering {
        Release::precedence((&self.version, &self.release()), (&other.version, &other.release()))
    }
}
