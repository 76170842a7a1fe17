//! Random services: projects with policies, resources of one kind, and the data that each region has of them.

use std::{collections::BTreeSet, sync::Arc};

use planloom_regions::{MultiRegionPolicy, Ownership, Placement, SyncType, Syncing, SyncingFilter};
use proptest::prelude::*;

use crate::support::{DEVICE, policy_with};

/// A service whose resources are of one kind.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) service: MultiRegionPolicy,
    /// `None` has no policy.
    pub(crate) projects: Vec<Option<MultiRegionPolicy>>,
    pub(crate) is_regional: bool,
    pub(crate) sync: SyncType,
    pub(crate) resources: Vec<Resource>,
}

/// A resource as one database with everything has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resource {
    pub(crate) size: u8,
    pub(crate) name: String,
    /// The place of its project; `None` if it is global.
    pub(crate) project: Option<usize>,
    pub(crate) region: Option<Arc<str>>,
    pub(crate) ownership: Ownership,
}

impl Resource {
    pub(crate) fn is_selected(&self, filter: &SyncingFilter) -> bool {
        filter.selects(&Syncing::from(self.ownership.clone()))
    }
}

/// The last one is beyond all services.
pub(crate) const REGIONS: [&str; 5] = ["a", "b", "c", "d", "e"];

fn ids(most: usize) -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::subsequence(REGIONS[..most].to_vec(), 1..=most).prop_shuffle()
}

fn policy(most: usize) -> impl Strategy<Value = MultiRegionPolicy> {
    let part = || prop::sample::select(vec!["*", "a", "b", "c", "d"]);
    let kind = prop::sample::select(vec!["*", DEVICE, "custom.edgelq.com/Other"]);
    let rules = prop::collection::vec((kind, part(), part()).prop_map(|(a, b, c)| [a, b, c]), 0..3);
    (ids(most), rules).prop_map(|(ids, rules)| policy_with(&ids.join(" "), &rules))
}

pub(crate) fn sync_type() -> impl Strategy<Value = SyncType> {
    prop::sample::select(vec![
        SyncType::Default,
        SyncType::Default,
        SyncType::AlwaysInScope,
        SyncType::Never,
        SyncType::AlwaysGlobally,
    ])
}

/// A resource that may be created: its size, the place of its project, its region.
type Draft = (u8, Option<usize>, &'static str);

fn drafts() -> impl Strategy<Value = Vec<Draft>> {
    let project = prop::option::weighted(0.8, 0_usize..3);
    prop::collection::vec((0_u8..4, project, prop::sample::select(REGIONS.to_vec())), 0..30)
}

pub(crate) fn world() -> impl Strategy<Value = World> {
    let projects = prop::collection::vec(prop::option::weighted(0.9, policy(5)), 3);
    (policy(4), projects, any::<bool>(), sync_type(), drafts()).prop_map(
        |(service, projects, is_regional, sync, drafts)| {
            let mut world = World { service, projects, is_regional, sync, resources: Vec::new() };
            let created = drafts.into_iter().enumerate().filter_map(|(id, it)| world.created(id, it));
            world.resources = created.collect();
            world
        },
    )
}

impl World {
    /// A resource, unless its creation is refused.
    fn created(&self, id: usize, (size, project, region): Draft) -> Option<Resource> {
        let region = self.is_regional.then(|| Arc::from(region));
        let holder = project.and_then(|it| self.projects[it].as_ref());
        let (service, kind, sync) = (&self.service, DEVICE, self.sync);
        let ownership =
            Placement { region: region.as_deref(), holder, service, kind, sync }.ownership().ok()?;
        Some(Resource { size, name: format!("resource{id}"), project, region, ownership })
    }

    /// What a region has, once all copies are made.
    pub(crate) fn data(&self, region: &str) -> impl Iterator<Item = &Resource> {
        self.resources.iter().filter(move |it| it.ownership.is_in(region))
    }

    pub(crate) fn regions(&self) -> &BTreeSet<Arc<str>> {
        &self.service.enabled_regions
    }
}
