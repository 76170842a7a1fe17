#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use std::{cell::Cell, rc::Rc};

use planloom_adapter::{
    Latency, Ledger, MemoryLedger, Record, Service, Setup, Simulator, SimulatorConfig, testing::World,
};
use protocol::{Call, Reply, ResourceId};

use crate::support::{LINEAGE, Shop, caller, delete, id, patch, put, put_with, resource, spec};

fn slow() -> Shop {
    Shop::with(SimulatorConfig { latency_ms: Latency::all(4_000), ..SimulatorConfig::default() })
}

#[test]
fn a_crash_before_during_and_after_a_creation_leaves_a_trace() {
    for (crash_at, resources) in [(0, 0), (1_999, 0), (2_001, 1), (3_999, 1)] {
        let shop = slow();
        shop.begin(&put("services.web", &spec()));
        shop.world.advance(crash_at);
        let shop = shop.restarted();
        assert_eq!(shop.simulator.resources().len(), resources, "{crash_at}");
        let left = shop.ledger.records();
        assert_eq!((left.len(), left[0].known.identity.is_none()), (1, true), "{crash_at}");
        // A read finds out whether it exists.
        match shop.read("services.web") {
            Reply::Absent => assert_eq!((resources, shop.ledger.records().len()), (0, 0), "{crash_at}"),
            reply => assert_eq!((resources, resource(reply).identity.len()), (1, 1), "{crash_at}"),
        }
        // A repeated request leads to one resource.
        resource(shop.call(put("services.web", &spec())));
        assert_eq!(shop.simulator.call_counts().made, 1, "{crash_at}");
        assert_eq!(shop.simulator.resources().len(), 1, "{crash_at}");
        assert!(matches!(shop.call(delete("services.web", None, "d")), Reply::Done));
        assert!(shop.simulator.resources().is_empty(), "{crash_at}");
    }
}

#[test]
fn half_created_resources_are_taken_over_or_destroyed() {
    for destroy in [false, true] {
        let shop = slow();
        shop.begin(&put("services.web", &spec()));
        shop.world.advance(2_001);
        let shop = shop.restarted();
        if destroy {
            assert!(matches!(shop.call(delete("services.web", None, "d")), Reply::Done));
            assert!(shop.simulator.resources().is_empty());
        } else {
            let response = shop.send(caller().request(&put("services.web", &spec())));
            assert_eq!(response.status(), 201);
            assert_eq!(shop.simulator.journal().last().unwrap().outcome, "took_over");
        }
    }
}

#[test]
fn a_restart_forgets_neither_what_exists_nor_its_etag() {
    let shop = Shop::new();
    let before = shop.made("services.web");
    let shop = shop.restarted();
    assert_eq!(resource(shop.read("services.web")), before);
    assert_eq!(resource(shop.call(put_with("services.web", &spec(), "k"))), before);
    let Reply::Page(page) = shop.call(Call::List { deployment: LINEAGE.into(), page: None }) else {
        panic!()
    };
    assert_eq!(page.items, std::slice::from_ref(&before));
    assert!(matches!(shop.call(patch("services.web", &spec(), before.etag, "p")), Reply::Resource(_)));
}

#[test]
fn a_record_reads_back() {
    let shop = Shop::new();
    shop.made("services.web");
    for record in shop.ledger.records() {
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
    }
}

/// A disk that can be made full.
#[derive(Clone, Default)]
struct Disk {
    ledger: MemoryLedger,
    is_full: Rc<Cell<bool>>,
}

impl Disk {
    fn check(&self) -> Result<(), String> {
        if self.is_full.get() { Err("no space left".into()) } else { Ok(()) }
    }
}

impl Ledger for Disk {
    fn load(&mut self) -> Result<Vec<Record>, String> {
        self.check()?;
        self.ledger.load()
    }

    fn put(&mut self, record: &Record) -> Result<(), String> {
        self.check()?;
        self.ledger.put(record)
    }

    fn remove(&mut self, id: &ResourceId) -> Result<(), String> {
        self.check()?;
        self.ledger.remove(id)
    }
}

fn on(world: &World, simulator: &Simulator, disk: &Disk) -> Result<Service<Simulator>, String> {
    let (ledger, timer, spawn) = (Box::new(disk.clone()), world.timer(), world.spawner());
    let setup = Setup { ledger, timer, spawn, token: None, base: "/sim".into() };
    Service::new(Simulator::description(&["service"]), simulator.clone(), setup)
}

#[test]
fn nothing_is_created_when_the_ledger_cannot_be_written() {
    let (world, disk) = (World::new(), Disk::default());
    let simulator = Simulator::new(world.timer(), SimulatorConfig::default());
    let service = on(&world, &simulator, &disk).unwrap();
    let call = |call: &Call| world.run(service.handle(caller().request(call)));
    disk.is_full.set(true);
    assert_eq!(call(&put("services.web", &spec())).status(), 507);
    assert_eq!((simulator.call_counts().made, service.ledger_error().as_deref()), (0, Some("no space left")));
    disk.is_full.set(false);
    assert_eq!(call(&put("services.web", &spec())).status(), 201);
    assert_eq!(service.ledger_error(), None);
    disk.is_full.set(true);
    assert_eq!(call(&delete("services.web", None, "d")).status(), 204);
    assert!(simulator.resources().is_empty() && service.ledger_error().is_some());
    assert!(on(&world, &simulator, &disk).is_err());
    disk.is_full.set(false);
    let again = on(&world, &simulator, &disk).unwrap();
    let read = caller().request(&Call::Read(id("services.web")));
    assert_eq!(world.run(again.handle(read)).status(), 404);
    assert!(disk.ledger.records().is_empty());
}
