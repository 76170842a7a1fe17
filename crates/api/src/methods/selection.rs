//! The fields of a resource that a client sees: its view and its field mask together.

use std::sync::Arc;

use fields::{FieldMask, MessageType, View, json_size, schema::Schema};
use serde_json::Value;

use super::Call;
use crate::{Problem, Violation, codes, field_permissions::FieldPermissions, values};

/// The fields that a request selects, without those that the caller may not read.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    /// `None` for all.
    mask: Option<FieldMask>,
    permissions: FieldPermissions,
    message: StoredMessage,
    /// The version of the service, if others have the kind, too: they show other fields.
    version: Option<Arc<str>>,
}

/// The message of a kind, for resources of a former version of its specification.
#[derive(Clone, Debug)]
struct StoredMessage {
    schemas: Arc<Vec<Schema>>,
    service: usize,
    name: Arc<str>,
}

impl Selection {
    /// All fields.
    pub(crate) fn all(call: &Call<'_>) -> Self {
        let service = call.served.id.service;
        let message =
            StoredMessage { schemas: call.api.schemas.clone(), service, name: call.served.kind.name.clone() };
        let services = &call.api.services.services;
        let is_one_of_several = call.api.versions.has_others(call.served.id);
        let version = services.get(service).filter(|_| is_one_of_several).map(|it| it.version.clone());
        Self { mask: None, permissions: call.field_permissions(), message, version }
    }

    /// The selection by `view` and `fieldMask`.
    pub(crate) fn of(call: &mut Call<'_>) -> Result<Self, Problem> {
        Ok(Self { mask: mask(call)?, ..Self::all(call) })
    }

    /// The selected fields of a resource.
    pub(crate) fn show(&self, resource: &Value) -> Value {
        let mut shown = match &self.mask {
            None => self.message.current(resource),
            Some(mask) => self.message.current(&mask.project(resource)),
        };
        self.permissions.hide(name_of(resource), &mut shown);
        shown
    }

    /// The selected fields as a mask; empty for all.
    pub(crate) fn text(&self) -> String {
        self.mask.as_ref().map(ToString::to_string).unwrap_or_default()
    }

    /// The version of the service, if others have the kind, too.
    pub(crate) fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// The maximum length of a resource when it is shown, in bytes.
    pub(crate) fn weigh(&self, resource: &Value) -> usize {
        match &self.mask {
            None => json_size(resource),
            Some(mask) => json_size(&mask.project(resource)),
        }
    }

    /// All that the version has and the caller may read of a resource, whether selected or not.
    pub(crate) fn visible(&self, resource: &Value) -> Value {
        let mut visible = match &self.version {
            Some(_) => self.message.current(resource),
            None => resource.clone(),
        };
        self.permissions.hide(name_of(resource), &mut visible);
        visible
    }

    /// True if a resource may have fields that the version does not have, or the caller may not read.
    pub(crate) fn hides(&self, resource: &Value) -> bool {
        self.version.is_some() || self.permissions.hides(name_of(resource))
    }
}

impl StoredMessage {
    /// A stored message without the fields that it does not have any more.
    fn current(&self, stored: &Value) -> Value {
        let schema = self.schemas.get(self.service);
        let message = schema.and_then(|it| MessageType::new(it, &self.name)).filter(|it| !it.message().open);
        values::current(message, stored)
    }
}

fn name_of(resource: &Value) -> &str {
    resource.get("name").and_then(Value::as_str).unwrap_or_default()
}

fn mask(call: &mut Call<'_>) -> Result<Option<FieldMask>, Problem> {
    let view = call.parameters.text("view")?;
    let view = view.map(|it| View::named(&it).ok_or(it)).transpose().map_err(|text| unknown_view(&text))?;
    let mask = call.parameters.mask("fieldMask")?;
    if let (Some(mask), Some(message)) = (&mask, call.served.message()) {
        let typed = mask.typed(message);
        typed.map_err(|error| Problem::parameter(Violation::of_text("fieldMask", &error)))?;
    }
    let Some(message) = call.served.message() else { return Ok(without_type(view, mask)) };
    if view.is_none() && mask.is_none() {
        return Ok(None);
    }
    let selected = call.served.views().select(view, mask.as_ref(), message);
    Ok((!selected.is_full()).then_some(selected))
}

/// Without knowledge of fields, views are all fields but for the names.
fn without_type(view: Option<View>, mask: Option<FieldMask>) -> Option<FieldMask> {
    match (view, mask) {
        (None, mask) => mask,
        (Some(View::Name), mask) => {
            let name = FieldMask::parse("name,display_name").ok()?;
            Some(mask.map_or_else(|| name.clone(), |it| name.union(&it)))
        }
        (Some(_), _) => None,
    }
}

fn unknown_view(text: &str) -> Problem {
    let names: Vec<&str> = View::ALL.into_iter().map(View::as_str).collect();
    let violation = Violation::new("view", codes::VIEW.as_str(), format!("`{text}` is not a view"));
    Problem::parameter(violation.help(format!("send one of {}", names.join(", "))))
}
