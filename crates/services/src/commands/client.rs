//! Calls of a client over HTTP: requests by the routes of the specification, to the service in memory.

use std::{cell::RefCell, future::ready, rc::Rc};

use access::{Access, AccessError, HttpAccess, ListQuery, Resource, Server, Update, Version};
use api::Api;
use fields::FieldMask;
use http::{Request, Response};
use protocol::{LocalFuture, Transport, TransportError};
use runtime::Timer;
use serde_json::Value;
use spec::KindId;
use store::Millis;
use workspace::view::{ClientMethod, ServiceCommand, ServiceResult};

use super::{Outcome, invalid, of_access};
use crate::{
    ServiceSession,
    session::{now, whole},
};

/// The address before the paths of requests; they go nowhere.
const ADDRESS: &str = "http://localhost";

pub(super) fn call(session: &ServiceSession, command: &ServiceCommand) -> Outcome {
    let ServiceCommand::Call { method, r#type, name, filter, resource, update_mask, expected_version } =
        command
    else {
        return Ok(ServiceResult::default());
    };
    let kind = session.kind(r#type)?;
    let mask = update_mask.as_deref().map(FieldMask::parse_json).transpose();
    let mask = mask.map_err(|error| invalid(format!("`update_mask`: {}", error.message)))?;
    let client = Client {
        kind,
        name: name.clone().unwrap_or_default(),
        filter: filter.clone().unwrap_or_default(),
        resource: resource.clone().unwrap_or_default(),
        mask,
        expected: expected_version.clone().map(|text| Version { text, is_field: false }),
    };
    let requests = Rc::new(RefCell::new(Vec::new()));
    let access = access(session, &requests).ok_or_else(|| invalid("there is no client".into()))?;
    let done = now(client.call(&access, *method)).unwrap_or_else(|| Ok(ServiceResult::default()));
    let result = done
        .unwrap_or_else(|error| ServiceResult { error: Some(of_access(error)), ..ServiceResult::default() });
    Ok(ServiceResult { requests: requests.take(), ..result })
}

/// A client of the service; it notes its requests.
pub(super) fn access(session: &ServiceSession, requests: &Rc<RefCell<Vec<String>>>) -> Option<HttpAccess> {
    let wire = Wire { api: session.api().clone(), requests: requests.clone() };
    let server = Server::new(ADDRESS, None)?;
    let (services, schemas) = (session.services().clone(), session.schemas().clone());
    Some(HttpAccess::new(services, schemas, server, Rc::new(wire), Rc::new(Hurry)))
}

struct Client {
    kind: KindId,
    name: String,
    filter: String,
    resource: Value,
    mask: Option<FieldMask>,
    expected: Option<Version>,
}

impl Client {
    async fn call(self, access: &HttpAccess, method: ClientMethod) -> Result<ServiceResult, AccessError> {
        let Self { kind, name, filter, resource, mask, expected } = self;
        match method {
            ClientMethod::Get => access.get(kind, &name).await.map(one),
            ClientMethod::List => {
                let found = access.list(kind, ListQuery { parent: name, filter }).await?;
                let resources = found.into_iter().map(|it| it.value).collect();
                Ok(ServiceResult { resources: Some(resources), ..ServiceResult::default() })
            }
            ClientMethod::Create => access.create(kind, resource).await.map(one),
            ClientMethod::Update => {
                let name = resource.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
                access.update(kind, Update { name, resource, mask, expected }).await.map(one)
            }
            ClientMethod::Delete => {
                access.delete(kind, &name, expected).await.map(|()| ServiceResult::default())
            }
        }
    }
}

fn one(resource: Resource) -> ServiceResult {
    ServiceResult { resource: Some(resource.value), ..ServiceResult::default() }
}

/// Requests that are answered in this process.
struct Wire {
    api: Rc<Api>,
    requests: Rc<RefCell<Vec<String>>>,
}

impl Transport for Wire {
    fn send(&self, request: Request<Vec<u8>>) -> LocalFuture<Result<Response<Vec<u8>>, TransportError>> {
        let target = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
        let line = format!("{} {target}", request.method());
        let response = whole(self.api.answer(request));
        self.requests.borrow_mut().push(format!("{line} {}", response.status().as_u16()));
        Box::pin(ready(Ok(response)))
    }
}

/// Nothing has to be waited for.
struct Hurry;

impl Timer for Hurry {
    fn now(&self) -> Millis {
        Millis(0)
    }

    fn sleep_until(&self, _: Millis) -> LocalFuture<()> {
        Box::pin(ready(()))
    }
}
