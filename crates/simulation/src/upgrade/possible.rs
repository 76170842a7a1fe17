//! The actions that are possible next.

use std::collections::BTreeMap;

use regions::upgrade::{Change, View};

use super::{Action, Place, Region, Server, Upgrades, beginning::begin};
use crate::registry::Id;

impl Upgrades {
    /// Everything that can happen next.
    pub(super) fn possible_actions(&self) -> Vec<Action> {
        let places = self.places();
        let stops = places.iter().filter(|it| self.can_stop(**it)).map(|it| Action::Stop(*it));
        let crashes = places.iter().filter(|it| self.can_crash(**it)).map(|it| Action::Crash(*it));
        let writes = places.iter().flat_map(|it| self.writes(*it));
        let processes = self.process_actions().into_iter();
        let others = crashes.chain(stops).chain(writes).chain(self.user_actions());
        self.network_actions().chain(processes).chain(others).collect()
    }

    fn network_actions(&self) -> impl Iterator<Item = Action> {
        let faults = self.scenario.faults;
        self.network.iter().flat_map(move |it| {
            let double = (faults.doubles > 0).then(|| Action::Double(it.clone()));
            let lose = (faults.losses > 0).then(|| Action::Lose(it.clone()));
            std::iter::once(Action::Deliver(it.clone())).chain(double).chain(lose)
        })
    }

    /// What processes do by themselves.
    pub(super) fn process_actions(&self) -> Vec<Action> {
        self.places().into_iter().flat_map(|it| self.actions_of(it)).collect()
    }

    fn actions_of(&self, place: Place) -> Vec<Action> {
        let Some(region) = self.regions.get(&place.region) else { return Vec::new() };
        let is_writing = region.servers.get(&place.process).is_some_and(|it| it.writing.is_some());
        let commit = is_writing.then_some(Action::Commit(place));
        let see = self.is_out_of_date(region, place).then_some(Action::See(place));
        let announce = self.owes(region, place).then_some(Action::Announce(place));
        commit.into_iter().chain(see).chain(announce).chain(self.copies(region, place)).collect()
    }

    fn is_out_of_date(&self, region: &Region, place: Place) -> bool {
        let seen = region.view(place.process).map(View::version);
        seen != self.entry(place.region)
    }

    fn owes(&self, region: &Region, place: Place) -> bool {
        !self.is_announcing(place) && region.owes(place.process)
    }

    fn copies(&self, region: &Region, place: Place) -> Vec<Action> {
        let directions = region.directions(place.process).into_iter();
        let all = directions.flat_map(|it| (0..self.scenario.shards).map(move |shard| (it, shard)));
        let behind = all.filter(|(it, shard)| region.is_behind(*it, *shard));
        let idle = behind.filter(|(it, shard)| !self.is_copying(place, it.1, *shard));
        let useful = idle.filter(|(it, shard)| !region.clone().copy(place.process, *it, *shard).is_empty());
        useful.map(|((_, to), shard)| Action::Copy(place, to, shard)).collect()
    }

    fn can_crash(&self, place: Place) -> bool {
        let Some(region) = self.regions.get(&place.region) else { return false };
        self.scenario.faults.crashes > 0 && region.view(place.process).is_some()
    }

    fn can_stop(&self, place: Place) -> bool {
        let Some(region) = self.regions.get(&place.region) else { return false };
        self.scenario.stops > 0 && region.servers.len() > 1 && region.servers.contains_key(&place.process)
    }

    /// The writes that a server accepts. Of the versions of the API that lead to the same storage, one is enough.
    fn writes(&self, place: Place) -> Vec<Action> {
        let server = self.regions.get(&place.region).and_then(|it| it.servers.get(&place.process));
        let Some(server) = server.filter(|it| self.scenario.requests > 0 && it.writing.is_none()) else {
            return Vec::new();
        };
        let accepted = self.accepted(place.region, server);
        accepted.into_values().flat_map(|version| self.writes_of(place, version)).collect()
    }

    fn accepted(&self, region: Id, server: &Server) -> BTreeMap<Id, Id> {
        let versions = self.scenario.regions.get(&region).into_iter().flatten();
        let storage = |version: &Id| server.node.clone().begin_write(version).map(|it| it.storage);
        versions.filter_map(|it| Some((storage(it).ok()?, *it))).collect()
    }

    fn writes_of(&self, server: Place, version: Id) -> Vec<Action> {
        let truth = self.regions.get(&server.region).map(|it| &it.truth);
        let is_there = |it: u8| truth.is_some_and(|truth| truth.contains_key(&it));
        let write = |resource, deletes| Action::Write { server, version, resource, deletes };
        let resources = self.scenario.resources.iter();
        resources
            .flat_map(|it| {
                let delete = is_there(*it).then(|| write(*it, true));
                std::iter::once(write(*it, false)).chain(delete)
            })
            .collect()
    }

    fn user_actions(&self) -> Vec<Action> {
        let (upgrades, cancels) = (self.scenario.upgrades > 0, self.scenario.cancels > 0);
        let shards = self.scenario.shards;
        let of = |(region, versions): (&Id, &Vec<Id>)| {
            let is_possible = |target: &Id| self.user_change(*region, &begin(*target, shards)).is_some();
            let targets = versions.iter().filter(|it| upgrades && is_possible(it));
            let begins: Vec<_> = targets.map(|it| Action::Begin(*region, *it)).collect();
            let cancel = cancels && self.user_change(*region, &Change::Cancel).is_some();
            begins.into_iter().chain(cancel.then_some(Action::Cancel(*region)))
        };
        self.scenario.regions.iter().flat_map(of).collect()
    }
}
