//! Shared by the tests.

use std::{
    cell::Cell,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use adapter::{Adapter, Known, ObservedResource, ResourceRequest};
use planloom_adapter_process::{Allowed, Options, ProcessAdapter};
use protocol::{Problem, ResourceId};
use serde_json::{Map, Value as Json, json};
use tokio::time::{Instant, sleep};

/// A folder, and ids that no other test uses.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) folder: PathBuf,
    prefix: String,
    number: Cell<u32>,
}

/// Runs a test as hosts run adapters: in one thread.
pub(crate) fn run(test: impl AsyncFnOnce(&Bench)) {
    let bench = Bench::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    tokio::task::LocalSet::new().block_on(&runtime, test(&bench));
}

impl Bench {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let prefix = format!("test{}x{number}x", std::process::id());
        let folder = std::env::temp_dir().join(format!("planloom-process-{prefix}"));
        fs::create_dir_all(&folder).unwrap();
        Self { folder, prefix, number: Cell::new(0) }
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.folder.join("state")
    }

    /// An adapter that may run the shell and this test program.
    pub(crate) async fn adapter(&self) -> ProcessAdapter {
        self.adapter_with(shell()).await
    }

    pub(crate) async fn adapter_with(&self, allowed: Allowed) -> ProcessAdapter {
        self.adapter_by(options(self.state(), allowed)).await
    }

    pub(crate) async fn adapter_by(&self, options: Options) -> ProcessAdapter {
        ProcessAdapter::open(options).await.unwrap()
    }

    pub(crate) fn id(&self) -> String {
        self.number.set(self.number.get() + 1);
        format!("{}{}y", self.prefix, self.number.get())
    }

    pub(crate) fn request(&self, kind: &str, address: &str, spec: Json) -> ResourceRequest {
        let Json::Object(spec) = spec else { panic!("a spec is a map") };
        let id = ResourceId::new(kind, self.id());
        ResourceRequest { id, deployment: self.prefix.clone(), address: address.into(), generation: 1, spec }
    }

    /// A service with these `params`.
    pub(crate) fn service(&self, params: Json) -> ResourceRequest {
        self.request("service", "services.it", json!({"payload": {"runtime": "process", "params": params}}))
    }

    /// A service that runs this script.
    pub(crate) fn script(&self, script: &str) -> ResourceRequest {
        self.service(json!({"command": ["/bin/sh", "-c", script]}))
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // Killed processes may have started others meanwhile.
        while let found @ [_, ..] = &marked(&self.prefix)[..] {
            for pid in found {
                kill(*pid, rustix::process::Signal::KILL);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        _ = fs::remove_dir_all(&self.folder);
    }
}

/// The shell, this test program, and the variables that tests set.
pub(crate) fn shell() -> Allowed {
    let helper = std::env::current_exe().unwrap();
    let allowed = Allowed::nothing().program("/bin/sh").unwrap().program(helper).unwrap();
    let names = ["A", "AT", "N", "X", "KEY", "TOKEN", "PASSWORD", "TEXT", "STATUS", "DELAY_MS"];
    names.into_iter().fold(allowed, |allowed, name| allowed.variable(name).unwrap())
}

/// A test program cannot supervise: its main function writes to the standard output.
pub(crate) fn options(folder: impl Into<PathBuf>, allowed: Allowed) -> Options {
    let supervisor = env!("CARGO_BIN_EXE_planloom-run-service").into();
    Options { supervisor, ..Options::new(folder, allowed) }
}

pub(crate) fn kill(pid: u32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).unwrap();
    _ = rustix::process::kill_process(pid, signal);
}

/// The living processes whose id begins with `id`.
pub(crate) fn marked(id: &str) -> Vec<u32> {
    let marker = format!("PLANLOOM_ID={id}");
    let numbers = fs::read_dir("/proc").unwrap().flatten();
    let numbers = numbers.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok());
    let is_marked = |pid: &u32| {
        let environ = environ(*pid);
        environ.split(|byte| *byte == 0).any(|it| it.starts_with(marker.as_bytes()))
    };
    numbers.filter(is_marked).filter(|it| is_alive(*it)).collect()
}

/// While a process executes another program it has no environment for a moment. Those of the kernel never
/// have one, nor a program.
fn environ(pid: u32) -> Vec<u8> {
    let read = || fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let found = read();
    let is_kernel = || fs::read_link(format!("/proc/{pid}/exe")).is_err();
    if !found.is_empty() || is_kernel() || !is_alive(pid) {
        return found;
    }
    std::thread::sleep(Duration::from_millis(1));
    read()
}

pub(crate) fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").map(|it| it.1.chars().next());
    matches!(state, Some(Some(state)) if !"ZX".contains(state))
}

pub(crate) fn known(request: &ResourceRequest, seen: &ObservedResource) -> Known {
    Known { request: request.clone(), identity: Some(seen.identity.clone()), outputs: seen.outputs.clone() }
}

pub(crate) fn unanswered(request: &ResourceRequest) -> Known {
    Known { request: request.clone(), identity: None, outputs: Map::new() }
}

pub(crate) fn pid(seen: &ObservedResource) -> u32 {
    seen.identity["pid"].as_u64().unwrap().try_into().unwrap()
}

pub(crate) fn output<'s>(seen: &'s ObservedResource, pointer: &str) -> Option<&'s Json> {
    let (first, rest) = pointer[1..].split_once('/').unwrap_or((&pointer[1..], ""));
    let value = seen.outputs.get(first)?;
    if rest.is_empty() { Some(value) } else { value.pointer(&format!("/{rest}")) }
}

pub(crate) fn ip(seen: &ObservedResource) -> String {
    output(seen, "/network_node/ip").unwrap().as_str().unwrap().to_owned()
}

pub(crate) async fn read(adapter: &ProcessAdapter, request: &ResourceRequest) -> Option<ObservedResource> {
    adapter.read(&unanswered(request)).await.unwrap()
}

/// Reads until the condition holds, for at most ten seconds.
pub(crate) async fn until(
    adapter: &ProcessAdapter,
    request: &ResourceRequest,
    is_expected: impl Fn(&ObservedResource) -> bool,
) -> ObservedResource {
    let end = Instant::now() + Duration::from_secs(10);
    loop {
        let seen = read(adapter, request).await.expect("it is known");
        if is_expected(&seen) {
            return seen;
        }
        assert!(Instant::now() < end, "it is not as expected: {seen:?}");
        sleep(Duration::from_millis(10)).await;
    }
}

/// Waits until the condition holds, for at most ten seconds.
pub(crate) async fn eventually(what: &str, holds: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(10);
    while !holds() {
        assert!(Instant::now() < end, "not so: {what}");
        sleep(Duration::from_millis(10)).await;
    }
}

pub(crate) fn pointers(problem: &Problem) -> Vec<&str> {
    problem.violations.iter().map(|it| &*it.pointer).collect()
}

/// The record of a service, for tests that simulate a crash between two of its steps.
pub(crate) fn record(bench: &Bench, request: &ResourceRequest) -> (PathBuf, Json) {
    let path = bench.state().join("services").join(&request.id.id).join("record.json");
    let record = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    (path, record)
}

pub(crate) fn rewrite(path: &Path, record: &Json) {
    fs::write(path, record.to_string()).unwrap();
}

/// A process that does not belong to the adapter.
pub(crate) struct Stranger(pub(crate) std::process::Child);

impl Stranger {
    pub(crate) fn new() -> Self {
        let mut command = Command::new("/bin/sleep");
        Self(command.arg("600").stdout(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}
