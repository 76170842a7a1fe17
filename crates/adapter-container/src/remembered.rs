use std::collections::BTreeMap;

use ::adapter::Record;
use bollard::query_parameters::ListContainersOptionsBuilder;
use protocol::{Problem, ResourceId};

use crate::{
    ContainerAdapter,
    engine::steady,
    labels::{self, Labels},
};

impl ContainerAdapter {
    /// The resources of a deployment in the engine, with the requests that they were created from, without
    /// secrets. Use it after the loss of a [`Ledger`](::adapter::Ledger).
    ///
    /// # Errors
    /// If the engine does not respond.
    pub async fn remembered(&self, deployment: &str) -> Result<Vec<Record>, Problem> {
        let engine = &self.shared.engine;
        let filters = labels::of_deployment(deployment);
        let options = ListContainersOptionsBuilder::new().all(true).filters(&filters).build();
        let containers = steady(async || engine.docker.list_containers(Some(options.clone())).await).await;
        let containers = containers.map_err(|error| engine.problem("list its containers", &error))?;
        let networks = engine.networks(&filters).await?;
        let labels =
            containers.into_iter().map(|it| it.labels).chain(networks.into_iter().map(|it| it.labels));
        let mut records: BTreeMap<ResourceId, Record> = BTreeMap::new();
        for labels in labels {
            let labels = Labels(labels.as_ref());
            let record = labels.record().filter(|it| it.known.request.deployment == deployment);
            records.extend(record.map(|it| (it.id().clone(), it)));
        }
        Ok(records.into_values().collect())
    }
}
