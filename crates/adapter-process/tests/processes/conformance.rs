//! The conformance suite against real processes and networks.

use adapter::{
    conformance::{Options, Report},
    testing::conform,
};
use host::{SystemTimer, spawn};
use planloom_adapter_process::describe;
use serde_json::{Map, Value as Json, json};

use crate::bench::{Bench, run};

async fn test(bench: &Bench, options: Options) -> Report {
    conform(describe(), bench.adapter().await, SystemTimer::new(), spawn(), options).await
}

#[track_caller]
fn check(kind: &'static str, spec: Json, rebuild: Json) {
    run(async |bench| {
        let map = |value: &Json| -> Map<String, Json> { value.as_object().unwrap().clone() };
        let mut options = Options::new(kind, map(&spec), format!("conformance {kind} {}", bench.id()));
        let mut changed = map(&spec);
        changed.insert("labels".into(), json!({"tier": "{n}"}));
        (options.changed, options.rebuild) = (Some(changed), Some(map(&rebuild)));
        let report = test(bench, options).await;
        assert!(report.is_ok(), "{report}");
        assert!(report.passed >= 31, "{report}");
        for folder in ["services", "networks"] {
            let left = std::fs::read_dir(bench.state().join(folder)).unwrap().count();
            assert_eq!(left, 0, "{folder}");
        }
    });
}

#[test]
fn processes_keep_the_protocol() {
    let spec = |seconds: &str| {
        let params = json!({"command": ["/bin/sh", "-c", format!("exec sleep {seconds}")]});
        json!({"payload": {"runtime": "process", "params": params}})
    };
    check("service", spec("600"), spec("601"));
}

#[test]
fn networks_keep_the_protocol() {
    check("network", json!({"ip": "10.0.0.0/24"}), json!({"ip": "10.1.0.0/24"}));
}
