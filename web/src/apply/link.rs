//! The page's side of the worker: loads it when it is first needed, keeps it for as long as the page lives.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    fmt,
    rc::Rc,
};

use futures_util::future::LocalBoxFuture;
use gloo::{timers::callback::Timeout, utils::window};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::Callback;

use super::message::{Answer, Question, Request, Response};
use crate::style;

/// Where Trunk puts the worker.
pub(super) const WORKER: &str = "./planloom-apply_loader.js";
/// What only its views need.
const STYLE: &str = "./apply.css";
/// A worker that says nothing for this long will not come, in milliseconds.
const PATIENCE: u32 = 20_000;

thread_local! {
    static LINK: Link = Link::default();
    static LOADER: Cell<Option<Load>> = const { Cell::new(None) };
}

/// Sends a request to the worker, which lives as long as this.
pub type Sender = Box<dyn Fn(Request)>;

/// Starts the worker.
pub type Spawn = fn(Callback<Response>) -> Sender;

/// Loads the code that starts the worker; nothing where that failed.
pub type Load = fn() -> LocalBoxFuture<'static, Option<Spawn>>;

/// Sets how the code that starts the worker is loaded.
pub fn set_loader(load: Load) {
    LOADER.set(Some(load));
}

/// What comes from the worker, or becomes of it.
#[derive(Clone, Debug)]
pub enum News {
    /// It is being loaded.
    Loading,
    /// It cannot be had, or is gone: why, as a sentence.
    Failed(String),
    /// It says something.
    Said(Box<Response>),
}

/// The one worker of the page.
#[derive(Clone, Default)]
pub struct Link(Rc<RefCell<Inner>>);

#[derive(Default)]
struct Inner {
    send: Option<Sender>,
    watchdog: Option<Timeout>,
    /// What waits for the worker.
    early: Vec<Request>,
    on_news: Option<Callback<News>>,
    asked: u32,
    waiting: BTreeMap<u32, Callback<Answer>>,
}

impl Link {
    /// The page's worker, which is not loaded by asking for it.
    pub fn of_page() -> Self {
        LINK.with(Clone::clone)
    }

    /// Who hears what comes.
    pub fn listen(&self, on_news: Callback<News>) {
        self.0.borrow_mut().on_news = Some(on_news);
    }

    /// Whether it is there, or on its way.
    pub fn is_open(&self) -> bool {
        let inner = self.0.borrow();
        inner.send.is_some() || inner.watchdog.is_some()
    }

    /// Loads it if it is not there, after a look whether it can be had: a worker does not say so itself.
    pub fn open(&self) {
        if self.is_open() {
            return;
        }
        self.tell(News::Loading);
        let (link, late) = (self.clone(), self.clone());
        let watchdog =
            Timeout::new(PATIENCE, move || late.fail("It does not respond. The connection may be slow."));
        self.0.borrow_mut().watchdog = Some(watchdog);
        spawn_local(async move {
            style::load(STYLE).await;
            match load().await {
                Some(spawn) if there(WORKER).await => link.start(spawn),
                _ => link.fail(
                    "This part of the app could not be loaded. It requires a connection the first time.",
                ),
            }
        });
    }

    fn start(&self, spawn: Spawn) {
        let link = self.clone();
        let send = spawn(Callback::from(move |response| link.receive(response)));
        let early = std::mem::take(&mut self.0.borrow_mut().early);
        early.into_iter().for_each(&send);
        self.0.borrow_mut().send = Some(send);
    }

    /// Says something, once it is there.
    pub fn send(&self, request: Request) {
        let mut inner = self.0.borrow_mut();
        match &inner.send {
            Some(send) => send(request),
            None => inner.early.push(request),
        }
    }

    /// Asks something.
    pub fn ask(&self, question: Question, then: Callback<Answer>) {
        let id = {
            let mut inner = self.0.borrow_mut();
            inner.asked += 1;
            let id = inner.asked;
            inner.waiting.insert(id, then);
            id
        };
        self.send(Request::Ask { id, question });
    }

    fn receive(&self, response: Response) {
        match response {
            Response::Answer { id, answer } => {
                let then = self.0.borrow_mut().waiting.remove(&id);
                then.into_iter().for_each(|then| then.emit(answer.clone()));
            }
            Response::Stopped { message } => {
                // The worker is in the middle of its panic: it is dropped after this call.
                let link = self.clone();
                let why = format!("It stopped because of a bug: {message}. Completed steps are recorded.");
                Timeout::new(0, move || link.fail(&why)).forget();
            }
            response => {
                self.0.borrow_mut().watchdog = None;
                self.tell(News::Said(Box::new(response)));
            }
        }
    }

    fn fail(&self, reason: &str) {
        {
            let mut inner = self.0.borrow_mut();
            (inner.send, inner.watchdog) = (None, None);
            inner.early.clear();
            inner.waiting.clear();
        }
        self.tell(News::Failed(reason.to_owned()));
    }

    fn tell(&self, news: News) {
        let listener = self.0.borrow().on_news.clone();
        listener.into_iter().for_each(|listener| listener.emit(news.clone()));
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Link(_)")
    }
}

async fn load() -> Option<Spawn> {
    LOADER.get()?().await
}

async fn there(address: &str) -> bool {
    let response = JsFuture::from(window().fetch_with_str(address)).await;
    let response = response.ok().and_then(|it| it.dyn_into::<web_sys::Response>().ok());
    response.is_some_and(|response| response.ok())
}
