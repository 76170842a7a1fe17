//! Resources of a store in the same process.

use std::{fmt, future::ready, rc::Rc, sync::Arc};

use api::{Api, DirectRequest, Problem};
use protocol::LocalFuture;
use serde_json::{Map, Value};
use spec::{KindId, Services, StandardMethod};

use crate::{
    Access, AccessError, ErrorKind, FieldViolation, ListQuery, Resource, Update, Version, http::parent_of,
};

/// Access to the store of an [`Api`], with the same checks and the same effects as requests to it.
#[derive(Clone)]
pub struct StoreAccess {
    api: Rc<Api>,
    services: Arc<Services>,
}

impl StoreAccess {
    /// To the store of an API of these services.
    pub fn new(api: Rc<Api>, services: Arc<Services>) -> Self {
        Self { api, services }
    }

    fn execute(
        &self,
        kind: KindId,
        method: StandardMethod,
        request: DirectRequest,
    ) -> Result<Value, AccessError> {
        // What earlier deletions left for later.
        while self.api.work() {}
        self.api.execute(kind, method, request).map_err(of_problem)
    }

    fn one(
        &self,
        kind: KindId,
        method: StandardMethod,
        request: DirectRequest,
    ) -> Result<Resource, AccessError> {
        self.execute(kind, method, request).map(|it| Resource::new(it, None))
    }

    fn all(&self, kind: KindId, query: &ListQuery) -> Result<Vec<Resource>, AccessError> {
        let field = self.services.kind(kind).map(|it| it.collection.to_string()).unwrap_or_default();
        let (mut all, mut token) = (Vec::new(), String::new());
        loop {
            let parameters = [("filter", &query.filter), ("pageToken", &token)];
            let request = DirectRequest {
                parent: query.parent.clone(),
                parameters: parameters
                    .into_iter()
                    .map(|(name, it)| (name.into(), Value::from(&**it)))
                    .collect(),
                ..DirectRequest::default()
            };
            let mut page = self.execute(kind, StandardMethod::List, request)?;
            all.extend(resources(&mut page, &field));
            match page.get("nextPageToken").and_then(Value::as_str) {
                Some(next) => token = next.to_owned(),
                None => return Ok(all),
            }
        }
    }

    fn several(&self, kind: KindId, names: Vec<String>) -> Result<Vec<Resource>, AccessError> {
        let field = self.services.kind(kind).map(|it| it.collection.to_string()).unwrap_or_default();
        let names = names.into_iter().map(Value::from).collect();
        let parameters = Map::from_iter([("names".to_owned(), Value::Array(names))]);
        let request = DirectRequest { parameters, ..DirectRequest::default() };
        let mut response = self.execute(kind, StandardMethod::BatchGet, request)?;
        Ok(resources(&mut response, &field))
    }

    fn new_resource(&self, kind: KindId, resource: Value) -> Result<Resource, AccessError> {
        let parent = parent_of(&self.services, kind, &resource)?;
        let request = DirectRequest { parent, resource: Some(resource), ..DirectRequest::default() };
        self.one(kind, StandardMethod::Create, request)
    }

    fn changed(&self, kind: KindId, update: Update) -> Result<Resource, AccessError> {
        let mut parameters = Map::new();
        if let Some(mask) = &update.mask {
            parameters.insert("updateMask".to_owned(), mask.to_json().into());
        }
        let request = DirectRequest {
            name: update.name,
            parameters,
            resource: Some(update.resource),
            expected: update.expected.map(|it| it.text),
            ..DirectRequest::default()
        };
        self.one(kind, StandardMethod::Update, request)
    }
}

/// The resources of a response.
fn resources(response: &mut Value, field: &str) -> Vec<Resource> {
    match response.get_mut(field).map(Value::take) {
        Some(Value::Array(items)) => items.into_iter().map(|it| Resource::new(it, None)).collect(),
        _ => Vec::new(),
    }
}

fn of_problem(problem: Problem) -> AccessError {
    let violations = problem.violations.into_iter().map(|it| FieldViolation {
        field: it.field,
        message: it.message,
        help: it.help.unwrap_or_default(),
    });
    AccessError {
        kind: ErrorKind::named(&problem.code).unwrap_or(ErrorKind::Internal),
        status: Some(problem.status),
        violations: violations.collect(),
        ..AccessError::new(ErrorKind::Internal, problem.detail)
    }
}

impl Access for StoreAccess {
    fn get(&self, kind: KindId, name: &str) -> LocalFuture<Result<Resource, AccessError>> {
        let request = DirectRequest { name: name.into(), ..DirectRequest::default() };
        Box::pin(ready(self.one(kind, StandardMethod::Get, request)))
    }

    fn batch_get(&self, kind: KindId, names: Vec<String>) -> LocalFuture<Result<Vec<Resource>, AccessError>> {
        Box::pin(ready(self.several(kind, names)))
    }

    fn list(&self, kind: KindId, query: ListQuery) -> LocalFuture<Result<Vec<Resource>, AccessError>> {
        Box::pin(ready(self.all(kind, &query)))
    }

    fn create(&self, kind: KindId, resource: Value) -> LocalFuture<Result<Resource, AccessError>> {
        Box::pin(ready(self.new_resource(kind, resource)))
    }

    fn update(&self, kind: KindId, update: Update) -> LocalFuture<Result<Resource, AccessError>> {
        Box::pin(ready(self.changed(kind, update)))
    }

    fn delete(
        &self,
        kind: KindId,
        name: &str,
        expected: Option<Version>,
    ) -> LocalFuture<Result<(), AccessError>> {
        let expected = expected.map(|it| it.text);
        let request = DirectRequest { name: name.into(), expected, ..DirectRequest::default() };
        let deleted = self.execute(kind, StandardMethod::Delete, request).map(drop);
        while self.api.work() {}
        Box::pin(ready(deleted))
    }
}

impl fmt::Debug for StoreAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StoreAccess").field(&self.api).finish()
    }
}
