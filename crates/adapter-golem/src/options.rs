use std::{fmt, io, path::PathBuf, time::Duration};

use rust_decimal::Decimal;

use crate::allowed::AllowedFolders;

/// The options of an adapter.
#[derive(Clone)]
pub struct Options {
    /// The adapter's own folder: its records. If it does not exist, it is created for its owner only. One
    /// adapter at a time uses it.
    pub folder: PathBuf,
    /// The address of yagna's REST API.
    pub api_url: String,
    /// The app-key of the identity that rents. It is neither recorded nor logged.
    pub app_key: String,
    /// The most that each deployment may cost, in the token of the payment network. Without it nothing can be
    /// rented.
    pub budget: Option<Decimal>,
    /// The network of the payment platform, such as `polygon` or `holesky`.
    pub payment_network: String,
    /// The subnet in which offers are searched.
    pub subnet: String,
    /// The address of the image registry.
    pub registry: String,
    /// The folders whose files descriptors may name.
    pub files: AllowedFolders,
    /// The time that better offers are waited for, after the first acceptable one.
    pub choice: Duration,
    /// The time that the provider of a service may be out of reach before the service counts as ended.
    pub unreachable: Duration,
    /// The time that the daemon may not answer before calls fail instead of being repeated.
    pub silence: Duration,
    /// The time that the last invoices of a deployment are waited for before its allocation is released.
    pub invoice: Duration,
    /// The program that calls [`run_agent`](crate::run_agent) with the word after the first one,
    /// [`VERB`](crate::VERB). By default this program.
    pub agent: PathBuf,
}

impl Options {
    /// Options for a daemon of this machine: its usual address, the public subnet, the test network `holesky`.
    pub fn new(folder: impl Into<PathBuf>, app_key: impl Into<String>) -> Self {
        Self {
            folder: folder.into(),
            api_url: "http://127.0.0.1:7465".into(),
            app_key: app_key.into(),
            budget: None,
            payment_network: "holesky".into(),
            subnet: "public".into(),
            registry: "https://registry.golem.network".into(),
            files: AllowedFolders::default(),
            choice: Duration::from_secs(1),
            unreachable: Duration::from_secs(30),
            silence: Duration::from_secs(60),
            invoice: Duration::from_secs(30),
            agent: "/proc/self/exe".into(),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Options");
        out.field("folder", &self.folder).field("api_url", &self.api_url).field("budget", &self.budget);
        out.field("payment_network", &self.payment_network).field("subnet", &self.subnet);
        out.finish_non_exhaustive()
    }
}

/// The reason why the adapter cannot start.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// Another adapter uses the folder.
    InUse(PathBuf),
    /// The folder cannot be created, read or written.
    Folder(PathBuf, io::Error),
    /// Requests cannot be sent at all.
    Transport(io::Error),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InUse(path) => write!(f, "another adapter uses `{}`", path.display()),
            Self::Folder(path, error) => write!(f, "cannot use `{}`: {error}", path.display()),
            Self::Transport(error) => write!(f, "requests cannot be sent: {error}"),
        }
    }
}

impl std::error::Error for OpenError {}
