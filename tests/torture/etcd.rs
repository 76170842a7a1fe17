use std::{
    env,
    fs::File,
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

/// A real etcd of one member.
pub(crate) struct Etcd {
    program: PathBuf,
    folder: PathBuf,
    client: u16,
    peer: u16,
    child: Option<Child>,
}

/// Where etcd is, if it is installed.
pub(crate) fn find() -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|it| it.join("etcd")).find(|it| it.is_file())
}

impl Etcd {
    pub(crate) fn start(program: PathBuf, folder: PathBuf) -> Result<Self> {
        let [client, peer] = [free_port()?, free_port()?];
        let mut etcd = Self { program, folder, client, peer, child: None };
        etcd.revive()?;
        Ok(etcd)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.client).into()
    }

    /// Kills it and starts it again with what it had.
    pub(crate) fn restart(&mut self) -> Result<()> {
        self.kill();
        self.revive()
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            drop(child.kill());
            drop(child.wait());
        }
    }

    fn revive(&mut self) -> Result<()> {
        let url = |port: u16| format!("http://127.0.0.1:{port}");
        let log = File::options().create(true).append(true).open(self.folder.with_extension("log"))?;
        let mut command = Command::new(&self.program);
        command.arg("--data-dir").arg(&self.folder);
        command.args([
            "--listen-client-urls",
            &url(self.client),
            "--advertise-client-urls",
            &url(self.client),
        ]);
        command.args([
            "--listen-peer-urls",
            &url(self.peer),
            "--initial-advertise-peer-urls",
            &url(self.peer),
        ]);
        command.args(["--initial-cluster", &format!("default={}", url(self.peer)), "--logger", "zap"]);
        let child = command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn();
        self.child = Some(child.context("etcd cannot be started")?);
        let start = Instant::now();
        while TcpStream::connect(self.address()).is_err() {
            if start.elapsed() > Duration::from_secs(60) {
                bail!("etcd does not answer");
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

impl Drop for Etcd {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
