//! An adapter that is not beside the page.

use std::{cell::Cell, rc::Rc};

use adapter::{LocalTransport, MemoryLedger, Service, Setup, Simulator, SimulatorConfig, testing::World};
use fetch::Network;
use protocol::{LocalFuture, Transport, TransportError};
use web::apply::message::{Answer, Question, Request};

use crate::{Browser, Nowhere, SHOP};

/// An adapter elsewhere that can go down.
#[derive(Clone)]
struct Elsewhere {
    adapter: LocalTransport,
    down: Rc<Cell<bool>>,
}

impl Elsewhere {
    fn new(time: &World) -> Self {
        let simulator = Simulator::new(time.timer(), SimulatorConfig::default());
        let setup = Setup {
            ledger: Box::new(MemoryLedger::default()),
            timer: time.timer(),
            spawn: time.spawner(),
            token: None,
            base: String::new(),
        };
        let service = Service::new(Simulator::description(&["service", "network"]), simulator, setup);
        let adapter = LocalTransport::new(Rc::new(service.expect("a service")), time.timer());
        Self { adapter, down: Rc::default() }
    }
}

impl Transport for Elsewhere {
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> LocalFuture<Result<http::Response<Vec<u8>>, TransportError>> {
        if self.down.get() {
            return Nowhere.transport().send(request);
        }
        self.adapter.send(request)
    }
}

impl Network for Elsewhere {
    fn transport(&self) -> Rc<dyn Transport> {
        Rc::new(self.clone())
    }

    fn answers(&self, _: &str) -> LocalFuture<bool> {
        let up = !self.down.get();
        Box::pin(async move { up })
    }

    fn is_secure(&self) -> bool {
        false
    }

    fn origin(&self) -> String {
        "http://127.0.0.1:1".into()
    }
}

#[test]
fn an_adapter_that_is_gone_is_said_to_be_and_what_exists_is_not_taken_for_known() {
    let time = World::new();
    let elsewhere = Elsewhere::new(&time);
    let page = Browser::on(Rc::new(elsewhere.clone()), "here").blank(time);
    page.describe(1, SHOP);
    let question = Question::Connect { address: "http://127.0.0.1:2".into(), token: String::new() };
    assert_eq!(page.ask(question), Answer::Done);
    page.apply();
    page.rest();
    assert_eq!((page.summary(), page.live().unseen), ((0, 0, 0, 3), false));
    elsewhere.down.set(true);
    page.session.receive(Request::Look);
    page.time.advance(10);
    page.rest();
    let live = page.live();
    let error = live.error.expect("what is wrong");
    assert_eq!(error.message, "adapter `http://127.0.0.1:2`: no server responds at this address");
    assert!(live.unseen && error.code == "engine/unreachable", "{error:?}");
    elsewhere.down.set(false);
    page.session.receive(Request::Look);
    page.time.advance(10);
    page.rest();
    assert_eq!((page.summary(), page.live().unseen, page.live().error), ((0, 0, 0, 3), false, None));
}

#[test]
fn a_page_that_refreshes_follows_what_has_changed_and_says_nothing_else() {
    let time = World::new();
    let elsewhere = Elsewhere::new(&time);
    let page = Browser::on(Rc::new(elsewhere.clone()), "here").blank(time);
    page.describe(1, SHOP);
    let question = Question::Connect { address: "http://127.0.0.1:2".into(), token: String::new() };
    assert_eq!(page.ask(question), Answer::Done);
    page.apply();
    page.rest();
    let refreshes = || {
        let before = page.heard.borrow().count;
        page.session.receive(Request::Refresh);
        (0..600).for_each(|_| page.time.advance(100));
        (page.heard.borrow().count > before, page.live().unseen)
    };
    assert_eq!(refreshes(), (false, false), "all is as it was");
    elsewhere.down.set(true);
    assert_eq!(refreshes(), (true, true));
    assert_eq!(refreshes(), (false, true), "it is still gone");
    elsewhere.down.set(false);
    assert_eq!(refreshes(), (true, false));
    assert_eq!((page.summary(), page.live().error), ((0, 0, 0, 3), None));
}
