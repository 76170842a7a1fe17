//! The state handler over real sockets.

use std::{cell::Cell, fs, path::Path, rc::Rc};

use http::{Request, Response};
use planloom_host::{
    AnswerPosition, Fault, Handler, HttpTransport, Limits, Listener, Loopback, Server, StateHandler,
    SystemTimer, TokenAuth, run,
};
use protocol::{LocalFuture, MAX_BODY, Transport, Verb};
use state::{
    Backend, BackendError, Change, Commit, Encryption, Entry, HISTORY, Intent, Lease, Snapshot,
    terraform::{TerraformBackend, TerraformOptions},
    testing::{BackendFeatures, Bench, Opener, claim, commits, conform, intent},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::{
    place::{Folder, encrypted},
    terraform::{quick, transport},
};

const TOKEN: &str = "0123456789abcdef";

/// Serves the states in a folder to clients with the token.
async fn serve(folder: &Path) -> Server {
    let site = StateHandler::new("/state", folder).expect("the folder can be made");
    serve_handler(Rc::new(TokenAuth::from_token(TOKEN).expect("a token").protect(Rc::new(site)))).await
}

async fn serve_handler(handler: Rc<dyn Handler>) -> Server {
    let listener = Listener::bind(Loopback::V4, 0).await.expect("there is a port");
    let guard = listener.guard();
    listener.serve(handler, guard, Limits::default())
}

fn options(server: &Server, name: &str) -> TerraformOptions {
    quick(format!("{}/state/{name}", server.origin()), Encryption::none()).bearer(TOKEN)
}

fn client(server: &Server, name: &str) -> TerraformBackend {
    TerraformBackend::new(transport(), SystemTimer::new(), options(server, name))
}

/// Sends one request, and returns the response.
async fn send(server: &Server, method: &str, path: &str, body: &[u8]) -> Response<Vec<u8>> {
    let request = Request::builder()
        .method(method)
        .uri(format!("{}/state/{path}", server.origin()))
        .header("authorization", format!("Bearer {TOKEN}"));
    let transport: Rc<HttpTransport> = transport();
    transport.send(request.body(body.to_vec()).expect("a request")).await.expect("an answer")
}

async fn status(server: &Server, method: &str, path: &str, body: &[u8]) -> u16 {
    send(server, method, path, body).await.status().as_u16()
}

/// The response to these bytes until the connection is closed; nothing more is sent.
async fn say(server: &Server, head: &str, body: &[u8]) -> String {
    let head = format!(
        "{head} HTTP/1.1\r\nHost: localhost:{}\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n",
        server.port()
    );
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).await.expect("it is served");
    // Sent at once: otherwise the server may take an early end for a client that disconnected.
    stream.write_all(&[head.as_bytes(), body].concat()).await.expect("it is read");
    stream.shutdown().await.expect("it is open");
    let mut answer = Vec::new();
    let _reset = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it is there").flatten();
    let mut names: Vec<String> = entries.map(|it| it.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn conforms(encryption: fn() -> Encryption) {
    run(async {
        let folder = Folder::new("site");
        let server = Rc::new(serve(&folder.0).await);
        let timer = SystemTimer::new();
        let time = timer.clone();
        let fresh = move |name: &str| {
            let options =
                TerraformOptions { encryption: encryption(), ..options(&server, &name.replace(' ', "-")) };
            let (time, server) = (time.clone(), server.clone());
            let open = move || {
                let _lives = &server;
                TerraformBackend::new(transport(), time.clone(), options.clone())
            };
            Rc::new(move || Rc::new(open()) as Rc<dyn Backend>) as Opener
        };
        let can = BackendFeatures { expire: false, name_holder: false, history: Some(HISTORY) };
        conform(Bench { fresh: Rc::new(fresh), timer, ttl: 100, can }).await;
    })
    .expect("it runs");
}

#[test]
fn the_state_handler_conforms() {
    conforms(Encryption::none);
}

#[test]
fn the_state_handler_conforms_with_encrypted_states() {
    conforms(encrypted);
}

#[test]
fn of_many_clients_one_gets_the_lock() {
    run(async {
        let folder = Folder::new("race");
        // Two servers of one folder, like two programs.
        let servers = [serve(&folder.0).await, serve(&folder.0).await];
        let clients: Vec<_> = (0..16).map(|at| client(&servers[at % 2], "shop")).collect();
        let tries = clients.iter().enumerate().map(|(at, it)| it.acquire(claim(&format!("c{at}"), 0, 1000)));
        let got = futures_util::future::join_all(tries).await;
        let won: Vec<usize> = (0..16).filter(|at| got[*at].is_ok()).collect();
        let [winner] = *won else { panic!("{won:?} won") };
        let lease = got[winner].clone().expect("it won");
        for (at, other) in got.iter().enumerate().filter(|(at, _)| *at != winner) {
            let named = matches!(other, Err(BackendError::Locked(holder)) if holder.id == lease.holder.id);
            assert!(named, "{at}: {other:?}");
        }
        let [(commit, after)] = &*commits(&Snapshot::new("shop", "l"), 1, 7) else { panic!("one commit") };
        let mut stranger = lease.clone();
        stranger.token = "another".into();
        let loser = &clients[(winner + 1) % 16];
        let refused = loser.commit(&stranger, commit.clone(), after.clone()).await;
        assert_eq!((refused, loser.load().await), (Err(BackendError::LeaseLost), Ok(None)));
        assert_eq!(clients[winner].commit(&lease, commit.clone(), after.clone()).await, Ok(()));
        assert_eq!(loser.load().await, Ok(Some((**after).clone())));
    })
    .expect("it runs");
}

#[test]
fn states_and_locks_outlive_the_server() {
    run(async {
        let folder = Folder::new("restart");
        let server = serve(&folder.0).await;
        let ada = client(&server, "shop");
        let lease = ada.acquire(claim("ada", 0, 1000)).await.expect("nobody holds it");
        let all = commits(&Snapshot::new("shop", "l"), 3, 5);
        let keep = async |client: &TerraformBackend, at: usize| {
            client.commit(&lease, all[at].0.clone(), all[at].1.clone()).await
        };
        assert_eq!(keep(&ada, 0).await, Ok(()));
        assert_eq!(ada.checkpoint(&lease, all[0].1.clone()).await, Ok(()));
        drop(server);
        let server = serve(&folder.0).await;
        let (ada, bob) = (client(&server, "shop"), client(&server, "shop"));
        assert_eq!(bob.load().await, Ok(Some((*all[0].1).clone())));
        assert_eq!(bob.version(1).await, bob.load().await);
        let refused = bob.acquire(claim("bob", 0, 1000)).await;
        assert!(matches!(&refused, Err(BackendError::Locked(by)) if by.id == "lease of ada"), "{refused:?}");
        assert_eq!(keep(&ada, 1).await, Ok(()));
        // A client whose lock was removed cannot write, whether the lock is free or held by another client.
        assert_eq!(bob.unlock("lease of ada").await, Ok(()));
        assert_eq!(keep(&ada, 2).await, Err(BackendError::LeaseLost));
        let other = bob.acquire(claim("bob", 0, 1000)).await.expect("it is free");
        assert_eq!(keep(&ada, 2).await, Err(BackendError::LeaseLost));
        assert_eq!(ada.checkpoint(&lease, all[2].1.clone()).await, Err(BackendError::LeaseLost));
        assert_eq!(bob.load().await, Ok(Some((*all[1].1).clone())));
        assert_eq!(ada.purge(&lease).await, Err(BackendError::LeaseLost));
        assert_eq!(bob.purge(&other).await, Ok(()));
        assert_eq!(bob.purge(&other).await, Ok(()), "what is not there is deleted");
        assert_eq!(bob.load().await, Ok(None));
        assert_eq!(bob.release(&other).await, Ok(()));
        assert_eq!(names(&folder.0), [".step"]);
    })
    .expect("it runs");
}

#[test]
fn commits_are_stored_once_when_every_third_answer_is_torn() {
    run(async {
        let folder = Folder::new("torn");
        let (site, count) =
            (StateHandler::new("state", &folder.0).expect("a folder"), Rc::new(Cell::new(0_usize)));
        let handler = move |request: Request<Vec<u8>>| -> LocalFuture<Response<Vec<u8>>> {
            count.set(count.get() + 1);
            let faults = [
                Fault::Reset(AnswerPosition::Head(0)),
                Fault::Reset(AnswerPosition::Body(5)),
                Fault::Cut(AnswerPosition::Body(1)),
            ];
            let fault = count.get().is_multiple_of(3).then(|| faults[count.get() / 3 % 3]);
            let answer = site.handle(request);
            Box::pin(async move {
                let mut answer = answer.await;
                answer.extensions_mut().extend(fault.into_iter().fold(
                    http::Extensions::new(),
                    |mut all, it| {
                        all.insert(it);
                        all
                    },
                ));
                answer
            })
        };
        let server = serve_handler(Rc::new(handler)).await;
        let backend = client(&server, "shop");
        let lease = backend.acquire(claim("ada", 0, 1000)).await.expect("nobody holds it");
        let mut last = None;
        for (commit, after) in commits(&Snapshot::new("shop", "l"), 40, 3) {
            assert_eq!(backend.commit(&lease, commit, after.clone()).await, Ok(()));
            last = Some((*after).clone());
        }
        assert_eq!(backend.load().await, Ok(last));
        backend.release(&lease).await.expect("it is held");
        assert!(backend.acquire(claim("bob", 0, 1000)).await.is_ok());
    })
    .expect("it runs");
}

#[test]
fn a_name_does_not_lead_elsewhere() {
    run(async {
        let folder = Folder::new("names");
        let (inner, secret) = (folder.file("states"), folder.file("secret.state"));
        fs::write(&secret, "secret").expect("it can be written");
        let server = serve(&inner).await;
        let long = "a".repeat(300);
        for name in [
            "",
            "/",
            "..",
            ".",
            ".step",
            "../secret",
            "..%2fsecret",
            "%2e%2e/secret",
            "..\\secret",
            "a/b",
            "/etc/passwd",
            "a%00",
            "a%0a",
            "a%20b",
            "%41",
            "c:a",
            "~",
            "*",
            &long,
        ] {
            for method in ["GET", "POST", "DELETE", "LOCK", "UNLOCK"] {
                // Written by hand, because a client would normalise such a path.
                let head = format!("{method} /state/{name}");
                let answer = say(&server, &head, b"Content-Length: 11\r\n\r\n{\"ID\": \"a\"}").await;
                assert!(answer.starts_with("HTTP/1.1 404 "), "{head}: {answer}");
            }
        }
        assert_eq!(names(&inner), Vec::<String>::new());
        assert_eq!(fs::read_to_string(&secret).ok().as_deref(), Some("secret"));
        // Similar names are those of other states.
        for (name, text) in [("a", "1"), ("a.state", "2"), ("a.lock", "3"), ("A-1_b.c", "4")] {
            assert_eq!(status(&server, "POST", name, text.as_bytes()).await, 200);
            assert_eq!(status(&server, "LOCK", name, br#"{"ID": "x"}"#).await, 200);
        }
        for (name, text) in [("a", "1"), ("a.state", "2"), ("a.lock", "3"), ("A-1_b.c", "4")] {
            assert_eq!(send(&server, "GET", name, b"").await.body(), text.as_bytes());
        }
    })
    .expect("it runs");
}

#[test]
fn invalid_states_and_locks_change_nothing() {
    run(async {
        let folder = Folder::new("bodies");
        let server = serve(&folder.0).await;
        assert_eq!(status(&server, "POST", "shop", b"kept").await, 200);
        let long = vec![b'x'; protocol::MAX_STATE + 1];
        let wordy = format!(r#"{{"ID": "a", "Who": "{}"}}"#, "x".repeat(70_000));
        for (method, path, body, expected) in [
            ("POST", "shop", b"".as_slice(), 400),
            ("POST", "shop?ID=%zz", b"x", 400),
            ("POST", "shop?ID=a&ID=b", b"x", 400),
            ("POST", "shop?ID=gone", b"x", 409),
            ("DELETE", "shop?ID=gone", b"", 409),
            ("POST", "shop", &long, 413),
            ("LOCK", "shop", b"", 400),
            ("LOCK", "shop", b"not JSON", 400),
            ("LOCK", "shop", br#"{"ID": ""}"#, 400),
            ("LOCK", "shop", br#"{"ID": ["a"]}"#, 400),
            ("LOCK", "shop", wordy.as_bytes(), 413),
            ("UNLOCK", "shop", b"x", 400),
            ("PUT", "shop/versions/7", b"", 400),
            ("PUT", "shop/versions/7?resources=x", b"x", 400),
            ("PUT", "shop/versions/7?ID=gone", b"x", 409),
            ("POST", "shop/versions/7", b"x", 405),
            ("DELETE", "shop/versions", b"", 405),
            ("GET", "shop/versions/7", b"", 404),
            ("GET", "shop/versions/x", b"", 404),
            ("PUT", "shop", b"x", 405),
            ("PATCH", "shop", b"x", 405),
        ] {
            assert_eq!(status(&server, method, path, body).await, expected, "{method} {path}");
        }
        let allowed = send(&server, "PUT", "shop", b"x").await;
        assert_eq!(allowed.headers()["allow"], "GET, POST, DELETE, LOCK, UNLOCK");
        // Incomplete, or not the declared content.
        let half = say(&server, "POST /state/shop", b"Content-Length: 100\r\n\r\nhalf").await;
        assert!(!half.starts_with("HTTP/1.1 200 "), "{half}");
        let other = b"Content-MD5: 1B2M2Y8AsgTpgAmY7PhCfg==\r\nContent-Length: 5\r\n\r\nother";
        let other = say(&server, "POST /state/shop", other).await;
        assert!(other.starts_with("HTTP/1.1 400 "), "{other}");
        // A refusal contains the holder's own description of the lock.
        let lock = br#"{"ID": "a", "Who": "<b>ada</b>\n"}"#;
        assert_eq!(status(&server, "LOCK", "shop", lock).await, 200);
        for (method, path, body) in [
            ("LOCK", "shop", br#"{"ID": "b"}"#.as_slice()),
            ("LOCK", "shop", br#"{"ID": "a"}"#),
            ("UNLOCK", "shop", br#"{"ID": "b"}"#),
            ("POST", "shop", b"x"),
            ("POST", "shop?ID=b", b"x"),
            ("DELETE", "shop", b""),
            ("PUT", "shop/versions/7?ID=b", b"x"),
        ] {
            let refused = send(&server, method, path, body).await;
            assert_eq!(
                (refused.status().as_u16(), &**refused.body()),
                (423, lock.as_slice()),
                "{method} {path}"
            );
            assert_eq!(refused.headers()["content-type"], "application/json");
            assert_eq!(refused.headers()["x-content-type-options"], "nosniff");
        }
        let kept = send(&server, "GET", "shop", b"").await;
        assert_eq!(
            (&**kept.body(), &kept.headers()["cache-control"]),
            (b"kept".as_slice(), &"no-store".parse().unwrap())
        );
        assert_eq!(names(&folder.0), [".step", "shop.lock", "shop.state"]);
        // Terraform's `force-unlock` sends this.
        assert_eq!(status(&server, "UNLOCK", "shop", b"").await, 200);
        assert_eq!(names(&folder.0), [".step", "shop.state"]);
    })
    .expect("it runs");
}

#[cfg(unix)]
#[test]
fn state_files_are_private_to_their_owner() {
    use std::os::unix::fs::PermissionsExt;
    run(async {
        let folder = Folder::new("private");
        let inner = folder.file("states");
        let server = serve(&inner).await;
        assert_eq!(status(&server, "POST", "shop", b"kept").await, 200);
        assert_eq!(status(&server, "LOCK", "shop", br#"{"ID": "a"}"#).await, 200);
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!(mode(&inner), 0o700);
        for name in names(&inner) {
            assert_eq!(mode(&inner.join(&name)), 0o600, "{name}");
        }
        for token in ["", "Bearer 0123456789abcdeg", "Basic 0123456789abcdef"] {
            let request =
                Request::get(format!("{}/state/shop", server.origin())).header("authorization", token);
            let answer =
                transport().send(request.body(Vec::new()).expect("a request")).await.expect("an answer");
            assert_eq!(answer.status(), 401);
        }
    })
    .expect("it runs");
}

fn large(address: &str, bytes: usize) -> Change {
    let spec = serde_json::json!({ "text": "x".repeat(bytes) });
    let entry = Entry {
        kind: "service".into(),
        phase: "active".into(),
        spec: spec.as_object().cloned().unwrap_or_default(),
        generation: 1,
        ..Entry::default()
    };
    Change::Put(address.into(), Box::new(entry))
}

async fn keep(
    client: &TerraformBackend,
    lease: &Lease,
    snapshot: &mut Snapshot,
    changes: Vec<Change>,
) -> Result<(), BackendError> {
    let commit = Commit { serial: snapshot.serial + 1, changes };
    let mut after = snapshot.clone();
    after.take(&commit);
    client.commit(lease, Rc::new(commit), Rc::new(after.clone())).await?;
    *snapshot = after;
    Ok(())
}

#[test]
fn large_states_can_be_read_and_destroyed() {
    run(async {
        let folder = Folder::new("large");
        let server = serve(&folder.0).await;
        let (client, mut snapshot) = (client(&server, "shop"), Snapshot::new("shop", "l"));
        let lease = client.acquire(claim("ada", 0, 1000)).await.expect("it is free");
        for address in ["services.a", "services.b", "services.c"] {
            keep(&client, &lease, &mut snapshot, vec![large(address, 3 << 20)]).await.expect("there is room");
        }
        assert!(snapshot.to_text().len() > MAX_BODY, "more than an adapter's answer may have");
        assert_eq!(client.load().await, Ok(Some(snapshot.clone())));
        for address in ["services.a", "services.b", "services.c"] {
            let entry = snapshot.resources[address].clone();
            let verb = Verb::Destroy;
            let begin =
                Intent { id: "i".into(), verb, address: address.into(), entry, ..intent("i", address) };
            let begin = vec![Change::Begin(Box::new(begin))];
            keep(&client, &lease, &mut snapshot, begin).await.expect("everything can still be destroyed");
            let end = vec![Change::Remove(address.into()), Change::Settle("i".into())];
            keep(&client, &lease, &mut snapshot, end).await.expect("it is less");
        }
        assert_eq!(client.load().await, Ok(Some(snapshot)));
    })
    .expect("it runs");
}

#[test]
fn states_too_large_to_read_back_are_not_begun() {
    run(async {
        let folder = Folder::new("too-large");
        let server = serve(&folder.0).await;
        let options =
            TerraformOptions { longest: 60_000, longest_to_begin: 30_000, ..options(&server, "shop") };
        let client = TerraformBackend::new(transport(), SystemTimer::new(), options);
        let mut snapshot = Snapshot::new("shop", "l");
        let lease = client.acquire(claim("ada", 0, 1000)).await.expect("it is free");
        let begin = |bytes: usize| {
            let Change::Put(address, entry) = large("services.a", bytes) else { panic!("it is put") };
            vec![Change::Begin(Box::new(Intent { entry: *entry, ..intent("i", &address) }))]
        };
        let refused = keep(&client, &lease, &mut snapshot, begin(40_000)).await;
        let Err(BackendError::Unsupported(why)) = refused else { panic!("{refused:?}") };
        assert!(why.contains("nothing new is created above 30000 bytes"), "{why}");
        assert_eq!(client.load().await, Ok(None), "nothing was written");
        // The result of a change that was begun is recorded, as long as it can be read.
        keep(&client, &lease, &mut snapshot, begin(20_000)).await.expect("there is room");
        keep(&client, &lease, &mut snapshot, vec![large("services.a", 30_000)]).await.expect("there is room");
        let refused = keep(&client, &lease, &mut snapshot, vec![large("services.b", 30_000)]).await;
        assert!(matches!(refused, Err(BackendError::Unsupported(_))), "{refused:?}");
        assert_eq!(client.load().await, Ok(Some(snapshot)));
    })
    .expect("it runs");
}

#[test]
fn a_damaged_state_is_reported_and_can_be_restored() {
    run(async {
        let folder = Folder::new("damaged-site");
        let server = serve(&folder.0).await;
        let (client, mut snapshot) = (client(&server, "shop"), Snapshot::new("shop", "l"));
        let lease = client.acquire(claim("ada", 0, 1000)).await.expect("it is free");
        keep(&client, &lease, &mut snapshot, vec![large("services.a", 10)]).await.expect("it is kept");
        client.checkpoint(&lease, Rc::new(snapshot.clone())).await.expect("it is kept");
        keep(&client, &lease, &mut snapshot, vec![large("services.b", 10)]).await.expect("it is kept");
        let path = folder.file("shop.state");
        let mut bytes = fs::read(&path).expect("it is there");
        let at = bytes.windows(4).position(|it| it == b"shop").expect("it is named");
        bytes[at] ^= 4;
        fs::write(&path, &bytes).expect("it can be written");
        let Err(BackendError::Corrupt(why)) = client.load().await else { panic!("it is damaged") };
        assert!(
            why.contains("its checksum does not match")
                && why.ends_with("version 1 of its history is intact"),
            "{why}"
        );
        let before = snapshot.clone();
        let refused = keep(&client, &lease, &mut snapshot, vec![large("services.c", 10)]).await;
        assert!(matches!(refused, Err(BackendError::Corrupt(_))), "nothing is written over it: {refused:?}");
        assert_eq!((fs::read(&path).expect("it is there"), snapshot), (bytes.clone(), before));
        let old = client.version(1).await.expect("it is whole").expect("it is kept");
        let repaired = client.repair(&lease, old.clone()).await.expect("it is damaged");
        assert_eq!((repaired.serial, &*repaired.aside), (4, &["version 3 of its history".to_owned()][..]));
        let now = client.load().await.expect("it is whole").expect("it is kept");
        assert_eq!((now.serial, &now.resources), (4, &old.resources));
        assert_eq!(send(&server, "GET", "shop/versions/3", b"").await.body(), &bytes, "nothing is lost");
    })
    .expect("it runs");
}
