//! A client that writes at random, and knows what has to be there.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    sync::atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value as Json, json};

use super::client::Client;

/// Numbers of a fixed sequence.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// The resources of a writer: its publisher, and the titles of its books.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct World {
    pub(crate) publisher: bool,
    pub(crate) books: BTreeMap<String, String>,
}

/// A writer of one publisher and its books, which no other one writes.
pub(crate) struct Writer {
    number: usize,
    random: Random,
    pub(crate) world: World,
    /// The resources if the request without an answer was executed.
    pub(crate) other: Option<World>,
    /// The resource versions of all answers; none occurs twice.
    pub(crate) versions: BTreeSet<u64>,
    count: u64,
}

/// A request, the status that it has to have, and what there is afterwards.
struct Step {
    method: &'static str,
    path: String,
    body: Option<Json>,
    status: u16,
    after: World,
}

impl Writer {
    pub(crate) fn new(number: usize, seed: u64) -> Self {
        let random = Random(seed ^ (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (world, other) = (World::default(), None);
        Self { number, random, world, other, versions: BTreeSet::new(), count: 0 }
    }

    pub(crate) fn publisher(&self) -> String {
        format!("publishers/p{}", self.number)
    }

    /// Writes until the server is dead, and counts what is answered.
    pub(crate) fn write(&mut self, port: u16, answered: &AtomicUsize) {
        let Ok(mut client) = Client::connect(port) else { return };
        while self.step(&mut client).is_ok() {
            answered.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn step(&mut self, client: &mut Client) -> io::Result<()> {
        let step = self.next();
        match client.send(step.method, &format!("/v1/{}", step.path), step.body.as_ref()) {
            Ok((status, body)) => {
                assert_eq!(status, step.status, "{} {}: {body}", step.method, step.path);
                if let Some(version) = body["metadata"]["resourceVersion"].as_str() {
                    let version = version.parse().expect("a number");
                    assert!(self.versions.insert(version), "{version} is answered twice");
                }
                self.world = step.after;
                Ok(())
            }
            Err(error) => {
                self.other = Some(step.after);
                Err(error)
            }
        }
    }

    fn next(&mut self) -> Step {
        self.count += 1;
        let publisher = self.publisher();
        let (books, mut after) = ("books".to_owned(), self.world.clone());
        let resource = |book: &str, title: &str| {
            Some(json!({"name": format!("books/{book}"), "title": title, "publisher": publisher}))
        };
        let existing = match self.world.books.len() {
            0 => None,
            count => self.world.books.keys().nth(self.random.below(count as u64) as usize).cloned(),
        };
        let title = "t".repeat(self.random.below(300) as usize) + &self.count.to_string();
        if !self.world.publisher {
            after.publisher = true;
            let body = Some(json!({"name": publisher}));
            return Step { method: "POST", path: "publishers".to_owned(), body, status: 200, after };
        }
        match (self.random.below(100), existing) {
            // With all its books: both or neither is gone afterwards.
            (0..3, _) => {
                Step { method: "DELETE", path: publisher, body: None, status: 200, after: World::default() }
            }
            (3..8, Some(book)) => {
                Step { method: "POST", path: books, body: resource(&book, &title), status: 409, after }
            }
            (8..40, Some(book)) => {
                after.books.insert(book.clone(), title.clone());
                let (path, body) = (format!("books/{book}?updateMask=title"), Some(json!({"title": title})));
                Step { method: "PUT", path, body, status: 200, after }
            }
            (40..52, Some(book)) => {
                after.books.remove(&book);
                Step { method: "DELETE", path: format!("books/{book}"), body: None, status: 200, after }
            }
            _ => {
                let book = format!("b{}-{}", self.number, self.count);
                after.books.insert(book.clone(), title.clone());
                let body = resource(&book, &title);
                Step { method: "POST", path: books, body, status: 200, after }
            }
        }
    }

    /// Compares what there is with what has to be there. Returns whether the request without an answer, if there is
    /// one, was executed.
    pub(crate) fn check(&mut self, found: World) -> Option<bool> {
        let other = self.other.take();
        // Requests that are refused change nothing.
        let executed = other.as_ref().filter(|it| **it != self.world).map(|it| *it == found);
        assert!(
            found == self.world || other.as_ref() == Some(&found),
            "{}: there is {found:?}, but it should be {:?} or {other:?}",
            self.publisher(),
            self.world
        );
        self.world = found;
        executed
    }
}
