//! Servers with scripted answers.

use std::{cell::RefCell, future::ready, rc::Rc};

use futures::executor::block_on;
use http::{Request, Response};
use planloom_state::{
    Backend, BackendError, Change, Commit, Lease, Snapshot,
    terraform::{TerraformBackend, TerraformOptions},
    testing::{LeapingTimer, claim, entry},
};
use protocol::{LocalFuture, Transport, TransportError};
use serde_json::Value as Json;

type Answer = Result<(u16, String), TransportError>;

/// Gives scripted answers, and records the requests.
#[derive(Clone)]
struct Scripted {
    answer: Rc<dyn Fn(&str) -> Answer>,
    requested: Rc<RefCell<Vec<Request<Vec<u8>>>>>,
}

impl Transport for Scripted {
    fn send(&self, request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let answer = (self.answer)(&format!("{} {}", request.method(), request.uri().path()));
        self.requested.borrow_mut().push(request);
        Box::pin(ready(answer.map(|(status, body)| {
            let answer = Response::builder().status(status);
            let answer = answer.header("link", "</versions>; rel=\"version-history\"");
            answer.body(body.into_bytes()).expect("an answer")
        })))
    }
}

fn scripted(answer: impl Fn(&str) -> Answer + 'static) -> (TerraformBackend, Scripted) {
    let server = Scripted { answer: Rc::new(answer), requested: Rc::default() };
    let (timer, options) = (Rc::new(LeapingTimer::at(0)), TerraformOptions::at("http://states/shop"));
    (TerraformBackend::new(Rc::new(server.clone()), timer, options), server)
}

fn answer(status: u16, body: &str) -> Answer {
    Ok((status, body.to_owned()))
}

#[test]
fn a_history_that_is_not_there_yet_is_empty() {
    let (backend, _) = scripted(|_| answer(404, ""));
    assert_eq!(block_on(backend.versions()), Ok(Vec::new()));
    assert_eq!(block_on(backend.version(3)), Ok(None));
}

#[test]
fn a_lock_is_said_as_terraform_says_it() {
    let (backend, server) = scripted(|_| answer(200, ""));
    let at = 1_714_566_896_789;
    let lease = block_on(backend.acquire(claim("ada", at, 1000))).expect("it is not held");
    block_on(backend.release(&lease)).expect("it is held");
    let requested = server.requested.borrow();
    let methods: Vec<_> = requested.iter().map(|it| it.method().as_str()).collect();
    assert_eq!(methods, ["LOCK", "UNLOCK"]);
    for request in requested.iter() {
        let said: Json = serde_json::from_slice(request.body()).expect("it is JSON");
        for (key, value) in [
            ("ID", "lease of ada"),
            ("Operation", "apply"),
            ("Who", "ada@host (1)"),
            ("Created", "2024-05-01T12:34:56.789Z"),
        ] {
            assert_eq!(said[key], value);
        }
        assert!(said["Version"].as_str().is_some_and(|it| !it.is_empty()), "{said}");
    }
}

#[test]
fn unlocking_an_unlocked_state_is_no_error() {
    let unlock = |status: u16, body: &'static str| {
        let (backend, _) = scripted(move |_| answer(status, body));
        block_on(backend.unlock("x"))
    };
    for (status, body) in [(200, ""), (404, ""), (410, ""), (409, "{}"), (423, r#"{"ID": ""}"#)] {
        assert_eq!(unlock(status, body), Ok(()), "{status} {body}");
    }
    for (status, body, holder) in [(409, r#"{"ID": "ada"}"#, "ada"), (423, "", "")] {
        let refused = unlock(status, body);
        assert!(matches!(&refused, Err(BackendError::Locked(by)) if by.id == holder), "{refused:?}");
    }
    assert!(matches!(unlock(403, ""), Err(BackendError::Unavailable(_))));
}

#[test]
fn a_write_of_unknown_outcome_is_not_repeated_over_another() {
    let other = Snapshot { serial: 5, ..Snapshot::new("shop", "l") }.to_text();
    let requested = Rc::new(RefCell::new(0));
    let (backend, server) = scripted(move |request| {
        *requested.borrow_mut() += 1;
        match request {
            "POST /shop" => Err(TransportError::TimedOut),
            // Nothing at first; then another client has written.
            _ if *requested.borrow() == 1 => answer(404, ""),
            _ => answer(200, &other),
        }
    });
    let commit = Commit { serial: 1, changes: vec![Change::Put("services.a".into(), Box::new(entry("a")))] };
    let mut after = Snapshot::new("shop", "l");
    after.take(&commit);
    let lease = Lease { holder: Default::default(), token: String::new() };
    let refused = block_on(backend.commit(&lease, Rc::new(commit), Rc::new(after)));
    assert_eq!(refused, Err(BackendError::Stale { requested: 1, kept: 5 }));
    assert_eq!(server.requested.borrow().iter().filter(|it| it.method() == "POST").count(), 1);
}

#[test]
fn a_too_long_state_is_reported_with_the_limit() {
    let (backend, _) = scripted(|_| Err(TransportError::TooLong));
    let longest = protocol::MAX_STATE >> 20;
    let refused = block_on(backend.load());
    let reported = format!("longer than {longest} MiB");
    assert!(
        matches!(&refused, Err(BackendError::Unavailable(why)) if why.contains(&reported)),
        "{refused:?}"
    );
}

#[test]
fn debug_output_names_the_endpoint() {
    let (backend, _) = scripted(|_| answer(404, ""));
    assert!(format!("{backend:?}").contains("http://states/shop"));
}
