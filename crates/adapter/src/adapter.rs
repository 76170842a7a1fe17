use model::Phase;
use protocol::{Problem, ResourceId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// Creates, reads, updates and destroys real resources of some kinds. This is the resource adapter
/// of the Golem application model.
///
/// Each method is about one resource, and there are never two calls at a time for the same resource. A crash
/// can interrupt a call at any point, and the call is then repeated: whatever it started has to be found by
/// the id, which never changes. A call may take long: its caller receives progress reports meanwhile. After a
/// method returns [`Phase::Pending`], the resource is read until it is active.
#[expect(async_fn_in_trait, reason = "adapters live in one thread, so that they can live in a page too")]
pub trait Adapter {
    /// Creates the resource. Remains of an earlier attempt under the same id are taken over or removed.
    ///
    /// # Errors
    /// The problem to report; its violations are pointers to the parts of the spec that cause it.
    ///
    /// [`ExistsDifferently`](protocol::Code::ExistsDifferently) means that it belongs to somebody else: it is not recorded then.
    async fn create(&self, request: &ResourceRequest) -> Result<ObservedResource, Problem>;

    /// The same after an earlier attempt with the same request, whose result is not known. Where names are chosen by users, only
    /// now can a resource that exists already be the one that was requested. By default there is no difference.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    async fn create_again(&self, request: &ResourceRequest) -> Result<ObservedResource, Problem> {
        self.create(request).await
    }

    /// Returns the current state of the resource; `None` if it no longer exists. A [`Known`] without identity
    /// is a resource whose creation did not return: look for it by its id.
    ///
    /// # Errors
    /// The state cannot be determined at the moment.
    async fn read(&self, known: &Known) -> Result<Option<ObservedResource>, Problem>;

    /// Changes the resource in place.
    ///
    /// # Errors
    /// [`RebuildRequired`](protocol::Code::RebuildRequired), with nothing changed, if that cannot be done in
    /// place.
    async fn update(&self, known: &Known, request: &ResourceRequest) -> Result<ObservedResource, Problem>;

    /// Destroys the resource. It is no error if it no longer exists.
    ///
    /// # Errors
    /// The resource still exists.
    async fn destroy(&self, known: &Known) -> Result<(), Problem>;

    /// The progress of a call that is in progress for the resource, in a line, e.g.
    /// `pulling the image, 3 of 40 MiB`. It is reported to callers that wait.
    fn progress(&self, _id: &ResourceId) -> Option<String> {
        None
    }
}

/// The resource that is requested at an id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResourceRequest {
    /// The kind and the id.
    #[serde(flatten)]
    pub id: ResourceId,
    /// The lineage of the deployment.
    pub deployment: String,
    /// The address in that deployment, e.g. `services.web`.
    pub address: String,
    /// The number of times that the resource was created, from 1.
    pub generation: u64,
    /// All attributes.
    pub spec: Map<String, Json>,
}

/// A resource that was created, as it was last reported.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// The last request for it.
    #[serde(flatten)]
    pub request: ResourceRequest,
    /// The identity by which the real resource is found, as a method returned it; `None` as long as none did.
    #[serde(default)]
    pub identity: Option<Map<String, Json>>,
    /// The outputs that were last reported.
    #[serde(default)]
    pub outputs: Map<String, Json>,
}

/// The state of a real resource.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedResource {
    /// Pending until the resource is ready.
    pub phase: Phase,
    /// The identity by which the resource is found again.
    pub identity: Map<String, Json>,
    /// The actual values of attributes that can be observed; the others are assumed to be as requested.
    pub spec: Map<String, Json>,
    /// Values that are only known once the resource exists.
    pub outputs: Map<String, Json>,
    /// The state in a line, for people.
    pub message: Option<String>,
}
