//! A node of a virtual private network: its TCP.

use std::{
    cell::RefCell,
    collections::VecDeque,
    future::poll_fn,
    io,
    net::Ipv4Addr,
    rc::Rc,
    task::Poll,
    time::{Duration, Instant as Clock},
};

use smoltcp::{
    iface::{Config, Interface, PollResult, SocketHandle, SocketSet},
    phy::{self, ChecksumCapabilities, DeviceCapabilities, Medium},
    socket::tcp::{Socket, SocketBuffer, State},
    time::Instant,
    wire::{EthernetAddress, IpCidr},
};
use tokio::{sync::Notify, task::JoinSet, time};

use crate::{vpn::Node, web, wire::Stream};

/// The size of a frame, with its header.
const FRAME: usize = 1514;
/// The memory of a connection in each direction.
const BUFFER: usize = 64 * 1024;
/// The number of connections that a port accepts at the same moment.
const LISTENERS: usize = 4;

/// The address and the connections of a node.
pub(crate) struct Host {
    stack: RefCell<Stack>,
    changed: Notify,
    begin: Clock,
}

struct Stack {
    interface: Interface,
    device: Device,
    sockets: SocketSet<'static>,
    /// Connections that are not used any more, but whose end is still sent.
    closing: Vec<SocketHandle>,
}

/// Frames that have arrived, and where frames are sent.
struct Device {
    received: VecDeque<Vec<u8>>,
    send: Box<dyn Fn(Vec<u8>)>,
}

impl Host {
    pub(crate) fn new(node: &Node, send: Box<dyn Fn(Vec<u8>)>) -> io::Result<Self> {
        let mut device = Device { received: VecDeque::new(), send };
        let mut config = Config::new(hardware_address(node.ip).into());
        config.random_seed = getrandom::u64().map_err(io::Error::other)?;
        let mut interface = Interface::new(config, &mut device, Instant::ZERO);
        interface.update_ip_addrs(|all| {
            // There is room for the first one.
            let _ = all.push(IpCidr::new(node.ip.into(), node.prefix));
        });
        let stack = Stack { interface, device, sockets: SocketSet::new(Vec::new()), closing: Vec::new() };
        Ok(Self { stack: RefCell::new(stack), changed: Notify::new(), begin: Clock::now() })
    }

    /// Answers on all ports of the node.
    pub(crate) fn serve(self: &Rc<Self>, node: &Node, tasks: &mut JoinSet<()>) {
        tasks.spawn_local(Rc::clone(self).drive());
        let ports = node.ports.iter().flat_map(|port| [*port; LISTENERS]);
        for port in ports {
            tasks.spawn_local(Rc::clone(self).listen(port, node.clone()));
        }
    }

    /// A frame has arrived.
    pub(crate) fn receive(&self, frame: Vec<u8>) {
        self.stack.borrow_mut().device.received.push_back(frame);
        self.changed.notify_one();
    }

    /// Moves frames and data as long as the node exists.
    async fn drive(self: Rc<Self>) {
        loop {
            let wait = self.step();
            let _ = time::timeout(wait, self.changed.notified()).await;
        }
    }

    /// Processes the packets and timers that are due, and returns the time until the next step, if nothing arrives.
    fn step(&self) -> Duration {
        let now = Instant::from_micros(i64::try_from(self.begin.elapsed().as_micros()).unwrap_or_default());
        let Stack { interface, device, sockets, closing } = &mut *self.stack.borrow_mut();
        while interface.poll(now, device, sockets) == PollResult::SocketStateChanged {}
        closing.retain(|handle| {
            let is_open = sockets.get::<Socket<'_>>(*handle).is_open();
            if !is_open {
                sockets.remove(*handle);
            }
            is_open
        });
        interface.poll_delay(now, sockets).map_or(Duration::from_secs(60), Into::into)
    }

    /// Accepts connections of a port one after another; each is served until it ends.
    async fn listen(self: Rc<Self>, port: u16, node: Node) {
        let mut connections = JoinSet::new();
        loop {
            let Some(stream) = self.accept(port).await else { return };
            while connections.try_join_next().is_some() {}
            connections.spawn_local(web::serve(stream, port, node.clone()));
        }
    }

    async fn accept(self: &Rc<Self>, port: u16) -> Option<Stream> {
        let buffer = || SocketBuffer::new(vec![0; BUFFER]);
        let mut socket = Socket::new(buffer(), buffer());
        socket.set_nagle_enabled(false);
        socket.set_timeout(Some(smoltcp::time::Duration::from_secs(60)));
        socket.listen(port).ok()?;
        let handle = self.stack.borrow_mut().sockets.add(socket);
        let stream = Stream::new(Rc::clone(self), handle);
        poll_fn(|context| {
            self.with(handle, |socket| match socket.state() {
                State::Listen | State::SynReceived => {
                    socket.register_recv_waker(context.waker());
                    socket.register_send_waker(context.waker());
                    Poll::Pending
                }
                _ => Poll::Ready(()),
            })
        })
        .await;
        Some(stream)
    }

    /// Uses a connection, and sends what it has to send afterwards.
    pub(crate) fn with<T>(&self, handle: SocketHandle, change: impl FnOnce(&mut Socket<'static>) -> T) -> T {
        let result = change(self.stack.borrow_mut().sockets.get_mut(handle));
        self.changed.notify_one();
        result
    }

    /// Closes a connection that is not used any more.
    pub(crate) fn close(&self, handle: SocketHandle) {
        self.with(handle, Socket::close);
        self.stack.borrow_mut().closing.push(handle);
    }
}

/// As the guests of golemfactory/ya-runtime-vm have it: it depends on the address only, so that no node has to
/// learn it again when the address belongs to another provider.
fn hardware_address(ip: Ipv4Addr) -> EthernetAddress {
    let [a, b, c, d] = ip.octets();
    EthernetAddress([0x90, 0x13, a, b, c, d])
}

impl phy::Device for Device {
    type RxToken<'a> = Received;
    type TxToken<'a> = Sending<'a>;

    fn receive(&mut self, _: Instant) -> Option<(Received, Sending<'_>)> {
        let frame = self.received.pop_front()?;
        Some((Received(frame), Sending(&*self.send)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Sending<'_>> {
        Some(Sending(&*self.send))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        capabilities.max_transmission_unit = FRAME;
        capabilities.checksum = ChecksumCapabilities::default();
        capabilities
    }
}

/// A frame that has arrived.
pub(crate) struct Received(Vec<u8>);

impl phy::RxToken for Received {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, read: F) -> R {
        read(&self.0)
    }
}

/// A frame that is sent.
pub(crate) struct Sending<'a>(&'a dyn Fn(Vec<u8>));

impl phy::TxToken for Sending<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, length: usize, write: F) -> R {
        let mut frame = vec![0; length];
        let result = write(&mut frame);
        (self.0)(frame);
        result
    }
}
