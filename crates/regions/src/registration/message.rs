use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use crate::copies::Versioned;

use super::{Entry, EntryName};

/// A request to the registry. Each may be sent again, and may arrive late or more than once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case")]
#[serde(bound(deserialize = "N: Ord + serde::Deserialize<'de>"))]
pub enum Request<N: Ord> {
    /// The state of an entry.
    Read {
        /// The entry.
        name: EntryName<N>,
    },
    /// Another state of an entry, if it is still the one that the sender has seen.
    Write {
        /// The entry.
        name: EntryName<N>,
        /// The revision of the registry at which the sender has seen it.
        seen: u64,
        /// The new state; `None` deletes the entry.
        entry: Option<Entry<N>>,
    },
    /// Everything that is watched, or what has changed after a revision.
    Watch {
        /// The revision; `None` for everything.
        after: Option<u64>,
    },
}

/// A message from the registry. It states what was so at a revision, which stays true however late it arrives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
#[serde(bound(deserialize = "N: Ord + serde::Deserialize<'de>"))]
pub enum Reply<N: Ord> {
    /// To [`Request::Read`] and [`Request::Write`]: the state of an entry afterwards. The sender of a write sees in it whether
    /// its own was executed, also if it was executed before and the reply to that was lost.
    State(State<N>),
    /// To [`Request::Write`]: a rule forbids the new state.
    Refused {
        /// The entry.
        name: EntryName<N>,
        /// The rule.
        refusal: Refusal<N>,
    },
    /// To [`Request::Watch`]: everything that is watched.
    Snapshot {
        /// The revision at which it was so.
        at: u64,
        /// The entries.
        #[serde(with = "crate::pairs", bound(serialize = "N: Ord + Serialize"))]
        entries: BTreeMap<EntryName<N>, Versioned<Entry<N>>>,
    },
    /// To [`Request::Watch`]: the state of each watched entry that has changed between two revisions.
    Changes {
        /// The revision after which they begin.
        after: u64,
        /// The revision with which they end, and at which the states were so.
        upto: u64,
        /// The entries; `None` for one that was deleted.
        #[serde(with = "crate::pairs", bound(serialize = "N: Ord + Serialize"))]
        changes: BTreeMap<EntryName<N>, Option<Versioned<Entry<N>>>>,
    },
}

/// The state of an entry at a revision of the registry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(bound(deserialize = "N: Ord + serde::Deserialize<'de>"))]
pub struct State<N: Ord> {
    /// The entry.
    pub name: EntryName<N>,
    /// The revision.
    pub at: u64,
    /// The revision of the last deletion: writes of what was seen before it are not executed any more.
    pub last_deletion: u64,
    /// The entry; `None` if there is none.
    pub entry: Option<Versioned<Entry<N>>>,
}

/// The rule that forbids a write.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "refusal", rename_all = "snake_case")]
pub enum Refusal<N> {
    /// The registry does not have this region.
    NoRegion {
        /// The region.
        region: N,
    },
    /// The registry does not have the service of a kind of resource.
    NoService {
        /// The service.
        service: N,
    },
    /// The service does not enable the region of the deployment.
    NotEnabled {
        /// The region.
        region: N,
    },
    /// A service has to be deployed in each region of those that import it, which this one is not.
    NotImportable {
        /// The imported service.
        service: N,
        /// The region.
        region: N,
    },
    /// A service that imports this one is deployed in the region.
    Imported {
        /// The service that imports it.
        by: N,
        /// The region.
        region: N,
    },
    /// There is a deployment in the region, which has to be removed first.
    Deployed {
        /// The region.
        region: N,
    },
    /// The entry belongs to another installation.
    Taken {
        /// The number of that one.
        instance: u64,
    },
    /// The entry is of another type than its name.
    WrongType,
    /// The program has no version of the service.
    NoVersion,
    /// The deployment operates on a version that this program does not have.
    Unsupported {
        /// The version.
        version: N,
    },
}

impl<N: fmt::Display> fmt::Display for Refusal<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRegion { region } => write!(f, "the registry has no region `{region}`, which has to be added there"),
            Self::NoService { service } => write!(f, "the registry has no service `{service}`"),
            Self::NotEnabled { region } => write!(f, "the service does not enable the region `{region}`"),
            Self::NotImportable { service, region } => {
                write!(f, "the service imports `{service}`, which is not deployed in `{region}`")
            }
            Self::Imported { by, region } => {
                write!(f, "`{by}` imports the service and is deployed in `{region}`")
            }
            Self::Deployed { region } => write!(f, "there is a deployment in `{region}`"),
            Self::Taken { .. } => f.write_str(
                "another installation is registered for the service in this region: it has to be withdrawn, or this one be in \
                 another region",
            ),
            Self::WrongType => f.write_str("the entry is of another type than its name"),
            Self::NoVersion => f.write_str("the program has no version of the service"),
            Self::Unsupported { version } => {
                write!(f, "the deployment operates on version `{version}`, which this program does not have")
            }
        }
    }
}
