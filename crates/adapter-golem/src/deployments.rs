//! What the daemon knows of deployments, for those whose records were lost.

use std::collections::BTreeMap;

use ::adapter::{Record, ResourceRequest, spec::Kind};
use protocol::{Problem, ResourceId};
use serde_json::Map;

use crate::{
    GolemAdapter,
    demand::{self, text},
    offer::provider_name,
    rental::Rental,
};

/// An open agreement for a service.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenAgreement {
    /// The id of the resource that it was made for.
    pub resource: String,
    /// The name of the provider.
    pub provider: String,
}

impl GolemAdapter {
    /// The open agreements of the daemon that an adapter like this one made, by the lineage of their
    /// deployment. They belong to this adapter's folder or to that of another one.
    ///
    /// # Errors
    /// If the daemon does not respond.
    pub async fn deployments(&self) -> Result<BTreeMap<String, Vec<OpenAgreement>>, Problem> {
        let mut all: BTreeMap<String, Vec<OpenAgreement>> = BTreeMap::new();
        for agreement in self.shared.open_agreements().await? {
            let property = |name| text(&agreement.demand.properties, name).map(str::to_owned);
            if let (Some(lineage), Some(resource)) =
                (property(demand::DEPLOYMENT), property(demand::RESOURCE))
            {
                let provider = provider_name(&agreement.offer.properties);
                all.entry(lineage).or_default().push(OpenAgreement { resource, provider });
            }
        }
        all.values_mut().for_each(|it| it.sort());
        Ok(all)
    }

    /// The resources of a deployment whose agreements are open, without the requests that they were rented
    /// for. Use it after the loss of a [`Ledger`](::adapter::Ledger), so that they can be ended.
    ///
    /// # Errors
    /// If the daemon does not respond.
    pub async fn remembered(&self, deployment: &str) -> Result<Vec<Record>, Problem> {
        let found = self.deployments().await?.remove(deployment).unwrap_or_default();
        Ok(Self::records(deployment, found))
    }

    /// The same for open agreements of a deployment that [`deployments`](Self::deployments) has found.
    pub fn records(deployment: &str, mut open: Vec<OpenAgreement>) -> Vec<Record> {
        open.dedup_by(|a, b| a.resource == b.resource);
        open.into_iter().map(|it| record(it, deployment)).collect()
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

/// The record of a resource of which only the agreement is known.
fn record(agreement: OpenAgreement, deployment: &str) -> Record {
    let message = Some(unknown_request(&agreement.provider));
    let request = unknown(ResourceId::new("service", agreement.resource), deployment);
    Record { message, hash: String::new(), ..Record::begun(request) }
}

fn unknown(id: ResourceId, deployment: &str) -> ResourceRequest {
    let (deployment, address) = (deployment.to_owned(), String::new());
    ResourceRequest { id, deployment, address, generation: 1, spec: Map::new() }
}

/// Why a service whose agreement is open cannot be used.
pub(crate) fn unknown_request(provider: &str) -> String {
    format!("its agreement with {provider} is open, but not recorded")
}
