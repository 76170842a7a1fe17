//! A server of services, run as a process.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value as Json;

use crate::{run::Folder, serve::TOKEN};

/// Longer than servers wait before they try again to reach each other, on any machine.
const SOON: Duration = Duration::from_secs(40);

/// A server, ended with the value.
pub(crate) struct Server<'f> {
    folder: &'f Folder,
    words: String,
    pub(crate) port: u16,
    child: Child,
    /// True if it is started only once it serves.
    is_awaited: bool,
}

impl<'f> Server<'f> {
    pub(crate) fn start(folder: &'f Folder, words: String, port: u16) -> Self {
        let child = spawn(folder, &words, true);
        Self { folder, words, port, child, is_awaited: true }
    }

    /// The same, without waiting until it serves.
    pub(crate) fn begin(folder: &'f Folder, words: String, port: u16) -> Self {
        let child = spawn(folder, &words, false);
        Self { folder, words, port, child, is_awaited: false }
    }

    /// Ends it as a loss of power does.
    pub(crate) fn kill(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }

    pub(crate) fn restart(&mut self) {
        self.child = spawn(self.folder, &self.words, self.is_awaited);
    }

    /// Status and body of the response; 0 without one.
    pub(crate) fn send(&self, request: &str, body: &Json) -> (u16, Json) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else { return (0, Json::Null) };
        let (port, length) = (self.port, body.len());
        let sent = write!(
            stream,
            "{request} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        let mut text = String::new();
        if sent.and_then(|()| stream.read_to_string(&mut text)).is_err() {
            return (0, Json::Null);
        }
        let status = text.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or_default();
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status, serde_json::from_str(body).unwrap_or_default())
    }

    #[track_caller]
    pub(crate) fn expect(&self, request: &str, body: &Json, status: u16) -> Json {
        let (found, body) = self.send(request, body);
        assert_eq!(found, status, "{request}: {body}");
        body
    }

    /// The body, once the status is that one.
    #[track_caller]
    pub(crate) fn expect_soon(&self, request: &str, body: &Json, status: u16) -> Json {
        self.expect_until(request, body, |found, _| found == status)
    }

    /// The body, once the response is as it should be.
    #[track_caller]
    pub(crate) fn expect_until(
        &self,
        request: &str,
        body: &Json,
        is_expected: impl Fn(u16, &Json) -> bool,
    ) -> Json {
        let begun = Instant::now();
        loop {
            let (status, found) = self.send(request, body);
            if is_expected(status, &found) {
                return found;
            }
            assert!(begun.elapsed() < SOON, "{request}: {status} {found}");
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        self.kill();
    }
}

fn spawn(folder: &Folder, words: &str, is_awaited: bool) -> Child {
    let mut command = folder.command(words);
    let mut child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("planloom");
    if !is_awaited {
        return child;
    }
    let mut line = String::new();
    let out = child.stdout.take().expect("its output");
    BufReader::new(out).read_line(&mut line).expect("a line");
    assert!(line.starts_with('{'), "{words}: {line}");
    child
}

pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    listener.local_addr().expect("its address").port()
}
