use std::{
    fmt,
    task::{Context, Poll},
};

use serde::Serialize;
use serde_json::{Map, Value};
use store::{Event, From, Query, Resource, Scope, StoreError, Watch};

use crate::{FieldPath, IntegrityError, List, Transactions};

/// Changes of the resources of a list, in responses as Goten's stateless watch has them. It needs no memory of what it
/// sent; the client's copy is complete after each response with [`is_current`](FeedResponse::is_current).
pub struct Feed {
    transactions: Transactions,
    list: List,
    options: FeedOptions,
    watch: Watch,
    /// How many resources the client has; `None` if it has continued from a token.
    size: Option<u64>,
    hard_reset: bool,
}

/// Options of a [`Feed`].
#[derive(Clone, Debug, Default)]
pub struct FeedOptions {
    /// Continues after an earlier response; without it, the whole state comes first.
    pub resume_token: Option<String>,
    /// Only these fields are sent, and only changes of them; none is all.
    pub mask: Vec<FieldPath>,
    /// The most changes of one response; 0 is any number.
    pub max_chunk_size: usize,
}

/// A response of a [`Feed`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FeedResponse {
    /// The changes, in order.
    pub changes: Vec<FeedChange>,
    /// The client is up to date after it; otherwise more follow at once.
    pub is_current: bool,
    /// Where to continue after it, if it is current and not only a repetition.
    pub resume_token: Option<String>,
    /// How many resources the client has after it, if it is current and that is known; otherwise -1.
    pub snapshot_size: i64,
    /// The client drops everything that it has before it applies the changes: the whole state follows.
    pub is_hard_reset: bool,
}

/// A change of a resource.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FeedChange {
    /// It was created, or is in the list now.
    Added {
        /// Its name.
        name: String,
        /// The resource.
        resource: Value,
    },
    /// It changed.
    Modified {
        /// Its name.
        name: String,
        /// The resource.
        resource: Value,
    },
    /// It was removed, or is not in the list any more.
    Removed {
        /// Its name.
        name: String,
    },
}

impl Feed {
    pub(crate) fn open(
        transactions: Transactions,
        list: List,
        options: FeedOptions,
    ) -> Result<Self, IntegrityError> {
        let scope = || Scope::Kind(list.kind.clone(), Query::all());
        let resumed = options
            .resume_token
            .as_ref()
            .map(|token| transactions.store().watch(scope(), From::Revision(token.parse()?)));
        let (watch, hard_reset) = match resumed {
            Some(Ok(watch)) => (watch, false),
            // The token is of another store, or too old: the client starts again.
            Some(Err(StoreError::InvalidBookmark { .. })) => {
                (transactions.store().watch(scope(), From::State)?, true)
            }
            Some(Err(error)) => return Err(error.into()),
            None => (transactions.store().watch(scope(), From::State)?, false),
        };
        Ok(Self { transactions, list, options, watch, size: None, hard_reset })
    }

    /// Everything that there is now; empty if nothing has changed.
    pub fn responses(&mut self) -> Vec<FeedResponse> {
        let events = self.watch.batch();
        self.chunks(events)
    }

    /// Waits until there is something to send. Empty if the store was closed.
    pub fn poll_responses(&mut self, cx: &mut Context<'_>) -> Poll<Vec<FeedResponse>> {
        loop {
            let Poll::Ready(events) = self.watch.poll_batch(cx) else { return Poll::Pending };
            let ended = events.is_empty();
            let responses = self.chunks(events);
            if ended || !responses.is_empty() {
                return Poll::Ready(responses);
            }
        }
    }

    fn chunks(&mut self, events: Vec<Event>) -> Vec<FeedResponse> {
        let (mut changes, mut token, mut whole) = (Vec::new(), None, false);
        for event in events {
            token = event.bookmark().or(token);
            if matches!(event, Event::Resync(_)) {
                // What was not sent yet is part of the state that follows.
                changes.clear();
                self.hard_reset = true;
            }
            whole |= matches!(event, Event::Init);
            if matches!(event, Event::Init) {
                self.size = Some(0);
            }
            changes.extend(self.change(&event));
        }
        // An empty state is news, and so is a reset; changes of fields that are not sent are not.
        if changes.is_empty() && !whole {
            return Vec::new();
        }
        self.split(changes, token.map(|token| token.to_string()))
    }

    fn split(&mut self, changes: Vec<FeedChange>, token: Option<String>) -> Vec<FeedResponse> {
        let size = if self.options.max_chunk_size == 0 { usize::MAX } else { self.options.max_chunk_size };
        let mut rest = changes;
        let mut responses = Vec::new();
        loop {
            let after = rest.split_off(size.min(rest.len()));
            let response = FeedResponse { changes: rest, snapshot_size: -1, ..FeedResponse::default() };
            responses.push(response);
            if after.is_empty() {
                break;
            }
            rest = after;
        }
        if let Some(first) = responses.first_mut() {
            first.is_hard_reset = std::mem::take(&mut self.hard_reset);
        }
        if let Some(last) = responses.last_mut() {
            (last.is_current, last.resume_token) = (true, token);
            last.snapshot_size = self.size.and_then(|size| size.try_into().ok()).unwrap_or(-1);
        }
        responses
    }

    fn change(&mut self, event: &Event) -> Option<FeedChange> {
        let (old, new) = match event {
            Event::InitApply(new) | Event::Created { new, .. } => (None, Some(new)),
            Event::Updated { old, new, .. } => (Some(old), Some(new)),
            Event::Destroyed { last, .. } => (Some(last), None),
            Event::Init | Event::InitDone(_) | Event::Absent(_) | Event::Resync(_) => return None,
        };
        let name = new.or(old)?.id().to_string();
        let listed = |it: &&std::sync::Arc<Resource>| self.list.accepts(&self.transactions, it);
        match (old.filter(listed), new.filter(listed)) {
            (None, Some(new)) => {
                self.size = self.size.map(|size| size + 1);
                Some(FeedChange::Added { name, resource: self.masked(new) })
            }
            (Some(old), Some(new)) => {
                let resource = self.masked(new);
                (self.masked(old) != resource).then_some(FeedChange::Modified { name, resource })
            }
            (Some(_), None) => {
                self.size = self.size.map(|size| size.saturating_sub(1));
                Some(FeedChange::Removed { name })
            }
            (None, None) => None,
        }
    }

    fn masked(&self, resource: &Resource) -> Value {
        let value = resource.spec.value();
        if self.options.mask.is_empty() {
            return value;
        }
        let mut masked = Map::new();
        self.options.mask.iter().for_each(|path| path.copy(&value, &mut masked));
        Value::Object(masked)
    }
}

impl fmt::Debug for Feed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feed")
            .field("list", &self.list)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
