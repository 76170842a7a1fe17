//! The conformance suite against real containers and networks.

use adapter::{
    conformance::{Options, Report},
    testing::conform,
};
use host::{SystemTimer, spawn};
use planloom_adapter_container::describe;
use serde_json::{Map, Value as Json, json};

use crate::bench::{Bench, number, run, shell, spec};

async fn test(bench: &Bench, options: Options) -> Report {
    conform(describe(), bench.adapter().await, SystemTimer::new(), spawn(), options).await
}

fn options(kind: &str, spec: Json, rebuild: Json) -> Options {
    let map = |value: Json| -> Map<String, Json> { value.as_object().unwrap().clone() };
    let lineage = format!("conformance {kind} {} {}", std::process::id(), number());
    let mut options = Options::new(kind, map(spec.clone()), lineage);
    let mut changed = map(spec);
    changed.insert("labels".into(), json!({"tier": "{n}"}));
    (options.changed, options.rebuild) = (Some(changed), Some(map(rebuild)));
    options.parallel = 6;
    options
}

#[track_caller]
fn check(report: &Report, bench: &Bench, lineage: &str) {
    let of = format!("label=planloom.deployment={lineage}");
    assert!(report.is_ok(), "{report}");
    assert!(report.passed >= 31, "{report}");
    for words in [&["ps", "--all"][..], &["network", "ls"]] {
        let words: Vec<&str> = words.iter().copied().chain(["--quiet", "--filter", &of]).collect();
        assert_eq!(bench.engine.podman(&words).unwrap(), "");
    }
}

#[test]
fn containers_keep_the_protocol() {
    run(async |bench| {
        let params = |text: &str| {
            let command = shell(&format!("echo {text}; exec sleep 600"));
            spec(json!({"command": command, "readiness": {"log": text}, "stop": {"grace_seconds": 0}}))
        };
        let options = options("service", params("up"), params("other"));
        let lineage = options.lineage.clone();
        check(&test(bench, options).await, bench, &lineage);
    });
}

#[test]
fn networks_keep_the_protocol() {
    run(async |bench| {
        let spec = json!({"ip": "10.202.{n}.0/24"});
        let options = options("network", spec, json!({"ip": "10.201.0.0/24"}));
        let lineage = options.lineage.clone();
        check(&test(bench, options).await, bench, &lineage);
    });
}
