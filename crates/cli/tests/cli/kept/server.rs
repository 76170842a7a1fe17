//! The server of a small service over a store, and an etcd for it.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    net::TcpListener,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use serde_json::Value as Json;

use super::client::Client;
use crate::{
    run::{Folder, RunOutput},
    serve::TOKEN,
};

const LIBRARY: &str = "name: library.example.com
proto: {package: {name: example.library, currentVersion: v1}}
resources:
- name: Publisher
- name: Book
  fields:
  - {path: title, type: string, required: true}
  - {path: publisher, type: reference, resource: Publisher, targetDeleteBehavior: CASCADE_DELETE}
- name: Chapter
  parents: [Book]
";

/// A folder with the specification of the service.
pub(crate) fn library() -> Folder {
    Folder::new(&[("library.yaml", LIBRARY)]).variable("PLANLOOM_TOKEN", TOKEN)
}

/// A server that does not start.
pub(crate) fn refused(folder: &Folder, store: &str) -> RunOutput {
    folder.run(&format!("serve --service library.yaml --store {store}"))
}

/// A server, killed with the value.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
    pub(crate) said: Json,
}

impl Server {
    pub(crate) fn start(folder: &Folder, words: &str) -> Self {
        let mut command = folder.command(&format!("serve --service library.yaml --format json {words}"));
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("planloom");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let said: Json = serde_json::from_str(&line).unwrap_or_else(|_| panic!("it starts: {line}"));
        let port = said["origin"].as_str().and_then(|it| it.rsplit(':').next()?.parse().ok());
        Self { child, port: port.expect("a port"), said }
    }

    pub(crate) fn client(&self) -> Client {
        Client::connect(self.port).expect("it listens")
    }

    /// Sends it SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it is ours");
        self.child.wait().expect("it is ours");
    }

    /// Sends it SIGINT, as Ctrl-C does, and waits for its end. Returns whether it ended well.
    pub(crate) fn interrupt(&mut self) -> bool {
        let sent = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(sent.expect("there is a `kill`").success());
        self.child.wait().expect("it is ours").success()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// An etcd on free ports of the loopback interface, killed with the value.
pub(crate) struct Etcd {
    child: Child,
    client: u16,
    _folder: Folder,
}

impl Etcd {
    /// `None`, visibly, if it is not installed.
    #[expect(clippy::print_stdout, reason = "what is skipped is seen")]
    pub(crate) fn start() -> Option<Self> {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let program: Option<PathBuf> =
            std::env::split_paths(&folders).map(|it| it.join("etcd")).find(|it| it.is_file());
        let Some(program) = program else {
            println!("skipped: etcd is not installed (Debian: etcd-server; or cargo xtask setup)");
            return None;
        };
        let folder = Folder::new(&[]);
        let [client, peer] = free_ports();
        let [to_client, to_peer] = [client, peer].map(|port| format!("http://127.0.0.1:{port}"));
        let log = File::create(folder.path("etcd.log")).expect("a file");
        let child = Command::new(program)
            .arg("--data-dir")
            .arg(folder.path("data"))
            .args(["--listen-client-urls", &to_client, "--advertise-client-urls", &to_client])
            .args(["--listen-peer-urls", &to_peer, "--initial-advertise-peer-urls", &to_peer])
            .args(["--initial-cluster", &format!("default={to_peer}"), "--logger", "zap"])
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("it is open"))
            .stderr(log)
            .spawn()
            .expect("it starts");
        Some(Self { child, client, _folder: folder })
    }

    pub(crate) fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(sent.expect("there is a `kill`").success());
    }

    pub(crate) fn place(&self, prefix: &str) -> String {
        format!("etcd://127.0.0.1:{}/{prefix}", self.client)
    }
}

impl Drop for Etcd {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn free_ports() -> [u16; 2] {
    let taken = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("there is a port"));
    taken.map(|it| it.local_addr().expect("it is bound").port())
}
