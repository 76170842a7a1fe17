//! Writes, each of which has its effect once.

use fields::FieldMask;
use serde_json::Value;
use spec::{KindId, StandardMethod};

use super::{
    Client,
    method::{self, parent_of},
    outgoing::Outgoing,
    retry::{Attempts, is_transient},
};
use crate::{AccessError, ErrorKind, Resource, Update, Version, compare::has_all};

impl Client {
    pub(super) async fn create(&self, kind: KindId, resource: Value) -> Result<Resource, AccessError> {
        let parent = parent_of(&self.services, kind, &resource)?;
        let name = resource.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let outgoing = Outgoing { name, parent, resource: Some(resource), ..Outgoing::default() };
        let (mut attempts, mut is_unclear) = (Attempts::new(self), false);
        loop {
            let error = match self.once(self.request(kind, StandardMethod::Create, &outgoing)?).await {
                Ok(response) => return response.resource(&outgoing.name),
                Err(error) => error,
            };
            let has_conflict = matches!(error.kind, ErrorKind::AlreadyExists | ErrorKind::FailedPrecondition);
            is_unclear |= error.kind == ErrorKind::Unclear;
            if error.kind == ErrorKind::Unclear || has_conflict && is_unclear {
                match self.created(kind, &outgoing).await? {
                    Some(result) => return result,
                    None if has_conflict => return Err(error),
                    None => {}
                }
            } else if error.kind == ErrorKind::FailedPrecondition && error.status == Some(409) {
                return Err(self.conflict(kind, &outgoing.name, error).await);
            } else if !is_transient(error.kind) && error.kind != ErrorKind::Aborted {
                return Err(error);
            }
            attempts.again(error).await?;
        }
    }

    /// The result of a request to create whose reply was lost; `None` if the resource does not exist.
    async fn created(
        &self,
        kind: KindId,
        outgoing: &Outgoing,
    ) -> Result<Option<Result<Resource, AccessError>>, AccessError> {
        match self.get(kind, &outgoing.name).await {
            Ok(found) => {
                let sent = outgoing.resource.as_ref().unwrap_or(&Value::Null);
                let is_it = has_all(&found.value, sent, self.message(kind));
                Ok(Some(if is_it { Ok(found) } else { Err(exists(&outgoing.name)) }))
            }
            Err(error) if error.kind == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A conflict of which the server does not say more: often that the resource exists.
    async fn conflict(&self, kind: KindId, name: &str, error: AccessError) -> AccessError {
        match self.get(kind, name).await {
            Ok(_) => AccessError { kind: ErrorKind::AlreadyExists, ..error },
            Err(_) => error,
        }
    }

    pub(super) async fn update(&self, kind: KindId, update: Update) -> Result<Resource, AccessError> {
        let Update { name, resource, mask, expected } = update;
        let outgoing = self.changing(kind, name, resource, mask.as_ref(), expected).await?;
        let (mut attempts, mut is_unclear) = (Attempts::new(self), false);
        loop {
            let error = match self.once(self.request(kind, StandardMethod::Update, &outgoing)?).await {
                Ok(response) => return response.resource(&outgoing.name),
                Err(error) => error,
            };
            is_unclear |= error.kind == ErrorKind::Unclear;
            let is_aborted = error.kind == ErrorKind::Aborted;
            if error.kind == ErrorKind::Unclear || is_aborted && is_unclear {
                let found = self.get(kind, &outgoing.name).await?;
                if self.is_changed(kind, &found.value, &outgoing, mask.as_ref()) {
                    return Ok(found);
                }
                if outgoing.expected.is_some() && outgoing.expected != found.version {
                    return Err(AccessError { kind: ErrorKind::Aborted, ..error });
                }
            } else if !(is_transient(error.kind) || is_aborted && outgoing.expected.is_none()) {
                return Err(error);
            }
            attempts.again(error).await?;
        }
    }

    /// The request of a change. If the method has no mask, the resource is read, and all of it is sent.
    async fn changing(
        &self,
        kind: KindId,
        name: String,
        mut resource: Value,
        mask: Option<&FieldMask>,
        mut expected: Option<Version>,
    ) -> Result<Outgoing, AccessError> {
        let request = method::find(&self.services, kind, StandardMethod::Update)?.request.clone();
        let mut parameters = Vec::new();
        match mask {
            Some(mask) if self.has_field(kind, &request, "update_mask") == Some(false) => {
                let found = self.get(kind, &name).await?;
                let mut whole = found.value;
                mask.copy(&resource, &mut whole);
                (resource, expected) = (whole, expected.or(found.version));
            }
            Some(mask) => parameters.push(("update_mask", vec![mask.to_json()])),
            None => {}
        }
        if let Some(object) = resource.as_object_mut() {
            object.insert("name".to_owned(), name.clone().into());
            if let Some(version) = expected.as_ref().filter(|it| it.is_field) {
                object.insert("etag".to_owned(), version.text.clone().into());
            }
        }
        Ok(Outgoing { name, parameters, resource: Some(resource), expected, ..Outgoing::default() })
    }

    /// True if a resource is as a change would make it.
    fn is_changed(&self, kind: KindId, found: &Value, outgoing: &Outgoing, mask: Option<&FieldMask>) -> bool {
        let sent = outgoing.resource.as_ref().unwrap_or(&Value::Null);
        let Some(mask) = mask else { return has_all(found, sent, self.message(kind)) };
        let mut changed = found.clone();
        mask.copy(sent, &mut changed);
        has_all(found, &changed, self.message(kind)) && has_all(&changed, found, self.message(kind))
    }

    pub(super) async fn delete(
        &self,
        kind: KindId,
        name: &str,
        expected: Option<Version>,
    ) -> Result<(), AccessError> {
        let outgoing = Outgoing { name: name.to_owned(), expected, ..Outgoing::default() };
        let (mut attempts, mut is_unclear) = (Attempts::new(self), false);
        loop {
            let error = match self.once(self.request(kind, StandardMethod::Delete, &outgoing)?).await {
                Ok(_) => return Ok(()),
                Err(error) if error.kind == ErrorKind::NotFound && is_unclear => return Ok(()),
                Err(error) => error,
            };
            is_unclear |= error.kind == ErrorKind::Unclear;
            let is_aborted = error.kind == ErrorKind::Aborted;
            if !(is_transient(error.kind) || is_aborted && outgoing.expected.is_none()) {
                return Err(error);
            }
            attempts.again(error).await?;
        }
    }
}

fn exists(name: &str) -> AccessError {
    AccessError::new(ErrorKind::AlreadyExists, format!("`{name}` exists, with other values"))
}
