use regions::registration::{Entries, Environment, Event, Goal, Reply, Request};

use super::Plan;
use crate::registry::Id;

/// The number of a process.
pub type ProcessId = u8;

/// A process of a deployment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    /// Its number.
    pub id: ProcessId,
    /// The number of times that it has started.
    pub starts: u8,
    /// What it knows. In memory only.
    pub environment: Environment<Id>,
    /// The surroundings as one knows them who follows the events from the beginning. In memory only.
    pub subscriber: Subscriber,
}

/// One who follows events.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Subscriber {
    /// The entries according to the events.
    pub entries: Entries<Id>,
    /// The revision according to the events.
    pub at: Option<u64>,
    /// True if the events have led back to an earlier revision.
    pub went_back: bool,
}

impl Process {
    /// A process that knows nothing. All its requests are always due.
    pub fn new(id: ProcessId, plan: &Plan, goal: Goal) -> Self {
        let environment = Environment::new(plan.registration.clone(), goal, 0, 0);
        Self { id, starts: 0, environment, subscriber: Subscriber::default() }
    }

    /// The same process after another start.
    pub(super) fn restarted(&self, plan: &Plan, goal: Goal) -> Self {
        Self { starts: self.starts.wrapping_add(1), ..Self::new(self.id, plan, goal) }
    }

    /// Its purpose.
    pub fn goal(&self) -> Goal {
        self.environment.registrant().goal()
    }

    /// The requests that it would send now.
    pub(super) fn requests(&self, plan: &Plan) -> Vec<Request<Id>> {
        let requests = self.environment.needed();
        let is_needed = |it: &Request<Id>| plan.discovers || !matches!(it, Request::Watch { .. });
        requests.into_iter().filter(is_needed).collect()
    }

    /// Notes that it has sent its requests: if a rule has refused the last one, it begins again.
    pub(super) fn note_sent(&mut self) {
        self.environment.requests(0);
    }

    /// Takes a message of the registry.
    pub(super) fn take(&mut self, reply: &Reply<Id>) {
        let events = self.environment.take(reply, 0);
        self.subscriber.follow(events);
    }
}

impl Subscriber {
    fn follow(&mut self, events: Vec<Event<Id>>) {
        for event in events {
            match event {
                Event::Set(name, entry) => drop(self.entries.insert(name, entry)),
                Event::Removed(name) => drop(self.entries.remove(&name)),
                Event::Synced(at) => {
                    self.went_back |= self.at > Some(at);
                    self.at = Some(at);
                }
            }
        }
    }
}
