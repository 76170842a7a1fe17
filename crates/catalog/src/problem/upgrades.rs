use std::{collections::BTreeSet, sync::Arc};

use crate::{Entry, Installed, Package, version::Version};

/// What an upgrade starts from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct From<'a> {
    /// Names that the installed bundle may go by.
    pub(crate) name: Option<&'a str>,
    pub(crate) version: &'a Version,
}

impl<'a> From<'a> {
    /// What is installed, by the name that a package knows it by.
    pub(crate) fn of(installed: &'a Installed, package: &'a Package) -> Self {
        let known =
            || package.bundles.values().find(|it| it.version == installed.version).map(|it| &*it.name);
        Self { name: installed.bundle.as_deref().or_else(known), version: &installed.version }
    }

    /// Whether an entry says that one gets to it from here.
    pub(crate) fn leads_to(self, entry: &Entry) -> bool {
        let is_name = |it: &Arc<str>| self.name == Some(&**it);
        entry.replaces.as_ref().is_some_and(is_name)
            || entry.skips.iter().any(is_name)
            || entry.skip_range.as_ref().is_some_and(|it| it.contains(self.version))
    }
}

/// The names of the bundles that an installed one can be upgraded to: by any edge of any channel, or of one channel
/// (notes/deppy §3.4).
pub(crate) fn successors<'a>(
    package: &'a Package,
    installed: &Installed,
    channel: Option<&str>,
) -> BTreeSet<&'a str> {
    let from = From::of(installed, package);
    let channels = package.channels.values().filter(|it| channel.is_none_or(|name| *it.name == *name));
    let mut names = BTreeSet::new();
    for entry in channels.flat_map(|it| &it.entries).filter(|it| from.leads_to(it)) {
        if Some(&*entry.name) != from.name {
            names.insert(&*entry.name);
        }
    }
    names
}
