#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use planloom_adapter::{CallMatcher, Fault, FaultOrder};
use protocol::{Call, Reply, Transport, TransportError, Unclear};
use serde_json::json;

use crate::support::{Shop, caller, delete, id, put, resource, spec};

/// The reply that an engine reads for a `PUT` with a fault, and whether a resource was created.
fn put_with(order: FaultOrder) -> (Reply, bool) {
    let shop = Shop::new();
    shop.faults.order(order);
    let reply = shop.call(put("services.web", &spec()));
    assert_eq!(shop.faults.injected().len(), 1);
    (reply, !shop.simulator.resources().is_empty())
}

#[test]
fn each_fault_is_what_a_caller_would_see() {
    let error = |lost| Reply::Unclear(Unclear::Transport(lost));
    let broken = |bytes| error(TransportError::Broken(format!("reset after {bytes} bytes")));
    for (fault, done, expected) in [
        (Fault::Refuse, false, error(TransportError::Unreachable("connection refused".into()))),
        (Fault::Silence, false, error(TransportError::TimedOut)),
        (Fault::Silence, true, error(TransportError::TimedOut)),
        (Fault::Reset { after: 0 }, false, broken(0)),
        (Fault::Reset { after: 20 }, true, broken(20)),
        (Fault::Endless, true, error(TransportError::TooLong)),
        (Fault::Huge, true, error(TransportError::TooLong)),
    ] {
        let (reply, made) =
            put_with(FaultOrder { matcher: CallMatcher::default(), done, fault: fault.clone() });
        assert_eq!((reply, made), (expected, done), "{fault:?}");
    }
}

#[test]
fn statuses_bodies_and_types_are_as_ordered() {
    let status = |code, retry_after| Fault::Status { code, retry_after };
    let before = |fault| put_with(FaultOrder::before(CallMatcher::call("create"), fault));
    let after = |fault| put_with(FaultOrder::after(CallMatcher::call("create"), fault));
    assert!(
        matches!(before(status(429, Some(7))), (Reply::Busy(_, Some(after)), false) if after.as_secs() == 7)
    );
    assert!(matches!(before(status(503, None)), (Reply::Busy(_, None), false)));
    assert!(matches!(after(status(500, None)), (Reply::Unclear(Unclear::Failed(_)), true)));
    assert!(matches!(before(status(403, None)), (Reply::Refused(_), false)));
    for fault in [Fault::Malformed, Fault::WrongType, Fault::OtherId] {
        let (reply, made) = after(fault.clone());
        assert!(matches!(reply, Reply::Unclear(Unclear::Malformed(_))) && made, "{fault:?} {reply:?}");
    }
    let elsewhere = Fault::Redirect { to: "https://evil.example/".into() };
    let (Reply::Refused(problem), false) = before(elsewhere) else { panic!() };
    assert!(problem.detail.contains("https://evil.example/"));
    let (Reply::Resource(resource), true) = after(Fault::Html) else { panic!() };
    assert!(resource.message.unwrap().contains("<script>"));
}

#[test]
fn a_refused_connection_never_reaches_the_service_unless_ordered() {
    let shop = Shop::new();
    shop.faults.order(FaultOrder::before(
        CallMatcher::call("create").at("services.*").after(1).times(2),
        Fault::Silence,
    ));
    let mut made = Vec::new();
    for n in 0..4 {
        let reply = shop.call(put(&format!("services.s{n}"), &spec()));
        made.push(matches!(reply, Reply::Resource(_)));
    }
    assert_eq!(made, [true, false, false, true]);
    assert!(shop.faults.orders().is_empty());
}

#[test]
fn an_address_is_known_of_calls_that_say_only_an_id() {
    let shop = Shop::new();
    shop.made("services.web");
    shop.made("services.api");
    shop.faults.order(FaultOrder::before(CallMatcher::call("read").at("services.web"), Fault::Refuse));
    shop.faults.order(FaultOrder::after(CallMatcher::call("destroy").at("services.web"), Fault::Silence));
    assert!(matches!(shop.read("services.web"), Reply::Unclear(_)));
    assert!(matches!(shop.read("services.api"), Reply::Resource(_)));
    assert!(matches!(shop.call(delete("services.web", None, "d")), Reply::Unclear(_)));
    assert_eq!(shop.simulator.resources().len(), 1);
    shop.faults.clear();
    assert!(matches!(shop.read("services.web"), Reply::Absent));
}

#[test]
fn a_slow_answer_is_whole_or_too_late() {
    let shop = Shop::new();
    shop.faults.order(FaultOrder::before(CallMatcher::call("create").times(1), Fault::Slow { ms: 2_500 }));
    resource(shop.call(put("services.web", &spec())));
    assert_eq!(shop.world.now(), 2_500);
    shop.faults.order(FaultOrder::before(CallMatcher::call("read"), Fault::Slow { ms: 2_500 }));
    let transport = shop.transport().with_timeout_ms(1_000);
    let request = caller().request(&Call::Read(id("services.web")));
    let outcome = shop.world.run(async move { transport.send(request).await });
    assert_eq!(outcome.map(|_| ()), Err(TransportError::TimedOut));
    assert_eq!(shop.world.now(), 3_500);
}

#[test]
fn orders_are_json() {
    for text in [
        json!({ "call": "create", "address": "services.*", "skip": 1, "times": 2, "done": true, "fault": "silence" }),
        json!({ "skip": 0, "done": false, "fault": { "status": { "code": 429, "retry_after": 3 } } }),
        json!({ "skip": 0, "done": false, "fault": { "redirect": { "to": "http://x" } } }),
    ] {
        let order: FaultOrder = serde_json::from_value(text.clone()).unwrap();
        assert_eq!(serde_json::to_value(order).unwrap(), text);
    }
    let short: FaultOrder = serde_json::from_value(json!({ "fault": "refuse" })).unwrap();
    assert_eq!(short, FaultOrder::before(CallMatcher::default(), Fault::Refuse));
}
