use std::{
    ffi::OsString,
    fs::{self, File},
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context, Result};

use crate::{
    environment::VARIABLES,
    http::send,
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

    /// The ids of what the adapter has of a lineage; what is gone and only remembered is left out.
    pub(crate) fn listed(&self, lineage: &str) -> Result<Vec<String>> {
        let path = format!("/adapters/{}/v1/resources?deployment={lineage}", self.adapter);
        let reply = send(self.server.address(), "GET", &path, &[("adapter-protocol", "1")], "")?;
        let resources = reply.body["items"].as_array().context("a list of resources")?;
        let there = resources.iter().filter(|it| it["phase"] != "terminated");
        Ok(there.filter_map(|it| it["id"].as_str()).map(Into::into).collect())
    }
}

/// A `planloom serve` of the files of a folder, with a page that is empty.
pub(crate) fn serve_files(program: &Path, home: &Path, folder: &'static str) -> Result<Server> {
    let (program, home, port) = (program.to_owned(), home.to_owned(), free_port()?);
    Server::start("planloom serve", port, move || {
        let mut command = Command::new(&program);
        command.current_dir(&home).args(["serve", folder, "--app", "page", "--adapter", "simulator"]);
        command.args(["--state-folder", "states", "--port", &port.to_string()]);
        command.env("PLANLOOM_TOKEN", TOKEN).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(command)
    })
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
