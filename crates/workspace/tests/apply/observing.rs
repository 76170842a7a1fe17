//! Reads after a write whose outcome is unknown.

use adapter::Drift;
use protocol::{Code, Problem, TransportError};
use serde_json::{Value as Json, json};

use crate::{
    environment::Environment,
    script::{Line, Script, after, instead, lost, says},
};

const APP: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm}}
services: {db: {payload: p, labels: {tier: one}}}
";

fn unanswered(call: &'static str, is_done: bool) -> Line {
    let broken = lost(TransportError::Broken("it broke".into()));
    if is_done { after(call, broken) } else { instead(call, broken) }
}

fn reads(change: impl Fn(&mut Json) + 'static) -> Line {
    after("read", move |_, mut body| {
        change(&mut body);
        Ok((200, body))
    })
}

fn changed() -> (Script, String) {
    let script = Script::new(Environment::new());
    assert!(script.site.apply(APP).ok);
    (script, APP.replace("one", "two"))
}

/// The hash of the request shows it, whatever the adapter makes of that.
#[test]
fn updated_resources_are_not_sent_again() {
    for other in [json!("two"), json!("TWO")] {
        let (script, yaml) = changed();
        let read = reads(move |body| body["spec"]["labels"]["tier"] = other.clone());
        let script = script.with(vec![unanswered("update", true), read]);
        assert!(script.apply(&yaml).expect("a report").ok);
        assert_eq!(script.writes(), ["update", "read"]);
    }
}

/// A repair requests the same as before, so only the observed state shows whether it was done.
#[test]
fn only_unrepaired_drift_is_sent_again() {
    let repair = |is_done, line: Option<Line>| {
        let (script, _) = changed();
        let (address, pointer) = ("services.db".to_owned(), "/labels/tier".to_owned());
        assert_eq!(script.site.simulator.drift(&Drift::Change { address, pointer, value: json!("x") }), 1);
        let script = script.with([unanswered("update", is_done)].into_iter().chain(line).collect());
        assert!(script.apply(APP).expect("a report").ok);
        script.count("update")
    };
    assert_eq!((repair(true, None), repair(false, None)), (1, 2));
    // One that says nothing of it does not show it.
    assert_eq!(repair(true, Some(reads(|body| body["spec"] = json!({})))), 2);
}

/// Nobody else knows the id, so the existing resource was made by this call, even if the adapter keeps no hash.
#[test]
fn created_resources_are_found_without_a_spec_hash() {
    let script = Script::new(Environment::new());
    let script = script.with(vec![unanswered("create", true), reads(|body| body["spec_hash"] = json!(""))]);
    assert!(script.apply(APP).expect("a report").ok);
    assert_eq!(script.writes(), ["create", "read"]);
    let script = Script::new(Environment::new());
    let script = script.with(vec![unanswered("create", true), reads(|body| body["spec_hash"] = json!("x"))]);
    let report = script.apply(APP).expect("a report");
    assert_eq!(report.steps[0].error.as_ref().expect("why").code, "engine/exists-differently");
}

const TWO: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm}}
networks: {lan: {ip: 10.0.0.0/24}}
services: {db: {payload: p}, web: {payload: p}}
";

fn shop() -> Script {
    let script = Script::new(Environment::new());
    assert!(script.site.apply(TWO).ok);
    script
}

fn refusal(code: Code) -> impl Fn(&protocol::Call, Json) -> Result<(u16, Json), TransportError> {
    says(Problem::new(code, "so it is"))
}

#[test]
fn adapters_without_batch_reads_are_read_one_by_one() {
    let script = shop().with(vec![after("describe", |_, mut body| {
        body["features"] = json!([]);
        Ok((200, body))
    })]);
    assert!(script.apply(TWO).expect("a report").ok);
    assert_eq!((script.count("batch_read"), script.count("read")), (0, 3));
    let script = shop().with(Vec::new());
    assert!(script.apply(TWO).expect("a report").ok);
    assert_eq!((script.count("batch_read"), script.count("read")), (2, 0));
}

/// Half of it each time, down to one.
#[test]
fn oversized_batch_reads_are_split() {
    let large = || instead("batch_read", refusal(Code::TooLarge));
    // Once for the network, and for the services all together, then for each.
    let script = shop().with(vec![after("batch_read", |_, body| Ok((200, body))), large()]);
    assert!(script.apply(TWO).expect("a report").ok);
    assert_eq!(script.count("batch_read"), 4);
    let script = shop().with((0..9).map(|_| large()).collect());
    assert_eq!(script.apply(TWO).expect_err("it cannot be read").code, "adapter/too_large");
}

#[test]
fn temporary_read_errors_are_retried() {
    for line in [
        instead("batch_read", refusal(Code::Busy)),
        instead("batch_read", refusal(Code::OperationPending)),
        instead("batch_read", lost(TransportError::TimedOut)),
    ] {
        let script = shop().with(vec![line]);
        assert!(script.apply(TWO).expect("a report").ok);
        assert_eq!(script.count("batch_read"), 3);
    }
}

#[test]
fn unexpected_read_answers_are_reported() {
    let describes = |code: Code| {
        let script = shop().with((0..20).map(|_| instead("describe", refusal(code))).collect());
        let error = script.apply(TWO).expect_err("nobody can tell");
        (
            script.count("describe"),
            error.passing,
            error.message.contains("does not match the request: so it is"),
        )
    };
    assert_eq!(describes(Code::Stale), (2, false, true));
    assert_eq!(describes(Code::RebuildRequired), (2, false, true));
    assert_eq!(describes(Code::Unavailable), (10, true, false));
    let script = shop().with(vec![after("describe", |_, mut body| {
        body["protocol"] = json!(2);
        Ok((200, body))
    })]);
    assert_eq!(script.apply(TWO).expect_err("it speaks another version").code, "engine/other-version");
}

/// A list may tell of more than was asked for.
#[test]
fn only_other_deployments_of_the_same_name_are_in_the_way() {
    let list = |name: &'static str, lineage: Option<&'static str>| {
        let script = Script::new(Environment::new());
        let script = script.with(vec![instead("list", move |call, _| {
            let protocol::Call::ListByName { except, .. } = call else { panic!("{call:?}") };
            let lineage = lineage.map_or_else(|| except.clone().unwrap_or_default(), Into::into);
            let item = json!({
                "kind": "service", "id": "x", "phase": "active", "address": "services.db",
                "deployment": lineage, "deployment_name": name,
            });
            Ok((200, json!({"items": [item]})))
        })]);
        script.apply(TWO).map(|it| it.ok).map_err(|it| (it.code.into_owned(), it.about))
    };
    assert_eq!(list("market", Some("other")), Ok(true));
    assert_eq!(list("shop", None), Ok(true), "the own");
    assert_eq!(list("shop", Some("")), Ok(true), "nobody says of which it is");
    let about = vec!["services.db".to_owned()];
    assert_eq!(list("shop", Some("other")), Err(("engine/other-lineage".into(), about)));
}

/// One connection for each adapter, however many routes lead to it.
#[test]
fn an_adapter_is_one_where_name_and_address_are_one() {
    for (name, port, connections, names) in [("one", 1, 1, 1), ("one", 2, 2, 1), ("two", 1, 2, 2)] {
        let script = Script::new(Environment::new());
        let routes = vec![script.route(Some("service"), "one", 1), script.route(Some("network"), name, port)];
        let worker = script.site.worker_of(TWO, routes);
        assert!(script.site.drive(&worker, "apply", Default::default()).expect("a report").ok);
        assert_eq!((script.count("describe"), worker.engine.traffic().len()), (connections, names));
    }
}
