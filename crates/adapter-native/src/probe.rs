//! Checks whether a service responds.

use std::{io, net::SocketAddr, time::Duration};

use adapter::spec::Http;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// The longest time that one attempt may take.
pub const TRY: Duration = Duration::from_secs(2);

/// The time that a service has to stay alive if there is no other check that it is ready.
pub const MOMENT: Duration = Duration::from_millis(250);

/// A connection, if one is accepted in time.
pub async fn connect(to: SocketAddr) -> Option<TcpStream> {
    timeout(TRY, TcpStream::connect(to)).await.ok()?.ok()
}

/// True if a request gets the expected response; `None` if there is no HTTP response in time. The port is
/// that of `at`, because the port of the request may be forwarded.
pub async fn is_answered(at: SocketAddr, request: &Http) -> Option<bool> {
    let status = timeout(TRY, status(at, &request.path)).await.ok()?.ok()?;
    Some(request.status.map_or((200..400).contains(&status), |it| it == status))
}

/// The status of the response to a request.
async fn status(at: SocketAddr, path: &str) -> io::Result<u16> {
    let mut stream = TcpStream::connect(at).await?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut head = [0; 12];
    stream.read_exact(&mut head).await?;
    let text = str::from_utf8(&head).unwrap_or_default();
    let status = text.strip_prefix("HTTP/1.").and_then(|it| it.get(2..)?.parse().ok());
    status.ok_or_else(|| io::Error::other("the response is not HTTP"))
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    /// Answers one request with this response; returns whether it is the expected one.
    async fn check(answer: &str, status: Option<u16>) -> Option<bool> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let request = Http { port: 1, path: "/health".into(), status };
        let serve = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = [0; 12];
            stream.read_exact(&mut head).await.unwrap();
            assert_eq!(&head, b"GET /health ");
            stream.write_all(answer.as_bytes()).await.unwrap();
        };
        tokio::join!(is_answered(at, &request), serve).0
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_response_is_successful_or_has_the_expected_status() {
        assert_eq!(check("HTTP/1.1 204 No Content\r\n\r\n", None).await, Some(true));
        assert_eq!(check("HTTP/1.0 404 Not Found\r\n\r\n", None).await, Some(false));
        assert_eq!(check("HTTP/1.1 404 Not Found\r\n\r\n", Some(404)).await, Some(true));
        assert_eq!(check("SSH-2.0-OpenSSH_9\r\n", None).await, None);
    }

    #[tokio::test(flavor = "current_thread")]
    async fn where_nobody_listens_nothing_answers() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        assert!(connect(at).await.is_some());
        drop(listener);
        assert!(connect(at).await.is_none());
        let request = Http { port: at.port(), path: "/".into(), status: None };
        assert_eq!(is_answered(at, &request).await, None);
    }
}
