use std::{
    io::{self, Read, Write},
    net::{Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicU8, AtomicU32, Ordering},
    },
    thread,
    time::Duration,
};

use anyhow::{Context, Result};

/// A stretch of network between the program and a server, which can be bad.
///
/// It listens at the server's port on the other loopback address, because servers answer only who asks for their own
/// port, by a name of this machine.
pub(crate) struct Relay {
    address: SocketAddr,
    weather: Arc<Weather>,
}

/// The faults of connections.
#[derive(Debug, Default)]
struct Weather {
    mode: AtomicU8,
    /// One in so many replies goes wrong.
    odds: AtomicU32,
    count: AtomicU32,
}

/// The way in which replies go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// They do not.
    None = 0,
    /// The request arrives, the reply does not.
    Reply = 1,
    /// Half of the reply arrives.
    Half = 2,
    /// The request does not arrive.
    Request = 3,
    /// All arrives late.
    Slow = 4,
}

impl Relay {
    /// Before the server at that address; `None` where this machine has no second loopback address.
    pub(crate) fn before(server: SocketAddr) -> Result<Option<Self>> {
        let other = SocketAddr::from((Ipv6Addr::LOCALHOST, server.port()));
        let Ok(listener) = TcpListener::bind(other) else { return Ok(None) };
        Self::listen(listener, server).map(Some)
    }

    /// Before a server that accepts any client, at a port of its own.
    pub(crate) fn anywhere(server: SocketAddr) -> Result<Self> {
        Self::listen(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("a port")?, server)
    }

    fn listen(listener: TcpListener, server: SocketAddr) -> Result<Self> {
        let (address, weather) = (listener.local_addr()?, Arc::new(Weather::default()));
        let shared = Arc::clone(&weather);
        // It ends with the harness; a listener without visitors is nobody's burden.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let weather = Arc::clone(&shared);
                thread::spawn(move || drop(relay(client, server, &weather)));
            }
        });
        Ok(Self { address, weather })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// From now on one in so many replies is lost that way.
    pub(crate) fn lose(&self, loss: Loss, odds: u32) {
        self.weather.odds.store(odds.max(1), Ordering::SeqCst);
        self.weather.mode.store(loss as u8, Ordering::SeqCst);
    }
}

impl Weather {
    /// The loss that meets the next piece of a request or reply.
    fn next(&self) -> Loss {
        let count = self.count.fetch_add(1, Ordering::SeqCst);
        // Spread by a hash, so that it is not always the same request of a run.
        let hash = count.wrapping_mul(0x9E37_79B9) >> 8;
        if !hash.is_multiple_of(self.odds.load(Ordering::SeqCst).max(1)) {
            return Loss::None;
        }
        match self.mode.load(Ordering::SeqCst) {
            1 => Loss::Reply,
            2 => Loss::Half,
            3 => Loss::Request,
            4 => Loss::Slow,
            _ => Loss::None,
        }
    }
}

fn relay(client: TcpStream, server: SocketAddr, weather: &Arc<Weather>) -> io::Result<()> {
    let server = TcpStream::connect(server)?;
    let (from, to, shared) = (client.try_clone()?, server.try_clone()?, Arc::clone(weather));
    let requests = thread::spawn(move || pass(from, to, || shared.request()));
    pass(server, client, || weather.reply())?;
    // Its outcome is the connection's end, which is here already.
    drop(requests.join());
    Ok(())
}

/// The treatment of a piece of bytes.
enum Piece {
    Pass,
    Late,
    Half,
    Drop,
}

impl Weather {
    fn request(&self) -> Piece {
        if self.mode.load(Ordering::SeqCst) != Loss::Request as u8 {
            return Piece::Pass;
        }
        if self.next() == Loss::Request { Piece::Drop } else { Piece::Pass }
    }

    fn reply(&self) -> Piece {
        if self.mode.load(Ordering::SeqCst) == Loss::Request as u8 {
            return Piece::Pass;
        }
        match self.next() {
            Loss::Reply => Piece::Drop,
            Loss::Half => Piece::Half,
            Loss::Slow => Piece::Late,
            Loss::None | Loss::Request => Piece::Pass,
        }
    }
}

/// Passes bytes on until one side ends, or a piece is lost; then both sides end.
fn pass(mut from: TcpStream, mut to: TcpStream, what: impl Fn() -> Piece) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let length = from.read(&mut buffer).unwrap_or(0);
        let piece = buffer.get(..length).unwrap_or_default();
        let passed = match what() {
            _ if piece.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
            Piece::Pass => to.write_all(piece),
            Piece::Late => {
                thread::sleep(Duration::from_millis(300));
                to.write_all(piece)
            }
            Piece::Half => to
                .write_all(piece.get(..length / 2).unwrap_or_default())
                .and(Err(io::ErrorKind::ConnectionReset.into())),
            Piece::Drop => Err(io::ErrorKind::ConnectionReset.into()),
        };
        if let Err(error) = passed {
            drop(from.shutdown(Shutdown::Both));
            drop(to.shutdown(Shutdown::Both));
            return Err(error);
        }
    }
}
