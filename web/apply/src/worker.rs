//! The [`ApplySession`] in a Web Worker.

use std::{
    cell::{Cell, RefCell},
    panic,
    rc::Rc,
    sync::Arc,
};

use browser_state::{Database, Found, IndexedBackend, Mode, Put, Reads};
use database::DATABASE;
use fetch::Fetch;
use gloo_worker::{HandlerId, Worker, WorkerScope};
use protocol::{LocalFuture, hex};
use runtime::Timer;
use state::MemoryBackend;
use timer::{DateClock, HostTimer, time_of_day};
use wasm_bindgen_futures::spawn_local;
use web::apply::message::{Request, Response};
use workspace::engine::Environment;

use crate::{ApplySession, DeploymentStorage, Host};

/// The database key of this browser's name.
const BROWSER: &str = "browser";

/// Tells the page what happened.
type Alarm = Rc<dyn Fn(String)>;

thread_local! {
    /// The callback that reports a panic to the page: it has to run before the instance is unusable.
    static ALARM: RefCell<Option<Alarm>> = const { RefCell::new(None) };
}

/// The worker.
#[derive(Debug)]
pub struct Applying {
    session: ApplySession,
    page: Rc<Cell<Option<HandlerId>>>,
}

impl Worker for Applying {
    type Message = ();
    type Input = Request;
    type Output = Response;

    fn create(scope: &WorkerScope<Self>) -> Self {
        panic::set_hook(Box::new(|info| {
            let alarm = ALARM.with(|alarm| alarm.try_borrow().ok().and_then(|alarm| alarm.clone()));
            alarm.into_iter().for_each(|alarm| alarm(info.to_string()));
        }));
        let page: Rc<Cell<Option<HandlerId>>> = Rc::default();
        let (teller, receiver) = (scope.clone(), page.clone());
        let tell = move |response| {
            receiver.get().into_iter().for_each(|page| teller.respond(page, Response::clone(&response)));
        };
        Self { session: ApplySession::new(host(Rc::new(tell))), page }
    }

    fn update(&mut self, _: &WorkerScope<Self>, (): ()) {}

    fn connected(&mut self, scope: &WorkerScope<Self>, id: HandlerId) {
        let scope = scope.clone();
        let alarm: Alarm = Rc::new(move |message| scope.respond(id, Response::Stopped { message }));
        ALARM.with(|slot| *slot.borrow_mut() = Some(alarm));
        self.page.set(Some(id));
    }

    fn received(&mut self, _: &WorkerScope<Self>, request: Request, _: HandlerId) {
        self.session.receive(request);
    }
}

fn host(tell: Rc<dyn Fn(Response)>) -> Host {
    let timer: Rc<dyn Timer> = Rc::new(HostTimer);
    let opened = timer.clone();
    let environment = Environment {
        timer,
        clock: Arc::new(DateClock),
        random: Rc::new(random),
        spawn: Rc::new(spawn_local),
        who: format!("the tab that was opened at {}", time_of_day()),
    };
    let open = move |name| -> LocalFuture<DeploymentStorage> { Box::pin(open(name, opened.clone())) };
    Host { environment, open: Rc::new(open), network: Rc::new(Fetch), tell }
}

fn random() -> [u8; 16] {
    let bits = timer::random();
    assert!(bits.is_some(), "the browser gives no random bits");
    bits.map(|it| it()).unwrap_or_default()
}

/// The storage of a deployment: in the browser's database, or in memory if there is none.
async fn open(name: String, timer: Rc<dyn Timer>) -> DeploymentStorage {
    let Ok(database) = Database::open(DATABASE).await else {
        let save = Rc::new(|_| -> LocalFuture<()> { Box::pin(async {}) });
        let reread = Rc::new(|| -> LocalFuture<Option<String>> { Box::pin(async { None }) });
        let (backend, browser) = (Rc::new(MemoryBackend::default()), hex(&random()));
        return DeploymentStorage { backend, world: None, reread, save, kept: false, browser };
    };
    let key = format!("world/{}", String::from(js_sys::encode_uri_component(&name)));
    let world = text(database.clone(), key.clone()).await;
    let browser = browser(&database).await;
    let (reread_from, reread_key) = (database.clone(), key.clone());
    let reread = Rc::new(move || -> LocalFuture<Option<String>> {
        Box::pin(text(reread_from.clone(), reread_key.clone()))
    });
    let backend = Rc::new(IndexedBackend::new(database.clone(), &name, timer));
    let save = Rc::new(move |text| -> LocalFuture<()> {
        let (database, key) = (database.clone(), key.clone());
        Box::pin(async move {
            let reads = Reads { keys: vec![key.clone()], range: None };
            // A world that cannot be kept lives as long as the page.
            let decide = move |_| Ok((vec![Put::Text(key, text)], ()));
            drop(database.transact(Mode::Relaxed, reads, decide).await);
        })
    });
    DeploymentStorage { backend, world, reread, save, kept: true, browser }
}

/// The name of this browser; random, and stored when it is first asked for.
async fn browser(database: &Database) -> String {
    let name = hex(&random());
    let (reads, own) = (Reads { keys: vec![BROWSER.into()], range: None }, name.clone());
    let decide = move |found: Found| {
        let known = found.texts.into_iter().flatten().next();
        Ok(match known {
            Some(known) => (Vec::new(), known),
            None => (vec![Put::Text(BROWSER.into(), own.clone())], own),
        })
    };
    database.transact(Mode::Strict, reads, decide).await.unwrap_or(name)
}

async fn text(database: Database, key: String) -> Option<String> {
    let reads = Reads { keys: vec![key], range: None };
    let found = database.transact(Mode::Read, reads, |found| Ok((Vec::new(), found.texts))).await;
    found.unwrap_or_default().into_iter().flatten().next()
}
