use std::{
    collections::{BTreeMap, BTreeSet},
    net::IpAddr,
};

use ::adapter::ResourceRequest;
use model::Address;
use protocol::{Code, Problem};

use crate::{
    network::gone,
    rental::{NetworkRecord, Node, Rental},
    script::DeployNetwork,
    shared::Shared,
    spec::ServiceSpec,
    vpn::VpnNode,
};

impl Shared {
    /// The providers that have a service of the network: an executor takes the whole place of its provider in
    /// a network, so that a second one of the same provider would not be reached.
    pub(crate) fn providers_in(&self, network: Option<&NetworkRecord>) -> BTreeSet<String> {
        let Some(vpn) = network.and_then(|it| it.vpn.as_ref()) else { return BTreeSet::new() };
        let is_in = |it: &Rental| it.node.as_ref().is_some_and(|it| it.vpn == *vpn);
        let members = self.folder.rentals().into_iter().filter(is_in);
        members.filter_map(|it| it.lease.map(|it| it.provider_id)).collect()
    }

    /// Reserves a provider for a service of a network; `false` if another service of the network has it.
    pub(crate) fn reserve(&self, id: &str, network: Option<&NetworkRecord>, provider: &str) -> bool {
        let Some(vpn) = network.and_then(|it| it.vpn.as_ref()) else { return true };
        let mut reserved = self.reserved.borrow_mut();
        let by_others =
            |(of, place): (&String, &(String, String))| of != id && place.0 == *vpn && place.1 == provider;
        if reserved.iter().any(by_others) || self.providers_in(network).contains(provider) {
            return false;
        }
        reserved.insert(id.to_owned(), (vpn.clone(), provider.to_owned()));
        true
    }

    /// Adds a provider to the network, with the service's fixed address or a free one. The rental is written
    /// before, so that no other service takes the address.
    pub(crate) async fn add_node(
        &self,
        rental: &mut Rental,
        spec: &ServiceSpec,
        network: &NetworkRecord,
    ) -> Result<(), Problem> {
        let _turn = self.turn.lock().await;
        let (Some(vpn), Some(lease)) = (&network.vpn, &rental.lease) else { return Ok(()) };
        let taken = self.taken(network, &rental.request);
        let ip = address(network, spec, &taken)?;
        let node = VpnNode { id: lease.provider_id.clone(), ip };
        rental.node = Some(Node { vpn: vpn.clone(), ip });
        self.folder.put_rental(rental)?;
        let added = self.yagna.add_vpn_node(vpn, &node).await;
        added.map_err(|error| match error.is_absent() {
            true => gone(spec.network.as_deref().unwrap_or_default()),
            false => self.yagna.problem("add the provider to the network", &error),
        })
    }

    /// There is an address for a service in its network; if not, nothing is rented for it.
    pub(crate) fn ensure_address(
        &self,
        requested: &ResourceRequest,
        spec: &ServiceSpec,
        network: Option<&NetworkRecord>,
    ) -> Result<(), Problem> {
        let Some(network) = network else { return Ok(()) };
        address(network, spec, &self.taken(network, requested)).map(drop)
    }

    /// The addresses of the network's other members, and the requestor's.
    fn taken(&self, network: &NetworkRecord, own: &ResourceRequest) -> BTreeSet<IpAddr> {
        let vpn = network.vpn.as_deref();
        let others = self.folder.rentals().into_iter().filter(|it| it.request.id != own.id);
        let nodes = others.filter_map(|it| it.node).filter(|it| Some(&*it.vpn) == vpn);
        nodes.map(|it| it.ip).chain([network.owner_ip]).collect()
    }

    /// The network as it is described to the provider of a service.
    pub(crate) fn deploy_network<'n>(
        &self,
        rental: &'n Rental,
        network: &NetworkRecord,
    ) -> Option<DeployNetwork<'n>> {
        let node = rental.node.as_ref()?;
        let members = self.folder.rentals();
        let members = members.iter().filter(|it| it.node.as_ref().is_some_and(|it| it.vpn == node.vpn));
        let mut nodes = BTreeMap::from([(network.owner_ip, network.owner_id.clone())]);
        let mut hosts = BTreeMap::new();
        for member in members {
            if let (Some(node), Some(lease)) = (&member.node, &member.lease) {
                nodes.insert(node.ip, lease.provider_id.clone());
                hosts.insert(hostname(&member.request.address), node.ip);
            }
        }
        Some(DeployNetwork { vpn: &node.vpn, range: network.request.range, ip: node.ip, nodes, hosts })
    }
}

/// The fixed address of a service, or the first free one after those that other services have.
fn address(network: &NetworkRecord, spec: &ServiceSpec, taken: &BTreeSet<IpAddr>) -> Result<IpAddr, Problem> {
    let range = network.request.range;
    let Some(fixed) = &spec.fixed else {
        let free = range.hosts().find(|it| !taken.contains(it));
        return free.ok_or_else(|| {
            let message = format!("the network {range} has no free address");
            Problem::new(Code::InvalidSpec, &message).at("/network", message)
        });
    };
    let wrong = |message: String| Problem::new(Code::InvalidSpec, &message).at(&fixed.pointer, message);
    let ip = fixed.value;
    match (range.contains(&ip), taken.contains(&ip)) {
        (false, _) => Err(wrong(format!("{ip} does not lie in {range}"))),
        (true, true) => Err(wrong(format!("{ip} is the address of another member of the network"))),
        (true, false) => Ok(ip),
    }
}

/// The name of a service in its network, such as `web`, or `web-0` for an instance.
pub(crate) fn hostname(address: &str) -> String {
    let Ok(address) = address.parse::<Address>() else { return "service".into() };
    let plain = |it: char| if it.is_ascii_alphanumeric() { it.to_ascii_lowercase() } else { '-' };
    let name: String = address.name.chars().map(plain).collect();
    let name = name.trim_matches('-');
    let number = address.instance.map(|it| format!("-{it}")).unwrap_or_default();
    format!("{}{number}", if name.is_empty() { "service" } else { name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_have_names_of_hosts() {
        assert_eq!(hostname("services.db-service"), "db-service");
        assert_eq!(hostname("services.web[2]"), "web-2");
        assert_eq!(hostname("services.\"My app.v2\""), "my-app-v2");
        assert_eq!(hostname("services.\"...\""), "service");
    }
}
