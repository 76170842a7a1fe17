use std::{
    io,
    net::{Ipv4Addr, SocketAddrV4},
    time::Duration,
};

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet, spawn_local},
    time::sleep,
};

/// The number of connections through one port at a time; more wait.
const CONNECTIONS: usize = 1024;

/// The time until a port that is in use is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// A port of the machine's own address whose connections are forwarded to a service. Dropping this value
/// closes it.
#[derive(Debug)]
pub(crate) struct Forward(JoinHandle<()>);

impl Drop for Forward {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Binds a port of 127.0.0.1; a free one if none is given.
pub(crate) async fn bind(local: Option<u16>) -> io::Result<TcpListener> {
    TcpListener::bind(SocketAddrV4::new(Ipv4Addr::LOCALHOST, local.unwrap_or(0))).await
}

impl Forward {
    /// Closes the port, and returns once it is free.
    pub(crate) async fn close(mut self) {
        self.0.abort();
        // The task was aborted, so its result has no information.
        _ = (&mut self.0).await;
    }

    pub(crate) fn new(listener: TcpListener, to: SocketAddrV4) -> Self {
        Self(spawn_local(serve(listener, to)))
    }

    /// The same as soon as the port can be bound.
    pub(crate) fn once_free(local: u16, to: SocketAddrV4) -> Self {
        let task = spawn_local(async move {
            loop {
                match bind(Some(local)).await {
                    Ok(listener) => return serve(listener, to).await,
                    Err(_) => sleep(AGAIN).await,
                }
            }
        });
        Self(task)
    }
}

async fn serve(listener: TcpListener, to: SocketAddrV4) {
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        if connections.len() >= CONNECTIONS {
            connections.join_next().await;
        }
        match listener.accept().await {
            Ok((stream, _)) => _ = connections.spawn_local(pass_on(stream, to)),
            // Most likely there are no file descriptors left, which is temporary.
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

async fn pass_on(mut stream: TcpStream, to: SocketAddrV4) {
    // If the service cannot be reached or the connection breaks, the client's connection is closed.
    if let Ok(mut service) = TcpStream::connect(to).await {
        _ = copy_bidirectional(&mut stream, &mut service).await;
    }
}
