use std::sync::Arc;

use diag::Span;

use crate::{Deprecation, range::Range};

/// A stream of versions of a package, with the upgrades between them.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name, unique in its package.
    pub name: Arc<str>,
    /// Its bundles, in the order in which they are written.
    pub entries: Vec<Entry>,
    /// The reason why it is deprecated.
    pub deprecated: Option<Deprecation>,
    /// The place where it is declared.
    pub origin: Span,
}

/// A bundle in a channel, and what it can be upgraded from.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The bundle's name.
    pub name: Arc<str>,
    /// The bundle that this one replaces. It need not exist.
    pub replaces: Option<Arc<str>>,
    /// Bundles that are skipped.
    pub skips: Vec<Arc<str>>,
    /// Versions that are skipped, in the dialect of catalogs. A range that cannot be read is reported and
    /// left out.
    pub skip_range: Option<Range>,
    /// The place where it is written.
    pub origin: Span,
}
