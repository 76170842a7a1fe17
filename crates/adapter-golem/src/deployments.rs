//! The daemon's data about deployments, for those whose records were lost.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::SystemTime,
};

use ::adapter::{Record, ResourceRequest, spec::Kind};
use protocol::{Problem, ResourceId};
use serde_json::Map;

use crate::{
    GolemAdapter,
    allocation::{is_of_deployment, timeout},
    market::Agreement,
    offer::provider_name,
    rental::Rental,
    shared::Shared,
    timestamp,
};

/// The maximum number of agreements that are read to find the use of allocations: each one is a request.
const LAST: usize = 1000;

/// An agreement for a service, as the daemon knows it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoundAgreement {
    /// The id of the resource that it was made for.
    pub resource: String,
    /// The name of the provider.
    pub provider: String,
    /// True if it is open. If it is not, its deployment has no open agreement, but an allocation.
    pub is_open: bool,
}

impl GolemAdapter {
    /// The open agreements of the daemon that an adapter like this one made, by the lineage of their
    /// deployment. For a deployment that has none, but an allocation, its last agreement. They belong to this
    /// adapter's folder or to that of another one.
    ///
    /// # Errors
    /// If the daemon does not respond.
    pub async fn deployments(&self) -> Result<BTreeMap<String, Vec<FoundAgreement>>, Problem> {
        let open = self.shared.open_agreements().await?;
        let ended = self.shared.ended_with_allocation(&open).await?;
        let mut all: BTreeMap<String, Vec<FoundAgreement>> = BTreeMap::new();
        for agreement in open.iter().chain(&ended) {
            if let (Some(lineage), Some(resource)) = (agreement.deployment(), agreement.resource()) {
                all.entry(lineage.to_owned()).or_default().push(FoundAgreement {
                    resource: resource.to_owned(),
                    provider: provider_name(&agreement.offer.properties),
                    is_open: agreement.state.is_open(),
                });
            }
        }
        all.values_mut().for_each(|it| it.sort());
        Ok(all)
    }

    /// The resources of a deployment whose agreements [`deployments`](Self::deployments) finds, without the
    /// requests that they were rented for. Use it after the loss of a [`Ledger`](::adapter::Ledger), so that they can be ended.
    ///
    /// # Errors
    /// If the daemon does not respond.
    pub async fn remembered(&self, deployment: &str) -> Result<Vec<Record>, Problem> {
        let found = self.deployments().await?.remove(deployment).unwrap_or_default();
        Ok(Self::records(deployment, found))
    }

    /// The same for agreements of a deployment that [`deployments`](Self::deployments) has found.
    pub fn records(deployment: &str, mut found: Vec<FoundAgreement>) -> Vec<Record> {
        found.dedup_by(|a, b| a.resource == b.resource);
        found.into_iter().map(|it| record(it, deployment)).collect()
    }

    /// Records that the creation of a service was begun, so that it is continued or ended, and with it all that it has
    /// left at the daemon. `None` if it is a network, which leaves nothing that could be found.
    ///
    /// # Errors
    /// If the record cannot be written.
    pub fn begun(&self, id: &ResourceId, deployment: &str) -> Result<Option<Record>, Problem> {
        let Kind::Service = Kind::of(id, "rentals")? else { return Ok(None) };
        let request = unknown(id.clone(), deployment);
        self.shared.folder.put_rental(&Rental::begun(request.clone()))?;
        Ok(Some(Record { hash: String::new(), ..Record::begun(request) }))
    }
}

impl Shared {
    /// The last agreement of each deployment that has an allocation, but none of these open agreements.
    async fn ended_with_allocation(&self, open: &[Agreement]) -> Result<Vec<Agreement>, Problem> {
        let mut unexplained = self.times_of_allocations().await?;
        for agreement in open {
            unexplained.retain(|it| Some(*it) != time_of_allocation(agreement));
        }
        let mut found = Vec::new();
        if unexplained.is_empty() {
            return Ok(found);
        }
        let problem = |error| self.yagna.problem("list its agreements", &error);
        for id in self.yagna.last_agreements(LAST).await.map_err(problem)? {
            let agreement = self.yagna.agreement(&id).await.map_err(problem)?;
            if time_of_allocation(&agreement).is_some_and(|it| unexplained.remove(&it)) {
                found.push(agreement);
            }
            if unexplained.is_empty() {
                break;
            }
        }
        Ok(found)
    }

    async fn times_of_allocations(&self) -> Result<BTreeSet<SystemTime>, Problem> {
        let all = self.allocations().await?;
        let times = all.iter().filter_map(|it| timestamp::parse(&it.timeout));
        Ok(times.filter(|it| is_of_deployment(*it)).collect())
    }
}

/// The time-out of the allocation that an agreement is paid from, if an adapter like this one made it.
fn time_of_allocation(agreement: &Agreement) -> Option<SystemTime> {
    agreement.deployment().map(timeout)
}

/// The record of a resource of which only the agreement is known.
fn record(agreement: FoundAgreement, deployment: &str) -> Record {
    let provider = &agreement.provider;
    let message = if agreement.is_open { unknown_request(provider) } else { LEFT_ALLOCATION.into() };
    let request = unknown(ResourceId::new("service", agreement.resource), deployment);
    Record { message: Some(message), hash: String::new(), ..Record::begun(request) }
}

fn unknown(id: ResourceId, deployment: &str) -> ResourceRequest {
    let (deployment, address) = (deployment.to_owned(), String::new());
    ResourceRequest { id, deployment, address, generation: 1, spec: Map::new() }
}

/// The state of a service whose agreement has ended, if its records were lost.
pub(crate) const LEFT_ALLOCATION: &str =
    "its agreement has ended, and its deployment still has an allocation";

/// The reason why a service whose agreement is open cannot be used.
pub(crate) fn unknown_request(provider: &str) -> String {
    format!("its agreement with {provider} is open, but not recorded")
}
