use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use adapter::Adapter;
use model::Phase;
use rustix::process::Signal;
use serde_json::json;

use crate::{
    bench::{Bench, eventually, is_alive, kill, known, marked, pid, run, until},
    helper::Host,
};

/// Starts a daemon as daemons usually do: in a session of its own, without an environment, and without a
/// parent that waits for it.
fn daemon(pids: &Path) -> String {
    let start = "/sbin/start-stop-daemon";
    let daemon = match Path::new(start).exists() {
        true => format!(
            "{start} --start --background --make-pidfile --pidfile {}.own --exec /bin/sleep -- 600",
            pids.display()
        ),
        false => "setsid sleep 600 &".to_owned(),
    };
    format!(
        "(setsid env -i sh -c 'trap \"\" TERM; echo $$ >> {0}; while :; do sleep 1; done' >/dev/null 2>&1 &)
         env -i sh -c '{daemon}'
         while ! [ -s {0} ]; do sleep 0.01; done; [ ! -e {start} ] || cat {0}.own >> {0}",
        pids.display()
    )
}

fn numbers(pids: &Path) -> Vec<u32> {
    fs::read_to_string(pids).unwrap_or_default().lines().map(|it| it.trim().parse().unwrap()).collect()
}

#[test]
fn daemons_end_with_their_service() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let pids = bench.folder.join("pids");
        let script = format!("{}\necho up; exec sleep 600", daemon(&pids));
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", script], "readiness": {"log": "up"}, "stop": {"grace_seconds": 0.3},
        }));
        let seen = adapter.create(&request).await.unwrap();
        let daemons = numbers(&pids);
        assert!(!daemons.is_empty() && daemons.iter().all(|it| is_alive(*it)), "{daemons:?}");
        adapter.destroy(&known(&request, &seen)).await.unwrap();
        assert!(!daemons.iter().any(|it| is_alive(*it)));
    });
}

#[test]
fn daemons_end_when_their_service_does_though_no_adapter_is_there() {
    run(async |bench: &Bench| {
        let (pids, stop) = (bench.folder.join("pids"), bench.folder.join("stop"));
        let script =
            format!("{}\necho up; while ! [ -e {} ]; do sleep 0.05; done", daemon(&pids), stop.display());
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", script], "readiness": {"log": "up"}, "stop": {"grace_seconds": 0.3},
            "restart": "on_failure",
        }));
        let host = Host::start(bench, &request);
        eventually("it is made", || crate::adoption::is_made(bench, &request)).await;
        host.crash();
        let daemons = numbers(&pids);
        assert!(!daemons.is_empty() && daemons.iter().all(|it| is_alive(*it)), "{daemons:?}");
        fs::write(stop, "").unwrap();
        eventually("they are ended", || !daemons.iter().any(|it| is_alive(*it))).await;
        // Its exit is recorded, so it does not count as a failure.
        let adapter = bench.adapter().await;
        let seen = until(&adapter, &request, |it| it.phase == Phase::Terminated).await;
        assert!(seen.message.unwrap().starts_with("exited with status 0"));
    });
}

#[test]
fn a_log_is_bounded_when_the_adapter_has_ended() {
    run(async |bench: &Bench| {
        let go = bench.folder.join("go");
        let script = format!(
            "echo up; while ! [ -e {} ]; do sleep 0.05; done; while :; do echo a line again and again; done",
            go.display()
        );
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", script],
            "log": {"max_bytes": 8192}, "readiness": {"log": "up"},
        }));
        let host = Host::start(bench, &request);
        eventually("it is made", || crate::adoption::is_made(bench, &request)).await;
        host.crash();
        let log: PathBuf = bench.state().join("services").join(&request.id.id).join("log");
        let data = || fs::metadata(&log).unwrap();
        let before = data().len();
        fs::write(go, "").unwrap();
        eventually("much was written", || data().len() > before + (1 << 20)).await;
        assert!(data().blocks() * 512 <= 2 * 8192 + (128 << 10), "{} bytes", data().blocks() * 512);
        let text = fs::read(&log).unwrap();
        assert!(String::from_utf8_lossy(&text[text.len() - 8192..]).contains("again and again"));
        // A smaller limit has an effect at once, also when only the record was changed.
        let adapter = bench.adapter().await;
        assert!(adapter.logs(&request.id.id, 100).unwrap().contains("again"));
    });
}

#[test]
fn a_service_does_not_go_on_without_its_supervisor() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", "sleep 600 & exec sleep 601"],
            "restart": {"policy": "on_failure", "delay_seconds": 0.05},
        }));
        let first = adapter.create(&request).await.unwrap();
        kill(parent(pid(&first)), Signal::KILL);
        let second =
            until(&adapter, &request, |it| it.phase == Phase::Active && pid(it) != pid(&first)).await;
        assert!(!is_alive(pid(&first)));
        assert_eq!(marked(&request.id.id).len(), 2, "what the first one left is gone");
        adapter.destroy(&known(&request, &second)).await.unwrap();
        assert!(marked(&request.id.id).is_empty());
    });
}

#[test]
fn a_terminated_supervisor_ends_its_service() {
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
        let supervisor = parent(pid(&seen));
        drop(adapter);
        kill(supervisor, Signal::TERM);
        eventually("both are gone", || !is_alive(pid(&seen)) && !is_alive(supervisor)).await;
        assert_eq!(fs::read_to_string(bye).unwrap(), "bye\n");
    });
}

/// The supervisor of a process.
pub(crate) fn parent(pid: u32) -> u32 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|it| it.strip_prefix("PPid:")).unwrap();
    line.trim().parse().unwrap()
}
