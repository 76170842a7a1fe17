use std::collections::{BTreeMap, BTreeSet};

use protocol::{Code, Problem, spec_hash};
use serde_json::{Map, Value as Json, json};

use super::spread::spread;
use super::{SimulatedResource, pool::Pool};

/// Everything that is allocated to simulated resources and must be released: addresses of networks and local
/// ports.
#[derive(Debug, Default)]
pub(super) struct Allocations {
    /// The networks, by deployment and address.
    networks: BTreeMap<(String, String), Network>,
    ports: BTreeSet<u16>,
}

/// The addresses of a network, as long as it exists or a service is attached to it.
#[derive(Debug)]
struct Network {
    pool: Pool,
    members: usize,
    /// The number of the network's resource; `None` once that no longer exists.
    number: Option<u64>,
}

/// The addresses and ports of one resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Allocation {
    network: Option<(String, String)>,
    addresses: Vec<u128>,
    ports: Vec<u16>,
}

const PORTS: std::ops::Range<u16> = 20_000..60_000;

impl Allocations {
    /// Allocates what a resource requests, and writes its outputs.
    pub(super) fn give(&mut self, resource: &mut SimulatedResource) -> Result<(), Problem> {
        resource.allocation = Allocation::default();
        let given = match resource.id.kind.as_str() {
            "network" => self.open(resource),
            "service" => self.serve(resource),
            _ => {
                resource.outputs.insert("id".into(), json!(name(resource, "id")));
                Ok(())
            }
        };
        given.inspect_err(|_| self.take_back(resource))
    }

    pub(super) fn take_back(&mut self, resource: &SimulatedResource) {
        for port in &resource.allocation.ports {
            self.ports.remove(port);
        }
        if let Some(network) = resource.allocation.network.as_ref().and_then(|at| self.networks.get_mut(at)) {
            network.members = network.members.saturating_sub(1);
            resource.allocation.addresses.iter().for_each(|address| network.pool.take_back(*address));
        }
        if resource.id.kind == "network" {
            self.close(resource);
        }
    }

    fn close(&mut self, resource: &SimulatedResource) {
        if let Some(network) = self.networks.get_mut(&place(resource))
            && network.number == Some(resource.number)
        {
            network.number = None;
            if network.members == 0 {
                self.networks.remove(&place(resource));
            }
        }
    }

    /// The number of services that are attached to a network.
    pub(super) fn members(&self, resource: &SimulatedResource) -> usize {
        if resource.id.kind != "network" {
            return 0;
        }
        let network = self.networks.get(&place(resource)).filter(|it| it.number == Some(resource.number));
        network.map_or(0, |network| network.members)
    }

    fn open(&mut self, resource: &mut SimulatedResource) -> Result<(), Problem> {
        let text = |key: &str| resource.request.get(key).and_then(Json::as_str);
        let range = text("ip").unwrap_or("192.168.0.0/24");
        let pool = Pool::new(range, text("mask"), text("owner_ip")).ok_or_else(|| {
            Problem::new(Code::InvalidSpec, format!("`{range}` is not a range of addresses"))
                .at("/ip", "no range")
        })?;
        match self.networks.get_mut(&place(resource)) {
            // Its services stay attached: a network that is created again while it has services keeps the old
            // pool.
            Some(old) if old.members > 0 => old.number = Some(resource.number),
            _ => {
                let network = Network { pool, members: 0, number: Some(resource.number) };
                self.networks.insert(place(resource), network);
            }
        }
        resource.outputs.insert("network_id".into(), json!(name(resource, "network")));
        resource.outputs.insert("owner_id".into(), json!("0xsimulator"));
        Ok(())
    }

    fn serve(&mut self, resource: &mut SimulatedResource) -> Result<(), Problem> {
        if let Some(network) = resource.request.get("network").and_then(Json::as_str).map(ToOwned::to_owned) {
            self.join(resource, &network)?;
        }
        for proxy in ["http_proxy", "tcp_proxy"] {
            self.open_ports(resource, proxy)?;
        }
        let agreement = json!({
            "id": name(resource, "agreement"),
            "provider_id": format!("0x{}", name(resource, "provider")),
            "provider_name": "simulated",
        });
        resource.outputs.insert("agreement".into(), agreement);
        resource.outputs.insert("activity".into(), json!({ "id": name(resource, "activity") }));
        Ok(())
    }

    fn join(&mut self, resource: &mut SimulatedResource, network: &str) -> Result<(), Problem> {
        let at = (resource.deployment.clone(), format!("networks.{network}"));
        let invalid = |place: String, what: String| Problem::new(Code::InvalidSpec, &what).at(place, what);
        let there = self.networks.get_mut(&at).filter(|it| it.number.is_some());
        let missing = || invalid("/network".into(), format!("there is no network `{network}`"));
        let Network { pool, members, .. } = there.ok_or_else(missing)?;
        *members += 1;
        resource.allocation.network = Some(at);
        let requested = resource.request.get("ip").and_then(Json::as_array).cloned().unwrap_or_default();
        for (number, ip) in requested.iter().enumerate() {
            let ip = ip.as_str().unwrap_or_default();
            let address = pool.take(ip).ok_or_else(|| {
                invalid(format!("/ip/{number}"), format!("`{ip}` is taken, or not in the network"))
            })?;
            resource.allocation.addresses.push(address);
        }
        if resource.allocation.addresses.is_empty() {
            let address = pool.give(&resource.address);
            let full = || invalid("/network".into(), format!("the network `{network}` has no address left"));
            resource.allocation.addresses.push(address.ok_or_else(full)?);
        }
        let ip = resource.allocation.addresses.first().map(|address| pool.text(*address));
        let node = json!({ "node_id": format!("0x{}", name(resource, "node")), "ip": ip });
        resource.outputs.insert("network_node".into(), node);
        Ok(())
    }

    fn open_ports(&mut self, resource: &mut SimulatedResource, proxy: &str) -> Result<(), Problem> {
        let pointer = |number: usize| format!("/{proxy}/ports/{number}");
        let ports =
            resource.request.get(proxy).and_then(|it| it.get("ports")).and_then(Json::as_array).cloned();
        let mut opened = Vec::new();
        for (number, port) in ports.iter().flatten().enumerate() {
            let local = port.get("local_port").and_then(Json::as_u64).and_then(|it| u16::try_from(it).ok());
            let key = format!("{}/{}{}", resource.deployment, resource.address, pointer(number));
            let Some(local) = self.port(local, &key) else {
                let what = "the local port is taken";
                return Err(Problem::new(Code::InvalidSpec, what).at(pointer(number), what));
            };
            resource.allocation.ports.push(local);
            let mut port = port.as_object().cloned().unwrap_or_default();
            port.insert("local_port".into(), json!(local));
            port.insert("address".into(), json!(format!("127.0.0.1:{local}")));
            opened.push(Json::Object(port));
        }
        if !opened.is_empty() {
            resource
                .outputs
                .insert(proxy.into(), Json::Object(Map::from_iter([("ports".to_owned(), opened.into())])));
        }
        Ok(())
    }

    /// The requested port, or a free one: the same one for the same key, if it is free.
    fn port(&mut self, local: Option<u16>, key: &str) -> Option<u16> {
        if let Some(local) = local {
            return self.ports.insert(local).then_some(local);
        }
        let count = u64::from(PORTS.end - PORTS.start);
        let start = PORTS.start + u16::try_from(spread(key) % count).unwrap_or_default();
        let port = (start..PORTS.end).chain(PORTS.start..start).find(|port| !self.ports.contains(port))?;
        self.ports.insert(port);
        Some(port)
    }
}

fn place(resource: &SimulatedResource) -> (String, String) {
    (resource.deployment.clone(), resource.address.clone())
}

/// A name that is unique to this resource and purpose.
fn name(resource: &SimulatedResource, purpose: &str) -> String {
    let hash = spec_hash(&json!([resource.id.kind, resource.id.id, resource.number, purpose]));
    hash.trim_start_matches("sha256:").chars().take(32).collect()
}
