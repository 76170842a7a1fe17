//! Requests and replies that are lost, and servers that are busy.

use std::{cell::Cell, rc::Rc};

use fields::FieldMask;
use http::{Request, Response, StatusCode};
use planloom_access::{Access, ErrorKind, Update};
use protocol::{LocalFuture, Transport, TransportError};
use serde_json::json;

use crate::{contract::now, support::Library};

/// The fault that a request meets.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// It does not arrive.
    Unsent,
    /// It may have arrived, and did not.
    LostRequest,
    /// It is executed, and the reply does not arrive.
    LostReply,
    /// It is refused with this status before it is executed.
    Refused(u16),
    /// It is executed, and a proxy answers with this status.
    Replaced(u16),
}

const FAULTS: [Fault; 8] = [
    Fault::Unsent,
    Fault::LostRequest,
    Fault::LostReply,
    Fault::Refused(429),
    Fault::Refused(503),
    Fault::Replaced(502),
    Fault::Replaced(503),
    Fault::Replaced(504),
];

/// Lets the request with a number, and those after it up to a count, meet a fault.
struct Faulty {
    inner: Rc<dyn Transport>,
    fault: Fault,
    from: usize,
    count: usize,
    sent: Cell<usize>,
}

impl Transport for Faulty {
    fn send(&self, request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let at = self.sent.replace(self.sent.get() + 1);
        let inner = self.inner.clone();
        let is_hit = (self.from..self.from + self.count).contains(&at);
        let fault = is_hit.then_some(self.fault);
        Box::pin(async move {
            let status = |status| {
                let mut response = Response::new(Vec::new());
                *response.status_mut() = StatusCode::from_u16(status).expect("a status");
                Ok(response)
            };
            match fault {
                None => inner.send(request).await,
                Some(Fault::Unsent) => Err(TransportError::Unreachable("refused".into())),
                Some(Fault::LostRequest) => Err(TransportError::TimedOut),
                Some(Fault::Refused(code)) => status(code),
                Some(Fault::LostReply) => {
                    drop(inner.send(request).await);
                    Err(TransportError::Broken("reset".into()))
                }
                Some(Fault::Replaced(code)) => {
                    drop(inner.send(request).await);
                    status(code)
                }
            }
        })
    }
}

#[derive(Clone, Copy, Debug)]
enum Write {
    Create,
    Update { expects: bool },
    Delete { expects: bool },
}

const WRITES: [Write; 5] = [
    Write::Create,
    Write::Update { expects: false },
    Write::Update { expects: true },
    Write::Delete { expects: false },
    Write::Delete { expects: true },
];

/// Executes a write whose requests from `from` on meet a fault. Returns the error, if any, and the resource's title and
/// generation.
fn run(write: Write, fault: Fault, from: usize, count: usize) -> (Option<ErrorKind>, Vec<String>) {
    let library = Library::new();
    let (publishers, books) = (library.kind("Publisher"), library.kind("Book"));
    let store = library.store();
    now(store.create(publishers, json!({"name": "publishers/p1"}))).expect("it is new");
    let name = "publishers/p1/books/b1";
    let book = json!({"name": name, "title": "T", "size": 7, "year": 0});
    let old = match write {
        Write::Create => None,
        Write::Update { .. } | Write::Delete { .. } => {
            Some(now(store.create(books, book.clone())).expect("it is new"))
        }
    };
    let old = old.and_then(|it| it.version);
    let transport = Faulty { inner: library.transport(), fault, from, count, sent: Cell::new(0) };
    let http = library.http(Rc::new(transport), "http://library.example.com");
    let result = match write {
        Write::Create => now(http.create(books, book)).map(drop),
        Write::Update { expects } => {
            let mask = Some(FieldMask::parse("title").expect("a mask"));
            let expected = old.filter(|_| expects);
            let update = Update { name: name.into(), resource: json!({"title": "New"}), mask, expected };
            now(http.update(books, update)).map(drop)
        }
        Write::Delete { expects } => now(http.delete(books, name, old.filter(|_| expects))),
    };
    let found = now(store.get(books, name)).ok();
    let text = |pointer: &str| {
        let value = found.as_ref().and_then(|it| it.value.pointer(pointer)?.as_str().map(str::to_owned));
        value.unwrap_or_default()
    };
    (result.err().map(|it| it.kind), vec![text("/title"), text("/metadata/generation")])
}

#[test]
fn one_fault_at_any_request_changes_nothing() {
    for write in WRITES {
        for fault in FAULTS {
            for from in 0..3 {
                let expected = match write {
                    Write::Create => ["T", "1"],
                    Write::Update { .. } => ["New", "2"],
                    Write::Delete { .. } => ["", ""],
                };
                let (failed, found) = run(write, fault, from, 1);
                assert_eq!(
                    (failed, found),
                    (None, expected.map(str::to_owned).to_vec()),
                    "{write:?} {fault:?} {from}"
                );
            }
        }
    }
}

#[test]
fn faults_that_stay_are_reported() {
    for write in WRITES {
        for (fault, failed) in [
            (Fault::Unsent, ErrorKind::Unavailable),
            (Fault::Refused(429), ErrorKind::ResourceExhausted),
            (Fault::Refused(403), ErrorKind::PermissionDenied),
        ] {
            assert_eq!(run(write, fault, 0, 1000).0, Some(failed), "{write:?} {fault:?}");
        }
    }
}

#[test]
fn what_others_created_meanwhile_is_not_taken_for_ours() {
    let library = Library::new();
    let (publishers, books) = (library.kind("Publisher"), library.kind("Book"));
    let store = library.store();
    now(store.create(publishers, json!({"name": "publishers/p1"}))).expect("it is new");
    now(store.create(books, json!({"name": "publishers/p1/books/b1", "title": "Other"}))).expect("it is new");
    for (title, failed) in [("T", Some(ErrorKind::AlreadyExists)), ("Other", None)] {
        let transport = Faulty {
            inner: library.transport(),
            fault: Fault::LostRequest,
            from: 0,
            count: 1,
            sent: Cell::new(0),
        };
        let http = library.http(Rc::new(transport), "http://library.example.com");
        let created = now(http.create(books, json!({"name": "publishers/p1/books/b1", "title": title})));
        assert_eq!(created.err().map(|it| it.kind), failed, "{title}");
    }
}
