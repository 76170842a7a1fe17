#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use http::Response;
use planloom_adapter::{CallMatcher, Latency, Limits, Order, OrderEffect, SimulatorConfig};
use protocol::{Call, Code, Problem, Reply};
use serde_json::json;

use crate::support::{Shop, caller, delete, id, map, patch, put_with, spec};

fn send(shop: &Shop, call: &Call) -> Response<Vec<u8>> {
    shop.send(caller().request(call))
}

fn is_replayed(response: &Response<Vec<u8>>) -> bool {
    response.headers().get("idempotency-replayed").is_some_and(|it| it == "true")
}

#[test]
fn the_same_call_again_is_answered_as_it_was() {
    let shop = Shop::new();
    let label = map(json!({ "payload": { "runtime": "vm" }, "labels": {} }));
    let calls = [
        put_with("services.web", &spec(), "a"),
        patch("services.web", &label, None, "b"),
        delete("services.web", None, "c"),
    ];
    for call in calls {
        let (first, second) = (send(&shop, &call), send(&shop, &call));
        assert_eq!((first.status(), first.body()), (second.status(), second.body()), "{call:?}");
        assert_eq!((is_replayed(&first), is_replayed(&second)), (false, true), "{call:?}");
        assert_eq!(first.headers().get("etag"), second.headers().get("etag"));
    }
    let tally = shop.simulator.call_counts();
    assert_eq!((tally.create, tally.update, tally.destroy), (1, 1, 1));
}

#[test]
fn a_key_is_good_for_one_call_only() {
    let shop = Shop::new();
    send(&shop, &put_with("services.web", &spec(), "k"));
    let others = [
        put_with("services.api", &spec(), "k"),
        put_with("services.web", &map(json!({})), "k"),
        patch("services.web", &spec(), None, "k"),
        delete("services.web", None, "k"),
    ];
    for call in others {
        let Reply::Refused(problem) = shop.call(call.clone()) else { panic!("{call:?}") };
        assert!(problem.is(Code::KeyReused) && problem.status == 422, "{call:?}");
    }
    assert_eq!(shop.simulator.resources().len(), 1);
}

#[test]
fn a_running_operation_is_returned_for_any_idempotency_key() {
    let shop = Shop::with(SimulatorConfig { latency_ms: Latency::all(5_000), ..SimulatorConfig::default() });
    shop.begin(&put_with("services.web", &spec(), "a"));
    let mut ops = Vec::new();
    for call in [
        put_with("services.web", &spec(), "a"),
        put_with("services.web", &spec(), "b"),
        delete("services.web", None, "c"),
    ] {
        let Reply::Outstanding(problem) = shop.call(call) else { panic!() };
        ops.extend(problem.op);
    }
    assert_eq!(ops.len(), 3);
    assert!(ops.iter().all(|op| *op == ops[0]));
    assert!(matches!(shop.call(put_with("services.api", &spec(), "d")), Reply::Resource(_)));
}

#[test]
fn definite_answers_are_kept_and_passing_ones_are_tried_again() {
    let cases = [
        (Problem::new(Code::InvalidSpec, "no"), true),
        (Problem::new(Code::Forbidden, "no"), true),
        (Problem::new(Code::Internal, "oh"), false),
        (Problem::new(Code::Unavailable, "later"), false),
        (Problem::new(Code::Busy, "later"), false),
    ];
    for (problem, kept) in cases {
        let shop = Shop::new();
        let code = problem.code.clone();
        shop.simulator.order(Order::new(CallMatcher::call("create").times(1), OrderEffect::Fail(problem)));
        let call = put_with("services.web", &spec(), "k");
        let first = send(&shop, &call);
        let second = send(&shop, &call);
        assert_eq!(is_replayed(&second), kept, "{code}");
        assert_eq!(second.status() == first.status(), kept, "{code}");
        assert_eq!(second.status() == 201, !kept, "{code}");
    }
}

#[test]
fn answers_are_forgotten_after_a_day_and_when_they_are_too_many() {
    let shop = Shop::new();
    let call = put_with("services.web", &spec(), "k");
    send(&shop, &call);
    shop.world.advance(24 * 3_600_000 - 1);
    assert!(is_replayed(&send(&shop, &call)));
    shop.world.advance(1);
    let later = send(&shop, &call);
    assert_eq!((later.status().as_u16(), is_replayed(&later)), (200, false));

    let shop = Shop::new();
    let service = shop.service.clone().with_limits(Limits { keep: 2, ..Limits::default() });
    for address in ["services.a", "services.b", "services.c", "services.d"] {
        shop.world.run(service.handle(caller().request(&put_with(address, &spec(), address))));
    }
    let kept = |address: &str| is_replayed(&send(&shop, &put_with(address, &spec(), address)));
    assert_eq!(["services.a", "services.d"].map(kept), [false, true]);
}

#[test]
fn a_stale_write_can_be_tried_again_with_its_key() {
    let shop = Shop::new();
    let etag = shop.made("services.web").etag;
    let old = Call::Destroy {
        id: id("services.web"),
        key: "d".into(),
        if_match: Some("\"old\"".into()),
        deployment: None,
    };
    assert_eq!(send(&shop, &old).status(), 412);
    let now = Call::Destroy { id: id("services.web"), key: "d".into(), if_match: etag, deployment: None };
    assert_eq!(send(&shop, &now).status(), 204);
}
