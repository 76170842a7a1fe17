use std::{fs, time::Duration};

use adapter::Adapter;
use serde_json::json;
use tokio::time::Instant;

use crate::bench::{Bench, Stranger, eventually, is_alive, known, marked, run};

#[test]
fn a_process_that_ends_on_a_signal_is_not_killed() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let bye = bench.folder.join("bye");
        let script = format!(
            "trap 'echo bye > {}; exit 0' USR1; echo up; while :; do sleep 0.05; done",
            bye.display()
        );
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", script], "readiness": {"log": "up"}, "stop": {"signal": "SIGUSR1"},
        }));
        let seen = adapter.create(&request).await.unwrap();
        let begun = Instant::now();
        adapter.destroy(&known(&request, &seen)).await.unwrap();
        assert!(begun.elapsed() < Duration::from_secs(5));
        assert_eq!(fs::read_to_string(bye).unwrap(), "bye\n");
    });
}

#[test]
fn all_of_it_ends_whatever_it_does() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let pids = bench.folder.join("pids");
        // Each of them ignores the stop signal: one in the group, one that left the group, one without an
        // environment, one whose parent has ended.
        let script = format!(
            "exec 3>{}; trap '' TERM
             sh -c 'echo $$ >&3; sleep 600; sleep 600' &
             setsid sh -c 'echo $$ >&3; sleep 600; sleep 600' &
             env -i sh -c 'echo $$ >&3; while :; do sleep 1; done' &
             sh -c 'sh -c \"echo \\$\\$ >&3; sleep 600; sleep 600\" &'
             echo up; wait; sleep 600",
            pids.display()
        );
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", script], "readiness": {"log": "up"}, "stop": {"grace_seconds": 0.3},
        }));
        let seen = adapter.create(&request).await.unwrap();
        let read = || -> Vec<u32> {
            let text = fs::read_to_string(&pids).unwrap();
            text.lines().map(|it| it.parse().unwrap()).collect()
        };
        eventually("four are running", || read().len() == 4).await;
        assert!(read().into_iter().all(is_alive));
        let begun = Instant::now();
        adapter.destroy(&known(&request, &seen)).await.unwrap();
        assert!(begun.elapsed() >= Duration::from_millis(300), "they have time to end by themselves");
        assert!(!read().into_iter().any(is_alive));
        assert!(marked(&request.id.id).is_empty());
    });
}

#[test]
fn children_of_a_dead_process_are_ended() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let pids = bench.folder.join("pids");
        let script = format!("env -i sleep 600 & echo $! > {}; sleep 1; exit 0", pids.display());
        let request = bench.script(&script);
        adapter.create(&request).await.unwrap();
        let left: u32 = fs::read_to_string(&pids).unwrap().trim().parse().unwrap();
        assert!(is_alive(left));
        eventually("it is ended", || !is_alive(left)).await;
    });
}

#[test]
fn other_processes_are_not_ended() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let stranger = Stranger::new();
        let request = bench.script("exec sleep 600");
        let seen = adapter.create(&request).await.unwrap();
        // As if the number had been given to another process since.
        let mut reused = known(&request, &seen);
        reused.identity.as_mut().unwrap()["pid"] = json!(stranger.0.id());
        adapter.destroy(&reused).await.unwrap();
        assert!(is_alive(stranger.0.id()));
        adapter.destroy(&reused).await.unwrap();
        assert!(is_alive(stranger.0.id()));
    });
}
