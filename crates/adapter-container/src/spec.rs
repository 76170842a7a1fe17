use std::{net::IpAddr, time::Duration};

use ::adapter::spec::{self, CommandLine, Init, Proxy, Variable};
use model::Redactor;

/// A value of a spec, and its pointer.
#[derive(Clone, Debug)]
pub(crate) struct Located<T> {
    pub(crate) value: T,
    pub(crate) pointer: String,
}

/// The attributes of a service that runs as a container.
#[derive(Clone, Debug)]
pub(crate) struct ServiceSpec {
    pub(crate) source: Source,
    /// The command that replaces that of the image.
    pub(crate) command: Option<CommandLine>,
    pub(crate) init: Vec<Init>,
    pub(crate) env: Vec<Variable>,
    pub(crate) secrets: Vec<Variable>,
    pub(crate) cwd: Option<String>,
    pub(crate) mounts: Vec<Located<Mount>>,
    pub(crate) network: Option<String>,
    /// The fixed addresses: at most one of each family.
    pub(crate) fixed: Vec<Located<IpAddr>>,
    pub(crate) proxies: Vec<Proxy>,
    pub(crate) readiness: Readiness,
    pub(crate) restart: Restart,
    pub(crate) limits: Limits,
    pub(crate) stop: Stop,
}

/// The source of the image.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Image(Located<String>, Pull),
    Build(Located<String>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pull {
    Missing,
    Always,
    Never,
}

/// A path of the machine, and its path in the container.
#[derive(Clone, Debug)]
pub(crate) struct Mount {
    pub(crate) source: String,
    pub(crate) target: String,
    pub(crate) writable: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Readiness {
    /// The check; if it is `None`, it depends on the image.
    pub(crate) check: Option<Check>,
    pub(crate) timeout: Duration,
}

/// A check whether a service is ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    /// A check that every adapter supports.
    Usual(spec::Check),
    /// The health check of the image succeeds.
    Health,
}

impl Check {
    pub(crate) const fn port(&self) -> Option<u16> {
        match self {
            Self::Usual(check) => check.port(),
            Self::Health => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Restart {
    Never,
    OnFailure(Option<u32>),
    Always,
}

/// The limits of a container.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) memory_mib: Option<u32>,
    /// In billionths of a CPU.
    pub(crate) nano_cpus: Option<i64>,
    pub(crate) pids: Option<u32>,
}

impl Limits {
    /// The limit in bytes.
    pub(crate) fn memory(&self) -> Option<i64> {
        self.memory_mib.map(|it| i64::from(it) << 20)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Stop {
    pub(crate) signal: Option<String>,
    pub(crate) grace: Duration,
}

impl ServiceSpec {
    /// The port in `PLANLOOM_PORT`: the first proxied one, else that of the readiness check.
    pub(crate) fn port(&self) -> Option<u16> {
        let check = self.readiness.check.as_ref().and_then(Check::port);
        self.proxies.first().map(|it| it.remote).or(check)
    }

    /// The pointer for errors of the program that it runs.
    pub(crate) fn program(&self) -> &str {
        match (&self.command, &self.source) {
            (Some(command), _) => &command.pointer,
            (None, Source::Image(image, _)) => &image.pointer,
            (None, Source::Build(folder)) => &folder.pointer,
        }
    }

    /// The variables whose values are hidden.
    pub(crate) fn hidden(&self) -> impl Iterator<Item = &Variable> {
        spec::hidden_variables(&self.env, &self.secrets, &self.init)
    }

    /// A redactor that removes these values from texts.
    pub(crate) fn redactor(&self) -> Redactor {
        spec::redactor_of(self.hidden())
    }
}
