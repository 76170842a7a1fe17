use std::{
    fs::File,
    net::TcpListener,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use super::place::Folder;

/// An etcd cluster for this test, on loopback ports that were free; it ends with the test.
pub(crate) struct Cluster {
    folder: Folder,
    program: PathBuf,
    ports: Vec<(u16, u16)>,
    members: Vec<Option<Child>>,
}

/// The path of etcd, if it is installed; otherwise a message is printed.
#[expect(clippy::print_stdout, reason = "what is skipped is seen")]
pub(crate) fn etcd() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|it| it.join("etcd")).find(|it| it.is_file());
    if found.is_none() {
        println!("skipped: etcd is not installed (Debian: etcd-server; or cargo xtask setup)");
    }
    found
}

impl Cluster {
    pub(crate) fn start(program: PathBuf, size: usize) -> Self {
        let taken: Vec<TcpListener> =
            (0..2 * size).map(|_| TcpListener::bind("127.0.0.1:0").expect("there is a port")).collect();
        let ports: Vec<u16> = taken.iter().map(|it| it.local_addr().expect("it is bound").port()).collect();
        let ports = ports.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        drop(taken);
        let members = (0..size).map(|_| None).collect();
        let mut cluster = Self { folder: Folder::new("etcd"), program, ports, members };
        (0..size).for_each(|member| cluster.revive(member));
        cluster
    }

    /// The addresses of its members.
    pub(crate) fn endpoints(&self) -> Vec<String> {
        self.ports.iter().map(|(client, _)| format!("http://127.0.0.1:{client}")).collect()
    }

    /// Kills the process of a member.
    pub(crate) fn kill(&mut self, member: usize) {
        if let Some(mut child) = self.members[member].take() {
            child.kill().expect("it is ours");
            child.wait().expect("it is ours");
        }
    }

    /// Starts a member that is not running, with its data.
    pub(crate) fn revive(&mut self, member: usize) {
        let name = |member: usize| format!("m{member}");
        let address = |port: u16| format!("http://127.0.0.1:{port}");
        let (client, peer) = self.ports[member];
        let all =
            self.ports.iter().enumerate().map(|(it, (_, peer))| format!("{}={}", name(it), address(*peer)));
        let log = File::create(self.folder.file(&format!("{member}.log"))).expect("it can be made");
        let child = Command::new(&self.program)
            .args(["--name", &name(member)])
            .arg("--data-dir")
            .arg(self.folder.file(&name(member)))
            .args(["--listen-client-urls", &address(client), "--advertise-client-urls", &address(client)])
            .args(["--listen-peer-urls", &address(peer), "--initial-advertise-peer-urls", &address(peer)])
            .args(["--initial-cluster", &all.collect::<Vec<_>>().join(",")])
            .args([
                "--initial-cluster-state",
                "new",
                "--initial-cluster-token",
                &self.folder.0.to_string_lossy(),
            ])
            // Elections are fast, so that there is soon a leader again.
            .args(["--heartbeat-interval", "100", "--election-timeout", "1000", "--logger", "zap"])
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("it is open"))
            .stderr(log)
            .spawn()
            .expect("it starts");
        self.members[member] = Some(child);
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        (0..self.members.len()).for_each(|member| self.kill(member));
    }
}
