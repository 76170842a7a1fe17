use std::{
    ffi::OsString,
    fs::{self, File},
    io::{Read, Write},
    net::TcpStream,
    process::{Command, Stdio},
};

use anyhow::{Context, Result};

use crate::{
    environment::VARIABLES,
    program::Program,
    server::{Server, free_port},
};

/// A `planloom serve` with one adapter and states.
pub(crate) struct Serve {
    adapter: &'static str,
    pub(crate) server: Server,
}

/// Whoever has it may call; a secret, too.
pub(crate) const TOKEN: &str = "Zq0123456789abcdef0123";

impl Serve {
    pub(crate) fn start(program: Program, adapter: &'static str) -> Result<Self> {
        let port = free_port()?;
        let server = Server::start("planloom serve", port, move || command(&program, adapter, port))?;
        Ok(Self { adapter, server })
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
        let mut stream = TcpStream::connect(self.server.address())?;
        let host = self.server.address();
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

fn command(program: &Program, adapter: &str, port: u16) -> Result<Command> {
    let number = fs::read_dir(&program.outputs)?.count();
    let output = program.outputs.join(format!("{number:04}.serve"));
    let words = format!(
        "serve --format json --adapter {adapter} --process-folder served --state-folder states --port {port} --allow /bin/sleep"
    );
    let mut command = Command::new(&program.path);
    command.current_dir(&program.folder).args(words.split(' ').map(OsString::from)).args(VARIABLES);
    command.env_clear().envs(program.variables.iter().cloned()).env("PLANLOOM_TOKEN", TOKEN);
    // Its first line says the token; what it says later is kept and searched for secrets.
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(output)?);
    Ok(command)
}
