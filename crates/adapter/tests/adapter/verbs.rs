#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use planloom_adapter::{CallMatcher, Drift, Latency, Order, OrderEffect, SimulatorConfig};
use protocol::{Call, Code, Problem, Reply};
use serde_json::json;

use crate::support::{Shop, body, caller, delete, id, map, patch, put, put_with, resource, spec};

#[test]
fn a_put_creates_once_and_returns_the_resource() {
    let shop = Shop::new();
    let made = shop.made("services.web");
    assert_eq!(made.spec, spec());
    assert_eq!((made.address.as_str(), made.generation), ("services.web", 1));
    assert_eq!(made.phase, model::Phase::Active);
    assert_eq!(resource(shop.read("services.web")), made);
    let again = resource(shop.call(put_with("services.web", &spec(), "another key")));
    assert_eq!(again, made);
    assert_eq!(shop.simulator.call_counts().made, 1);
}

#[test]
fn a_created_one_is_201_and_the_same_again_is_200() {
    let shop = Shop::new();
    let send = |key: &str| shop.send(caller().request(&put_with("services.web", &spec(), key)));
    let first = send("one");
    assert_eq!(first.status(), 201);
    assert!(first.headers().contains_key("etag"));
    assert_eq!(send("two").status(), 200);
}

#[test]
fn another_spec_or_generation_exists_differently() {
    let shop = Shop::new();
    shop.made("services.web");
    let same = body("services.web", &spec());
    let other = map(json!({ "payload": { "runtime": "vm" } }));
    let differing = [
        protocol::ResourceBody { spec: other, ..same.clone() },
        protocol::ResourceBody { generation: 2, ..same.clone() },
    ];
    for (number, body) in differing.into_iter().enumerate() {
        let call = Call::Create { id: id("services.web"), body, key: format!("k{number}") };
        assert!(matches!(shop.call(call), Reply::Differs(_)), "{number}");
    }
    let renamed = protocol::ResourceBody { address: "services.renamed".into(), ..same };
    let call = Call::Create { id: id("services.web"), body: renamed, key: "renamed".into() };
    assert!(matches!(shop.call(call), Reply::Resource(_)));
    assert_eq!(shop.simulator.call_counts().made, 1);
}

#[test]
fn a_vanished_resource_is_created_again() {
    for drift in
        [Drift::Remove { address: "services.web".into() }, Drift::Stop { address: "services.web".into() }]
    {
        let shop = Shop::new();
        shop.made("services.web");
        assert_eq!(shop.simulator.drift(&drift), 1);
        let call = caller().request(&put_with("services.web", &spec(), "again"));
        assert_eq!(shop.send(call).status(), 201, "{drift:?}");
        assert_eq!(resource(shop.read("services.web")).phase, model::Phase::Active);
        assert_eq!(shop.simulator.resources().len(), 1);
    }
}

#[test]
fn a_change_in_place_changes_the_etag_and_nothing_else_does() {
    let shop = Shop::new();
    let before = shop.made("services.web");
    let spec = map(json!({ "payload": { "runtime": "vm" }, "labels": { "tier": "b" } }));
    let after = resource(shop.call(patch("services.web", &spec, before.etag.clone(), "p1")));
    assert_eq!(after.spec, spec);
    assert_eq!(after.identity, before.identity);
    assert_ne!(after.etag, before.etag);
    assert_ne!(after.spec_hash, before.spec_hash);
    let stale = shop.call(patch("services.web", &self::spec(), before.etag, "p2"));
    assert!(matches!(stale, Reply::Stale(_)), "{stale:?}");
    let any = shop.call(patch("services.web", &self::spec(), Some("*".into()), "p3"));
    assert!(matches!(any, Reply::Resource(_)));
}

#[test]
fn drift_since_it_was_read_makes_a_write_stale() {
    let shop = Shop::new();
    let etag = shop.made("services.web").etag;
    let (address, pointer) = ("services.web".to_owned(), "/labels/tier".to_owned());
    assert_eq!(shop.simulator.drift(&Drift::Change { address, pointer, value: json!("z") }), 1);
    assert!(matches!(shop.call(patch("services.web", &spec(), etag.clone(), "p")), Reply::Stale(_)));
    assert!(matches!(shop.call(delete("services.web", etag, "d")), Reply::Stale(_)));
    let seen = resource(shop.read("services.web"));
    assert_eq!(seen.spec["labels"]["tier"], "z");
    assert!(matches!(shop.call(delete("services.web", seen.etag, "d")), Reply::Done));
}

#[test]
fn a_change_that_needs_a_rebuild_says_where_and_changes_nothing() {
    let shop = Shop::new();
    let before = shop.made("services.web");
    let spec = map(json!({ "payload": { "runtime": "other" }, "labels": { "tier": "a" } }));
    let Reply::RebuildRequired(problem) = shop.call(patch("services.web", &spec, None, "p")) else {
        panic!()
    };
    assert_eq!(problem.violations[0].pointer, "/payload");
    assert_eq!(resource(shop.read("services.web")), before);
    shop.simulator.order(Order::new(CallMatcher::call("update").times(1), OrderEffect::RebuildRequired));
    let same = || patch("services.web", &self::spec(), None, "q");
    assert!(matches!(shop.call(same()), Reply::RebuildRequired(_)));
}

#[test]
fn a_missing_resource_cannot_be_updated_and_counts_as_destroyed() {
    let shop = Shop::new();
    assert!(matches!(shop.read("services.web"), Reply::Absent));
    assert!(matches!(shop.call(patch("services.web", &spec(), None, "p")), Reply::Absent));
    assert!(matches!(shop.call(delete("services.web", None, "d")), Reply::Absent));
    shop.made("services.web");
    assert!(matches!(shop.call(delete("services.web", None, "d2")), Reply::Done));
    assert!(matches!(shop.read("services.web"), Reply::Absent));
    assert!(shop.simulator.resources().is_empty() && shop.ledger.records().is_empty());
}

#[test]
fn a_kind_that_is_not_made_here_is_refused() {
    let shop = Shop::new();
    let unknown = protocol::ResourceId::new("database", "x");
    let call = Call::Create { id: unknown.clone(), body: body("databases.x", &spec()), key: "k".into() };
    for call in [call, Call::Read(unknown.clone())] {
        let Reply::Refused(problem) = shop.call(call) else { panic!() };
        assert!(problem.is(Code::UnknownKind) && problem.status == 422);
    }
}

#[test]
fn the_resource_of_a_failed_creation_is_recorded_or_forgotten() {
    let shop = Shop::new();
    let refusal = Problem::new(Code::InvalidSpec, "no").at("/payload", "no");
    shop.simulator.order(Order::new(CallMatcher::call("create").times(1), OrderEffect::Fail(refusal)));
    let Reply::Refused(problem) = shop.call(put("services.web", &spec())) else { panic!() };
    assert_eq!(problem.violations[0].pointer, "/payload");
    assert!(shop.ledger.records().is_empty());
    let half = Problem { resource_usable: Some(false), ..Problem::new(Code::Internal, "half") };
    shop.simulator.order(Order::new(CallMatcher::call("create").times(1), OrderEffect::FailAfter(half)));
    assert!(matches!(shop.call(put_with("services.web", &spec(), "k")), Reply::Unclear(_)));
    assert!(shop.ledger.records()[0].known.identity.is_some());
    assert!(matches!(shop.call(delete("services.web", None, "d")), Reply::Done));
    assert!(shop.simulator.resources().is_empty());
}

#[test]
fn only_one_method_works_on_a_resource_at_a_time() {
    let shop = Shop::with(SimulatorConfig {
        latency_ms: Latency::all(100),
        journal_reads: true,
        ..SimulatorConfig::default()
    });
    shop.made("services.web");
    shop.simulator.clear_journal();
    let start = shop.world.now();
    for _ in 0..3 {
        shop.begin(&Call::Read(id("services.web")));
    }
    shop.begin(&patch("services.web", &spec(), None, "p"));
    shop.world.advance(1_000);
    let times: Vec<i64> = shop.simulator.journal().iter().map(|carried| carried.at - start).collect();
    assert_eq!(times, [50, 150, 250, 350]);
}
