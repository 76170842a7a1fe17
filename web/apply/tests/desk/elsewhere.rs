//! An adapter that is not beside the page.

use std::{cell::Cell, rc::Rc};

use adapter::{LocalTransport, MemoryLedger, Service, Setup, Simulator, SimulatorConfig, testing::World};
use fetch::Network;
use protocol::{LocalFuture, Transport, TransportError};
use runtime::Timer;
use store::Millis;
use ui::views::live::Doing;
use web::apply::message::{Answer, Question, Request};

use crate::{Browser, Nowhere, SHOP};

/// An adapter elsewhere that can go down.
#[derive(Clone)]
struct Elsewhere {
    adapter: LocalTransport,
    time: World,
    down: Rc<Cell<bool>>,
    /// It is reached, and does not answer.
    hangs: Rc<Cell<bool>>,
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
        Self { adapter, time: time.clone(), down: Rc::default(), hangs: Rc::default() }
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
        let (adapter, hangs, timer) = (self.adapter.clone(), self.hangs.clone(), self.time.timer());
        Box::pin(async move {
            while hangs.get() {
                timer.sleep_until(Millis(timer.now().0 + 100)).await;
            }
            adapter.send(request).await
        })
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

#[test]
fn what_was_observed_too_long_ago_says_when() {
    let time = World::new();
    let elsewhere = Elsewhere::new(&time);
    let page = Browser::on(Rc::new(elsewhere.clone()), "here").blank(time);
    page.describe(1, SHOP);
    page.time.advance(60_000);
    page.session.receive(Request::Look);
    assert_eq!(page.live().seen, None, "the simulator tells by itself");
    let question = Question::Connect { address: "http://127.0.0.1:2".into(), token: String::new() };
    assert_eq!(page.ask(question), Answer::Done);
    page.apply();
    page.rest();
    let refreshes = |times: u32| {
        for _ in 0..times {
            page.session.receive(Request::Refresh);
            page.time.advance(5_000);
        }
        page.live()
    };
    assert_eq!(refreshes(10).seen, None, "all is as it was");
    let observed = page.time.now() - 5_000;
    elsewhere.hangs.set(true);
    assert_eq!(refreshes(2).seen, None, "a look may take a while");
    assert_eq!(refreshes(3).seen.map(|it| (it - observed).abs() < 1_000), Some(true), "{:?}", page.live());
    elsewhere.hangs.set(false);
    page.time.advance(1_000);
    let live = page.live();
    assert_eq!((live.seen, live.unseen, page.summary()), (None, false, (0, 0, 0, 3)));
    page.time.advance(60_000);
    elsewhere.hangs.set(true);
    page.session.receive(Request::Look);
    page.time.advance(10);
    assert!(
        page.live().seen.is_some() && page.live().doing == Doing::Looking,
        "who comes back is told at once"
    );
    elsewhere.hangs.set(false);
    page.rest();
    assert_eq!(page.live().seen, None);
    page.session.receive(Request::Watch(true));
    page.time.advance(20_000);
    assert_eq!(refreshes(4).seen, None, "a watch looks by itself");
    elsewhere.hangs.set(true);
    assert!(refreshes(4).seen.is_some(), "{:?}", page.live());
    elsewhere.hangs.set(false);
    page.time.advance(5_000);
    assert_eq!((page.live().doing, page.live().seen), (Doing::Watching, None));
    page.session.receive(Request::Watch(false));
    page.rest();
}
