use std::net::IpAddr;

use ::adapter::{
    Known, ObservedResource, ResourceRequest,
    spec::{SpecErrors, SpecValue, ensure_only_labels},
};
use bollard::{
    errors::Error,
    models::{ContainerInspectResponse, Ipam, IpamConfig, NetworkCreateRequest, NetworkInspect},
};
use ipnet::IpNet;
use model::{Address, Phase};
use protocol::{Code, Problem, ResourceId, spec_hash};
use serde_json::{Map, Value as Json, json};

use crate::{
    cidr,
    engine_error::{is_absent, response_error, says},
    labels::{self, Labels},
    shared::Shared,
};

/// The attributes of a network.
#[derive(Debug)]
struct NetworkSpec {
    range: Option<IpNet>,
    /// The machine's own address in it.
    gateway: Option<IpAddr>,
}

impl NetworkSpec {
    fn read(spec: &Map<String, Json>) -> Result<Self, Problem> {
        let (faults, spec) = (SpecErrors::default(), Json::Object(spec.clone()));
        let place = SpecValue::root(&spec, &faults);
        let range = range(&place);
        let owner = address(&place, "owner_ip", range);
        let gateway = address(&place, "gateway", range);
        if let (Some(owner), Some(gateway)) = (owner, gateway)
            && owner != gateway
            && let Some(place) = place.key("gateway")
        {
            place
                .report("in a container network this machine is the gateway: make it the same as `owner_ip`");
        }
        faults.into_result(Code::InvalidSpec)?;
        Ok(Self { range, gateway: gateway.or(owner) })
    }
}

fn range(spec: &SpecValue<'_>) -> Option<IpNet> {
    let place = spec.key("ip")?;
    let text = place.text()?;
    let mask = spec.key("mask").filter(|_| !text.contains('/')).and_then(|it| it.text());
    let range = mask.map_or_else(|| cidr::parse(&text), |mask| cidr::masked(&text, &mask));
    if range.is_none() {
        place.report(format!("`{text}` is not a range of addresses such as `10.0.0.0/24`"));
    }
    range
}

fn address(spec: &SpecValue<'_>, name: &str, range: Option<IpNet>) -> Option<IpAddr> {
    let place = spec.key(name)?;
    let address = place.text()?.parse().ok();
    match (address, range) {
        (None, _) => place.report("this is not an address"),
        (Some(address), Some(range)) if !range.contains(&address) => {
            place.report(format!("{address} does not lie in {range}"));
        }
        (Some(_), None) => place.report("without `ip` the network has no range"),
        (Some(_), Some(_)) => {}
    }
    address
}

impl Shared {
    pub(crate) async fn create_network(
        &self,
        requested: &ResourceRequest,
    ) -> Result<ObservedResource, Problem> {
        let spec = NetworkSpec::read(&requested.spec)?;
        let hash = network_hash(requested);
        let (same, others): (Vec<_>, Vec<_>) = self
            .networks_of(&requested.id)
            .await?
            .into_iter()
            .partition(|it| Labels(it.labels.as_ref()).spec() == Some(&*hash));
        for other in others {
            self.remove_network(&other).await?;
        }
        if let Some(network) = same.into_iter().next() {
            return Ok(seen(&network));
        }
        if let Err(error) = self.engine.docker.create_network(request(requested, &spec, &hash)).await {
            return Err(self.network_not_made(requested, &spec, &error).await);
        }
        let made = self.networks_of(&requested.id).await?.into_iter().next();
        let gone = || Problem::new(Code::Unavailable, "the network was created, but does not exist");
        made.map(|it| seen(&it)).ok_or_else(gone)
    }

    pub(crate) async fn read_network(&self, known: &Known) -> Result<Option<ObservedResource>, Problem> {
        Ok(self.networks_of(&known.request.id).await?.first().map(seen))
    }

    pub(crate) async fn update_network(
        &self,
        known: &Known,
        requested: &ResourceRequest,
    ) -> Result<ObservedResource, Problem> {
        ensure_only_labels(known, requested, "network", "this cannot be changed in place")?;
        let gone = || Problem::new(Code::Gone, "the network no longer exists");
        self.read_network(known).await?.ok_or_else(gone)
    }

    pub(crate) async fn destroy_network(&self, known: &Known) -> Result<(), Problem> {
        for network in self.networks_of(&known.request.id).await? {
            let is_in = |it: &ContainerInspectResponse| {
                let networks = it.network_settings.as_ref().and_then(|it| it.networks.as_ref());
                networks.is_some_and(|it| network.name.as_ref().is_some_and(|name| it.contains_key(name)))
            };
            self.clear_ended(&known.request.deployment, is_in).await?;
            self.remove_network(&network).await?;
        }
        Ok(())
    }

    /// The network of a deployment, by its name there; the latest one, while an older one still exists.
    ///
    /// # Errors
    /// If it was not created by this adapter.
    pub(crate) async fn network_named(
        &self,
        deployment: &str,
        name: &str,
    ) -> Result<NetworkInspect, Problem> {
        let mut networks = self.engine.networks(&labels::of_deployment(deployment)).await?;
        networks.retain(|it| {
            let labels = Labels(it.labels.as_ref());
            let address = labels.address().and_then(|it| it.parse::<Address>().ok());
            labels.deployment() == Some(deployment) && address.is_some_and(|it| &*it.name == name)
        });
        let latest = networks.into_iter().max_by_key(|it| Labels(it.labels.as_ref()).generation());
        latest.ok_or_else(|| {
            let message = format!("the network `{name}` was not created by this adapter");
            Problem::new(Code::InvalidSpec, &message).at("/network", message)
        })
    }

    async fn networks_of(&self, id: &ResourceId) -> Result<Vec<NetworkInspect>, Problem> {
        let mut networks = self.engine.networks(&labels::filter(labels::ID, &id.id)).await?;
        networks.retain(|it| Labels(it.labels.as_ref()).is_of(id));
        Ok(networks)
    }

    async fn remove_network(&self, network: &NetworkInspect) -> Result<(), Problem> {
        let attached = network.containers.iter().flat_map(|it| it.values());
        let mut names: Vec<&str> = attached.filter_map(|it| it.name.as_deref()).collect();
        names.sort_unstable();
        let in_use = || {
            let who = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
            Problem::new(Code::Unavailable, format!("containers are still attached to the network{who}"))
        };
        if !names.is_empty() {
            return Err(in_use());
        }
        // The network is removed by its name: by its id, Podman also removes a network from containers that
        // have stopped.
        let Some(name) = &network.name else { return Ok(()) };
        match self.engine.docker.remove_network(name).await {
            Err(error) if is_absent(&error) => Ok(()),
            Err(error)
                if says(&error, &["being used", "in use", "associated containers", "active endpoints"]) =>
            {
                Err(in_use())
            }
            Err(error) => Err(self.engine.problem("remove the network", &error)),
            Ok(()) => Ok(()),
        }
    }

    async fn network_not_made(
        &self,
        requested: &ResourceRequest,
        spec: &NetworkSpec,
        error: &Error,
    ) -> Problem {
        let is_taken = says(error, &["overlap", "already used", "subnet is being used"]);
        if let (Some(range), true) = (spec.range, is_taken) {
            let by = self.taken_by(range).await.map(|it| format!(", by {it}")).unwrap_or_default();
            let message =
                format!("the range {range} is already in use on this machine{by}; choose another one");
            return Problem::new(Code::InvalidSpec, &message).at("/ip", message);
        }
        if says(error, &["already exists", "already in use"]) {
            let name = labels::name(&requested.id.id);
            let message = format!("a network called `{name}` exists that this adapter did not create");
            return Problem::new(Code::Forbidden, message);
        }
        match response_error(error) {
            // Podman responds with 500 to an invalid range.
            Some((400..500, text)) => {
                let message = format!("the engine rejects this network: {text}");
                Problem::new(Code::InvalidSpec, &message).at("/ip", message)
            }
            _ => self.engine.problem("create the network", error),
        }
    }

    /// The owner of a range, as far as the engine knows.
    async fn taken_by(&self, range: IpNet) -> Option<String> {
        let networks = self.engine.networks(&std::collections::HashMap::new()).await.ok()?;
        let overlaps = |it: &NetworkInspect| ranges(it).any(|it| cidr::overlap(it, range));
        let taker = networks.into_iter().find(overlaps)?;
        let name = taker.name.clone().unwrap_or_default();
        let labels = Labels(taker.labels.as_ref());
        Some(match (labels.address(), labels.deployment()) {
            (Some(address), Some(deployment)) => format!("`{address}` of the deployment `{deployment}`"),
            _ => format!("the network `{name}`"),
        })
    }
}

fn network_hash(requested: &ResourceRequest) -> String {
    let mut spec = requested.spec.clone();
    spec.remove("labels");
    spec_hash(&Json::Object(spec))
}

fn request(requested: &ResourceRequest, spec: &NetworkSpec, hash: &str) -> NetworkCreateRequest {
    let config = spec.range.map(|range| IpamConfig {
        subnet: Some(range.to_string()),
        gateway: spec.gateway.map(|it| it.to_string()),
        ..Default::default()
    });
    NetworkCreateRequest {
        name: labels::name(&requested.id.id),
        driver: Some("bridge".into()),
        ipam: config.map(|it| Ipam { config: Some(vec![it]), ..Default::default() }),
        enable_ipv6: spec.range.filter(|it| matches!(it, IpNet::V6(_))).map(|_| true),
        labels: Some(labels::of(requested, hash)),
        ..Default::default()
    }
}

fn ranges(network: &NetworkInspect) -> impl Iterator<Item = IpNet> {
    let configs = network.ipam.iter().flat_map(|it| it.config.iter().flatten());
    configs.filter_map(|it| cidr::parse(it.subnet.as_deref()?))
}

fn seen(network: &NetworkInspect) -> ObservedResource {
    let map = |value: Json| match value {
        Json::Object(map) => map,
        _ => Map::new(),
    };
    let name = network.name.clone().unwrap_or_default();
    let reported: Vec<String> = ranges(network).map(|it| it.to_string()).collect();
    ObservedResource {
        phase: Phase::Active,
        identity: map(json!({"id": network.id, "created": network.created})),
        spec: Map::new(),
        outputs: map(json!({"network_id": network.id, "state": "ready"})),
        message: Some(format!("the network `{name}`, {}", reported.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(spec: Json, expected: Result<(&str, Option<&str>), &[&str]>) {
        let read = NetworkSpec::read(spec.as_object().unwrap());
        let read = read.map(|it| (it.range.unwrap().to_string(), it.gateway.map(|it| it.to_string())));
        let read = read.map_err(|it| it.violations.into_iter().map(|it| it.pointer).collect::<Vec<_>>());
        let expected = expected.map(|(range, gateway)| (range.to_owned(), gateway.map(str::to_owned)));
        assert_eq!(read, expected.map_err(|it| it.iter().map(|it| (*it).to_owned()).collect()));
    }

    #[test]
    fn the_machine_is_the_gateway() {
        check(json!({"ip": "10.0.0.5/24"}), Ok(("10.0.0.0/24", None)));
        check(json!({"ip": "10.0.0.5", "mask": "255.255.0.0"}), Ok(("10.0.0.0/16", None)));
        check(json!({"ip": "10.0.0.0/24", "owner_ip": "10.0.0.9"}), Ok(("10.0.0.0/24", Some("10.0.0.9"))));
        check(json!({"ip": "10.0.0.0/24", "gateway": "10.0.0.9"}), Ok(("10.0.0.0/24", Some("10.0.0.9"))));
        let both = json!({"ip": "10.0.0.0/24", "gateway": "10.0.0.9", "owner_ip": "10.0.0.1"});
        check(both, Err(&["/gateway"]));
        check(json!({"ip": "10.0.0.0/24", "gateway": "10.0.1.9"}), Err(&["/gateway"]));
        check(json!({"ip": "10.0.0.0"}), Err(&["/ip"]));
    }
}
