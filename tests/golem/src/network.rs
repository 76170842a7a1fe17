use std::{
    fmt,
    path::Path,
    sync::{Mutex, PoisonError},
};

use crate::{
    Api, Failure, Open, Provider, Settings, Stop, Unavailable, background::Background, blocking::blocking,
    daemon::Daemon, folder::Folder, install, ports,
};

/// The number of attempts, each with other ports.
const ATTEMPTS: usize = 3;
/// The network and the driver of the payment platform.
const PAYMENTS: [&str; 4] = ["--network", "holesky", "--driver", "erc20"];

/// The options of a network.
#[derive(Clone, Debug)]
pub struct Options {
    /// The providers, each with an identity of its own.
    pub providers: Vec<Settings>,
}

/// A network that runs until it is dropped, or until this process ends in any way.
///
/// It is two real daemons, the requestor's and one for all providers, and providers that are simulated.
/// The providers have a thread of their own, so the network can be used from any thread and runtime.
pub struct Network {
    // The order is that in which they end.
    background: Background,
    providers: Vec<Provider>,
    requestor: Requestor,
    daemon: Mutex<Daemon>,
    _of_providers: Daemon,
    _folder: Folder,
}

/// The connection data of a requestor.
#[derive(Clone, Debug)]
pub struct Requestor {
    /// The address of the REST API of its daemon, such as `http://127.0.0.1:7465`.
    pub api_url: String,
    /// The app-key, which is sent as a bearer token.
    pub app_key: String,
    /// Its identity.
    pub identity: String,
    /// A client of the API.
    pub api: Api,
}

/// Both daemons, ready, with the keys of their identities.
struct Daemons {
    requestor: Daemon,
    providers: Daemon,
    key: String,
    keys: Vec<String>,
}

impl Options {
    /// Honest providers, whose names are `provider-1` and so on.
    pub fn with_providers(count: usize) -> Self {
        let named = |number| Settings::named(format!("provider-{number}"));
        Self { providers: (1..=count).map(named).collect() }
    }
}

impl Default for Options {
    /// Three honest providers.
    fn default() -> Self {
        Self::with_providers(3)
    }
}

impl Network {
    /// Installs the daemon if it is not installed, starts the network, and waits until all offers are published.
    ///
    /// # Errors
    /// If the daemon cannot be installed or does not start; then nothing is left running.
    pub fn start(options: Options) -> Result<Self, Unavailable> {
        let program = install()?;
        let folder = Folder::new()?;
        let daemons = attempt(&program, folder.path(), &options.providers)?;
        let requestor = blocking(async || Requestor::of(&daemons.requestor, &daemons.key).await)?;
        let providers = blocking(async || providers(&daemons, options.providers).await)?;
        let background = Background::start(daemons.providers.bus(), providers.clone())?;
        let daemon = Mutex::new(daemons.requestor);
        Ok(Self {
            background,
            providers,
            requestor,
            daemon,
            _of_providers: daemons.providers,
            _folder: folder,
        })
    }

    /// The requestor of the network.
    pub fn requestor(&self) -> &Requestor {
        &self.requestor
    }

    /// The providers, in the order of the options.
    pub fn providers(&self) -> &[Provider] {
        &self.providers
    }

    /// The address of a registry that has every image, but those whose names begin with `missing`.
    pub fn registry_url(&self) -> &str {
        self.background.registry_url()
    }

    /// The objects that are open at the requestor's daemon.
    ///
    /// # Errors
    /// If the daemon does not answer.
    pub async fn open(&self) -> Result<Open, Failure> {
        Open::of(&self.requestor.api).await
    }

    /// Stops the requestor's daemon and starts it again, with its data and at its ports.
    ///
    /// Its demands and its virtual private networks are gone then, as they are only in its memory.
    ///
    /// # Errors
    /// If it does not start again.
    pub fn restart_requestor(&self, how: Stop) -> Result<(), Unavailable> {
        self.stop_requestor(how);
        self.start_requestor()
    }

    /// Stops the requestor's daemon, which is the hub of the network, too: nothing reaches a provider until it is started.
    pub fn stop_requestor(&self, how: Stop) {
        self.daemon.lock().unwrap_or_else(PoisonError::into_inner).stop(how);
    }

    /// Starts the requestor's daemon after [`Network::stop_requestor`].
    ///
    /// # Errors
    /// If it does not start.
    pub fn start_requestor(&self) -> Result<(), Unavailable> {
        let mut daemon = self.daemon.lock().unwrap_or_else(PoisonError::into_inner);
        let daemon = &mut *daemon;
        blocking(async || daemon.start().await)
    }
}

impl Requestor {
    async fn of(daemon: &Daemon, key: &str) -> Result<Self, Unavailable> {
        let api = Api::new(daemon.authority(), key);
        let (api_url, app_key) = (format!("http://{}", daemon.authority()), key.to_owned());
        Ok(Self { api_url, app_key, identity: identity(&api).await?, api })
    }
}

async fn identity(api: &Api) -> Result<String, Unavailable> {
    let me = api.get("/me").await.map_err(|why| Unavailable::new("yagna", why))?;
    let identity = me["identity"].as_str().map(str::to_owned);
    identity.ok_or_else(|| Unavailable("yagna says no identity".to_owned()))
}

async fn providers(daemons: &Daemons, settings: Vec<Settings>) -> Result<Vec<Provider>, Unavailable> {
    let mut providers = Vec::new();
    for (settings, key) in settings.into_iter().zip(&daemons.keys) {
        let api = Api::new(daemons.providers.authority(), key);
        providers.push(Provider::new(settings, identity(&api).await?, api));
    }
    Ok(providers)
}

/// Another program may take the ports between the search for them and the start.
fn attempt(program: &Path, folder: &Path, settings: &[Settings]) -> Result<Daemons, Unavailable> {
    let mut last = Unavailable("no attempt".to_owned());
    for attempt in 0..ATTEMPTS {
        let folder = folder.join(attempt.to_string());
        match blocking(async || start(program, &folder, settings.len()).await) {
            Ok(daemons) => return Ok(daemons),
            Err(why) => last = why,
        }
        let _ = std::fs::remove_dir_all(folder);
    }
    Err(last)
}

async fn start(program: &Path, folder: &Path, count: usize) -> Result<Daemons, Unavailable> {
    let [hub, rest, bus, rest_of_providers] = ports::free()?;
    let mut requestor = Daemon::new(program, folder.join("requestor"), hub, [hub, rest]);
    let mut providers = Daemon::new(program, folder.join("providers"), hub, [bus, rest_of_providers]);
    let (started, created) = tokio::join!(requestor.start(), providers.start());
    started.and(created)?;
    let names: Vec<String> = (1..=count).map(|number| format!("identity-{number}")).collect();
    for name in &names {
        providers.run(&["id", "create", "--no-password", name])?;
    }
    // The daemon serves the identities that it knows when it starts.
    providers.stop(Stop::Terminate);
    providers.start().await?;
    let mut keys = Vec::new();
    for name in &names {
        keys.push(providers.run(&["app-key", "create", "--id", name, name])?);
        let account = providers.run(&["id", "show", name])?;
        let account = serde_json::from_str::<serde_json::Value>(&account).unwrap_or_default();
        let account = account["Ok"]["nodeId"].as_str().unwrap_or_default();
        providers
            .run(&[&["payment", "init", "--receiver", "--account", account][..], &PAYMENTS[..]].concat())?;
    }
    let key = requestor.run(&["app-key", "create", "requestor"])?;
    requestor.run(&[&["payment", "init", "--sender"][..], &PAYMENTS[..]].concat())?;
    Ok(Daemons { requestor, providers, key, keys })
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let providers = &self.providers;
        f.debug_struct("Network").field("requestor", &self.requestor).field("providers", providers).finish()
    }
}
