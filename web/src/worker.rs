//! The engine in a Web Worker, so that typing never waits for it.

use std::{cell::RefCell, panic, rc::Rc};

use gloo::timers::callback::Timeout;
use gloo_worker::{HandlerId, Worker, WorkerScope};
use js_sys::Date;

use crate::{
    message::{Request, Response},
    session::Session,
};

/// The worker.
#[derive(Debug)]
pub struct EngineWorker {
    session: Session,
    page: Option<HandlerId>,
    /// The next step of work, after the messages that wait.
    next: Option<Timeout>,
    /// How long the views of this revision have taken, in milliseconds.
    views: f64,
    /// How long the last complete round of views took.
    slow: f64,
}

/// Views that take longer than this wait until typing pauses, in milliseconds.
const QUICK: f64 = 8.0;
/// A pause in typing, in milliseconds.
const PAUSE: u32 = 120;

/// Time for one step of work.
#[derive(Debug)]
pub struct Work;

/// Tells the page what happened.
type Alarm = Rc<dyn Fn(String)>;

thread_local! {
    /// How a panic reaches the page: it must say so before the instance is unusable.
    static ALARM: RefCell<Option<Alarm>> = const { RefCell::new(None) };
}

impl Worker for EngineWorker {
    type Message = Work;
    type Input = Request;
    type Output = Response;

    fn create(_: &WorkerScope<Self>) -> Self {
        panic::set_hook(Box::new(|info| {
            let alarm = ALARM.with(|alarm| alarm.try_borrow().ok().and_then(|alarm| alarm.clone()));
            if let Some(alarm) = alarm {
                alarm(info.to_string());
            }
        }));
        Self { session: Session::default(), page: None, next: None, views: 0.0, slow: 0.0 }
    }

    fn connected(&mut self, scope: &WorkerScope<Self>, id: HandlerId) {
        let scope = scope.clone();
        let alarm: Rc<dyn Fn(String)> =
            Rc::new(move |message| scope.respond(id, Response::Stopped { message }));
        ALARM.with(|slot| *slot.borrow_mut() = Some(alarm));
        self.page = Some(id);
    }

    fn received(&mut self, scope: &WorkerScope<Self>, request: Request, id: HandlerId) {
        if let Some(response) = self.session.receive(request) {
            scope.respond(id, response);
        }
        if self.session.is_urgent() {
            self.views = 0.0;
            self.next = None;
        }
        self.schedule(scope, 0);
    }

    fn update(&mut self, scope: &WorkerScope<Self>, _: Work) {
        self.next = None;
        let (urgent, start) = (self.session.is_urgent(), Date::now());
        let response = self.session.step();
        self.spent(urgent, Date::now() - start);
        if let Some((page, response)) = self.page.zip(response) {
            scope.respond(page, response);
        }
        let wait = if urgent && self.slow > QUICK { PAUSE } else { 0 };
        self.schedule(scope, wait);
    }
}

impl EngineWorker {
    /// Remembers how long the views take together.
    fn spent(&mut self, urgent: bool, time: f64) {
        if !urgent {
            self.views += time;
        }
        if !self.session.is_busy() {
            self.slow = self.views;
        }
    }

    /// One step later, so that a newer edit that already waits is taken in first.
    fn schedule(&mut self, scope: &WorkerScope<Self>, wait: u32) {
        if self.session.is_busy() && self.next.is_none() {
            let scope = scope.clone();
            self.next = Some(Timeout::new(wait, move || scope.send_message(Work)));
        }
    }
}
