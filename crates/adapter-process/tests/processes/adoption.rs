use std::{fs, path::Path, thread, time::Duration};

use adapter::Adapter;
use model::Phase;
use planloom_adapter_process::{Allowed, OpenError, ProcessAdapter};
use rustix::process::Signal;
use serde_json::{Value as Json, json};
use tokio::time::{sleep, timeout};

use crate::{
    bench::{
        Bench, Stranger, eventually, is_alive, kill, known, marked, options, output, pid, read, record,
        rewrite, run, shell, unanswered, until,
    },
    helper::{Host, server},
    start::get,
    supervisor::parent,
};

#[test]
fn a_process_outlives_its_adapter_and_is_found_again() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let request = bench.script("echo one; exec sleep 600");
        let seen = adapter.create(&request).await.unwrap();
        drop(adapter);
        assert!(is_alive(pid(&seen)));
        let adapter = bench.adapter().await;
        let again = adapter.read(&known(&request, &seen)).await.unwrap().unwrap();
        assert_eq!(again, seen);
        assert_eq!(adapter.logs(&request.id.id, 10).unwrap(), "one\n");
        assert_eq!(adapter.create(&request).await.unwrap(), seen, "creating it again takes it over");
        kill(pid(&seen), Signal::KILL);
        let gone = until(&adapter, &request, |it| it.phase == Phase::Terminated).await;
        assert!(gone.message.unwrap().starts_with("was killed by signal 9"));
        adapter.destroy(&known(&request, &seen)).await.unwrap();
        assert_eq!(read(&adapter, &request).await, None);
    });
}

#[test]
fn a_folder_has_one_adapter_at_a_time() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let second = ProcessAdapter::open(options(bench.state(), shell())).await;
        assert!(matches!(second, Err(OpenError::InUse(_))));
        drop(adapter);
        bench.adapter().await;
    });
}

/// A child that was just being started when the adapter was killed holds the lock until it runs.
#[test]
fn the_lock_of_a_dead_adapter_is_waited_for() {
    run(async |bench: &Bench| {
        drop(bench.adapter().await);
        let path = bench.state().join("lock");
        fs::write(&path, r#"{"pid":1,"started":0,"boot":"an earlier one"}"#).unwrap();
        let lock = fs::File::open(&path).unwrap();
        lock.lock().unwrap();
        let held = thread::spawn(move || {
            // This is longer than an adapter that is running is waited for.
            thread::sleep(Duration::from_secs(2));
            drop(lock);
        });
        bench.adapter().await;
        held.join().unwrap();
    });
}

/// An adapter that is opened only to read, and allows nothing, must not end the service.
#[test]
fn a_starting_service_that_is_not_allowed_is_left_unchanged() {
    run(async |bench: &Bench| {
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", "sleep 1; echo ready; exec sleep 600"],
            "readiness": {"log": "ready"},
        }));
        let adapter = bench.adapter().await;
        let cut = timeout(Duration::from_millis(400), adapter.create(&request)).await;
        assert!(cut.is_err(), "it was ready at once");
        drop(adapter);
        let adapter = bench.adapter_with(Allowed::nothing()).await;
        let found = read(&adapter, &request).await.unwrap();
        sleep(Duration::from_millis(1500)).await;
        let again = read(&adapter, &request).await.unwrap();
        assert_eq!((found.phase, again.phase), (Phase::Pending, Phase::Pending));
        assert!(is_alive(pid(&again)));
        drop(adapter);
        let adapter = bench.adapter().await;
        let made = until(&adapter, &request, |it| it.phase == Phase::Active).await;
        assert_eq!(pid(&made), pid(&found));
    });
}

pub(crate) fn is_made(bench: &Bench, request: &adapter::ResourceRequest) -> bool {
    let path = bench.state().join("services").join(&request.id.id).join("record.json");
    fs::read_to_string(path).is_ok_and(|it| it.contains(r#"{"is":"made"}"#))
}

#[test]
fn restarts_go_on_after_a_crash_of_the_adapter() {
    run(async |bench: &Bench| {
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", "exec sleep 600"],
            "secrets": {"KEY": "hidden"},
            "restart": {"policy": "on_failure", "delay_seconds": 0.05},
        }));
        let host = Host::start(bench, &request);
        eventually("it is made", || is_made(bench, &request)).await;
        host.crash();
        let first = marked(&request.id.id);
        assert_eq!(first.len(), 1, "it lives");
        let adapter = bench.adapter().await;
        let seen = until(&adapter, &request, |it| it.phase == Phase::Active).await;
        assert_eq!(first, [pid(&seen)]);
        kill(first[0], Signal::KILL);
        let second = until(&adapter, &request, |it| it.phase == Phase::Active && pid(it) != first[0]).await;
        let environ = fs::read(format!("/proc/{}/environ", pid(&second))).unwrap();
        assert!(String::from_utf8_lossy(&environ).contains("KEY=hidden"), "with its secrets");
        assert_eq!(marked(&request.id.id), [pid(&second)]);
    });
}

#[test]
fn a_service_that_ended_meanwhile_is_restarted_by_its_policy() {
    run(async |bench: &Bench| {
        let service = |restart: &str, secrets: Json| {
            bench.service(json!({
                "command": ["/bin/sh", "-c", "exec sleep 600"], "restart": {"policy": restart, "delay_seconds": 0.05},
                "secrets": secrets,
            }))
        };
        let (never, always) = (service("never", json!({})), service("always", json!({})));
        let secret = service("always", json!({"KEY": "hidden"}));
        let adapter = bench.adapter().await;
        for request in [&never, &always, &secret] {
            adapter.create(request).await.unwrap();
        }
        drop(adapter);
        for request in [&never, &always, &secret] {
            marked(&request.id.id).into_iter().for_each(|it| kill(it, Signal::KILL));
        }
        eventually("they are dead", || {
            [&never, &always, &secret].iter().all(|it| marked(&it.id.id).is_empty())
        })
        .await;
        let adapter = bench.adapter().await;
        until(&adapter, &always, |it| it.phase == Phase::Active).await;
        until(&adapter, &never, |it| it.phase == Phase::Terminated).await;
        // The secrets are lost, so the service has to be created again; a `read` with them would also restart
        // it.
        until(&adapter, &secret, |it| it.phase != Phase::Active).await;
        assert_eq!(marked(&secret.id.id).len() + marked(&never.id.id).len(), 0);
    });
}

#[test]
fn processes_left_without_an_adapter_end_before_the_next_start() {
    run(async |bench: &Bench| {
        let pids = bench.folder.join("pids");
        let script = format!("sleep 600 & echo $! > {}; exec sleep 601", pids.display());
        let adapter = bench.adapter().await;
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", script], "restart": {"policy": "always", "delay_seconds": 0.05},
        }));
        let seen = adapter.create(&request).await.unwrap();
        let left: u32 = fs::read_to_string(&pids).unwrap().trim().parse().unwrap();
        drop(adapter);
        // Its supervisor would end the remaining processes.
        kill(parent(pid(&seen)), Signal::KILL);
        eventually("it is dead", || !is_alive(pid(&seen))).await;
        assert!(is_alive(left));
        let adapter = bench.adapter().await;
        until(&adapter, &request, |it| it.phase == Phase::Active).await;
        assert!(!is_alive(left));
        assert_eq!(marked(&request.id.id).len(), 2);
    });
}

#[test]
fn a_crash_between_start_and_record_loses_nothing() {
    run(async |bench: &Bench| {
        let request = bench.script("exec sleep 600");
        let host = Host::start(bench, &request);
        eventually("it is made", || is_made(bench, &request)).await;
        host.crash();
        let (path, mut kept) = record(bench, &request);
        let first: u32 = kept["leader"]["pid"].as_u64().unwrap().try_into().unwrap();
        kept["leader"] = Json::Null;
        kept["stage"] = json!({"is": "starting"});
        rewrite(&path, &kept);
        let adapter = bench.adapter().await;
        let seen = until(&adapter, &request, |it| it.phase == Phase::Active).await;
        assert_eq!(pid(&seen), first);
        assert_eq!(adapter.create(&request).await.unwrap(), seen);
        assert_eq!(marked(&request.id.id), [first], "nothing was started twice");
        let (_, kept) = record(bench, &request);
        assert_eq!(kept["leader"]["pid"], json!(first));
    });
}

#[test]
fn destroying_ends_processes_left_by_a_crash_before_the_start() {
    run(async |bench: &Bench| {
        let spec = json!({
            "payload": {"runtime": "process"},
            "init": [
                {"run": {"args": ["/bin/sh", "-c", "sleep 600; sleep 600"]}},
                {"run": {"args": ["/bin/sh", "-c", "exec sleep 600"]}},
            ],
        });
        let request = bench.request("service", "services.it", spec);
        let host = Host::start(bench, &request);
        eventually("the first command runs", || marked(&request.id.id).len() == 2).await;
        host.crash();
        assert_eq!(marked(&request.id.id).len(), 2);
        // Opening the folder must not end any process.
        let adapter = bench.adapter().await;
        let seen = read(&adapter, &request).await.unwrap();
        assert_eq!(
            (seen.phase, seen.message.as_deref()),
            (Phase::Terminated, Some("its creation was interrupted"))
        );
        assert_eq!(marked(&request.id.id).len(), 2);
        adapter.destroy(&known(&request, &seen)).await.unwrap();
        assert!(marked(&request.id.id).is_empty());
        assert_eq!(read(&adapter, &request).await, None);
        assert!(!bench.state().join("services").join(&request.id.id).exists());
    });
}

#[test]
fn a_number_that_was_given_to_another_is_left_alone() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let request = bench.script("exec sleep 600");
        let seen = adapter.create(&request).await.unwrap();
        drop(adapter);
        kill(pid(&seen), Signal::KILL);
        eventually("it is dead", || !is_alive(pid(&seen))).await;
        let stranger = Stranger::new();
        let (path, mut kept) = record(bench, &request);
        kept["leader"]["pid"] = json!(stranger.0.id());
        rewrite(&path, &kept);
        let adapter = bench.adapter().await;
        let gone = until(&adapter, &request, |it| it.phase == Phase::Terminated).await;
        let mut reused = known(&request, &gone);
        reused.identity.as_mut().unwrap()["pid"] = json!(stranger.0.id());
        adapter.destroy(&reused).await.unwrap();
        assert!(is_alive(stranger.0.id()));
    });
}

#[test]
fn a_lost_folder_is_no_lost_process() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let network = bench.request("network", "networks.default", json!({}));
        let block = adapter.create(&network).await.unwrap();
        let mut request = bench.service(json!({"command": server(), "env": {"TEXT": "it lives"}}));
        request.spec.insert("network".into(), json!("default"));
        request.spec.insert("tcp_proxy".into(), json!({"ports": [{"remote_port": 8080}]}));
        let seen = adapter.create(&request).await.unwrap();
        drop(adapter);
        lose(&bench.state()).await;
        let address = output(&seen, "/tcp_proxy/ports/0/address").unwrap().as_str().unwrap();
        closed(address).await;

        let adapter = bench.adapter().await;
        assert_eq!(adapter.read(&known(&network, &block)).await.unwrap().unwrap(), block);
        let again = adapter.read(&known(&request, &seen)).await.unwrap().unwrap();
        assert_eq!(again, seen);
        assert!(get(address.to_owned(), "/").await.ends_with("it lives"));
        adapter.destroy(&known(&request, &again)).await.unwrap();
        assert!(marked(&request.id.id).is_empty());

        // The same if nothing but the id is known.
        let seen = adapter.create(&request).await.unwrap();
        drop(adapter);
        lose(&bench.state()).await;
        let adapter = bench.adapter().await;
        let found = until(&adapter, &request, |it| it.phase == Phase::Active).await;
        assert_eq!(pid(&found), pid(&seen));
        drop(adapter);
        lose(&bench.state()).await;
        let adapter = bench.adapter().await;
        adapter.destroy(&unanswered(&request)).await.unwrap();
        assert!(marked(&request.id.id).is_empty());
    });
}

/// Removes a folder that supervisors may still be writing to.
async fn lose(folder: &Path) {
    eventually("it is removed", || fs::remove_dir_all(folder).is_ok() || !folder.exists()).await;
}

/// Waits until an adapter that was dropped has closed a port: tasks end when their thread polls them.
async fn closed(address: &str) {
    eventually("it is closed", || std::net::TcpStream::connect(address).is_err()).await;
}

#[test]
fn proxies_come_back() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        adapter.create(&bench.request("network", "networks.default", json!({}))).await.unwrap();
        let mut request = bench.service(json!({"command": server(), "env": {"TEXT": "it lives"}}));
        request.spec.insert("network".into(), json!("default"));
        request.spec.insert("http_proxy".into(), json!({"ports": [{"remote_port": 8080}]}));
        let seen = adapter.create(&request).await.unwrap();
        let address = |seen: &adapter::ObservedResource| {
            let address = output(seen, "/http_proxy/ports/0/address").unwrap().as_str().unwrap();
            address.strip_prefix("http://").unwrap().to_owned()
        };
        assert!(get(address(&seen), "/").await.ends_with("it lives"));
        drop(adapter);
        closed(&address(&seen)).await;
        let adapter = bench.adapter().await;
        let again = adapter.read(&known(&request, &seen)).await.unwrap().unwrap();
        assert_eq!(address(&again), address(&seen));
        assert!(get(address(&again), "/").await.ends_with("it lives"));
        drop(adapter);

        // Another program uses the port meanwhile.
        closed(&address(&seen)).await;
        let taken = std::net::TcpListener::bind(address(&seen)).unwrap();
        let adapter = bench.adapter().await;
        let other = adapter.read(&known(&request, &seen)).await.unwrap().unwrap();
        assert_ne!(address(&other), address(&seen));
        assert!(get(address(&other), "/").await.ends_with("it lives"));
        drop(taken);
    });
}

#[test]
fn a_program_no_longer_allowed_keeps_running_but_is_not_restarted() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", "exec sleep 600"], "restart": {"policy": "always", "delay_seconds": 0.05},
        }));
        let seen = adapter.create(&request).await.unwrap();
        drop(adapter);
        let adapter = bench.adapter_with(Allowed::nothing()).await;
        let again = read(&adapter, &request).await.unwrap();
        assert_eq!((again.phase, pid(&again)), (Phase::Active, pid(&seen)));
        kill(pid(&seen), Signal::KILL);
        until(&adapter, &request, |it| it.phase == Phase::Terminated).await;
        assert!(marked(&request.id.id).is_empty());
    });
}

/// An adapter that is killed while it creates or removes a record may leave parts of it.
#[test]
fn halves_of_files_and_folders_are_removed() {
    run(async |bench: &Bench| {
        drop(bench.adapter().await);
        let (half, network) =
            (bench.state().join("services/half/work"), bench.state().join("networks/one.new"));
        fs::create_dir_all(&half).unwrap();
        fs::write(bench.state().join("services/half/log"), "what it wrote").unwrap();
        fs::write(&network, "{").unwrap();
        let _adapter = bench.adapter().await;
        assert!(!bench.state().join("services/half").exists() && !network.exists());
    });
}
