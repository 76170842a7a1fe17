#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use planloom_adapter::{Adapter, Known, ResourceRequest};
use planloom_adapter::{
    CallMatcher, Drift, Latency, Order, OrderEffect, Simulator, SimulatorConfig, testing::World,
};
use protocol::{Call, Code, Problem, Reply};
use serde_json::{Value as Json, json};

#[cfg(not(target_arch = "wasm32"))]
use crate::support::id;
use crate::support::{Shop, delete, map, patch, put, resource, spec};

fn network(range: &str) -> serde_json::Map<String, Json> {
    map(json!({ "ip": range }))
}

fn attached() -> serde_json::Map<String, Json> {
    map(json!({ "payload": { "runtime": "vm" }, "network": "default" }))
}

fn ip(shop: &Shop, address: &str, spec: &serde_json::Map<String, Json>) -> String {
    let outputs = resource(shop.call(put(address, spec))).outputs;
    outputs["network_node"]["ip"].as_str().unwrap().to_owned()
}

#[test]
fn services_have_addresses_of_their_network_the_same_each_time() {
    let run = || {
        let shop = Shop::new();
        let made = resource(shop.call(put("networks.default", &network("10.1.0.0/24"))));
        assert_eq!(made.outputs["network_id"].as_str().unwrap().len(), 32);
        ["services.a", "services.b", "services.c"].map(|it| ip(&shop, it, &attached()))
    };
    let (one, two) = (run(), run());
    assert_eq!(one, two);
    assert!(one.iter().all(|ip| ip.starts_with("10.1.0.")));
    assert!(one[0] != one[1] && one[1] != one[2] && one[0] != one[2]);
}

#[test]
fn fixed_addresses_are_given_once_and_only_inside() {
    let shop = Shop::new();
    shop.call(put("networks.default", &network("10.1.0.0/29")));
    let fixed = |ip: &str| {
        let mut spec = attached();
        spec.insert("ip".into(), json!([ip]));
        spec
    };
    assert_eq!(ip(&shop, "services.a", &fixed("10.1.0.3")), "10.1.0.3");
    for (address, ip) in [("services.b", "10.1.0.3"), ("services.c", "10.2.0.3"), ("services.d", "10.1.0.1")]
    {
        let Reply::Refused(problem) = shop.call(put(address, &fixed(ip))) else { panic!("{ip}") };
        assert_eq!(problem.violations[0].pointer, "/ip/0", "{ip}");
    }
    let rest: Vec<Reply> = (0..6).map(|n| shop.call(put(&format!("services.s{n}"), &attached()))).collect();
    let given = rest.iter().filter(|it| matches!(it, Reply::Resource(_))).count();
    assert_eq!(given, 4, "six addresses, without the owner's and the fixed one");
    let Some(Reply::Refused(full)) = rest.last() else { panic!() };
    assert_eq!(full.violations[0].pointer, "/network");
    assert!(matches!(shop.call(delete("services.a", None, "d")), Reply::Done));
    assert_eq!(ip(&shop, "services.e", &fixed("10.1.0.3")), "10.1.0.3");
}

#[test]
fn a_network_comes_before_and_goes_after_its_services() {
    let shop = Shop::new();
    let Reply::Refused(problem) = shop.call(put("services.a", &attached())) else { panic!() };
    assert_eq!(problem.violations[0].pointer, "/network");
    shop.call(put("networks.default", &network("10.1.0.0/24")));
    let mut again = put("services.a", &attached());
    if let Call::Create { key, .. } = &mut again {
        *key = "another".into();
    }
    resource(shop.call(again));
    let Reply::Refused(problem) = shop.call(delete("networks.default", None, "n1")) else { panic!() };
    assert_eq!((problem.code.as_str(), problem.status), ("in_use", 423));
    assert!(matches!(shop.call(delete("services.a", None, "a")), Reply::Done));
    assert!(matches!(shop.call(delete("networks.default", None, "n2")), Reply::Done));
    let loose = Shop::with(SimulatorConfig { strict_networks: false, ..SimulatorConfig::default() });
    loose.call(put("networks.default", &network("10.1.0.0/24")));
    loose.call(put("services.a", &attached()));
    assert!(matches!(loose.call(delete("networks.default", None, "n")), Reply::Done));
    assert!(matches!(loose.call(put("services.b", &attached())), Reply::Refused(_)));
}

#[test]
fn proxies_have_local_ports() {
    let shop = Shop::new();
    let spec = map(json!({
        "payload": {},
        "http_proxy": { "ports": [{ "remote_port": 80, "local_port": 8080 }, { "remote_port": 81 }] },
        "tcp_proxy": { "ports": [{ "remote_port": 5432 }] },
    }));
    let outputs = resource(shop.call(put("services.a", &spec))).outputs;
    let ports = &outputs["http_proxy"]["ports"];
    assert_eq!(ports[0], json!({ "remote_port": 80, "local_port": 8080, "address": "127.0.0.1:8080" }));
    let taken = ports[1]["local_port"].as_u64().unwrap();
    assert!((20_000..60_000).contains(&taken));
    assert_ne!(outputs["tcp_proxy"]["ports"][0]["local_port"], ports[1]["local_port"]);
    let Reply::Refused(problem) = shop.call(put("services.b", &spec)) else { panic!() };
    assert_eq!(problem.violations[0].pointer, "/http_proxy/ports/0");
}

#[test]
fn a_new_resource_is_pending_first() {
    let shop = Shop::with(SimulatorConfig { ready_ms: 2_000, ..SimulatorConfig::default() });
    let made = shop.made("services.web");
    assert_eq!((made.phase, &made.outputs["state"]), (model::Phase::Pending, &json!("starting")));
    shop.world.advance(1_999);
    assert_eq!(resource(shop.read("services.web")).phase, model::Phase::Pending);
    shop.world.advance(1);
    let active = resource(shop.read("services.web"));
    assert_eq!((active.phase, &active.outputs["state"]), (model::Phase::Active, &json!("running")));
    assert_ne!(active.etag, made.etag);
}

#[test]
fn latency_and_jitter_follow_the_seed() {
    let times = |seed| {
        let config = SimulatorConfig {
            latency_ms: Latency::all(100),
            jitter_ms: 50,
            seed,
            ..SimulatorConfig::default()
        };
        let shop = Shop::with(config);
        (0..5)
            .map(|n| {
                let start = shop.world.now();
                shop.made(&format!("services.s{n}"));
                shop.world.now() - start
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(times(1), times(1));
    assert_ne!(times(1), times(2));
    assert!(times(3).iter().all(|time| (100..=150).contains(time)), "{:?}", times(3));
}

#[test]
fn orders_apply_to_the_calls_they_match() {
    let shop = Shop::new();
    let busy = || OrderEffect::Fail(Problem::new(Code::Busy, "later"));
    shop.simulator.order(Order::new(CallMatcher::call("create").at("services.b").after(1).times(1), busy()));
    shop.simulator.order(Order::new(CallMatcher::call("create").at("services.c"), OrderEffect::NeverReady));
    shop.simulator
        .order(Order::new(CallMatcher::call("destroy").at("services.a"), OrderEffect::Slow { ms: 700 }));
    shop.made("services.a");
    shop.made("services.b");
    assert!(matches!(shop.call(delete("services.b", None, "d1")), Reply::Done));
    let again = |key: &str| crate::support::put_with("services.b", &spec(), key);
    assert!(matches!(shop.call(again("k")), Reply::Busy(..)));
    assert!(matches!(shop.call(again("k")), Reply::Resource(_)));
    shop.made("services.c");
    shop.world.advance(3_600_000);
    assert_eq!(resource(shop.read("services.c")).phase, model::Phase::Pending);
    let start = shop.world.now();
    assert!(matches!(shop.call(delete("services.a", None, "d2")), Reply::Done));
    assert_eq!(shop.world.now() - start, 700);
    shop.simulator.order(Order::new(CallMatcher::call("read"), OrderEffect::Hang));
    assert!(matches!(shop.read("services.b"), Reply::Unclear(_)));
    assert_eq!(shop.simulator.orders().len(), 3);
}

#[test]
fn drift_to_order_is_seen() {
    let shop = Shop::new();
    shop.made("services.web");
    let at = |address: &str| address.to_owned();
    let degrade = Drift::Degrade { address: at("services.*"), message: "no memory left".into() };
    assert_eq!(shop.simulator.drift(&degrade), 1);
    let seen = resource(shop.read("services.web"));
    assert_eq!((seen.phase, seen.message.as_deref()), (model::Phase::Pending, Some("no memory left")));
    for (pointer, value, changed) in [
        ("/labels/tier", json!("b"), 1),
        ("/labels/new", json!([1]), 1),
        ("/labels/new/0", json!(2), 1),
        ("/labels/tier", Json::Null, 1),
        ("/nowhere/at/all", json!(1), 0),
        ("nonsense", json!(1), 0),
    ] {
        let drift = Drift::Change { address: at("services.web"), pointer: pointer.into(), value };
        assert_eq!(shop.simulator.drift(&drift), changed, "{pointer}");
    }
    assert_eq!(resource(shop.read("services.web")).spec["labels"], json!({ "new": [2] }));
    let healed = resource(shop.call(patch("services.web", &spec(), None, "p")));
    assert_eq!((healed.phase, healed.spec, healed.message), (model::Phase::Active, spec(), None));
    assert_eq!(shop.simulator.drift(&Drift::Stop { address: at("services.web") }), 1);
    assert_eq!(resource(shop.read("services.web")).phase, model::Phase::Terminated);
    assert_eq!(shop.simulator.drift(&Drift::Remove { address: at("*") }), 1);
    assert_eq!(shop.simulator.drift(&Drift::Remove { address: at("*") }), 0);
}

#[test]
fn the_journal_distinguishes_duplicates() {
    let world = World::new();
    let simulator = Simulator::new(world.timer(), SimulatorConfig::default());
    let request = |generation| {
        let id = protocol::ResourceId::new("service", protocol::resource_id("l", "services.web", generation));
        ResourceRequest {
            id,
            deployment: "l".into(),
            address: "services.web".into(),
            generation,
            spec: spec(),
        }
    };
    let make = |request: ResourceRequest| {
        let simulator = simulator.clone();
        world.run(async move { simulator.create(&request).await.unwrap() })
    };
    make(request(1));
    make(request(1));
    assert!(simulator.duplicates().is_empty());
    make(request(2));
    assert_eq!(simulator.duplicates(), ["services.web"]);
    let outcomes: Vec<String> = simulator.journal().into_iter().map(|it| it.outcome).collect();
    assert_eq!(outcomes, ["made", "took_over", "made"]);
    let known = Known { request: request(1), identity: None, outputs: serde_json::Map::new() };
    let gone = simulator.clone();
    world.run(async move { gone.destroy(&known).await.unwrap() });
    assert!(simulator.duplicates().is_empty());
    assert_eq!((simulator.call_counts().made, simulator.call_counts().destroyed), (2, 1));
}

#[test]
fn config_orders_and_drift_are_json() {
    let config = json!({ "latency_ms": { "create": 40 }, "jitter_ms": 5, "ready_ms": 100 });
    let read: SimulatorConfig = serde_json::from_value(config).unwrap();
    assert_eq!((read.latency_ms.create, read.latency_ms.read, read.ready_ms), (40, 0, 100));
    assert_eq!(read.create_only, SimulatorConfig::default().create_only);
    assert_eq!(
        serde_json::from_value::<SimulatorConfig>(serde_json::to_value(&read).unwrap()).unwrap(),
        read
    );
    assert!(serde_json::from_value::<SimulatorConfig>(json!({ "latency": 1 })).is_err());
    let order = json!({ "call": "update", "address": "services.web", "what": "rebuild_required" });
    let order: Order = serde_json::from_value(order).unwrap();
    assert_eq!(
        order,
        Order::new(CallMatcher::call("update").at("services.web"), OrderEffect::RebuildRequired)
    );
    let fail = json!({ "what": { "fail": { "code": "busy", "status": 429 } } });
    let order: Order = serde_json::from_value(fail).unwrap();
    assert!(matches!(order.what, OrderEffect::Fail(problem) if problem.status == 429));
    let drift = json!({ "remove": { "address": "services.*" } });
    assert_eq!(
        serde_json::from_value::<Drift>(drift).unwrap(),
        Drift::Remove { address: "services.*".into() }
    );
}

/// The time to create, read and destroy that many resources.
#[cfg(not(target_arch = "wasm32"))]
fn round(count: u32) -> std::time::Duration {
    let shop = Shop::new();
    shop.call(put("networks.default", &network("10.0.0.0/8")));
    let start = std::time::Instant::now();
    let address = |n: u32| format!("services.s{n}");
    for n in 0..count {
        shop.call(put(&address(n), &attached()));
    }
    let ids: Vec<_> = (0..count).map(|n| id(&address(n))).collect();
    for part in ids.chunks(1_000) {
        let Reply::Batch(batch) = shop.call(Call::BatchRead(part.to_vec())) else { panic!() };
        assert_eq!(batch.items.len(), part.len());
    }
    for n in 0..count {
        shop.call(delete(&address(n), None, &format!("d{n}")));
    }
    let tally = shop.simulator.call_counts();
    assert_eq!((tally.made, tally.destroyed), (u64::from(count) + 1, u64::from(count)));
    start.elapsed()
}

#[test]
#[cfg(not(target_arch = "wasm32"))]
fn ten_thousand_resources_cost_about_ten_times_a_thousand() {
    // Quadratic cost would be a factor of a hundred; the rest is room for a busy machine.
    let (small, large) = (round(1_000), round(10_000));
    assert!(large < small * 30, "{small:?} {large:?}");
}
