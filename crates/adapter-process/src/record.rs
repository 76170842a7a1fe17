use std::net::Ipv4Addr;

use ::adapter::ResourceRequest;
use serde::{Deserialize, Serialize};

use crate::process::Birth;

/// What is kept of a service, so that the next adapter on the folder can go on with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// What was asked for, without secrets.
    pub(crate) asked: ResourceRequest,
    /// Whether secrets were taken out.
    pub(crate) lacks_secrets: bool,
    /// [`spec_hash`](protocol::spec_hash) of what was asked for, with secrets.
    pub(crate) spec_hash: String,
    pub(crate) stage: Stage,
    /// How often the program that keeps running was started; written before each start, so no two have the same.
    pub(crate) run: u64,
    /// The first process of that start; `None` before it is known.
    pub(crate) leader: Option<Birth>,
    /// Where it listens.
    pub(crate) ip: Ipv4Addr,
    /// The ports that are forwarded.
    pub(crate) ports: Vec<Port>,
    /// How often it was started again in a row.
    pub(crate) restarts: u32,
}

/// A port that is forwarded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Port {
    /// `http_proxy` or `tcp_proxy`.
    pub(crate) field: String,
    pub(crate) local: u16,
    pub(crate) remote: u16,
    /// Whether the local one was asked for.
    pub(crate) fixed: bool,
}

/// How far a service is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "is")]
pub(crate) enum Stage {
    /// Its `init` commands run. They are not carried out a second time: who comes later begins anew.
    Init,
    /// The program that keeps running was started, or is about to be.
    Starting,
    /// It was ready once.
    Made,
    /// It ended and is not started again; how, for people.
    Ended {
        /// For people.
        how: String,
    },
}

/// What is started, as it stands in the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    /// The program that keeps running, for the so-many-th time: `main.3`.
    Main(u64),
    /// A command that runs to its end: `init`.
    Init,
}

impl Run {
    pub(crate) fn text(self) -> String {
        match self {
            Self::Main(number) => format!("main.{number}"),
            Self::Init => "init".into(),
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text.strip_prefix("main.") {
            Some(number) => number.parse().ok().map(Self::Main),
            None => (text == "init").then_some(Self::Init),
        }
    }
}
