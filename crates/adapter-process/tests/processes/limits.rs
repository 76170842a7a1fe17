use std::fs;

use adapter::Adapter;
use model::Phase;
use planloom_adapter_process::{Limits, Options};
use protocol::Code;
use serde_json::{Value as Json, json};

use crate::bench::{Bench, marked, options, pointers, run, shell, until};

/// The hard limits of the process, by the kernel's names.
async fn limits_of(bench: &Bench, limits: Json) -> Vec<(String, String)> {
    let adapter = bench.adapter().await;
    let script = "cat /proc/self/limits; echo end; exec sleep 600";
    let request = bench.service(json!({
        "command": ["/bin/sh", "-c", script], "limits": limits, "readiness": {"log": "end\n"},
    }));
    adapter.create(&request).await.unwrap();
    let log = adapter.logs(&request.id.id, 10_000).unwrap();
    let hard = |line: &str| {
        let name = line.get(..26)?.trim().to_owned();
        Some((name, line.get(26..)?.split_ascii_whitespace().nth(1)?.to_owned()))
    };
    log.lines().filter_map(hard).collect()
}

fn hard<'l>(limits: &'l [(String, String)], name: &str) -> &'l str {
    limits.iter().find(|it| it.0 == name).map_or("", |it| &it.1)
}

#[test]
fn limits_hold_from_the_first_instruction() {
    run(async |bench: &Bench| {
        let usual = limits_of(bench, json!({})).await;
        assert_eq!(hard(&usual, "Max core file size"), "0");
        assert_ne!(hard(&usual, "Max data size"), "unlimited");
        assert_ne!(hard(&usual, "Max processes"), "unlimited");
        assert_eq!(hard(&usual, "Max file size"), (16_u64 << 30).to_string());
        let lower = json!({"memory_mib": 512, "file_size_mib": 3, "open_files": 99, "pids": 1000});
        let lowered = limits_of(bench, lower).await;
        assert_eq!(hard(&lowered, "Max data size"), (512 << 20).to_string());
        assert_eq!(hard(&lowered, "Max file size"), (3 << 20).to_string());
        assert_eq!(hard(&lowered, "Max open files"), "99");
        let pids = |limits: &[(String, String)]| hard(limits, "Max processes").parse::<u64>().unwrap();
        assert!((1000..4096).contains(&pids(&lowered)) && pids(&usual) > 4096);
    });
}

#[test]
fn limits_are_enforced() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        // The log is not one of its files: the limit does not hold for it.
        let script = "dd if=/dev/zero of=big bs=64k count=64 2>/dev/null
             dd if=/dev/zero of=/dev/null bs=300M count=1 2>/dev/null || echo no memory > result
             dd if=/dev/zero bs=64k count=64 2>/dev/null | tr '\\0' x; echo; echo end; exec sleep 600";
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", script], "readiness": {"log": "end\n"},
            "limits": {"file_size_mib": 1, "memory_mib": 64},
        }));
        adapter.create(&request).await.unwrap();
        let service = bench.state().join("services").join(&request.id.id);
        assert_eq!(fs::metadata(service.join("work/big")).unwrap().len(), 1 << 20);
        assert!(fs::metadata(service.join("log")).unwrap().len() > 4 << 20);
        assert_eq!(fs::read_to_string(service.join("work/result")).unwrap(), "no memory\n");
    });
}

/// Also if the kernel does not enforce the limit for its user.
#[test]
fn a_service_with_too_many_processes_is_ended() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let script = "sleep 600 & echo up; sleep 1; i=0; while [ $i -lt 60 ]; do i=$((i+1)); sleep 600 & setsid sleep 600 & done; wait";
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", script], "limits": {"pids": 40}, "readiness": {"log": "up"},
        }));
        adapter.create(&request).await.unwrap();
        let seen = until(&adapter, &request, |it| it.phase == Phase::Terminated).await;
        let message = seen.message.unwrap();
        assert!(message.contains("it has more than 40 processes and threads"), "{message}");
        assert!(marked(&request.id.id).is_empty());
    });
}

#[test]
fn a_descriptor_cannot_raise_a_limit() {
    run(async |bench: &Bench| {
        let limits = Limits::default().with("memory_mib=100").unwrap().with("open_files=unlimited").unwrap();
        let by = Options { limits, ..options(bench.state(), shell()) };
        let adapter = bench.adapter_by(by).await;
        let service = |limits: Json| {
            bench.service(json!({"command": ["/bin/sh", "-c", "exec sleep 600"], "limits": limits}))
        };
        let problem =
            adapter.create(&service(json!({"memory_mib": 101, "open_files": 1 << 20}))).await.unwrap_err();
        assert!(problem.is(Code::Forbidden));
        assert_eq!(pointers(&problem), ["/payload/params/limits/memory_mib"]);
        adapter.create(&service(json!({"memory_mib": 100}))).await.unwrap();
        let problem = adapter.create(&service(json!({"memory_mib": 0, "cpus": 1}))).await.unwrap_err();
        assert!(problem.is(Code::InvalidSpec));
    });
}
