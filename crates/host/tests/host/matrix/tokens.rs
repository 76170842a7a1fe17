//! Tokens: requested once, used for retries with the same key, and never shown.

use std::{cell::Cell, rc::Rc};

use adapter::{Limits, Simulator, SimulatorConfig};
use http::Response;
use planloom_host::run;
use protocol::{Answer, Code, Description, Page, Problem, Token};
use workspace::engine::{ApplyOptions, Event};

use super::scene::{Scene, TOKEN};

const WRONG: &str = "wrong-0123456789abcdef";

fn many(count: usize) -> String {
    let services: String = (0..count).map(|it| format!("  s{it}: {{payload: p}}\n")).collect();
    format!("payloads: {{p: {{runtime: vm}}}}\nservices:\n{services}")
}

/// Credentials that give these tokens, one after the other, and the number of requests for them.
fn gives(scene: &mut Scene, tokens: impl Fn(u32) -> Option<String> + 'static) -> Rc<Cell<u32>> {
    let requested = Rc::new(Cell::new(0));
    let count = requested.clone();
    scene.credentials = Some(Rc::new(move |name| {
        assert_eq!(name, "simulator");
        count.set(count.get() + 1);
        let token = tokens(count.get());
        Box::pin(async move { token.as_deref().and_then(Token::new) })
    }));
    requested
}

fn unauthorized(scene: &Scene) -> usize {
    scene.reported.borrow().iter().filter(|it| matches!(it, Event::Unauthorized { .. })).count()
}

#[test]
fn an_expired_token_is_requested_again() {
    run(async {
        let mut scene = Scene::new().await;
        scene.token = Token::new(WRONG);
        let requested = gives(&mut scene, |_| Some(TOKEN.into()));
        assert!(scene.apply(&many(12)).await.unwrap().ok);
        assert_eq!((requested.get(), unauthorized(&scene)), (1, 1));
        assert_eq!(scene.wire.writes(), [1; 12]);
        let sent = scene.wire.sent();
        assert_eq!(sent[0].authorization, Some(format!("Bearer {WRONG}")));
        assert!(sent[1..].iter().all(|it| it.authorization == Some(format!("Bearer {TOKEN}"))));
    })
    .unwrap();
}

/// Many writes are refused at the same time: one requests a token, all continue, each with its own key.
#[test]
fn of_many_refused_writes_one_requests_a_token() {
    run(async {
        let (config, limits) = (SimulatorConfig::default(), Limits::default());
        let mut scene = Scene::behind(Some("another-0123456789abcdef"), config, limits).await;
        // The description needs no token, so all writes begin with the expired one.
        scene.meddler.instead("describe", 1, || {
            let description = Simulator::description(&["service"]);
            Answer::Described(Box::new(Description { protocol: 1, ..description })).into_response()
        });
        scene.meddler.instead("list", 1, || Answer::Page(Page::default()).into_response());
        let requested = gives(&mut scene, |_| Some("another-0123456789abcdef".into()));
        assert!(scene.apply(&many(20)).await.unwrap().ok);
        assert_eq!((requested.get(), unauthorized(&scene)), (1, 1));
        let writes = scene.wire.writes();
        let again = writes.iter().filter(|it| **it == 2).count();
        // At least the one that requested the token, at most all that were in progress.
        assert!(writes.len() == 20 && (1..=10).contains(&again), "{writes:?}");
        assert_eq!(scene.simulator.call_counts().create, 20);
    })
    .unwrap();
}

/// A way to get tokens, the number of requests for a token, and the number of HTTP requests.
type Wrong = (&'static str, fn(u32) -> Option<String>, u32, usize);

#[test]
fn a_token_that_is_wrong_for_good_ends_the_run_before_anything_is_done() {
    let ways: [Wrong; 3] = [
        ("none", |_| None, 1, 1),
        ("the same", |_| Some(WRONG.into()), 1, 1),
        ("always another wrong one", |count| Some(format!("{WRONG}-{count}")), 4, 5),
    ];
    for (way, tokens, times, requests) in ways {
        run(async move {
            let mut scene = Scene::new().await;
            scene.token = Token::new(WRONG);
            let requested = gives(&mut scene, tokens);
            let error = scene.apply(&many(1)).await.unwrap_err();
            assert_eq!(error.code, "adapter/unauthorized", "{way}");
            assert_eq!((requested.get(), scene.wire.sent().len()), (times, requests), "{way}");
            assert!(scene.simulator.resources().is_empty() && scene.state().await.journal.is_empty());
        })
        .unwrap();
    }
}

/// As above, at the write itself: it was refused each time, so nothing was done, with one key.
#[test]
fn a_token_that_is_refused_at_the_write_leaves_nothing() {
    run(async {
        let mut scene = Scene::behind(None, SimulatorConfig::default(), Limits::default()).await;
        gives(&mut scene, |count| Some(format!("{WRONG}-{count}")));
        scene.meddler.refuse("create", 100, || Problem::new(Code::Unauthorized, "no"));
        let report = scene.apply(&many(1)).await.unwrap();
        assert_eq!(report.steps[0].error.as_ref().unwrap().code, "adapter/unauthorized");
        assert_eq!(scene.wire.writes(), [5]);
        assert!(scene.simulator.resources().is_empty() && scene.state().await.journal.is_empty());
    })
    .unwrap();
}

fn echo(status: u16) -> Response<Vec<u8>> {
    let text = format!("you sent `Bearer {TOKEN}`");
    let problem =
        Problem { title: text.clone(), op: Some(TOKEN.into()), ..Problem::new(Code::InvalidSpec, text) };
    let problem = problem.at(format!("/{TOKEN}"), TOKEN);
    let mut response = Answer::from(Problem { status, code: TOKEN.into(), ..problem }).into_response();
    let to = format!("http://127.0.0.1:9/?token={TOKEN}");
    response.headers_mut().insert("location", to.parse().unwrap());
    response
}

fn reflected(mut response: Response<Vec<u8>>) -> Response<Vec<u8>> {
    let mut body: serde_json::Value = serde_json::from_slice(response.body()).unwrap();
    body["outputs"]["seen"] = TOKEN.into();
    body["identity"]["seen"] = format!("x{TOKEN}x").into();
    body["message"] = TOKEN.into();
    *response.body_mut() = body.to_string().into_bytes();
    response.headers_mut().insert("etag", format!("\"{TOKEN}\"").parse().unwrap());
    response
}

/// For any response of an adapter, the token is in nothing that is reported, stored or shown.
#[test]
fn a_token_is_never_shown() {
    run(async {
        let scene = Scene::new().await;
        for status in [307, 400, 401, 403, 409, 412, 422, 429, 500, 503] {
            scene.meddler.instead("create", 1, move || echo(status));
            let engine = scene.engine(&many(1), false);
            let report = scene.apply_plan(&engine, ApplyOptions::default()).await.unwrap();
            let shown = format!("{report:?} {engine:?} {}", serde_json::to_string(&report).unwrap());
            assert!(!shown.contains(TOKEN), "{status}: {shown}");
            scene.meddler.clear();
        }
        scene.destroy(&many(1)).await.unwrap();
        scene.meddler.after("create", 1, reflected);
        scene.meddler.after("update", 1, reflected);
        assert!(scene.apply(&many(1)).await.unwrap().ok);
        let state = scene.state().await;
        assert_eq!(state.resources["services.s0"].outputs["seen"], "******");
        let reported = scene.reported.borrow();
        assert!(reported.len() > 40);
        let events = serde_json::to_string(&*reported).unwrap();
        let commits =
            serde_json::to_string(&scene.backend.commits().iter().map(|it| &**it).collect::<Vec<_>>());
        for shown in
            [events, format!("{reported:?}"), serde_json::to_string(&state).unwrap(), commits.unwrap()]
        {
            assert!(!shown.contains(TOKEN), "{shown}");
        }
    })
    .unwrap();
}
