//! The page's side of the worker: loads it when it is first needed, keeps it for as long as the page lives.

use std::{cell::RefCell, fmt, rc::Rc};
use workspace::view::GraphFormat;

use gloo::utils::document;
use ui::views::controllers::{ControllersEvent, ControllersState};
use wasm_bindgen_futures::spawn_local;
use web_sys::VisibilityState;
use yew::{AttrValue, Callback};

use super::{
    message::{Request, Response},
    worker::ControllersWorker,
};
use crate::{
    text::sentence,
    worker_link::{self, WorkerLink, after_panic, is_available},
};

/// Where Trunk puts the worker.
const WORKER: &str = "./planloom-controllers_loader.js";
/// A worker that says nothing for this long will not come, in milliseconds.
const PATIENCE: u32 = 20_000;

thread_local! {
    static LINK: Link = Link::default();
}

/// What the page shows of the worker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// How far it is.
    pub state: ControllersState,
    /// Why the last change was refused.
    pub refused: Option<AttrValue>,
}

/// The one worker of the page.
#[derive(Clone, Default)]
pub struct Link(Rc<RefCell<Inner>>);

#[derive(Default)]
struct Inner {
    worker: WorkerLink<Request, String>,
    shown: Shown,
    /// The view, while it is on screen.
    view: Option<Callback<Shown>>,
    visible: bool,
}

impl Link {
    /// The page's worker, which is not loaded by asking for it.
    pub fn of_page() -> Self {
        LINK.with(Clone::clone)
    }

    /// What is to be shown now.
    pub fn shown(&self) -> Shown {
        self.0.borrow().shown.clone()
    }

    /// A view looks from now on: loads the worker if it is not there.
    pub fn open(&self, view: Callback<Shown>) {
        self.0.borrow_mut().view = Some(view);
        self.look(document().visibility_state() == VisibilityState::Visible);
        let is_open = self.0.borrow().worker.is_open();
        if !is_open {
            self.start();
        }
    }

    /// Nobody looks any more.
    pub fn close(&self) {
        self.look(false);
        self.0.borrow_mut().view = None;
    }

    /// Whether the view can be seen.
    pub fn look(&self, visible: bool) {
        self.0.borrow_mut().visible = visible;
        self.send(Request::Watch(visible));
    }

    /// Does what a person wants done.
    pub fn act(&self, event: ControllersEvent) {
        let request = match event {
            ControllersEvent::Put { id, number } => Request::Put { id, number },
            ControllersEvent::Remove { id } => Request::Remove { id },
            ControllersEvent::Run(on) => Request::Run(on),
            ControllersEvent::Retry => return self.start(),
            ControllersEvent::Copy(_) => return,
        };
        self.show(|shown| shown.refused = None);
        self.send(request);
    }

    /// The graph as text.
    pub fn text(&self, format: GraphFormat, then: Callback<String>) {
        let id = self.0.borrow_mut().worker.expect(then);
        self.send(Request::Text { id, format });
    }

    /// Loads the worker, after a look whether it can be had: a worker does not say so itself.
    fn start(&self) {
        self.show(|shown| *shown = Shown::default());
        let (link, late) = (self.clone(), self.clone());
        let on_silence = move || late.fail("They do not respond. The connection may be slow.");
        self.0.borrow_mut().worker.watch(PATIENCE, on_silence);
        spawn_local(async move {
            if is_available(WORKER).await {
                link.spawn();
            } else {
                link.fail(
                    "Their part of the app could not be loaded. It requires a connection the first \
                           time.",
                );
            }
        });
    }

    fn spawn(&self) {
        let link = self.clone();
        let send = worker_link::spawn::<ControllersWorker>(WORKER, move |response| link.receive(response));
        let mut inner = self.0.borrow_mut();
        inner.worker.connect(send);
        inner.worker.send(Request::Watch(inner.visible));
    }

    fn send(&self, request: Request) {
        self.0.borrow().worker.send(request);
    }

    fn receive(&self, response: Response) {
        match response {
            Response::Snapshot(snapshot) => {
                self.0.borrow_mut().worker.heard();
                self.show(|shown| shown.state = ControllersState::Live(Rc::from(snapshot)));
            }
            Response::Refused { message } => {
                self.show(|shown| shown.refused = Some(sentence(&message).into()));
            }
            Response::Text { id, text } => {
                let then = self.0.borrow_mut().worker.take(id);
                then.into_iter().for_each(|then| then.emit(text.clone()));
            }
            Response::Stopped { message } => {
                let link = self.clone();
                after_panic(move || link.fail(&format!("They stopped because of a bug: {message}")));
            }
        }
    }

    fn fail(&self, reason: &str) {
        self.0.borrow_mut().worker.close().for_each(drop);
        self.show(|shown| shown.state = ControllersState::Failed(reason.to_owned().into()));
    }

    fn show(&self, change: impl FnOnce(&mut Shown)) {
        let (view, shown) = {
            let mut inner = self.0.borrow_mut();
            change(&mut inner.shown);
            (inner.view.clone(), inner.shown.clone())
        };
        view.into_iter().for_each(|view| view.emit(shown.clone()));
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Link(_)")
    }
}
