use std::{
    collections::VecDeque,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
};

use futures_core::Stream;
use serde_json::{Value, json};
use store::{Event, Watch};

use super::framing::Framing;
use crate::{Api, permissions::Permissions};

/// From events of the store to messages.
pub(crate) trait Changes {
    /// The next messages for events that arrived together; none once all are taken in. It takes as many of them as these messages
    /// need, so that what is not sent yet costs no more memory than the events.
    fn next(&mut self, events: &mut VecDeque<Event>) -> Vec<Value>;
}

/// The messages of a watch.
pub(crate) struct Messages {
    watch: Watch,
    changes: Box<dyn Changes>,
    framing: Framing,
    /// Events that arrived together and are not taken in yet.
    pending: Option<VecDeque<Event>>,
    ready: VecDeque<Value>,
    permitted: Permitted,
}

/// Under which access policy a watch was permitted.
pub(crate) struct Permitted {
    pub(crate) api: Rc<Api>,
    pub(crate) permissions: Permissions,
}

impl Messages {
    /// `is_reset`: the client has to drop what it knows, because its place is not known any more.
    pub(crate) fn new(
        watch: Watch,
        changes: Box<dyn Changes>,
        framing: Framing,
        is_reset: bool,
        permitted: Permitted,
    ) -> Self {
        let ready = is_reset.then(reset).into_iter().collect();
        Self { watch, changes, framing, pending: None, ready, permitted }
    }
}

/// The message after which a client starts again from nothing.
pub(crate) fn reset() -> Value {
    json!({"isHardReset": true})
}

/// A resource of which fields are shown, with its name: without it, a client could not say which one it is.
pub(crate) fn named(mut shown: Value, name: &str) -> Value {
    if let Some(object) = shown.as_object_mut() {
        object.insert("name".to_owned(), json!(name));
    }
    shown
}

impl Stream for Messages {
    type Item = Vec<u8>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Vec<u8>>> {
        let this = &mut *self;
        loop {
            if !this.permitted.permissions.are_in_force(&this.permitted.api) {
                return Poll::Ready(None);
            }
            if let Some(message) = this.ready.pop_front() {
                return Poll::Ready(Some(this.framing.frame(&message)));
            }
            let Some(pending) = &mut this.pending else {
                match this.watch.poll_batch(cx) {
                    Poll::Pending => return Poll::Pending,
                    Poll::Ready(events) if events.is_empty() => return Poll::Ready(None),
                    Poll::Ready(events) => this.pending = Some(events.into()),
                }
                continue;
            };
            let messages = this.changes.next(pending);
            if messages.is_empty() {
                this.pending = None;
            }
            this.ready.extend(messages);
        }
    }
}
