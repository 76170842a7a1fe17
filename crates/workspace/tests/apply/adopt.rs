//! Adoption: recording resources that adapters have and that are not recorded.

use adapter::Drift;
use planloom_workspace::engine::{Engine, EngineError, Route};
use protocol::TransportError;
use serde_json::{Value as Json, json};
use state::{Adapter, Entry, MemoryBackend, Snapshot};

use crate::{
    cases::S0,
    environment::{Environment, actions},
    script::{Line, Script, after, instead, lost},
};

const ALL: [&str; 3] = ["networks.lan", "services.db", "services.web"];

/// An adapter with all of the shop, and the state that recorded it.
fn shop() -> (Script, Snapshot) {
    let script = Script::new(Environment::new());
    assert!(script.apply(S0).expect("a report").ok);
    let state = script.site.load();
    (script, state)
}

/// The same with this state and these answers.
fn with(mut script: Script, state: Option<Snapshot>, lines: Vec<Line>) -> Script {
    script.site.backend = state.map_or_else(MemoryBackend::default, MemoryBackend::of).recording_commits();
    script.site.simulator.clear_journal();
    script.with(lines)
}

fn without(state: &Snapshot, address: &str) -> Option<Snapshot> {
    let mut less = state.clone();
    less.resources.remove(address);
    Some(less)
}

fn adopt_by(script: &Script, engine: Engine, lineage: Option<String>) -> Result<Vec<String>, EngineError> {
    let running = engine.clone();
    script.site.run(&running, async move {
        engine.open_skipping_unreachable("adopt").await?;
        let adopted = engine.adopt(lineage.as_deref()).await;
        engine.close().await?;
        adopted
    })
}

fn adopt(script: &Script, lineage: Option<&str>) -> Result<Vec<String>, EngineError> {
    adopt_by(script, script.worker(S0, false).engine, lineage.map(Into::into))
}

/// A list of which something is another.
fn listed(change: impl Fn(&mut Vec<Json>) + 'static) -> Line {
    after("list", move |_, mut body| {
        change(body["items"].as_array_mut().expect("items"));
        Ok((200, body))
    })
}

fn item<'i>(items: &'i mut [Json], address: &str) -> &'i mut Json {
    items.iter_mut().find(|it| it["address"] == address).expect("an item")
}

fn entry(script: &Script, address: &str) -> Entry {
    script.site.load().resources[address].clone()
}

#[test]
fn it_is_recorded_as_it_was_with_all_that_it_takes_of_others() {
    let (script, before) = shop();
    let script = with(script, None, Vec::new());
    assert_eq!(adopt(&script, None).expect("adopted"), ALL);
    let after = script.site.load();
    assert_eq!((after.serial, &after.lineage, &after.resources), (1, &before.lineage, &before.resources));
    assert_eq!((script.count("list"), script.writes()), (2, vec![]));
    assert_eq!(adopt(&script, None).expect("once more"), [""; 0]);
    assert_eq!((script.site.load(), script.count("list")), (after.clone(), 3), "nothing is written");
    assert_eq!(adopt(&script, Some(&before.lineage)).expect("nobody else has any"), [""; 0]);
    assert_eq!((script.site.load(), script.count("list")), (after, 5));
}

/// The recorded resources include those that it takes values of.
#[test]
fn an_orphan_is_recorded_as_it_was_as_well() {
    for address in ["services.web", "services.db"] {
        let (script, state) = shop();
        let script = with(script, without(&state, address), Vec::new());
        assert_eq!(adopt(&script, None).expect("adopted"), [address]);
        assert_eq!(script.site.load().resources, state.resources);
    }
}

#[test]
fn which_lineage_is_meant_has_to_be_clear() {
    let (script, before) = shop();
    let script = with(script, None, Vec::new());
    let error = adopt(&script, Some("another")).expect_err("there is none of that name");
    let message = format!("resources of several lineages can be adopted: {} (3 resources)", before.lineage);
    assert_eq!((&*error.code, error.message), ("engine/several-lineages", message));
    assert_eq!(adopt(&script, Some(&before.lineage[..4])).expect("its beginning"), ALL);
    let empty = Script::new(Environment::new());
    let error = adopt(&empty, Some("another")).expect_err("there is none at all");
    assert_eq!(&*error.code, "engine/no-lineage");
    assert_eq!(adopt(&empty, None).expect("nothing"), Vec::<String>::new());
}

#[test]
fn terminated_resources_are_not_adopted() {
    let end = || listed(|items| item(items, "services.web")["phase"] = json!("terminated"));
    let (script, _) = shop();
    let script = with(script, None, vec![end(), end()]);
    assert_eq!(adopt(&script, None).expect("adopted"), ["networks.lan", "services.db"]);
}

/// Each says the same of both kinds.
#[test]
fn a_kind_is_adopted_from_who_makes_it() {
    let routes = |script: &Script| -> Vec<Route> {
        vec![
            script.route(Some("service"), "for-services", 1),
            script.route(Some("network"), "for-networks", 2),
        ]
    };
    let (script, _) = shop();
    let script = with(script, None, Vec::new());
    let worker = script.site.worker_of(S0, routes(&script));
    assert_eq!(adopt_by(&script, worker.engine, None).expect("adopted"), ALL);
    let by = |it: Entry| it.adapter.map(|Adapter { address, .. }| address).unwrap_or_default();
    let by: Vec<String> = ALL.iter().map(|it| by(entry(&script, it))).collect();
    assert_eq!(by, ["for-networks", "for-services", "for-services"]);
}

/// The adopted generation, by the listed generations in their order.
#[test]
fn the_latest_at_an_address_is_adopted() {
    for (generations, expected) in [([1, 2], 2), ([2, 1], 2), ([3, 3], 3)] {
        let (script, state) = shop();
        let line = listed(move |items| {
            let web = item(items, "services.web").clone();
            items.retain(|it| it["address"] != "services.web");
            for (place, generation) in generations.into_iter().enumerate() {
                let mut one = web.clone();
                one["id"] = json!(format!("{generation} at {place}"));
                one["generation"] = json!(generation);
                items.push(one);
            }
        });
        let script = with(script, without(&state, "services.web"), vec![line]);
        assert_eq!(adopt(&script, None).expect("adopted"), ["services.web"]);
        let place = generations.iter().position(|it| *it == expected).unwrap_or_default();
        let taken = entry(&script, "services.web");
        assert_eq!((taken.id, taken.generation), (format!("{expected} at {place}"), expected));
    }
}

/// Another resource at a recorded address: it is adopted if the recorded one does not exist any more.
#[test]
fn recorded_resources_are_not_replaced_by_adoption() {
    let other = || {
        listed(|items| {
            let mut other = item(items, "services.db").clone();
            other["id"] = json!("other");
            other["address"] = json!("services.web");
            other["generation"] = json!(2);
            items.retain(|it| it["address"] != "services.web");
            items.push(other);
        })
    };
    let address = || "services.web".to_owned();
    for (drift, reads, adopted) in [
        (None, 1, &[][..]),
        (Some(Drift::Remove { address: address() }), 1, &["services.web"]),
        (Some(Drift::Stop { address: address() }), 1, &["services.web"]),
    ] {
        let (script, state) = shop();
        drift.iter().for_each(|it| assert_eq!(script.site.simulator.drift(it), 1));
        let script = with(script, Some(state), vec![other()]);
        assert_eq!(adopt(&script, None).expect("adopted"), adopted, "{drift:?}");
        assert_eq!(script.count("read"), reads, "{drift:?}: the others are known by their ids");
        assert_eq!(entry(&script, "services.web").id == "other", drift.is_some());
    }
    let (script, mut state) = shop();
    let web = state.resources.get_mut("services.web").expect("web");
    (web.phase, web.identity) = ("terminated".into(), Json::Null);
    let script = with(script, Some(state), vec![other()]);
    assert_eq!(adopt(&script, None).expect("adopted"), ["services.web"]);
    assert_eq!(script.count("read"), 0, "it is recorded as gone");
}

/// The existence of such a resource is known only once its adapter reports the outcome.
#[test]
fn resources_with_a_begun_operation_are_not_adopted() {
    let (script, mut state) = shop();
    let web = state.resources.remove("services.web").expect("web");
    state.journal.push(state::Intent { entry: web, ..state::testing::intent("begun", "services.web") });
    let silent = instead("read", lost(TransportError::Unresolved("nobody knows it".into())));
    let script = with(script, Some(state), vec![silent]);
    assert_eq!(adopt(&script, None).expect("nothing else"), [""; 0]);
    let after = script.site.load();
    assert_eq!((after.resources.len(), after.journal.len(), script.count("read")), (2, 1, 1));
}

/// Attributes that are not reported count as described, unless they have to contain the difference.
#[test]
fn adopted_resources_with_another_spec_are_recorded_as_observed() {
    let seen = |spec: fn(&mut Json)| {
        let (script, state) = shop();
        let line = listed(move |items| {
            let web = item(items, "services.web");
            web["spec_hash"] = json!("sha256:other");
            spec(&mut web["spec"]);
        });
        let script = with(script, without(&state, "services.web"), vec![line]);
        assert_eq!(adopt(&script, None).expect("adopted"), ["services.web"]);
        let (before, after) = (state.resources["services.web"].clone(), entry(&script, "services.web"));
        let adopted = Entry { spec: before.spec.clone(), template: before.template.clone(), ..after.clone() };
        assert_eq!((adopted, &after.template), (before.clone(), &Json::Null));
        (Json::Object(before.spec), Json::Object(after.spec))
    };
    let (described, recorded) = seen(|spec| *spec = json!({"init": []}));
    let expected = json!({"init": [], "network": described["network"], "payload": described["payload"]});
    assert_eq!(recorded, expected);
    let (_, recorded) = seen(|spec| *spec = json!({}));
    assert_eq!(recorded, json!({}));
    let (described, recorded) = seen(|_| {});
    assert_eq!(recorded, described);
}

#[test]
fn adopted_resources_without_a_descriptor_are_recorded_as_observed() {
    for (address, kind) in [("services.old", "service"), ("services.web", "network")] {
        let (script, state) = shop();
        let line = listed(move |items| {
            let mut other = item(items, "services.web").clone();
            other["address"] = json!(address);
            other["id"] = json!("other");
            other["kind"] = json!(kind);
            other["generation"] = json!(4);
            other["spec"] = json!({"payload": {"params": {"env": {"TOKEN": "t"}}}, "size": 1});
            items.retain(|it| it["address"] != "services.web");
            items.push(other);
        });
        let script = with(script, without(&state, "services.web"), vec![line]);
        assert_eq!(adopt(&script, None).expect("adopted"), [address]);
        let adopted = entry(&script, address);
        let before = &state.resources["services.web"];
        let mut spec = json!({"payload": {"params": {"env": {"TOKEN": "t"}}}, "size": 1});
        if kind == "service" {
            spec["payload"]["params"]["env"]["TOKEN"] =
                adopted.spec["payload"]["params"]["env"]["TOKEN"].clone();
            assert!(spec["payload"]["params"]["env"]["TOKEN"]["$sensitive"].is_string(), "{spec}");
        }
        let expected = Entry {
            kind: kind.into(),
            id: "other".into(),
            phase: "active".into(),
            identity: before.identity.clone(),
            outputs: before.outputs.clone(),
            spec: spec.as_object().expect("a map").clone(),
            generation: 4,
            adapter: before.adapter.clone(),
            ..Entry::default()
        };
        assert_eq!(adopted, expected);
    }
}

/// The next plan is based on the adopted resources, by the same engine too.
#[test]
fn an_engine_plans_with_what_it_adopted() {
    let (script, _) = shop();
    let script = with(script, None, Vec::new());
    let engine = script.worker(S0, false).engine;
    let running = engine.clone();
    let planned = script.site.run(&running, async move {
        engine.open("adopt").await.expect("open");
        engine.adopt(None).await.expect("adopted");
        let planned = engine.plan(false).await.expect("a plan");
        engine.close().await.expect("closed");
        planned
    });
    assert_eq!(actions(&planned), [""; 0]);
}
