use std::net::Ipv4Addr;

use ::adapter::ResourceRequest;
use serde::{Deserialize, Serialize};

use crate::process::Birth;

/// The record of a service, with which the next adapter on the folder can continue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The request, without secrets.
    #[serde(rename = "asked")]
    pub(crate) request: ResourceRequest,
    /// True if secrets were removed.
    pub(crate) lacks_secrets: bool,
    /// The [`spec_hash`](protocol::spec_hash) of the request, with secrets.
    pub(crate) spec_hash: String,
    pub(crate) stage: Stage,
    /// The number of starts of the main program; written before each start, so that it is unique.
    pub(crate) run: u64,
    /// The first process of that start; `None` before it is known.
    pub(crate) leader: Option<Birth>,
    /// The address on which it listens.
    pub(crate) ip: Ipv4Addr,
    /// The ports that are forwarded.
    pub(crate) ports: Vec<Port>,
    /// The number of restarts in a row.
    pub(crate) restarts: u32,
}

/// A port that is forwarded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Port {
    /// `http_proxy` or `tcp_proxy`.
    pub(crate) field: String,
    pub(crate) local: u16,
    pub(crate) remote: u16,
    /// True if the local port was requested.
    pub(crate) fixed: bool,
}

/// The progress of a service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "is")]
pub(crate) enum Stage {
    /// Its `init` commands run. They are not run a second time: another creation starts from the beginning.
    Init,
    /// The main program was started, or is about to be.
    Starting,
    /// It was ready once.
    Made,
    /// It has ended and is not restarted.
    Ended {
        /// A description of its end, for people.
        how: String,
    },
}

/// The start that a process belongs to, as it is written in its environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    /// The main program, with the number of its start: `main.3`.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Folders outlive programs: records of earlier versions are read.
    #[test]
    fn the_keys_of_a_record_stay() {
        let written = json!({
            "asked": {"kind": "service", "id": "s-1", "deployment": "d", "address": "services.web", "generation": 1, "spec": {}},
            "lacks_secrets": false, "spec_hash": "h", "stage": {"is": "made"}, "run": 1, "leader": null,
            "ip": "127.0.0.2", "ports": [], "restarts": 0,
        });
        let record: Record = serde_json::from_value(written.clone()).expect("a record");
        assert_eq!(serde_json::to_value(record).expect("JSON"), written);
    }
}
