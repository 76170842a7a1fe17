//! Nothing is made twice because a state is gone, or another adapter is asked.

use std::rc::Rc;

use adapter::{
    Deliver, Drift, LocalTransport, MemoryLedger, Service, Setup as ServiceSetup, Simulator, SimulatorConfig,
};
use planloom_workspace::{
    PlanOptions,
    engine::{ApplyOptions, Connection, Engine, EngineError, Event, FormerAdapters, Route, Watching},
};
use protocol::{Caller, Transport};
use state::{Backend, MemoryBackend, Snapshot};

use crate::{
    environment::{Environment, Worker, deployment, outcomes, plan_and_apply},
    watching::{EVERY, watch},
};

const APP: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm}}
networks: {lan: {ip: 10.0.0.0/24}}
services: {db: {payload: p, network: lan, labels: {tier: one}}, web: {payload: p, depends_on: [db]}}
";

/// A simulator that says which one it is.
struct Other {
    simulator: Simulator,
    service: Service<Simulator>,
    port: u16,
}

impl Other {
    fn new(site: &Environment, instance: &str, port: u16) -> Self {
        let simulator = Simulator::new(site.world.timer(), SimulatorConfig::default());
        let setup = ServiceSetup {
            ledger: Box::new(MemoryLedger::of(instance)),
            timer: site.world.timer(),
            spawn: site.world.spawner(),
            token: None,
            base: String::new(),
        };
        let description = Simulator::description(&["service", "network"]);
        let service = Service::new(description, simulator.clone(), setup).expect("a service");
        Self { simulator, service, port }
    }

    fn transport(&self, site: &Environment) -> Rc<dyn Transport> {
        let server: Rc<dyn Deliver> = Rc::new(self.service.clone());
        Rc::new(LocalTransport::new(server, site.world.timer()))
    }

    fn route(&self, site: &Environment) -> Route {
        self.route_named(site, &format!("simulator-{}", self.port))
    }

    fn route_named(&self, site: &Environment, name: &str) -> Route {
        let caller = Caller::new(&format!("http://127.0.0.1:{}", self.port), None).expect("an address");
        let transport = self.transport(site);
        Route {
            kind: None,
            connection: Connection { name: name.into(), transport, caller, credentials: None },
        }
    }

    fn resources(&self) -> Vec<String> {
        let mut things: Vec<String> =
            self.simulator.resources().iter().map(|it| it.address.clone()).collect();
        things.sort();
        things
    }
}

const ALL: [&str; 3] = ["networks.lan", "services.db", "services.web"];

/// An engine on a state with one adapter.
fn worker(site: &Environment, yaml: &str, other: &Other, former: FormerAdapters, destroy: bool) -> Worker {
    let planner = deployment(yaml, &PlanOptions { destroy, ..PlanOptions::default() });
    site.worker_moving(planner, Rc::new(site.backend.clone()), vec![other.route(site)], former)
}

fn apply_with(
    site: &Environment,
    yaml: &str,
    other: &Other,
    former: FormerAdapters,
) -> Result<Vec<String>, EngineError> {
    let worker = worker(site, yaml, other, former, false);
    site.drive(&worker, "apply", ApplyOptions::default()).map(|it| outcomes(&it))
}

fn apply(site: &Environment, other: &Other) -> Result<Vec<String>, EngineError> {
    apply_with(site, APP, other, FormerAdapters::Refused)
}

fn code<T: std::fmt::Debug>(done: Result<T, EngineError>) -> String {
    done.expect_err("it is refused").code.into_owned()
}

/// A site whose state is empty again, and the adapter with the resources that the state before recorded.
fn lost() -> (Environment, Other, Snapshot) {
    let site = Environment::new();
    let adapter = Other::new(&site, "one", 1);
    apply(&site, &adapter).expect("applied");
    let before = site.load();
    (Environment { backend: MemoryBackend::default().recording_commits(), ..site }, adapter, before)
}

fn is_empty(site: &Environment) -> bool {
    let backend = site.backend.clone();
    site.world.run(async move { backend.load().await }).expect("read").is_none()
}

#[test]
fn each_resource_says_which_adapter_made_it() {
    let site = Environment::new();
    let adapter = Other::new(&site, "one", 1);
    apply(&site, &adapter).expect("applied");
    for (address, entry) in site.load().resources {
        let by = entry.adapter.unwrap_or_default();
        let by = (by.instance.as_str(), by.name.as_str(), by.address.as_str());
        assert_eq!(by, ("one", "simulator", "simulator-1"), "{address}");
    }
}

#[test]
fn resources_of_a_lost_state_are_not_created_again() {
    let (site, adapter, _) = lost();
    let refused = apply(&site, &adapter).expect_err("it is refused");
    assert_eq!(refused.code, "engine/other-lineage");
    for address in ALL {
        assert!(refused.message.contains(address), "{}", refused.message);
    }
    assert!(is_empty(&site), "nothing was written");
    assert_eq!((adapter.resources(), adapter.simulator.call_counts().made), (ALL.map(Into::into).into(), 3));
}

/// Carrying out a plan that was made without a read is refused as well.
#[test]
fn a_plan_without_a_look_makes_nothing_again_either() {
    let (site, adapter, _) = lost();
    let worker = worker(&site, APP, &adapter, FormerAdapters::Refused, false);
    let engine = worker.engine.clone();
    let done = site.run(&worker.engine, async move {
        engine.open("apply").await?;
        let planned = engine.plan(false).await?;
        engine.apply(&planned.digest, ApplyOptions::default()).await
    });
    assert_eq!(code(done), "engine/other-lineage");
    assert_eq!(adapter.simulator.call_counts().made, 3);
}

#[test]
fn another_deployment_of_another_name_or_with_other_resources_is_in_nobodys_way() {
    for yaml in [
        APP.replace("name: shop", "name: market"),
        APP.replace("db", "store")
            .replace("web", "site")
            .replace("lan", "wan")
            .replace("10.0.0.0", "10.0.1.0"),
    ] {
        let (site, adapter, _) = lost();
        assert!(apply_with(&site, &yaml, &adapter, FormerAdapters::Refused).is_ok(), "{yaml}");
        assert_eq!(adapter.resources().len(), 6);
    }
}

fn adopt(
    site: &Environment,
    yaml: &str,
    adapter: &Other,
    lineage: Option<&'static str>,
) -> Result<Vec<String>, EngineError> {
    let worker = worker(site, yaml, adapter, FormerAdapters::Refused, false);
    let engine = worker.engine.clone();
    site.run(&worker.engine, async move {
        engine.open("apply").await?;
        let adopted = engine.adopt(lineage).await;
        engine.close().await?;
        adopted
    })
}

/// It is recorded as the lost state did.
#[test]
fn resources_of_a_lost_state_are_adopted_unchanged() {
    let (site, adapter, before) = lost();
    assert_eq!(adopt(&site, APP, &adapter, None).expect("adopted"), ALL);
    let after = site.load();
    assert_eq!((after.lineage, after.resources), (before.lineage, before.resources));
    assert_eq!(apply(&site, &adapter).expect("nothing is to be done"), [""; 0]);
    assert_eq!(adopt(&site, APP, &adapter, None).expect("once more"), [""; 0]);
    assert_eq!(adapter.simulator.call_counts().made, 3);
}

#[test]
fn the_next_plan_shows_what_of_the_adopted_is_not_as_described() {
    let (site, adapter, _) = lost();
    let other = APP.replace("tier: one", "tier: two").replace(", web: {payload: p, depends_on: [db]}", "");
    adopt(&site, &other, &adapter, None).expect("adopted");
    let done = apply_with(&site, &other, &adapter, FormerAdapters::Refused).expect("applied");
    assert_eq!(done, ["update services.db done", "destroy services.web done"]);
    assert_eq!(adapter.resources(), ["networks.lan", "services.db"]);
    assert_eq!(adapter.simulator.call_counts().made, 3, "nothing was made again");
}

#[test]
fn of_several_lost_states_one_has_to_be_named() {
    let (site, adapter, before) = lost();
    let yaml =
        APP.replace("10.0.0.0", "10.0.2.0").replace("db", "d2").replace("web", "w2").replace("lan", "l2");
    apply_with(&site, &yaml, &adapter, FormerAdapters::Refused).expect("other resources are in nobody's way");
    let site = Environment { backend: MemoryBackend::default(), ..site };
    assert_eq!(code(adopt(&site, APP, &adapter, None)), "engine/several-lineages");
    assert!(is_empty(&site));
    let lineage: &'static str = before.lineage.leak();
    assert_eq!(adopt(&site, APP, &adapter, Some(&lineage[..8])).expect("adopted"), ALL);
}

/// As after a return to an earlier version of the state.
#[test]
fn orphans_of_the_own_lineage_are_adopted() {
    let site = Environment::new();
    let adapter = Other::new(&site, "one", 1);
    apply(&site, &adapter).expect("applied");
    let mut snapshot = site.load();
    snapshot.resources.remove("services.web");
    let site = Environment { backend: MemoryBackend::of(snapshot), ..site };
    assert_eq!(adopt(&site, APP, &adapter, None).expect("adopted"), ["services.web"]);
    assert_eq!(apply(&site, &adapter).expect("nothing is to be done"), [""; 0]);
    assert_eq!(adapter.simulator.call_counts().made, 3);
}

#[test]
fn a_state_of_its_own_takes_no_other_lineage() {
    let (site, adapter, before) = lost();
    let yaml =
        APP.replace("10.0.0.0", "10.0.2.0").replace("db", "d2").replace("web", "w2").replace("lan", "l2");
    apply_with(&site, &yaml, &adapter, FormerAdapters::Refused).expect("applied");
    let lineage: &'static str = before.lineage.leak();
    assert_eq!(code(adopt(&site, APP, &adapter, Some(lineage))), "engine/has-lineage");
    assert_eq!(adopt(&site, APP, &adapter, None).expect("no orphans"), [""; 0]);
}

#[test]
fn another_adapter_is_refused_whatever_is_to_be_done() {
    let site = Environment::new();
    let (one, two) = (Other::new(&site, "one", 1), Other::new(&site, "two", 2));
    apply(&site, &one).expect("applied");
    let before = site.load();
    let refused = apply(&site, &two).expect_err("it is refused");
    assert_eq!((&*refused.code, refused.about.len()), ("engine/other-adapter", 3));
    assert!(
        refused.message.starts_with("networks.lan, services.db, services.web were created by adapter")
            && refused.message.contains("instance one")
            && refused.message.contains("instance two"),
        "{}",
        refused.message
    );
    let destroying = worker(&site, APP, &two, FormerAdapters::Refused, true);
    assert_eq!(code(site.drive(&destroying, "destroy", ApplyOptions::default())), "engine/other-adapter");
    let watching = worker(&site, APP, &two, FormerAdapters::Refused, false);
    let engine = watching.engine.clone();
    let watched = site.run(&watching.engine, async move {
        engine.open_skipping_unreachable("watch").await?;
        engine.watch(Watching { creates: true, ..EVERY }).await
    });
    assert_eq!(code(watched), "engine/other-adapter");
    assert_eq!((site.load(), two.simulator.call_counts()), (before, adapter::CallCounts::default()));
}

/// Operations that an earlier run began are not read at another adapter, which does not have them.
#[test]
fn begun_operations_are_read_at_their_own_adapter() {
    let site = Environment::new();
    let (one, two) = (Other::new(&site, "one", 1), Other::new(&site, "two", 2));
    apply(&site, &one).expect("applied");
    let mut snapshot = site.load();
    let entry = snapshot.resources.remove("services.web").expect("it was recorded");
    let intent = state::testing::intent("begun", "services.web");
    snapshot.journal.push(state::Intent { entry, ..intent });
    let site = Environment { backend: MemoryBackend::of(snapshot.clone()), ..site };
    assert_eq!(code(apply(&site, &two)), "engine/other-adapter");
    assert_eq!(site.load(), snapshot);
    assert_eq!(apply(&site, &one).expect("it was done"), [""; 0]);
}

/// Another adapter takes the place of one that is watched, at its address.
#[test]
fn a_watch_notices_that_its_adapter_is_another_one() {
    let site = Environment::new();
    let one = Other::new(&site, "one", 1);
    apply(&site, &one).expect("applied");
    let two = Other::new(&site, "two", 1);
    let switch = Rc::new(Switch {
        first: one.transport(&site),
        then: two.transport(&site),
        world: site.world.clone(),
    });
    let route =
        Route { connection: Connection { transport: switch, ..one.route(&site).connection }, kind: None };
    let worker = site.worker_of(APP, vec![route]);
    watch(&site, &worker, EVERY, 60, |_| {});
    let is_report = |it: &Event| matches!(it, Event::Error(it) if it.code == "engine/other-adapter");
    assert_eq!(worker.events.borrow().iter().filter(|it| is_report(it)).count(), 1);
    assert!(two.resources().is_empty());
}

/// Leads to another adapter after half a minute.
struct Switch {
    first: Rc<dyn Transport>,
    then: Rc<dyn Transport>,
    world: adapter::testing::World,
}

impl Transport for Switch {
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> protocol::LocalFuture<Result<http::Response<Vec<u8>>, protocol::TransportError>> {
        if self.world.now() < 30_000 { self.first.send(request) } else { self.then.send(request) }
    }
}

/// Recorded resources are restored; others are left alone, and so are their dependents.
#[test]
fn a_watch_starts_nothing_new() {
    let site = Environment::new();
    let one = Other::new(&site, "one", 1);
    let less = APP
        .replace("services: {db", "services: {old: {payload: p}, db")
        .replace(", web: {payload: p, depends_on: [db]}", "");
    apply_with(&site, &less, &one, FormerAdapters::Refused).expect("applied");
    let more = APP
        .replace("services: {db", "services: {old: {payload: p, depends_on: [web]}, db")
        .replace("tier: one", "tier: two");
    let worker = site.worker_of(&more, vec![one.route(&site)]);
    watch(&site, &worker, EVERY, 60, |second| {
        if second == 15 {
            one.simulator.drift(&Drift::Remove { address: "services.db".into() });
        }
    });
    assert_eq!(one.resources(), ["networks.lan", "services.db", "services.old"]);
    assert_eq!(one.simulator.call_counts().made, 4, "the database was made again");
    let worker = site.worker_of(&more, vec![one.route(&site)]);
    watch(&site, &worker, Watching { creates: true, ..EVERY }, 30, |_| {});
    assert_eq!(one.resources(), ["networks.lan", "services.db", "services.old", "services.web"]);
}

#[test]
fn a_watch_on_a_new_state_creates_nothing_without_create() {
    for (creates, made) in [(false, 0), (true, 3)] {
        let site = Environment::new();
        let one = Other::new(&site, "one", 1);
        let worker = site.worker_of(APP, vec![one.route(&site)]);
        watch(&site, &worker, Watching { creates, ..EVERY }, 30, |_| {});
        assert_eq!((one.resources().len(), is_empty(&site)), (made, made == 0));
    }
}

/// Each is destroyed at the one and created at the other, in the order of a rebuild.
#[test]
fn resources_move_to_another_adapter_on_purpose() {
    let site = Environment::new();
    let (one, two) = (Other::new(&site, "one", 1), Other::new(&site, "two", 2));
    apply(&site, &one).expect("applied");
    let former = FormerAdapters::Moved(vec![one.route(&site)]);
    let done = apply_with(&site, APP, &two, former).expect("moved");
    assert_eq!(
        (done.len(), one.resources().len(), two.resources()),
        (6, 0, ALL.map(Into::into).into()),
        "{done:?}"
    );
    assert!(
        site.load().resources.values().all(|it| it.adapter.as_ref().is_some_and(|by| by.instance == "two"))
    );
    assert_eq!(apply(&site, &two).expect("nothing is to be done"), [""; 0]);
    let former = FormerAdapters::Moved(vec![one.route(&site)]);
    assert_eq!(apply_with(&site, APP, &two, former).expect("all has moved"), [""; 0]);
}

/// A third one made them.
#[test]
fn resources_of_a_third_adapter_do_not_move() {
    let site = Environment::new();
    let others = [Other::new(&site, "one", 1), Other::new(&site, "two", 2), Other::new(&site, "three", 3)];
    apply(&site, &others[0]).expect("applied");
    let former = FormerAdapters::Moved(vec![others[1].route(&site)]);
    assert_eq!(code(apply_with(&site, APP, &others[2], former)), "engine/other-adapter");
    assert_eq!(others[0].resources(), ALL);
}

/// It goes on where it ended, and nothing is made twice.
#[test]
fn a_move_that_was_interrupted_goes_on() {
    let site = Environment::new();
    let (one, two) = (Other::new(&site, "one", 1), Other::new(&site, "two", 2));
    apply(&site, &one).expect("applied");
    let refusal = adapter::OrderEffect::Fail(protocol::Problem::new(protocol::Code::InvalidSpec, "no"));
    let which = adapter::CallMatcher::call("create").at("services.db").times(1);
    two.simulator.order(adapter::Order::new(which, refusal));
    let former = || FormerAdapters::Moved(vec![one.route(&site)]);
    let done = apply_with(&site, APP, &two, former()).expect("a report");
    assert!(done.contains(&"create services.db failed".to_owned()), "{done:?}");
    assert!(apply_with(&site, APP, &two, former()).expect("moved").iter().all(|it| it.ends_with("done")));
    assert_eq!((one.resources().len(), two.resources()), (0, ALL.map(Into::into).into()));
    assert_eq!(two.simulator.call_counts().made, 3);
}

#[test]
fn resources_of_a_lost_adapter_are_created_elsewhere() {
    let site = Environment::new();
    let (one, two) = (Other::new(&site, "one", 1), Other::new(&site, "two", 2));
    apply(&site, &one).expect("applied");
    let done = apply_with(&site, APP, &two, FormerAdapters::Lost).expect("created");
    assert_eq!(done, ["create networks.lan done", "create services.db done", "create services.web done"]);
    assert_eq!((one.resources().len(), two.resources().len()), (3, 3));
    assert_eq!(apply_with(&site, APP, &two, FormerAdapters::Lost).expect("nothing is to be done"), [""; 0]);
    let destroying = worker(&site, APP, &one, FormerAdapters::Lost, true);
    let report = site.drive(&destroying, "destroy", ApplyOptions::default()).expect("forgotten");
    assert!(report.ok && site.load().resources.is_empty(), "{report:#?}");
    assert_eq!(two.resources().len(), 3, "nobody was asked");
}

/// Without an instance, resources that moved could not be distinguished from others.
#[test]
fn resources_do_not_move_to_an_adapter_without_an_instance() {
    let site = Environment::new();
    let (one, two) = (Other::new(&site, "one", 1), Other::new(&site, "", 2));
    apply(&site, &one).expect("applied");
    for former in [FormerAdapters::Lost, FormerAdapters::Moved(vec![one.route(&site)])] {
        assert_eq!(code(apply_with(&site, APP, &two, former)), "engine/no-instance");
    }
    assert_eq!((one.resources().len(), two.resources().len()), (3, 0));
}

/// A state of an older version, and adapters that say nothing, work as before.
#[test]
fn unknown_instances_are_accepted_and_recorded_with_the_next_write() {
    let site = Environment::new();
    let one = Other::new(&site, "one", 1);
    apply(&site, &one).expect("applied");
    let mut snapshot = site.load();
    snapshot.resources.values_mut().for_each(|it| it.adapter = None);
    let serial = snapshot.serial;
    let site = Environment { backend: MemoryBackend::of(snapshot), ..site };
    assert_eq!(apply(&site, &one).expect("nothing is to be done"), [""; 0]);
    assert_eq!(site.load().serial, serial, "nothing is written without need");
    let other = APP.replace("tier: one", "tier: two");
    apply_with(&site, &other, &one, FormerAdapters::Refused).expect("applied");
    let by = |it: &state::Entry| it.adapter.as_ref().map(|it| it.instance.clone());
    assert!(site.load().resources.values().all(|it| by(it).as_deref() == Some("one")));

    let unnamed = Environment::new();
    let (first, second) = (Other::new(&unnamed, "", 1), Other::new(&unnamed, "", 2));
    apply(&unnamed, &first).expect("applied");
    assert!(apply(&unnamed, &second).is_ok(), "nobody can tell");
}

/// The old names are recorded; only an adapter that reports its instance counts.
#[test]
fn an_adapter_is_known_by_its_instance_wherever_it_is() {
    let site = Environment::new();
    let one = Other::new(&site, "one", 1);
    apply(&site, &one).expect("applied");
    let moved = Other { port: 7, ..one };
    let planner = deployment(APP, &PlanOptions::default());
    let routes = vec![moved.route_named(&site, "elsewhere")];
    let worker = site.worker_with(planner, Rc::new(site.backend.clone()), routes);
    let engine: Engine = worker.engine.clone();
    let done = site.run(&worker.engine, async move {
        engine.open("apply").await?;
        let done = plan_and_apply(&engine, ApplyOptions::default()).await;
        engine.close().await?;
        done
    });
    assert_eq!(done.map(|it| outcomes(&it)).expect("nothing is to be done"), [""; 0]);
}
