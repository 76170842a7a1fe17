use std::{
    fs::File,
    io,
    os::unix::process::CommandExt,
    process::{Command, Stdio},
    time::Duration,
};

use ::adapter_native::files;
use protocol::{Code, Problem};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::time::{Instant, sleep};

use crate::{
    agent::{APP_KEY, LOCK, VERB},
    rental::Rental,
    shared::Shared,
};

/// The maximum time that an agent may take to leave.
const LEAVE: Duration = Duration::from_secs(1);

/// The maximum time that the agent may take to open ports.
const OPEN: Duration = Duration::from_secs(15);

/// The ports that the agent has opened for a service, in the order of its proxies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenPorts {
    /// The activity that they lead to.
    pub(crate) activity: Option<String>,
    /// Each port, or the reason why it is not open.
    pub(crate) ports: Vec<Result<u16, String>>,
}

/// The daemon that an agent works for, and the identity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Daemon {
    api_url: String,
    /// A hash of the app-key, which is not recorded.
    key: String,
}

impl Daemon {
    pub(crate) fn new(api_url: &str, key: &str) -> Self {
        let hash = Sha256::digest(format!("planloom {api_url} {key}"));
        Self { api_url: api_url.to_owned(), key: hash.iter().map(|it| format!("{it:02x}")).collect() }
    }
}

impl Shared {
    /// Starts the requestor agent of the folder, unless it runs. It outlives this program. One that works for
    /// another daemon or with another app-key is replaced.
    pub(crate) async fn ensure_agent(&self) -> Result<(), Problem> {
        self.start_agent().await.map_err(|error| {
            let message = format!("the requestor agent cannot be started, so nothing could be paid: {error}");
            Problem::new(Code::Unavailable, message)
        })
    }

    async fn start_agent(&self) -> io::Result<()> {
        let wanted = Daemon::new(&self.options.api_url, &self.options.app_key);
        let before = self.folder.daemon();
        if before.as_ref() != Some(&wanted) {
            self.folder.put_daemon(&wanted)?;
            if before.is_some() {
                // The one that runs looks at it several times a second, and leaves.
                sleep(LEAVE).await;
            }
        }
        let root = self.folder.root();
        let Some(lock) = files::lock(&root.join(LOCK))? else { return Ok(()) };
        // It is the agent's from now on; two that are started at the same time agree by it.
        drop(lock);
        let log: File = files::private().create(true).append(true).open(root.join("agent.log"))?;
        let mut command = Command::new(&self.options.agent);
        command.arg0("planloom").arg(VERB).arg(root).arg(&self.options.api_url).current_dir("/");
        command.env_clear().env(APP_KEY, &self.options.app_key);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).process_group(0);
        let mut child = command.spawn()?;
        // Nobody else waits for it while this program runs.
        std::thread::spawn(move || child.wait());
        Ok(())
    }

    /// Waits until the agent has opened the ports of a service.
    pub(crate) async fn until_ports_are_open(&self, rental: &Rental) -> Result<(), Problem> {
        let deadline = Instant::now() + OPEN;
        if rental.proxies.is_empty() {
            return self.ensure_agent().await;
        }
        loop {
            self.ensure_agent().await?;
            let open = self.folder.open_ports(&rental.request.id.id);
            if open.activity == rental.activity && open.ports.len() == rental.proxies.len() {
                return all_open(rental, &open);
            }
            if Instant::now() > deadline {
                let message = "the requestor agent did not open the ports in time; see its log, `agent.log`";
                return Err(Problem::new(Code::Unavailable, message));
            }
            sleep(Duration::from_millis(20)).await;
        }
    }
}

fn all_open(rental: &Rental, open: &OpenPorts) -> Result<(), Problem> {
    for (proxy, port) in rental.proxies.iter().zip(&open.ports) {
        if let Err(why) = port {
            let local = proxy.local.unwrap_or_default();
            let message = format!("port {local} of 127.0.0.1 cannot be opened: {why}");
            return Err(Problem::new(Code::InvalidSpec, &message).at(&proxy.pointer, message));
        }
    }
    Ok(())
}
