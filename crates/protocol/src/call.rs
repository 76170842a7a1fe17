use http::Method;
use serde::{Deserialize, Serialize};

use crate::{ResourceBody, ResourceId};

/// A call to an adapter.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// What are you, and what can you make?
    Describe,
    /// The OpenAPI document.
    OpenApi,
    /// How is it?
    Read(ResourceId),
    /// Make it.
    Create {
        /// Which.
        id: ResourceId,
        /// As what.
        wanted: ResourceBody,
        /// The same for each try.
        key: String,
    },
    /// Change it in place.
    Update {
        /// Which.
        id: ResourceId,
        /// Into what.
        wanted: ResourceBody,
        /// The same for each try.
        key: String,
        /// Only while it still is as it was read.
        if_match: Option<String>,
    },
    /// Destroy it.
    Destroy {
        /// Which.
        id: ResourceId,
        /// The same for each try.
        key: String,
        /// Only while it still is as it was read.
        if_match: Option<String>,
        /// Only where it belongs to the deployment of this lineage.
        deployment: Option<String>,
    },
    /// How are these?
    BatchRead(Vec<ResourceId>),
    /// What is there of a deployment?
    List {
        /// Its lineage.
        deployment: String,
        /// What the part before said.
        page: Option<String>,
    },
    /// What is there of all deployments of a name? For adapters with [`Feature::Lineage`](crate::Feature::Lineage).
    ListByName {
        /// The deployments' name.
        name: String,
        /// The lineage of the one that is left out.
        except: Option<String>,
        /// What the part before said.
        page: Option<String>,
    },
    /// How far is it?
    Operation {
        /// Which.
        op: String,
        /// Answer only once it is done, or after so many seconds.
        wait: Option<u32>,
    },
    /// Give it up, if you can.
    Cancel {
        /// Which.
        op: String,
    },
}

/// The kind of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// It is made.
    Create,
    /// It is changed in place.
    Update,
    /// It is destroyed.
    Destroy,
}

impl Verb {
    /// `create`, `update`, `destroy`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Destroy => "destroy",
        }
    }
}

/// One line of the protocol: routing, requests and the OpenAPI document all come from these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Endpoint {
    /// `GET {base}/v1`
    Describe,
    /// `GET {base}/v1/openapi.json`
    OpenApi,
    /// `GET {base}/v1/resources/{kind}/{id}`
    Read,
    /// `PUT {base}/v1/resources/{kind}/{id}`
    Create,
    /// `PATCH {base}/v1/resources/{kind}/{id}`
    Update,
    /// `DELETE {base}/v1/resources/{kind}/{id}`
    Destroy,
    /// `POST {base}/v1/resources:batchRead`
    BatchRead,
    /// `GET {base}/v1/resources`
    List,
    /// `GET {base}/v1/operations/{op}`
    Operation,
    /// `DELETE {base}/v1/operations/{op}`
    Cancel,
}

impl Endpoint {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Describe,
        Self::OpenApi,
        Self::Read,
        Self::Create,
        Self::Update,
        Self::Destroy,
        Self::BatchRead,
        Self::List,
        Self::Operation,
        Self::Cancel,
    ];

    /// Its name in texts and documents, e.g. `batch_read`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Describe => "describe",
            Self::OpenApi => "open_api",
            Self::Read => "read",
            Self::Create => "create",
            Self::Update => "update",
            Self::Destroy => "destroy",
            Self::BatchRead => "batch_read",
            Self::List => "list",
            Self::Operation => "operation",
            Self::Cancel => "cancel",
        }
    }

    /// Its path below the base, with `{…}` for what varies.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Describe => "/v1",
            Self::OpenApi => "/v1/openapi.json",
            Self::Read | Self::Create | Self::Update | Self::Destroy => "/v1/resources/{kind}/{id}",
            Self::BatchRead => "/v1/resources:batchRead",
            Self::List => "/v1/resources",
            Self::Operation | Self::Cancel => "/v1/operations/{op}",
        }
    }

    /// Its method.
    pub const fn method(self) -> Method {
        match self {
            Self::Describe | Self::OpenApi | Self::Read | Self::List | Self::Operation => Method::GET,
            Self::Create => Method::PUT,
            Self::Update => Method::PATCH,
            Self::Destroy | Self::Cancel => Method::DELETE,
            Self::BatchRead => Method::POST,
        }
    }
}

impl Call {
    /// Which line of the protocol it is.
    pub const fn endpoint(&self) -> Endpoint {
        match self {
            Self::Describe => Endpoint::Describe,
            Self::OpenApi => Endpoint::OpenApi,
            Self::Read(_) => Endpoint::Read,
            Self::Create { .. } => Endpoint::Create,
            Self::Update { .. } => Endpoint::Update,
            Self::Destroy { .. } => Endpoint::Destroy,
            Self::BatchRead(_) => Endpoint::BatchRead,
            Self::List { .. } | Self::ListByName { .. } => Endpoint::List,
            Self::Operation { .. } => Endpoint::Operation,
            Self::Cancel { .. } => Endpoint::Cancel,
        }
    }

    /// The effect on a resource; `None` for calls that only read.
    pub const fn verb(&self) -> Option<Verb> {
        match self {
            Self::Create { .. } => Some(Verb::Create),
            Self::Update { .. } => Some(Verb::Update),
            Self::Destroy { .. } => Some(Verb::Destroy),
            _ => None,
        }
    }

    /// The one resource it is about.
    pub const fn resource(&self) -> Option<&ResourceId> {
        match self {
            Self::Read(id) | Self::Create { id, .. } | Self::Update { id, .. } | Self::Destroy { id, .. } => {
                Some(id)
            }
            _ => None,
        }
    }
}
