use std::{
    collections::BTreeMap,
    fs::{File, canonicalize},
    io,
    path::{Path, PathBuf},
};

use ::adapter_native::files;
use protocol::{Code, Problem};
use rust_decimal::Decimal;
use serde::Serialize;

use crate::{
    OpenError,
    agent_process::{Daemon, OpenPorts},
    bill::{Bill, Payments},
    cost::Unpaid,
    rental::{NetworkRecord, Rental},
};

/// The adapter's own folder. Only its owner may read it.
///
/// ```text
/// lock                      held while an adapter uses the folder
/// networks/<id>.json        written by the adapter
/// services/<id>.json        written by the adapter
/// bills/<agreement>.json    written by the adapter: the terms of each agreement
/// providers.json            written by the adapter: failures
/// daemon.json               written by the adapter: what the agent has to work for
/// spent.json                written by the adapter: what deployments cost before their allocation was released
/// unpaid.json               written by the adapter: agreements without an invoice
/// payments/<agreement>.json written by the agent: what was accepted
/// ports/<id>.json           written by the agent: ports that are open
/// agent.lock, agent.log     the agent's
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    root: PathBuf,
}

/// Failures of providers, by their identity: how many, and when the last one was, in milliseconds since 1970.
pub(crate) type Failures = BTreeMap<String, (u32, u64)>;

impl Folder {
    /// Opens the folder and takes its lock.
    pub(crate) fn open(root: &Path) -> Result<(Self, File), OpenError> {
        let failed = |error| OpenError::Folder(root.to_owned(), error);
        for name in ["networks", "services", "bills", "payments", "ports"] {
            files::make_folder(&root.join(name)).map_err(failed)?;
        }
        let lock = files::wait_for_lock(&root.join("lock")).map_err(failed)?;
        let lock = lock.ok_or_else(|| OpenError::InUse(root.to_owned()))?;
        Ok((Self { root: canonicalize(root).map_err(failed)? }, lock))
    }

    /// The folder without its lock.
    pub(crate) fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The daemon that the agent has to work for.
    pub(crate) fn daemon(&self) -> Option<Daemon> {
        files::read(&self.root.join("daemon.json"))
    }

    pub(crate) fn put_daemon(&self, daemon: &Daemon) -> io::Result<()> {
        files::write(&self.root.join("daemon.json"), daemon)
    }

    fn file(&self, of: &str, id: &str) -> PathBuf {
        self.root.join(of).join(format!("{id}.json"))
    }

    pub(crate) fn rental(&self, id: &str) -> Option<Rental> {
        files::read(&self.file("services", id))
    }

    pub(crate) fn rentals(&self) -> Vec<Rental> {
        files::read_all(&self.root.join("services"))
    }

    pub(crate) fn put_rental(&self, rental: &Rental) -> Result<(), Problem> {
        written(files::write(&self.file("services", &rental.request.id.id), rental))
    }

    pub(crate) fn remove_rental(&self, id: &str) -> Result<(), Problem> {
        written(files::remove(&self.file("services", id)))
    }

    pub(crate) fn network(&self, id: &str) -> Option<NetworkRecord> {
        files::read(&self.file("networks", id))
    }

    pub(crate) fn networks(&self) -> Vec<NetworkRecord> {
        files::read_all(&self.root.join("networks"))
    }

    pub(crate) fn put_network(&self, network: &NetworkRecord) -> Result<(), Problem> {
        written(files::write(&self.file("networks", &network.request.id), network))
    }

    pub(crate) fn remove_network(&self, id: &str) -> Result<(), Problem> {
        written(files::remove(&self.file("networks", id)))
    }

    pub(crate) fn bill(&self, agreement: &str) -> Option<Bill> {
        files::read(&self.file("bills", agreement))
    }

    pub(crate) fn bills(&self) -> Vec<Bill> {
        files::read_all(&self.root.join("bills"))
    }

    /// The bills that something is still to be paid of.
    pub(crate) fn unsettled(&self) -> impl Iterator<Item = Bill> {
        self.bills().into_iter().filter(|it| !self.payments(&it.agreement).is_settled())
    }

    pub(crate) fn put_bill(&self, bill: &Bill) -> Result<(), Problem> {
        written(files::write(&self.file("bills", &bill.agreement), bill))
    }

    /// Removes a bill and its payments.
    pub(crate) fn remove_bill(&self, agreement: &str) -> Result<(), Problem> {
        written(files::remove(&self.file("bills", agreement)))?;
        written(files::remove(&self.file("payments", agreement)))
    }

    pub(crate) fn payments(&self, agreement: &str) -> Payments {
        files::read(&self.file("payments", agreement)).unwrap_or_default()
    }

    pub(crate) fn put_payments(&self, agreement: &str, payments: &Payments) -> io::Result<()> {
        files::write(&self.file("payments", agreement), payments)
    }

    pub(crate) fn open_ports(&self, id: &str) -> OpenPorts {
        files::read(&self.file("ports", id)).unwrap_or_default()
    }

    pub(crate) fn put_open_ports(&self, id: &str, ports: &OpenPorts) -> io::Result<()> {
        files::write(&self.file("ports", id), ports)
    }

    pub(crate) fn remove_open_ports(&self, id: &str) -> io::Result<()> {
        files::remove(&self.file("ports", id))
    }

    /// The costs of deployments under allocations that were released, by their lineage.
    pub(crate) fn spent(&self) -> BTreeMap<String, Decimal> {
        files::read(&self.root.join("spent.json")).unwrap_or_default()
    }

    /// Adds to what a deployment has cost.
    pub(crate) fn add_spent(&self, deployment: &str, amount: Decimal) -> Result<(), Problem> {
        let mut spent = self.spent();
        *spent.entry(deployment.to_owned()).or_default() += amount;
        self.put("spent.json", &spent)
    }

    pub(crate) fn unpaid(&self) -> Vec<Unpaid> {
        files::read(&self.root.join("unpaid.json")).unwrap_or_default()
    }

    pub(crate) fn add_unpaid(&self, more: Vec<Unpaid>) -> Result<(), Problem> {
        let mut all = self.unpaid();
        all.retain(|it| more.iter().all(|new| new.agreement != it.agreement));
        all.extend(more);
        self.put("unpaid.json", &all)
    }

    pub(crate) fn failures(&self) -> Failures {
        files::read(&self.root.join("providers.json")).unwrap_or_default()
    }

    pub(crate) fn put_failures(&self, failures: &Failures) -> Result<(), Problem> {
        self.put("providers.json", failures)
    }

    fn put(&self, name: &str, value: &impl Serialize) -> Result<(), Problem> {
        written(files::write(&self.root.join(name), value))
    }
}

/// Nothing is requested that could not be written down before.
fn written(result: io::Result<()>) -> Result<(), Problem> {
    let why =
        |error| Problem::new(Code::Unavailable, format!("the adapter cannot write its records: {error}"));
    result.map_err(why)
}
