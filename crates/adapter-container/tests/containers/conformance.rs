//! The conformance suite against real containers and networks.

use std::{
    rc::Rc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use adapter::{
    LocalTransport, MemoryLedger, Service, Setup,
    conformance::{Options, Report, run as suite},
};
use planloom_adapter_container::describe;
use protocol::Caller;
use runtime::{LocalFuture, Timer};
use serde_json::{Map, Value as Json, json};
use store::Millis;

use crate::bench::{Bench, number, run, shell, spec};

/// The machine's time.
#[derive(Debug)]
struct Clock;

impl Timer for Clock {
    fn now(&self) -> Millis {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Millis(since.as_millis().try_into().unwrap())
    }

    fn sleep_until(&self, at: Millis) -> LocalFuture<()> {
        let millis = u64::try_from(at.0 - self.now().0).unwrap_or(0);
        Box::pin(async move {
            tokio::task::yield_now().await;
            tokio::time::sleep(Duration::from_millis(millis)).await;
        })
    }
}

async fn test(bench: &Bench, options: Options) -> Report {
    let timer: Rc<dyn Timer> = Rc::new(Clock);
    let setup = Setup {
        ledger: Box::new(MemoryLedger::default()),
        timer: timer.clone(),
        spawn: Rc::new(|work| drop(tokio::task::spawn_local(work))),
        token: None,
        base: String::new(),
    };
    let service = Service::new(describe(), bench.adapter().await, setup).unwrap();
    let transport = LocalTransport::new(Rc::new(service), timer.clone());
    let caller = Caller::new("http://containers.example", None).unwrap();
    suite(Rc::new(transport), caller, timer, options).await
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
