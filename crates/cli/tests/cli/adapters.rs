//! The kinds that adapters make, and addresses that are no adapters.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    thread,
    time::{Duration, Instant},
};

use crate::run::Folder;

const APP: &str = "
meta: {name: one}
payloads: {p: {runtime: process, params: {command: [/bin/sleep, \"600\"]}}}
services: {a: {payload: p}}
";

/// Something that answers every request with the same, until the tests end.
fn answering(media: &'static str, body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its address");
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let mut lines = BufReader::new(stream.try_clone().expect("the other end")).lines();
                while lines.next().is_some_and(|it| it.is_ok_and(|it| !it.is_empty())) {}
                let head = format!(
                    "HTTP/1.1 200 OK\r\nAdapter-Protocol: 1\r\nContent-Type: {media}\r\nContent-Length: {}\r\n\
                     Connection: close\r\n\r\n",
                    body.len()
                );
                // The client may have left.
                drop(stream.write_all(format!("{head}{body}").as_bytes()));
            });
        }
    });
    format!("http://{address}")
}

#[test]
fn an_adapter_makes_the_kinds_that_it_describes() {
    let folder = Folder::new(&[("app.yaml", APP)]);
    let empty = answering("application/json", r#"{"protocol": 1, "name": "empty", "types": {}}"#);
    let volumes = answering("application/json", r#"{"protocol": 1, "name": "v", "types": {"volume": null}}"#);
    for (adapter, expected) in [
        (empty.clone(), "supports no kinds"),
        (format!("service={empty}"), "supports no kinds"),
        (format!("service={volumes}"), "does not support `service`"),
        (format!("servcie={volumes}"), "it supports `volume`"),
        ("nonsense".into(), "`nonsense` is not an adapter"),
    ] {
        let said = folder.run(&format!("apply app.yaml --state s --auto-approve --adapter {adapter}"));
        assert!(said.code == 1 && said.err.contains(expected), "{adapter}: {}", said.err);
        assert_eq!(folder.names(), ["app.yaml"], "{adapter}");
    }
}

#[test]
fn the_last_one_of_a_kind_makes_it() {
    let folder = Folder::new(&[("app.yaml", APP)]);
    // An adapter that supports no kinds here is not opened: no engine has to run, nothing has to be allowed.
    for adapters in [
        "--adapter container --adapter process --adapter simulator",
        "--adapter service=simulator --adapter process --adapter network=container --adapter network=simulator",
    ] {
        let said = folder.run(&format!("apply app.yaml --state s --auto-approve {adapters}"));
        assert_eq!(said.code, 0, "{adapters}: {}", said.err);
        assert!(!folder.names().iter().any(|it| it.ends_with(".process") || it.ends_with(".container")));
    }
}

#[test]
fn what_golem_needs_is_said_before_anything_is_done() {
    let mut folder = Folder::new(&[("app.yaml", APP)]);
    for (words, expected) in [
        ("", "`YAGNA_APPKEY` is not set"),
        ("--allow app.yaml", "`app.yaml` is not a folder"),
        ("--allow nowhere", "`nowhere` is not a folder"),
    ] {
        let said = folder.run(&format!("apply app.yaml --state s --auto-approve --adapter golem {words}"));
        assert!(said.code == 1 && said.err.contains(expected), "{words}: {}", said.err);
        assert_eq!(folder.names(), ["app.yaml"], "{words}");
    }
    folder.set("YAGNA_APPKEY", "key");
    folder.set("YAGNA_API_URL", "http://127.0.0.1:1");
    let said = folder.run("apply app.yaml --state s --auto-approve --adapter golem");
    assert!(said.code == 1 && said.err.contains("host/no-yagna"), "{}", said.err);
}

const APART: &str = "
meta: {name: apart}
payloads: {p: {runtime: vm}}
networks: {lan: {ip: 10.0.0.0/24}}
services: {db: {payload: p}, web: {payload: p, network: lan}}
";

/// The address of a port on which no process listens.
fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    format!("http://{}", listener.local_addr().expect("its address"))
}

#[test]
fn keep_going_skips_unreachable_adapters() {
    let folder = Folder::new(&[("app.yaml", APART)]);
    let gone = nobody();
    let apply = |adapter: &str, more: &str| {
        let adapters = format!("--adapter service=simulator --adapter network={adapter}");
        folder.run(&format!("apply app.yaml --state s --auto-approve {adapters} {more}"))
    };
    let said = apply(&gone, "");
    assert!(said.code == 1 && said.err.contains("check that it runs and can be reached"), "{}", said.err);
    // Nothing of it is recorded yet: the step itself finds out.
    let said = apply(&gone, "--keep-going");
    assert!(said.out.contains("Incomplete: of 3 steps, 1 done, 1 failed, 1 skipped."), "{}", said.out);
    assert_eq!(said.code, 1, "{}", said.err);
    assert_eq!(apply("simulator", "").code, 0);
    // Recorded resources cannot be observed. The simulator forgets all with its process, so the others are made again.
    let said = apply(&gone, "--keep-going");
    let why = format!("adapter `{gone}` cannot report the status of networks.lan: ");
    assert!(said.err.contains(&why), "{}", said.err);
    assert!(
        said.err.contains(&format!("services.web: skipped: adapter `{gone}` cannot report")),
        "{}",
        said.err
    );
    assert!(said.out.contains("Incomplete: of 2 steps, 1 done, 1 skipped."), "{}", said.out);
    assert_eq!(said.code, 1, "{}", said.err);
    let said = apply(&gone, "--keep-going --format json");
    let lines: Vec<serde_json::Value> =
        said.out.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect();
    let reported = lines.iter().find(|it| it["type"] == "diagnostics").expect("it is told");
    assert!(
        said.code == 1 && reported["diagnostics"][0]["message"].as_str().is_some_and(|it| it.contains(&why))
    );
}

#[test]
fn definitions_of_both_kinds_of_programs_go_together() {
    let both = "
payloads:
  p: {runtime: process, params: {command: [/bin/true], restart: {policy: always, delay_seconds: 2}, log: {max_bytes: 5000}}}
  c: {runtime: container, params: {image: nginx, limits: {memory_mib: 64}, readiness: {health: true}}}
";
    let (a, b) = ("services: {a: {payload: p}}\n", "services: {b: {payload: c}}\n");
    let folder = Folder::new(&[("app.yaml", both), ("a.yaml", a), ("b.yaml", b)]);
    // One adapter makes all services, and has one runtime; the payload of the other runtime is not used, but checked.
    for (adapters, service, parameter) in [
        ("--adapter process --adapter network=container", "a.yaml", "command"),
        ("--adapter container --adapter network=process", "b.yaml", "image"),
    ] {
        let plan = folder.run(&format!("plan app.yaml {service} --format json {adapters}")).json();
        assert_eq!(crate::run::codes(&plan), ["lower/unused"], "{adapters}: {plan}");
        assert!(plan.to_string().contains(&format!("/payload/params/{parameter}\"")), "{plan}");
        let both = folder.run(&format!("plan app.yaml a.yaml b.yaml --format json {adapters}")).json();
        assert_eq!(crate::run::codes(&both), ["engine/not-accepted"], "{adapters}: {both}");
    }
}

#[test]
fn adapter_test_stops_when_the_server_is_no_adapter() {
    let folder = Folder::new(&[]);
    for (media, body) in [("text/html", "<p>hello"), ("application/json", "{}")] {
        let start = Instant::now();
        let said = folder.run(&format!("adapter-test {}", answering(media, body)));
        assert_eq!(said.code, 1, "{}{}", said.out, said.err);
        assert!(said.out.contains("FAILED   describe"), "{}", said.out);
        assert!(
            said.out.contains("0 passed, 1 failed, 0 skipped, 37 not run: it does not describe itself"),
            "{}",
            said.out
        );
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }
}
