use std::collections::BTreeMap;

use regions::copies::{Limits, Source};

use super::{
    Action, Body, Envelope, History, NodeId, OWNER, Owner, ReaderNode, ResourceId, Scenario, fair_end,
    network::{Network, timeout, upkeep},
};
use crate::{Faults, World};

/// An owner of resources, the readers that keep copies, and the messages between them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Replication {
    pub(super) scenario: Scenario,
    pub(super) owner: Owner,
    pub(super) readers: BTreeMap<NodeId, ReaderNode>,
    pub(super) network: Network,
    history: History,
}

impl Replication {
    /// A world in its beginning.
    pub fn new(scenario: Scenario) -> Self {
        let owner = Owner::new(scenario.policy.clone(), scenario.log, scenario.page);
        let limits = Limits { tombstones: scenario.tombstones, copies: scenario.page, patience: 0 };
        let node = |id: &NodeId| (*id, ReaderNode::new(*id, limits));
        let readers = scenario.readers.iter().map(node).collect();
        let (network, history) = (Network::new(), History::default());
        let mut world = Self { scenario, owner, readers, network, history };
        world.begin();
        world
    }

    /// Creates what exists in the beginning.
    fn begin(&mut self) {
        let (requests, faults) = (self.scenario.requests, self.scenario.faults);
        for id in self.scenario.existing.clone() {
            self.write(id, Owner::save);
        }
        if self.scenario.synchronized {
            self.settle();
        }
        self.owner.truncate_log(0);
        (self.scenario.requests, self.scenario.faults) = (requests, faults);
    }

    /// The owner.
    pub const fn owner(&self) -> &Owner {
        &self.owner
    }

    /// The readers.
    pub const fn readers(&self) -> &BTreeMap<NodeId, ReaderNode> {
        &self.readers
    }

    /// The messages on their way.
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// The revision of the last write.
    pub fn revision(&self) -> u64 {
        self.owner.revision()
    }

    fn write(&mut self, id: ResourceId, write: impl FnOnce(&mut Owner, ResourceId)) {
        write(&mut self.owner, id);
        self.history.note(id, self.owner.revision(), &self.owner);
    }

    fn change_policy(&mut self, reader: NodeId) {
        if !self.owner.policy.remove(&reader) {
            self.owner.policy.insert(reader);
        }
    }

    fn send(&mut self, reader: NodeId) {
        let reply = self.owner.send(reader);
        self.network.extend(reply.map(|it| Envelope { reader, body: Body::Reply(it) }));
    }

    fn deliver(&mut self, envelope: &Envelope) {
        let reader = envelope.reader;
        match &envelope.body {
            Body::Request(request) => {
                let body = Body::Reply(self.owner.answer(reader, request));
                self.network.insert(Envelope { reader, body });
            }
            Body::Reply(reply) => {
                let history = &self.history;
                self.readers.get_mut(&reader).into_iter().for_each(|it| it.take(reply, history));
            }
        }
    }

    fn crash(&mut self, id: NodeId) {
        if id == OWNER {
            self.owner.crash();
        }
        self.network.retain(|it| id != OWNER && it.reader != id);
    }

    fn use_up(&mut self, action: &Action) {
        let Scenario { faults, requests, .. } = &mut self.scenario;
        let used = match action {
            Action::Save(_) | Action::Delete(_) | Action::Policy(_) => requests,
            Action::Double(_) => &mut faults.doubles,
            Action::Lose(_) => &mut faults.losses,
            Action::Crash(_) => &mut faults.crashes,
            Action::Timeout(_) => &mut faults.timeouts,
            Action::Refresh(_) | Action::Send(_) | Action::Upkeep(_) | Action::Deliver(_) => return,
        };
        *used = used.saturating_sub(1);
    }

    fn reader_sends(
        &mut self,
        id: NodeId,
        requests: impl Fn(&Network, &Owner, &ReaderNode) -> Vec<Envelope>,
    ) {
        let Some(reader) = self.readers.get(&id) else { return };
        let sent = requests(&self.network, &self.owner, reader);
        self.network.extend(sent);
    }

    pub(super) fn end_faults(&mut self) {
        self.scenario.faults = Faults::NONE;
        self.scenario.requests = 0;
    }

    /// Delivers all messages, and those that they lead to.
    pub(super) fn deliver_all(&mut self) {
        while let Some(envelope) = self.network.pop_first() {
            self.deliver(&envelope);
        }
    }

    /// Writes what was written under another policy; false if there is nothing.
    pub(super) fn refresh_all(&mut self) -> bool {
        let before = self.revision();
        while let Some(id) = self.owner.outdated() {
            self.write(id, Owner::refresh);
        }
        before != self.revision()
    }

    /// Sends what owner and readers owe; false if that is nothing.
    pub(super) fn send_all(&mut self) -> bool {
        for id in self.readers.keys().copied().collect::<Vec<_>>() {
            if self.owner.has_news(id) {
                self.send(id);
            }
            self.reader_sends(id, upkeep);
        }
        !self.network.is_empty()
    }
}

impl World for Replication {
    type Action = Action;

    fn actions(&self) -> Vec<Action> {
        self.possible_actions()
    }

    fn apply(&mut self, action: &Action) {
        self.use_up(action);
        match action {
            Action::Save(id) => self.write(*id, Owner::save),
            Action::Delete(id) => self.write(*id, Owner::delete),
            Action::Policy(reader) => self.change_policy(*reader),
            Action::Refresh(id) => self.write(*id, Owner::refresh),
            Action::Send(reader) => self.send(*reader),
            Action::Upkeep(reader) => self.reader_sends(*reader, upkeep),
            Action::Timeout(reader) => self.reader_sends(*reader, timeout),
            Action::Deliver(envelope) => {
                if self.network.remove(envelope) {
                    self.deliver(envelope);
                }
            }
            Action::Double(envelope) => self.deliver(envelope),
            Action::Lose(envelope) => drop(self.network.remove(envelope)),
            Action::Crash(id) => self.crash(*id),
        }
    }

    fn broken(&self) -> Option<String> {
        self.readers.values().find_map(|it| it.broken(&self.history))
    }

    fn settle(&mut self) {
        fair_end::settle(self);
    }

    /// All requests are always due.
    fn pass(&mut self, _millis: i64) {}

    fn renew(&mut self, beginning: &Self) {
        self.scenario = beginning.scenario.clone();
        self.history.forget();
    }

    fn unsettled(&self) -> Option<String> {
        fair_end::unsettled(self)
    }
}
