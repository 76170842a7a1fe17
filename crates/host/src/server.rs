use std::{
    fmt, io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    rc::Rc,
    time::Duration,
};

use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    select,
    sync::watch,
    task::{self, JoinHandle, JoinSet},
    time,
};

use crate::{Guard, Handler, Limits, admission::Admission, connection::Connection, send_buffer::SendBuffer};

/// The addresses that only this machine can reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loopback {
    /// `127.0.0.1`
    #[default]
    V4,
    /// `::1`
    V6,
}

/// A port that is bound and not served yet. Connections to it wait.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Binds a port of the loopback; 0 for any free one.
    ///
    /// # Errors
    /// If the port is in use, or there is no such loopback.
    pub async fn bind(loopback: Loopback, port: u16) -> io::Result<Self> {
        let ip = match loopback {
            Loopback::V4 => IpAddr::V4(Ipv4Addr::LOCALHOST),
            Loopback::V6 => IpAddr::V6(Ipv6Addr::LOCALHOST),
        };
        Self::bind_at(ip, port).await
    }

    /// Binds a port of an address of this machine, which others may reach; 0 for any free port.
    ///
    /// # Errors
    /// If the port is in use, or this machine does not have the address.
    pub async fn bind_at(ip: IpAddr, port: u16) -> io::Result<Self> {
        let listener = listen(SocketAddr::new(ip, port))?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// The port.
    pub const fn port(&self) -> u16 {
        self.address.port()
    }

    /// The address as the origin of a page, e.g. `http://127.0.0.1:7070`.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A guard that allows requests for this machine by name, and from no other page than its own.
    ///
    /// Others call an address that they can reach by names that this machine does not know, so at such an address requests are
    /// for this server whatever name they have.
    pub fn guard(&self) -> Guard {
        let guard = Guard::new(self.port()).with_address(self.address);
        if self.address.ip().is_loopback() { guard } else { guard.with_any_host() }
    }

    /// Starts to serve. Has to be called within a `LocalSet`.
    pub fn serve(self, handler: Rc<dyn Handler>, guard: Guard, limits: Limits) -> Server {
        let (stop, stopped) = watch::channel(false);
        let origin = self.origin();
        let (admission, unsent, parts) =
            (Admission::new(limits), SendBuffer::default(), SendBuffer::default());
        let buffers = (unsent.clone(), parts.clone());
        let connection = Connection::new(handler, guard, limits, buffers, stopped);
        let task = task::spawn_local(accept(self.listener, connection, admission.clone()));
        Server { origin, port: self.address.port(), admission, unsent, parts, stop, task }
    }
}

/// The number of connections that may wait to be accepted.
const BACKLOG: u32 = 1024;
/// The size of the system's buffers for each direction of a connection, in bytes.
const SOCKET: u32 = 256 << 10;

/// Accepted connections have small buffers in the system, so that clients that do not read cannot make it
/// keep more.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // As for any server on Unix: a restart need not wait until the last connection times out.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SOCKET)?;
    socket.set_recv_buffer_size(SOCKET)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// The load of a server at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Connections that have sent a token.
    pub known: usize,
    /// Connections that have not.
    pub strangers: usize,
    /// Bytes of responses that wait for their clients, without shared bodies.
    pub unsent: usize,
    /// The maximum of `unsent` so far.
    pub most_unsent: usize,
    /// Bytes of parts of streams that wait for their clients.
    pub parts: usize,
    /// The maximum of `parts` so far.
    pub most_parts: usize,
}

/// A running server. Dropping it ends it at once.
pub struct Server {
    origin: String,
    port: u16,
    admission: Admission,
    unsent: SendBuffer,
    parts: SendBuffer,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Server {
    /// The address as the origin of a page, e.g. `http://127.0.0.1:7070`.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The port.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The current load.
    pub fn load(&self) -> Load {
        let ((known, strangers), (unsent, most_unsent)) = (self.admission.count(), self.unsent.count());
        let (parts, most_parts) = self.parts.count();
        Load { known, strangers, unsent, most_unsent, parts, most_parts }
    }

    /// Accepts no more connections and no more requests, waits at most that long for the responses that are
    /// due, then ends.
    pub async fn stop(mut self, grace: Duration) {
        self.stop.send_replace(true);
        let _in_time = time::timeout(grace, &mut self.task).await;
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("origin", &self.origin)
            .field("load", &self.load())
            .finish_non_exhaustive()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The connections end with this future.
async fn accept(listener: TcpListener, connection: Connection, admission: Admission) {
    let mut open = JoinSet::new();
    let mut stopped = connection.stopped();
    loop {
        let next = select! {
            biased;
            _ = stopped.wait_for(|it| *it) => break,
            next = next(&listener, &admission) => next,
        };
        match next {
            Ok(stream) => {
                open.spawn_local(connection.clone().serve(stream, admission.enter()));
            }
            // There may be too many open files, for example: others may close theirs.
            Err(_) => time::sleep(Duration::from_millis(50)).await,
        }
        while open.try_join_next().is_some() {}
    }
    drop(listener);
    while open.join_next().await.is_some() {}
}

async fn next(listener: &TcpListener, admission: &Admission) -> io::Result<TcpStream> {
    let (stream, _) = listener.accept().await?;
    admission.room().await;
    Ok(stream)
}
