use std::{
    fs::File,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::Result;

use crate::{
    program::find_program,
    server::{Server, free_port},
};

/// The path of etcd, if it is installed.
pub(crate) fn find() -> Option<PathBuf> {
    find_program("etcd")
}

/// Starts a real etcd of one member, which keeps its data in the folder.
pub(crate) fn start(program: PathBuf, folder: PathBuf) -> Result<Server> {
    let client = free_port()?;
    let mut peer = free_port()?;
    while peer == client {
        peer = free_port()?;
    }
    Server::start("etcd", client, move || command(&program, &folder, client, peer))
}

fn command(program: &Path, folder: &Path, client: u16, peer: u16) -> Result<Command> {
    let [client, peer] = [client, peer].map(|port| format!("http://127.0.0.1:{port}"));
    let log = File::options().create(true).append(true).open(folder.with_extension("log"))?;
    let mut command = Command::new(program);
    command.arg("--data-dir").arg(folder);
    command.args(["--listen-client-urls", &client, "--advertise-client-urls", &client]);
    command.args(["--listen-peer-urls", &peer, "--initial-advertise-peer-urls", &peer]);
    command.args(["--initial-cluster", &format!("default={peer}"), "--logger", "zap"]);
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    Ok(command)
}
