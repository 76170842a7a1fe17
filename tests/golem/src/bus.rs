//! A connection to the service bus of a daemon, by which services offer themselves to other daemons.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, VecDeque},
    fmt, io,
    rc::Rc,
};

use serde_json::{Value as Json, json};
use tokio::{
    io::AsyncWriteExt,
    net::{TcpStream, tcp::OwnedReadHalf, tcp::OwnedWriteHalf},
    sync::{mpsc, oneshot},
    task::JoinSet,
};

use crate::packet::{Code, Content, Empty, Hello, Packet, Reply, Request, Service};

/// A connection; its services are gone when the last copy of it is dropped.
#[derive(Clone)]
pub(crate) struct Bus {
    shared: Rc<Shared>,
    _tasks: Rc<JoinSet<()>>,
}

struct Shared {
    outgoing: mpsc::UnboundedSender<Content>,
    services: RefCell<BTreeMap<String, mpsc::UnboundedSender<Call>>>,
    /// The senders of the answers to registrations, which come in the order of the requests.
    registering: RefCell<VecDeque<oneshot::Sender<Code>>>,
    sent: Cell<u64>,
}

/// A call of a service.
#[derive(Debug)]
pub(crate) struct Call {
    /// The last part of the address: what is requested of the service.
    pub(crate) component: String,
    pub(crate) data: Vec<u8>,
    pub(crate) answer: Answer,
}

/// The address of the answer to a call.
#[derive(Debug)]
pub(crate) struct Answer {
    id: String,
    no_reply: bool,
    outgoing: mpsc::UnboundedSender<Content>,
}

/// A service that is registered until it is dropped.
pub(crate) struct Registration {
    /// The calls of the service; the stream ends when the connection is lost.
    pub(crate) calls: mpsc::UnboundedReceiver<Call>,
    pub(crate) registered: Registered,
}

/// A guard that ends the registration when it is dropped.
pub(crate) struct Registered {
    address: String,
    shared: Rc<Shared>,
}

impl Bus {
    /// Connects to the bus of a daemon at an address such as `127.0.0.1:7464`.
    pub(crate) async fn connect(address: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (reader, writer) = stream.into_split();
        let (outgoing, queue) = mpsc::unbounded_channel();
        let services = RefCell::default();
        let shared =
            Rc::new(Shared { outgoing, services, registering: RefCell::default(), sent: Cell::new(0) });
        shared.send(Content::Hello(hello()?));
        let mut tasks = JoinSet::new();
        tasks.spawn_local(write(writer, queue));
        tasks.spawn_local(read(reader, Rc::clone(&shared)));
        Ok(Self { shared, _tasks: Rc::new(tasks) })
    }

    /// Offers a service at an address; calls of everything below it arrive at the registration.
    pub(crate) async fn register(&self, address: &str) -> io::Result<Registration> {
        let (sender, calls) = mpsc::unbounded_channel();
        let (registered, answer) = oneshot::channel();
        self.shared.services.borrow_mut().insert(address.to_owned(), sender);
        self.shared.registering.borrow_mut().push_back(registered);
        self.shared.send(Content::Register(Service { address: address.to_owned() }));
        let registered = Registered { address: address.to_owned(), shared: Rc::clone(&self.shared) };
        let registration = Registration { calls, registered };
        match answer.await {
            Ok(Code { code: 0, .. }) => Ok(registration),
            Ok(refused) => Err(io::Error::other(format!("{address}: {} {}", refused.code, refused.message))),
            Err(_) => Err(io::ErrorKind::ConnectionReset.into()),
        }
    }

    /// Sends bytes to a service of any daemon, without an answer.
    pub(crate) fn push(&self, caller: &str, address: &str, data: Vec<u8>) {
        let id = self.shared.sent.get();
        self.shared.sent.set(id + 1);
        self.shared.send(Content::Request(Request {
            caller: caller.to_owned(),
            address: address.to_owned(),
            id: format!("planloom-{id}"),
            data,
            no_reply: true,
        }));
    }
}

impl Shared {
    fn send(&self, content: Content) {
        // Without a writer the connection is lost, which the reader notices.
        let _ = self.outgoing.send(content);
    }

    fn arrived(&self, content: Content) {
        match content {
            Content::Request(request) => self.called(request),
            Content::Registered(code) => {
                let waiting = self.registering.borrow_mut().pop_front();
                let _ = waiting.map(|waiting| waiting.send(code));
            }
            Content::Ping(_) => self.send(Content::Pong(Empty {})),
            Content::Hello(_)
            | Content::Register(_)
            | Content::Unregister(_)
            | Content::Unregistered(_)
            | Content::Reply(_)
            | Content::Pong(_) => {}
        }
    }

    fn called(&self, request: Request) {
        let answer = Answer { id: request.id, no_reply: request.no_reply, outgoing: self.outgoing.clone() };
        let (service, component) = request.address.rsplit_once('/').unwrap_or_default();
        let services = self.services.borrow();
        match services.get(service) {
            Some(calls) => {
                let _ = calls.send(Call { component: component.to_owned(), data: request.data, answer });
            }
            None => answer.refused("no such service"),
        }
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.shared.services.borrow_mut().remove(&self.address);
        self.shared.send(Content::Unregister(Service { address: self.address.clone() }));
    }
}

impl Answer {
    /// The whole answer, or the last part of one.
    pub(crate) fn whole(self, data: Vec<u8>) {
        self.send(0, 0, data);
    }

    /// A part of an answer that goes on.
    pub(crate) fn part(&self, data: Vec<u8>) {
        self.send(0, 1, data);
    }

    /// A success with a value.
    pub(crate) fn success(self, value: Json) {
        self.whole(encoded(&json!({ "Ok": value })));
    }

    /// The service cannot do what is requested.
    pub(crate) fn failure(self, why: &str) {
        self.send(500, 0, why.as_bytes().to_vec());
    }

    fn refused(self, why: &str) {
        self.send(400, 0, why.as_bytes().to_vec());
    }

    fn send(&self, code: i32, kind: i32, data: Vec<u8>) {
        if !self.no_reply {
            let _ = self.outgoing.send(Content::Reply(Reply { id: self.id.clone(), code, kind, data }));
        }
    }
}

/// A message of the bus as JSON; null if it is not one.
pub(crate) fn decoded(data: &[u8]) -> Json {
    flexbuffers::from_slice(data).unwrap_or_default()
}

/// JSON as a message of the bus.
pub(crate) fn encoded(value: &Json) -> Vec<u8> {
    flexbuffers::to_vec(value).unwrap_or_default()
}

fn hello() -> io::Result<Hello> {
    let mut instance = vec![0; 16];
    getrandom::fill(&mut instance).map_err(io::Error::other)?;
    Ok(Hello { name: "planloom".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned(), instance })
}

async fn write(mut stream: OwnedWriteHalf, mut queue: mpsc::UnboundedReceiver<Content>) {
    while let Some(content) = queue.recv().await {
        let mut bytes = Packet::bytes(content);
        while let Ok(content) = queue.try_recv() {
            bytes.extend(Packet::bytes(content));
        }
        if stream.write_all(&bytes).await.is_err() {
            return;
        }
    }
}

async fn read(stream: OwnedReadHalf, shared: Rc<Shared>) {
    let mut stream = tokio::io::BufReader::new(stream);
    while let Ok(content) = Packet::read(&mut stream).await {
        content.into_iter().for_each(|content| shared.arrived(content));
    }
    // Whoever waits for calls or answers gets none any more.
    shared.services.borrow_mut().clear();
    shared.registering.borrow_mut().clear();
}

impl fmt::Debug for Bus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bus").finish_non_exhaustive()
    }
}
