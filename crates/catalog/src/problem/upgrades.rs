use std::{collections::BTreeSet, sync::Arc};

use crate::{Installed, Package};

/// The names of the bundles that an installed one can be upgraded to: by any edge of any channel, or of one channel
/// (source: OLM 1's operator-controller, OLM's first proposal).
pub(crate) fn successors<'a>(
    package: &'a Package,
    installed: &Installed,
    channel: Option<&str>,
) -> BTreeSet<&'a str> {
    let names = names(package, installed);
    let channels = package.channels.values().filter(|it| channel.is_none_or(|name| *it.name == *name));
    let entries = channels.flat_map(|it| &it.entries);
    let follows = entries.filter(|it| it.follows(&names, &installed.version).is_some());
    let others = follows.filter(|it| !names.contains(&&it.name));
    diag::order::set(others.map(|it| &*it.name))
}

/// The names that an installed bundle may have in a package.
fn names<'a>(package: &'a Package, installed: &'a Installed) -> Vec<&'a Arc<str>> {
    match &installed.bundle {
        Some(name) => vec![name],
        None => {
            let same = package.bundles.values().filter(|it| it.version == installed.version);
            same.map(|it| &it.name).collect()
        }
    }
}
