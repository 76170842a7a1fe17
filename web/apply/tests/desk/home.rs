//! Browsers beside one `planloom serve`, which has an adapter and keeps the state.

use std::{
    cell::Cell,
    future::{pending, poll_fn},
    rc::Rc,
    task::Poll,
};

use adapter::{LocalTransport, MemoryLedger, Service, Setup, Simulator, SimulatorConfig, testing::World};
use fetch::Network;
use http::{Request, Response, StatusCode, header};
use protocol::{LocalFuture, Transport, TransportError};
use state::{Backend, testing::TerraformServer};
use ui::Target;
use web::apply::message::{Answer, Question, Request as PageRequest};

use crate::{Browser, Page, SHOP};

const TOKEN: &str = "0123456789abcdef";
const ORIGIN: &str = "http://127.0.0.1:7070";

#[derive(Clone)]
struct Home {
    states: TerraformServer,
    simulator: Simulator,
    adapter: Rc<LocalTransport>,
    /// The server's own time.
    time: World,
    /// So many requests are answered, and no more.
    patience: Rc<Cell<usize>>,
}

impl Home {
    fn new() -> Self {
        let time = World::new();
        let simulator = Simulator::new(time.timer(), SimulatorConfig::default());
        let setup = Setup {
            ledger: Box::new(MemoryLedger::default()),
            timer: time.timer(),
            spawn: time.spawner(),
            token: Some(TOKEN.into()),
            base: "/adapters/process".into(),
        };
        let service = Service::new(Simulator::description(&["service", "network"]), simulator.clone(), setup);
        let adapter = LocalTransport::new(Rc::new(service.expect("an empty ledger")), time.timer());
        Self {
            states: TerraformServer::guarded(TOKEN),
            simulator,
            adapter: Rc::new(adapter),
            time,
            patience: Rc::new(Cell::new(usize::MAX)),
        }
    }

    fn browser(&self, name: &str) -> Browser {
        Browser::on(Rc::new(self.clone()), name)
    }

    /// A page that was opened with the link that the server printed.
    fn page(&self, browser: &Browser) -> Page {
        let page = browser.page(SHOP);
        page.session.receive(PageRequest::Home { token: TOKEN.into(), simulates: false });
        page.time.advance(10);
        page.rest();
        page
    }

    /// The server works while somebody waits for it.
    fn served<T: 'static>(&self, mut answer: LocalFuture<T>) -> LocalFuture<T> {
        let time = self.time.clone();
        Box::pin(poll_fn(move |cx| {
            let answered = (0..1000).find_map(|_| {
                time.advance(10);
                match answer.as_mut().poll(cx) {
                    Poll::Ready(answer) => Some(answer),
                    Poll::Pending => None,
                }
            });
            answered.map_or_else(|| panic!("the server does not respond"), Poll::Ready)
        }))
    }

    /// The number of resources, and of those that were ever created.
    fn made(&self) -> (usize, u64) {
        (self.simulator.resources().len(), self.simulator.call_counts().made)
    }
}

impl Transport for Home {
    fn send(&self, request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let left = self.patience.get();
        self.patience.set(left.saturating_sub(1));
        let answer = self.answered(request);
        if left > 0 { answer } else { Box::pin(pending()) }
    }
}

impl Home {
    fn answered(&self, request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let path = request.uri().path();
        if path.starts_with("/adapters/process/") {
            return self.served(self.adapter.send(request));
        }
        if path.starts_with("/state/") {
            return self.states.send(request);
        }
        let is_known = request.headers()[header::AUTHORIZATION] == format!("Bearer {TOKEN}");
        let said = br#"{"format": "planloom.serve/1", "adapters": ["/adapters/process"], "state": "/state"}"#;
        let mut answer = Response::new(said.to_vec());
        *answer.status_mut() = if is_known { StatusCode::OK } else { StatusCode::UNAUTHORIZED };
        Box::pin(async move { Ok(answer) })
    }
}

impl Network for Home {
    fn transport(&self) -> Rc<dyn Transport> {
        Rc::new(self.clone())
    }

    fn answers(&self, _: &str) -> LocalFuture<bool> {
        Box::pin(async { true })
    }

    fn is_secure(&self) -> bool {
        false
    }

    fn origin(&self) -> String {
        ORIGIN.into()
    }
}

#[test]
fn a_second_browser_sees_the_shared_state() {
    let home = Home::new();
    let first = home.page(&home.browser("one"));
    first.apply();
    first.rest();
    assert_eq!((first.summary(), home.made()), ((0, 0, 0, 3), (3, 3)), "{:?}", first.live());
    let second = home.page(&home.browser("two"));
    assert_eq!((second.summary(), second.live().digest), ((0, 0, 0, 3), None));
    assert_eq!(second.heard.borrow().recorded, first.heard.borrow().recorded);
    assert!(home.states.kept("/state/shop.process").is_some() && second.live().shared == "shop.process");
    let Answer::Refused { what, .. } = second.ask(Question::Versions) else { panic!("it keeps no versions") };
    assert!(what.contains("one version"), "{what}");
}

#[test]
fn broken_files_do_not_hide_what_an_apply_would_touch() {
    let home = Home::new();
    let page = home.browser("one").page("services: {web: {payload: gone}}\n");
    page.session.receive(PageRequest::Home { token: TOKEN.into(), simulates: false });
    page.time.advance(10);
    page.rest();
    let live = page.live();
    assert_eq!(live.error.as_ref().map(|it| &*it.code), Some("apply/broken-files"));
    assert_eq!(live.target(), Target::ThisMachine("process".into()));
}

#[test]
fn a_tab_that_is_gone_is_in_nobodys_way_in_its_own_browser() {
    let mut left_behind = 0;
    for requests in 0..30 {
        let home = Home::new();
        let browser = home.browser("one");
        let page = home.page(&browser);
        home.patience.set(requests);
        page.apply();
        page.time.kill();
        home.patience.set(usize::MAX);
        // The browser's lock ends with its tab.
        if let Some(holder) = page.time.run(browser.backend.holder()).expect("in memory") {
            left_behind += 1;
            page.time.run(browser.backend.unlock(&holder.id)).expect("in memory");
        }
        let again = home.page(&browser);
        if again.live().digest.is_some() {
            again.apply();
            again.rest();
        }
        assert_eq!(again.summary(), (0, 0, 0, 3), "closed after {requests} requests: {:?}", again.live());
        assert_eq!(home.made(), (3, 3), "closed after {requests} requests");
    }
    assert!(left_behind > 10, "only {left_behind} were at work");
}

#[test]
fn a_holder_in_another_browser_is_named_and_can_be_unlocked() {
    let home = Home::new();
    let page = home.page(&home.browser("one"));
    page.session.receive(PageRequest::Watch(true));
    page.time.advance(100);
    let other = home.page(&home.browser("two"));
    other.session.receive(PageRequest::Watch(true));
    other.time.advance(100);
    other.rest();
    let holder = other.live().holder.expect("who holds it");
    assert_eq!((&*holder.who, &*holder.operation), ("the test, browser one", "watch"));
    other.session.receive(PageRequest::Unlock(holder.id));
    other.time.advance(10);
    other.rest();
    assert_eq!((other.live().holder, other.live().error), (None, None));
}
