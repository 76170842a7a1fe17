use std::collections::BTreeMap;

use serde_json::{Map, Value};
use store::Millis;

/// The client's side of several watches: the resources that any of them selects, as one set that is in sync or not.
///
/// It does no IO. Its owner opens a watch for each place of the queries, gives the messages to [`receive`](Self::receive),
/// reports ends of streams with [`disconnected`](Self::disconnected), and the time with [`tick`](Self::tick). A watch that ended
/// is opened again with its [`resume_token`](Self::resume_token).
///
/// - The first event is [`Resync`](WatcherEvent::Resync), once all watches are complete; then come changes.
/// - A stream that ends and is complete again before the deadline is not noticed: only changes follow.
/// - At the deadline there is one [`LostSync`](WatcherEvent::LostSync). Nothing follows until all watches are complete;
///   then there is a `Resync` with all resources.
/// - A resource that several watches have counts once, in the version that is the newest. It is removed when none has it.
#[derive(Clone, Debug)]
pub struct Watcher<Q> {
    watches: Vec<Watched<Q>>,
    version: u64,
    deadline: i64,
    state: State,
    /// The resources that were reported to the owner, by name.
    shown: BTreeMap<String, Value>,
}

/// An event that a [`Watcher`] reports.
#[derive(Clone, Debug, PartialEq)]
pub enum WatcherEvent {
    /// In sync, with these resources, in order of names. They replace all that was reported before.
    Resync(Vec<Value>),
    /// A resource is new, or has changed.
    Changed(Value),
    /// The resource of this name is not selected any more.
    Removed(String),
    /// Disconnected for too long.
    LostSync,
}

/// One watch.
#[derive(Clone, Debug)]
struct Watched<Q> {
    query: Q,
    /// The received resources, and those of the last complete state.
    received: BTreeMap<String, Value>,
    complete: Option<BTreeMap<String, Value>>,
    token: Option<String>,
    is_current: bool,
    lost_at: Option<Millis>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Starting,
    InSync,
    Lost,
}

impl<Q> Watched<Q> {
    const fn new(query: Q) -> Self {
        let received = BTreeMap::new();
        Self { query, received, complete: None, token: None, is_current: false, lost_at: None }
    }
}

impl<Q: PartialEq> Watcher<Q> {
    /// Of these queries. A disconnection of at most `deadline` milliseconds is not reported.
    pub fn new(queries: impl IntoIterator<Item = Q>, deadline: i64) -> Self {
        let watches = queries.into_iter().map(Watched::new).collect();
        Self { watches, version: 0, deadline, state: State::Starting, shown: BTreeMap::new() }
    }

    /// The queries, by their places.
    pub fn queries(&self) -> impl ExactSizeIterator<Item = &Q> {
        self.watches.iter().map(|it| &it.query)
    }

    /// The number of times that the queries were changed. Messages of watches that were opened before do not count.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The token from which the watch at a place resumes; `None` for the whole state.
    pub fn resume_token(&self, place: usize) -> Option<&str> {
        self.watches.get(place)?.token.as_deref()
    }

    /// Replaces the queries. Those that stay keep what they have. Until the new ones are complete there are no events.
    pub fn set_queries(&mut self, queries: impl IntoIterator<Item = Q>) -> Vec<WatcherEvent> {
        let mut before = std::mem::take(&mut self.watches);
        let kept = |query: Q| match before.iter().position(|it| it.query == query) {
            Some(at) => before.swap_remove(at),
            None => Watched::new(query),
        };
        self.watches = queries.into_iter().map(kept).collect();
        self.version += 1;
        self.settle()
    }

    /// A message of the watch at a place, opened for this [`version`](Self::version) of the queries, as Goten's watches of
    /// collections have it: `bookChanges`, `isCurrent`, `resumeToken`, `isHardReset`.
    pub fn receive(&mut self, version: u64, place: usize, message: &Value) -> Vec<WatcherEvent> {
        let watched = self.watches.get_mut(place).filter(|_| version == self.version);
        let (Some(watched), Some(message)) = (watched, message.as_object()) else { return Vec::new() };
        if is_set(message, "isHardReset") {
            watched.received.clear();
            watched.is_current = false;
        }
        let lists = message.iter().filter(|(key, _)| key.ends_with("Changes"));
        let changes = lists.filter_map(|(_, it)| it.as_array()).flatten();
        changes.filter_map(Value::as_object).for_each(|it| apply(&mut watched.received, it));
        if !is_set(message, "isCurrent") {
            return Vec::new();
        }
        (watched.is_current, watched.lost_at) = (true, None);
        watched.complete = Some(watched.received.clone());
        if let Some(token) = message.get("resumeToken").and_then(Value::as_str) {
            watched.token = Some(token.to_owned());
        }
        self.settle()
    }

    /// The stream of the watch at a place has ended. Changes that it had not completed are dropped.
    pub fn disconnected(&mut self, place: usize, now: Millis) {
        let Some(watched) = self.watches.get_mut(place) else { return };
        watched.received = watched.complete.clone().unwrap_or_default();
        watched.is_current = false;
        watched.lost_at.get_or_insert(now);
    }

    /// The time.
    pub fn tick(&mut self, now: Millis) -> Vec<WatcherEvent> {
        let lost = self.watches.iter().filter_map(|it| it.lost_at);
        let is_late = lost.map(|it| now.0.saturating_sub(it.0)).any(|it| it > self.deadline);
        if self.state != State::InSync || !is_late {
            return Vec::new();
        }
        self.state = State::Lost;
        vec![WatcherEvent::LostSync]
    }

    /// The events that follow from the complete states.
    fn settle(&mut self) -> Vec<WatcherEvent> {
        if self.watches.iter().any(|it| it.complete.is_none()) {
            return Vec::new();
        }
        let all = self.all();
        if self.state == State::InSync {
            let events = differences(&self.shown, &all);
            self.shown = all;
            return events;
        }
        if !self.watches.iter().all(|it| it.is_current) {
            return Vec::new();
        }
        (self.state, self.shown) = (State::InSync, all.clone());
        vec![WatcherEvent::Resync(all.into_values().collect())]
    }

    fn all(&self) -> BTreeMap<String, Value> {
        let mut all: BTreeMap<String, Value> = BTreeMap::new();
        for (name, value) in self.watches.iter().filter_map(|it| it.complete.as_ref()).flatten() {
            if all.get(name).is_none_or(|known| version_of(known) < version_of(value)) {
                all.insert(name.clone(), value.clone());
            }
        }
        all
    }
}

fn is_set(message: &Map<String, Value>, key: &str) -> bool {
    message.get(key).and_then(Value::as_bool).unwrap_or_default()
}

/// `{"removed": {"name": …}}`, or another word with `{"book": {…}}`.
fn apply(resources: &mut BTreeMap<String, Value>, change: &Map<String, Value>) {
    let name_of = |it: &Value| it.get("name").and_then(Value::as_str).map(str::to_owned);
    for (word, of) in change {
        if word == "removed" {
            name_of(of).map(|it| resources.remove(&it));
        } else if let Some(resource) = of.as_object().and_then(|it| it.values().find(|it| it.is_object())) {
            name_of(resource).map(|it| resources.insert(it, resource.clone()));
        }
    }
}

/// The number that a resource was written with; 0 if it has none.
fn version_of(resource: &Value) -> u64 {
    let text = resource.pointer("/metadata/resourceVersion").and_then(Value::as_str);
    text.and_then(|it| it.parse().ok()).unwrap_or_default()
}

fn differences(before: &BTreeMap<String, Value>, after: &BTreeMap<String, Value>) -> Vec<WatcherEvent> {
    let removed = before.keys().filter(|it| !after.contains_key(*it));
    let changed = after.iter().filter(|(name, value)| before.get(*name) != Some(*value));
    removed
        .map(|name| WatcherEvent::Removed(name.clone()))
        .chain(changed.map(|(_, value)| WatcherEvent::Changed(value.clone())))
        .collect()
}

#[cfg(test)]
mod tests;
