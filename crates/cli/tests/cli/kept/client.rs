//! A client of an API over one connection that stays open.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::Value as Json;

use crate::serve::TOKEN;

/// The longest that a response takes, also where much else is going on.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    port: u16,
}

impl Client {
    pub(crate) fn connect(port: u16) -> io::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { stream: BufReader::new(stream), port })
    }

    /// Sends a request, and returns status and body of the response.
    ///
    /// # Errors
    /// If there is no whole response: the server may have executed it or not.
    pub(crate) fn send(&mut self, method: &str, path: &str, body: Option<&Json>) -> io::Result<(u16, Json)> {
        let body = body.map(Json::to_string).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {TOKEN}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let status = self.line()?.split(' ').nth(1).and_then(|it| it.parse().ok());
        let mut length = 0;
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        let body = serde_json::from_slice(&body).map_err(io::Error::other)?;
        Ok((status.ok_or_else(|| io::Error::other("there is no status"))?, body))
    }

    /// Begins a watch: nothing else can be sent over this connection.
    pub(crate) fn begin_watch(&mut self, path: &str) {
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: 0\r\n\r\n",
            self.port
        );
        self.stream.get_mut().write_all(request.as_bytes()).expect("it is open");
        assert!(self.line().expect("a response").contains(" 200 "), "the watch begins");
    }

    /// Reads until the body of a watch ends as it should.
    pub(crate) fn wait_for_the_end(&mut self) {
        while !self.line().expect("the watch ends").eq("0") {}
    }

    /// A line without its end. A connection that ended is an error.
    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.stream.read_line(&mut line)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(line.trim_end().to_owned()),
        }
    }

    /// The body of a response that has to succeed.
    #[track_caller]
    pub(crate) fn must(&mut self, method: &str, path: &str, body: Option<&Json>) -> Json {
        let (status, body) = self.send(method, path, body).expect("a response");
        assert_eq!(status, 200, "{method} {path}: {body}");
        body
    }

    /// All resources of a collection, page by page.
    pub(crate) fn all(&mut self, path: &str, field: &str) -> Vec<Json> {
        let (mut all, mut token) = (Vec::new(), String::new());
        loop {
            let page = self.must("GET", &format!("{path}?pageSize=1000&pageToken={token}"), None);
            all.extend(page[field].as_array().into_iter().flatten().cloned());
            match page["nextPageToken"].as_str() {
                Some(next) if !next.is_empty() => token = next.to_owned(),
                _ => return all,
            }
        }
    }
}
