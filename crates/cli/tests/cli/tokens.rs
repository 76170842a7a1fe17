//! A token is shown to the server that it is for, and to no other.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    sync::{Arc, Mutex},
    thread,
};

use crate::run::Folder;

const APP: &str = "
meta: {name: one}
payloads: {p: {runtime: vm}}
networks: {lan: {ip: 10.0.0.0/24}}
services: {a: {payload: p, network: lan}}
";

/// A server that notes which tokens it is shown, until the tests end.
struct Noting {
    origin: String,
    shown: Arc<Mutex<Vec<String>>>,
}

impl Noting {
    /// One that answers each request with this, below the head's first line.
    fn start(answer: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let origin = format!("http://{}", listener.local_addr().expect("its address"));
        let shown: Arc<Mutex<Vec<String>>> = Arc::default();
        let noted = shown.clone();
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let head: Vec<String> = BufReader::new(stream.try_clone().expect("the other end"))
                    .lines()
                    .map_while(Result::ok)
                    .take_while(|it| !it.is_empty())
                    .collect();
                let token = head.iter().find_map(|it| {
                    let (name, value) = it.split_once(": ")?;
                    name.eq_ignore_ascii_case("authorization").then(|| value.to_owned())
                });
                noted.lock().expect("nobody died").push(token.unwrap_or_else(|| "none".into()));
                // The client may have left.
                drop(stream.write_all(answer.as_bytes()));
            }
        });
        Self { origin, shown }
    }

    /// An adapter that makes one kind.
    fn adapter(kind: &str) -> Self {
        let body = format!(r#"{{"protocol": 1, "name": "{kind}", "types": {{"{kind}": null}}}}"#);
        Self::start(format!(
            "HTTP/1.1 200 OK\r\nAdapter-Protocol: 1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            body.len()
        ))
    }

    fn shown(&self) -> Vec<String> {
        let mut shown = self.shown.lock().expect("nobody died").clone();
        shown.dedup();
        shown
    }
}

#[test]
fn one_token_is_not_sent_to_two_servers() {
    let (one, other) = (Noting::adapter("service"), Noting::adapter("network"));
    let folder = Folder::new(&[("app.yaml", APP)]).variable("PLANLOOM_ADAPTER_TOKEN", "the-secret");
    let words = format!("--adapter service={} --adapter network={}", one.origin, other.origin);
    for verb in ["plan app.yaml", "apply app.yaml --auto-approve --state s"] {
        let said = folder.run(&format!("{verb} {words}"));
        assert_eq!(said.code, 1, "{}", said.err);
        assert!(
            said.err.contains("holds one token, and the adapters are at several servers"),
            "{}",
            said.err
        );
        assert!(said.err.contains(&format!("{}=TOKEN", one.origin)), "it says what to do: {}", said.err);
        assert!(!said.err.contains("the-secret"), "{}", said.err);
    }
    let moved = format!("apply app.yaml --state s --adapter {} --move-to {}", one.origin, other.origin);
    let said = folder.run(&moved);
    assert!(said.err.contains("at several servers"), "who is moved from counts, too: {}", said.err);
    assert_eq!((one.shown(), other.shown()), (Vec::new(), Vec::new()), "nobody was asked");
}

#[test]
fn each_server_is_shown_its_own_token() {
    let (one, other) = (Noting::adapter("service"), Noting::adapter("network"));
    let tokens = format!("{}=for-one {}/=for=the-other", one.origin, other.origin);
    let folder = Folder::new(&[("app.yaml", APP)]).variable("PLANLOOM_ADAPTER_TOKEN", String::leak(tokens));
    let words = format!("--adapter service={}/ --adapter network={}", one.origin, other.origin);
    let said = folder.run(&format!("plan app.yaml {words}"));
    assert_eq!(said.code, 2, "{}", said.err);
    assert_eq!(one.shown(), ["Bearer for-one"]);
    assert_eq!(other.shown(), ["Bearer for=the-other"]);
}

#[test]
fn a_token_does_not_follow_a_redirect_nor_go_to_the_state() {
    let elsewhere = Noting::adapter("service");
    let moved = Noting::start(format!(
        "HTTP/1.1 307 Temporary Redirect\r\nLocation: {}/v1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        elsewhere.origin
    ));
    let folder = Folder::new(&[("app.yaml", APP)]).variable("PLANLOOM_ADAPTER_TOKEN", "the-secret");
    let said = folder.run(&format!("plan app.yaml --adapter {}", moved.origin));
    assert_eq!(said.code, 1, "{}", said.out);
    assert_eq!((moved.shown(), elsewhere.shown()), (vec!["Bearer the-secret".to_owned()], Vec::new()));
    let state = Noting::adapter("service");
    folder.run(&format!("state show --state {}/state/shop", state.origin));
    assert_eq!(state.shown(), ["none"], "a state has a token of its own");
}
