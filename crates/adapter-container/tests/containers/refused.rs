//! Tests that need no engine that can run containers.

use std::{os::unix::net::UnixListener, path::PathBuf, time::Duration};

use adapter::{Adapter, Known, ResourceRequest};
use planloom_adapter_container::{Allowed, ContainerAdapter, OpenError, Options};
use protocol::{Code, ResourceId};
use serde_json::{Map, json};

fn local<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    tokio::task::LocalSet::new().block_on(&runtime, test)
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("planloom-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn without_an_engine_all_sockets_that_were_tried_are_named() {
    local(async {
        let folder = folder("sockets");
        let (absent, mute) = (folder.join("absent.sock"), folder.join("mute.sock"));
        let _listener = UnixListener::bind(&mute).unwrap();
        std::fs::write(folder.join("file"), "").unwrap();
        let mut options = Options::new(Allowed::nothing());
        options.sockets = vec![absent.clone(), mute.clone(), folder.join("file")];
        let Err(error) = ContainerAdapter::open(options).await else { panic!("there is no engine") };
        let OpenError::NoEngine(tried) = &error else { panic!("{error}") };
        assert_eq!(tried.len(), 3);
        let text = error.to_string();
        for part in [
            format!("`{}` is not there", absent.display()),
            format!("`{}` does not respond within 5 s", mute.display()),
            "podman system service".into(),
        ] {
            assert!(text.contains(&part), "{part} in {text}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    });
}

/// An engine that answers one request, for its version, and then ends.
fn greeter(socket: &std::path::Path) {
    use std::io::{Read, Write};
    let (listener, path) = (UnixListener::bind(socket).unwrap(), socket.to_owned());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        _ = stream.read(&mut [0; 4096]);
        let body = r#"{"ApiVersion":"1.41","Version":"1"}"#;
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        _ = stream.write_all((head + body).as_bytes());
        std::fs::remove_file(path).unwrap();
    });
}

#[test]
fn an_engine_that_is_gone_may_come_back() {
    local(async {
        let folder = folder("gone");
        let socket = folder.join("engine.sock");
        greeter(&socket);
        let adapter = ContainerAdapter::open(Options::at(&socket, Allowed::nothing())).await.unwrap();
        while socket.exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let requested = |kind: &str, spec: serde_json::Value| ResourceRequest {
            id: ResourceId::new(kind, "a"),
            deployment: "d".into(),
            address: "services.a".into(),
            generation: 1,
            spec: spec.as_object().unwrap().clone(),
        };
        let service =
            requested("service", json!({"payload": {"runtime": "container", "params": {"image": "a"}}}));
        let network = requested("network", json!({"ip": "10.0.0.0/24"}));
        for requested in [service, network] {
            let known = Known { request: requested.clone(), identity: None, outputs: Map::new() };
            for problem in [
                adapter.create(&requested).await.unwrap_err(),
                adapter.read(&known).await.unwrap_err(),
                adapter.destroy(&known).await.unwrap_err(),
            ] {
                assert!(problem.is(Code::Unavailable) && problem.retryable, "{problem:?}");
                let socket = socket.display().to_string();
                assert!(
                    problem.detail.contains(&socket) && problem.detail.contains("check that it runs"),
                    "{problem}"
                );
            }
        }
        // An invalid request is refused without the engine.
        let problem = adapter.create(&requested("volume", json!({}))).await.unwrap_err();
        assert!(problem.is(Code::UnknownKind));
        let mut strange = requested("network", json!({}));
        strange.id.id = "../a".into();
        assert!(adapter.create(&strange).await.unwrap_err().is(Code::BadRequest));
        std::fs::remove_dir_all(folder).unwrap();
    });
}
