//! The engine in a Web Worker, so that typing never waits for it.

use std::{
    cell::{Cell, RefCell},
    panic,
    rc::Rc,
};

use capabilities::{Part, Parts};
use futures_util::future::LocalBoxFuture;
use gloo::timers::callback::Timeout;
use gloo_worker::{HandlerId, Worker, WorkerScope};
use js_sys::Date;
use wasm_bindgen_futures::spawn_local;

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
    /// The time that the views of this revision have taken, in milliseconds.
    views: f64,
    /// The time that the last complete round of views took, in milliseconds.
    slow: f64,
}

/// Views that take longer than this wait until typing pauses, in milliseconds.
const QUICK: f64 = 8.0;
/// A pause in typing, in milliseconds.
const PAUSE: u32 = 120;

/// The messages of the worker to itself.
#[derive(Debug)]
pub enum Work {
    /// Time for one step.
    Step,
    /// A part of the engine was loaded, or could not be.
    Part(Part, Option<Box<Parts>>),
}

/// Loads a part of the engine; `None` if that failed.
pub type LoadPart = fn(Part) -> LocalBoxFuture<'static, Option<Parts>>;

/// Tells the page what happened.
type Alarm = Rc<dyn Fn(String)>;

thread_local! {
    /// The callback that reports a panic to the page: it has to run before the instance is unusable.
    static ALARM: RefCell<Option<Alarm>> = const { RefCell::new(None) };
    /// The function that loads parts.
    static LOADER: Cell<Option<LoadPart>> = const { Cell::new(None) };
}

/// Sets how the worker loads parts of the engine.
pub fn set_loader(load: LoadPart) {
    LOADER.set(Some(load));
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
        self.load(scope);
        self.schedule(scope, 0);
    }

    fn update(&mut self, scope: &WorkerScope<Self>, work: Work) {
        match work {
            Work::Step => self.step(scope),
            Work::Part(part, parts) => self.take(scope, part, parts),
        }
        self.load(scope);
    }
}

impl EngineWorker {
    fn step(&mut self, scope: &WorkerScope<Self>) {
        self.next = None;
        let (urgent, start) = (self.session.is_urgent(), Date::now());
        let response = self.session.step();
        self.spent(urgent, Date::now() - start);
        if let Some((page, response)) = self.page.zip(response) {
            scope.respond(page, response);
        }
        if let Some(page) = self.page.filter(|_| !urgent && !self.session.is_busy()) {
            scope.respond(page, Response::Settled { revision: self.session.revision() });
        }
        let wait = if self.session.begins_views() && self.slow > QUICK { PAUSE } else { 0 };
        self.schedule(scope, wait);
    }

    /// Begins to load the parts that are needed.
    fn load(&mut self, scope: &WorkerScope<Self>) {
        for part in self.session.take_needed() {
            let scope = scope.clone();
            spawn_local(async move {
                let loaded = match LOADER.get() {
                    Some(load) => load(part).await.map(Box::new),
                    None => None,
                };
                scope.send_message(Work::Part(part, loaded));
            });
        }
    }

    fn take(&mut self, scope: &WorkerScope<Self>, part: Part, parts: Option<Box<Parts>>) {
        let responses = match parts {
            Some(parts) => self.session.add(part, *parts),
            None => self.session.fail(part),
        };
        for response in responses {
            self.page.into_iter().for_each(|page| scope.respond(page, response.clone()));
        }
        self.schedule(scope, 0);
    }

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
            self.next = Some(Timeout::new(wait, move || scope.send_message(Work::Step)));
        }
    }
}
