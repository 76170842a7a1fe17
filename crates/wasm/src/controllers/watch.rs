use std::{
    cell::RefCell,
    future::poll_fn,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, Waker},
};

use ::store::Event;
use futures_core::Stream;
use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::event::WatchEvent;
use crate::answer::{self, Answer};

/// Events as they come. `web/npm` makes an async iterator of it, which asks for one event at a time.
#[wasm_bindgen(skip_typescript)]
#[derive(Debug)]
pub struct Watch {
    open: Rc<RefCell<Open>>,
}

#[derive(Debug)]
struct Open {
    watch: Option<::store::Watch>,
    /// The task that waits for the next event; closing must wake it too.
    waker: Option<Waker>,
}

impl Watch {
    pub(super) fn new(watch: ::store::Watch) -> Self {
        Self { open: Rc::new(RefCell::new(Open { watch: Some(watch), waker: None })) }
    }
}

#[wasm_bindgen]
impl Watch {
    /// A promise of the next event; of `undefined` at the end.
    pub fn next(&self) -> Promise {
        let open = self.open.clone();
        future_to_promise(async move {
            match poll_fn(|cx| open.borrow_mut().poll(cx)).await {
                Some(event) => answer::plain(&WatchEvent::from(&event)),
                None => Ok(JsValue::UNDEFINED),
            }
        })
    }

    /// All events that are there, without waiting.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form; refusals of the store, under their own codes.
    pub fn batch(&self) -> Answer {
        let events = self.open.borrow_mut().watch.as_mut().map(::store::Watch::batch).unwrap_or_default();
        answer::plain(&events.iter().map(WatchEvent::from).collect::<Vec<_>>())
    }

    /// Ends the events: a caller that waits for the next one receives the end.
    pub fn close(&self) {
        let (watch, waker) = {
            let mut open = self.open.borrow_mut();
            (open.watch.take(), open.waker.take())
        };
        drop(watch);
        waker.into_iter().for_each(Waker::wake);
    }
}

impl Open {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        let Some(watch) = &mut self.watch else { return Poll::Ready(None) };
        let polled = Pin::new(watch).poll_next(cx);
        self.waker = polled.is_pending().then(|| cx.waker().clone());
        polled
    }
}
