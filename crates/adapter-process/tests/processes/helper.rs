//! The test program as a process that the adapter starts, or as a host with an adapter that can be killed.

use std::{
    env,
    io::{Read, Write},
    net::TcpListener,
    process::{Child, Command, Stdio},
    time::Duration,
};

use adapter::{Adapter, ResourceRequest};
use serde_json::{Value as Json, json};

use crate::bench::{Bench, options, shell};

/// The command that starts this program as a server on `PLANLOOM_IP` and `PLANLOOM_PORT`, which responds with
/// `TEXT`.
pub(crate) fn server() -> Json {
    json!([env::current_exe().unwrap(), "--exact", "helper::serve", "--ignored", "--nocapture"])
}

#[test]
#[ignore = "started by other tests"]
fn serve() {
    let (Ok(ip), Ok(port)) = (env::var("PLANLOOM_IP"), env::var("PLANLOOM_PORT")) else { return };
    std::thread::sleep(Duration::from_millis(number("DELAY_MS")));
    let listener = TcpListener::bind(format!("{ip}:{port}")).unwrap();
    let text = env::var("TEXT").unwrap_or_default();
    for stream in listener.incoming() {
        let Ok(mut stream) = stream else { continue };
        let count = stream.read(&mut [0; 4096]).unwrap_or(0);
        if count > 0 {
            let status = if number("STATUS") == 0 { 200 } else { number("STATUS") };
            let head = format!("HTTP/1.1 {status} Test\r\nContent-Length: {}\r\n\r\n", text.len());
            _ = stream.write_all((head + &text).as_bytes());
        }
    }
}

fn number(name: &str) -> u64 {
    env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(0)
}

/// Another program with an adapter, which creates one service and then waits.
pub(crate) struct Host(Child);

impl Host {
    pub(crate) fn start(bench: &Bench, request: &ResourceRequest) -> Self {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "helper::host", "--ignored", "--nocapture"]);
        command
            .env("HOST_FOLDER", bench.state())
            .env("HOST_REQUEST", serde_json::to_string(request).unwrap());
        Self(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Kills it, so that it cannot clean up.
    pub(crate) fn crash(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

#[test]
#[ignore = "started by other tests"]
fn host() {
    let (Ok(folder), Ok(request)) = (env::var("HOST_FOLDER"), env::var("HOST_REQUEST")) else { return };
    let request: ResourceRequest = serde_json::from_str(&request).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    tokio::task::LocalSet::new().block_on(&runtime, async {
        let adapter = planloom_adapter_process::ProcessAdapter::open(options(folder, shell())).await.unwrap();
        _ = adapter.create(&request).await;
        tokio::time::sleep(Duration::from_secs(60)).await;
    });
}
