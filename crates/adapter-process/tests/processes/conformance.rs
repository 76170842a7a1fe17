//! The conformance suite against real processes and networks.

use std::{
    rc::Rc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use adapter::{
    LocalTransport, MemoryLedger, Service, Setup,
    conformance::{Options, Report, run as suite},
};
use planloom_adapter_process::describe;
use protocol::Caller;
use runtime::{LocalFuture, Timer};
use serde_json::{Map, Value as Json, json};
use store::Millis;

use crate::bench::{Bench, run};

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
    let caller = Caller::new("http://processes.example", None).unwrap();
    suite(Rc::new(transport), caller, timer, options).await
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
