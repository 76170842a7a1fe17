//! The conformance suite of adapters.

use adapter::{
    conformance::{Options, Report},
    testing::conform,
};
use host::{SystemTimer, spawn};
use planloom_adapter_golem::describe;
use serde_json::{Value as Json, json};

use crate::bench::{Bench, map, run, service};

async fn test(bench: &Bench<'_>, kind: &str, spec: Json, rebuild: Json) -> Report {
    let mut options = Options::new(kind, map(spec.clone()), bench.lineage.clone());
    let mut changed = map(spec);
    changed.insert("labels".into(), json!({"tier": "{n}"}));
    (options.changed, options.rebuild) = (Some(changed), Some(map(rebuild)));
    options.parallel = 6;
    conform(describe(), bench.adapter(), SystemTimer::new(), spawn(), options).await
}

#[track_caller]
fn check(report: &Report) {
    assert!(report.is_ok(), "{report}");
    assert!(report.passed >= 31, "{report}");
}

#[test]
fn services_keep_the_protocol() {
    run(async |bench| {
        let other = service(json!({"init": []}));
        check(&test(bench, "service", service(json!({})), other).await);
        bench.nothing_is_open().await;
    });
}

#[test]
fn networks_keep_the_protocol() {
    run(async |bench| {
        let spec = json!({"ip": "10.{n}.0.0/24"});
        check(&test(bench, "network", spec, json!({"ip": "10.255.0.0/24"})).await);
        bench.nothing_is_open().await;
    });
}
