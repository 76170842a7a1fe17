use std::net::Ipv4Addr;

use ::adapter::Asked;
use serde::{Deserialize, Serialize};

use crate::process::Birth;

/// What is kept of a service, so that the next adapter on the folder can go on with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// What was asked for, without secrets.
    pub(crate) asked: Asked,
    /// Whether secrets were taken out.
    pub(crate) lacks_secrets: bool,
    /// [`spec_hash`](protocol::spec_hash) of what was asked for, with secrets.
    pub(crate) spec_hash: String,
    pub(crate) stage: Stage,
    /// Written before each start: no two have the same.
    pub(crate) run: Run,
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

/// Which start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) number: u64,
    pub(crate) of: Of,
}

/// What is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Of {
    /// The program that keeps running.
    Main,
    /// A command that runs to its end.
    Init,
}

impl Run {
    pub(crate) fn next(&self, of: Of) -> Self {
        Self { number: self.number + 1, of }
    }

    /// As it stands in the environment, e.g. `main.3`.
    pub(crate) fn text(&self) -> String {
        let of = match self.of {
            Of::Main => "main",
            Of::Init => "init",
        };
        format!("{of}.{}", self.number)
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (of, number) = text.split_once('.')?;
        let of = match of {
            "main" => Of::Main,
            "init" => Of::Init,
            _ => return None,
        };
        Some(Self { number: number.parse().ok()?, of })
    }
}
