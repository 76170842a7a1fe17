//! Secrets that an adapter tells back, and files that hold secrets.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    os::unix::fs::PermissionsExt,
    sync::{Arc, Mutex},
    thread,
};

use serde_json::{Value as Json, json};

use crate::run::{Folder, RunOutput};

const SECRETS: [&str; 2] = ["correct-horse-battery-staple", "Tr0ub4dor&3 \"x\""];

fn app() -> String {
    json!({
        "meta": {"name": "shop"},
        "payloads": {"p": {"runtime": "vm", "params": {
            "env": {"DB_PASSWORD": SECRETS[0], "PORT": "80"}, "secrets": {"KEY": SECRETS[1]},
        }}},
        "services": {"db": {"payload": "p"}, "web": {"payload": "p", "init": [["go", "${services.db.network_node.ip}"]]}},
    })
    .to_string()
}

/// An adapter that tells all secrets wherever it says something, from the first byte that is cut to the last.
#[derive(Clone, Default)]
struct Hostile {
    refuses: bool,
    made: Arc<Mutex<BTreeMap<String, Json>>>,
}

fn says() -> String {
    let json = Json::from(SECRETS[1]).to_string();
    let each = [
        "see",
        SECRETS[0],
        SECRETS[1],
        &json,
        "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5LXN0YXBsZQ==",
        "Tr0ub4dor%263%20%22x%22",
    ];
    each.join(" ").repeat(30)
}

impl Hostile {
    fn serve(self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let own = self.clone();
                // The client may have left.
                thread::spawn(move || own.answer(stream).ok());
            }
        });
        format!("http://{address}")
    }

    fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream.try_clone()?);
        let (mut first, mut length) = (String::new(), 0);
        reader.read_line(&mut first)?;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let mut words = first.split(' ');
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let (status, said) = self.reply(method, path, &serde_json::from_slice(&body).unwrap_or_default());
        let said = said.to_string();
        write!(
            stream,
            "HTTP/1.1 {status} X\r\nAdapter-Protocol: 1\r\nContent-Type: application/json\r\nX-Secret: {}\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{said}",
            SECRETS[0],
            said.len()
        )
    }

    fn reply(&self, method: &str, path: &str, body: &Json) -> (u16, Json) {
        if path == "/v1" {
            return (
                200,
                json!({"protocol": 1, "name": "hostile", "types": {"service": null, "network": null}}),
            );
        }
        let mut made = self.made.lock().expect("nobody panics");
        let problem = json!({"title": says(), "detail": says(), "code": "invalid_spec",
            "violations": [{"pointer": "/payload/params", "detail": says()}]});
        match method {
            "PUT" if self.refuses => (422, problem),
            "PUT" => {
                let mut words = path.rsplit('/');
                let (id, kind) = (words.next(), words.next());
                let resource = json!({
                    "kind": kind, "id": id, "deployment": body["deployment"], "address": body["address"],
                    "generation": body["generation"], "phase": "active", "identity": {"id": id, "dsn": says()},
                    "outputs": {"network_node": {"ip": SECRETS.join(" "), "node_id": SECRETS[0]}, "env": body["spec"]},
                    "message": says(), "spec_hash": protocol::spec_hash(&body["spec"]),
                });
                made.insert(path.to_owned(), resource.clone());
                (201, resource)
            }
            "DELETE" => {
                made.remove(path);
                (204, Json::Null)
            }
            _ => made.get(path).map_or((404, problem), |it| (200, it.clone())),
        }
    }
}

#[track_caller]
fn check(text: &str, wher: &str) {
    let parts = ["correct-horse", "battery-staple", "Tr0ub4dor", "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5LXN0YXBsZ"];
    for part in parts {
        assert!(!text.contains(part), "{part} stands in {wher}: {text}");
    }
}

#[track_caller]
fn check_all(folder: &Folder, said: &RunOutput, words: &str) {
    check(&said.out, &format!("the output of {words}"));
    check(&said.err, &format!("the errors of {words}"));
    for name in folder.names().iter().filter(|it| *it != "app.yaml") {
        if let Some(text) = folder.read(name) {
            check(&text, &format!("{name} after {words}"));
        }
    }
}

#[test]
fn secrets_reported_by_an_adapter_are_not_shown() {
    for refuses in [false, true] {
        let adapter = Hostile { refuses, ..Hostile::default() }.serve();
        let folder = Folder::new(&[("app.yaml", &app())]);
        let work = format!("app.yaml --state state.json --adapter {adapter}");
        for words in [
            format!("apply {work} --auto-approve"),
            format!("apply {work} --auto-approve --format json"),
            format!("plan {work} --all"),
            format!("plan {work} --all --format json"),
            format!("plan {work} --out plan.json"),
            "state show --state state.json".into(),
            "state show --state state.json --format json".into(),
            "graph app.yaml".into(),
            "links app.yaml --format json".into(),
            format!("destroy {work} --auto-approve"),
        ] {
            check_all(&folder, &folder.run(&words), &words);
        }
    }
}

#[test]
fn references_to_secret_outputs_are_resolved() {
    let adapter = Hostile::default();
    let made = adapter.made.clone();
    let address = adapter.serve();
    let folder = Folder::new(&[("app.yaml", &app())]);
    let words = format!("apply app.yaml --state state.json --adapter {address} --auto-approve");
    let said = folder.run(&words);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let sent =
        made.lock().expect("nobody panics").values().find(|it| it["address"] == "services.web").cloned();
    let sent = sent.expect("it is made");
    assert_eq!(
        sent["outputs"]["env"]["init"][0]["run"]["args"][1],
        json!(SECRETS.join(" ")),
        "the adapter gets it"
    );
    let again = folder.run(&words);
    assert!(
        again.code == 0 && again.out.contains("it matches the descriptors"),
        "{}{}",
        again.out,
        again.err
    );
}

#[test]
fn names_of_variables_tell_in_plans_as_in_records() {
    let folder = Folder::new(&[("app.yaml", &app())]);
    let plan = folder.run("plan app.yaml --format json").json();
    let changes = plan["actions"][0]["changes"].as_array().expect("changes");
    let change = |path: &str| changes.iter().find(|it| it["path"] == path).expect(path);
    assert_eq!(change("/payload/params/env/DB_PASSWORD")["sensitive"], true);
    assert_eq!(change("/payload/params/env/PORT")["sensitive"], false);
    assert!(!plan.to_string().contains(SECRETS[0]));
}

#[test]
fn names_of_properties_tell_in_links() {
    let yaml = "
payloads: {p: {runtime: vm}}
services:
  db: {payload: p, provides: {db: {properties: {port: 5432, password: correct-horse, auth: {api_token: battery-staple}}}}}
  web: {payload: p, consumes: {db: {}}, init: [[\"go\", \"${links.db.properties.password}\"]]}
";
    let folder = Folder::new(&[("app.yaml", yaml)]);
    for words in [
        "links app.yaml",
        "links app.yaml --format json",
        "plan app.yaml --all",
        "plan app.yaml --format json",
    ] {
        check(&folder.run(words).out, words);
    }
    let links = folder.run("links app.yaml --format json").json();
    assert_eq!(links["links"][0]["content"]["properties"]["port"], 5432);
    assert_eq!(links["links"][0]["content"]["properties"]["password"], Json::Null);
}

#[test]
fn files_with_secrets_are_readable_by_their_owner_only() {
    let folder = Folder::new(&[("app.yaml", &app()), ("old.yaml", "old")]);
    let mode = |name: &str| {
        let found = std::fs::metadata(folder.path(name)).expect("it is there");
        found.permissions().mode() & 0o777
    };
    std::fs::set_permissions(folder.path("old.yaml"), PermissionsExt::from_mode(0o644)).expect("its mode");
    for (words, name) in [
        ("merge app.yaml --out new.yaml", "new.yaml"),
        ("merge app.yaml --out old.yaml", "old.yaml"),
        ("merge app.yaml --format json --out new.json", "new.json"),
        ("links app.yaml --out links.txt", "links.txt"),
        ("plan app.yaml --out plan.json", "plan.json"),
        ("apply app.yaml --state state.json --adapter simulator --auto-approve", "state.json"),
    ] {
        folder.run(words);
        assert_eq!(mode(name), 0o600, "{words}");
    }
    let merged = folder.read("new.yaml").expect("a file");
    assert!(merged.contains(SECRETS[0]), "the merged document is what its authors wrote");
}

const MISTAKE: &str = r#"
meta: {name: shop}
payloads:
  p:
    runtime: process
    params:
      command: [/bin/true]
      env: {DB_PASSWORD: hunter2-Tr0ub4dor, AT: "hunter2-Tr0ub4dor:${services.none.x}", TOKEN: abc}
services: {db: {payload: p}}
"#;

/// Problems are shown with their lines, which contain secrets, too.
#[test]
fn excerpts_show_no_secrets() {
    let folder = Folder::new(&[("app.yaml", MISTAKE)]);
    for words in ["check app.yaml", "plan app.yaml", "apply app.yaml --state state.json"] {
        let said = folder.run(words);
        let all = format!("{}{}", said.out, said.err);
        for shown in ["services.none", "DB_PASSWORD: *****************,", "AT: \"*****************:"] {
            assert!(all.contains(shown), "{words}: {shown}: {all}");
        }
        for secret in ["Tr0ub4dor", "abc"] {
            assert!(!all.contains(secret), "{words}: {secret}: {all}");
        }
    }
}

/// If a text cannot be read as YAML, names in its lines decide which values are secret.
#[test]
fn excerpts_of_what_cannot_be_read_show_no_secrets() {
    for (text, shown) in [
        ("services: {}\nenv: {DB_PASSWORD: \"hunter2-Tr0ub4dor\", A: [1, 2\n", "DB_PASSWORD: *****"),
        ("env:\n  TOKEN: 'hunter2-Tr0ub4dor\n", "TOKEN: *****"),
        ("env:\n  TOKEN: {hunter2-Tr0ub4dor]\n", "TOKEN: *****"),
        ("env:\n  PRIVATE_KEY: |\nTr0ub4dor\n", "*********"),
    ] {
        let folder = Folder::new(&[("app.yaml", text)]);
        let said = folder.run("check app.yaml");
        let all = format!("{}{}", said.out, said.err);
        assert!(all.contains(shown) && !all.contains("Tr0ub4dor"), "{all}");
    }
}

/// A secret that is changed by a mistake is in no message and no fix either.
#[test]
fn messages_and_fixes_show_no_secrets() {
    for secret in [
        "DB_PASSWORD: @Tr0ub4dor",
        "DB_PASSWORD: `Tr0ub4dor",
        "DB_PASSWORD: %Tr0ub4dor",
        "DB_PASSWORD: abc: Tr0ub4dor",
        "DB_PASSWORD: *Tr0ub4dor",
        "DB_PASSWORD: !Tr0ub4dor",
        "DB_PASSWORD: ab${Tr0ub4dor}",
        "DB_PASSWORD: a${b.Tr0ub4dor}c",
        "DB_PASSWORD: abc\n        DB_PASSWORD: Tr0ub4dor",
        "DB_PASSWORD:Tr0ub4dor",
        "DB_PASSWORD=Tr0ub4dor",
        "{{apiKey: Tr0ub4dor}}",
        "secrets: DB_PASSWORD: Tr0ub4dor",
    ] {
        let text = format!(
            "payloads:\n  p:\n    runtime: process\n    params:\n      command: [/bin/true]\n      env:\n        {secret}\nservices: {{db: {{payload: p}}}}\n"
        );
        let folder = Folder::new(&[("app.yaml", &text)]);
        // Without a space it is a text of `env`, which a plan shows as any other.
        let is_text = secret.starts_with("DB_PASSWORD:T") || secret.starts_with("DB_PASSWORD=");
        let verbs = if is_text { &["check"][..] } else { &["check", "plan", "graph"] };
        for words in
            verbs.iter().flat_map(|it| [format!("{it} app.yaml"), format!("{it} app.yaml --format json")])
        {
            let said = folder.run(&words);
            let all = format!("{}{}", said.out, said.err);
            assert!(!all.contains("Tr0ub4dor"), "{secret}: {words}: {all}");
        }
    }
    // At a wrong place, too.
    for text in ["DB_PASSWORD: Tr0ub4dor\n", "services: {a: {password: Tr0ub4dor, payload: none}}\n"] {
        let folder = Folder::new(&[("app.yaml", text)]);
        let said = folder.run("check app.yaml");
        assert!(said.code == 1 && !format!("{}{}", said.out, said.err).contains("Tr0ub4dor"), "{}", said.out);
    }
}
