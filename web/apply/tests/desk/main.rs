//! The session without a browser: pages that come and go over one state and one simulated world.

mod elsewhere;
mod home;
mod keeping;

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    task::{Context, Poll, Waker},
};

use adapter::testing::World;
use fetch::Network;
use planloom_apply::{ApplySession, DeploymentStorage, Host};
use protocol::{LocalFuture, Transport, TransportError};
use state::{Backend, MemoryBackend};
use ui::views::live::{ApplyStatus, Doing, Fault, StepItem, StepLook};
use web::{
    apply::message::{Answer, Question, Request, Response},
    files_change::FilesChange,
};
use workspace::{File, PlanOptions, engine::Environment, view::PlanView};

const SHOP: &str = "
meta: {name: shop}
payloads:
  p: {runtime: vm, params: {image_hash: abc}}
networks:
  net: {ip: 10.0.0.0/24}
services:
  db: {payload: p, network: net}
  web: {payload: p, network: net, depends_on: [db]}
";

/// The storage of a browser, which outlives its pages.
#[derive(Clone)]
struct Browser {
    backend: MemoryBackend,
    world: Rc<RefCell<Option<String>>>,
    network: Rc<dyn Network>,
    name: String,
    /// The number of pages so far.
    pages: Rc<Cell<i64>>,
}

/// A page with its worker.
struct Page {
    time: World,
    session: ApplySession,
    heard: Rc<RefCell<Heard>>,
}

#[derive(Default)]
struct Heard {
    live: ApplyStatus,
    steps: Vec<StepItem>,
    plan: Option<PlanView>,
    recorded: Option<String>,
    answers: Vec<Answer>,
    controllers: Option<ui::views::controllers::Snapshot>,
    /// The number of responses.
    count: usize,
}

struct Nowhere;

impl Network for Nowhere {
    fn transport(&self) -> Rc<dyn Transport> {
        struct Lose;
        impl Transport for Lose {
            fn send(
                &self,
                _: http::Request<Vec<u8>>,
            ) -> LocalFuture<Result<http::Response<Vec<u8>>, TransportError>> {
                Box::pin(async { Err(TransportError::Blocked("it failed".into())) })
            }
        }
        Rc::new(Lose)
    }

    fn answers(&self, address: &str) -> LocalFuture<bool> {
        let there = address.contains("there");
        Box::pin(async move { there })
    }

    fn is_secure(&self) -> bool {
        true
    }

    fn origin(&self) -> String {
        "https://app.example".into()
    }
}

impl Browser {
    fn new() -> Self {
        Self::on(Rc::new(Nowhere), "here")
    }

    fn on(network: Rc<dyn Network>, name: &str) -> Self {
        Self {
            backend: MemoryBackend::default(),
            world: Rc::default(),
            network,
            name: name.into(),
            pages: Rc::default(),
        }
    }

    fn page(&self, yaml: &str) -> Page {
        let time = World::new();
        // Each is opened an hour after the one before: earlier resources are ready by then.
        time.advance(3_600_000 * self.pages.replace(self.pages.get() + 1));
        let page = self.blank(time);
        page.describe(1, yaml);
        page
    }

    /// A page that describes nothing yet.
    fn blank(&self, time: World) -> Page {
        let browser = self.clone();
        // Pages of one browser do not live at the same time here, and a lease that a page left behind is over.
        let backend: Rc<dyn Backend> = Rc::new(self.backend.clone());
        let open = move |_: String| -> LocalFuture<DeploymentStorage> {
            let (world, backend, name) = (browser.world.clone(), backend.clone(), browser.name.clone());
            Box::pin(async move {
                let (kept, reread) = (world.borrow().clone(), world.clone());
                let save = Rc::new(move |text: String| -> LocalFuture<()> {
                    *world.borrow_mut() = Some(text);
                    Box::pin(async {})
                });
                let again = reread.clone();
                let reread = Rc::new(move || -> LocalFuture<Option<String>> {
                    let kept = again.borrow().clone();
                    Box::pin(async { kept })
                });
                DeploymentStorage { backend, world: kept, reread, save, kept: true, browser: name }
            })
        };
        let heard: Rc<RefCell<Heard>> = Rc::default();
        let ears = heard.clone();
        let drawn = RefCell::new(0_u8);
        // No two pages draw the same.
        let number = u8::try_from(self.pages.get() % 100).unwrap_or_default();
        let own = [self.name.bytes().next().unwrap_or_default(), number];
        let environment = Environment {
            timer: time.timer(),
            clock: time.timer().clock(),
            random: Rc::new(move || {
                let mut drawn = drawn.borrow_mut();
                *drawn += 1;
                let mut bytes = [*drawn; 16];
                bytes[..2].copy_from_slice(&own);
                bytes
            }),
            spawn: time.spawner(),
            who: "the test".into(),
        };
        let host = Host {
            environment,
            open: Rc::new(open),
            network: self.network.clone(),
            tell: Rc::new(move |response| ears.borrow_mut().hear(response)),
        };
        Page { session: ApplySession::new(host), time, heard }
    }
}

impl Heard {
    fn hear(&mut self, response: Response) {
        self.count += 1;
        match response {
            Response::Live(live) => self.live = *live,
            Response::Steps { all, steps } => {
                if all {
                    self.steps.clear();
                }
                for (at, step) in steps {
                    self.steps.resize_with((at + 1).max(self.steps.len()), StepItem::default);
                    self.steps[at] = step;
                }
            }
            Response::Planned { plan, .. } => self.plan = plan.map(|plan| *plan),
            Response::Recorded(text) => self.recorded = text,
            Response::Controllers(controllers) => self.controllers = Some(*controllers),
            Response::Answer { answer, .. } => self.answers.push(answer),
            Response::Stopped { message } => panic!("{message}"),
        }
    }
}

impl Page {
    fn describe(&self, revision: u64, yaml: &str) {
        self.describe_with(revision, yaml, PlanOptions::default());
    }

    fn describe_with(&self, revision: u64, yaml: &str, options: PlanOptions) {
        let files = vec![File { name: "shop.yaml".into(), text: yaml.into(), package: None }];
        let change = FilesChange::All(files);
        self.session.receive(Request::Describe { revision, change, options });
        self.rest();
    }

    /// Until nothing is done any more.
    fn rest(&self) {
        for _ in 0..600 {
            self.time.advance(100);
            if self.live().doing == Doing::Idle {
                return;
            }
        }
        panic!("it does not come to an end: {:?}", self.live());
    }

    fn apply(&self) {
        let digest = self.live().digest.expect("there is something to apply");
        self.session.receive(Request::Apply { digest, keep_going: false, allow_rebuild: false });
        self.time.advance(10);
    }

    fn live(&self) -> ApplyStatus {
        self.heard.borrow().live.clone()
    }

    fn looks(&self) -> Vec<StepLook> {
        self.heard.borrow().steps.iter().map(|it| it.look).collect()
    }

    fn summary(&self) -> (usize, usize, usize, usize) {
        let heard = self.heard.borrow();
        let summary = &heard.plan.as_ref().expect("a plan").summary;
        (summary.create, summary.update + summary.rebuild, summary.destroy, summary.unchanged)
    }

    /// Of what is recorded.
    fn phases(&self) -> Vec<String> {
        let recorded = self.heard.borrow().recorded.clone().expect("a state");
        let state: serde_json::Value = serde_json::from_str(&recorded).expect("JSON");
        let resources = state["resources"].as_object().expect("resources").values();
        resources.map(|it| it["phase"].as_str().unwrap_or_default().to_owned()).collect()
    }

    fn ask(&self, question: Question) -> Answer {
        self.session.receive(Request::Ask { id: 1, question });
        self.time.advance(10);
        self.rest();
        self.heard.borrow_mut().answers.pop().expect("an answer")
    }
}

/// The number of resources in the kept world, and of those that were ever created.
fn world(browser: &Browser) -> (usize, u64) {
    let text = browser.world.borrow().clone().expect("a world");
    let world: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let things = world["simulator"]["things"].as_array().map_or(0, Vec::len);
    (things, world["simulator"]["tally"]["made"].as_u64().expect("a count"))
}

#[test]
fn a_plan_is_applied_and_a_new_page_is_in_step() {
    let browser = Browser::new();
    let page = browser.page(SHOP);
    assert_eq!(page.summary(), (3, 0, 0, 0));
    page.apply();
    page.rest();
    let outcome = page.live().outcome.expect("an outcome");
    assert!(outcome.ok && outcome.done == 3, "{:?}", page.live());
    assert_eq!((page.summary(), page.live().digest), ((0, 0, 0, 3), None));
    let again = browser.page(SHOP);
    assert_eq!(again.summary(), (0, 0, 0, 3));
    assert_eq!(again.heard.borrow().recorded, page.heard.borrow().recorded);
    assert_eq!(world(&browser), (3, 3));
}

#[test]
fn a_speed_that_is_chosen_before_the_simulator_is_open_holds() {
    let browser = Browser::new();
    let page = browser.blank(World::new());
    page.session.receive(Request::Latency(0));
    page.describe(1, SHOP);
    assert_eq!(page.live().latency, 0);
    let text = browser.world.borrow().clone().expect("a world");
    let world: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(world["latency"], 0);
}

/// A simulator makes nothing real, so any goes on with a state that is brought to it: what it does not have is created.
#[test]
fn a_state_goes_on_with_the_simulator_of_another_browser() {
    let browser = Browser::new();
    let page = browser.page(SHOP);
    page.apply();
    page.rest();
    let other = Browser { backend: browser.backend.clone(), ..Browser::on(Rc::new(Nowhere), "elsewhere") };
    let page = other.page(SHOP);
    assert_eq!((page.live().error, page.summary()), (None, (3, 0, 0, 0)));
}

/// The recorded state, as if another adapter had created its resources.
fn made_elsewhere(backend: &MemoryBackend) -> MemoryBackend {
    let mut load = backend.load();
    let loaded = load.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    let Poll::Ready(Ok(Some(mut snapshot))) = loaded else { panic!("a state in memory is there at once") };
    for made in snapshot.resources.values_mut().filter_map(|it| it.adapter.as_mut()) {
        made.instance = "elsewhere".into();
    }
    MemoryBackend::of(snapshot)
}

#[test]
fn resources_of_another_adapter_are_not_created_again() {
    let browser = Browser::new();
    let page = browser.page(SHOP);
    page.apply();
    page.rest();
    let backend = made_elsewhere(&browser.backend);
    let other = Browser { backend, ..Browser::on(Rc::new(Nowhere), "elsewhere") };
    let page = other.page(SHOP);
    let live = page.live();
    let error = live.error.expect("what is wrong");
    assert_eq!((error.code.as_str(), live.digest), ("engine/other-adapter", None));
    assert!(error.message.contains("services.db") && error.help.contains("--move-to"), "{error:?}");
    page.session.receive(Request::Watch(true));
    page.rest();
    assert_eq!(page.live().error.map(|it| it.code).as_deref(), Some("engine/other-adapter"));
    assert!(other.world.borrow().is_none(), "nothing was made");
    assert_eq!(browser.page(SHOP).summary(), (0, 0, 0, 3), "where it was made all is well");
}

/// The state is gone, and the resources are there.
#[test]
fn resources_of_a_lost_state_are_not_created_again() {
    let browser = Browser::new();
    let page = browser.page(SHOP);
    page.apply();
    page.rest();
    let lost = Browser { backend: MemoryBackend::default(), ..browser };
    let live = lost.page(SHOP).live();
    let error = live.error.expect("what is wrong");
    assert_eq!((error.code.as_str(), live.digest), ("engine/other-lineage", None));
    assert!(error.help.contains("--adopt"), "{error:?}");
    assert_eq!(world(&lost), (3, 3));
}

#[test]
fn nothing_is_kept_that_is_about_to_be_destroyed() {
    let browser = Browser::new();
    let page = browser.page(SHOP);
    page.apply();
    page.rest();
    page.describe_with(2, SHOP, PlanOptions { destroy: true, ..PlanOptions::default() });
    for yaml in [SHOP, "meta: [\n"] {
        page.session.receive(Request::Watch(true));
        page.time.advance(5_000);
        assert_eq!(page.live().doing, Doing::Idle, "{yaml}");
        page.describe(3, "meta: [\n");
    }
}

/// Watching brings back; it does not begin.
#[test]
fn a_watch_starts_nothing_new_and_says_so() {
    let browser = Browser::new();
    let page = browser.page(SHOP);
    page.session.receive(Request::Watch(true));
    page.time.advance(5_000);
    assert_eq!(page.live().doing, Doing::Watching);
    let waiting = "Only drift is restored. Apply to create networks.net, services.db, services.web.";
    assert_eq!(page.live().waiting, waiting);
    assert!(browser.world.borrow().is_none(), "nothing was made");
    page.session.receive(Request::Watch(false));
    page.rest();
}

#[test]
fn a_page_that_is_closed_at_any_moment_leaves_nothing_twice() {
    for millis in (0..2_400).step_by(90) {
        let browser = Browser::new();
        let page = browser.page(SHOP);
        page.apply();
        page.time.advance(millis);
        page.time.kill();
        // The browser's lock shows that the tab is gone.
        if let Some(holder) = page.time.run(browser.backend.holder()).expect("it is in memory") {
            page.time.run(browser.backend.unlock(&holder.id)).expect("it is in memory");
        }
        let again = browser.page(SHOP);
        if again.live().digest.is_some() {
            again.apply();
            again.rest();
        }
        assert_eq!(again.summary(), (0, 0, 0, 3), "closed after {millis} ms: {:?}", again.live());
        assert_eq!(world(&browser), (3, 3), "closed after {millis} ms");
        assert_eq!(again.phases(), ["active"; 3], "closed after {millis} ms");
    }
}

/// A pending resource gets ready by itself: the user who applies again approved all the same, and it is recorded.
#[test]
fn a_run_is_stopped_at_once_and_goes_on_at_any_moment() {
    for millis in (100..2_400).step_by(90) {
        let browser = Browser::new();
        let page = browser.page(SHOP);
        page.apply();
        page.time.advance(millis);
        page.session.receive(Request::Stop { at_once: true });
        page.rest();
        if page.live().digest.is_some() {
            page.time.advance(5_000);
            page.apply();
            page.rest();
        }
        let live = page.live();
        assert_eq!((live.error, page.summary()), (None, (0, 0, 0, 3)), "stopped after {millis} ms");
        page.session.receive(Request::Look);
        page.rest();
        assert_eq!(page.phases(), ["active"; 3], "stopped after {millis} ms");
        assert_eq!(world(&browser), (3, 3), "stopped after {millis} ms");
    }
}

#[test]
fn failures_are_located_and_stop_dependents() {
    let browser = Browser::new();
    let page = browser.page(SHOP);
    page.session.receive(Request::Inject { fault: Fault::Fail, address: "services.db".into() });
    page.apply();
    page.rest();
    let live = page.live();
    let outcome = live.outcome.expect("an outcome");
    assert_eq!((outcome.ok, outcome.done, outcome.failed, outcome.skipped), (false, 1, 1, 1));
    let heard = page.heard.borrow();
    let failed = heard.steps.iter().find(|it| it.look == StepLook::Failed).expect("a failed step");
    let error = failed.error.as_ref().expect("what went wrong");
    assert_eq!((error.code.as_str(), error.places.len()), ("adapter/invalid_spec", 1), "{error:?}");
    let skipped = heard.steps.iter().find(|it| it.look == StepLook::Skipped).expect("a skipped step");
    assert_eq!(skipped.because.as_deref(), Some("services.db"));
    drop(heard);
    page.apply();
    page.rest();
    assert_eq!((page.summary(), world(&browser)), ((0, 0, 0, 3), (3, 3)));
}

#[test]
fn a_run_is_stopped_gently_and_goes_on_later() {
    let browser = Browser::new();
    let page = browser.page(SHOP);
    page.apply();
    page.time.advance(150);
    page.session.receive(Request::Stop { at_once: false });
    assert_eq!(page.live().doing, Doing::Stopping);
    page.rest();
    let outcome = page.live().outcome.expect("an outcome");
    assert!(outcome.stopped && !outcome.ok && outcome.done == 1 && outcome.not_started == 2, "{outcome:?}");
    assert_eq!(page.looks()[0], StepLook::Done);
    page.apply();
    page.rest();
    assert_eq!(world(&browser), (3, 3));
}

#[test]
fn drift_is_seen_accepted_and_repaired() {
    let browser = Browser::new();
    let page = browser.page(SHOP);
    page.apply();
    page.rest();
    page.session.receive(Request::Inject { fault: Fault::Change, address: "services.web".into() });
    page.rest();
    let plan = page.heard.borrow().plan.clone().expect("a plan");
    let drifted: Vec<_> = ui::views::live::drifted(&plan).collect();
    assert_eq!(drifted.len(), 1, "{plan:?}");
    let change = drifted[0].changes.iter().find(|it| it.observed != it.persisted).expect("what drifted");
    let (address, path, value) = ("services.web".to_owned(), change.path.clone(), change.observed.clone());
    assert_eq!(page.ask(Question::Accept { address, path, value }), Answer::Done);
    let plan = page.heard.borrow().plan.clone().expect("a plan");
    assert_eq!(ui::views::live::drifted(&plan).count(), 0, "what was accepted has not drifted");
    assert_eq!(plan.actions.len(), 1, "the files still ask for the other value");
    page.apply();
    page.rest();
    page.session.receive(Request::Watch(true));
    page.time.advance(3_000);
    page.session.receive(Request::Inject { fault: Fault::Remove, address: "services.web".into() });
    page.time.advance(6_000);
    assert_eq!(page.live().doing, Doing::Watching);
    assert!(page.live().outcome.is_some_and(|it| it.ok), "{:?}", page.live());
    page.session.receive(Request::Watch(false));
    page.rest();
    assert_eq!(page.summary(), (0, 0, 0, 3));
    assert_eq!(world(&browser).0, 3);
}

const LABELLED: &str = "
meta: {name: shop}
payloads:
  p: {runtime: vm}
services:
  db: {payload: p, labels: {tier: one, zone: east}}
  web: {payload: p, labels: {tier: two}}
";

/// Changes attributes of the resources in the kept world, as somebody else would.
fn change(browser: &Browser, changes: &[(&str, &str, &str)]) {
    let text = browser.world.borrow().clone().expect("a world");
    let mut world: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let things = world["simulator"]["things"].as_array_mut().expect("things");
    for (address, pointer, value) in changes {
        let thing = things.iter_mut().find(|it| it["address"] == *address).expect("the thing");
        *thing["actual"].pointer_mut(pointer).expect("the attribute") = (*value).into();
    }
    *browser.world.borrow_mut() = Some(world.to_string());
}

/// The values that the page shows as drift: address, path, recorded, seen.
fn drift(page: &Page) -> Vec<(String, String, String, String)> {
    let plan = page.heard.borrow().plan.clone().expect("a plan");
    let text = |json: &serde_json::Value| json.as_str().unwrap_or_default().to_owned();
    let rows = ui::views::live::drifted(&plan).flat_map(|row| {
        row.changes
            .iter()
            .map(|it| (row.address.clone(), it.path.clone(), text(&it.persisted), text(&it.observed)))
    });
    rows.collect()
}

#[test]
fn one_value_is_put_back_and_the_others_stay_as_they_are() {
    let browser = Browser::new();
    let page = browser.page(LABELLED);
    page.apply();
    page.rest();
    let changes = [
        ("services.db", "/labels/tier", "other"),
        ("services.db", "/labels/zone", "west"),
        ("services.web", "/labels/tier", "else"),
    ];
    change(&browser, &changes);
    page.session.receive(Request::Look);
    page.rest();
    let row = |address: &str, path: &str, was: &str, is: &str| {
        (address.to_owned(), path.to_owned(), was.to_owned(), is.to_owned())
    };
    let (zone, web) = (
        row("services.db", "/labels/zone", "east", "west"),
        row("services.web", "/labels/tier", "two", "else"),
    );
    assert_eq!(drift(&page), [row("services.db", "/labels/tier", "one", "other"), zone.clone(), web.clone()]);
    let (address, path) = ("services.db".to_owned(), "/labels/tier".to_owned());
    assert_eq!(page.ask(Question::Revert { address, path }), Answer::Done);
    assert_eq!(drift(&page), [zone, web.clone()]);
    assert_eq!((page.live().outcome, page.live().error, page.looks()), (None, None, Vec::new()));
    let (address, path) = ("services.db".to_owned(), "/labels/zone".to_owned());
    assert_eq!(page.ask(Question::Revert { address, path }), Answer::Done);
    assert_eq!(drift(&page), std::slice::from_ref(&web));
    assert_eq!(drift(&browser.page(LABELLED)), [web], "and a new page sees the same");
    assert_eq!(world(&browser), (2, 2), "nothing was made anew");
}

#[test]
fn a_failed_revert_is_reported_and_changes_nothing() {
    let browser = Browser::new();
    let page = browser.page(LABELLED);
    page.apply();
    page.rest();
    change(&browser, &[("services.db", "/labels/tier", "other")]);
    page.session.receive(Request::Look);
    page.rest();
    let before = (drift(&page), page.live().digest.is_some());
    page.session.receive(Request::Inject { fault: Fault::Fail, address: "services.db".into() });
    page.rest();
    let (address, path) = ("services.db".to_owned(), "/labels/tier".to_owned());
    let answer = page.ask(Question::Revert { address: address.clone(), path: path.clone() });
    let Answer::Refused { what, .. } = answer else { panic!("it was said to be done") };
    assert!(what.contains("injected this failure"), "{what}");
    let error = page.live().error.expect("what went wrong");
    assert_eq!((error.code.as_str(), error.places.len()), ("adapter/invalid_spec", 1));
    assert_eq!((drift(&page), page.live().digest.is_some()), before);
    assert_eq!(page.ask(Question::Revert { address, path }), Answer::Done, "another time");
    assert_eq!((drift(&page), page.summary()), (Vec::new(), (0, 0, 0, 2)));
}

/// The page is closed while the adapter is at work: the next one finds out what came of it.
#[test]
fn a_page_that_is_closed_while_a_value_is_put_back_loses_nothing() {
    for millis in (0..700).step_by(70) {
        let browser = Browser::new();
        let page = browser.page(LABELLED);
        page.apply();
        page.rest();
        change(
            &browser,
            &[("services.db", "/labels/tier", "other"), ("services.web", "/labels/tier", "else")],
        );
        page.session.receive(Request::Look);
        page.rest();
        let (address, path) = ("services.db".to_owned(), "/labels/tier".to_owned());
        let question = Question::Revert { address: address.clone(), path: path.clone() };
        page.session.receive(Request::Ask { id: 1, question });
        page.time.advance(millis);
        page.time.kill();
        if let Some(holder) = page.time.run(browser.backend.holder()).expect("it is in memory") {
            page.time.run(browser.backend.unlock(&holder.id)).expect("it is in memory");
        }
        let again = browser.page(LABELLED);
        assert!(again.live().error.is_none(), "closed after {millis} ms: {:?}", again.live());
        let left = drift(&again).len();
        assert!((1..=2).contains(&left), "closed after {millis} ms: {left}");
        assert_eq!(again.ask(Question::Revert { address, path }), Answer::Done);
        let left = drift(&again);
        assert!(left.len() == 1 && left[0].0 == "services.web", "closed after {millis} ms: {left:?}");
        assert_eq!(world(&browser), (2, 2), "closed after {millis} ms");
    }
}

#[test]
fn resources_unknown_to_a_restored_version_are_reported() {
    let browser = Browser::new();
    let page = browser.page(SHOP);
    page.apply();
    page.rest();
    let without = SHOP.replace("  web: {payload: p, network: net, depends_on: [db]}\n", "");
    page.describe(2, &without);
    page.apply();
    page.rest();
    page.describe(3, SHOP);
    page.apply();
    page.rest();
    let Answer::Versions(versions) = page.ask(Question::Versions) else { panic!("no versions") };
    assert_eq!(versions.iter().map(|it| it.resources).collect::<Vec<_>>(), [3, 2, 3]);
    assert_eq!(page.ask(Question::Restore(versions[1].serial)), Answer::Done);
    assert!(page.live().note.contains("does not record services.web."), "{}", page.live().note);
    let Answer::Versions(versions) = page.ask(Question::Versions) else { panic!("no versions") };
    assert_eq!(page.ask(Question::Restore(versions[1].serial)), Answer::Done);
    assert_eq!((page.summary(), page.live().digest), ((0, 0, 0, 3), None), "it has them back");
}

#[test]
fn a_version_is_read_and_one_that_is_gone_is_none() {
    let page = Browser::new().page(SHOP);
    page.apply();
    page.rest();
    let Answer::Versions(versions) = page.ask(Question::Versions) else { panic!("no versions") };
    let Answer::Version(Some(text)) = page.ask(Question::Version(versions[0].serial)) else {
        panic!("no version")
    };
    assert!(text.contains("services.web"), "{text}");
    assert_eq!(page.ask(Question::Version(99_999)), Answer::Version(None));
}

#[test]
fn the_controllers_are_told_as_long_as_somebody_looks() {
    let page = Browser::new().page(SHOP);
    page.rest();
    assert!(page.heard.borrow().controllers.is_none(), "nobody looks");
    page.session.receive(Request::Inspect(true));
    page.time.advance(1_000);
    let shown = page.heard.borrow_mut().controllers.take().expect("controllers");
    let ids: Vec<&str> = shown.controllers.iter().map(|it| &*it.id).collect();
    assert_eq!(ids, ["observe", "plan", "schedule", "execute", "lease", "watch"]);
    assert!(shown.controllers.iter().take(2).all(|it| it.ok > 0), "{:?}", shown.controllers);
    assert!(!shown.edges.is_empty() && shown.kinds.iter().any(|it| it.name == "plans"));
    page.session.receive(Request::Inspect(false));
    page.time.advance(1_000);
    page.apply();
    page.rest();
    assert!(page.heard.borrow().controllers.is_none(), "nobody looks any more");
}

#[test]
fn everything_is_destroyed_and_an_older_version_can_be_compared() {
    let browser = Browser::new();
    let page = browser.page(SHOP);
    page.apply();
    page.rest();
    page.describe_with(2, SHOP, PlanOptions { destroy: true, ..PlanOptions::default() });
    assert_eq!(page.summary().2, 3);
    page.apply();
    page.rest();
    assert!(page.live().outcome.is_some_and(|it| it.ok && it.destroyed));
    assert_eq!(world(&browser).0, 0);
    let Answer::Versions(versions) = page.ask(Question::Versions) else { panic!("no versions") };
    assert_eq!(versions.iter().map(|it| it.resources).collect::<Vec<_>>(), [0, 3]);
    let Answer::Differences(found) = page.ask(Question::Compare { before: versions[1].serial, after: None })
    else {
        panic!("no differences")
    };
    assert!(
        found.len() == 3 && found.iter().all(|it| it.change == workspace::view::StateChange::Removed),
        "{found:?}"
    );
}

#[test]
fn a_plan_that_is_not_the_one_that_was_looked_at_is_refused() {
    let browser = Browser::new();
    let page = browser.page(SHOP);
    page.session.receive(Request::Apply {
        digest: "sha256:0".into(),
        keep_going: false,
        allow_rebuild: false,
    });
    page.time.advance(10);
    page.rest();
    assert_eq!(page.live().error.map(|it| it.code), Some("engine/plan-changed".into()));
    assert_eq!(page.heard.borrow().recorded, None, "nothing was recorded");
}

fn claim_of_another_tab(page: &Page) -> state::Claim {
    state::Claim {
        id: "other".into(),
        who: "the other tab".into(),
        operation: "apply".into(),
        now: page.time.now(),
        ttl: 1_000_000,
    }
}

#[test]
fn the_holder_of_the_state_is_shown_while_it_holds() {
    let browser = Browser::new();
    let page = browser.page(SHOP);
    page.rest();
    let lease = page.time.run(browser.backend.acquire(claim_of_another_tab(&page))).expect("nobody holds it");
    page.session.receive(Request::Look);
    page.time.advance(10);
    page.rest();
    assert_eq!(page.live().holder.map(|it| it.who).as_deref(), Some("the other tab"));
    assert_eq!(page.live().error, None, "nothing is wrong");
    page.time.run(browser.backend.release(&lease)).expect("it is held");
    page.time.advance(5_000);
    page.rest();
    assert_eq!(page.live().holder, None);
}

#[test]
fn the_holder_of_the_state_is_named_and_can_be_unlocked() {
    let browser = Browser::new();
    let page = browser.page(SHOP);
    page.time.run(browser.backend.acquire(claim_of_another_tab(&page))).expect("nobody holds it");
    page.apply();
    page.rest();
    let holder = page.live().holder.expect("who holds it");
    assert_eq!((&*holder.who, &*holder.operation), ("the other tab", "apply"));
    page.session.receive(Request::Unlock(holder.id));
    page.time.advance(10);
    page.rest();
    assert_eq!((page.live().holder, page.live().error), (None, None));
    page.apply();
    page.rest();
    assert_eq!(page.summary(), (0, 0, 0, 3));
}

#[test]
fn obstacles_to_an_adapter_are_distinguished() {
    let page = Browser::new().page(SHOP);
    for (address, said) in [
        ("not an address", "not an address"),
        ("http://adapter.example", "https"),
        ("https://there.example", "CORS"),
        ("https://gone.example", "No server responds"),
    ] {
        let question = Question::Connect { address: address.into(), token: String::new() };
        let Answer::Refused { what, help } = page.ask(question) else { panic!("{address} was connected") };
        assert!(what.contains(said) && !help.is_empty(), "{address}: {what}");
    }
}

/// A user who opened the page for real resources must not create simulated ones without knowing it.
#[test]
fn a_page_that_does_not_reach_its_home_does_nothing_until_a_person_chooses() {
    let browser = Browser::new();
    let page = browser.blank(World::new());
    page.session.receive(Request::Home { token: "old".into(), simulates: false });
    page.describe(1, SHOP);
    let live = page.live();
    assert!(
        live.adrift.as_ref().is_some_and(|why| why.contains("`planloom serve` does not respond")),
        "{live:?}"
    );
    assert_eq!(live.error.map(|it| it.code), Some("apply/not-connected".into()));
    assert_eq!((live.digest, page.heard.borrow().plan.is_none()), (None, true));
    page.session.receive(Request::Apply {
        digest: "sha256:0".into(),
        keep_going: false,
        allow_rebuild: false,
    });
    page.session.receive(Request::Watch(true));
    page.rest();
    assert_eq!((page.looks(), page.heard.borrow().recorded.clone()), (Vec::new(), None), "nothing was done");
    assert_eq!(*browser.world.borrow(), None, "there is no simulated world");
    let simulator = Question::Connect { address: String::new(), token: String::new() };
    assert_eq!(page.ask(simulator), Answer::Done);
    assert_eq!((page.live().adrift, page.live().error, page.summary()), (None, None, (3, 0, 0, 0)));
    page.apply();
    page.rest();
    assert_eq!(world(&browser), (3, 3));
}

#[test]
fn a_step_at_work_says_since_when() {
    let page = Browser::new().page(SHOP);
    page.apply();
    page.time.advance(200);
    let since = |page: &Page| -> Vec<Option<i64>> {
        let heard = page.heard.borrow();
        heard.steps.iter().filter(|it| it.look == StepLook::Running).map(|it| it.since).collect()
    };
    let first = since(&page);
    assert!(
        first.first().copied().flatten().is_some_and(|it| (0..=page.time.now()).contains(&it)),
        "{first:?}"
    );
    page.time.advance(90);
    assert_eq!(since(&page), first, "it is the same step");
    page.rest();
    assert!(page.heard.borrow().steps.iter().all(|it| it.since.is_none()), "nothing is at work");
}
