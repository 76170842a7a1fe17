use crate::Name;

use super::{Discovery, Entries, Event, Goal, Registrant, Registration, Reply, Request};

/// The connection of a process of a deployment to the registry: it registers the deployment and knows its surroundings.
///
/// Source: Goten's guide, "EnvRegistry as Service Discovery".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Environment<N: Ord> {
    registrant: Registrant<N>,
    discovery: Discovery<N>,
}

impl<N: Name> Environment<N> {
    /// A connection that knows nothing. A request is sent again after `patience`; times are in milliseconds.
    pub fn new(registration: Registration<N>, goal: Goal, patience: i64, now: i64) -> Self {
        let discovery = Discovery::new(registration.service.clone(), patience, now);
        Self { registrant: Registrant::new(registration, goal, patience, now), discovery }
    }

    /// Begins to remove the deployment from the registry.
    pub fn withdraw(&mut self, now: i64) {
        self.registrant.withdraw(now);
    }

    /// The deployment in the registry.
    pub const fn registrant(&self) -> &Registrant<N> {
        &self.registrant
    }

    /// All that is known of the surroundings.
    pub const fn discovery(&self) -> &Discovery<N> {
        &self.discovery
    }

    /// The relevant services and deployments; `None` before the deployment is registered and they are known with it. Everything
    /// else that the process does has to wait for them.
    pub fn surroundings(&self) -> Option<Entries<N>> {
        let registered = self.registrant.done_at()?;
        (self.discovery.at()? >= registered).then(|| self.discovery.relevant())
    }

    /// The requests that it needs, whether or not they are due: changes are always needed.
    pub fn needed(&self) -> Vec<Request<N>> {
        let watch = Request::Watch { after: self.discovery.at() };
        self.registrant.needed().into_iter().chain([watch]).collect()
    }

    /// The requests that are due.
    pub fn requests(&mut self, now: i64) -> Vec<Request<N>> {
        self.registrant.request(now).into_iter().chain(self.discovery.request(now)).collect()
    }

    /// Takes a message of the registry, and returns the events for everyone who has subscribed.
    pub fn take(&mut self, reply: &Reply<N>, now: i64) -> Vec<Event<N>> {
        self.registrant.take(reply, now);
        self.discovery.take(reply)
    }
}
