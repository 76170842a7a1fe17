//! Adapters that require credentials.

use std::{cell::RefCell, rc::Rc};

use adapter::testing::World;
use http::{Response, header::AUTHORIZATION};
use planloom_workspace::{
    PlanOptions,
    engine::{ApplyOptions, Connection, Credentials, EngineError, Event, Report, Route},
};
use protocol::{Caller, Code, LocalFuture, Problem, Token, Transport, TransportError};
use runtime::Timer as _;

use crate::environment::{Environment, deployment};

const APP: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm}}
services: {db: {payload: p}, web: {payload: p}}
";

/// True if a client with this token may send this request.
type LetsIn = dyn Fn(&http::Method, &str) -> bool;

/// Allows requests with the right token, and keeps the requests and their tokens.
struct TokenCheck {
    inner: Rc<dyn Transport>,
    lets_in: Box<LetsIn>,
    requests: Rc<RefCell<Vec<String>>>,
    world: World,
}

impl Transport for TokenCheck {
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let token = request.headers().get(AUTHORIZATION).and_then(|it| it.to_str().ok()).unwrap_or_default();
        let token = token.trim_start_matches("Bearer ").to_owned();
        let is_known = (self.lets_in)(request.method(), &token);
        self.requests.borrow_mut().push(format!("{} {token}", request.method()));
        let (inner, world) = (self.inner.clone(), self.world.clone());
        Box::pin(async move {
            if is_known {
                return inner.send(request).await;
            }
            world.timer().sleep_until(store::Millis(world.now() + 10)).await;
            let problem = serde_json::to_vec(&Problem::new(Code::Unauthorized, "who are you")).expect("JSON");
            let builder = Response::builder().status(401).header("content-type", "application/json");
            Ok(builder.body(problem).expect("an answer"))
        })
    }
}

/// The result of an apply, the requests to the adapter with their tokens, and the number of requests for a token.
struct CredentialRun {
    done: Result<Report, EngineError>,
    sent: Vec<String>,
    tokens: usize,
    unauthorized: usize,
}

fn apply(
    lets_in: impl Fn(&http::Method, &str) -> bool + 'static,
    tokens: Option<&[&'static str]>,
) -> CredentialRun {
    let site = Environment::new();
    let (requests, given) = (Rc::new(RefCell::new(Vec::new())), Rc::new(RefCell::new(0)));
    let world = site.world.clone();
    let gate =
        TokenCheck { inner: site.transport(), lets_in: Box::new(lets_in), requests: requests.clone(), world };
    let credentials = tokens.map(|tokens| -> Rc<Credentials> {
        let (tokens, given) = (tokens.to_vec(), given.clone());
        Rc::new(move |name| {
            assert_eq!(name, "guarded");
            *given.borrow_mut() += 1;
            let token = tokens.get(*given.borrow() - 1).and_then(|it| Token::new(it));
            Box::pin(async move { token })
        })
    });
    let caller = Caller::new("http://127.0.0.1:1", None).expect("an address");
    let connection = Connection { name: "guarded".into(), transport: Rc::new(gate), caller, credentials };
    let planner = deployment(APP, &PlanOptions::default());
    let routes = vec![Route { kind: None, connection }];
    let worker = site.worker_with(planner, Rc::new(site.backend.clone()), routes);
    let done = site.drive(&worker, "apply", ApplyOptions::default());
    let unauthorized = |it: &&Event| matches!(it, Event::Unauthorized { adapter } if adapter == "guarded");
    let unauthorized = worker.events.borrow().iter().filter(unauthorized).count();
    let (sent, tokens) = (requests.borrow().clone(), *given.borrow());
    CredentialRun { done, sent, tokens, unauthorized }
}

#[test]
fn tokens_are_tried_until_one_is_taken() {
    let run = apply(|_, token| token == "right", Some(&["first", "second", "right"]));
    assert!(run.done.expect("a report").ok);
    assert_eq!(run.sent[..4], ["GET ", "GET first", "GET second", "GET right"]);
    assert!(run.sent[4..].iter().all(|it| it.ends_with(" right")), "{:?}", run.sent);
    assert_eq!((run.tokens, run.unauthorized), (3, 3));
}

/// The number of requests to the adapter, by the tokens that are given.
#[test]
fn without_another_token_it_ends() {
    for (tokens, sent, requests, events) in [
        (None, 1, 0, 1),
        (Some(&[][..]), 1, 1, 1),
        (Some(&["one"]), 2, 2, 2),
        (Some(&["one", "one"]), 2, 2, 2),
        (Some(&["one", "two", "one", "two", "one", "right"]), 5, 4, 4),
    ] {
        let run = apply(|_, token| token == "right", tokens);
        let error = run.done.expect_err("it is not let in");
        let said = (&*error.code, &*error.help);
        assert_eq!(said, ("adapter/unauthorized", "give the adapter's token"), "{tokens:?}");
        assert_eq!((run.sent.len(), run.tokens, run.unauthorized), (sent, requests, events), "{tokens:?}");
    }
}

/// Both are refused before one of them has another token.
#[test]
fn of_many_who_need_a_token_one_asks() {
    let lets_in = |method: &http::Method, token: &str| match token {
        "old" => method != http::Method::PUT,
        token => token == "new",
    };
    let run = apply(lets_in, Some(&["old", "new"]));
    assert!(run.done.expect("a report").ok);
    let puts: Vec<&String> = run.sent.iter().filter(|it| it.starts_with("PUT")).collect();
    assert_eq!(puts, ["PUT old", "PUT old", "PUT new", "PUT new"]);
    assert_eq!((run.tokens, run.unauthorized), (2, 2));
}
