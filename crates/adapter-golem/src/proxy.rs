//! Ports of this machine that lead into virtual private networks.

use std::{io, net::Ipv4Addr, rc::Rc, time::Duration};

use futures_util::{SinkExt, StreamExt};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet, spawn_local},
    time::{sleep, timeout},
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest, http::header::AUTHORIZATION},
};

/// The number of connections through one port at a time; more wait.
const CONNECTIONS: usize = 256;

/// The maximum time that a connection may take to reach the service.
const CONNECT: Duration = Duration::from_secs(15);

/// The bytes that are sent in a message.
const CHUNK: usize = 16 << 10;

/// The target of connections: the websocket of a port in a network.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The daemon, as `host:port`.
    pub(crate) authority: String,
    pub(crate) path: String,
    /// The value of the `Authorization` header.
    pub(crate) authorization: String,
}

/// An open port. Dropping this value closes it, and its connections.
#[derive(Debug)]
pub(crate) struct OpenPort {
    pub(crate) local: u16,
    task: JoinHandle<()>,
}

impl Drop for OpenPort {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl OpenPort {
    /// Opens a port of 127.0.0.1: that one, or else a free one, `usual` if it is.
    pub(crate) async fn open(local: Option<u16>, usual: u16, target: Target) -> io::Result<Self> {
        let bind = async |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        let listener = match local {
            Some(port) => bind(port).await?,
            None => match bind(usual).await {
                Ok(listener) => listener,
                Err(_) => bind(0).await?,
            },
        };
        let local = listener.local_addr()?.port();
        Ok(Self { local, task: spawn_local(serve(listener, Rc::new(target))) })
    }
}

async fn serve(listener: TcpListener, target: Rc<Target>) {
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        if connections.len() >= CONNECTIONS {
            connections.join_next().await;
        }
        match listener.accept().await {
            // A connection that cannot be forwarded is closed.
            Ok((stream, _)) => drop(connections.spawn_local(forward(stream, target.clone()))),
            // Most likely there are no file descriptors left, which is temporary.
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

async fn forward(stream: TcpStream, target: Rc<Target>) -> Option<()> {
    let socket = timeout(CONNECT, connect(&target)).await.ok()??;
    let (mut read, mut write) = stream.into_split();
    let (mut sink, mut messages) = socket.split();
    let up = async {
        let mut buffer = vec![0; CHUNK];
        while let Ok(length @ 1..) = read.read(&mut buffer).await {
            let bytes = buffer.get(..length).unwrap_or_default().to_vec();
            if sink.send(Message::binary(bytes)).await.is_err() {
                return;
            }
        }
        // The client has sent everything; its answer may still be to come.
    };
    let down = async {
        while let Some(Ok(message)) = messages.next().await {
            match message {
                Message::Binary(bytes) if write.write_all(&bytes).await.is_ok() => {}
                Message::Text(text) if write.write_all(text.as_bytes()).await.is_ok() => {}
                Message::Ping(_) | Message::Pong(_) => {}
                _ => break,
            }
        }
        _ = write.shutdown().await;
    };
    tokio::select! {
        () = down => {}
        () = async { up.await; std::future::pending().await } => {}
    }
    Some(())
}

async fn connect(target: &Target) -> Option<WebSocketStream<TcpStream>> {
    let stream = TcpStream::connect(&target.authority).await.ok()?;
    let url = format!("ws://{}{}", target.authority, target.path);
    let mut request = url.into_client_request().ok()?;
    request.headers_mut().insert(AUTHORIZATION, target.authorization.parse().ok()?);
    Some(client_async(request, stream).await.ok()?.0)
}
