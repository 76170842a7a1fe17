use std::{io, time::Duration};

use http::{HeaderMap, Response, header};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task, time,
};

/// A fault of a response. As an extension of the response it makes the server misbehave on the socket.
///
/// The handler has done its work by then; only its response is affected. The connection is closed afterwards.
///
/// ```
/// # use planloom_host::{Fault, AnswerPosition};
/// let mut answer = http::Response::new(b"{}".to_vec());
/// answer.extensions_mut().insert(Fault::Reset(AnswerPosition::Body(1)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is ever sent, and the connection stays open.
    Silent,
    /// The response up to this position, then a reset (RST).
    Reset(AnswerPosition),
    /// The response up to this position, then an orderly end of the connection.
    Cut(AnswerPosition),
    /// The complete response, one byte at a time.
    Drip {
        /// The pause between two bytes.
        pause: Duration,
    },
    /// The complete response, and then spaces without end.
    Endless,
    /// The complete response, with this `Content-Length`, right or wrong; then an orderly end of the
    /// connection.
    Length(u64),
}

/// A position in a response, in bytes; a position after its end means its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerPosition {
    /// From the first byte of the head: at 0 nothing is sent.
    Head(usize),
    /// From the first byte of the body, after the complete head.
    Body(usize),
}

impl Fault {
    /// Sends a response with this fault; returns once the connection is to be closed.
    pub(crate) async fn play(self, mut stream: TcpStream, response: Response<Vec<u8>>) {
        // It does not matter if the client has closed the connection.
        let _gone = self.write(&mut stream, &response).await;
    }

    async fn write(self, stream: &mut TcpStream, response: &Response<Vec<u8>>) -> io::Result<()> {
        let length = match self {
            Self::Length(length) => length,
            _ => response.body().len() as u64,
        };
        let head = head(response, &format!("content-length: {length}"));
        let bytes = [&head, response.body().as_slice()].concat();
        let up_to = |spot| match spot {
            AnswerPosition::Head(at) => &bytes[..at.min(bytes.len())],
            AnswerPosition::Body(at) => &bytes[..head.len().saturating_add(at).min(bytes.len())],
        };
        match self {
            Self::Silent => until_gone(stream).await,
            Self::Reset(spot) => {
                stream.write_all(up_to(spot)).await?;
                stream.set_zero_linger()
            }
            Self::Cut(spot) => stream.write_all(up_to(spot)).await,
            Self::Drip { pause } => drip(stream, &bytes, pause).await,
            Self::Endless => endless(stream, response).await,
            Self::Length(_) => stream.write_all(&bytes).await,
        }
    }
}

async fn until_gone(stream: &mut TcpStream) -> io::Result<()> {
    while stream.read(&mut [0; 1024]).await? > 0 {}
    Ok(())
}

async fn drip(stream: &mut TcpStream, bytes: &[u8], pause: Duration) -> io::Result<()> {
    for byte in bytes.chunks(1) {
        stream.write_all(byte).await?;
        // The shortest sleep is a millisecond.
        if pause.is_zero() { task::yield_now().await } else { time::sleep(pause).await }
    }
    Ok(())
}

async fn endless(stream: &mut TcpStream, response: &Response<Vec<u8>>) -> io::Result<()> {
    stream.write_all(&head(response, "transfer-encoding: chunked")).await?;
    stream.write_all(&chunk(response.body())).await?;
    loop {
        stream.write_all(&chunk(&[b' '; 16 << 10])).await?;
    }
}

/// A chunk of the body. An empty chunk would end the body, so it is replaced by a space.
fn chunk(bytes: &[u8]) -> Vec<u8> {
    let bytes = if bytes.is_empty() { b" " } else { bytes };
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

/// The head of a response in HTTP/1.1; `framing` is the header that determines the end of the body.
fn head(response: &Response<Vec<u8>>, framing: &str) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 {}\r\n", response.status()).into_bytes();
    for (name, value) in lasting(response.headers()) {
        bytes.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    bytes.extend_from_slice(format!("{framing}\r\nconnection: close\r\n\r\n").as_bytes());
    bytes
}

/// The headers without those about this connection.
fn lasting(headers: &HeaderMap) -> impl Iterator<Item = (&header::HeaderName, &header::HeaderValue)> {
    let own = [header::CONTENT_LENGTH, header::CONNECTION, header::TRANSFER_ENCODING];
    headers.iter().filter(move |(name, _)| !own.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_an_answer() {
        let response = Response::builder().status(404).header("etag", "\"1\"").header("content-length", "99");
        let head = head(&response.body(b"{}".to_vec()).unwrap(), "content-length: 2");
        let expected =
            "HTTP/1.1 404 Not Found\r\netag: \"1\"\r\ncontent-length: 2\r\nconnection: close\r\n\r\n";
        assert_eq!(String::from_utf8(head).unwrap(), expected);
    }

    #[test]
    fn a_chunk_says_its_length_and_is_never_empty() {
        assert_eq!(chunk(b"0123456789abcdef"), b"10\r\n0123456789abcdef\r\n");
        assert_eq!(chunk(b""), b"1\r\n \r\n");
    }
}
