use std::sync::Arc;

use diag::Span;

use crate::{Deprecation, Property, version::Version};

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
