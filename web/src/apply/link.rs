//! The page's side of the worker: loads it when it is first needed, keeps it for as long as the page lives.

use std::{
    cell::{Cell, RefCell},
    fmt,
    rc::Rc,
};

use futures_util::future::LocalBoxFuture;
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use super::message::{Answer, Question, Request, Response};
use crate::{
    style,
    worker_link::{Sender, WorkerLink, after_panic, is_available},
};

/// The address of the worker: that of the engine, with [`FRAGMENT`].
pub(super) const WORKER: &str = "./planloom-engine_loader.js#apply";
/// The part of its address by which a worker knows that it applies.
pub const FRAGMENT: &str = "#apply";
/// The styles that only its views need.
const STYLE: &str = "./apply.css";
/// A worker that says nothing for this long will not come, in milliseconds.
const PATIENCE: u32 = 20_000;

thread_local! {
    static LINK: Link = Link::default();
    static LOADER: Cell<Option<Load>> = const { Cell::new(None) };
}

/// Starts the worker.
pub type Spawn = fn(Callback<Response>) -> Sender<Request>;

/// Loads the code that starts the worker; `None` if that failed.
pub type Load = fn() -> LocalBoxFuture<'static, Option<Spawn>>;

/// Sets how the code that starts the worker is loaded.
pub fn set_loader(load: Load) {
    LOADER.set(Some(load));
}

/// The messages from the worker, and the changes of its status.
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
    worker: WorkerLink<Request, Answer>,
    on_news: Option<Callback<News>>,
}

impl Link {
    /// The page's worker, which is not loaded by asking for it.
    pub fn of_page() -> Self {
        LINK.with(Clone::clone)
    }

    /// Sets the callback for news of the worker.
    pub fn listen(&self, on_news: Callback<News>) {
        self.0.borrow_mut().on_news = Some(on_news);
    }

    /// True if the worker is running, or being loaded.
    pub fn is_open(&self) -> bool {
        self.0.borrow().worker.is_open()
    }

    /// Loads the worker if it is not there. Its address is requested first: a worker does not report by itself that it
    /// cannot be loaded.
    pub fn open(&self) {
        if self.is_open() {
            return;
        }
        self.tell(News::Loading);
        let (link, late) = (self.clone(), self.clone());
        let on_silence = move || late.fail("It does not respond. The connection may be slow.");
        self.0.borrow_mut().worker.watch(PATIENCE, on_silence);
        spawn_local(async move {
            style::load(STYLE).await;
            match load().await {
                Some(spawn) if is_available(WORKER).await => link.start(spawn),
                _ => link.fail(
                    "This part of the app could not be loaded. It requires a connection the first time.",
                ),
            }
        });
    }

    fn start(&self, spawn: Spawn) {
        let link = self.clone();
        let send = spawn(Callback::from(move |response| link.receive(response)));
        self.0.borrow_mut().worker.connect(send);
    }

    /// Says something, once it is there.
    pub fn send(&self, request: Request) {
        self.0.borrow_mut().worker.send_or_queue(request);
    }

    /// Asks something.
    pub fn ask(&self, question: Question, then: Callback<Answer>) {
        let mut inner = self.0.borrow_mut();
        let id = inner.worker.expect(then);
        inner.worker.send_or_queue(Request::Ask { id, question });
    }

    fn receive(&self, response: Response) {
        match response {
            Response::Answer { id, answer } => {
                let then = self.0.borrow_mut().worker.take(id);
                then.into_iter().for_each(|then| then.emit(answer.clone()));
            }
            Response::Stopped { message } => {
                let link = self.clone();
                let why = format!("It stopped because of a bug: {message}. Completed steps are recorded.");
                after_panic(move || link.fail(&why));
            }
            response => {
                self.0.borrow_mut().worker.heard();
                self.tell(News::Said(Box::new(response)));
            }
        }
    }

    fn fail(&self, reason: &str) {
        self.0.borrow_mut().worker.close().for_each(drop);
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
