use fields::FieldMask;
use protocol::LocalFuture;
use serde_json::Value;
use spec::KindId;

use crate::{AccessError, Resource, Version};

/// The standard methods of services. Values are JSON of proto3; kinds are places in the services that the implementation was
/// made with.
///
/// Each is one effect, however often requests had to be sent for it.
pub trait Access {
    /// A resource by its name.
    ///
    /// # Errors
    /// [`NotFound`](crate::ErrorKind::NotFound) if there is none.
    fn get(&self, kind: KindId, name: &str) -> LocalFuture<Result<Resource, AccessError>>;

    /// Those of some resources that exist, in the order of their names.
    fn batch_get(&self, kind: KindId, names: Vec<String>) -> LocalFuture<Result<Vec<Resource>, AccessError>>;

    /// All pages of a list. A resource that is created or deleted meanwhile may be in it or not.
    fn list(&self, kind: KindId, query: ListQuery) -> LocalFuture<Result<Vec<Resource>, AccessError>>;

    /// Creates a resource with the name that it has.
    ///
    /// # Errors
    /// [`AlreadyExists`](crate::ErrorKind::AlreadyExists) if a resource of that name was there before;
    /// [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if it has no name.
    fn create(&self, kind: KindId, resource: Value) -> LocalFuture<Result<Resource, AccessError>>;

    /// Changes fields of a resource.
    ///
    /// # Errors
    /// [`Aborted`](crate::ErrorKind::Aborted) if it has another version than the expected one: read it again.
    fn update(&self, kind: KindId, update: Update) -> LocalFuture<Result<Resource, AccessError>>;

    /// Deletes a resource.
    ///
    /// # Errors
    /// [`Aborted`](crate::ErrorKind::Aborted) as for updates; [`NotFound`](crate::ErrorKind::NotFound) if there is none;
    /// [`FailedPrecondition`](crate::ErrorKind::FailedPrecondition) if others refer to it.
    fn delete(
        &self,
        kind: KindId,
        name: &str,
        expected: Option<Version>,
    ) -> LocalFuture<Result<(), AccessError>>;
}

/// The selection of the resources of a kind that are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListQuery {
    /// The name of what contains them; its ids may be the wildcard `-`. Empty for the root.
    pub parent: String,
    /// A filter in the language of the service; empty for all.
    pub filter: String,
}

impl ListQuery {
    /// All resources in a parent.
    pub fn within(parent: impl Into<String>) -> Self {
        Self { parent: parent.into(), filter: String::new() }
    }
}

/// A change of a resource.
#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    /// The name of the resource.
    pub name: String,
    /// The new values.
    pub resource: Value,
    /// The fields that change; a field that `resource` lacks is cleared. `None` replaces the resource.
    pub mask: Option<FieldMask>,
    /// The version that the resource must have.
    pub expected: Option<Version>,
}
