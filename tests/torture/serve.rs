use std::{
    ffi::OsString,
    fs::{self, File},
    io::Read,
    net::{Ipv4Addr, SocketAddr, TcpStream},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use crate::{etcd::free_port, place::VARIABLES, program::Program};

/// A `planloom serve` with one adapter and states.
pub(crate) struct Serve {
    program: Program,
    adapter: &'static str,
    port: u16,
    child: Option<Child>,
}

/// Whoever has it may call; a secret, too.
pub(crate) const TOKEN: &str = "Zq0123456789abcdef0123";

impl Serve {
    pub(crate) fn start(program: Program, adapter: &'static str) -> Result<Self> {
        let mut serve = Self { program, adapter, port: free_port()?, child: None };
        serve.revive()?;
        Ok(serve)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
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
        let number = fs::read_dir(&self.program.outputs)?.count();
        let output = self.program.outputs.join(format!("{number:04}.serve"));
        let mut command = Command::new(&self.program.path);
        let words = format!(
            "serve --format json --adapter {} --process-folder served --state-folder states --port {} --allow /bin/sleep",
            self.adapter, self.port
        );
        command.current_dir(&self.program.folder).args(words.split(' ').map(OsString::from)).args(VARIABLES);
        command.env_clear().envs(self.program.variables.iter().cloned()).env("PLANLOOM_TOKEN", TOKEN);
        // Its first line says the token; what it says later is kept and searched for secrets.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(output)?);
        self.child = Some(command.spawn().context("planloom serve cannot be started")?);
        let start = Instant::now();
        while TcpStream::connect(self.address()).is_err() {
            let ended = self.child.as_mut().map(Child::try_wait).transpose()?.flatten();
            if ended.is_some() || start.elapsed() > Duration::from_secs(60) {
                bail!("planloom serve does not answer ({ended:?})");
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    /// The addresses of what the adapter has of a lineage; what is gone and only remembered is left out.
    pub(crate) fn listed(&self, lineage: &str) -> Result<Vec<String>> {
        let path = format!("/adapters/{}/v1/resources?deployment={lineage}", self.adapter);
        let json = self.get(&path)?;
        let resources = json["items"].as_array().context("a list of resources")?;
        let there = resources.iter().filter(|it| it["phase"] != "terminated");
        Ok(there.filter_map(|it| it["address"].as_str()).map(Into::into).collect())
    }

    fn get(&self, path: &str) -> Result<serde_json::Value> {
        use std::io::Write;
        let mut stream = TcpStream::connect(self.address())?;
        let host = self.address();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nAdapter-Protocol: 1\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\r\n"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body).context("an answer")?;
        serde_json::from_str(body).with_context(|| answer.clone())
    }
}

impl Drop for Serve {
    fn drop(&mut self) {
        self.kill();
    }
}
