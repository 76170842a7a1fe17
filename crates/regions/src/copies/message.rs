use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A request from a reader to an owner. Each may be sent again, and may arrive late or more than once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case")]
pub enum Request<K> {
    /// Changes from now on, and those after this revision first.
    Watch {
        /// The revision of the owner.
        after: u64,
    },
    /// The next page of a snapshot.
    Page {
        /// The last key of the page before; `None` for the first page.
        after: Option<K>,
    },
}

/// A message from an owner to a reader. It states what was so at some revision, which stays true however late it arrives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply<K: Ord, V> {
    /// To [`Request::Watch`], and again whenever something has changed.
    Changes(Changes<K, V>),
    /// To [`Request::Watch`]: the log does not reach back to what was asked for.
    Resync(Resync),
    /// To [`Request::Page`].
    Page(Page<K, V>),
}

/// The changes of an owner between two revisions which concern one reader, all of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Changes<K, V> {
    /// The revision after which they begin.
    pub after: u64,
    /// The revision with which they end.
    pub upto: u64,
    /// The changes, in the order of their revisions.
    pub changes: Vec<Change<K, V>>,
}

/// A change of a resource, as a reader sees it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Change<K, V> {
    /// The resource.
    pub key: K,
    /// The revision of the change.
    pub revision: u64,
    /// The new value; `None` if the resource was deleted, or is copied to the reader no more.
    pub value: Option<V>,
}

/// The place from which an owner can send changes, if that is not the one that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Resync {
    /// The revision that was asked for.
    pub asked: u64,
    /// The revision after which changes will be sent.
    pub at: u64,
}

/// The resources that are copied to a reader, with keys in a range, at one revision.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Page<K: Ord, V> {
    /// The key after which the range begins; `None` for the first page.
    pub after: Option<K>,
    /// The last key of the range; `None` if the range has no end.
    pub upto: Option<K>,
    /// The revision of the owner at which the page was read.
    pub at: u64,
    /// The resources, all that are in the range.
    #[serde(with = "crate::pairs", bound(serialize = "K: Serialize, V: Serialize"))]
    #[serde(bound(deserialize = "K: Deserialize<'de>, V: Deserialize<'de>"))]
    pub resources: BTreeMap<K, Versioned<V>>,
}

/// A value with the revision of its last change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Versioned<V> {
    /// The revision, of the owner.
    pub revision: u64,
    /// The value.
    pub value: V,
}
