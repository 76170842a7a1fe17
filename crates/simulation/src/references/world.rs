use std::collections::{BTreeMap, BTreeSet};

use regions::references::Remote;

use super::{Action, Behavior, Body, Envelope, Node, NodeId, ResourceId, transactions::Outgoing};
use crate::{Faults, World};

/// The deployments of a world, and what clients may do in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scenario {
    /// The owner of each resource, and what a resource has for the deletion of what it refers to.
    pub resources: BTreeMap<ResourceId, (NodeId, Behavior)>,
    /// The resources that a resource may refer to.
    pub references: BTreeSet<(ResourceId, ResourceId)>,
    /// The number of requests of clients.
    pub requests: u8,
    /// The number of faults.
    pub faults: Faults,
}

/// Deployments whose resources refer to each other, and the messages between them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct References {
    scenario: Scenario,
    nodes: BTreeMap<NodeId, Node>,
    network: BTreeSet<Envelope>,
}

impl References {
    /// A world without resources.
    pub fn new(scenario: Scenario) -> Self {
        let behaviors: BTreeMap<_, _> = scenario.resources.iter().map(|(id, (_, it))| (*id, *it)).collect();
        let ids: BTreeSet<NodeId> = scenario.resources.values().map(|(node, _)| *node).collect();
        let nodes = ids.into_iter().map(|id| (id, Node::new(id, behaviors.clone()))).collect();
        Self { scenario, nodes, network: BTreeSet::new() }
    }

    /// The deployments.
    pub const fn nodes(&self) -> &BTreeMap<NodeId, Node> {
        &self.nodes
    }

    /// The messages on their way.
    pub const fn network(&self) -> &BTreeSet<Envelope> {
        &self.network
    }

    /// The owner of a resource.
    pub fn owner_of(&self, resource: ResourceId) -> NodeId {
        self.scenario.resources.get(&resource).map_or(0, |(node, _)| *node)
    }

    /// Lets a deployment do something, and sends what it sends.
    fn step(&mut self, id: NodeId, step: impl FnOnce(&mut Node) -> Vec<Outgoing>) {
        let Some(node) = self.nodes.get_mut(&id) else { return };
        let sent = step(node).into_iter();
        self.network.extend(sent.map(|it| Envelope::request(id, it)));
    }

    fn save(&mut self, resource: ResourceId, reference: Option<ResourceId>) {
        let owner = reference.map(|it| self.owner_of(it));
        self.step(self.owner_of(resource), |node| node.save(resource, reference, owner));
    }

    fn deliver(&mut self, envelope: &Envelope) {
        let Envelope { from, to, exchange, body } = envelope;
        let Some(node) = self.nodes.get_mut(to) else { return };
        match body {
            Body::Request(request) => {
                let reply = node.answer(request);
                let body = Body::Reply(request.clone(), reply);
                self.network.insert(Envelope { from: *to, to: *from, exchange: *exchange, body });
            }
            Body::Reply(request, reply) => node.take(*from, *exchange, request, reply),
        }
    }

    fn upkeep(&self, id: NodeId) -> Vec<Envelope> {
        let Some(node) = self.nodes.get(&id) else { return Vec::new() };
        let sent = node.upkeep(|it| self.owner_of(it)).into_iter();
        let sent = sent.map(|it| Envelope::request(id, it));
        sent.filter(|it| !self.is_on_its_way(it)).collect()
    }

    /// True if a request, or its reply, is on its way: it is not sent again, so that there are finitely many worlds.
    fn is_on_its_way(&self, sent: &Envelope) -> bool {
        self.network.contains(sent)
            || self.network.iter().any(|it| match (&it.body, &sent.body) {
                (Body::Reply(request, _), Body::Request(sent_request)) => {
                    (it.from, it.to) == (sent.to, sent.from) && request == sent_request
                }
                _ => false,
            })
    }

    fn client_actions(&self) -> impl Iterator<Item = Action> {
        let asked = self.scenario.requests > 0;
        let idle = |it: &ResourceId| {
            let node = self.nodes.get(&self.owner_of(*it));
            node.is_some_and(|node| !node.savings.contains_key(it) && !node.checkings.contains_key(it))
        };
        let resources: Vec<_> =
            self.scenario.resources.keys().filter(|it| asked && idle(it)).copied().collect();
        resources.into_iter().flat_map(|it| self.requests_for(it))
    }

    /// What clients may ask for: what would change nothing is left out.
    fn requests_for(&self, resource: ResourceId) -> Vec<Action> {
        let there = self.nodes.get(&self.owner_of(resource)).and_then(|it| it.resources.get(&resource));
        let targets = self.scenario.references.iter().filter(|(from, _)| *from == resource);
        let references = std::iter::once(None).chain(targets.map(|(_, to)| Some(*to)));
        let saves = references.filter(|it| there.is_none_or(|there| there.reference != *it));
        let saves = saves.map(|it| Action::Save(resource, it));
        saves.chain(there.map(|_| Action::Delete(resource))).collect()
    }

    fn network_actions(&self) -> impl Iterator<Item = Action> {
        let faults = self.scenario.faults;
        self.network.iter().flat_map(move |it| {
            let double = (faults.doubles > 0).then(|| Action::Double(it.clone()));
            let lose = (faults.losses > 0).then(|| Action::Lose(it.clone()));
            std::iter::once(Action::Deliver(it.clone())).chain(double).chain(lose)
        })
    }

    fn node_actions(&self, id: NodeId, node: &Node) -> Vec<Action> {
        let faults = self.scenario.faults;
        let waits = node.is_waiting();
        let crash = (faults.crashes > 0 && waits).then_some(Action::Crash(id));
        let give_up = (faults.timeouts > 0 && waits).then_some(Action::GiveUp(id));
        let upkeep = (!self.upkeep(id).is_empty()).then_some(Action::Upkeep(id));
        let work = node.idle_work().into_iter().map(|(id, it)| Action::Work(id, it));
        let ask = node.to_ask().into_iter().map(|(id, it)| Action::Ask(id, it));
        crash.into_iter().chain(give_up).chain(upkeep).chain(work).chain(ask).collect()
    }

    /// What has come of a reference to a resource of another deployment, if it is not what was promised.
    fn broken_reference(&self, node: &Node, resource: ResourceId, target: ResourceId) -> Option<String> {
        let owner = self.nodes.get(&self.owner_of(target)).filter(|it| it.id != node.id)?;
        let referred = node.remotes.get(&target).map(|it| it.incarnation);
        let there = owner.resources.get(&target).map(|it| it.incarnation);
        let gone = owner
            .back_references
            .get(&target)
            .filter(|it| it.sources.contains(&node.id))
            .and_then(|it| it.deleted);
        let is_kept = referred.is_some()
            && (referred == there || referred == gone && node.behavior(resource) != Behavior::Block);
        (!is_kept).then(|| match there {
            None => format!("{resource} refers to {target}, which was deleted"),
            Some(_) => format!("{resource} refers to {target}, which was deleted and created again"),
        })
    }

    /// A resource that others have been told is deleted, although it is not.
    fn wrong_deletion(&self) -> Option<String> {
        let remotes = self.nodes.values().flat_map(|it| it.remotes.iter());
        let mut deleted = remotes.filter(|(_, it)| it.deleted);
        let is_there = |(key, remote): &(&ResourceId, &Remote<NodeId>)| {
            let owner = self.nodes.get(&self.owner_of(**key));
            let there = owner.and_then(|it| it.resources.get(*key)).map(|it| it.incarnation);
            there == Some(remote.incarnation)
        };
        let (key, _) = deleted.find(is_there)?;
        Some(format!("what refers to {key} is changed as if that was deleted, which it is not"))
    }

    /// Delivers all messages, and those that they lead to.
    pub(super) fn deliver_all(&mut self) {
        while let Some(envelope) = self.network.pop_first() {
            self.deliver(&envelope);
        }
    }

    /// Sends what all records demand; false if that is nothing.
    pub(super) fn upkeep_all(&mut self) -> bool {
        let sent: Vec<Envelope> = self.nodes.keys().flat_map(|id| self.upkeep(*id)).collect();
        let any = !sent.is_empty();
        self.network.extend(sent);
        any
    }

    /// Does all work that deletions left and that has not begun; false if there is none.
    pub(super) fn work_all(&mut self) -> bool {
        let work: Vec<(NodeId, ResourceId)> = self.nodes.values().flat_map(Node::idle_work).collect();
        for (id, resource) in &work {
            self.step(*id, |node| node.perform(*resource));
        }
        !work.is_empty()
    }

    /// Asks about all deletions that wait for it; false if there are none.
    pub(super) fn ask_all(&mut self) -> bool {
        let new: Vec<(NodeId, ResourceId)> = self.nodes.values().flat_map(Node::to_ask).collect();
        for (id, resource) in &new {
            self.step(*id, |node| node.ask(*resource));
        }
        !new.is_empty()
    }

    /// Ends what waits for others: all messages were delivered, so a reply was lost.
    pub(super) fn give_up_all(&mut self) {
        self.nodes.values_mut().for_each(Node::forget);
    }

    pub(super) fn end_faults(&mut self) {
        self.scenario.faults = Faults::NONE;
        self.scenario.requests = 0;
    }

    fn ids(&self) -> Vec<NodeId> {
        self.nodes.keys().copied().collect()
    }
}

impl World for References {
    type Action = Action;

    fn actions(&self) -> Vec<Action> {
        let nodes = self.nodes.iter().flat_map(|(id, node)| self.node_actions(*id, node));
        self.network_actions().chain(nodes).chain(self.client_actions()).collect()
    }

    fn apply(&mut self, action: &Action) {
        let faults = &mut self.scenario.faults;
        match action {
            Action::Double(_) => faults.doubles = faults.doubles.saturating_sub(1),
            Action::Lose(_) => faults.losses = faults.losses.saturating_sub(1),
            Action::Crash(_) => faults.crashes = faults.crashes.saturating_sub(1),
            Action::GiveUp(_) => faults.timeouts = faults.timeouts.saturating_sub(1),
            Action::Save(..) | Action::Delete(_) => {
                self.scenario.requests = self.scenario.requests.saturating_sub(1);
            }
            Action::Ask(..) | Action::Deliver(_) | Action::Upkeep(_) | Action::Work(..) => {}
        }
        match action {
            Action::Save(resource, reference) => self.save(*resource, *reference),
            Action::Delete(resource) => self.step(self.owner_of(*resource), |node| node.delete(*resource)),
            Action::Deliver(envelope) => {
                if self.network.remove(envelope) {
                    self.deliver(envelope);
                }
            }
            Action::Double(envelope) => self.deliver(envelope),
            Action::Lose(envelope) => drop(self.network.remove(envelope)),
            Action::Crash(id) | Action::GiveUp(id) => {
                self.nodes.get_mut(id).into_iter().for_each(Node::forget);
            }
            Action::Upkeep(id) => self.network.extend(self.upkeep(*id)),
            Action::Ask(id, resource) => self.step(*id, |node| node.ask(*resource)),
            Action::Work(id, resource) => self.step(*id, |node| node.perform(*resource)),
        }
    }

    fn broken(&self) -> Option<String> {
        let mut referring = self.nodes.values().flat_map(|node| {
            let resources = node.resources.iter();
            resources.filter_map(move |(resource, it)| Some((node, *resource, it.reference?)))
        });
        let broken = referring.find_map(|(node, from, to)| self.broken_reference(node, from, to));
        broken.or_else(|| self.wrong_deletion())
    }

    fn settle(&mut self) {
        super::fair_end::settle(self);
    }

    /// All that records demand is always due.
    fn pass(&mut self, _millis: i64) {}

    fn renew(&mut self, beginning: &Self) {
        self.scenario = beginning.scenario.clone();
    }

    fn unsettled(&self) -> Option<String> {
        let mut world = self.clone();
        self.ids().into_iter().find_map(|id| super::fair_end::unsettled(&mut world, id))
    }
}
