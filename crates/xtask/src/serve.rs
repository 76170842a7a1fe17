//! Serving the app to its developer.

use std::net::{Ipv4Addr, TcpListener};

use anyhow::{Context, Result, bail};

use crate::{
    shell::{self, target},
    site,
};

const FIRST_PORT: u16 = 8080;

/// Sets up, builds, serves and rebuilds on change until it is stopped. Each build says where the app is.
fn serve(port: u16) -> Result<()> {
    let mut trunk = site::trunk("serve")?;
    trunk
        .args(["--address", "127.0.0.1", "--port", &port.to_string()])
        .arg("--dist")
        .arg(target().join("site-dev"))
        .env("PLANLOOM_SERVED_AT", format!("http://127.0.0.1:{port}/"));
    shell::become_it(&mut trunk)
}

/// `serve [--port N]`
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let port = match arguments {
        [] => free_port()?,
        [flag, port] if flag == "--port" => port.parse().with_context(|| format!("not a port: {port}"))?,
        _ => bail!("serve takes only --port N"),
    };
    serve(port)
}

fn free_port() -> Result<u16> {
    let free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
    (FIRST_PORT..FIRST_PORT + 100).find(free).context("no free port: name one with --port")
}
