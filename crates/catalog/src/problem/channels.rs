use std::{collections::BTreeMap, sync::Arc};

use crate::Package;

/// The channels of each bundle of a package.
#[derive(Debug)]
pub(crate) struct Membership<'a> {
    of: BTreeMap<&'a str, Vec<(u32, &'a Arc<str>)>>,
}

impl<'a> Membership<'a> {
    pub(crate) fn new(package: &'a Package) -> Self {
        let mut of: BTreeMap<&str, Vec<(u32, &Arc<str>)>> = BTreeMap::new();
        for (rank, channel) in (0..).zip(package.channels_by_preference()) {
            for entry in &channel.entries {
                let channels = of.entry(&entry.name).or_default();
                if channels.last().is_none_or(|(last, _)| *last != rank) {
                    channels.push((rank, &channel.name));
                }
            }
        }
        Self { of }
    }

    /// The channels that contain a bundle with their ranks, the default one first.
    pub(crate) fn of(&self, bundle: &str) -> Vec<(u32, &'a Arc<str>)> {
        self.of.get(bundle).cloned().unwrap_or_default()
    }
}
