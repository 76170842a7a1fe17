//! The standard methods, one a file.

pub(crate) mod batch_get;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod items;
pub(crate) mod list;
pub(crate) mod selection;
pub(crate) mod update;
pub(crate) mod watch;
pub(crate) mod written;

use std::{rc::Rc, sync::Arc};

use http::HeaderMap;
use integrity::{Agreements, IntegrityError, Transactions};
use names::Name;
use serde_json::Value;
use store::{Key, StoreError};

use crate::{
    Api, Problem, Violation, codes, field_permissions::FieldPermissions, kinds::Served,
    parameters::Parameters, permissions::Permissions,
};

/// The code of the plugin for limits.
const LIMIT: &str = integrity::codes::RESOURCE_EXHAUSTED.as_str();
/// The code of the plugin for the log of changes.
const NOT_LOGGED: &str = integrity::codes::NOT_LOGGED.as_str();

/// A request to a standard method.
pub(crate) struct Call<'a> {
    pub(crate) api: &'a Rc<Api>,
    pub(crate) served: Served<'a>,
    /// The fields of the request that the path has, with their texts.
    pub(crate) fields: &'a [(String, String)],
    pub(crate) parameters: Parameters,
    /// The body of methods that take a resource.
    pub(crate) resource: Option<Value>,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) permissions: Permissions,
    /// What other deployments have agreed to.
    pub(crate) agreements: &'a Agreements,
    /// What gives a changed resource the fields that the client does not know.
    #[cfg(feature = "conversions")]
    pub(crate) completion: Option<crate::Completion>,
}

/// A resource, and the fields of it that are shown.
pub(crate) struct Shown {
    pub(crate) whole: Arc<Value>,
    pub(crate) shown: Value,
}

impl Call<'_> {
    /// The name of one resource that the path has, in the field `name` or `RESOURCE.name`.
    pub(crate) fn name(&self) -> Result<Name, Problem> {
        let text = self.fields.iter().find(|(field, _)| field == "name" || field.ends_with(".name"));
        let text = text.map_or("", |(_, text)| text);
        self.concrete("name", text)
    }

    /// The name of the parent that the path has; empty at the root.
    pub(crate) fn parent_text(&self) -> &str {
        self.fields.iter().find(|(field, _)| field == "parent").map_or("", |(_, text)| text)
    }

    /// The transactions of the caller.
    pub(crate) fn transactions(&self) -> Transactions {
        self.api.transactions.by(self.permissions.user())
    }

    /// The fields that need permissions of their own.
    pub(crate) fn field_permissions(&self) -> FieldPermissions {
        FieldPermissions::of(&self.permissions, self.served, &self.api.versions)
    }

    /// The name of one resource of the kind.
    pub(crate) fn concrete(&self, field: &str, text: &str) -> Result<Name, Problem> {
        let name = self.served.kind.patterns.parse_concrete(text);
        name.map_err(|error| Problem::parameter(Violation::of_name(field, &error)))
    }

    pub(crate) fn key(&self, name: &Name) -> Key {
        self.served.stored().key(name.as_str())
    }

    /// A stored resource.
    pub(crate) fn stored(&self, name: &Name) -> Result<Arc<Value>, Problem> {
        self.api.stored(&self.key(name)).ok_or_else(|| not_found(name.as_str()))
    }

    /// The resource of the body.
    pub(crate) fn body(&mut self) -> Result<Value, Problem> {
        let what = &self.served.kind.name;
        match self.resource.take() {
            Some(resource @ Value::Object(_)) => Ok(resource),
            Some(_) => {
                let violation = Violation::new("#", codes::BODY.as_str(), "it has to be an object");
                Err(Problem::invalid_argument(format!("the body is not a `{what}`")).with(violation))
            }
            None => {
                let violation = Violation::new("#", codes::BODY.as_str(), "it is empty");
                Err(Problem::invalid_argument(format!("the body has no `{what}`")).with(violation))
            }
        }
    }
}

/// The name that the resource of a body has; `None` if it is absent or empty.
pub(crate) fn sent_name(resource: &Value) -> Result<Option<&str>, Problem> {
    match resource.get("name") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) => Ok(Some(&**name).filter(|it| !it.is_empty())),
        Some(_) => {
            let violation = Violation::new("#/name", codes::NAME.as_str(), "a name is a text");
            Err(Problem::parameter(violation.help("write the name in quotes, or leave it out")))
        }
    }
}

pub(crate) fn not_found(name: &str) -> Problem {
    Problem::not_found(format!("`{name}` does not exist"))
}

/// The refusal of a transaction. Of the resources that prevent it, those that the caller cannot see are counted only.
pub(crate) fn refused(error: IntegrityError, sees: &dyn Fn(&Key) -> bool) -> Problem {
    let (code, help) = (error.code(), error.help());
    let violation = |field: &str, message: String| Violation::new(field, code, message).help(help);
    match error {
        IntegrityError::NotFound { key } => not_found(&key.id),
        IntegrityError::AlreadyExists { key } => {
            Problem::already_exists(format!("`{}` exists already", key.id))
        }
        IntegrityError::Aborted { .. } => {
            Problem::aborted("what the request read was changed meanwhile; send it again")
        }
        IntegrityError::InvalidName { key } => {
            Problem::invalid_argument(format!("`{}` is not a name of its kind", key.id))
        }
        IntegrityError::NotAnObject { key } => {
            Problem::invalid_argument(format!("`{}` is not an object", key.id))
        }
        IntegrityError::Deleting { key } => {
            deleting(&key.id, violation(&key.id, "it is being deleted".to_owned()))
        }
        IntegrityError::StillDeleting { key } => deleting(
            &key.id,
            violation(&key.id, "the deletion of the former resource has not ended".to_owned()),
        ),
        IntegrityError::BrokenReferences { broken } => {
            let all = broken.iter().map(|it| {
                let what = if it.deleting { "is being deleted" } else { "does not exist" };
                violation(&it.place, format!("`{}` {what}", it.target.id))
            });
            let detail = "the resource refers to what does not exist or is being deleted";
            Problem { violations: all.collect(), ..Problem::failed_precondition(detail) }
        }
        IntegrityError::Blocked { blockers } => {
            let (seen, hidden): (Vec<_>, Vec<_>) =
                blockers.iter().partition(|it| sees(&it.referrer) && sees(&it.target));
            let all = seen.iter().map(|it| {
                let message = match it.referrer == it.target {
                    true => format!("its `{}` forbids its deletion", it.place),
                    false => format!("its field `{}` refers to `{}`", it.place, it.target.id),
                };
                violation(&it.referrer.id, message)
            });
            let detail = "other resources refer to what would be deleted, and forbid it";
            let violations = all.chain(not_visible(hidden.len(), code)).collect();
            Problem { violations, ..Problem::failed_precondition(detail) }
        }
        error @ (IntegrityError::Unestablished { .. } | IntegrityError::Unchecked { .. }) => {
            Problem::unavailable(error.to_string())
        }
        IntegrityError::NotPlaced { ref why, .. } => {
            Problem::failed_precondition(error.to_string()).with(violation("#/name", why.to_string()))
        }
        error @ IntegrityError::NotOwner { .. } => Problem::unavailable(error.to_string()),
        error @ IntegrityError::SeveralHolders { .. } => Problem::failed_precondition(error.to_string()),
        IntegrityError::Vetoed { code: LIMIT, reason, .. } => Problem::resource_exhausted(reason),
        IntegrityError::Vetoed { code: NOT_LOGGED, reason, .. } => Problem::unavailable(reason),
        IntegrityError::Store(StoreError::Backing { why }) => Problem::unavailable(why),
        IntegrityError::Store(StoreError::Cancelled) => Problem::unavailable("the server is stopping"),
        IntegrityError::Store(StoreError::Invalid { why, .. }) => Problem::invalid_argument(why),
        other @ (IntegrityError::ReadAfterWrite { .. } | IntegrityError::ReadOnly) => {
            Problem::failed_precondition(other.to_string()).with(violation("transaction", other.to_string()))
        }
        other => Problem::failed_precondition(other.to_string()),
    }
}

fn not_visible(count: usize, code: &str) -> Option<Violation> {
    let message = match count {
        0 => return None,
        1 => "1 reference of or to a resource that is not visible to the caller".to_owned(),
        _ => format!("{count} references of or to resources that are not visible to the caller"),
    };
    let help = "ask who may get these resources to delete or change them first";
    Some(Violation::new("", code, message).help(help))
}

fn deleting(name: &str, violation: Violation) -> Problem {
    Problem::failed_precondition(format!("`{name}` is being deleted")).with(violation)
}
