use std::{
    io,
    net::{Ipv4Addr, SocketAddrV4},
    time::Duration,
};

use ::adapter::spec::Http;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, timeout},
};

use crate::{
    log::{Log, Reader},
    spec::Check,
};

/// How long one try may take.
const TRY: Duration = Duration::from_secs(2);

/// How long a process has to stay alive where nothing else shows that it is ready.
const MOMENT: Duration = Duration::from_millis(250);

/// Looks whether a process is ready.
#[derive(Debug)]
pub(crate) struct Probe {
    check: Check,
    ip: Ipv4Addr,
    since: Instant,
    reader: Reader,
}

impl Probe {
    /// For a process whose output begins at that place of the log.
    pub(crate) fn new(check: Check, ip: Ipv4Addr, log: &Log, from: u64) -> Self {
        Self { check, ip, since: Instant::now(), reader: log.reader(from) }
    }

    /// Whether it is ready now.
    pub(crate) async fn is_ready(&mut self) -> bool {
        match &self.check {
            Check::Alive => self.since.elapsed() >= MOMENT,
            Check::Port(port) => is_open(self.ip, *port).await,
            Check::Http(Http { port, path, status }) => {
                let told = timeout(TRY, ask(self.ip, *port, path)).await;
                matches!(told, Ok(Ok(told)) if status.map_or((200..400).contains(&told), |it| it == told))
            }
            Check::Log(text) => self.reader.finds(text),
        }
    }

    /// What is waited for, for people.
    pub(crate) fn what(&self) -> String {
        let ip = self.ip;
        match &self.check {
            Check::Alive => "it stays alive".into(),
            Check::Port(port) => format!("{ip}:{port} takes connections"),
            Check::Http(Http { port, path, status: None }) => format!("http://{ip}:{port}{path} answers"),
            Check::Http(Http { port, path, status: Some(it) }) => {
                format!("http://{ip}:{port}{path} answers {it}")
            }
            Check::Log(text) => format!("`{text}` stands in its log"),
        }
    }
}

pub(crate) async fn is_open(ip: Ipv4Addr, port: u16) -> bool {
    matches!(timeout(TRY, TcpStream::connect(SocketAddrV4::new(ip, port))).await, Ok(Ok(_)))
}

/// The status that a request is answered with.
async fn ask(ip: Ipv4Addr, port: u16, path: &str) -> io::Result<u16> {
    let mut stream = TcpStream::connect(SocketAddrV4::new(ip, port)).await?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {ip}:{port}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut head = [0; 12];
    stream.read_exact(&mut head).await?;
    let text = str::from_utf8(&head).unwrap_or_default();
    let status = text.strip_prefix("HTTP/1.").and_then(|it| it.get(2..)?.parse().ok());
    status.ok_or_else(|| io::Error::other("that is no HTTP"))
}
