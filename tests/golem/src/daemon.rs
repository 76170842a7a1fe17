use std::{
    env,
    fs::File,
    io,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use tokio::time;

use crate::{Api, Unavailable, guard::Guard, install::run};

/// The longest time that a daemon may take to start, and to end.
const START: Duration = Duration::from_secs(60);
const END: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(20);

/// Networks of the payment driver, whose nodes must not be contacted.
const CHAINS: [&str; 9] =
    ["MAINNET", "GOERLI", "HOLESKY", "HOODI", "SEPOLIA", "RINKEBY", "POLYGON", "MUMBAI", "AMOY"];

const SETTINGS: [(&str, &str); 11] = [
    ("YA_NET_TYPE", "central"),
    ("YAGNA_DEV_SKIP_ALLOCATION_VALIDATION", "1"),
    ("INACTIVITY_LIMIT_SECONDS", "86400"),
    ("UNRESPONSIVE_LIMIT_SECONDS", "86400"),
    ("YA_CONSENT_STATS", "deny"),
    ("MEAN_CYCLIC_BCAST_INTERVAL", "200ms"),
    ("OFFER_BROADCAST_DELAY", "10ms"),
    ("UNSUB_BROADCAST_DELAY", "10ms"),
    // Virtual private networks are twice as fast without it.
    ("YA_NET_TCP_ACK_DELAY_MS", "0"),
    // The daemon looks for its next version, and must not reach the internet for that.
    ("HTTPS_PROXY", "http://127.0.0.1:1"),
    ("NO_PROXY", "127.0.0.1"),
];

/// The way in which a daemon is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// By a signal on which it ends its work.
    Terminate,
    /// At once.
    Kill,
}

/// A daemon, which may run or not: its program, its data and its ports stay the same.
#[derive(Debug)]
pub(crate) struct Daemon {
    program: PathBuf,
    folder: PathBuf,
    hub: u16,
    bus: u16,
    rest: u16,
    running: Option<(Guard, Child)>,
}

impl Daemon {
    /// A daemon that does not run yet. The one whose port is the hub's is the hub of all.
    pub(crate) fn new(program: &Path, folder: PathBuf, hub: u16, [bus, rest]: [u16; 2]) -> Self {
        Self { program: program.to_owned(), folder, hub, bus, rest, running: None }
    }

    /// The address of its REST API, as `host:port`.
    pub(crate) fn authority(&self) -> String {
        format!("127.0.0.1:{}", self.rest)
    }

    /// The address of its service bus, as `host:port`.
    pub(crate) fn bus(&self) -> String {
        format!("127.0.0.1:{}", self.bus)
    }

    /// Starts it, and returns when its API answers. One that runs is stopped before.
    pub(crate) async fn start(&mut self) -> Result<(), Unavailable> {
        self.stop(Stop::Terminate);
        let failed = |why: io::Error| Unavailable::new("yagna cannot be started", why);
        std::fs::create_dir_all(self.folder.join("data")).map_err(failed)?;
        let child = self.spawn().map_err(failed)?;
        let guard = Guard::of(&child, &self.folder);
        let (_, child) = self.running.insert((guard.map_err(failed)?, child));
        let (begin, api) = (Instant::now(), Api::new(format!("127.0.0.1:{}", self.rest), ""));
        // Without an app-key the API refuses, which shows that it is there.
        while api.get("/me").await.is_err_and(|why| why.status.is_none()) {
            if let Ok(Some(status)) = child.try_wait() {
                return Err(Unavailable::new("yagna ended", status));
            }
            if begin.elapsed() > START {
                return Err(Unavailable("yagna does not answer".to_owned()));
            }
            time::sleep(POLL).await;
        }
        // Who answers may be another program, which took the port.
        match child.try_wait() {
            Ok(Some(status)) => Err(Unavailable::new("yagna ended", status)),
            _ => Ok(()),
        }
    }

    fn spawn(&self) -> io::Result<Child> {
        let log = File::options().create(true).append(true).open(self.folder.join("log"))?;
        let mut command = self.command();
        command.args(["service", "run", "--disable-metrics-push"]).process_group(0);
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()
    }

    /// The program with the settings of this daemon.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        // The user's own settings of a daemon are not for this one.
        command.env_clear().env("PATH", env::var_os("PATH").unwrap_or_default());
        command.envs(SETTINGS).envs(CHAINS.map(|chain| (format!("{chain}_GETH_ADDR"), "http://127.0.0.1:1")));
        command.env("HOME", &self.folder).env("YAGNA_DATADIR", self.folder.join("data"));
        command.env("CENTRAL_NET_HOST", format!("127.0.0.1:{}", self.hub));
        command.env("GSB_URL", format!("tcp://{}", self.bus()));
        command.env("YAGNA_API_URL", format!("http://{}", self.authority()));
        command
    }

    /// Runs a command of the daemon's program to its end, e.g. `app-key create name`; what it prints.
    pub(crate) fn run(&self, words: &[&str]) -> Result<String, Unavailable> {
        let printed = run(self.command().arg("--json").args(words))?;
        Ok(printed.trim_matches('"').to_owned())
    }

    /// Ends it, if it runs.
    pub(crate) fn stop(&mut self, how: Stop) {
        let Some((guard, mut child)) = self.running.take() else { return };
        if how == Stop::Terminate {
            terminate(&mut child);
        }
        let _ = child.kill();
        let _ = child.wait();
        drop(guard);
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.stop(Stop::Terminate);
    }
}

/// Sends the signal and waits until the process has ended, but not for ever.
fn terminate(child: &mut Child) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let _ = pid.map(|pid| kill_process(pid, Signal::TERM));
    let begin = Instant::now();
    while matches!(child.try_wait(), Ok(None)) && begin.elapsed() < END {
        std::thread::sleep(POLL);
    }
}
