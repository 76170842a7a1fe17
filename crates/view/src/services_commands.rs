//! Commands to services in memory besides requests: transactions, calls of a client, watchers, usage, fixtures.

use serde::{Deserialize, Serialize};

use crate::{PlanView, ServiceChange, closed_set::closed_set};

closed_set! {
    /// A standard method that a client calls.
    ClientMethod {
        /// A resource by its name.
        Get = "get",
        /// All pages of a list.
        List = "list",
        /// A new resource with the name that it has.
        Create = "create",
        /// A change of a resource, or of the fields of a mask.
        Update = "update",
        /// A deletion.
        Delete = "delete",
    }
}

/// A command for a service in memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceCommand", optional_fields))]
pub enum ServiceCommand {
    /// Opens a transaction under a name. It reads from one state, and its writes are seen by nobody before its commit.
    Begin {
        /// The name; a transaction that is open under it is dropped.
        transaction: String,
        /// True if it refuses writes.
        read_only: Option<bool>,
    },
    /// Reads a resource in a transaction.
    Get {
        /// The transaction.
        transaction: String,
        /// The kind, with its service.
        r#type: String,
        /// The name of the resource.
        name: String,
    },
    /// Reads resources in a transaction.
    List {
        /// The transaction.
        transaction: String,
        /// The kind, with its service.
        r#type: String,
        /// The parent, which may have wildcards; all resources without it.
        parent: Option<String>,
        /// The filter; all resources without it.
        filter: Option<String>,
    },
    /// Creates a resource, with the name that it has, when the transaction is committed.
    Create {
        /// The transaction.
        transaction: String,
        /// The kind, with its service.
        r#type: String,
        /// The resource.
        #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
        resource: serde_json::Value,
    },
    /// Replaces a resource when the transaction is committed.
    Update {
        /// The transaction.
        transaction: String,
        /// The kind, with its service.
        r#type: String,
        /// The resource, with its name.
        #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
        resource: serde_json::Value,
    },
    /// Deletes a resource when the transaction is committed.
    Delete {
        /// The transaction.
        transaction: String,
        /// The kind, with its service.
        r#type: String,
        /// The name of the resource.
        name: String,
    },
    /// Commits a transaction, all of it or nothing, and closes it.
    Commit {
        /// The transaction.
        transaction: String,
    },
    /// Closes a transaction without any effect.
    Rollback {
        /// The transaction.
        transaction: String,
    },
    /// Calls a standard method as a client of the service over HTTP.
    Call {
        /// The method.
        method: ClientMethod,
        /// The kind, with its service.
        r#type: String,
        /// The name of the resource, for `get` and `delete`; of the parent, for `list`.
        name: Option<String>,
        /// The filter, for `list`.
        filter: Option<String>,
        /// The resource with its name, for `create` and `update`.
        #[cfg_attr(feature = "typescript", ts(type = "unknown", optional))]
        resource: Option<serde_json::Value>,
        /// The fields that `update` changes, such as `displayName,spec.image`; without it, all of them.
        update_mask: Option<String>,
        /// The version that the resource must have, as `metadata.resourceVersion` has it.
        expected_version: Option<String>,
    },
    /// Watches the resources that any of some queries selects, under a name. With the name of a watcher, changes its queries:
    /// then there are no events until it has the resources of the new ones.
    Watch {
        /// The name of the watcher.
        watcher: String,
        /// The queries.
        queries: Vec<WatchQuery>,
        /// The time that a disconnection may last before the watcher reports that it is not in sync, in seconds.
        recovery_deadline_seconds: Option<u32>,
    },
    /// Returns the events that a watcher has seen since the last poll; if it is connected, it first reads its streams.
    Poll {
        /// The watcher.
        watcher: String,
    },
    /// Breaks the streams of a watcher, as a failure of the network does.
    Disconnect {
        /// The watcher.
        watcher: String,
    },
    /// Lets a watcher connect again: its next poll continues where its streams ended.
    Connect {
        /// The watcher.
        watcher: String,
    },
    /// Lets time pass.
    Wait {
        /// The number of seconds, besides the one that each command and each request takes.
        seconds: u32,
    },
    /// Reads a resource through a cache, as a reader that finds nothing does at first: it reserves the place and reads the
    /// store. The value that it read is in the cache only after `store_read`; commits clear the entries of the resources that
    /// they change.
    ReadCached {
        /// The name of the reader.
        reader: String,
        /// The kind, with its service.
        r#type: String,
        /// The name of the resource.
        name: String,
    },
    /// Stores the value that a reader has read, if the place is still reserved for it.
    StoreRead {
        /// The reader.
        reader: String,
        /// True if any reservation will do, even that of another reader, as in caches that only check that there is one.
        any_reservation: Option<bool>,
    },
    /// Returns the usage of each project.
    Usage,
    /// Returns the changes that give the service what the fixtures of the workspace declare. Nothing is changed.
    PlanFixtures {
        /// Deletes also resources that record no group and are not in the files.
        prune: Option<bool>,
    },
    /// Plans the same, and does it.
    ApplyFixtures {
        /// Deletes also resources that record no group and are not in the files.
        prune: Option<bool>,
    },
}

/// Resources that a watcher selects.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "WatchQuery"))]
pub struct WatchQuery {
    /// The kind, with its service.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "typescript", ts(rename = "type"))]
    pub type_name: String,
    /// The parent, which may have wildcards; the root without it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>", optional))]
    pub parent: String,
    /// The filter; all resources without it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>", optional))]
    pub filter: String,
}

/// The result of a command. Fields that do not apply to the command are absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceResult", optional_fields))]
pub struct ServiceResult {
    /// The requests that a client sent, each with its status: `GET /v1/books 200`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub requests: Vec<String>,
    /// The resource that was read or written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(type = "unknown", optional))]
    pub resource: Option<serde_json::Value>,
    /// The resources that were listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(type = "unknown[]", optional))]
    pub resources: Option<Vec<serde_json::Value>>,
    /// True if a cache had the resource, or stored the value that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached: Option<bool>,
    /// The events that a watcher has seen, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<WatcherEventView>>,
    /// The usage of projects, in order of their ids.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Vec<ProjectUsage>>,
    /// A plan for fixtures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanView>,
    /// The reason why the command was refused; then nothing was changed, except by fixtures, which end at the first failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ServiceError>,
    /// The changes of resources, as in responses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<ServiceChange>>", optional))]
    pub changes: Vec<ServiceChange>,
}

/// The reason why a command was refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceError"))]
pub struct ServiceError {
    /// The kind of error, after the codes of gRPC: `not_found`.
    pub code: String,
    /// The status of HTTP.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub status: Option<u16>,
    /// The problem.
    pub message: String,
    /// The problems of parts, or the resources that prevent it, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub violations: Vec<String>,
}

/// An event that a watcher has seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "WatcherEvent"))]
pub enum WatcherEventView {
    /// It is in sync, and these are all resources. Everything known before is obsolete.
    Resync {
        /// The resources, in order of their names.
        #[cfg_attr(feature = "typescript", ts(type = "unknown[]"))]
        resources: Vec<serde_json::Value>,
    },
    /// A resource was created or changed, or is selected now.
    Changed {
        /// The resource.
        #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
        resource: serde_json::Value,
    },
    /// A resource was deleted, or no query selects it any more.
    Removed {
        /// Its name.
        name: String,
    },
    /// The watcher was disconnected for too long: its resources may be outdated, until it is in sync again.
    LostSync,
}

/// The usage of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ProjectUsage"))]
pub struct ProjectUsage {
    /// The id of the project.
    pub project: String,
    /// Requests about the project or its resources.
    pub calls: u64,
    /// Those of them that failed.
    pub failed_calls: u64,
    /// The bytes of their bodies.
    pub request_bytes: u64,
    /// The bytes of the bodies of their responses.
    pub response_bytes: u64,
    /// Resources in their responses, of the methods that read.
    pub reads: u64,
    /// Resources that were created, updated or removed by commits.
    pub writes: u64,
}
