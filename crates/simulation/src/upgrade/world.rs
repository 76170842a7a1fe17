use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use regions::{
    registration::{Request, State},
    upgrade::{ActiveVersion, Change, View, check_regions},
};

use super::{
    Action, Body, Envelope, Place, Region, Scenario, Server, Storage,
    beginning::{begin, deployment, registry},
    checks, fair_end,
};
use crate::{
    World,
    registry::{Id, MemoryRegistry},
};

/// The deployments of a service that are upgraded, and the messages of their processes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Upgrades {
    pub(super) scenario: Scenario,
    pub(super) registry: Arc<MemoryRegistry>,
    pub(super) regions: BTreeMap<Id, Arc<Region>>,
    pub(super) network: BTreeSet<Envelope>,
    pub(super) now: i64,
}

impl Upgrades {
    /// A world in its beginning: all servers are known.
    pub fn new(scenario: Scenario) -> Self {
        let region = |(id, versions): (&Id, &Vec<Id>)| (*id, Arc::new(Region::new(&scenario, versions)));
        let regions = scenario.regions.iter().map(region).collect();
        let registry = Arc::new(registry(&scenario));
        let mut world = Self { scenario, registry, regions, network: BTreeSet::new(), now: 0 };
        world.begin();
        world
    }

    fn begin(&mut self) {
        let scenario = self.scenario.clone();
        if scenario.synchronized {
            self.settle();
        }
        for place in self.places() {
            let is_server =
                self.regions.get(&place.region).is_some_and(|it| it.servers.contains_key(&place.process));
            if is_server && !scenario.synchronized {
                self.see(place);
                fair_end::deliver_all(self);
            }
        }
        for region in self.regions.values_mut().map(Arc::make_mut) {
            region.servers.extend(scenario.late.iter().map(|it| (*it, Server::new(*it))));
        }
        self.scenario = scenario;
    }

    /// The deployments.
    pub const fn regions(&self) -> &BTreeMap<Id, Arc<Region>> {
        &self.regions
    }

    /// The version of a deployment, as its entry in the registry has it.
    pub fn entry(&self, region: Id) -> Option<&ActiveVersion<Id>> {
        let entry = self.registry.all().get(&deployment(region))?;
        entry.value.deployment().map(|it| &it.version)
    }

    pub(super) fn state(&self, region: Id) -> State<Id> {
        self.registry.state(&deployment(region))
    }

    pub(super) fn places(&self) -> Vec<Place> {
        let of = |(id, region): (&Id, &Arc<Region>)| {
            let processes = region.servers.keys().chain(region.copiers.keys());
            processes.map(|it| Place { region: *id, process: *it }).collect::<Vec<_>>()
        };
        self.regions.iter().flat_map(of).collect()
    }

    pub(super) fn region_mut(&mut self, id: Id) -> Option<&mut Region> {
        self.regions.get_mut(&id).map(Arc::make_mut)
    }

    /// The change of a user, if it is possible.
    pub(super) fn user_change(&self, region: Id, change: &Change<Id>) -> Option<Request<Id>> {
        if self.entry(region).is_none_or(|it| it.changed(change, self.now).as_ref() == Ok(it)) {
            return None;
        }
        if let Change::Begin { target, .. } = change {
            let entries: Vec<_> =
                self.regions.keys().filter_map(|it| Some((*it, self.entry(*it)?))).collect();
            check_regions(target, entries.iter().map(|(region, it)| (region, *it))).ok()?;
        }
        View::of(&self.state(region))?.request(change, self.now).ok()?
    }

    fn change_by_user(&mut self, region: Id, change: &Change<Id>) {
        let Some(request) = self.user_change(region, change) else { return };
        self.registry.answer(&request);
        let decided = match change {
            Change::Begin { target, .. } => Some(*target),
            Change::Cancel => self.entry(region).map(|it| it.current_version),
            Change::Ready { .. } | Change::Observe { .. } | Change::Leave { .. } => return,
        };
        if let Some((it, decided)) = self.region_mut(region).zip(decided) {
            it.decided = decided;
        }
    }

    pub(super) fn deliver(&mut self, envelope: &Envelope) {
        let process = envelope.process;
        match &envelope.body {
            Body::Request(request) => {
                self.registry.answer(request);
                let body = Body::State(self.state(process.region));
                self.network.insert(Envelope { process, late: envelope.late, body });
            }
            Body::State(state) => self.see_state(process, state),
            Body::Copied { from, to, shard, reply } => {
                let take = |it: &mut Region| it.take(process.process, (*from, *to), *shard, reply);
                self.region_mut(process.region).into_iter().for_each(take);
                self.copy(process, *to, *shard);
                self.announce(process);
            }
        }
    }

    pub(super) fn see(&mut self, place: Place) {
        let state = self.state(place.region);
        self.see_state(place, &state);
    }

    /// Lets a process see a state, and send what it owes then.
    fn see_state(&mut self, place: Place, state: &State<Id>) {
        self.region_mut(place.region).into_iter().for_each(|it| it.see(place.process, state));
        self.announce(place);
    }

    pub(super) fn announce(&mut self, place: Place) {
        if self.is_announcing(place) {
            return;
        }
        let now = self.now;
        let Some(region) = self.region_mut(place.region) else { return };
        let Some(change) = region.owed(place.process) else { return };
        let request = region.view(place.process).and_then(|it| it.request(&change, now).ok().flatten());
        self.network.extend(request.map(|it| Envelope {
            process: place,
            late: false,
            body: Body::Request(it),
        }));
    }

    pub(super) fn copy(&mut self, place: Place, to: Id, shard: u16) {
        let Some(region) = self.regions.get(&place.region) else { return };
        let directions = region.directions(place.process).into_iter();
        let behind = directions.filter(|it| it.1 == to && region.is_behind(*it, shard));
        let wanted: Vec<_> = behind.filter(|_| !self.is_copying(place, to, shard)).collect();
        for (from, to) in wanted {
            let Some(region) = self.region_mut(place.region) else { return };
            let copied = |reply| Body::Copied { from, to, shard, reply };
            let replies = region.copy(place.process, (from, to), shard);
            self.network.extend(replies.into_iter().map(|it| Envelope {
                process: place,
                late: false,
                body: copied(it),
            }));
        }
    }

    fn crash(&mut self, place: Place) {
        self.region_mut(place.region).into_iter().for_each(|it| it.crash(place.process));
        let of_it = self.network.extract_if(.., |it| it.process == place).collect::<Vec<_>>();
        let requests = of_it.into_iter().filter(|it| matches!(it.body, Body::Request(_)));
        self.network.extend(requests.map(|it| Envelope { late: true, ..it }));
    }

    fn stop(&mut self, place: Place) {
        self.region_mut(place.region).into_iter().for_each(|it| drop(it.servers.remove(&place.process)));
        self.change_by_user(place.region, &Change::Leave { node: place.process });
    }

    fn commit(&mut self, place: Place) {
        let refused = self.entry(place.region).is_some_and(|it| it.is_frozen() && it.is_observed());
        self.region_mut(place.region).into_iter().for_each(|it| it.commit(place.process, refused));
        self.announce(place);
    }

    fn use_up(&mut self, action: &Action) {
        let Scenario { faults, requests, upgrades, cancels, stops, .. } = &mut self.scenario;
        let used = match action {
            Action::Write { .. } => requests,
            Action::Begin(..) => upgrades,
            Action::Cancel(_) => cancels,
            Action::Double(_) => &mut faults.doubles,
            Action::Lose(_) => &mut faults.losses,
            Action::Crash(_) => &mut faults.crashes,
            Action::Stop(_) => stops,
            Action::Commit(_)
            | Action::See(_)
            | Action::Announce(_)
            | Action::Copy(..)
            | Action::Deliver(_) => return,
        };
        *used = used.saturating_sub(1);
    }
}

impl World for Upgrades {
    type Action = Action;

    fn actions(&self) -> Vec<Action> {
        self.possible_actions()
    }

    fn apply(&mut self, action: &Action) {
        self.use_up(action);
        match action {
            Action::Write { server, version, resource, deletes } => {
                let begin = |it: &mut Region| it.begin_write(server.process, *version, *resource, *deletes);
                self.region_mut(server.region).into_iter().for_each(begin);
            }
            Action::Commit(place) => self.commit(*place),
            Action::Begin(region, target) => {
                self.change_by_user(*region, &begin(*target, self.scenario.shards))
            }
            Action::Cancel(region) => self.change_by_user(*region, &Change::Cancel),
            Action::See(place) => self.see(*place),
            Action::Announce(place) => self.announce(*place),
            Action::Copy(place, to, shard) => self.copy(*place, *to, *shard),
            Action::Deliver(envelope) => {
                if self.network.remove(envelope) {
                    self.deliver(envelope);
                }
            }
            Action::Double(envelope) => {
                if self.network.remove(envelope) {
                    self.network.insert(Envelope { late: true, ..envelope.clone() });
                    self.deliver(envelope);
                }
            }
            Action::Lose(envelope) => drop(self.network.remove(envelope)),
            Action::Crash(place) => self.crash(*place),
            Action::Stop(place) => self.stop(*place),
        }
    }

    fn broken(&self) -> Option<String> {
        checks::broken(self)
    }

    fn settle(&mut self) {
        fair_end::settle(self);
    }

    fn pass(&mut self, millis: i64) {
        self.now = self.now.saturating_add(millis);
    }

    /// The storages forget their logs: those that follow have everything.
    fn renew(&mut self, beginning: &Self) {
        self.scenario = beginning.scenario.clone();
        for region in self.regions.values_mut().map(Arc::make_mut) {
            region.storages.values_mut().map(Arc::make_mut).for_each(Storage::truncate_log);
            for id in &beginning.scenario.servers {
                region.servers.entry(*id).or_insert_with(|| Server::new(*id));
            }
        }
    }

    fn unsettled(&self) -> Option<String> {
        checks::unsettled(self)
    }
}
