use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use regions::registration::{Goal, Registry, Reply, Request};

use super::{Action, Body, Envelope, History, Plan, Process, ProcessId, Scenario, checks};
use crate::{
    Faults, World,
    registry::{Id, MemoryRegistry},
};

/// The number of rounds without a write after which nothing will be written: processes that a rule refuses ask for ever.
const ROUNDS: usize = 16;
/// The number of messages of a round after which they never end.
const MESSAGES: usize = 300;

/// A registry, the processes that register and follow it, and the messages between them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Registrations {
    pub(super) scenario: Scenario,
    // Most actions change one of them: the others are shared with the world before.
    pub(super) registry: Arc<MemoryRegistry>,
    pub(super) processes: BTreeMap<ProcessId, Arc<Process>>,
    pub(super) history: Arc<History>,
    network: BTreeSet<Envelope>,
}

impl Registrations {
    /// A world in its beginning.
    pub fn new(scenario: Scenario) -> Self {
        let processes = scenario.processes.iter().filter(|(_, it)| it.registered);
        let new = |id: &ProcessId, it| Arc::new(Process::new(*id, it, Goal::Registered));
        let processes = processes.map(|(id, it)| (*id, new(id, it))).collect();
        let registry = Arc::new(MemoryRegistry::with_regions(&scenario.regions));
        let mut world =
            Self { scenario, registry, processes, history: Arc::default(), network: BTreeSet::new() };
        world.begin();
        world
    }

    /// Registers what is registered in the beginning.
    fn begin(&mut self) {
        let scenario = self.scenario.clone();
        self.settle();
        for (id, plan) in scenario.processes.iter() {
            let process = || Arc::new(Process::new(*id, plan, Goal::Registered));
            self.processes.entry(*id).or_insert_with(process);
        }
        self.scenario = scenario;
    }

    /// The registry.
    pub fn registry(&self) -> &MemoryRegistry {
        &self.registry
    }

    /// The processes.
    pub const fn processes(&self) -> &BTreeMap<ProcessId, Arc<Process>> {
        &self.processes
    }

    pub(super) fn plan(&self, id: ProcessId) -> Option<(&Process, &Plan)> {
        self.processes.get(&id).map(Arc::as_ref).zip(self.scenario.processes.get(&id))
    }

    fn deliver(&mut self, envelope: &Envelope) {
        match &envelope.body {
            Body::Request(request) => {
                let before = self.registry.revision();
                let reply = self.registry.answer(request);
                Arc::make_mut(&mut self.history).note(&self.registry, before);
                self.network.insert(Envelope { body: Body::Reply(reply), ..*envelope });
            }
            Body::Reply(reply) => self.take(envelope, reply),
        }
    }

    /// Lets a process take a reply, and send what it needs then. A process that a rule has refused waits.
    fn take(&mut self, envelope: &Envelope, reply: &Reply<Id>) {
        let id = envelope.process;
        let Some(process) = self.process_mut(id).filter(|it| it.starts == envelope.starts) else { return };
        process.take(reply);
        if process.environment.registrant().refusal().is_none() {
            self.send(id, false);
        }
    }

    fn process_mut(&mut self, id: ProcessId) -> Option<&mut Process> {
        self.processes.get_mut(&id).map(Arc::make_mut)
    }

    /// A process that goes on to send although nothing refuses what it does.
    pub(super) fn restless(&self) -> Option<ProcessId> {
        let refused = |it: &Process| it.environment.registrant().refusal().is_some();
        let mut senders = self.network.iter().map(|it| it.process);
        senders.find(|id| self.processes.get(id).is_some_and(|it| !refused(it)))
    }

    /// The requests that a process would send, and whether each is one that it would not send before the reply to a former one
    /// has come or is lost.
    fn requests(&self, id: ProcessId) -> Vec<(Envelope, bool)> {
        let Some((process, plan)) = self.plan(id) else { return Vec::new() };
        let requests = process.requests(plan).into_iter().map(|it| self.request(process, it));
        requests.filter(|(it, _)| !self.network.contains(it)).collect()
    }

    fn request(&self, process: &Process, request: Request<Id>) -> (Envelope, bool) {
        let is_watch = matches!(request, Request::Watch { .. });
        let up_to_date = is_watch && process.environment.discovery().at() == Some(self.registry.revision());
        let waits = self.network.iter().any(|it| it.is_of(process) && it.is_watch() == is_watch);
        let envelope = Envelope { process: process.id, starts: process.starts, body: Body::Request(request) };
        (envelope, up_to_date || waits)
    }

    fn send(&mut self, id: ProcessId, early: bool) {
        let sent: Vec<_> = self.requests(id).into_iter().filter(|(_, it)| *it == early).collect();
        if sent.iter().any(|(it, _)| !it.is_watch()) {
            self.process_mut(id).into_iter().for_each(Process::note_sent);
        }
        self.network.extend(sent.into_iter().map(|(it, _)| it));
    }

    fn sends(&self, id: ProcessId, early: bool) -> bool {
        self.requests(id).iter().any(|(_, it)| *it == early)
    }

    fn withdraw(&mut self, id: ProcessId) {
        self.process_mut(id).into_iter().for_each(|it| it.environment.withdraw(0));
    }

    fn restart(&mut self, id: ProcessId, goal: Goal) {
        let Some((process, plan)) = self.plan(id) else { return };
        let process = process.restarted(plan, goal);
        self.processes.insert(id, Arc::new(process));
        self.network.retain(|it| it.process != id || matches!(it.body, Body::Request(_)));
    }

    fn use_up(&mut self, action: &Action) {
        let Scenario { faults, requests, truncations, .. } = &mut self.scenario;
        let used = match action {
            Action::Withdraw(_) | Action::Register(_) => requests,
            Action::Truncate => truncations,
            Action::Double(_) => &mut faults.doubles,
            Action::Lose(_) => &mut faults.losses,
            Action::Crash(_) => &mut faults.crashes,
            Action::Timeout(_) => &mut faults.timeouts,
            Action::Upkeep(_) | Action::Deliver(_) => return,
        };
        *used = used.saturating_sub(1);
    }

    fn network_actions(&self) -> impl Iterator<Item = Action> {
        let faults = self.scenario.faults;
        self.network.iter().flat_map(move |it| {
            let double = (faults.doubles > 0).then(|| Action::Double(it.clone()));
            let lose = (faults.losses > 0).then(|| Action::Lose(it.clone()));
            std::iter::once(Action::Deliver(it.clone())).chain(double).chain(lose)
        })
    }

    fn process_actions(&self, id: ProcessId) -> Vec<Action> {
        let Some((process, plan)) = self.plan(id) else { return Vec::new() };
        let faults = self.scenario.faults;
        let upkeep = self.sends(id, false).then_some(Action::Upkeep(id));
        let early = (faults.timeouts > 0 && self.sends(id, true)).then_some(Action::Timeout(id));
        let is_new = process.environment == Process::new(id, plan, process.goal()).environment;
        let crash = (faults.crashes > 0 && !is_new).then_some(Action::Crash(id));
        let client = (self.scenario.requests > 0 && plan.withdraws).then(|| match process.goal() {
            Goal::Registered => Action::Withdraw(id),
            Goal::Withdrawn => Action::Register(id),
        });
        upkeep.into_iter().chain(early).chain(crash).chain(client).collect()
    }

    /// Delivers all messages, and those that they lead to, and sends what is needed then; false if that is nothing.
    fn round(&mut self) -> bool {
        for _ in 0..MESSAGES {
            let Some(envelope) = self.network.pop_first() else { break };
            self.deliver(&envelope);
        }
        let ids: Vec<ProcessId> = self.processes.keys().copied().collect();
        ids.iter().for_each(|id| self.send(*id, false));
        !self.network.is_empty()
    }
}

impl Envelope {
    const fn is_of(&self, process: &Process) -> bool {
        self.process == process.id && self.starts == process.starts
    }

    const fn is_watch(&self) -> bool {
        match &self.body {
            Body::Request(it) => matches!(it, Request::Watch { .. }),
            Body::Reply(it) => matches!(it, Reply::Snapshot { .. } | Reply::Changes { .. }),
        }
    }
}

impl World for Registrations {
    type Action = Action;

    fn actions(&self) -> Vec<Action> {
        let truncate = self.scenario.truncations > 0 && self.registry.log_start() < self.registry.revision();
        let processes = self.processes.keys().flat_map(|it| self.process_actions(*it));
        let truncate = truncate.then_some(Action::Truncate);
        self.network_actions().chain(processes).chain(truncate).collect()
    }

    fn apply(&mut self, action: &Action) {
        self.use_up(action);
        match action {
            Action::Upkeep(id) => self.send(*id, false),
            Action::Timeout(id) => self.send(*id, true),
            Action::Deliver(envelope) => {
                if self.network.remove(envelope) {
                    self.deliver(envelope);
                }
            }
            Action::Double(envelope) => self.deliver(envelope),
            Action::Lose(envelope) => drop(self.network.remove(envelope)),
            Action::Crash(id) => {
                let goal = self.processes.get(id).map(|it| it.goal());
                goal.into_iter().for_each(|it| self.restart(*id, it));
            }
            Action::Withdraw(id) => self.withdraw(*id),
            Action::Register(id) => self.restart(*id, Goal::Registered),
            Action::Truncate => Arc::make_mut(&mut self.registry).truncate_log(),
        }
    }

    fn broken(&self) -> Option<String> {
        checks::broken(self)
    }

    fn settle(&mut self) {
        self.scenario.faults = Faults::NONE;
        (self.scenario.requests, self.scenario.truncations) = (0, 0);
        let (mut revision, mut quiet) = (self.registry.revision(), 0);
        while self.round() && quiet < ROUNDS {
            quiet = if self.registry.revision() == revision { quiet + 1 } else { 0 };
            revision = self.registry.revision();
        }
    }

    /// All requests are always due.
    fn pass(&mut self, _millis: i64) {}

    fn renew(&mut self, beginning: &Self) {
        self.scenario = beginning.scenario.clone();
        Arc::make_mut(&mut self.history).forget(&self.registry);
    }

    fn unsettled(&self) -> Option<String> {
        checks::unsettled(self)
    }
}
