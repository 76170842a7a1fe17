use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use diag::Span;

use crate::{Bundle, Channel};

/// A package: a product that exists in several versions.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name, unique in its catalog.
    pub name: Arc<str>,
    /// The preferred channel; empty if none is named.
    pub default_channel: Arc<str>,
    /// A description for people.
    pub description: Option<Arc<str>>,
    /// Its channels by name.
    pub channels: BTreeMap<Arc<str>, Channel>,
    /// Its bundles by name. Each is in at least one channel of a valid catalog.
    pub bundles: BTreeMap<Arc<str>, Bundle>,
    /// Names of bundles that exist but could not be read, which is reported elsewhere: those of a template,
    /// or with an invalid version.
    pub unread: BTreeSet<Arc<str>>,
    /// The reason why the package as a whole is deprecated.
    pub deprecated: Option<Deprecation>,
    /// The place where it is declared.
    pub origin: Span,
}

impl Package {
    /// Its channels, the default one first, then by name.
    pub fn channels_by_preference(&self) -> impl Iterator<Item = &Channel> {
        let default = self.channels.get(&self.default_channel);
        let others = self.channels.values().filter(|channel| channel.name != self.default_channel);
        default.into_iter().chain(others)
    }
}

/// The reason why a package, channel or bundle is deprecated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deprecation {
    /// For people.
    pub message: Arc<str>,
    /// The place where that is written.
    pub origin: Span,
}
