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
    /// The package's name.
    pub package: Arc<str>,
    /// The image with its content; empty if it consists of objects only.
    pub image: Arc<str>,
    /// The version from its property `olm.package`.
    pub version: Version,
    /// The release, as pre-release identifiers with dots: of two bundles of one version, the one with the
    /// later release has precedence.
    pub release: Option<Arc<str>>,
    /// All its properties, in the order in which they are written.
    pub properties: Vec<Property>,
    /// The reason why it is deprecated.
    pub deprecated: Option<Deprecation>,
    /// The place where it is declared.
    pub origin: Span,
}

impl Bundle {
    /// Its release; if none is given, the one that OLM 1 derives from the version's build metadata
    /// (source: operator-registry). Empty if that cannot be read.
    pub fn release(&self) -> Release {
        match &self.release {
            Some(text) => Release::parse(text).unwrap_or_default(),
            None => Release::of_build(&self.version),
        }
    }

    /// The order of two bundles: by version, then by release.
    pub fn precedence(&self, other: &Self) -> Ordering {
        Release::precedence((&self.version, &self.release()), (&other.version, &other.release()))
    }
}
