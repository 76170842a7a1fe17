//! Shared by the tests.

use std::{
    cell::Cell,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use adapter::{Adapter, Known, ObservedResource, ResourceRequest};
use planloom_adapter_container::{Allowed, ContainerAdapter, Options};
use protocol::{Problem, ResourceId};
use serde_json::{Map, Value as Json, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, sleep, timeout},
};

use crate::{
    engine::{Engine, engine},
    images::IMAGE,
};

/// Ids and ranges of addresses that no other test uses.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) engine: &'static Engine,
    prefix: String,
    number: Cell<u32>,
}

/// Runs a test as hosts run adapters: in one thread. Everything that it leaves is removed.
pub(crate) fn run(test: impl AsyncFnOnce(&Bench)) {
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    let Some(engine) = engine(&name) else { return };
    let bench = Bench::new(engine);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    tokio::task::LocalSet::new().block_on(&runtime, test(&bench));
}

/// A number that no other test has, from 1.
pub(crate) fn number() -> u32 {
    static NUMBER: AtomicU32 = AtomicU32::new(1);
    NUMBER.fetch_add(1, Ordering::Relaxed)
}

/// The beginning of a range of addresses, e.g. `10.203.7`.
pub(crate) fn range() -> String {
    format!("10.203.{}", number() % 256)
}

impl Bench {
    fn new(engine: &'static Engine) -> Self {
        let prefix = format!("t{}x{}x", std::process::id(), number());
        Self { engine, prefix, number: Cell::new(0) }
    }

    pub(crate) fn options(&self, allowed: Allowed) -> Options {
        Options::at(self.engine.socket(), allowed)
    }

    pub(crate) async fn adapter(&self) -> ContainerAdapter {
        self.adapter_with(Allowed::nothing()).await
    }

    pub(crate) async fn adapter_with(&self, allowed: Allowed) -> ContainerAdapter {
        ContainerAdapter::open(self.options(allowed)).await.unwrap()
    }

    pub(crate) fn requested(&self, kind: &str, address: &str, spec: Json) -> ResourceRequest {
        let Json::Object(spec) = spec else { panic!("a spec is a map") };
        self.number.set(self.number.get() + 1);
        let id = ResourceId::new(kind, format!("{}{}y", self.prefix, self.number.get()));
        ResourceRequest { id, deployment: self.prefix.clone(), address: address.into(), generation: 1, spec }
    }

    /// A service with these `params`; with the image of the tests if they name none.
    pub(crate) fn service(&self, params: Json) -> ResourceRequest {
        self.requested("service", "services.it", spec(params))
    }

    /// A service that runs this script.
    pub(crate) fn script(&self, script: &str) -> ResourceRequest {
        self.service(json!({"command": shell(script), "stop": {"grace_seconds": 1}}))
    }

    /// A network with the name `default` and this range of addresses.
    pub(crate) fn network(&self, range: &str) -> ResourceRequest {
        self.requested("network", "networks.default", json!({"ip": format!("{range}.0/24")}))
    }

    /// The names of the containers of a resource, as Podman reports them.
    pub(crate) fn containers(&self, id: &str) -> Vec<String> {
        let filter = format!("label=planloom.id={id}");
        let reported =
            self.engine.podman(&["ps", "--all", "--filter", &filter, "--format", "{{.Names}}"]).unwrap();
        reported.lines().map(str::to_owned).collect()
    }

    pub(crate) fn inspect(&self, requested: &ResourceRequest, format: &str) -> String {
        let name = format!("planloom-{}", requested.id.id);
        self.engine.podman(&["container", "inspect", "--format", format, &name]).unwrap()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let filter = format!("label=planloom.deployment={}", self.prefix);
        if let Ok(reported) = self.engine.podman(&["ps", "--all", "--quiet", "--filter", &filter]) {
            for id in reported.lines() {
                _ = self.engine.podman(&["rm", "--force", "--time", "0", "--volumes", id]);
            }
        }
        if let Ok(reported) = self.engine.podman(&["network", "ls", "--quiet", "--filter", &filter]) {
            for name in reported.lines() {
                _ = self.engine.podman(&["network", "rm", name]);
            }
        }
    }
}

pub(crate) fn spec(mut params: Json) -> Json {
    if params.get("build").is_none() && params.get("image").is_none() {
        params["image"] = json!(IMAGE);
    }
    json!({"payload": {"runtime": "container", "params": params}})
}

/// The command that runs a script.
pub(crate) fn shell(script: &str) -> Json {
    json!(["/bin/busybox", "sh", "-c", script])
}

/// A script that responds to requests at port 80 with this text, after the command `first`.
pub(crate) fn server(first: &str, text: &str) -> Json {
    shell(&format!(
        "{first}; /bin/busybox mkdir /www; echo {text} >/www/index.html; exec /bin/busybox httpd -f -p 80 -h /www"
    ))
}

pub(crate) fn known(requested: &ResourceRequest, seen: &ObservedResource) -> Known {
    Known { request: requested.clone(), identity: Some(seen.identity.clone()), outputs: seen.outputs.clone() }
}

pub(crate) fn unanswered(requested: &ResourceRequest) -> Known {
    Known { request: requested.clone(), identity: None, outputs: Map::new() }
}

pub(crate) fn output<'s>(seen: &'s ObservedResource, pointer: &str) -> Option<&'s Json> {
    let (first, rest) = pointer[1..].split_once('/').unwrap_or((&pointer[1..], ""));
    let value = seen.outputs.get(first)?;
    if rest.is_empty() { Some(value) } else { value.pointer(&format!("/{rest}")) }
}

pub(crate) fn text<'s>(seen: &'s ObservedResource, pointer: &str) -> &'s str {
    output(seen, pointer).and_then(Json::as_str).unwrap_or_else(|| panic!("no {pointer} in {seen:?}"))
}

pub(crate) async fn read(
    adapter: &ContainerAdapter,
    requested: &ResourceRequest,
) -> Option<ObservedResource> {
    adapter.read(&unanswered(requested)).await.unwrap()
}

/// Reads until the condition holds, for at most twenty seconds.
pub(crate) async fn until(
    adapter: &ContainerAdapter,
    requested: &ResourceRequest,
    is_expected: impl Fn(&ObservedResource) -> bool,
) -> ObservedResource {
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let seen = read(adapter, requested).await.expect("it is known");
        if is_expected(&seen) {
            return seen;
        }
        assert!(Instant::now() < end, "it is not as expected: {seen:?}");
        sleep(Duration::from_millis(50)).await;
    }
}

pub(crate) fn pointers(problem: &Problem) -> Vec<&str> {
    problem.violations.iter().map(|it| &*it.pointer).collect()
}

/// The response to a GET of `/` there.
pub(crate) async fn get(address: &str) -> String {
    let reported = timeout(Duration::from_secs(10), async {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut reported = String::new();
        stream.read_to_string(&mut reported).await.unwrap();
        reported
    });
    reported.await.unwrap_or_else(|_| panic!("{address} does not respond"))
}
