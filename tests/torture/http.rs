use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::serve::TOKEN;

/// A response whose body is JSON, or `null` without one.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

/// Longer than a response takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Sends a request over a connection of its own.
pub(crate) fn send(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Result<Reply> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {TOKEN}\r\n{more}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let (head, body) = text.split_once("\r\n\r\n").context("a response without an end of its head")?;
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).context("a status")?;
    let body = if body.is_empty() { Value::Null } else { serde_json::from_str(body)? };
    Ok(Reply { status, body })
}
