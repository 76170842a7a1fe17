//! An adapter that tells secrets wherever it may say something: nobody else learns them.

use std::{cell::RefCell, collections::BTreeMap, fmt::Write as _, rc::Rc};

use http::{Method, Response};
use planloom_workspace::{PlanOptions, engine::ApplyOptions};
use proptest::prelude::*;
use protocol::{LocalFuture, Transport, TransportError, spec_hash};
use serde_json::{Value as Json, json};

use crate::environment::{Environment, actions, deployment};

/// The outcome of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Made,
    MadeLater,
    Refused,
    Failed,
    Elsewhere,
    Malformed,
}

/// An adapter that puts the secrets, in all forms, into all its answers.
#[derive(Clone)]
struct Echo {
    mode: Mode,
    secrets: Vec<String>,
    made: Rc<RefCell<BTreeMap<String, Json>>>,
}

impl Echo {
    fn new(mode: Mode, secrets: &[&str]) -> Self {
        Self { mode, secrets: secrets.iter().map(|it| (*it).into()).collect(), made: Rc::default() }
    }

    /// So long that no text is taken whole: a cut goes through a secret.
    fn says(&self) -> String {
        let once: String =
            self.secrets.iter().flat_map(|it| forms(it)).map(|it| format!("<{it}> ")).collect();
        once.repeat(2500 / once.len() + 1)
    }

    fn problem(&self, status: u16) -> Response<Vec<u8>> {
        let says = self.says();
        let violation = json!({"pointer": format!("/payload/{says}"), "detail": says});
        let body = json!({
            "type": says, "title": says, "detail": says, "code": says, "op": "o", "violations": [violation],
        });
        answer(status, &body)
    }

    fn resource(&self, path: &str, phase: &str, sent: &Json) -> Json {
        let id = path.rsplit('/').next().unwrap_or_default();
        let (says, kind) = (self.says(), path.rsplit('/').nth(1).unwrap_or_default());
        let each: Vec<&String> = self.secrets.iter().collect();
        json!({
            "kind": kind, "id": id, "deployment": sent["deployment"], "address": sent["address"],
            "generation": sent["generation"], "phase": phase, "message": says,
            "identity": {"id": id, "dsn": says, "each": each, "nested": {says.clone(): 1}},
            "outputs": {"network_node": {"ip": self.secrets.concat(), "node_id": says}, "each": each, says.clone(): 1},
            "spec_hash": spec_hash(&sent["spec"]), "etag": "\"1\"",
        })
    }

    fn put(&self, path: &str, sent: &Json) -> Response<Vec<u8>> {
        match self.mode {
            Mode::Made | Mode::MadeLater => {
                let made = self.resource(path, "active", sent);
                self.made.borrow_mut().insert(path.to_owned(), made);
                if self.mode == Mode::Made {
                    return answer(201, &self.resource(path, "pending", sent));
                }
                answer(202, &self.operation(path, false))
            }
            Mode::Refused => self.problem(422),
            Mode::Failed => self.problem(500),
            Mode::Elsewhere => {
                // Only such text can stand in a header as it is; with characters left out it would be no secret.
                let stands = |it: &&String| it.chars().all(|it| it.is_ascii_graphic());
                let plain: String = self.secrets.iter().filter(stands).cloned().collect();
                let builder = Response::builder().status(307).header("location", format!("/{plain}"));
                builder.body(Vec::new()).unwrap_or_default()
            }
            Mode::Malformed => {
                answer(201, &json!({"kind": "service", "id": self.says(), "phase": self.says()}))
            }
        }
    }

    fn operation(&self, path: &str, done: bool) -> Json {
        let id = path.rsplit('/').next().unwrap_or_default();
        let resource = if done { self.made.borrow().get(path).cloned() } else { None };
        json!({
            "op": path, "verb": "create", "kind": path.rsplit('/').nth(1), "id": id, "done": done,
            "progress": {"percent": 50, "message": self.says()}, "resource": resource,
        })
    }
}

impl Transport for Echo {
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let path = request.uri().path().to_owned();
        let body: Json = serde_json::from_slice(request.body()).unwrap_or_default();
        let response = match (request.method(), path.strip_prefix("/v1/operations/")) {
            (_, Some(op)) => answer(200, &self.operation(&op.replace("%2F", "/"), true)),
            (&Method::GET, _) if path == "/v1" => {
                let types = json!({"service": null, "network": null});
                answer(
                    200,
                    &json!({"protocol": 1, "name": self.says(), "version": self.says(), "types": types}),
                )
            }
            (&Method::PUT, _) => self.put(&path, &body),
            _ => match self.made.borrow().get(&path) {
                Some(made) => answer(200, made),
                None => self.problem(404),
            },
        };
        Box::pin(async move { Ok(response) })
    }
}

fn answer(status: u16, body: &Json) -> Response<Vec<u8>> {
    let builder = Response::builder().status(status).header("content-type", "application/json");
    builder.body(body.to_string().into_bytes()).unwrap_or_default()
}

/// A secret as it is, in JSON, in a URL, in hexadecimal digits and in base64.
fn forms(secret: &str) -> Vec<String> {
    let json = Json::from(secret).to_string();
    let json = json[1..json.len() - 1].to_owned();
    let (mut percent, mut hex) = (String::new(), String::new());
    for byte in secret.bytes() {
        match byte.is_ascii_alphanumeric() {
            true => percent.push(char::from(byte)),
            false => percent += &format!("%{byte:02X}"),
        }
        write!(hex, "{byte:02x}").expect("a text");
    }
    vec![secret.to_owned(), json, percent, hex, base64(secret.as_bytes())]
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |chunk: &[u8]| {
        let byte = |at: usize| u32::from(*chunk.get(at).unwrap_or(&0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        (0..=chunk.len())
            .map(move |at| char::from(DIGITS[(bits >> (18 - 6 * at)) as usize & 63]))
            .collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

fn app(secrets: &[String]) -> String {
    let [first, second, third] = secrets else { panic!("three secrets") };
    json!({
        "meta": {"name": "h"},
        "payloads": {"p": {"runtime": "vm", "params": {
            "secrets": {"A": first}, "env": {"DB_TOKEN": second, "PORT": "80"}, "copy": format!("x{second}y"),
        }}},
        "services": {
            "a": {"payload": "p", "init": [{"run": {"args": ["go"], "env": {"password": third}}}]},
            "b": {"payload": "p", "init": [["go", "${services.a.network_node.ip}"]]},
        },
    })
    .to_string()
}

/// Every text that outlives a run or that somebody sees.
fn outside(site: &Environment, output: &[Json]) -> String {
    let mut text: String = output.iter().map(Json::to_string).collect();
    for commit in site.backend.commits() {
        text += &serde_json::to_string(&*commit).expect("JSON");
    }
    text
}

/// Neither a secret nor a good part of one.
#[track_caller]
fn check_hidden(text: &str, secrets: &[String]) {
    // As it reads once more quoted in JSON.
    let quoted = text.replace("\\\\", "\\").replace("\\\"", "\"");
    for secret in secrets {
        for form in forms(secret) {
            // Of base64 the last digits depend on what follows.
            let known: String = form.chars().take(form.chars().count() - 2).collect();
            assert!(!text.contains(&known), "{form} stands in {text}");
            assert!(!quoted.contains(&known), "{form} stands in {quoted}");
        }
    }
}

fn run(mode: Mode, secrets: &[String]) {
    let site = Environment::new();
    let yaml = app(secrets);
    let known: Vec<&str> = secrets.iter().map(String::as_str).collect();
    let echo = Rc::new(Echo::new(mode, &known));
    let mut output = Vec::new();
    for _ in 0..2 {
        let planner = deployment(&yaml, &PlanOptions::default());
        let routes = vec![Environment::route(echo.clone())];
        let worker = site.worker_with(planner.clone(), Rc::new(site.backend.clone()), routes);
        let done = site.drive(&worker, "apply", ApplyOptions::default());
        output.extend(worker.events.borrow().iter().map(|it| serde_json::to_value(it).expect("JSON")));
        output.push(serde_json::to_value(planner.plan()).expect("JSON"));
        let runtime = worker.engine.runtime();
        for kind in runtime.inspect().kinds {
            output.extend(runtime.resources(&kind.kind).iter().map(|it| it.spec.value()));
        }
        let is_ok = match done {
            Ok(report) => {
                output.push(serde_json::to_value(&report).expect("JSON"));
                report.ok
            }
            Err(error) => {
                output.push(serde_json::to_value(&error).expect("JSON"));
                false
            }
        };
        assert_eq!(is_ok, matches!(mode, Mode::Made | Mode::MadeLater), "{}", json!(output));
    }
    check_hidden(&outside(&site, &output), secrets);
    if matches!(mode, Mode::Made | Mode::MadeLater) {
        assert_eq!(echo.made.borrow().len(), 2, "what refers to a secret output is made with it");
        let planner = deployment(&yaml, &PlanOptions::default());
        let worker = site.worker_with(planner, Rc::new(site.backend.clone()), vec![Environment::route(echo)]);
        let engine = worker.engine.clone();
        let planned = site.run(&worker.engine, async move {
            engine.inspect().await?;
            engine.plan(true).await
        });
        let planned = planned.expect("it can be planned");
        assert_eq!(actions(&planned), [""; 0], "nothing changed, and that is seen");
    }
}

fn secret() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z0-9]{8,40}",
        "[ -~]{8,40}",
        "[A-Za-zäöü€\"\\\\/+% ]{8,30}",
        ("[A-Za-z0-9]{12,30}", "[A-Za-z0-9/+]{12,30}").prop_map(|(a, b)| format!("{a}\n{b}")),
    ]
    .prop_filter("it reads as text", |it| it.trim() == it && !it.contains("${") && !it.contains("$$"))
}

fn mode() -> impl Strategy<Value = Mode> {
    prop_oneof![
        Just(Mode::Made),
        Just(Mode::MadeLater),
        Just(Mode::Refused),
        Just(Mode::Failed),
        Just(Mode::Elsewhere),
        Just(Mode::Malformed),
    ]
}

#[test]
fn no_plain_secret_is_shown_or_stored() {
    let secrets = ["hunter2-first", "a second secret", "third/secret+1"].map(Into::into);
    for mode in [Mode::Made, Mode::MadeLater, Mode::Refused, Mode::Failed, Mode::Elsewhere, Mode::Malformed] {
        run(mode, &secrets);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn no_secret_is_shown_or_stored(mode in mode(), secrets in prop::collection::vec(secret(), 3)) {
        run(mode, &secrets);
    }
}
