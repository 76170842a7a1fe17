use std::{cell::RefCell, rc::Rc, time::Duration};

use adapter::Adapter;
use model::Phase;
use protocol::Code;
use serde_json::json;
use tokio::time::Instant;

use crate::{
    bench::{known, output, pointers, read, run, server, shell, spec, text, unanswered, until},
    images::HEALTHY,
};

#[test]
fn a_container_runs_until_it_is_destroyed() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let requested = bench.script("echo hello; sleep 600");
        let seen = adapter.create(&requested).await.unwrap();
        assert_eq!(seen.phase, Phase::Active, "{seen:?}");
        assert_eq!(text(&seen, "/state"), "running");
        assert_eq!(bench.inspect(&requested, "{{.Id}}"), text(&seen, "/activity/id"));
        assert_eq!(seen.identity["id"], text(&seen, "/activity/id"));
        assert!(text(&seen, "/network_node/ip").parse::<std::net::IpAddr>().is_ok());
        assert_eq!(adapter.logs(&requested.id.id, 100).await.unwrap(), "hello\n");
        assert_eq!(adapter.logs(&requested.id.id, 3).await.unwrap(), "lo\n");
        assert_eq!(adapter.logs("nobody", 100).await, None);
        assert_eq!(read(&adapter, &requested).await.unwrap(), seen);
        assert_eq!(adapter.progress(&requested.id), None);
        adapter.destroy(&known(&requested, &seen)).await.unwrap();
        assert_eq!(read(&adapter, &requested).await, None);
        assert!(bench.containers(&requested.id.id).is_empty());
        adapter.destroy(&known(&requested, &seen)).await.unwrap();
    });
}

#[test]
fn it_carries_labels_and_gets_what_is_written_for_it() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let mut requested = bench.service(json!({
            "command": ["/bin/busybox", "sh", "-c", "env; pwd; echo \"arg $0\"; exec sleep 600", "$(A)-$(TOKEN)-$(PLANLOOM_PORT)"],
            "env": {"A": "b", "N": 8, "AT": "$(PLANLOOM_ADDRESS)", "TOKEN": "hidden-token"},
            "secrets": {"KEY": "hidden-key"},
            "cwd": "/bin",
            "readiness": {"log": "arg"},
        }));
        requested.spec.insert("tcp_proxy".into(), json!({"ports": [{"remote_port": 7}]}));
        adapter.create(&requested).await.unwrap();
        let log = adapter.logs(&requested.id.id, 10_000).await.unwrap();
        let id = format!("PLANLOOM_ID={}", requested.id.id);
        for line in [
            "A=b",
            "N=8",
            "AT=services.it",
            "KEY=••••••",
            "TOKEN=••••••",
            "PLANLOOM_PORT=7",
            "/bin",
            &id,
            "arg b-$(TOKEN)-7",
        ] {
            assert!(log.lines().any(|it| it == line), "{line} in {log}");
        }
        let labels = bench.inspect(&requested, "{{json .Config.Labels}}");
        assert!(!labels.contains("hidden"), "{labels}");
        let labels: serde_json::Value = serde_json::from_str(&labels).unwrap();
        for (name, value) in [
            ("planloom.id", &*requested.id.id),
            ("planloom.deployment", &requested.deployment),
            ("planloom.address", "services.it"),
            ("planloom.generation", "1"),
            ("planloom.secrets", "KEY,TOKEN"),
        ] {
            assert_eq!(labels[name], value, "{name}");
        }
    });
}

#[test]
fn creating_it_again_takes_it_over_or_replaces_it() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let requested = bench.script("sleep 600");
        let first = adapter.create(&requested).await.unwrap();
        assert_eq!(adapter.create(&requested).await.unwrap(), first);
        let mut other = bench.script("sleep 601");
        other.id = requested.id.clone();
        let second = adapter.create(&other).await.unwrap();
        assert_ne!(first.identity, second.identity);
        assert_eq!(bench.containers(&requested.id.id), [format!("planloom-{}", requested.id.id)]);
    });
}

#[test]
fn it_is_ready_once_it_shows_it() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let wait = "/bin/busybox sleep 0.5";
        for (command, readiness) in [
            (server(wait, "x"), json!({"port": 80})),
            (server(wait, "x"), json!({"http": {"port": 80, "status": 200}})),
            (shell(&format!("{wait}; echo now listening; exec sleep 600")), json!({"log": "w listening\n"})),
        ] {
            let requested = bench.service(json!({"command": command, "readiness": readiness}));
            let begun = Instant::now();
            let seen = adapter.create(&requested).await.unwrap();
            assert!(begun.elapsed() >= Duration::from_millis(500), "{readiness}");
            assert_eq!(seen.phase, Phase::Active);
        }
    });
}

#[test]
fn the_health_check_of_its_image_counts() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let script = "/bin/busybox sleep 0.5; echo well >/healthy; exec sleep 600";
        let mut params = json!({"image": HEALTHY, "command": shell(script)});
        for readiness in [json!(null), json!({"health": true})] {
            params["readiness"] = readiness;
            let begun = Instant::now();
            adapter.create(&bench.service(params.clone())).await.unwrap();
            assert!(begun.elapsed() >= Duration::from_millis(500));
        }
        let requested = bench.service(json!({"command": shell("sleep 600"), "readiness": {"health": true}}));
        let problem = adapter.create(&requested).await.unwrap_err();
        assert_eq!(pointers(&problem), ["/payload/params/readiness/health"], "{problem}");
        params["command"] = shell("sleep 600");
        params["readiness"] = json!({"timeout_seconds": 0.6});
        let problem = adapter.create(&bench.service(params)).await.unwrap_err();
        assert!(problem.detail.contains("not yet the image's health check succeeds"), "{problem}");
    });
}

#[test]
fn one_that_never_becomes_ready_is_taken_away_and_says_what_it_said() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let readiness = json!({"port": 80, "timeout_seconds": 0.8});
        let command = shell("echo \"key $KEY\"; echo cannot bind >&2; exec sleep 600");
        let requested = bench
            .service(json!({"command": command, "readiness": readiness, "secrets": {"KEY": "hidden-key"}}));
        let problem = adapter.create(&requested).await.unwrap_err();
        assert!(problem.is(Code::InvalidSpec) && problem.resource_usable == Some(false), "{problem:?}");
        assert_eq!(pointers(&problem), ["/payload/params/command"]);
        for part in ["within 0.8 s: not yet port 80 takes connections", "key ••••••", "cannot bind"]
        {
            assert!(problem.detail.contains(part), "{part} in {problem}");
        }
        assert!(bench.containers(&requested.id.id).is_empty());
        let problem = adapter.create(&bench.script("echo no; exit 3")).await.unwrap_err();
        assert!(
            problem.detail.contains("exited with status 3 before it was ready; last lines: no"),
            "{problem}"
        );
        let requested = bench.service(json!({"command": ["/bin/nobody"]}));
        let problem = adapter.create(&requested).await.unwrap_err();
        assert!(problem.detail.contains("/bin/nobody"), "{problem}");
        assert_eq!(pointers(&problem), ["/payload/params/command"]);
    });
}

#[test]
fn commands_run_in_it_in_order_once_it_is_ready() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let mut requested =
            bench.service(json!({"command": shell("echo main >/order; exec sleep 600"), "env": {"A": "b"}}));
        let init = |words: serde_json::Value| json!({"run": {"args": words, "env": {"OWN": "c"}}});
        requested.spec.insert(
            "init".into(),
            json!([
                init(shell("echo \"first $A $OWN $PLANLOOM_ADDRESS\" >>/order")),
                init(json!(["/bin/busybox", "sh", "-c", "echo \"$0\" >>/order", "second $(OWN)"])),
            ]),
        );
        let seen = adapter.create(&requested).await.unwrap();
        let name = format!("planloom-{}", requested.id.id);
        let order = bench.engine.podman(&["exec", &name, "/bin/busybox", "cat", "/order"]).unwrap();
        assert_eq!(order, "main\nfirst b c services.it\nsecond c");
        assert_eq!(adapter.create(&requested).await.unwrap(), seen);
        let again = bench.engine.podman(&["exec", &name, "/bin/busybox", "cat", "/order"]).unwrap();
        assert_eq!(again, order);
    });
}

#[test]
fn a_command_that_fails_is_named() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        for (args, expected) in [
            (
                shell("echo half way; echo broken >&2; exit 4"),
                "exited with status 4; last lines: half way | broken",
            ),
            (json!(["/bin/nobody"]), "/bin/nobody"),
            (shell("echo slow; exec sleep 600"), "did not finish within 1 s; last lines: slow"),
        ] {
            let mut requested = bench
                .service(json!({"command": shell("exec sleep 600"), "readiness": {"timeout_seconds": 1}}));
            requested
                .spec
                .insert("init".into(), json!([{"run": {"args": shell("true")}}, {"run": {"args": args}}]));
            let problem = adapter.create(&requested).await.unwrap_err();
            assert_eq!(pointers(&problem), ["/init/1/run/args"], "{problem}");
            assert!(problem.detail.contains(expected), "{expected} in {problem}");
            assert!(bench.containers(&requested.id.id).is_empty());
        }
    });
}

#[test]
fn one_that_crashes_is_terminated_and_can_be_made_again() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let requested = bench.script("sleep 1; exit 7");
        let first = adapter.create(&requested).await.unwrap();
        let seen = until(&adapter, &requested, |it| it.phase == Phase::Terminated).await;
        assert_eq!(seen.message.as_deref(), Some("exited with status 7"));
        assert_eq!(text(&seen, "/state"), "terminated");
        let second = adapter.create(&requested).await.unwrap();
        assert_eq!(second.phase, Phase::Active);
        assert_ne!(first.identity, second.identity);
        let id = text(&second, "/activity/id");
        bench.engine.podman(&["rm", "--force", "--time", "0", id]).unwrap();
        assert_eq!(adapter.read(&known(&requested, &second)).await.unwrap(), None);
        adapter.destroy(&known(&requested, &second)).await.unwrap();
    });
}

#[test]
fn the_engine_restarts_a_container_if_the_spec_says_so() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let command = shell("echo up; sleep 1; exit 7");
        let requested =
            bench.service(json!({"command": command, "restart": {"policy": "on_failure", "limit": 1}}));
        adapter.create(&requested).await.unwrap();
        let seen = until(&adapter, &requested, |it| {
            it.message.as_deref().is_some_and(|it| it.contains("restarted once"))
        })
        .await;
        assert_eq!(seen.phase, Phase::Active);
        let seen = until(&adapter, &requested, |it| it.phase == Phase::Terminated).await;
        assert_eq!(seen.message.as_deref(), Some("exited with status 7"));
        assert_eq!(adapter.logs(&requested.id.id, 100).await.unwrap(), "up\nup\n");
    });
}

#[test]
fn limits_hold() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let limits = json!({"memory_mib": 32, "cpus": 0.5, "pids": 20});
        let requested = bench.service(json!({"command": shell("exec sleep 600"), "limits": limits}));
        adapter.create(&requested).await.unwrap();
        let host = bench
            .inspect(&requested, "{{.HostConfig.Memory}} {{.HostConfig.NanoCpus}} {{.HostConfig.PidsLimit}}");
        assert_eq!(host, "33554432 500000000 20");
        assert_eq!(bench.inspect(&requested, "{{.HostConfig.Privileged}}"), "false");
    });
}

#[test]
fn a_missing_image_is_pulled_from_allowed_places_only() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        for (params, code) in [
            (json!({"image": "docker.io/library/nginx"}), Code::Forbidden),
            (json!({"image": "localhost/nobody:1", "pull": "never"}), Code::InvalidSpec),
            (json!({"image": crate::images::IMAGE, "pull": "always"}), Code::Forbidden),
        ] {
            let problem = adapter.create(&bench.service(params)).await.unwrap_err();
            assert!(problem.is(code), "{problem:?}");
            assert_eq!(pointers(&problem), ["/payload/params/image"]);
        }
        // No registry listens there, so the pull is attempted and fails for the moment.
        let allowed = planloom_adapter_container::Allowed::nothing().images_from("127.0.0.1:9").unwrap();
        let adapter = bench.adapter_with(allowed).await;
        let requested = bench.service(json!({"image": "127.0.0.1:9/a:1"}));
        let problem = adapter.create(&requested).await.unwrap_err();
        assert!(problem.is(Code::Unavailable) && problem.retryable, "{problem:?}");
        assert!(problem.detail.contains("`127.0.0.1:9/a:1` cannot be pulled"), "{problem}");
    });
}

#[test]
fn a_cancelled_start_removes_its_container() {
    run(async |bench| {
        let adapter = bench.adapter().await;
        let readiness = json!({"log": "never", "timeout_seconds": 60});
        let requested = bench.service(json!({"command": shell("exec sleep 600"), "readiness": readiness}));
        let (reported, create) = (Rc::new(RefCell::new(None)), adapter.create(&requested));
        let mut create = Box::pin(create);
        let begun = std::future::poll_fn(|context| {
            *reported.borrow_mut() = adapter.progress(&requested.id).or(reported.take());
            create.as_mut().poll(context)
        });
        assert!(tokio::time::timeout(Duration::from_secs(3), begun).await.is_err());
        drop(create);
        assert_eq!(reported.take().as_deref(), Some("waiting until it is ready"));
        // Reading waits for that.
        assert_eq!(read(&adapter, &requested).await, None);
        assert!(bench.containers(&requested.id.id).is_empty());
        let mut other = requested.clone();
        other.spec = spec(json!({"command": shell("exec sleep 600")})).as_object().unwrap().clone();
        assert_eq!(adapter.create(&other).await.unwrap().phase, Phase::Active);
        assert_eq!(
            output(&adapter.read(&unanswered(&other)).await.unwrap().unwrap(), "/state"),
            Some(&json!("running"))
        );
    });
}
