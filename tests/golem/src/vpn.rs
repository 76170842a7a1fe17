//! The virtual private networks that activities of the providers are in.
//!
//! The providers share a daemon, so a network has one service on its bus, which gives each frame to all nodes of it.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    io,
    net::Ipv4Addr,
    rc::{Rc, Weak},
};

use tokio::{sync::mpsc, task::JoinSet};

use crate::{
    bus::{Bus, Call, Registered, Registration, encoded},
    host::Host,
};

/// All networks.
pub(crate) struct Vpn {
    bus: Bus,
    caller: String,
    networks: RefCell<BTreeMap<String, Weak<Segment>>>,
}

/// The properties of a node of a network.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) ip: Ipv4Addr,
    pub(crate) prefix: u8,
    pub(crate) provider: String,
    pub(crate) activity: String,
    /// The ports that answer HTTP.
    pub(crate) ports: Vec<u16>,
}

/// One network, as long as nodes are in it.
struct Segment {
    hosts: RefCell<Vec<Weak<Host>>>,
    tasks: RefCell<JoinSet<()>>,
    /// Ends with the segment and not with its task, which is later: the next one may have the same address.
    registered: RefCell<Option<Registered>>,
}

/// A node that is in a network until this is dropped.
pub(crate) struct Member {
    _host: Rc<Host>,
    _segment: Rc<Segment>,
    _tasks: JoinSet<()>,
}

impl Vpn {
    /// Networks by the bus of a daemon, which is called by one of its identities.
    pub(crate) async fn connect(bus: &str, caller: &str) -> io::Result<Self> {
        let networks = RefCell::default();
        Ok(Self { bus: Bus::connect(bus).await?, caller: caller.to_owned(), networks })
    }

    /// Lets a node join the network of a requestor.
    pub(crate) async fn join(&self, network: &str, requestor: &str, node: Node) -> io::Result<Member> {
        let segment = self.segment(network).await?;
        let (bus, caller) = (self.bus.clone(), self.caller.clone());
        let address = format!("/udp/net/{requestor}/vpn/{network}/raw");
        let send = Box::new(move |frame| bus.push(&caller, &address, frame));
        let host = Rc::new(Host::new(&node, send)?);
        let mut tasks = JoinSet::new();
        host.serve(&node, &mut tasks);
        segment.hosts.borrow_mut().push(Rc::downgrade(&host));
        Ok(Member { _host: host, _segment: segment, _tasks: tasks })
    }

    async fn segment(&self, network: &str) -> io::Result<Rc<Segment>> {
        let known = self.networks.borrow().get(network).and_then(Weak::upgrade);
        if let Some(segment) = known {
            return Ok(segment);
        }
        let segment = Rc::new(Segment {
            hosts: RefCell::default(),
            tasks: RefCell::default(),
            registered: RefCell::default(),
        });
        // First it is known, so that a node that joins meanwhile does not register it, too.
        self.networks.borrow_mut().insert(network.to_owned(), Rc::downgrade(&segment));
        let registration = self.bus.register(&format!("/public/vpn/{network}")).await?;
        let Registration { calls, registered } = registration;
        segment.tasks.borrow_mut().spawn_local(forward(calls, Rc::downgrade(&segment)));
        segment.registered.replace(Some(registered));
        Ok(segment)
    }
}

/// Gives the frames that arrive to the nodes.
async fn forward(mut calls: mpsc::UnboundedReceiver<Call>, segment: Weak<Segment>) {
    while let Some(call) = calls.recv().await {
        let Some(segment) = segment.upgrade() else { return };
        if call.component == "raw" {
            segment.hosts.borrow_mut().retain(|host| host.strong_count() > 0);
            for host in segment.hosts.borrow().iter().filter_map(Weak::upgrade) {
                host.receive(call.data.clone());
            }
            call.answer.whole(Vec::new());
        } else {
            // Which other nodes there are; those here only answer.
            call.answer.whole(encoded(&serde_json::json!({ "Ok": null })));
        }
    }
}
