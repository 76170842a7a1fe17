//! The requestor agent: the process that takes care of what is rented.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, io,
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
    agent_process::OpenPorts,
    bill::{Bill, Payments},
    folder::Folder,
    proxy::{OpenPort, Target},
    rental::{ProxyPort, Rental, Stage},
    timestamp,
    vpn::tcp_path,
    yagna::{Yagna, YagnaError},
};

/// The hidden command by which a program that includes a [`GolemAdapter`](crate::GolemAdapter) is started
/// again as the requestor agent of a folder. It is followed by the folder and the address of yagna's API; the
/// app-key is in the environment, in `YAGNA_APPKEY`.
pub const VERB: &str = "run-requestor-agent";

pub(crate) const APP_KEY: &str = "YAGNA_APPKEY";

/// The pause between two looks at the records.
const LOOK: Duration = Duration::from_millis(100);

/// The pause between two looks at what was billed.
const BILLS: Duration = Duration::from_secs(1);

/// How long the agent stays without anything to do.
const IDLE: Duration = Duration::from_secs(30);

/// How long the agent stays while the daemon does not answer. The adapter starts another one when it needs it.
const GONE: Duration = Duration::from_secs(600);

/// How long a bill is waited for after the end of its agreement.
const LATEST: Duration = Duration::from_secs(3600);

/// Why the agent could not work.
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
    let Some(_lock) = files::lock(&folder.join("agent.lock"))? else { return Ok(()) };
    host::run(attend(&folder, api_url, &key))??;
    Ok(())
}

async fn attend(folder: &Path, api_url: &str, key: &str) -> io::Result<()> {
    let transport = Rc::new(HttpTransport::new(TransportOptions::default())?);
    let mut agent = Agent {
        yagna: Yagna::new(transport, api_url, key, GONE),
        folder: Folder::at(folder),
        ended: BTreeSet::new(),
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
    /// The agreements that were ended because of their bills.
    ended: BTreeSet<String>,
    /// The open ports of each service, by its id, with the activity that they lead to.
    open: BTreeMap<String, (String, Vec<Option<OpenPort>>)>,
}

impl Agent {
    async fn run(&mut self) {
        let (mut busy, mut billed, mut answered) = (Instant::now(), None::<Instant>, Instant::now());
        while busy.elapsed() < IDLE && answered.elapsed() < GONE && self.folder.exists() {
            let rentals = self.folder.rentals();
            self.look_at_ports(&rentals).await;
            if billed.is_none_or(|it| it.elapsed() >= BILLS) {
                if self.look_at_bills().await {
                    answered = Instant::now();
                }
                self.end_refused().await;
                billed = Some(Instant::now());
            }
            if !rentals.is_empty() || self.unsettled().next().is_some() {
                busy = Instant::now();
            }
            sleep(LOOK).await;
        }
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
        for proxy in &rental.proxies {
            let target = Target {
                authority: authority(self.yagna.base()),
                path: tcp_path(&node.vpn, node.ip, proxy.remote),
                authorization: self.yagna.authorization(),
            };
            let port = OpenPort::open(proxy.local, usual(rental, proxy), target).await;
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
        let now = timestamp::millis(SystemTime::now());
        let latest = u64::try_from(LATEST.as_millis()).unwrap_or(u64::MAX);
        self.folder.unsettled().filter(move |it| it.ended.is_none_or(|it| now.saturating_sub(it) < latest))
    }

    /// Accepts debit notes and invoices as far as they are acceptable. What the daemon cannot do now is done
    /// the next time. Returns whether the daemon answers.
    async fn look_at_bills(&self) -> bool {
        let bills: BTreeMap<String, Bill> = self.unsettled().map(|it| (it.agreement.clone(), it)).collect();
        let Some(first) = bills.values().map(|it| it.began).min() else { return true };
        let after = timestamp::text(timestamp::of_millis(first.saturating_sub(60_000)));
        let notes = self.look_at_debit_notes(&bills, &after).await;
        let invoices = self.look_at_invoices(&bills, &after).await;
        !matches!(notes.and(invoices), Err(YagnaError::Lost(_)))
    }

    async fn look_at_debit_notes(
        &self,
        bills: &BTreeMap<String, Bill>,
        after: &str,
    ) -> Result<(), YagnaError> {
        for note in self.yagna.debit_notes(after).await? {
            let Some(bill) = bills.get(&note.agreement_id).filter(|_| note.status == "RECEIVED") else {
                continue;
            };
            let payments = self.folder.payments(&bill.agreement);
            if payments.is_settled() || note.total_amount_due < payments.accepted {
                continue;
            }
            match self.check(bill, note.total_amount_due) {
                Ok(()) => {
                    self.yagna.accept_debit_note(&note, &bill.allocation).await?;
                    let payments = Payments { accepted: note.total_amount_due, ..payments };
                    self.put(bill, &payments);
                }
                Err(why) => self.refuse(bill, why),
            }
        }
        Ok(())
    }

    async fn look_at_invoices(&self, bills: &BTreeMap<String, Bill>, after: &str) -> Result<(), YagnaError> {
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
                self.yagna.accept_invoice(&invoice, &bill.allocation).await?;
            }
            self.put(bill, &Payments { accepted: invoice.amount, is_invoiced: true, ..payments });
        }
        Ok(())
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

    /// Ends the agreements with providers whose bills were not acceptable. What cannot be ended now is tried
    /// again the next time.
    async fn end_refused(&mut self) {
        for bill in self.folder.bills().into_iter().filter(|it| it.ended.is_none()) {
            let Some(why) = self.folder.payments(&bill.agreement).refused else { continue };
            if !self.ended.contains(&bill.agreement)
                && self.yagna.end_agreement(&bill.agreement, &why).await.is_ok()
            {
                self.ended.insert(bill.agreement);
            }
        }
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
