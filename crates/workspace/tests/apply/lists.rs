//! Lists of adapters: pages, resources of others, and resources that are not recorded.

use std::time::Duration;

use planloom_workspace::engine::{ApplyOptions, EngineError, Orphan, Settings};
use protocol::{Call, TransportError};
use serde_json::{Value as Json, json};
use state::MemoryBackend;

use crate::{
    environment::{Environment, outcomes},
    script::{Line, Script, after, instead, lost},
};

const SHOP: &str = "
meta: {name: shop}
payloads: {p: {runtime: vm}}
networks: {lan: {ip: 10.0.0.0/24}}
services: {db: {payload: p, network: lan}, web: {payload: p}}
";

fn shop(lines: Vec<Line>) -> Script {
    let script = Script::new(Environment::new());
    assert!(script.apply(SHOP).expect("a report").ok);
    script.with(lines)
}

fn orphans(script: &Script) -> Result<Vec<Orphan>, EngineError> {
    let worker = script.worker(SHOP, false);
    let engine = worker.engine.clone();
    script.site.run(&worker.engine, async move {
        engine.inspect().await?;
        engine.orphans().await
    })
}

/// The ids of orphans, or the reason why they are unknown.
fn ids(script: &Script) -> Result<Vec<String>, String> {
    orphans(script).map(|all| all.into_iter().map(|it| it.id.id).collect()).map_err(|it| it.message)
}

fn item(id: &str, deployment: &str) -> Json {
    json!({"kind": "service", "id": id, "phase": "active", "deployment": deployment})
}

/// A page of a list with so many of the deployment, asked for as `page`.
fn page(page: Option<String>, ids: Vec<String>, next: Option<String>) -> Line {
    instead("list", move |call, _| {
        let Call::List { deployment, page: requested } = call else { panic!("{call:?}") };
        assert_eq!(*requested, page);
        let items: Vec<Json> = ids.iter().map(|id| item(id, deployment)).collect();
        Ok((200, json!({"items": items, "next": next})))
    })
}

#[test]
fn a_list_is_read_to_its_end() {
    let name = |text: &str| Some(text.to_owned());
    let ids_of = |ids: &[&str]| ids.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let lines = vec![
        page(None, ids_of(&["c", "a"]), name("two")),
        page(name("two"), Vec::new(), name("three")),
        page(name("three"), ids_of(&["b", "a"]), None),
    ];
    let script = shop(lines);
    assert_eq!((ids(&script), script.count("list")), (Ok(ids_of(&["a", "b", "c"])), 3));
    let lines = vec![
        page(None, ids_of(&["a"]), name("two")),
        page(name("two"), Vec::new(), name("three")),
        page(name("three"), Vec::new(), name("two")),
    ];
    let back = "adapter `simulator`: a page of the adapter's list leads back to an earlier one";
    assert_eq!(ids(&shop(lines)), Err(back.into()));
}

const ENDLESS: &str = "adapter `simulator`: the adapter's list does not end";

/// A list of as many pages as there are figures, each with so many items.
fn pages(figures: &[usize]) -> Result<usize, String> {
    let name = |number: usize| (number > 0).then(|| number.to_string());
    let lines = figures.iter().enumerate().map(|(number, count)| {
        let ids = (0..*count).map(|it| format!("{number}-{it}")).collect();
        let next = if number + 1 < figures.len() { name(number + 1) } else { None };
        page(name(number), ids, next)
    });
    ids(&shop(lines.collect())).map(|it| it.len())
}

#[test]
fn a_list_that_is_too_long_is_not_read_on() {
    assert_eq!(pages(&vec![0; 10_001]), Ok(0));
    assert_eq!(pages(&vec![0; 10_002]), Err(ENDLESS.into()));
    assert_eq!(pages(&[25_000, 25_000, 25_000, 25_000, 0]), Ok(100_000));
    assert_eq!(pages(&[25_000, 25_000, 25_000, 25_001, 0]), Err(ENDLESS.into()));
}

#[test]
fn a_list_is_not_read_longer_than_a_step_takes() {
    let lists = |figures: usize| {
        let mut script = shop(Vec::new());
        script.site.settings = Settings { step_timeout: Duration::ZERO, ..Settings::default() };
        let name = |number: usize| (number > 0).then(|| number.to_string());
        let lines =
            (0..figures).map(|it| page(name(it), Vec::new(), name(it + 1).filter(|_| it + 1 < figures)));
        ids(&script.with(lines.collect()))
    };
    assert_eq!((lists(1), lists(2)), (Ok(Vec::new()), Err(ENDLESS.into())));
}

/// Resources of another deployment, recorded or begun ones, or of a kind that another adapter makes: these are no orphans.
#[test]
fn an_orphan_belongs_to_this_deployment_and_is_not_recorded() {
    let listed = |call: &Call| {
        let Call::List { deployment, .. } = call else { panic!("{call:?}") };
        let mut gone = item("gone", deployment);
        gone["phase"] = json!("terminated");
        gone["generation"] = json!(3);
        gone["address"] = json!("services.old");
        let mut network = item("net", deployment);
        network["kind"] = json!("network");
        let mut begun = item("id-of-begun", deployment);
        begun["address"] = json!("services.begun");
        let items =
            [item("new", deployment), gone, item("other", "another"), network, begun, item("none", "")];
        Ok((200, json!({"items": items})))
    };
    let mut script = shop(vec![
        instead("list", move |call, _| listed(call)),
        instead("list", move |call, _| listed(call)),
    ]);
    let mut state = script.site.load();
    state.journal.push(state::testing::intent("begun", "services.begun"));
    script.site.backend = MemoryBackend::of(state).recording_commits();
    let routes = vec![
        script.route(Some("service"), "for-services", 1),
        script.route(Some("network"), "for-networks", 2),
    ];
    let worker = script.site.worker_of(SHOP, routes);
    let engine = worker.engine.clone();
    let orphans = script.site.run(&worker.engine, async move {
        engine.inspect().await.expect("read");
        engine.orphans().await.expect("answered")
    });
    let listed: Vec<_> = orphans
        .iter()
        .map(|it| (&*it.adapter, &*it.id.kind, &*it.id.id, &*it.address, it.generation, it.is_gone))
        .collect();
    let expected = [
        ("for-networks", "network", "net", "", 1, false),
        ("for-services", "service", "gone", "services.old", 3, true),
        ("for-services", "service", "new", "", 1, false),
    ];
    assert_eq!(listed, expected);
}

/// The outcome of removing it, by the phase that the adapter reports in the end.
#[test]
fn an_orphan_is_removed_once_it_has_ended() {
    for (phase, outcome) in [("terminated", "removed"), ("active", "engine/adapter-contract")] {
        let mut script = shop(Vec::new());
        let mut state = script.site.load();
        state.resources.remove("services.web");
        script.site.backend = MemoryBackend::of(state).recording_commits();
        let script = script.with(vec![instead("destroy", move |call, _| {
            let id = call.resource().expect("a resource");
            Ok((200, json!({"kind": id.kind, "id": id.id, "phase": phase})))
        })]);
        let worker = script.worker(SHOP, false);
        let engine = worker.engine.clone();
        let removed = script.site.run(&worker.engine, async move {
            engine.inspect().await.expect("read");
            let orphans = engine.orphans().await.expect("answered");
            assert_eq!(orphans.len(), 1);
            engine.remove_orphan(&orphans[0]).await
        });
        assert_eq!(removed.as_ref().map_or_else(|it| &*it.code, |()| "removed"), outcome);
        assert_eq!(script.site.backend.commits().len(), 0, "what is not recorded needs no journal");
    }
}

fn features(features: Json) -> Line {
    after("describe", move |_, mut body| {
        body["features"] = features.clone();
        Ok((200, body))
    })
}

#[test]
fn adapters_without_listing_are_not_listed() {
    for (can, lists, orphans) in [(json!([]), 0, 0), (json!(["list"]), 1, 1)] {
        let mut script = shop(Vec::new());
        let mut state = script.site.load();
        state.resources.remove("services.web");
        script.site.backend = MemoryBackend::of(state).recording_commits();
        let script = script.with(vec![features(can)]);
        assert_eq!((ids(&script).map(|it| it.len()), script.count("list")), (Ok(orphans), lists));
    }
    for (can, lists) in [(json!(["list"]), 0), (json!(["lineage"]), 1)] {
        let script = Script::new(Environment::new()).with(vec![features(can)]);
        assert!(script.apply(SHOP).expect("a report").ok);
        assert_eq!(script.count("list"), lists);
    }
}

/// One list for each adapter, however many readers it has.
#[test]
fn each_adapter_is_read_once_per_plan() {
    let script = Script::new(Environment::new());
    let routes = || {
        vec![
            script.route(Some("service"), "for-services", 1),
            script.route(Some("network"), "for-networks", 2),
        ]
    };
    let worker = script.site.worker_of(SHOP, routes());
    assert!(script.site.drive(&worker, "apply", ApplyOptions::default()).expect("a report").ok);
    assert_eq!(script.count("list"), 2);
    let script = script.with(Vec::new());
    assert!(script.apply(SHOP).expect("a report").ok);
    assert_eq!(script.count("list"), 0, "nothing new is created");
}

fn others(phase: &'static str) -> Line {
    instead("list", move |_, _| {
        let mut other = item("x", "other");
        other["deployment_name"] = json!("shop");
        other["address"] = json!("services.db");
        other["phase"] = json!(phase);
        Ok((200, json!({"items": [other]})))
    })
}

fn silent() -> Line {
    instead("list", lost(TransportError::Unresolved("nobody knows it".into())))
}

/// The errors that prevent a plan that skips unreachable adapters, and one that does not.
#[test]
fn resources_of_another_lineage_refuse_each_plan() {
    let plan = |line: Line, around: bool| {
        let script = Script::new(Environment::new()).with(vec![line]);
        let worker = script.worker(SHOP, false);
        let engine = worker.engine.clone();
        let planned = script.site.run(&worker.engine, async move {
            engine.inspect().await?;
            if around { engine.plan_skipping_unreachable().await } else { engine.plan(true).await }
        });
        planned.map(|it| it.plan.actions.len()).map_err(|it| it.to_string())
    };
    let other = "adapter `simulator` has resources of the deployment `shop` that this state does not know: \
                 services.db (lineage other) (engine/other-lineage)";
    assert_eq!(plan(others("active"), false), Err(other.into()));
    assert_eq!(plan(others("active"), true), Err(other.into()));
    assert_eq!(plan(others("terminated"), false), Ok(3));
    let unknown = plan(silent(), false).expect_err("nobody can tell");
    assert!(
        unknown.starts_with("adapter `simulator`: ") && unknown.ends_with("(engine/unreachable)"),
        "{unknown}"
    );
    assert_eq!(plan(silent(), true), Ok(3));
}

/// Nobody could tell when it was planned, nor when it began.
#[test]
fn failed_lineage_checks_are_repeated_before_a_create() {
    let lines = (0..6).map(|_| silent()).chain([others("active")]).collect();
    let script = Script::new(Environment::new()).with(lines);
    let worker = script.worker(SHOP, false);
    let engine = worker.engine.clone();
    let report = script.site.run(&worker.engine, async move {
        engine.open("apply").await.expect("open");
        let planned = engine.plan_skipping_unreachable().await.expect("a plan");
        let terms = ApplyOptions { keep_going: true, ..ApplyOptions::default() };
        let report = engine.apply(&planned.digest, terms).await.expect("a report");
        engine.close().await.expect("closed");
        report
    });
    let expected = [
        "create networks.lan failed",
        "create services.db skipped because of a1",
        "create services.web done",
    ];
    assert_eq!((outcomes(&report), script.writes()), (expected.map(Into::into).into(), vec!["create"]));
}
