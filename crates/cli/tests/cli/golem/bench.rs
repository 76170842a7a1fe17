use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Duration,
};

use golem_network::{Behavior, Network, Networks, Offer, Open, Options, Settings};
use serde_json::Value as Json;

use crate::run::remove_folder;

/// Two services of a network, one of which needs the other, and has a port.
pub(crate) const APP: &str = r#"meta: {name: shop}
payloads:
  p:
    runtime: vm
    params:
      image_hash: "85021afecf51687ecae8bdc21e10f3b11b82d2e3b169ba44e177340c"
      timeouts: {decision_seconds: 20}
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

static NETWORKS: Networks = Networks::new(network);

/// The program in a folder of its own, on a network.
pub(crate) struct Bench<'n> {
    pub(crate) network: &'n Network,
    folder: PathBuf,
}

/// Runs a test in a folder of that name; `None` if there can be no network here.
pub(crate) fn run<T>(name: &str, test: impl FnOnce(&Bench<'_>) -> T) -> Option<T> {
    let network = match NETWORKS.take() {
        Ok(network) => network,
        Err(why) => {
            eprintln!("skipped: {why}");
            return None;
        }
    };
    for provider in network.providers() {
        provider.set(Behavior::default());
        provider.revive();
    }
    let folder = std::env::temp_dir().join(format!("planloom-golem-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let done = test(&Bench { network: &network, folder: folder.clone() });
    remove_folder(&folder);
    Some(done)
}

fn network() -> Options {
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
    Options { providers: ["anna", "bert", "cleo", "dora"].map(settings).into() }
}

impl Bench<'_> {
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

    /// All providers behave like this from now on.
    pub(crate) fn set_all(&self, behavior: &Behavior) {
        self.network.providers().iter().for_each(|it| it.set(behavior.clone()));
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
            if path.is_dir() {
                remove_folder(&path);
            } else {
                // Not all of it is always there.
                fs::remove_file(path).unwrap_or_default();
            }
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
        self.nothing_else_is_open(when, &[]);
    }

    /// The same but for these virtual private networks, which are removed.
    #[track_caller]
    pub(crate) fn nothing_else_is_open(&self, when: &str, networks: &[String]) {
        let expected = Open { networks: networks.to_vec(), ..Open::default() };
        let mut open = self.open();
        for _ in 0..1200 {
            if open == expected {
                return networks.iter().for_each(|it| self.remove_network(it));
            }
            std::thread::sleep(Duration::from_millis(100));
            open = self.open();
        }
        panic!("{when}: {open:?}");
    }

    fn remove_network(&self, id: &str) {
        let api = &self.network.requestor().api;
        host::run(api.delete(&format!("/net-api/v2/vpn/net/{id}"))).unwrap().unwrap();
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
