use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use golem_network::{Network, Offer, Open, Options, Provider, Settings};
use serde_json::Value as Json;

/// Two services of a network, one of which needs the other, and has a port.
pub(crate) const APP: &str = r#"meta: {name: shop}
payloads:
  p:
    runtime: vm
    params:
      image_hash: "85021afecf51687ecae8bdc21e10f3b11b82d2e3b169ba44e177340c"
      timeouts: {decision_seconds: 3}
networks:
  lan: {ip: 192.168.3.0/24}
services:
  db: {payload: p, network: lan, init: [["/bin/db"]]}
  web:
    payload: p
    network: lan
    init: [["/bin/web", "${services.db.network_node.ip}"]]
    http_proxy: {ports: ["80"]}
"#;

/// Networks, each with one test at a time, because tests look at what is open at its daemon.
static NETWORKS: [(OnceLock<Option<Network>>, Mutex<()>); 2] =
    [const { (OnceLock::new(), Mutex::new(())) }; 2];

/// The program in a folder of its own, on a network.
pub(crate) struct Bench {
    pub(crate) network: &'static Network,
    folder: PathBuf,
}

/// Runs a test in a folder of that name, unless there can be no network here.
pub(crate) fn run(name: &str, test: impl FnOnce(&Bench)) {
    let (network, _turn) = take();
    let Some(network) = network.get_or_init(start) else { return };
    network.providers().iter().for_each(Provider::revive);
    let folder = std::env::temp_dir().join(format!("planloom-golem-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    test(&Bench { network, folder: folder.clone() });
    fs::remove_dir_all(folder).unwrap();
}

/// A network that no other test uses.
fn take() -> (&'static OnceLock<Option<Network>>, MutexGuard<'static, ()>) {
    let free = NETWORKS.iter().find_map(|(network, turn)| Some((network, turn.try_lock().ok()?)));
    free.unwrap_or_else(|| {
        let [(network, turn), _] = &NETWORKS;
        (network, turn.lock().unwrap_or_else(PoisonError::into_inner))
    })
}

fn start() -> Option<Network> {
    let settings = |name: &str| Settings {
        offer: Offer {
            // What the published examples ask for.
            cores: 2,
            prices: [0.000_01, 0.0, 0.001],
            debit_notes: Duration::from_secs(2),
            ..Offer::named(name)
        },
        ..Settings::named(name)
    };
    match Network::start(Options { providers: ["anna", "bert", "cleo", "dora"].map(settings).into() }) {
        Ok(network) => Some(network),
        Err(why) => {
            eprintln!("skipped: {why}");
            None
        }
    }
}

impl Bench {
    /// Runs the program to its end.
    pub(crate) fn planloom(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let requestor = self.network.requestor();
        let mut command = Command::new(env!("CARGO_BIN_EXE_planloom"));
        command.args(words).current_dir(&self.folder).stdin(Stdio::null());
        command.env("YAGNA_API_URL", &requestor.api_url).env("YAGNA_APPKEY", &requestor.app_key);
        command.env("GOLEM_REGISTRY_URL", self.network.registry_url());
        command
    }

    /// The words of a verb that changes something.
    pub(crate) fn work<'w>(&self, verb: &'w str, file: &'w str) -> Vec<&'w str> {
        let common = ["--state", "s.json", "--adapter", "golem", "--budget", "5", "--auto-approve"];
        [verb, file].into_iter().chain(common).collect()
    }

    /// The same, which has to succeed.
    #[track_caller]
    pub(crate) fn succeed(&self, verb: &str, file: &str) -> String {
        let done = self.planloom(&self.work(verb, file));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(done.status.success(), "{verb} {file}: {}{}", text(&done.stdout), text(&done.stderr));
        text(&done.stdout)
    }

    /// The recorded resources.
    pub(crate) fn recorded(&self) -> Json {
        let text = fs::read_to_string(self.folder.join("s.json")).unwrap();
        serde_json::from_str::<Json>(&text).unwrap()["resources"].clone()
    }

    /// Removes the state and all that belongs to it, so that another deployment can begin.
    pub(crate) fn forget(&self) {
        for name in ["s.json", "s.json.journal", "s.json.history", "s.json.golem"] {
            let path = self.path(name);
            let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            // Not all of it is always there.
            removed.unwrap_or_default();
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn open(&self) -> Open {
        host::run(self.network.open()).unwrap().unwrap()
    }

    /// Nothing is open at the daemon any more, but for agreements that were never sent, which expire.
    #[track_caller]
    pub(crate) fn nothing_is_open(&self, when: &str) {
        let mut open = self.open();
        for _ in 0..400 {
            if open.is_empty() {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
            open = self.open();
        }
        panic!("{when}: {open:?}");
    }
}

/// The folder with descriptors that others wrote, if it is there.
pub(crate) fn descriptors() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/golem");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|it| it.path()).collect();
    found.sort();
    found
}
