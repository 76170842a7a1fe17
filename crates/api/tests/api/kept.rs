//! Requests over a store whose writes take time: each is answered when it is kept, and those that come meanwhile are
//! built on it and kept together.

use std::{
    pin::Pin,
    rc::Rc,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use http::{Request, Response};
use planloom_api::{Api, Reply};
use serde_json::Value;
use store::{
    BackingStore, Change, ChangeCheck, Commit, Counters, MemoryBacking, Millis, Options, Resource, Store,
    Writer, testing::ManualClock,
};

use crate::requests::{LIBRARY, api_over};

/// A backing store that keeps all that it is given at once, and notes how many transactions that is; or fails once.
#[derive(Clone, Default)]
struct Slow {
    inner: MemoryBacking,
    writes: Arc<Mutex<Vec<usize>>>,
    failure: Arc<Mutex<Option<String>>>,
}

impl BackingStore for Slow {
    fn load(&mut self, each: &mut dyn FnMut(Resource)) -> Result<Counters, String> {
        self.inner.load(each)
    }

    fn commit(&mut self, changes: &[Change], counters: Counters) -> Result<(), String> {
        self.inner.commit(changes, counters)
    }

    fn commit_many(&mut self, commits: &[Commit]) -> Result<usize, String> {
        if let Some(why) = self.failure.lock().expect("no panic").take() {
            return Err(why);
        }
        self.writes.lock().expect("no panic").push(commits.len());
        for Commit { changes, counters } in commits {
            self.inner.commit(changes, *counters)?;
        }
        Ok(commits.len())
    }

    fn check(&self) -> Option<ChangeCheck> {
        Some(Arc::new(|changes| match changes.len() {
            0..2 => Ok(()),
            more => Err(format!("{more} changes are too many")),
        }))
    }
}

type Later = Pin<Box<dyn Future<Output = Response<Vec<u8>>>>>;

struct Scene {
    api: Rc<Api>,
    writer: Writer,
    slow: Slow,
}

impl Scene {
    fn new() -> Self {
        let slow = Slow::default();
        let clock = Arc::new(ManualClock::at(Millis(1_700_000_000_000)));
        let opened = Store::with_writer(Options::default(), clock, Box::new(slow.clone()));
        let (store, writer) = opened.expect("it is empty");
        Self { api: api_over(LIBRARY, store), writer, slow }
    }

    fn answer(&self, method: &str, path: &str, body: &str) -> Reply {
        let request = Request::builder().method(method).uri(path).body(body.as_bytes().to_vec());
        self.api.answer(request.expect("a request"))
    }

    /// A request whose response depends on what is not kept yet.
    fn send(&self, method: &str, path: &str, body: &str) -> Later {
        match self.answer(method, path, body) {
            Reply::Later(mut response) => {
                assert!(poll(&mut response).is_none(), "it is not kept");
                response
            }
            other => panic!("{method} {path}: {other:?}"),
        }
    }

    fn get(&self, path: &str) -> u16 {
        match self.answer("GET", path, "") {
            Reply::Whole(response) => response.status().as_u16(),
            other => panic!("{path}: {other:?}"),
        }
    }
}

fn poll(response: &mut Later) -> Option<Response<Vec<u8>>> {
    match response.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(response) => Some(response),
        Poll::Pending => None,
    }
}

/// Status and body of a response that is ready.
fn ready(mut response: Later) -> (u16, Value) {
    let response = poll(&mut response).expect("it is ready");
    (response.status().as_u16(), serde_json::from_slice(response.body()).expect("JSON"))
}

#[test]
fn writes_are_answered_when_they_are_kept_and_each_with_its_own_result() {
    let mut scene = Scene::new();
    let created = scene.send("POST", "/v1/authors", r#"{"name": "authors/a1"}"#);
    let again = scene.send("POST", "/v1/authors", r#"{"name": "authors/a1"}"#);
    let publisher = scene.send("POST", "/v1/publishers", r#"{"name": "publishers/p1"}"#);
    // Built on what is not kept yet: parent and author.
    let book = r#"{"name": "publishers/p1/books/b1", "title": "One", "author": "authors/a1"}"#;
    let book = scene.send("POST", "/v1/publishers/p1/books", book);
    let blocked = scene.send("DELETE", "/v1/authors/a1", "");
    let updated = scene.send("PUT", "/v1/publishers/p1/books/b1?updateMask=title", r#"{"title": "Two"}"#);
    let deleted = scene.send("DELETE", "/v1/publishers/p1/books/b1", "");
    let missing = scene.send("DELETE", "/v1/publishers/p1/books/b1", "");
    assert_eq!((scene.get("/v1/authors/a1"), scene.get("/v1/publishers/p1")), (404, 404), "nobody sees it");
    assert!(scene.writer.write());
    assert_eq!(*scene.slow.writes.lock().expect("no panic"), [5], "all in one write");
    assert_eq!((scene.get("/v1/authors/a1"), scene.get("/v1/publishers/p1/books/b1")), (200, 404));
    assert_eq!((ready(created).0, ready(again).0, ready(publisher).0), (200, 409, 200));
    let (book, updated) = (ready(book), ready(updated));
    assert_eq!(
        (book.0, &book.1["title"], &book.1["metadata"]["resourceVersion"]),
        (200, &"One".into(), &"3".into())
    );
    assert_eq!(
        (updated.0, &updated.1["title"], &updated.1["author"]),
        (200, &"Two".into(), &"authors/a1".into())
    );
    assert_eq!(updated.1["metadata"]["uuid"], book.1["metadata"]["uuid"]);
    assert_eq!(
        (ready(blocked).0, ready(deleted), ready(missing).0),
        (409, (200, serde_json::json!({})), 404)
    );
}

#[test]
fn a_write_that_fails_fails_what_was_built_on_it_and_nothing_else() {
    let mut scene = Scene::new();
    let first = scene.send("POST", "/v1/publishers", r#"{"name": "publishers/p1"}"#);
    let second = scene.send("POST", "/v1/publishers/p1/books", r#"{"title": "One"}"#);
    let taken = scene.send("POST", "/v1/publishers", r#"{"name": "publishers/p1"}"#);
    *scene.slow.failure.lock().expect("no panic") = Some("the disk is full".to_owned());
    scene.writer.write();
    for response in [first, second, taken] {
        let (status, body) = ready(response);
        assert_eq!((status, &body["detail"]), (503, &"the disk is full".into()), "{body}");
    }
    let again = scene.send("POST", "/v1/publishers", r#"{"name": "publishers/p1"}"#);
    scene.writer.write();
    let (status, body) = ready(again);
    assert_eq!((status, &body["metadata"]["resourceVersion"]), (200, &"1".into()), "{body}");
}

/// The response says that sending it again would not help.
#[test]
fn a_write_that_can_never_be_kept_is_the_clients_mistake() {
    let mut scene = Scene::new();
    let mut all = vec![scene.send("POST", "/v1/publishers", r#"{"name": "publishers/p1"}"#)];
    for id in 0..3 {
        let book = format!(r#"{{"name": "publishers/p1/books/b{id}", "title": "One"}}"#);
        all.push(scene.send("POST", "/v1/publishers/p1/books", &book));
    }
    let refused = scene.send("DELETE", "/v1/publishers/p1", "");
    scene.writer.write();
    assert!(all.into_iter().all(|it| ready(it).0 == 200));
    let (status, body) = ready(refused);
    assert_eq!((status, &body["detail"]), (400, &"2 changes are too many".into()), "{body}");
    assert_eq!(scene.get("/v1/publishers/p1/books/b2"), 200);
}
