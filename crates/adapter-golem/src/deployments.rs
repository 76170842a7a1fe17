//! What the daemon knows of deployments, for those whose records were lost.

use std::collections::BTreeMap;

use ::adapter::{Known, Record, ResourceRequest};
use model::Phase;
use protocol::{Problem, ResourceId};
use serde_json::Map;

use crate::{
    GolemAdapter,
    demand::{self, text},
    offer::provider_name,
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
        let mut found = self.deployments().await?.remove(deployment).unwrap_or_default();
        found.dedup_by(|a, b| a.resource == b.resource);
        Ok(found.into_iter().map(|it| record(it, deployment)).collect())
    }
}

/// The record of a resource of which only the agreement is known.
fn record(agreement: OpenAgreement, deployment: &str) -> Record {
    let request = ResourceRequest {
        id: ResourceId::new("service", agreement.resource),
        deployment: deployment.to_owned(),
        address: String::new(),
        generation: 1,
        spec: Map::new(),
    };
    Record {
        known: Known { request, identity: None, outputs: Map::new() },
        deployment_name: String::new(),
        hash: String::new(),
        phase: Phase::Pending,
        actual: Map::new(),
        message: Some(unknown_request(&agreement.provider)),
    }
}

/// Why a service whose agreement is open cannot be used.
pub(crate) fn unknown_request(provider: &str) -> String {
    format!("its agreement with {provider} is open, but not recorded")
}
