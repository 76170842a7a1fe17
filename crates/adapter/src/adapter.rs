use model::Phase;
use protocol::{Problem, ResourceId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// The trait that makes real resources of some kinds. GAP-16's ResourceAdapter.
///
/// Each method is about one resource, and never called for the same one twice at a time. A call may be given up by a
/// crash at any point and comes again: what was begun must be found by the id, which never changes. Long work is fine,
/// its caller is told of it meanwhile; a method that comes back with [`Phase::Pending`] is followed by reads until the
/// resource is active.
#[expect(async_fn_in_trait, reason = "adapters live in one thread, so that they can live in a page too")]
pub trait Adapter {
    /// Makes it. What an earlier try left under the same id is taken over or taken away.
    ///
    /// # Errors
    /// The problem to tell; places of the spec that are to blame as pointers.
    async fn create(&self, request: &ResourceRequest) -> Result<ObservedResource, Problem>;

    /// How it is; `None` when it is gone. A [`Known`] without identity is one whose creation did not come back:
    /// whether there is anything is found by the id.
    ///
    /// # Errors
    /// Where that cannot be told at the moment.
    async fn read(&self, known: &Known) -> Result<Option<ObservedResource>, Problem>;

    /// Changes it in place.
    ///
    /// # Errors
    /// [`RebuildRequired`](protocol::Code::RebuildRequired), with nothing changed, where that cannot be done in place.
    async fn update(&self, known: &Known, request: &ResourceRequest) -> Result<ObservedResource, Problem>;

    /// Destroys it. That it is gone already is no error.
    ///
    /// # Errors
    /// Where it is still there.
    async fn destroy(&self, known: &Known) -> Result<(), Problem>;

    /// What a call that is under way for it is doing, in a line, e.g. `pulling the image, 3 of 40 MiB`. Who waits is told.
    fn progress(&self, _id: &ResourceId) -> Option<String> {
        None
    }
}

/// The resource that is requested at an id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResourceRequest {
    /// Kind and id.
    #[serde(flatten)]
    pub id: ResourceId,
    /// The deployment's lineage.
    pub deployment: String,
    /// What it is called there, e.g. `services.web`.
    pub address: String,
    /// How often it was made anew, from 1.
    pub generation: u64,
    /// Its attributes, all of them.
    pub spec: Map<String, Json>,
}

/// A resource that was created, as it was last reported.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// What was asked for last.
    #[serde(flatten)]
    pub request: ResourceRequest,
    /// What finds the real thing, as a method gave it; `None` while none has come back.
    #[serde(default)]
    pub identity: Option<Map<String, Json>>,
    /// What was told of it last.
    #[serde(default)]
    pub outputs: Map<String, Json>,
}

/// How a real thing is.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedResource {
    /// Pending until it is ready.
    pub phase: Phase,
    /// What finds it again.
    pub identity: Map<String, Json>,
    /// The attributes that can be seen, as they are; the others count as being as they were asked for.
    pub spec: Map<String, Json>,
    /// Values that exist only since it does.
    pub outputs: Map<String, Json>,
    /// How it is, in a line.
    pub message: Option<String>,
}
