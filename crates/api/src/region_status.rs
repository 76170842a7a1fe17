use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{AgreedRegions, Api, CopyStatus};

/// The state of a region, as it is served at `/peers/v1/status`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RegionStatus {
    /// The region.
    pub region: Arc<str>,
    /// The regions of each service that is served here or referred to.
    pub services: BTreeMap<Arc<str>, AgreedRegions>,
    /// The last revision of its store.
    pub revision: u64,
    /// The copies of what other regions own.
    pub copies: Vec<CopyStatus>,
    /// The requests to other deployments that are to be sent.
    pub pending_requests: usize,
    /// The asynchronous part of deletions that is to be done.
    pub pending_work: usize,
    /// True if resources may say other regions than policies do now: they are written again.
    pub is_outdated: bool,
}

impl Api {
    /// The state of the region; `None` without other deployments.
    pub fn region_status(&self) -> Option<RegionStatus> {
        let topology = &self.neighbors.as_ref()?.topology;
        let services = topology.services();
        let services = services.iter().map(|(name, policy)| (name.clone(), AgreedRegions::of(policy)));
        Some(RegionStatus {
            region: topology.own.clone(),
            services: services.collect(),
            revision: self.transactions.store().revision().get(),
            copies: self.copy_statuses(),
            pending_requests: self.transactions.owed().len(),
            pending_work: self.transactions.pending().len(),
            is_outdated: self.is_misplaced(),
        })
    }
}
