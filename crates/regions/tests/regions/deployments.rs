//! Requests to deployments of random services: whoever receives them, the answer is that of one database with everything.

use std::{collections::BTreeMap, sync::Arc};

use planloom_regions::{
    SyncingFilter,
    merge::{Place, Places, RegionPage, merge},
    routing::{
        Collection, CollectionHolder, CollectionRegion, Decision, Portion, Request, Rule, Subject,
        Transaction, Unroutable,
    },
};
use proptest::prelude::*;

use crate::{
    support::{DEVICE, config},
    world::{REGIONS, Resource, World, world},
};

const READ: Rule = Rule {
    skip_generated: false,
    execute_on_owning_region: false,
    read_only: true,
    transaction: Transaction::None,
};

/// The holder of a list.
#[derive(Clone, Copy, Debug)]
enum Below {
    Nothing,
    Project(usize),
    Each,
}

/// A list of resources, ordered by their sizes and names.
#[derive(Clone, Debug)]
struct List {
    below: Below,
    region: Option<&'static str>,
    filter: SyncingFilter,
}

fn list() -> impl Strategy<Value = List> {
    let below = prop_oneof![
        Just(Below::Nothing),
        (0_usize..3).prop_map(Below::Project),
        (0_usize..3).prop_map(Below::Project),
        Just(Below::Each),
    ];
    let region = || prop::option::weighted(0.2, prop::sample::select(REGIONS.to_vec()));
    (below, region(), region(), region()).prop_map(|(below, region, owner, contained)| List {
        below,
        region,
        filter: SyncingFilter {
            owning_region: owner.map(Into::into),
            regions_contain: contained.map(Into::into),
        },
    })
}

impl List {
    fn requests(&self, it: &Resource) -> bool {
        let is_below = match self.below {
            Below::Nothing => it.project.is_none(),
            Below::Project(project) => it.project == Some(project),
            Below::Each => it.project.is_some(),
        };
        is_below
            && self.region.is_none_or(|region| it.region.as_deref() == Some(region))
            && it.is_selected(&self.filter)
    }

    fn route(&self, world: &World, own: &str) -> Result<Decision, Unroutable> {
        let holder = match self.below {
            Below::Nothing => CollectionHolder::Global,
            Below::Project(it) => {
                world.projects[it].as_ref().map_or(CollectionHolder::Global, CollectionHolder::One)
            }
            Below::Each => CollectionHolder::Any,
        };
        let region = match (world.is_regional, self.region) {
            (true, Some(region)) => CollectionRegion::One(region),
            (true, None) => CollectionRegion::Any,
            (false, _) => CollectionRegion::None,
        };
        let collection = Collection { holder, region, kind: DEVICE, sync: world.sync, filter: &self.filter };
        let subject = Subject::Collection(collection);
        Request { own, service: &world.service, rule: READ, region_ids: &[], subject }.route()
    }

    /// What a region answers, in order.
    fn answer(&self, world: &World, region: &str, filter: &SyncingFilter) -> Vec<Resource> {
        sorted(world.data(region).filter(|it| self.requests(it) && it.is_selected(filter)))
    }
}

fn sorted<'a>(resources: impl Iterator<Item = &'a Resource>) -> Vec<Resource> {
    let mut resources: Vec<_> = resources.cloned().collect();
    resources.sort_by(compare);
    resources
}

fn compare(left: &Resource, right: &Resource) -> std::cmp::Ordering {
    (left.size, &left.name).cmp(&(right.size, &right.name))
}

/// The pages of a list in regions with these answers.
fn pages(answers: &BTreeMap<Arc<str>, Vec<Resource>>, size: usize) -> Vec<Vec<Resource>> {
    let mut places = Places::start(answers.keys().cloned());
    let mut pages = Vec::new();
    while !places.is_end() {
        let of = |(region, place): (&Arc<str>, &Place<Resource>)| {
            let all = &answers[region];
            let start = match place {
                Place::Start => 0,
                Place::After(last) => all.partition_point(|it| compare(it, last).is_le()),
                Place::End => all.len(),
            };
            let items: Vec<_> = all[start..].iter().take(size).cloned().collect();
            let is_end = start + items.len() == all.len();
            let next = items.last().filter(|_| !is_end).cloned().map_or(Place::End, Place::After);
            (region.clone(), RegionPage { items, next })
        };
        let requested = places.pending().map(of).collect();
        let page = merge(places, requested, size, compare, |_, last| last.clone());
        pages.push(page.items.into_iter().map(|(_, it)| it).collect::<Vec<_>>());
        places = page.places;
    }
    pages.retain(|it| !it.is_empty());
    pages
}

/// The pages that a client sees.
fn seen(world: &World, own: &str, list: &List, decision: &Decision, size: usize) -> Vec<Vec<Resource>> {
    let all = SyncingFilter::default();
    let alone = |region: &str| list.answer(world, region, &all).chunks(size).map(<[_]>::to_vec).collect();
    match decision {
        Decision::Local => alone(own),
        Decision::Proxy(region) => alone(region),
        Decision::Broadcast(parts) => {
            let answer = |filter: &Portion, region: &str| match filter {
                Portion::Filter(filter) => list.answer(world, region, filter),
                Portion::Names(_) => panic!("a list has no names"),
            };
            let answers =
                parts.iter().map(|it| (it.region.clone(), answer(&it.portion, &it.region))).collect();
            pages(&answers, size)
        }
    }
}

proptest! {
    #![proptest_config(config(4_000))]

    #[test]
    fn a_list_is_that_of_one_database(world in world(), list in list(), size in 1_usize..6) {
        let whole = sorted(world.resources.iter().filter(|it| list.requests(it)));
        let expected: Vec<_> = whole.chunks(size).map(<[_]>::to_vec).collect();
        for own in world.regions() {
            match list.route(&world, own) {
                Ok(decision) => {
                    let seen = seen(&world, own, &list, &decision, size);
                    prop_assert_eq!(&seen, &expected, "{} {:?}", own, decision);
                }
                Err(_) => prop_assert!(whole.is_empty()),
            }
        }
    }

    #[test]
    fn names_are_read_where_they_are(world in world(), places in prop::collection::vec(0_usize..30, 0..4)) {
        let named: Vec<_> = places.iter().filter_map(|it| world.resources.get(*it)).collect();
        let ownerships: Vec<_> = named.iter().map(|it| it.ownership.clone()).collect();
        for own in world.regions() {
            let subject = Subject::Names(&ownerships);
            let request = Request { own, service: &world.service, rule: READ, region_ids: &[], subject };
            let has_all = |region: &str| named.iter().all(|it| it.ownership.is_in(region));
            match request.route().unwrap() {
                Decision::Local => prop_assert!(has_all(own)),
                Decision::Proxy(region) => prop_assert!(has_all(&region) && !has_all(own)),
                Decision::Broadcast(parts) => {
                    prop_assert!(!world.regions().iter().any(|it| has_all(it)));
                    let mut read = Vec::new();
                    for part in parts {
                        let Portion::Names(places) = part.portion else { panic!("names have no filter") };
                        prop_assert!(places.iter().all(|it| named[*it].ownership.is_in(&part.region)));
                        read.extend(places);
                    }
                    read.sort_unstable();
                    prop_assert_eq!(read, (0..named.len()).collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn writes_are_executed_by_the_owner(world in world(), place in 0_usize..30) {
        let Some(resource) = world.resources.get(place) else { return Ok(()) };
        let rule = Rule { read_only: false, transaction: Transaction::Snapshot, ..READ };
        for own in world.regions() {
            let subject = Subject::Names(std::slice::from_ref(&resource.ownership));
            let request = Request { own, service: &world.service, rule, region_ids: &[], subject };
            let region = match request.route().unwrap() {
                Decision::Local => own.clone(),
                Decision::Proxy(region) => region,
                Decision::Broadcast(parts) => panic!("{parts:?}"),
            };
            prop_assert_eq!(&region, &resource.ownership.owner);
        }
    }

    #[test]
    fn an_owner_and_copies_are_regions_of_the_service(world in world()) {
        for resource in &world.resources {
            let regions = resource.ownership.regions();
            prop_assert!(regions.is_subset(world.regions()));
            prop_assert!(!resource.ownership.copies.contains(&resource.ownership.owner));
            let holder = resource.project.and_then(|it| world.projects[it].as_ref());
            prop_assert!(holder.is_none_or(|it| it.enables(&resource.ownership.owner)));
        }
    }
}
