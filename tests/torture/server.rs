use std::{
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

/// A program that listens on a loopback port, and ends with this.
pub(crate) struct Server {
    name: &'static str,
    port: u16,
    command: Box<dyn Fn() -> Result<Command>>,
    child: Option<Child>,
}

/// The longest time that a server may take until it listens, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

impl Server {
    /// Starts it. The command is made again at each start, with the same port in it.
    pub(crate) fn start(
        name: &'static str,
        port: u16,
        command: impl Fn() -> Result<Command> + 'static,
    ) -> Result<Self> {
        let mut server = Self { name, port, command: Box::new(command), child: None };
        server.revive()?;
        Ok(server)
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
        let child = (self.command)()?.spawn();
        let child = self.child.insert(child.with_context(|| format!("{} cannot be started", self.name))?);
        let (address, start) = (SocketAddr::from((Ipv4Addr::LOCALHOST, self.port)), Instant::now());
        while !answers(address) {
            let ended = child.try_wait()?;
            if ended.is_some() || start.elapsed() > PATIENCE {
                bail!("{} does not answer ({ended:?})", self.name);
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }
}

/// True if it answers at all: a port is open before its server is ready, which may still fail.
fn answers(address: SocketAddr) -> bool {
    let ask = || {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
        stream.read(&mut [0])
    };
    ask().is_ok_and(|it: usize| it > 0)
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A port that was free a moment ago, below those that the system assigns to programs that ask for any: no other program
/// gets it while its server restarts.
pub(crate) fn free_port() -> Result<u16> {
    let is_free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
    std::iter::repeat_with(|| fastrand::u16(16_000..32_000))
        .take(1000)
        .find(is_free)
        .context("no port is free")
}
