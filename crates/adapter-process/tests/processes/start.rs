use std::{fs, os::unix::fs::PermissionsExt, path::Path, time::Duration};

use adapter::Adapter;
use model::Phase;
use planloom_adapter_process::Allowed;
use protocol::Code;
use serde_json::json;
use tokio::time::{Instant, timeout};

use crate::{
    bench::{Bench, is_alive, known, marked, output, pid, pointers, read, run, unanswered},
    helper::server,
};

#[test]
fn a_process_runs_until_it_is_destroyed() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let request = bench.script("echo hello; exec sleep 600");
        let seen = adapter.create(&request).await.unwrap();
        assert_eq!(seen.phase, Phase::Active);
        assert!(is_alive(pid(&seen)));
        assert_eq!(output(&seen, "/state"), Some(&json!("running")));
        assert_eq!(adapter.logs(&request.id.id, 100).unwrap(), "hello\n");
        assert_eq!(read(&adapter, &request).await.unwrap(), seen);
        adapter.destroy(&known(&request, &seen)).await.unwrap();
        assert!(!is_alive(pid(&seen)));
        assert_eq!(read(&adapter, &request).await, None);
        assert!(!bench.state().join("services").join(&request.id.id).exists());
        adapter.destroy(&known(&request, &seen)).await.unwrap();
    });
}

#[test]
fn creating_it_again_takes_it_over_or_replaces_it() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let request = bench.script("exec sleep 600");
        let first = adapter.create(&request).await.unwrap();
        assert_eq!(adapter.create(&request).await.unwrap(), first);
        let mut other = bench.script("exec sleep 601");
        other.id = request.id.clone();
        let second = adapter.create(&other).await.unwrap();
        assert_eq!(marked(&request.id.id), [pid(&second)]);
        assert_ne!(pid(&first), pid(&second));
    });
}

#[test]
fn it_gets_what_is_written_for_it_and_little_else() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let mut request = bench.service(json!({
            "command": ["/bin/sh", "-c", "env; echo \"arg $0\"; pwd; exec sleep 600", "at-$(PLANLOOM_IP)-$(A)-$(TOKEN)"],
            "env": {"A": "b", "N": 8, "AT": "$(PLANLOOM_ADDRESS)", "TOKEN": "hidden-token"},
            "secrets": {"KEY": "hidden-key"},
        }));
        request.spec.insert("http_proxy".into(), json!({"ports": []}));
        adapter.create(&request).await.unwrap();
        let log = adapter.logs(&request.id.id, 10_000).unwrap();
        let mut names: Vec<&str> = log.lines().filter_map(|it| it.split_once('=')).map(|it| it.0).collect();
        names.retain(|it| {
            !["PATH", "HOME", "LANG", "LC_ALL", "TZ", "PWD", "_", "SHLVL", "OLDPWD"].contains(it)
        });
        names.sort_unstable();
        let expected = [
            "A",
            "AT",
            "KEY",
            "N",
            "PLANLOOM_ADDRESS",
            "PLANLOOM_ID",
            "PLANLOOM_IP",
            "PLANLOOM_RUN",
            "TOKEN",
        ];
        assert_eq!(names, expected, "{log}");
        for line in
            ["A=b", "N=8", "AT=services.it", "KEY=••••••", "TOKEN=••••••", "arg at-127.0.0.1-b-$(TOKEN)"]
        {
            assert!(log.lines().any(|it| it == line), "{line} in {log}");
        }
        let work = bench.state().join("services").join(&request.id.id).join("work");
        assert!(log.lines().any(|it| Path::new(it) == work), "{log}");
        let folder = work.parent().unwrap();
        let kept = fs::read_to_string(folder.join("record.json")).unwrap();
        assert!(!kept.contains("hidden"), "{kept}");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!([mode(&bench.state()), mode(folder), mode(&work)], [0o700; 3]);
        assert_eq!([mode(&folder.join("log")), mode(&folder.join("record.json"))], [0o600; 2]);
    });
}

#[test]
fn it_is_ready_once_its_port_takes_connections() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let mut request = bench.service(json!({
            "command": server(), "env": {"DELAY_MS": "400"}, "readiness": {"port": 23_451},
        }));
        request.spec.insert("network".into(), json!("default"));
        adapter.create(&bench.request("network", "networks.default", json!({}))).await.unwrap();
        let begun = Instant::now();
        let seen = adapter.create(&request).await.unwrap();
        assert!(begun.elapsed() >= Duration::from_millis(400));
        let ip = output(&seen, "/network_node/ip").unwrap().as_str().unwrap();
        std::net::TcpStream::connect((ip, 23_451)).unwrap();
    });
}

#[test]
fn it_is_ready_once_it_answers_as_it_should() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let params = |status: u32, expected: u32| {
            json!({
                "command": server(), "env": {"STATUS": status},
                "readiness": {"http": {"port": 23_452, "path": "/health?x", "status": expected}, "timeout_seconds": 1.5},
            })
        };
        let request = bench.service(params(503, 503));
        let seen = adapter.create(&request).await.unwrap();
        assert_eq!(seen.phase, Phase::Active);
        adapter.destroy(&known(&request, &seen)).await.unwrap();
        let request = bench.service(params(200, 204));
        let problem = adapter.create(&request).await.unwrap_err();
        assert!(problem.detail.contains("not yet http://127.0.0.1:23452/health?x answers 204"), "{problem}");
        assert!(marked(&request.id.id).is_empty());
    });
}

#[test]
fn it_is_ready_once_it_says_so() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", "echo starting; sleep 0.4; echo now listening; exec sleep 600"],
            "readiness": {"log": "listening"},
        }));
        let begun = Instant::now();
        adapter.create(&request).await.unwrap();
        assert!(begun.elapsed() >= Duration::from_millis(400));
    });
}

#[test]
fn one_that_never_becomes_ready_is_ended_and_says_what_it_said() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let request = bench.service(json!({
            "command": ["/bin/sh", "-c", "echo one; echo the password is abcdef; sleep 600 & wait"],
            "secrets": {"PASSWORD": "abcdef"},
            "readiness": {"log": "ready", "timeout_seconds": 0.5},
        }));
        let problem = adapter.create(&request).await.unwrap_err();
        assert!(problem.is(Code::InvalidSpec) && problem.resource_usable == Some(false));
        assert_eq!(
            problem.detail,
            "`/bin/sh` was not ready within 0.5 s: not yet its log contains `ready`; last lines: one | \
             the password is ••••••"
        );
        assert_eq!(pointers(&problem), ["/payload/params/command"]);
        assert!(marked(&request.id.id).is_empty());
        assert_eq!(read(&adapter, &request).await, None);
    });
}

#[test]
fn one_that_ends_before_it_is_ready_says_how() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let problem = adapter.create(&bench.script("echo no such file >&2; exit 3")).await.unwrap_err();
        assert_eq!(
            problem.detail,
            "`/bin/sh` exited with status 3 before it was ready; last lines: no such file"
        );
        let problem = adapter.create(&bench.script("kill -9 $$")).await.unwrap_err();
        assert_eq!(problem.detail, "`/bin/sh` was killed by signal 9 before it was ready (it wrote nothing)");
    });
}

#[test]
fn one_that_is_given_up_is_ended() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let never = json!({"command": ["/bin/sh", "-c", "sleep 600"], "readiness": {"log": "never"}});
        let mut init = bench.script("sleep 600");
        init.spec.insert("init".into(), json!([{"run": {"args": ["/bin/sh", "-c", "sleep 601"]}}]));
        for request in [bench.service(never), init] {
            let given_up = timeout(Duration::from_millis(500), adapter.create(&request)).await;
            assert!(given_up.is_err());
            assert!(!marked(&request.id.id).is_empty());
            crate::bench::eventually("it is ended", || marked(&request.id.id).is_empty()).await;
            let seen = crate::bench::until(&adapter, &request, |it| it.phase == Phase::Terminated).await;
            assert_eq!(seen.message.as_deref(), Some("it was cancelled before it was ready"));
            adapter.destroy(&unanswered(&request)).await.unwrap();
        }
    });
}

#[test]
fn another_listener_does_not_count_as_ready() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let request =
            bench.service(json!({"command": ["sh", "-c", "sleep 600"], "readiness": {"port": port}}));
        let problem = adapter.create(&request).await.unwrap_err();
        assert!(problem.detail.contains("another program already listens"), "{problem}");
        assert_eq!(pointers(&problem), ["/payload/params/readiness/port"]);
    });
}

#[test]
fn the_last_init_command_keeps_running() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let command = |script: &str| json!({"run": {"args": ["/bin/sh", "-c", script], "env": {"X": "y"}}});
        let init = |first: &str| {
            json!([command(first), command("echo two $X"), command("echo three; exec sleep 600")])
        };
        let spec = |first: &str| json!({"payload": {"runtime": "process"}, "init": init(first)});
        let request = bench.request("service", "services.a", spec("sleep 0.2; echo one"));
        let seen = adapter.create(&request).await.unwrap();
        assert_eq!(adapter.logs(&request.id.id, 100).unwrap(), "one\ntwo y\nthree\n");
        assert_eq!(marked(&request.id.id), [pid(&seen)]);

        let request = bench.request("service", "services.b", spec("echo broken; sleep 600 & exit 4"));
        let problem = adapter.create(&request).await.unwrap_err();
        assert_eq!(problem.detail, "`/bin/sh` exited with status 4; last lines: broken");
        assert_eq!(pointers(&problem), ["/init/0/run/args"]);
        assert!(marked(&request.id.id).is_empty());
    });
}

#[test]
fn init_commands_follow_a_command_that_is_ready() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let spec = |init: &str| {
            json!({
                "payload": {"runtime": "process", "params": {
                    "command": ["/bin/sh", "-c", "sleep 0.2; echo main; exec sleep 600"], "readiness": {"log": "main"},
                }},
                "init": [{"run": {"args": ["/bin/sh", "-c", init]}}],
            })
        };
        let request = bench.request("service", "services.a", spec("echo init"));
        let seen = adapter.create(&request).await.unwrap();
        assert_eq!(adapter.logs(&request.id.id, 100).unwrap(), "main\ninit\n");
        assert_eq!(marked(&request.id.id), [pid(&seen)]);

        let request = bench.request("service", "services.b", spec("exit 1"));
        let problem = adapter.create(&request).await.unwrap_err();
        assert_eq!(pointers(&problem), ["/init/0/run/args"]);
        assert!(marked(&request.id.id).is_empty());
    });
}

#[expect(clippy::print_stdout, reason = "what is left out must be seen")]
#[test]
fn a_real_web_server_is_reached_through_its_proxy() {
    let Some(python) =
        ["/usr/bin/python3", "/usr/local/bin/python3"].into_iter().find(|it| Path::new(it).exists())
    else {
        println!("skipped: there is no python3");
        return;
    };
    run(async |bench: &Bench| {
        let adapter = bench.adapter_with(Allowed::nothing().program(python).unwrap()).await;
        let served = bench.folder.join("served");
        fs::create_dir(&served).unwrap();
        fs::write(served.join("it.txt"), "what is served").unwrap();
        adapter
            .create(&bench.request("network", "networks.default", json!({"ip": "10.0.0.0/24"})))
            .await
            .unwrap();
        let words = json!([
            "python3",
            "-m",
            "http.server",
            "--bind",
            "$(PLANLOOM_IP)",
            "--directory",
            served,
            "8080"
        ]);
        let params = json!({"command": words, "readiness": {"http": {"path": "/it.txt"}}});
        let spec = json!({
            "payload": {"runtime": "process", "params": params},
            "network": "default",
            "ip": ["10.0.0.9"],
            "http_proxy": {"ports": [{"remote_port": 8080}]},
        });
        let seen = adapter.create(&bench.request("service", "services.web", spec)).await.unwrap();
        assert!(crate::bench::ip(&seen).ends_with(".9"));
        let address = output(&seen, "/http_proxy/ports/0/address").unwrap().as_str().unwrap();
        let response = get(address.strip_prefix("http://").unwrap().to_owned(), "/it.txt").await;
        assert!(response.ends_with("what is served"), "{response}");
    });
}

/// The response of a server.
pub(crate) async fn get(address: String, path: &'static str) -> String {
    use std::io::{Read, Write};
    let exchange = move || {
        let mut stream = std::net::TcpStream::connect(address)?;
        stream.write_all(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes())?;
        let mut response = String::new();
        stream.read_to_string(&mut response)?;
        std::io::Result::Ok(response)
    };
    tokio::task::spawn_blocking(exchange).await.unwrap().unwrap_or_default()
}

#[test]
fn errors_of_a_spec_name_each_field() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        let request = bench.service(json!({
            "comand": ["sh"],
            "env": {"PLANLOOM_ID": "other", "A/B": [1]},
            "readiness": {"port": 70_000, "when": 1, "log": "x"},
            "restart": {"policy": "sometimes"},
            "stop": {"signal": "SIGSTOP", "grace_seconds": -1},
        }));
        let problem = adapter.create(&request).await.unwrap_err();
        assert!(problem.is(Code::InvalidSpec));
        let params = "/payload/params";
        let mut found = pointers(&problem);
        found.sort_unstable();
        let mut expected = vec![String::new()];
        expected.extend(
            [
                "comand",
                "env/A~1B",
                "env/PLANLOOM_ID",
                "readiness/port",
                "readiness/when",
                "restart/policy",
                "stop/grace_seconds",
                "stop/signal",
            ]
            .map(|it| format!("{params}/{it}")),
        );
        assert_eq!(found, expected);

        let other = json!({"payload": {"runtime": "vm"}, "init": [{"deploy": {}}, {"run": {"args": []}}]});
        let problem = adapter.create(&bench.request("service", "services.a", other)).await.unwrap_err();
        let mut found = pointers(&problem);
        found.dedup();
        assert_eq!(found, ["/payload/runtime", "/init/0/deploy", "/init/0", "/init/1/run/args", ""]);
    });
}

#[test]
fn an_id_is_no_path() {
    run(async |bench: &Bench| {
        let adapter = bench.adapter().await;
        for (kind, id, code) in [
            ("service", "../../etc", Code::BadRequest),
            ("service", "", Code::BadRequest),
            ("network", "a/b", Code::BadRequest),
            ("volume", "a", Code::UnknownKind),
        ] {
            let mut request = bench.script("sleep 600");
            request.id = protocol::ResourceId::new(kind, id);
            assert!(adapter.create(&request).await.unwrap_err().is(code));
            assert!(adapter.read(&unanswered(&request)).await.unwrap_err().is(code));
            assert!(adapter.destroy(&unanswered(&request)).await.unwrap_err().is(code));
        }
    });
}
