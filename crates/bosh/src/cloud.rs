use std::{collections::HashMap, sync::Arc};

use diag::order;

use syntax::Node;

use crate::reporter::Reporter;

/// The networks of cloud configs.
#[derive(Debug, Default)]
pub(crate) struct Cloud {
    /// True if there is a cloud config, so that networks it does not define do not exist.
    pub(crate) is_given: bool,
    networks: HashMap<Arc<str>, NetworkType>,
}

/// The type of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NetworkType {
    /// The director assigns IPs.
    Manual,
    /// The cloud assigns IPs.
    Dynamic,
    /// Only for public IPs.
    Vip,
}

impl Cloud {
    /// Adds the networks of another cloud config.
    pub(crate) fn add(&mut self, root: &Node, reporter: &mut Reporter) {
        self.is_given = true;
        for network in reporter.maps(root, "networks") {
            let Some(name) = reporter.name(network, "a network") else { continue };
            let sort = match reporter.text(network, "type") {
                Some(it) if &*it.text == "dynamic" => NetworkType::Dynamic,
                Some(it) if &*it.text == "vip" => NetworkType::Vip,
                _ => NetworkType::Manual,
            };
            self.networks.insert(name.text, sort);
        }
    }

    pub(crate) fn network(&self, name: &str) -> Option<NetworkType> {
        self.networks.get(name).copied()
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.networks.keys().map(|it| &**it).collect();
        order::by(&mut names, |a, b| a.cmp(b));
        names
    }
}
