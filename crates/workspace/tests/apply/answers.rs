//! Answers of an adapter to a write, and their outcomes.

use adapter::Drift;
use protocol::{Code, Problem, TransportError};
use serde_json::{Value as Json, json};

use crate::{
    environment::Environment,
    script::{Line, Script, after, instead, lost, operation, says},
};

const APP: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm}}
services: {db: {payload: p, labels: {tier: one}}}
";

/// Creates, changes or destroys a service at an adapter with these answers; returns the outcome and the calls.
fn write(verb: &str, lines: Vec<Line>) -> (String, Vec<&'static str>, Script) {
    let script = Script::new(Environment::new());
    if verb != "create" {
        assert!(script.site.apply(APP).ok);
    }
    let script = script.with(lines);
    let report = match verb {
        "create" => script.apply(APP),
        "update" => script.apply(&APP.replace("one", "two")),
        _ => script.destroy(APP),
    };
    let report = report.expect("a report");
    let outcome = report.steps[0].error.as_ref().map_or("done".to_owned(), |it| it.code.to_string());
    assert_eq!(report.ok, outcome == "done");
    (outcome, script.writes(), script)
}

#[track_caller]
fn check(verb: &str, lines: Vec<Line>, outcome: &str, calls: &[&str]) -> Script {
    let (is, sent, script) = write(verb, lines);
    assert_eq!((&*is, &*sent), (outcome, calls), "{verb}");
    script
}

fn problem(code: Code) -> Problem {
    Problem::new(code, "so it is")
}

#[test]
fn a_yes_is_a_yes() {
    check("create", Vec::new(), "done", &["create"]);
    check("update", Vec::new(), "done", &["update"]);
    check("destroy", Vec::new(), "done", &["destroy"]);
}

/// It may be the work of an earlier try, or of this one.
#[test]
fn an_existing_matching_resource_counts_as_created() {
    let exists = || says(problem(Code::ExistsDifferently));
    check("create", vec![after("create", exists())], "done", &["create", "read"]);
    let no = "adapter/exists_differently";
    check("update", vec![after("update", exists())], no, &["update"]);
}

#[test]
fn a_stale_etag_may_come_from_the_own_write() {
    let stale = || after("update", says(problem(Code::Stale)));
    let broken = instead("update", lost(TransportError::Broken("it broke".into())));
    check("update", vec![broken, stale()], "done", &["update", "read", "update", "read"]);
    check("update", vec![stale()], "adapter/stale", &["update", "read"]);
}

#[test]
fn a_refusal_is_final_and_says_what_to_do() {
    let help = |code| {
        let (is, sent, script) = write("update", vec![instead("update", says(problem(code)))]);
        assert_eq!(is, format!("adapter/{}", code.as_str()));
        let again = script.with(vec![instead("update", says(problem(code)))]);
        let report = again.apply(&APP.replace("one", "two")).expect("a report");
        (sent.len(), report.steps[0].error.clone().expect("why").help.into_owned())
    };
    assert_eq!(help(Code::InvalidSpec), (1, String::new()));
    assert_eq!(help(Code::UnsupportedProtocol), (1, String::new()));
    assert_eq!(help(Code::Stale), (2, "it was changed outside of this run; plan again".into()));
}

#[test]
fn vanished_resources_are_reported() {
    for (verb, message) in
        [("create", "the adapter does not know the kind or the path"), ("update", "it is gone")]
    {
        let line: Line = match verb {
            "create" => instead("create", says(problem(Code::NotFound))),
            _ => instead("update", says(problem(Code::NotFound))),
        };
        let script = Script::new(Environment::new());
        if verb == "update" {
            assert!(script.site.apply(APP).ok);
        }
        let script = script.with(vec![line]);
        let report = script.apply(&APP.replace("one", "two")).expect("a report");
        let error = report.steps[0].error.clone().expect("why");
        assert_eq!((&*error.code, &*error.message), ("engine/gone", message));
    }
}

/// A write that was never sent needs no read; a name that cannot be resolved is not retried.
#[test]
fn unsent_writes_are_not_read_back() {
    let unreachable = || instead("create", lost(TransportError::Unreachable("no".into())));
    let unresolved = || instead("create", lost(TransportError::Unresolved("no".into())));
    let broken = || instead("create", lost(TransportError::Broken("no".into())));
    check("create", vec![unreachable()], "done", &["create"; 2]);
    let all = (0..9).map(|_| unreachable()).collect();
    check("create", all, "engine/unreachable", &["create"; 5]);
    check("create", vec![unresolved()], "engine/unreachable", &["create"]);
    let both = vec![broken(), unresolved()];
    check("create", both, "done", &["create", "read", "create", "create"]);
}

#[test]
fn a_failure_that_leaves_something_usable_is_looked_into() {
    let usable = |usable| Problem { resource_usable: usable, ..problem(Code::Internal) };
    check("create", vec![after("create", says(usable(None)))], "done", &["create", "read"]);
    check("create", vec![after("create", says(usable(Some(true))))], "done", &["create", "read"]);
    let ruin = vec![after("create", says(usable(Some(false))))];
    let script = check("create", ruin, "adapter/internal", &["create"]);
    assert!(script.site.load().resources["services.db"].tainted);
}

/// The phase that the adapter reports decides the outcome.
#[test]
fn destroyed_resources_are_terminated() {
    let still = |phase: &'static str| {
        after("destroy", move |call, _| {
            let id = call.resource().expect("a resource");
            Ok((200, json!({"kind": id.kind, "id": id.id, "phase": phase})))
        })
    };
    let script = check("destroy", vec![still("terminated")], "done", &["destroy"]);
    assert!(script.site.recorded().is_empty());
    let script = check("destroy", vec![still("active")], "engine/adapter-contract", &["destroy"]);
    assert_eq!(script.site.recorded(), ["services.db active"]);
}

#[test]
fn a_stale_missing_resource_counts_as_destroyed() {
    let stale = after("destroy", says(problem(Code::Stale)));
    check("destroy", vec![stale], "done", &["destroy", "read"]);
    let script = Script::new(Environment::new());
    assert!(script.site.apply(APP).ok);
    let simulator = script.site.simulator.clone();
    let script = script.with(vec![instead("update", move |call, body| {
        simulator.drift(&Drift::Remove { address: "services.db".into() });
        says(problem(Code::Stale))(call, body)
    })]);
    let report = script.apply(&APP.replace("one", "two")).expect("a report");
    assert_eq!(report.steps[0].error.as_ref().expect("why").code, "adapter/stale");
}

/// A resource that changes before each write is not followed forever.
#[test]
fn etag_conflicts_are_retried_up_to_the_limit() {
    let stale = |_| instead("update", says(problem(Code::Stale)));
    let moved = |number: usize| {
        after("read", move |_, mut body: Json| {
            body["etag"] = json!(format!("\"moved {number}\""));
            Ok((200, body))
        })
    };
    let lines = (0..9).map(stale).chain((0..9).map(moved)).collect();
    let (outcome, sent, _) = write("update", lines);
    assert_eq!(outcome, "adapter/stale");
    assert_eq!(sent.iter().filter(|it| **it == "update").count(), 5);
}

fn accepted(call: &'static str) -> Line {
    after(call, |call, _| Ok((202, operation(call, json!({})))))
}

/// The end of an operation that creates a service, unless `verb` is another one.
fn ends(verb: &'static str, more: Json) -> Line {
    instead("operation", move |_, _| {
        let mut end = json!({"op": "o", "verb": verb, "kind": "service", "done": true});
        end["id"] = id().into();
        end.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        Ok((200, end))
    })
}

/// The id of the database: the lineage is the first that is drawn.
fn id() -> String {
    let site = Environment::new();
    assert!(site.apply(APP).ok);
    site.load().resources["services.db"].id.clone()
}

#[test]
fn an_operation_ends_as_it_says() {
    let late = |problem: Problem| json!({"problem": problem});
    let looked: &[&str] = &["create", "operation", "read"];
    let create = |more: Json| vec![accepted("create"), ends("create", more)];
    check("create", create(json!({})), "done", looked);
    let other =
        json!({"resource": {"kind": "service", "id": "other", "phase": "active", "identity": {"id": "x"}}});
    let script = check("create", create(other), "done", looked);
    assert_ne!(script.site.load().resources["services.db"].identity["id"], "x");
    let own = json!({"resource": {"kind": "service", "id": id(), "phase": "active"}});
    check("create", create(own), "done", &["create", "operation"]);
    check(
        "destroy",
        vec![accepted("destroy"), ends("destroy", json!({}))],
        "done",
        &["destroy", "operation"],
    );

    let usable = Problem { resource_usable: Some(false), ..problem(Code::Internal) };
    check("create", create(late(usable)), "adapter/internal", &["create", "operation"]);
    for code in [Code::Busy, Code::Unavailable] {
        check("create", create(late(problem(code))), "done", &["create", "operation", "create"]);
    }
    let cancelled = Problem { status: 409, ..problem(Code::Cancelled) };
    check("create", create(late(cancelled)), "done", looked);
    check(
        "create",
        create(late(problem(Code::InvalidSpec))),
        "adapter/invalid_spec",
        &["create", "operation"],
    );
    // It is about another resource, so it says nothing of this one.
    let stranger = json!({"id": "other", "problem": problem(Code::InvalidSpec)});
    check("create", create(stranger), "done", looked);
}

/// It is asked until it is done; silence is not the end of it.
#[test]
fn an_operation_is_waited_for() {
    let own = || ends("create", json!({"resource": {"kind": "service", "id": id(), "phase": "active"}}));
    let not_yet = || ends("create", json!({"done": false}));
    let silent = || instead("operation", lost(TransportError::TimedOut));
    let calls: &[&str] = &["create", "operation", "operation", "operation"];
    check("create", vec![accepted("create"), not_yet(), not_yet(), own()], "done", calls);
    check("create", vec![accepted("create"), silent(), silent(), own()], "done", calls);
    let forgotten = instead("operation", says(problem(Code::NotFound)));
    check("create", vec![accepted("create"), forgotten], "done", &["create", "operation", "read"]);
}
