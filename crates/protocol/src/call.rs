use http::Method;
use serde::{Deserialize, Serialize};

use crate::{ResourceBody, ResourceId};

/// A call to an adapter.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// Requests the adapter's description.
    Describe,
    /// Requests the OpenAPI document.
    OpenApi,
    /// Reads a resource.
    Read(ResourceId),
    /// Creates a resource.
    Create {
        /// The resource.
        id: ResourceId,
        /// The requested state.
        body: ResourceBody,
        /// The idempotency key, the same for each attempt.
        key: String,
    },
    /// Changes a resource in place.
    Update {
        /// The resource.
        id: ResourceId,
        /// The requested state.
        body: ResourceBody,
        /// The idempotency key, the same for each attempt.
        key: String,
        /// The ETag that the resource must still have.
        if_match: Option<String>,
    },
    /// Destroys a resource.
    Destroy {
        /// The resource.
        id: ResourceId,
        /// The idempotency key, the same for each attempt.
        key: String,
        /// The ETag that the resource must still have.
        if_match: Option<String>,
        /// The lineage of the deployment that the resource must belong to.
        deployment: Option<String>,
    },
    /// Reads several resources.
    BatchRead(Vec<ResourceId>),
    /// Lists the resources of a deployment.
    List {
        /// The lineage of the deployment.
        deployment: String,
        /// The token from the previous page.
        page: Option<String>,
    },
    /// Lists the resources of all deployments of a name. For adapters with
    /// [`Feature::Lineage`](crate::Feature::Lineage).
    ListByName {
        /// The name of the deployments.
        name: String,
        /// The lineage of a deployment that is left out.
        except: Option<String>,
        /// The token from the previous page.
        page: Option<String>,
    },
    /// Reads the state of an operation.
    Operation {
        /// The name of the operation.
        op: String,
        /// If given, respond only once the operation has ended, or after that many seconds.
        wait: Option<u32>,
    },
    /// Cancels an operation, if the adapter supports that.
    Cancel {
        /// The name of the operation.
        op: String,
    },
}

/// The kind of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// The resource is created.
    Create,
    /// The resource is changed in place.
    Update,
    /// The resource is destroyed.
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

/// An endpoint of the protocol: routing, requests and the OpenAPI document are derived from these.
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
    /// All endpoints.
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

    /// The name in texts and documents, e.g. `batch_read`.
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

    /// The path below the base, with `{…}` for parameters.
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

    /// The HTTP method.
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
    /// The endpoint of the call.
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

    /// The one resource that the call is about.
    pub const fn resource(&self) -> Option<&ResourceId> {
        match self {
            Self::Read(id) | Self::Create { id, .. } | Self::Update { id, .. } | Self::Destroy { id, .. } => {
                Some(id)
            }
            _ => None,
        }
    }
}
