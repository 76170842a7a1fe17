use std::{fs, os::unix::fs::MetadataExt, time::Duration};

use adapter::Adapter;
use model::Phase;
use protocol::Code;
use rustix::process::Signal;
use serde_json::{Value as Json, json};
use tokio::time::sleep;

use crate::bench::{Bench, is_alive, kill, known, marked, pid, pointers, run, until};

fn restarted(bench: &Bench, script: &str, restart: Json) -> adapter::ResourceRequest {
    bench.service(json!({"command": ["/bin/sh", "-c", script], "restart": restart}))
}

#[test]
fn a_service_without_restarts_is_terminated() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let request = bench.script("sleep 1; echo good bye; exit 7");
        adapter.create(&request).await.unwrap();
        let seen = until(&adapter, &request, |it| it.phase == Phase::Terminated).await;
        assert_eq!(seen.message.as_deref(), Some("exited with status 7 (last line: good bye)"));
        assert!(marked(&request.id.id).is_empty());
        // A terminated service can be created again under the same id.
        let again = adapter.create(&request).await.unwrap();
        assert_eq!(again.phase, Phase::Active);
    });
}

#[test]
fn a_dead_process_is_never_reported_as_running() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let request = bench.script("exec sleep 600");
        for _ in 0..5 {
            let seen = adapter.create(&request).await.unwrap();
            kill(pid(&seen), Signal::KILL);
            while is_alive(pid(&seen)) {
                std::thread::yield_now();
            }
            let seen = adapter.read(&known(&request, &seen)).await.unwrap().unwrap();
            assert_ne!(seen.phase, Phase::Active);
        }
    });
}

#[test]
fn one_that_is_killed_by_hand_is_started_again() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let restart = json!({"policy": "on_failure", "delay_seconds": 0.05});
        let request = restarted(bench, "sleep 600 & exec sleep 601", restart);
        let first = adapter.create(&request).await.unwrap();
        kill(pid(&first), Signal::KILL);
        let second =
            until(&adapter, &request, |it| it.phase == Phase::Active && pid(it) != pid(&first)).await;
        assert!(second.message.unwrap().ends_with("restarted once"));
        assert_eq!(marked(&request.id.id).len(), 2, "what the first one left is gone");
    });
}

#[test]
fn success_is_no_failure() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let request = restarted(bench, "sleep 1; exit 0", json!("on_failure"));
        adapter.create(&request).await.unwrap();
        let seen = until(&adapter, &request, |it| it.phase == Phase::Terminated).await;
        assert_eq!(seen.message.as_deref(), Some("exited with status 0"));
    });
}

#[test]
fn restarts_come_later_and_later_and_have_an_end() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let restart = json!({"policy": "always", "delay_seconds": 0.1, "max_delay_seconds": 0.2, "limit": 3});
        let request = restarted(bench, "date +%s%N >> starts; sleep 1", restart);
        let work = bench.state().join("services").join(&request.id.id).join("work/starts");
        adapter.create(&request).await.unwrap();
        let seen = until(&adapter, &request, |it| it.phase == Phase::Terminated).await;
        assert_eq!(seen.message.as_deref(), Some("exited with status 0, and was restarted 3 times"));
        let starts: Vec<u64> =
            fs::read_to_string(work).unwrap().lines().map(|it| it.parse().unwrap()).collect();
        assert_eq!(starts.len(), 4);
        let gaps: Vec<u64> = starts.windows(2).map(|it| (it[1] - it[0]) / 1_000_000).collect();
        assert!(gaps[0] >= 1100 && gaps[1] >= 1200 && gaps[2] >= 1200, "{gaps:?}");
    });
}

#[test]
fn between_two_starts_it_is_pending_and_says_why() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let restart = json!({"policy": "always", "delay_seconds": 30});
        let request = restarted(bench, "sleep 1; echo oops; exit 1", restart);
        let seen = adapter.create(&request).await.unwrap();
        let pending =
            until(&adapter, &request, |it| it.message.as_deref().unwrap().contains("restarts in")).await;
        assert_eq!(pending.phase, Phase::Pending);
        assert_eq!(
            pending.message.as_deref(),
            Some("exited with status 1 (last line: oops); it restarts in 30 s")
        );
        adapter.destroy(&known(&request, &seen)).await.unwrap();
        sleep(Duration::from_millis(50)).await;
        assert!(marked(&request.id.id).is_empty());
    });
}

#[test]
fn rules_change_in_place_and_nothing_else_does() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let request = restarted(bench, "exec sleep 600", json!("never"));
        let first = adapter.create(&request).await.unwrap();
        let mut changed = request.clone();
        changed.spec.insert("labels".into(), json!({"tier": "back"}));
        changed.spec["payload"]["params"]["restart"] = json!({"policy": "always", "delay_seconds": 0.05});
        changed.spec["payload"]["params"]["stop"] = json!({"grace_seconds": 1});
        let updated = adapter.update(&known(&request, &first), &changed).await.unwrap();
        assert_eq!(pid(&updated), pid(&first));
        kill(pid(&first), Signal::KILL);
        let second =
            until(&adapter, &request, |it| it.phase == Phase::Active && pid(it) != pid(&first)).await;

        let mut other = changed.clone();
        other.spec["payload"]["params"]["command"] = json!(["/bin/sh", "-c", "exec sleep 602"]);
        let problem = adapter.update(&known(&changed, &second), &other).await.unwrap_err();
        assert!(problem.is(Code::RebuildRequired));
        assert_eq!(pointers(&problem), ["/payload/params/command"]);
        assert!(is_alive(pid(&second)));
    });
}

#[test]
fn a_log_is_bounded() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", "i=0; while [ $i -lt 4000 ]; do i=$((i+1)); echo line $i; done; exec sleep 600"],
            "log": {"max_bytes": 4096},
            "readiness": {"log": "line 4000\n"},
        }));
        adapter.create(&request).await.unwrap();
        let log = bench.state().join("services").join(&request.id.id).join("log");
        let room = || fs::metadata(&log).unwrap().blocks() * 512;
        crate::bench::eventually("the log is short", || room() <= 2 * 4096).await;
        let tail = adapter.logs(&request.id.id, 50).unwrap();
        assert!(tail.ends_with("line 3999\nline 4000\n") && tail.len() <= 50, "{tail}");
    });
}
