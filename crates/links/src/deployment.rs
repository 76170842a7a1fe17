use std::sync::Arc;

use diag::Span;
use model::Map;

use crate::{Consumer, Named, Provider};

/// A deployment: its groups, what they offer and what they ask for.
#[derive(Clone, Debug, Default)]
pub struct Deployment {
    /// Its name.
    pub name: Arc<str>,
    /// The place of its name; `None` for one that has no name in its text.
    pub span: Option<Span>,
    /// The rules by which addresses are given out.
    pub dns: Dns,
    /// Its instance groups; for native descriptors its services.
    pub groups: Vec<Group>,
    /// The providers, in the order in which they were read.
    pub providers: Vec<Provider>,
    /// The consumers, in the order in which they were read.
    pub consumers: Vec<Consumer>,
}

/// The rules by which a deployment gives out addresses (source: BOSH's director).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dns {
    /// Instances are reached by name, not by IP.
    pub use_dns_addresses: bool,
    /// Names are the short ones.
    pub use_short_dns_addresses: bool,
    /// A group is reached by a name made of the link.
    pub use_link_dns_names: bool,
    /// Names can be resolved at all; where not, instances have IPs only.
    pub local_dns: bool,
    /// The domain that names end in.
    pub domain: Arc<str>,
}

impl Default for Dns {
    fn default() -> Self {
        Self {
            use_dns_addresses: false,
            use_short_dns_addresses: false,
            use_link_dns_names: false,
            local_dns: true,
            domain: "bosh".into(),
        }
    }
}

/// Instances of one make: a BOSH instance group, or a native service.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its name.
    pub name: Arc<str>,
    /// The place where it is declared.
    pub span: Span,
    /// The names that it had before, the first that was deployed counts.
    pub former: Vec<Named>,
    /// Groups with the same host run side by side, instance by instance; a group is on its own host unless it says otherwise.
    pub host: Arc<str>,
    /// The networks it is in, as written.
    pub networks: Vec<Network>,
    /// The network whose addresses count where none is requested: an index into `networks`.
    pub default_network: Option<usize>,
    /// The address of the group as a whole in each network.
    pub addresses: Map,
    /// Its instances.
    pub instances: Vec<Instance>,
    /// It only runs when asked to, and has no address before.
    pub errand: bool,
}

/// A network that a group is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Its name.
    pub name: Arc<str>,
    /// The place where the group names it.
    pub span: Span,
    /// No IP in it is known beforehand: instances in it are reached by name.
    pub dynamic: bool,
}

/// One of a group.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The group's name.
    pub name: Arc<str>,
    /// The permanent id; `None` before there is one.
    pub id: Option<Arc<str>>,
    /// Its index, from 0.
    pub index: u32,
    /// The first one to be made.
    pub bootstrap: bool,
    /// Its availability zone, if it has one.
    pub az: Option<Arc<str>>,
    /// By network: its IP; in dynamic networks its name.
    pub addresses: Map,
    /// By network: its name; where names cannot be resolved its IP.
    pub dns_addresses: Map,
}
