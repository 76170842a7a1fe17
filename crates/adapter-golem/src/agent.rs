//! The requestor agent: the process that takes care of rented services.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    rc::Rc,
    time::{Duration, SystemTime},
};

use ::adapter_native::files;
use host::{HttpTransport, TransportOptions};
use rust_decimal::Decimal;
use sha2::{Digest, Sha256};
use tokio::{
    signal::unix::{SignalKind, signal},
    time::{Instant, sleep},
};

use crate::{
    agent_process::{Daemon, OpenPorts},
    bill::{Bill, Payments},
    folder::Folder,
    proxy::{OpenPort, Target},
    rental::{Lease, ProxyPort, Rental, Stage},
    timestamp,
    vpn::tcp_path,
    yagna::{Yagna, YagnaError},
};

/// The hidden command by which a program that includes a [`GolemAdapter`](crate::GolemAdapter) is started
/// again as the requestor agent of a folder. It is followed by the folder and the address of yagna's API; the
/// app-key is in the environment, in `YAGNA_APPKEY`.
pub const VERB: &str = "run-requestor-agent";

pub(crate) const APP_KEY: &str = "YAGNA_APPKEY";

/// The file that is locked while an agent has the folder.
pub(crate) const LOCK: &str = "agent.lock";

/// The pause between two readings of the records.
const LOOK: Duration = Duration::from_millis(100);

/// The pause between two checks for bills.
const BILLS: Duration = Duration::from_secs(1);

/// The time that the agent stays without anything to do.
const IDLE: Duration = Duration::from_secs(30);

/// The time that the agent stays while the daemon does not answer. The adapter starts another one when it needs it.
const GONE: Duration = Duration::from_secs(600);

/// The time that a bill is waited for after the end of its agreement.
const LATEST: Duration = Duration::from_secs(3600);

/// The reason why the agent could not work.
#[derive(Debug)]
pub enum AgentError {
    /// A word or the app-key is missing.
    Usage,
    /// The folder, or the means to send requests, cannot be used.
    Io(io::Error),
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage => write!(f, "{VERB} needs a folder and the address of yagna, and {APP_KEY}"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AgentError {}

impl From<io::Error> for AgentError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The main function of a program that is started again with [`VERB`] and these words. It returns when there
/// has been nothing to take care of for a while, or at once if another agent has the folder.
///
/// # Errors
/// If it cannot work at all.
pub fn run_agent(words: &[String]) -> Result<(), AgentError> {
    let [folder, api_url] = words else { return Err(AgentError::Usage) };
    let key = std::env::var(APP_KEY).map_err(|_| AgentError::Usage)?;
    let folder = PathBuf::from(folder);
    let Some(lock) = files::lock(&folder.join(LOCK))? else { return Ok(()) };
    host::run(attend(&folder, lock, api_url, &key))??;
    Ok(())
}

async fn attend(folder: &Path, lock: File, api_url: &str, key: &str) -> io::Result<()> {
    let transport = Rc::new(HttpTransport::new(TransportOptions::default())?);
    let mut agent = Agent {
        yagna: Yagna::new(transport, api_url, key, GONE),
        folder: Folder::at(folder),
        lock,
        daemon: Daemon::new(api_url, key),
        ended: BTreeSet::new(),
        logged: None,
        open: BTreeMap::new(),
    };
    let mut end = signal(SignalKind::terminate())?;
    tokio::select! {
        () = agent.run() => {}
        _ = end.recv() => {}
    }
    Ok(())
}

struct Agent {
    yagna: Yagna,
    folder: Folder,
    lock: File,
    /// The daemon that it works for.
    daemon: Daemon,
    /// The agreements that were ended because of their bills.
    ended: BTreeSet<String>,
    /// The reason why bills could not be accepted the last time.
    logged: Option<YagnaError>,
    /// The open ports of each service, by its id, with the activity that they lead to.
    open: BTreeMap<String, (String, Vec<Option<OpenPort>>)>,
}

impl Agent {
    async fn run(&mut self) {
        let (mut busy, mut billed, mut answered) = (Instant::now(), None::<Instant>, Instant::now());
        while busy.elapsed() < IDLE && answered.elapsed() < GONE && self.is_needed() {
            let rentals = self.folder.rentals();
            self.look_at_ports(&rentals).await;
            if billed.is_none_or(|it| it.elapsed() >= BILLS) {
                let seen = self.look_at_bills().await;
                if seen.as_ref().err().is_none_or(YagnaError::is_answer) {
                    answered = Instant::now();
                }
                self.log(seen.err());
                self.end_agreements().await;
                billed = Some(Instant::now());
            }
            if rentals.iter().any(|it| self.is_due(it)) || self.unsettled().next().is_some() {
                busy = Instant::now();
            }
            sleep(LOOK).await;
        }
    }

    /// True if the folder is still this agent's, and still for the daemon that it works for.
    fn is_needed(&self) -> bool {
        let own = self.lock.metadata().map(|it| it.ino());
        let current = fs::metadata(self.folder.root().join(LOCK)).map(|it| it.ino());
        let is_own = own.is_ok_and(|own| current.is_ok_and(|it| it == own));
        is_own && self.folder.daemon().is_none_or(|it| it == self.daemon)
    }

    /// True if a service may need the agent: not any more once its time is over, or its agreement is paid or refused.
    fn is_due(&self, rental: &Rental) -> bool {
        let is_due =
            |it: &Lease| !it.is_over(SystemTime::now()) && !self.folder.payments(&it.agreement).is_settled();
        rental.lease.as_ref().is_none_or(is_due)
    }

    /// Opens the ports of services that run, and closes those of others.
    async fn look_at_ports(&mut self, rentals: &[Rental]) {
        let runs = |it: &&Rental| it.stage == Stage::Running && !it.proxies.is_empty();
        let running: BTreeMap<&str, &Rental> =
            rentals.iter().filter(runs).map(|it| (&*it.request.id.id, it)).collect();
        let folder = &self.folder;
        self.open.retain(|id, (activity, _)| {
            let stays = running.get(&**id).is_some_and(|it| it.activity.as_ref() == Some(activity));
            if !stays {
                // What is left of it names another activity than the next one.
                _ = folder.remove_open_ports(id);
            }
            stays
        });
        for (id, rental) in running {
            if !self.open.contains_key(id) {
                self.open_ports(id, rental).await;
            }
        }
    }

    async fn open_ports(&mut self, id: &str, rental: &Rental) {
        let (Some(activity), Some(node)) = (&rental.activity, &rental.node) else { return };
        let (mut open, mut told) = (Vec::new(), Vec::new());
        // Outputs name the ports, so that an activity keeps those that it had.
        let before = self.folder.open_ports(id);
        let before = if before.activity.as_ref() == Some(activity) { before.ports } else { Vec::new() };
        for (at, proxy) in rental.proxies.iter().enumerate() {
            let had = before.get(at).and_then(|it| it.clone().ok());
            let target = Target {
                authority: authority(self.yagna.base()),
                path: tcp_path(&node.vpn, node.ip, proxy.remote),
                authorization: self.yagna.authorization(),
            };
            let port = OpenPort::open(proxy.local.or(had), usual(rental, proxy), target).await;
            if port.is_err() && had.is_some() {
                return; // Another program has it; it is tried again.
            }
            told.push(port.as_ref().map(|it| it.local).map_err(ToString::to_string));
            open.push(port.ok());
        }
        self.open.insert(id.to_owned(), (activity.clone(), open));
        let told = OpenPorts { activity: Some(activity.clone()), ports: told };
        // The adapter says that the agent did not open them in time.
        _ = self.folder.put_open_ports(id, &told);
    }

    /// The bills that something is still to be paid of, and may be.
    fn unsettled(&self) -> impl Iterator<Item = Bill> {
        let now = SystemTime::now();
        self.folder.unsettled().filter(move |it| it.end().is_none_or(|it| it + LATEST > now))
    }

    /// Accepts debit notes and invoices as far as they are acceptable. Bills that the daemon cannot accept now are tried the
    /// next time.
    ///
    /// # Errors
    /// The first bill that could not be accepted; one does not keep the others from it.
    async fn look_at_bills(&self) -> Result<(), YagnaError> {
        let bills: BTreeMap<String, Bill> = self.unsettled().map(|it| (it.agreement.clone(), it)).collect();
        let Some(first) = bills.values().map(|it| it.began).min() else { return Ok(()) };
        let after = timestamp::text(timestamp::of_millis(first.saturating_sub(60_000)));
        let notes = self.look_at_debit_notes(&bills, &after).await;
        let invoices = self.look_at_invoices(&bills, &after).await;
        notes.and(invoices)
    }

    /// Writes why bills cannot be accepted to the log, once.
    fn log(&mut self, error: Option<YagnaError>) {
        if let Some(error) = error.as_ref().filter(|it| self.logged.as_ref() != Some(it)) {
            // A log that cannot be written changes nothing.
            _ = writeln!(io::stderr(), "{} bills wait: {error}", timestamp::text(SystemTime::now()));
        }
        self.logged = error;
    }

    async fn look_at_debit_notes(
        &self,
        bills: &BTreeMap<String, Bill>,
        after: &str,
    ) -> Result<(), YagnaError> {
        let mut first = Ok(());
        for note in self.yagna.debit_notes(after).await? {
            let Some(bill) = bills.get(&note.agreement_id).filter(|_| note.status == "RECEIVED") else {
                continue;
            };
            let payments = self.folder.payments(&bill.agreement);
            if payments.is_settled() || note.total_amount_due < payments.accepted {
                continue;
            }
            match self.check(bill, note.total_amount_due) {
                Ok(()) => match self.yagna.accept_debit_note(&note, &bill.allocation).await {
                    Ok(()) => self.put(bill, &Payments { accepted: note.total_amount_due, ..payments }),
                    Err(error) => first = first.and(Err(error)),
                },
                Err(why) => self.refuse(bill, why),
            }
        }
        first
    }

    async fn look_at_invoices(&self, bills: &BTreeMap<String, Bill>, after: &str) -> Result<(), YagnaError> {
        let mut first = Ok(());
        for invoice in self.yagna.invoices(after).await? {
            let Some(bill) = bills.get(&invoice.agreement_id) else { continue };
            let payments = self.folder.payments(&bill.agreement);
            if payments.is_settled() {
                continue;
            }
            // One that was accepted before a crash is settled.
            if invoice.status == "RECEIVED" {
                if let Err(why) = self.check(bill, invoice.amount) {
                    self.refuse(bill, why);
                    continue;
                }
                if let Err(error) = self.yagna.accept_invoice(&invoice, &bill.allocation).await {
                    first = first.and(Err(error));
                    continue;
                }
            }
            self.put(bill, &Payments { accepted: invoice.amount, is_invoiced: true, ..payments });
        }
        first
    }

    fn check(&self, bill: &Bill, amount: Decimal) -> Result<(), String> {
        let others = self.folder.bills().into_iter();
        let others = others.filter(|it| it.deployment == bill.deployment && it.agreement != bill.agreement);
        let others = others.map(|it| self.folder.payments(&it.agreement).accepted).sum();
        bill.check(amount, others, SystemTime::now())
    }

    /// Writes down that a bill is not acceptable; its agreement is ended then.
    fn refuse(&self, bill: &Bill, why: String) {
        let payments = self.folder.payments(&bill.agreement);
        self.put(bill, &Payments { refused: Some(why), ..payments });
    }

    /// Ends the agreements with providers whose bills were not acceptable, and those whose time is over. Agreements that cannot
    /// be ended now are tried again the next time.
    async fn end_agreements(&mut self) {
        for bill in self.folder.bills().into_iter().filter(|it| it.ended.is_none()) {
            let is_over = || bill.is_over(SystemTime::now()).then(|| "its time is over".to_owned());
            let why = self.folder.payments(&bill.agreement).refused.or_else(is_over);
            if let Some(why) = why.filter(|_| !self.ended.contains(&bill.agreement))
                && self.end(&bill.agreement, &why).await.is_ok()
            {
                self.ended.insert(bill.agreement);
            }
        }
    }

    /// Ends the activities of an agreement, then the agreement.
    async fn end(&self, agreement: &str, why: &str) -> Result<(), YagnaError> {
        self.yagna.end_activities(agreement).await?;
        self.yagna.end_agreement(agreement, why).await
    }

    fn put(&self, bill: &Bill, payments: &Payments) {
        // If it cannot be written, the daemon still has it, and it is looked at again.
        _ = self.folder.put_payments(&bill.agreement, payments);
    }
}

/// The part of an address between `http://` and the path.
fn authority(base: &str) -> String {
    let rest = base.split_once("://").map_or(base, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest).to_owned()
}

/// A port that is always the same for the same proxy, below those that systems assign by themselves.
fn usual(rental: &Rental, proxy: &ProxyPort) -> u16 {
    let whose = format!("{} {} {}", rental.request.deployment, rental.request.address, proxy.remote);
    let hash = Sha256::digest(whose);
    let number = hash.iter().take(2).fold(0_u16, |number, byte| (number << 8) | u16::from(*byte));
    20_000 + number % 12_000
}
