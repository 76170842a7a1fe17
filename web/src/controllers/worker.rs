//! The bench in a Web Worker. It tells the page how everything is at most four times a second, only what is new, and
//! nothing while nobody looks; while nothing happens there is no timer.

use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    panic,
    pin::pin,
    rc::Rc,
    sync::Arc,
};

use gloo::timers::callback::Timeout;
use gloo_worker::{HandlerId, Worker, WorkerScope};
use js_sys::Date;
use store::Store;
use timer::{DateClock, HostTimer};
use ui::views::controllers::Snapshot;
use wasm_bindgen_futures::spawn_local;

use super::{
    bench::Bench,
    message::{Request, Response},
};

/// The shortest time between two snapshots, in milliseconds.
const BETWEEN: f64 = 250.0;
/// A first snapshot waits this long, so that what follows at once is in it, in milliseconds.
const MOMENT: f64 = 20.0;

/// Tells the page what happened.
type Alarm = Rc<dyn Fn(String)>;

thread_local! {
    /// How a panic reaches the page: it must say so before the instance is unusable.
    static ALARM: RefCell<Option<Alarm>> = const { RefCell::new(None) };
}

/// The worker.
#[derive(Debug)]
pub struct ControllersWorker {
    teller: Rc<Teller>,
}

/// What tells the page.
struct Teller {
    scope: WorkerScope<ControllersWorker>,
    bench: RefCell<Bench>,
    page: Cell<Option<HandlerId>>,
    shown: Cell<bool>,
    next: RefCell<Option<Timeout>>,
    sent: RefCell<Option<Snapshot>>,
    sent_at: Cell<f64>,
}

impl Worker for ControllersWorker {
    type Message = ();
    type Input = Request;
    type Output = Response;

    fn create(scope: &WorkerScope<Self>) -> Self {
        panic::set_hook(Box::new(|info| {
            let alarm = ALARM.with(|alarm| alarm.try_borrow().ok().and_then(|alarm| alarm.clone()));
            alarm.into_iter().for_each(|alarm| alarm(info.to_string()));
        }));
        let store = Store::in_memory(Arc::new(DateClock));
        let teller = Rc::new(Teller {
            scope: scope.clone(),
            bench: RefCell::new(Bench::new(store, Rc::new(HostTimer))),
            page: Cell::default(),
            shown: Cell::default(),
            next: RefCell::default(),
            sent: RefCell::default(),
            sent_at: Cell::default(),
        });
        Teller::run(&teller);
        Self { teller }
    }

    fn update(&mut self, _: &WorkerScope<Self>, (): ()) {}

    fn connected(&mut self, scope: &WorkerScope<Self>, id: HandlerId) {
        let scope = scope.clone();
        let alarm: Alarm = Rc::new(move |message| scope.respond(id, Response::Stopped { message }));
        ALARM.with(|slot| *slot.borrow_mut() = Some(alarm));
        self.teller.page.set(Some(id));
    }

    fn received(&mut self, scope: &WorkerScope<Self>, request: Request, id: HandlerId) {
        let refused = |result: Result<(), String>| {
            result.err().map(|message| scope.respond(id, Response::Refused { message }))
        };
        match request {
            Request::Watch(shown) => self.teller.show(shown),
            Request::Put { id, number } => drop(refused(self.teller.bench.borrow().put(&id, number))),
            Request::Remove { id } => drop(refused(self.teller.bench.borrow().remove(&id))),
            Request::Run(on) => {
                let anew = self.teller.bench.borrow_mut().run(on);
                if anew {
                    Teller::run(&self.teller);
                }
            }
            Request::Text { id: text_id, format } => {
                let text = self.teller.bench.borrow().text(format);
                scope.respond(id, Response::Text { id: text_id, text });
            }
        }
        Teller::stir(&self.teller);
    }
}

impl Teller {
    /// Polls the runtime until it ends. What it is polled for is news: a change, or that it is time. Without it, things
    /// change by what the page asks for only.
    fn run(teller: &Rc<Self>) {
        let (runtime, teller) = (teller.bench.borrow().runtime(), teller.clone());
        spawn_local(async move {
            let mut run = pin!(runtime.run());
            // A new runtime was not started before.
            let _ = poll_fn(|cx| {
                Self::stir(&teller);
                run.as_mut().poll(cx)
            })
            .await;
        });
    }

    fn show(&self, shown: bool) {
        self.shown.set(shown);
        self.next.take();
        // Who begins to look knows nothing yet.
        self.sent.take();
    }

    /// Something may have changed: looks at it soon.
    fn stir(teller: &Rc<Self>) {
        if !teller.shown.get() || teller.next.borrow().is_some() {
            return;
        }
        let wait = (teller.sent_at.get() + BETWEEN - Date::now()).clamp(MOMENT, BETWEEN);
        let own = teller.clone();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 20 and 250")]
        let next = Timeout::new(wait as u32, move || Self::tell(&own));
        teller.next.replace(Some(next));
    }

    /// Tells what is new, and looks once more later; without anything new it rests.
    fn tell(teller: &Rc<Self>) {
        teller.next.take();
        let Some(page) = teller.page.get() else { return };
        let snapshot = teller.bench.borrow_mut().look();
        if teller.sent.borrow().as_ref() == Some(&snapshot) {
            return;
        }
        teller.sent.replace(Some(snapshot.clone()));
        teller.sent_at.set(Date::now());
        teller.scope.respond(page, Response::Snapshot(Box::new(snapshot)));
        Self::stir(teller);
    }
}

impl std::fmt::Debug for Teller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Teller").field("shown", &self.shown).finish_non_exhaustive()
    }
}
