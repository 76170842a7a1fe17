//! The page's side of a worker: sends requests, hands out answers, notices silence. The engine's worker, that of the
//! controllers and the one that applies are all linked by it.

use std::{fmt, mem};

use gloo::{timers::callback::Timeout, utils::window};
use gloo_worker::{Spawnable, Worker, WorkerBridge};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use yew::Callback;

use crate::codec::Json;

/// Sends requests to a worker, which ends when this is dropped.
pub type Sender<R> = Box<dyn Fn(R)>;

/// A worker that may be there or not, and the requests (`R`) whose answers (`A`) are outstanding.
pub struct WorkerLink<R, A> {
    send: Option<Sender<R>>,
    /// Requests for when the worker is there.
    queued: Vec<R>,
    last_id: u32,
    /// Few at a time: a list takes less code than a tree.
    outstanding: Vec<(u32, Callback<A>)>,
    watchdog: Option<Timeout>,
}

impl<R, A> WorkerLink<R, A> {
    /// True if the worker is running, or a sign of life of it is expected.
    pub const fn is_open(&self) -> bool {
        self.send.is_some() || self.watchdog.is_some()
    }

    /// The worker is there: gets what was queued.
    pub fn connect(&mut self, send: Sender<R>) {
        mem::take(&mut self.queued).into_iter().for_each(&send);
        self.send = Some(send);
    }

    /// Sends a request; one for a worker that is not there is dropped.
    pub fn send(&self, request: R) {
        if let Some(send) = &self.send {
            send(request);
        }
    }

    /// Sends a request, as soon as the worker is there.
    pub fn send_or_queue(&mut self, request: R) {
        match &self.send {
            Some(send) => send(request),
            None => self.queued.push(request),
        }
    }

    /// The id of a request that is answered.
    pub fn expect(&mut self, then: Callback<A>) -> u32 {
        self.last_id += 1;
        self.outstanding.push((self.last_id, then));
        self.last_id
    }

    /// Removes and returns the callback that expects the answer to a request; `None` if there is none any more.
    pub fn take(&mut self, id: u32) -> Option<Callback<A>> {
        let at = self.outstanding.iter().position(|(it, _)| *it == id)?;
        Some(self.outstanding.remove(at).1)
    }

    /// Expects a sign of life within so many milliseconds, unless one is expected already.
    pub fn watch(&mut self, patience: u32, on_silence: impl FnOnce() + 'static) {
        self.watchdog.get_or_insert_with(|| Timeout::new(patience, on_silence));
    }

    /// Notes a sign of life of the worker. Returns true if one was expected.
    pub fn heard(&mut self) -> bool {
        self.watchdog.take().is_some()
    }

    /// Ends the worker, and forgets what was queued and expected of it; those whose answers will not come.
    pub fn close(&mut self) -> impl Iterator<Item = Callback<A>> + use<R, A> {
        mem::take(self).outstanding.into_iter().map(|(_, then)| then)
    }
}

impl<R, A> Default for WorkerLink<R, A> {
    fn default() -> Self {
        Self { send: None, queued: Vec::new(), last_id: 0, outstanding: Vec::new(), watchdog: None }
    }
}

impl<R, A> fmt::Debug for WorkerLink<R, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WorkerLink(_)")
    }
}

/// Starts a worker.
pub fn spawn<W>(address: &str, on_response: impl Fn(W::Output) + 'static) -> Sender<W::Input>
where
    W: Worker + 'static,
    W::Input: Serialize + for<'de> Deserialize<'de>,
    W::Output: Serialize + for<'de> Deserialize<'de>,
{
    let bridge: WorkerBridge<W> =
        W::spawner().encoding::<Json>().callback(on_response).with_loader(true).spawn(address);
    Box::new(move |request| bridge.send(request))
}

/// True if a file of the app can be loaded: a worker whose file is missing does not say so itself.
pub async fn is_available(address: &str) -> bool {
    let response = JsFuture::from(window().fetch_with_str(address)).await;
    let response = response.ok().and_then(|it| it.dyn_into::<web_sys::Response>().ok());
    response.is_some_and(|response| response.ok())
}

/// Does something once a worker has ended that said it panics: it is in the middle of that.
pub fn after_panic(action: impl FnOnce() + 'static) {
    Timeout::new(0, action).forget();
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, rc::Rc};

    use super::*;

    #[test]
    fn requests_are_queued_or_dropped_until_the_worker_is_there() {
        let sent = Rc::new(RefCell::new(Vec::new()));
        let mut link: WorkerLink<u8, ()> = WorkerLink::default();
        link.send(1);
        link.send_or_queue(2);
        assert!(!link.is_open());
        let log = Rc::clone(&sent);
        link.connect(Box::new(move |request| log.borrow_mut().push(request)));
        link.send(3);
        link.send_or_queue(4);
        assert_eq!((link.is_open(), &sent.borrow()[..]), (true, &[2, 3, 4][..]));
        link.close().for_each(drop);
        link.send(5);
        assert_eq!((link.is_open(), sent.borrow().len()), (false, 3));
    }

    #[test]
    fn each_answer_goes_to_its_request_once() {
        let mut link: WorkerLink<(), u8> = WorkerLink::default();
        let got = Rc::new(RefCell::new(Vec::new()));
        let listener = |name: &'static str| {
            let got = Rc::clone(&got);
            Callback::from(move |answer| got.borrow_mut().push((name, answer)))
        };
        let (a, b) = (link.expect(listener("a")), link.expect(listener("b")));
        link.take(b).into_iter().for_each(|it| it.emit(7));
        assert!(link.take(b).is_none());
        link.close().for_each(|it| it.emit(0));
        assert!(link.take(a).is_none());
        assert_eq!(got.borrow()[..], [("b", 7), ("a", 0)]);
    }
}
