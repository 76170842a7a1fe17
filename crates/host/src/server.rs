use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use tokio::{
    net::{TcpListener, TcpStream},
    select,
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::{self, JoinHandle, JoinSet},
    time,
};

use crate::{Guard, Handler, Limits, connection::Connection};

/// The addresses that only this machine reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loopback {
    /// `127.0.0.1`
    #[default]
    V4,
    /// `::1`
    V6,
}

/// A port that is taken, and not yet served. Who connects already waits.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Takes a port of the loopback; 0 for any that is free.
    ///
    /// # Errors
    /// Where the port is taken, or there is no such loopback.
    pub async fn bind(loopback: Loopback, port: u16) -> io::Result<Self> {
        let ip = match loopback {
            Loopback::V4 => IpAddr::V4(Ipv4Addr::LOCALHOST),
            Loopback::V6 => IpAddr::V6(Ipv6Addr::LOCALHOST),
        };
        let listener = TcpListener::bind(SocketAddr::new(ip, port)).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// Its port.
    pub const fn port(&self) -> u16 {
        self.address.port()
    }

    /// Its address as a page's origin, e.g. `http://127.0.0.1:7070`.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Lets in who asks for this machine by name, from no other page than its own.
    pub fn guard(&self) -> Guard {
        Guard::new(self.port())
    }

    /// Begins to answer. Has to be called within a `LocalSet`.
    pub fn serve(self, handler: Rc<dyn Handler>, guard: Guard, limits: Limits) -> Server {
        let (stop, stopped) = watch::channel(false);
        let origin = self.origin();
        let connection = Connection::new(handler, guard, limits, stopped);
        let task = task::spawn_local(accept(self.listener, connection, limits.connections));
        Server { origin, port: self.address.port(), stop, task }
    }
}

/// A server at work. Dropping it ends it at once.
#[derive(Debug)]
pub struct Server {
    origin: String,
    port: u16,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Server {
    /// Its address as a page's origin, e.g. `http://127.0.0.1:7070`.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Its port.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Takes no more connections and no more requests, waits so long for the answers that are due, then ends.
    pub async fn stop(mut self, grace: Duration) {
        self.stop.send_replace(true);
        let _in_time = time::timeout(grace, &mut self.task).await;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The connections end with this future.
async fn accept(listener: TcpListener, connection: Connection, most: usize) {
    let places = Arc::new(Semaphore::new(most));
    let mut open = JoinSet::new();
    let mut stopped = connection.stopped();
    loop {
        let next = select! {
            biased;
            _ = stopped.wait_for(|it| *it) => break,
            next = next(&listener, &places) => next,
        };
        match next {
            Ok((stream, place)) => {
                open.spawn_local(connection.clone().serve(stream, place));
            }
            // Too many open files, say: others may close theirs.
            Err(_) => time::sleep(Duration::from_millis(50)).await,
        }
        while open.try_join_next().is_some() {}
    }
    drop(listener);
    while open.join_next().await.is_some() {}
}

async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
    let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    Ok((stream, place))
}
