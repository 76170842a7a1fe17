use std::collections::{BTreeMap, BTreeSet};

use protocol::{Code, Problem, spec_hash};
use serde_json::{Map, Value as Json, json};

use super::spread::spread;
use super::{SimulatedResource, pool::Pool};

/// Everything that simulated resources hold and must give back: addresses of networks and local ports.
#[derive(Debug, Default)]
pub(super) struct Allocations {
    /// By deployment and address of the network.
    networks: BTreeMap<(String, String), Network>,
    ports: BTreeSet<u16>,
}

/// A network's addresses, as long as it is there or somebody lives in it.
#[derive(Debug)]
struct Network {
    pool: Pool,
    members: usize,
    /// Which thing it is; `None` once that is gone.
    thing: Option<u64>,
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
    /// Gives a thing what it asks for, and writes its outputs.
    pub(super) fn give(&mut self, thing: &mut SimulatedResource) -> Result<(), Problem> {
        thing.allocation = Allocation::default();
        let given = match thing.id.kind.as_str() {
            "network" => self.open(thing),
            "service" => self.serve(thing),
            _ => {
                thing.outputs.insert("id".into(), json!(name(thing, "id")));
                Ok(())
            }
        };
        given.inspect_err(|_| self.take_back(thing))
    }

    pub(super) fn take_back(&mut self, thing: &SimulatedResource) {
        for port in &thing.allocation.ports {
            self.ports.remove(port);
        }
        if let Some(network) = thing.allocation.network.as_ref().and_then(|at| self.networks.get_mut(at)) {
            network.members = network.members.saturating_sub(1);
            thing.allocation.addresses.iter().for_each(|address| network.pool.take_back(*address));
        }
        if thing.id.kind == "network" {
            self.close(thing);
        }
    }

    fn close(&mut self, thing: &SimulatedResource) {
        if let Some(network) = self.networks.get_mut(&place(thing))
            && network.thing == Some(thing.number)
        {
            network.thing = None;
            if network.members == 0 {
                self.networks.remove(&place(thing));
            }
        }
    }

    /// How many live in a network.
    pub(super) fn members(&self, thing: &SimulatedResource) -> usize {
        if thing.id.kind != "network" {
            return 0;
        }
        let network = self.networks.get(&place(thing)).filter(|it| it.thing == Some(thing.number));
        network.map_or(0, |network| network.members)
    }

    fn open(&mut self, thing: &mut SimulatedResource) -> Result<(), Problem> {
        let text = |key: &str| thing.request.get(key).and_then(Json::as_str);
        let range = text("ip").unwrap_or("192.168.0.0/24");
        let pool = Pool::new(range, text("mask"), text("owner_ip")).ok_or_else(|| {
            Problem::new(Code::InvalidSpec, format!("`{range}` is not a range of addresses"))
                .at("/ip", "no range")
        })?;
        match self.networks.get_mut(&place(thing)) {
            // Who lives in it stays: a network that is made anew while it has members has the old pool.
            Some(old) if old.members > 0 => old.thing = Some(thing.number),
            _ => {
                let network = Network { pool, members: 0, thing: Some(thing.number) };
                self.networks.insert(place(thing), network);
            }
        }
        thing.outputs.insert("network_id".into(), json!(name(thing, "network")));
        thing.outputs.insert("owner_id".into(), json!("0xsimulator"));
        Ok(())
    }

    fn serve(&mut self, thing: &mut SimulatedResource) -> Result<(), Problem> {
        if let Some(network) = thing.request.get("network").and_then(Json::as_str).map(ToOwned::to_owned) {
            self.join(thing, &network)?;
        }
        for proxy in ["http_proxy", "tcp_proxy"] {
            self.open_ports(thing, proxy)?;
        }
        let agreement = json!({
            "id": name(thing, "agreement"),
            "provider_id": format!("0x{}", name(thing, "provider")),
            "provider_name": "simulated",
        });
        thing.outputs.insert("agreement".into(), agreement);
        thing.outputs.insert("activity".into(), json!({ "id": name(thing, "activity") }));
        Ok(())
    }

    fn join(&mut self, thing: &mut SimulatedResource, network: &str) -> Result<(), Problem> {
        let at = (thing.deployment.clone(), format!("networks.{network}"));
        let invalid = |place: String, what: String| Problem::new(Code::InvalidSpec, &what).at(place, what);
        let there = self.networks.get_mut(&at).filter(|it| it.thing.is_some());
        let missing = || invalid("/network".into(), format!("there is no network `{network}`"));
        let Network { pool, members, .. } = there.ok_or_else(missing)?;
        *members += 1;
        thing.allocation.network = Some(at);
        let wanted = thing.request.get("ip").and_then(Json::as_array).cloned().unwrap_or_default();
        for (number, ip) in wanted.iter().enumerate() {
            let ip = ip.as_str().unwrap_or_default();
            let address = pool.take(ip).ok_or_else(|| {
                invalid(format!("/ip/{number}"), format!("`{ip}` is taken, or not in the network"))
            })?;
            thing.allocation.addresses.push(address);
        }
        if thing.allocation.addresses.is_empty() {
            let address = pool.give(&thing.address);
            let full = || invalid("/network".into(), format!("the network `{network}` has no address left"));
            thing.allocation.addresses.push(address.ok_or_else(full)?);
        }
        let ip = thing.allocation.addresses.first().map(|address| pool.text(*address));
        let node = json!({ "node_id": format!("0x{}", name(thing, "node")), "ip": ip });
        thing.outputs.insert("network_node".into(), node);
        Ok(())
    }

    fn open_ports(&mut self, thing: &mut SimulatedResource, proxy: &str) -> Result<(), Problem> {
        let pointer = |number: usize| format!("/{proxy}/ports/{number}");
        let ports = thing.request.get(proxy).and_then(|it| it.get("ports")).and_then(Json::as_array).cloned();
        let mut told = Vec::new();
        for (number, port) in ports.iter().flatten().enumerate() {
            let local = port.get("local_port").and_then(Json::as_u64).and_then(|it| u16::try_from(it).ok());
            let wish = format!("{}/{}{}", thing.deployment, thing.address, pointer(number));
            let Some(local) = self.port(local, &wish) else {
                let what = "the local port is taken";
                return Err(Problem::new(Code::InvalidSpec, what).at(pointer(number), what));
            };
            thing.allocation.ports.push(local);
            let mut port = port.as_object().cloned().unwrap_or_default();
            port.insert("local_port".into(), json!(local));
            port.insert("address".into(), json!(format!("127.0.0.1:{local}")));
            told.push(Json::Object(port));
        }
        if !told.is_empty() {
            thing
                .outputs
                .insert(proxy.into(), Json::Object(Map::from_iter([("ports".to_owned(), told.into())])));
        }
        Ok(())
    }

    /// The port that is wanted, or one that is free: for the same wish the same, if it is.
    fn port(&mut self, local: Option<u16>, wish: &str) -> Option<u16> {
        if let Some(local) = local {
            return self.ports.insert(local).then_some(local);
        }
        let count = u64::from(PORTS.end - PORTS.start);
        let start = PORTS.start + u16::try_from(spread(wish) % count).unwrap_or_default();
        let port = (start..PORTS.end).chain(PORTS.start..start).find(|port| !self.ports.contains(port))?;
        self.ports.insert(port);
        Some(port)
    }
}

fn place(thing: &SimulatedResource) -> (String, String) {
    (thing.deployment.clone(), thing.address.clone())
}

/// A name that no other thing has for that purpose.
fn name(thing: &SimulatedResource, purpose: &str) -> String {
    let hash = spec_hash(&json!([thing.id.kind, thing.id.id, thing.number, purpose]));
    hash.trim_start_matches("sha256:").chars().take(32).collect()
}
