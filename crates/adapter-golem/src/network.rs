use std::net::IpAddr;

use ::adapter::{
    Known, ObservedResource, ResourceRequest,
    spec::{SpecErrors, SpecValue, ensure_only_labels},
};
use ipnet::IpNet;
use model::{Address, Phase};
use protocol::{Code, Problem, ResourceId};
use serde_json::{Map, Value as Json, json};

use crate::{
    rental::{NetworkRecord, NetworkRequest},
    seen::map,
    shared::Shared,
    vpn::Vpn,
};

/// The attributes of a network.
#[derive(Debug)]
struct NetworkSpec {
    range: IpNet,
    owner: IpAddr,
    gateway: Option<IpAddr>,
}

impl NetworkSpec {
    fn read(spec: &Map<String, Json>) -> Result<Self, Problem> {
        let (faults, spec) = (SpecErrors::default(), Json::Object(spec.clone()));
        let place = SpecValue::root(&spec, &faults);
        let range = range(&place);
        let owner = address(&place, "owner_ip", range).or_else(|| range?.hosts().next());
        let gateway = address(&place, "gateway", range);
        faults.into_result(Code::InvalidSpec)?;
        let none = || Problem::new(Code::InvalidSpec, "the network has no range of addresses");
        Ok(Self { range: range.ok_or_else(none)?, owner: owner.ok_or_else(none)?, gateway })
    }
}

fn range(spec: &SpecValue<'_>) -> Option<IpNet> {
    let Some(place) = spec.key("ip") else {
        spec.report("the network has no range of addresses: write `ip`");
        return None;
    };
    let text = place.text()?;
    let mask = spec.key("mask").filter(|_| !text.contains('/')).and_then(|it| it.text());
    let range = match mask {
        None => text.parse::<IpNet>().ok(),
        Some(mask) => {
            let (ip, mask) = (text.parse().ok(), mask.parse().ok());
            ip.zip(mask).and_then(|(ip, mask)| IpNet::with_netmask(ip, mask).ok())
        }
    };
    match range {
        Some(range @ IpNet::V4(_)) => Some(range.trunc()),
        Some(IpNet::V6(_)) => {
            place.report("virtual private networks of yagna have IPv4 addresses");
            None
        }
        None => {
            place.report(format!("`{text}` is not a range of addresses such as `192.168.0.0/24`"));
            None
        }
    }
}

fn address(spec: &SpecValue<'_>, name: &str, range: Option<IpNet>) -> Option<IpAddr> {
    let place = spec.key(name)?;
    let address = place.text()?.parse().ok();
    match (address, range) {
        (None, _) => place.report("this is not an address"),
        (Some(address), Some(range)) if !range.contains(&address) => {
            place.report(format!("{address} does not lie in {range}"));
        }
        _ => {}
    }
    address
}

impl Shared {
    pub(crate) async fn create_network(
        &self,
        requested: &ResourceRequest,
    ) -> Result<ObservedResource, Problem> {
        let spec = NetworkSpec::read(&requested.spec)?;
        let request = request(requested, &spec);
        if let Some(record) = self.folder.network(&requested.id.id) {
            if let (true, Some(vpn)) = (record.request == request, self.vpn_of(&record).await?) {
                self.join(&record, &vpn.id).await?;
                return Ok(seen(&record, &vpn.id));
            }
            self.end_network(&record).await?;
        }
        let record = self.intend(request, &spec).await?;
        let made = self.yagna.create_vpn(&spec.range.to_string(), spec.gateway).await;
        let vpn = made.map_err(|error| self.yagna.problem("create a network", &error))?;
        let record = NetworkRecord { vpn: Some(vpn.clone()), ..record };
        self.folder.put_network(&record)?;
        self.join(&record, &vpn).await?;
        Ok(seen(&record, &vpn))
    }

    /// Writes down that a network is about to be created.
    ///
    /// A network has no name at the daemon. After a lost answer it is one that was not there before.
    async fn intend(&self, request: NetworkRequest, spec: &NetworkSpec) -> Result<NetworkRecord, Problem> {
        let before = self.vpns().await?.into_iter().map(|it| it.id).collect();
        let owner_id = self.yagna.identity().await;
        let owner_id = owner_id.map_err(|error| self.yagna.problem("say who it is", &error))?;
        let record = NetworkRecord { request, before, vpn: None, owner_ip: spec.owner, owner_id };
        self.folder.put_network(&record)?;
        Ok(record)
    }

    /// Takes the requestor's address; it is no error to have it.
    async fn join(&self, record: &NetworkRecord, vpn: &str) -> Result<(), Problem> {
        match self.yagna.join_vpn(vpn, record.owner_ip).await {
            Err(crate::yagna::YagnaError::Refused(http::StatusCode::CONFLICT, _)) | Ok(()) => Ok(()),
            Err(error) => Err(self.yagna.problem("join a network", &error)),
        }
    }

    async fn vpns(&self) -> Result<Vec<Vpn>, Problem> {
        self.yagna.vpns().await.map_err(|error| self.yagna.problem("list its networks", &error))
    }

    async fn vpn_of(&self, record: &NetworkRecord) -> Result<Option<Vpn>, Problem> {
        let Some(vpn) = &record.vpn else { return Ok(None) };
        self.yagna.vpn(vpn).await.map_err(|error| self.yagna.problem("read a network", &error))
    }

    pub(crate) async fn read_network(&self, known: &Known) -> Result<Option<ObservedResource>, Problem> {
        let Some(record) = self.folder.network(&known.request.id.id) else { return Ok(None) };
        Ok(self.vpn_of(&record).await?.map(|vpn| seen(&record, &vpn.id)))
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

    pub(crate) async fn destroy_network(&self, id: &ResourceId, deployment: &str) -> Result<(), Problem> {
        if let Some(record) = self.folder.network(&id.id) {
            let users = self.folder.rentals().into_iter();
            let is_in = |it: &crate::rental::Rental| {
                it.node.as_ref().map(|it| &it.vpn) == record.vpn.as_ref() && record.vpn.is_some()
            };
            if let Some(user) = users.filter(is_in).map(|it| it.request.address).next() {
                return Err(Problem::new(Code::Unavailable, format!("`{user}` is still in the network")));
            }
            self.end_network(&record).await?;
        }
        self.settle_deployment(deployment).await
    }

    /// Ends a network at the daemon, also one whose creation was not answered, and forgets it.
    async fn end_network(&self, record: &NetworkRecord) -> Result<(), Problem> {
        for vpn in self.made_as(record).await? {
            let ended = self.yagna.delete_vpn(&vpn).await;
            ended.map_err(|error| self.yagna.problem("delete a network", &error))?;
        }
        self.folder.remove_network(&record.request.id)
    }

    /// The networks at the daemon that were made for a record.
    async fn made_as(&self, record: &NetworkRecord) -> Result<Vec<String>, Problem> {
        if let Some(vpn) = &record.vpn {
            return Ok(vec![vpn.clone()]);
        }
        let known: Vec<String> = self.folder.networks().into_iter().filter_map(|it| it.vpn).collect();
        let mut made = Vec::new();
        for vpn in self.vpns().await? {
            let is_new = !record.before.contains(&vpn.id) && !known.contains(&vpn.id);
            let is_same = vpn.ip.parse() == Ok(record.request.range);
            // What has members is somebody else's: this one was never used.
            if is_new && is_same && self.yagna.vpn_nodes(&vpn.id).await.is_ok_and(|it| it.is_empty()) {
                made.push(vpn.id);
            }
        }
        Ok(made)
    }

    /// The same, which exists at the daemon.
    ///
    /// # Errors
    /// [`Gone`](Code::Gone) if it does not exist any more: nothing can be rented in it.
    pub(crate) async fn existing_network(
        &self,
        deployment: &str,
        name: &str,
    ) -> Result<NetworkRecord, Problem> {
        let record = self.network_named(deployment, name)?;
        match self.vpn_of(&record).await? {
            Some(_) => Ok(record),
            None => Err(gone(name)),
        }
    }

    /// The network of a deployment, by its name there; the latest one, while an older one still exists.
    ///
    /// # Errors
    /// If it was not created by this adapter.
    pub(crate) fn network_named(&self, deployment: &str, name: &str) -> Result<NetworkRecord, Problem> {
        let is_it = |it: &NetworkRecord| {
            let address = it.request.address.parse::<Address>();
            it.request.deployment == deployment
                && it.vpn.is_some()
                && address.is_ok_and(|it| &*it.name == name)
        };
        let found = self.folder.networks().into_iter().filter(is_it).max_by_key(|it| it.request.generation);
        found.ok_or_else(|| {
            let message = format!("the network `{name}` was not created by this adapter");
            Problem::new(Code::InvalidSpec, &message).at("/network", message)
        })
    }
}

pub(crate) fn gone(name: &str) -> Problem {
    let message = format!(
        "the network `{name}` does not exist any more, because yagna was started again; apply again, which \
         recreates it"
    );
    Problem::new(Code::Gone, &message).at("/network", message)
}

fn request(requested: &ResourceRequest, spec: &NetworkSpec) -> NetworkRequest {
    NetworkRequest {
        id: requested.id.id.clone(),
        deployment: requested.deployment.clone(),
        address: requested.address.clone(),
        generation: requested.generation,
        range: spec.range,
        gateway: spec.gateway,
    }
}

fn seen(record: &NetworkRecord, vpn: &str) -> ObservedResource {
    ObservedResource {
        phase: Phase::Active,
        identity: map(json!({"network_id": vpn})),
        spec: Map::new(),
        outputs: map(json!({"network_id": vpn, "owner_id": record.owner_id, "state": "ready"})),
        message: Some(format!("the network {vpn}, {}", record.request.range)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(spec: Json, expected: Result<(&str, &str), &[&str]>) {
        let read = NetworkSpec::read(spec.as_object().unwrap());
        let read = read.map(|it| (it.range.to_string(), it.owner.to_string()));
        let read = read.map_err(|it| it.violations.into_iter().map(|it| it.pointer).collect::<Vec<_>>());
        let expected = expected.map(|(range, owner)| (range.to_owned(), owner.to_owned()));
        assert_eq!(read, expected.map_err(|it| it.iter().map(|it| (*it).to_owned()).collect()));
    }

    #[test]
    fn the_requestor_has_the_first_address() {
        check(json!({"ip": "192.168.0.1/24"}), Ok(("192.168.0.0/24", "192.168.0.1")));
        check(json!({"ip": "10.0.0.0", "mask": "255.255.0.0"}), Ok(("10.0.0.0/16", "10.0.0.1")));
        check(json!({"ip": "10.0.0.0/24", "owner_ip": "10.0.0.9"}), Ok(("10.0.0.0/24", "10.0.0.9")));
        check(json!({"ip": "10.0.0.0/24", "owner_ip": "10.0.1.9"}), Err(&["/owner_ip"]));
        check(json!({"ip": "10.0.0.0"}), Err(&["/ip"]));
        check(json!({"ip": "fd00::/64"}), Err(&["/ip"]));
        check(json!({}), Err(&[""]));
    }
}
