//! The page's side of the engine: sends edits, hands out answers, starts the worker again when it stops.

use std::{cell::RefCell, fmt, rc::Rc};

use yew::Callback;

use crate::{
    files_change::FilesChange,
    message::{AnyAnswer, AnyQuery, Encoded, Query, Request, Response, Want},
    splice::Splice,
    state::{Files, Inputs},
    worker::EngineWorker,
    worker_link::{self, WorkerLink, after_panic},
};

/// The address at which Trunk puts the worker.
const WORKER: &str = "./planloom-engine_loader.js";
/// An answer that takes longer than this means that something is wrong, in milliseconds.
const PATIENCE: u32 = 15_000;

/// A problem with the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineProblem {
    /// It stopped and was started again.
    Restarted,
    /// It stopped twice on the same text: it is not started again by itself.
    Stopped(String),
    /// It does not answer.
    Silent,
    /// A part of it could not be loaded.
    NotLoaded,
    /// It answers again.
    Over,
}

/// The data that was last sent to the engine.
#[derive(Default)]
struct Sent {
    revision: u64,
    /// The revision since which views are taken.
    since: u64,
    files: Files,
    inputs: Inputs,
    want: Want,
}

struct Inner {
    worker: WorkerLink<Request, Option<AnyAnswer>>,
    sent: Sent,
    /// The revision of which everything was said.
    settled: u64,
    /// The revision at which it last stopped.
    stopped: Option<u64>,
}

/// The engine.
#[derive(Clone)]
pub struct Engine {
    inner: Rc<RefCell<Inner>>,
    on_response: Callback<Response>,
    on_problem: Callback<EngineProblem>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Engine(_)")
    }
}

impl PartialEq for Engine {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner)
    }
}

impl Engine {
    /// Starts the engine.
    pub fn start(on_response: Callback<Response>, on_problem: Callback<EngineProblem>) -> Self {
        let inner = Inner { worker: WorkerLink::default(), sent: Sent::default(), settled: 0, stopped: None };
        let engine = Self { inner: Rc::new(RefCell::new(inner)), on_response, on_problem };
        engine.spawn();
        engine
    }

    /// Sends the engine what changed since the last call. When views are taken `since` another revision, it gets all
    /// files, and sends all views again.
    pub fn update(&self, revision: u64, since: u64, files: &Files, inputs: &Inputs, want: Want) {
        let requests = {
            let inner = &mut *self.inner.borrow_mut();
            let requests = inner.sent.news(revision, since, files, inputs, want);
            inner.sent = Sent { revision, since, files: files.clone(), inputs: inputs.clone(), want };
            requests
        };
        let works = requests.iter().any(|request| !matches!(request, Request::Want(_)));
        requests.into_iter().for_each(|request| self.send(request));
        if works {
            self.watch();
        }
    }

    /// Sends a text as soon as it is typed. The page has it as its next revision, of which it then has nothing else to send;
    /// where that is not so, what follows is of a newer one.
    pub fn type_text(&self, name: &str, text: &Rc<str>) {
        let request = self.inner.borrow_mut().sent.type_text(name, text);
        if let Some(request) = request {
            self.send(request);
            self.watch();
        }
    }

    /// True if it has said everything of that revision.
    pub fn has_settled(&self, revision: u64) -> bool {
        self.inner.borrow().settled == revision
    }

    /// Sends a query; `None` if there is no answer, or the engine stops before it has one.
    pub fn ask<Q: Query + 'static>(&self, query: Q, then: Callback<Option<Q::Answer>>) {
        self.ask_encoded::<Q>(query, then.reform(|it: Option<Encoded<Q::Answer>>| it?.read()));
    }

    /// The same for an answer that is shared; without one, nothing is called.
    pub fn ask_shared<Q: Query + 'static>(&self, query: Q, then: Callback<Rc<Q::Answer>>) {
        let then = move |answer: Option<Q::Answer>| {
            answer.map(Rc::new).into_iter().for_each(|it| then.emit(it));
        };
        self.ask(query, then.into());
    }

    /// The same for an answer that is read elsewhere.
    pub fn ask_encoded<Q: Query + 'static>(&self, query: Q, then: Callback<Option<Encoded<Q::Answer>>>) {
        let then = then.reform(|it: Option<AnyAnswer>| it.map(Encoded::cast));
        let id = self.inner.borrow_mut().worker.expect(then);
        self.send(Request::Query { id, query: AnyQuery::of(query) });
    }

    /// Starts it again with all that it knew.
    pub fn restart(&self) {
        let (sent, unanswered) = {
            let mut inner = self.inner.borrow_mut();
            (std::mem::take(&mut inner.sent), inner.worker.close())
        };
        unanswered.for_each(|then| then.emit(None));
        self.spawn();
        self.update(sent.revision, sent.since, &sent.files, &sent.inputs, sent.want);
    }

    fn spawn(&self) {
        let engine = self.clone();
        let send = worker_link::spawn::<EngineWorker>(WORKER, move |response| engine.receive(response));
        self.inner.borrow_mut().worker.connect(send);
    }

    fn send(&self, request: Request) {
        self.inner.borrow().worker.send(request);
    }

    fn receive(&self, response: Response) {
        match response {
            Response::Answer { id, answer } => {
                let then = self.inner.borrow_mut().worker.take(id);
                then.into_iter().for_each(|then| then.emit(answer.clone()));
            }
            Response::Settled { revision } => self.inner.borrow_mut().settled = revision,
            Response::NotLoaded { .. } => self.on_problem.emit(EngineProblem::NotLoaded),
            Response::Stopped { message } => self.stopped(message),
            response => {
                if self.inner.borrow_mut().worker.heard() {
                    self.on_problem.emit(EngineProblem::Over);
                }
                self.on_response.emit(response);
            }
        }
    }

    fn stopped(&self, message: String) {
        let again = {
            let mut inner = self.inner.borrow_mut();
            let revision = inner.sent.revision;
            inner.stopped.replace(revision) == Some(revision)
        };
        let engine = self.clone();
        after_panic(move || {
            if again {
                let unanswered = engine.inner.borrow_mut().worker.close();
                unanswered.for_each(|then| then.emit(None));
                engine.on_problem.emit(EngineProblem::Stopped(message));
            } else {
                engine.restart();
                engine.on_problem.emit(EngineProblem::Restarted);
            }
        });
    }

    fn watch(&self) {
        let on_problem = self.on_problem.clone();
        let on_silence = move || on_problem.emit(EngineProblem::Silent);
        self.inner.borrow_mut().worker.watch(PATIENCE, on_silence);
    }
}

impl Sent {
    /// The requests that tell the engine of the new state.
    fn news(&self, revision: u64, since: u64, files: &Files, inputs: &Inputs, want: Want) -> Vec<Request> {
        let options = || Request::Options { revision, options: inputs.options(), bosh: inputs.bosh };
        let mut news = Vec::new();
        if want != self.want {
            news.push(Request::Want(want));
        }
        if *inputs != self.inputs {
            news.push(options());
        }
        let is_new = self.revision == 0 || self.since != since;
        match FilesChange::between(&self.files, files) {
            _ if is_new => news.push(Request::Files { revision, files: files.texts() }),
            FilesChange::None if self.revision != revision => news.push(options()),
            FilesChange::None => {}
            FilesChange::Text { file, splice } => news.push(Request::Edit { revision, file, splice }),
            FilesChange::All(files) => news.push(Request::Files { revision, files }),
        }
        news
    }

    fn type_text(&mut self, name: &str, text: &Rc<str>) -> Option<Request> {
        let file = self.files.named(name).filter(|it| it.text != *text)?;
        let (key, splice) = (file.key, Splice::between(&file.text, text));
        self.files.set_text(key, text.clone());
        self.revision += 1;
        Some(Request::Edit { revision: self.revision, file: name.to_owned(), splice })
    }
}

#[cfg(test)]
mod tests {
    use workspace::File;

    use super::*;

    fn files(files: &[(&str, &str)]) -> Files {
        let file =
            |(name, text): &(&str, &str)| File { name: (*name).into(), text: (*text).into(), package: None };
        files.iter().map(file).collect()
    }

    fn news(sent: &Sent, revision: u64, new: &Files) -> Vec<&'static str> {
        let news = sent.news(revision, sent.since, new, &Inputs::default(), Want::default());
        let name = |request: &Request| match request {
            Request::Files { .. } => "files",
            Request::Edit { .. } => "edit",
            Request::Options { .. } => "options",
            Request::Want(_) => "want",
            Request::Query { .. } => "query",
        };
        news.iter().map(name).collect()
    }

    #[test]
    fn what_was_typed_is_sent_once() {
        let files = files(&[("a", "1"), ("b", "2")]);
        let mut sent = Sent { revision: 1, files: files.clone(), ..Sent::default() };
        let (typed, text): (_, Rc<str>) = (files.at(1).map(|it| it.key), "23".into());
        assert!(matches!(sent.type_text("b", &text), Some(Request::Edit { revision: 2, .. })));
        assert!(sent.type_text("b", &text).is_none() && sent.type_text("muted", &text).is_none());
        let mut now = files;
        now.set_text(typed.expect("a file"), text);
        assert!(news(&sent, 2, &now).is_empty());
        assert_eq!(news(&sent, 3, &now), ["options"], "something else has changed before it");
    }

    #[test]
    fn only_what_changed_is_sent() {
        let old = files(&[("a", "1"), ("b", "2")]);
        let sent = Sent { revision: 1, files: old.clone(), ..Sent::default() };
        assert_eq!(news(&Sent::default(), 1, &old), ["files"]);
        assert!(news(&sent, 1, &old).is_empty());
        assert_eq!(news(&sent, 2, &files(&[("a", "1"), ("b", "3")])), ["edit"]);
        assert_eq!(news(&sent, 2, &files(&[("a", "0"), ("b", "3")])), ["files"]);
        assert_eq!(news(&sent, 2, &files(&[("a", "1"), ("c", "2")])), ["files"]);
        assert_eq!(news(&sent, 2, &files(&[("a", "1")])), ["files"]);
        let since = sent.news(2, 2, &old, &Inputs::default(), Want::default());
        assert!(matches!(since[..], [Request::Files { .. }]), "views are needed anew");
        // Whatever raised the revision is answered for that revision.
        assert_eq!(news(&sent, 2, &old), ["options"]);
    }
}
