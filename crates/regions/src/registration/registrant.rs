use std::collections::BTreeMap;

use crate::Name;

use super::{EntryName, Refusal, Registration, Reply, Request, State, required::Needed};

/// A deployment that adds itself to the registry, or removes itself. It is in memory only: after a restart it reads everything
/// again, and recognises what it has written before.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Registrant<N: Ord> {
    registration: Registration<N>,
    goal: Goal,
    /// The newest state of each entry that is known.
    known: BTreeMap<EntryName<N>, State<N>>,
    /// The newest revision that it has seen.
    newest: u64,
    /// The revision before which nothing that it sends for its goal was seen, and after which nothing that it has sent before.
    begun_at: Option<u64>,
    refusal: Option<Refusal<N>>,
    patience: i64,
    /// The time at which the next request is sent, or sent again.
    send_at: i64,
}

/// The purpose of a [`Registrant`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goal {
    /// It is registered.
    Registered,
    /// It is not registered any more.
    Withdrawn,
}

/// The next request, or the end.
enum Next<N: Ord> {
    Request(Request<N>),
    Refused(Refusal<N>),
    Done,
}

impl<N: Name> Registrant<N> {
    /// A deployment that knows nothing of the registry. A request is sent again after `patience`; times are in milliseconds.
    pub const fn new(registration: Registration<N>, goal: Goal, patience: i64, now: i64) -> Self {
        let known = BTreeMap::new();
        Self { registration, goal, known, newest: 0, begun_at: None, refusal: None, patience, send_at: now }
    }

    /// Begins to remove the deployment from the registry.
    pub fn withdraw(&mut self, now: i64) {
        self.begun_at = self.begun_at.map(|_| self.newest);
        self.goal = Goal::Withdrawn;
        self.known.clear();
        (self.refusal, self.send_at) = (None, now);
    }

    /// The entries that it has to have.
    pub const fn registration(&self) -> &Registration<N> {
        &self.registration
    }

    /// Its purpose.
    pub const fn goal(&self) -> Goal {
        self.goal
    }

    /// The rule because of which it waits. It tries again, because the rule may allow it later.
    pub const fn refusal(&self) -> Option<&Refusal<N>> {
        self.refusal.as_ref()
    }

    /// The revision of the registry at which everything was as it has to be; `None` before that.
    pub fn done_at(&self) -> Option<u64> {
        let revision = self.known.values().map(|it| it.at).max().unwrap_or_default();
        matches!(self.next(), Next::Done).then_some(revision)
    }

    /// The request that it needs, if any. It is derived from what is known and sent again until a reply has changed that.
    pub fn needed(&self) -> Option<Request<N>> {
        match self.next() {
            Next::Request(request) => Some(request),
            Next::Refused(_) => Some(Request::Read { name: self.names().into_iter().next()? }),
            Next::Done => None,
        }
    }

    /// The same, if it is due.
    pub fn request(&mut self, now: i64) -> Option<Request<N>> {
        let request = self.needed().filter(|_| self.send_at <= now)?;
        if let Next::Refused(refusal) = self.next() {
            self.begin_again(refusal);
        }
        self.send_at = now.saturating_add(self.patience);
        Some(request)
    }

    /// Takes a message of the registry. One that is late, or came before, does no harm.
    pub fn take(&mut self, reply: &Reply<N>, now: i64) {
        match reply {
            Reply::State(state) => self.take_state(state, now),
            Reply::Refused { name, refusal } if self.is_awaited(name) => {
                self.begin_again(refusal.clone());
                self.send_at = now.saturating_add(self.patience);
            }
            Reply::Refused { .. } | Reply::Snapshot { .. } | Reply::Changes { .. } => {}
        }
    }

    fn take_state(&mut self, state: &State<N>, now: i64) {
        let is_newer = self.known.get(&state.name).is_none_or(|it| it.at < state.at);
        if is_newer && self.names().contains(&state.name) {
            self.known.insert(state.name.clone(), state.clone());
            self.newest = self.newest.max(state.at);
            self.begun_at = self.begun_at.or(Some(state.at));
            self.send_at = now;
        }
        match self.next() {
            Next::Refused(refusal) => {
                self.refusal = Some(refusal);
                self.send_at = now.saturating_add(self.patience);
            }
            Next::Done => self.refusal = None,
            Next::Request(_) => {}
        }
    }

    /// Forgets what is known, because it may be out of date: a rule forbids a write that should be possible.
    fn begin_again(&mut self, refusal: Refusal<N>) {
        self.known.clear();
        self.refusal = Some(refusal);
    }

    /// True if a write of this entry is what it waits for.
    fn is_awaited(&self, name: &EntryName<N>) -> bool {
        matches!(self.next(), Next::Request(Request::Write { name: awaited, .. }) if awaited == *name)
    }

    /// The entries in the order in which they are changed. A deployment leaves before its service forgets the region.
    fn names(&self) -> Vec<EntryName<N>> {
        match self.goal {
            Goal::Registered => self.registration.names(),
            Goal::Withdrawn => vec![self.registration.deployment_name(), self.registration.service_name()],
        }
    }

    fn next(&self) -> Next<N> {
        for name in self.names() {
            let known = self.known.get(&name).filter(|it| !self.is_doubtful(it));
            let Some(state) = known else { return Next::Request(Request::Read { name }) };
            match self.required(state) {
                Ok(None) => {}
                Ok(Some(entry)) => return Next::Request(Request::Write { name, seen: state.at, entry }),
                // The entry of another installation is left, and so is the region, which belongs to that one.
                Err(_) if self.goal == Goal::Withdrawn => return Next::Done,
                Err(refusal) => return Next::Refused(refusal),
            }
        }
        Next::Done
    }

    fn required(&self, state: &State<N>) -> Needed<N> {
        let there = state.entry.as_ref().map(|it| &it.value);
        match self.goal {
            Goal::Registered => self.registration.added(&state.name, there, self.is_old(state)),
            Goal::Withdrawn if self.is_open(state) => Ok(Some(None)),
            Goal::Withdrawn => self.registration.removed(&state.name, there),
        }
    }

    /// True if what is known of a service is from before the deletion of the deployment: something that was sent earlier may have
    /// changed it since.
    fn is_doubtful(&self, state: &State<N>) -> bool {
        let is_service = matches!(state.name, EntryName::Service { .. });
        self.goal == Goal::Withdrawn && is_service && !self.is_fenced(state)
    }

    /// True if a deletion has come after everything that this deployment has sent for another goal or before a restart.
    fn is_fenced(&self, state: &State<N>) -> bool {
        self.begun_at.is_some_and(|it| it < state.last_deletion)
    }

    /// True if the registry would still execute a deletion that this deployment has sent before a restart: then a write of the
    /// entry has to come first, also of one that is as it has to be.
    fn is_old(&self, state: &State<N>) -> bool {
        state.entry.as_ref().is_some_and(|it| self.begun_at.is_none_or(|begun_at| it.revision <= begun_at))
    }

    /// True if the registry would still execute a creation that this deployment has sent before a restart: then a deletion has to
    /// come first, also of what does not exist.
    fn is_open(&self, state: &State<N>) -> bool {
        let is_deployment = matches!(state.name, EntryName::Deployment { .. });
        is_deployment && state.entry.is_none() && !self.is_fenced(state)
    }
}
