use std::{collections::BTreeMap, fmt, rc::Rc};

use protocol::LocalFuture;
use serde_json::Value;
use spec::KindId;

use crate::{Access, AccessError, ErrorKind, ListQuery, Resource, Update, Version};

/// An access for each service, by its place.
#[derive(Clone, Default)]
pub struct ByService(BTreeMap<usize, Rc<dyn Access>>);

impl ByService {
    /// Without any.
    pub fn new() -> Self {
        Self::default()
    }

    /// With one more.
    #[must_use]
    pub fn with(mut self, service: usize, access: Rc<dyn Access>) -> Self {
        self.0.insert(service, access);
        self
    }

    /// True if a service has one.
    pub fn has(&self, service: usize) -> bool {
        self.0.contains_key(&service)
    }

    fn call<T: 'static>(
        &self,
        kind: KindId,
        call: impl FnOnce(&dyn Access) -> LocalFuture<Result<T, AccessError>>,
    ) -> LocalFuture<Result<T, AccessError>> {
        match self.0.get(&kind.service) {
            Some(access) => call(&**access),
            None => Box::pin(async {
                Err(AccessError::new(
                    ErrorKind::Unavailable,
                    "there is no address for the service of the kind",
                ))
            }),
        }
    }
}

impl Access for ByService {
    fn get(&self, kind: KindId, name: &str) -> LocalFuture<Result<Resource, AccessError>> {
        self.call(kind, |it| it.get(kind, name))
    }

    fn batch_get(&self, kind: KindId, names: Vec<String>) -> LocalFuture<Result<Vec<Resource>, AccessError>> {
        self.call(kind, |it| it.batch_get(kind, names))
    }

    fn list(&self, kind: KindId, query: ListQuery) -> LocalFuture<Result<Vec<Resource>, AccessError>> {
        self.call(kind, |it| it.list(kind, query))
    }

    fn create(&self, kind: KindId, resource: Value) -> LocalFuture<Result<Resource, AccessError>> {
        self.call(kind, |it| it.create(kind, resource))
    }

    fn update(&self, kind: KindId, update: Update) -> LocalFuture<Result<Resource, AccessError>> {
        self.call(kind, |it| it.update(kind, update))
    }

    fn delete(
        &self,
        kind: KindId,
        name: &str,
        expected: Option<Version>,
    ) -> LocalFuture<Result<(), AccessError>> {
        self.call(kind, |it| it.delete(kind, name, expected))
    }
}

impl fmt::Debug for ByService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ByService").field(&self.0.keys()).finish()
    }
}
