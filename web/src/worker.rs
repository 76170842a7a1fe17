//! The engine in a Web Worker, so that typing never waits for it.

use std::{cell::RefCell, panic, rc::Rc};

use gloo::timers::callback::Timeout;
use gloo_worker::{HandlerId, Worker, WorkerScope};

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
}

/// Time for one step of work.
#[derive(Debug)]
pub struct Work;

thread_local! {
    /// How a panic reaches the page: it must say so before the instance is unusable.
    static ALARM: RefCell<Option<Rc<dyn Fn(String)>>> = const { RefCell::new(None) };
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
        Self { session: Session::default(), page: None, next: None }
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
        self.schedule(scope);
    }

    fn update(&mut self, scope: &WorkerScope<Self>, _: Work) {
        self.next = None;
        if let Some((page, response)) = self.page.zip(self.session.step()) {
            scope.respond(page, response);
        }
        self.schedule(scope);
    }
}

impl EngineWorker {
    /// One step later, so that a newer edit that already waits is taken in first.
    fn schedule(&mut self, scope: &WorkerScope<Self>) {
        if self.session.is_busy() && self.next.is_none() {
            let scope = scope.clone();
            self.next = Some(Timeout::new(0, move || scope.send_message(Work)));
        }
    }
}
