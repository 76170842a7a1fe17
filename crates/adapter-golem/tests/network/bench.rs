use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use adapter::{Adapter, Known, ObservedResource, ResourceRequest};
use golem_network::{Behavior, Network, Networks, Offer, Open, Outcome, Provider, Runner, Settings};
use model::Phase;
use planloom_adapter_golem::{GolemAdapter, OpenError, Options};
use protocol::{Problem, ResourceId};
use serde_json::{Map, Value as Json, json};
use tokio::time::sleep;

/// The hash of an image.
pub(crate) const IMAGE: &str = "85021afecf51687ecae8bdc21e10f3b11b82d2e3b169ba44e177340c";

static NETWORKS: Networks = Networks::new(network);

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// A network whose providers are honest when a test begins, and a folder of its own.
pub(crate) struct Bench<'n> {
    pub(crate) network: &'n Network,
    folder: PathBuf,
    pub(crate) lineage: String,
    pub(crate) budget: &'static str,
    /// The open items that a failed test has left.
    before: Open,
}

/// Runs a test, unless there can be no network here.
pub(crate) fn run(test: impl AsyncFnOnce(&mut Bench<'_>)) {
    match NETWORKS.take() {
        Ok(network) => run_on(&network, test),
        Err(why) => eprintln!("skipped: {why}"),
    }
}

/// The same on a network of its own.
pub(crate) fn run_alone(test: impl AsyncFnOnce(&mut Bench<'_>)) {
    match Network::start(network()) {
        Ok(network) => run_on(&network, test),
        Err(why) => eprintln!("skipped: {why}"),
    }
}

fn run_on(network: &Network, test: impl AsyncFnOnce(&mut Bench<'_>)) {
    for provider in network.providers() {
        provider.set(Behavior::default());
        provider.revive();
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let lineage = format!("golem-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(&lineage);
    host::run(async {
        let before = network.open().await.unwrap();
        let mut bench = Bench { network, folder: folder.clone(), lineage, budget: "5", before };
        test(&mut bench).await;
    })
    .unwrap();
    fs::remove_dir_all(&folder).unwrap();
}

fn network() -> golem_network::Options {
    let settings = |(name, second): (&str, f64)| Settings {
        offer: Offer {
            prices: [second, 0.0, 0.001],
            debit_notes: Duration::from_secs(2),
            ..Offer::named(name)
        },
        // A program that is called `fail` does.
        runner: Runner::new(|words| match words.first().map(|it| &**it) {
            Some("/bin/fail") => {
                Outcome { exit_code: 3, stderr: "it is wrong\n".into(), ..Outcome::default() }
            }
            _ => Outcome { stdout: format!("{}\n", words.join(" ")), ..Outcome::default() },
        }),
        ..Settings::named(name)
    };
    // The price of an hour is 0.036, 0.072 and 0.108.
    let providers = [("anna", 0.000_01), ("bert", 0.000_02), ("cleo", 0.000_03)].map(settings).into();
    golem_network::Options { providers }
}

impl Bench<'_> {
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn options(&self) -> Options {
        let requestor = self.network.requestor();
        let mut options = Options::new(&self.folder, &requestor.app_key);
        options.api_url.clone_from(&requestor.api_url);
        options.budget = planloom_adapter_golem::amount(self.budget);
        self.network.registry_url().clone_into(&mut options.registry);
        options.choice = Duration::from_millis(250);
        (options.unreachable, options.invoice) = (Duration::from_secs(2), Duration::from_secs(5));
        options.agent = env!("CARGO_BIN_EXE_planloom-requestor-agent").into();
        options
    }

    pub(crate) fn adapter(&self) -> GolemAdapter {
        // A process that another test is starting has the lock of this one's last adapter until it is executed.
        for _ in 0..50 {
            match GolemAdapter::open(self.options()) {
                Err(OpenError::InUse(_)) => std::thread::sleep(Duration::from_millis(20)),
                opened => return opened.unwrap(),
            }
        }
        GolemAdapter::open(self.options()).unwrap()
    }

    pub(crate) fn provider(&self, name: &str) -> &Provider {
        self.network.providers().iter().find(|it| it.name() == name).unwrap()
    }

    pub(crate) fn request(&self, kind: &str, name: &str, spec: Json) -> ResourceRequest {
        let address = format!("{kind}s.{name}");
        ResourceRequest {
            id: ResourceId::new(kind, protocol::resource_id(&self.lineage, &address, 1)),
            deployment: self.lineage.clone(),
            address,
            generation: 1,
            spec: map(spec),
        }
    }

    /// Nothing of the requestor is open at the daemon.
    pub(crate) async fn nothing_is_open(&self) {
        let open = self.open().await;
        assert!(open.is_empty(), "{open:?}");
    }

    /// The items that are open at the daemon since the test began.
    pub(crate) async fn open(&self) -> Open {
        let (open, before) = (self.network.open().await.unwrap(), &self.before);
        let new = |now: Vec<String>, old: &[String]| now.into_iter().filter(|it| !old.contains(it)).collect();
        Open {
            demands: new(open.demands, &before.demands),
            agreements: new(open.agreements, &before.agreements),
            activities: new(open.activities, &before.activities),
            allocations: new(open.allocations, &before.allocations),
            networks: new(open.networks, &before.networks),
        }
    }
}

pub(crate) fn map(value: Json) -> Map<String, Json> {
    value.as_object().unwrap().clone()
}

/// The attributes of a service with these commands, and more.
pub(crate) fn service(more: Json) -> Json {
    let mut spec = json!({
        "payload": {"runtime": "vm", "params": {"image_hash": IMAGE}},
        "init": [{"run": {"args": ["/bin/serve", "80"]}}],
    });
    for (key, value) in map(more) {
        spec[key] = value;
    }
    spec
}

/// A resource as the adapter has returned it.
pub(crate) fn known(request: &ResourceRequest, seen: &ObservedResource) -> Known {
    Known { request: request.clone(), identity: Some(seen.identity.clone()), outputs: seen.outputs.clone() }
}

/// A resource whose creation did not return.
pub(crate) fn begun(request: &ResourceRequest) -> Known {
    Known { request: request.clone(), identity: None, outputs: Map::new() }
}

pub(crate) async fn create(
    adapter: &GolemAdapter,
    request: &ResourceRequest,
) -> Result<ObservedResource, Problem> {
    adapter.create(request).await
}

/// Ends a resource as an engine does: again, where the adapter says that it may be tried again. A daemon on a busy machine does not
/// get at its database at times.
pub(crate) async fn destroy(adapter: &GolemAdapter, known: &Known) {
    for _ in 0..5 {
        match adapter.destroy(known).await {
            Err(problem) if problem.retryable => sleep(Duration::from_millis(500)).await,
            done => return done.unwrap(),
        }
    }
    panic!("it cannot be ended");
}

/// Reads a resource until it has ended.
pub(crate) async fn until_terminated(adapter: &GolemAdapter, known: &Known) -> ObservedResource {
    loop {
        let read = adapter.read(known).await.unwrap().unwrap();
        if read.phase == Phase::Terminated {
            return read;
        }
        sleep(Duration::from_millis(200)).await;
    }
}

/// The text at a pointer of the outputs.
pub(crate) fn output<'s>(seen: &'s ObservedResource, pointer: &str) -> &'s str {
    let mut value = &Json::Null;
    for (at, key) in pointer.split('/').enumerate() {
        value = match at {
            0 => seen.outputs.get(key).unwrap_or(&Json::Null),
            _ => key.parse::<usize>().ok().map_or(&value[key], |it| &value[it]),
        };
    }
    value.as_str().unwrap_or_else(|| panic!("no `{pointer}` in {:?}", seen.outputs))
}
