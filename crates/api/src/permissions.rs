//! What the caller of a request may do (notes/goten.md, 1.7.3).

use std::{collections::BTreeSet, rc::Rc, sync::Arc};

use authorization::Policy;
use fields::{FieldMask, FieldPath};
use http::Extensions;
use integrity::Via;
use serde_json::{Map, Value};
use spec::skeleton::AuthCheck;
use store::{Key, Kind};

use crate::{Api, Problem, Violation, kinds::Served, stored_kind};

const CODE: &str = "api/permission";

/// Who sends a request. Hosts that know it put it among the extensions of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The name of the user, as the access policy has it.
    pub user: Arc<str>,
}

/// The permissions of a caller for methods of one service; all of them where there is no access policy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Permissions(Option<Granted>);

#[derive(Clone, Debug)]
struct Granted {
    policy: Rc<Policy>,
    user: Arc<str>,
    service: Arc<str>,
}

impl Granted {
    fn has(&self, service: &str, permission: &str, resource: &str) -> bool {
        self.policy.allows(&self.user, &spec::permission_name(service, permission), resource)
    }
}

impl Permissions {
    /// Those of the caller of a request.
    ///
    /// # Errors
    /// 401 if there is a policy, and the caller is not known.
    pub(crate) fn of(
        policy: Option<&Rc<Policy>>,
        service: &Arc<str>,
        extensions: &Extensions,
    ) -> Result<Self, Problem> {
        let Some(policy) = policy.cloned() else { return Ok(Self::default()) };
        let caller = extensions.get::<Caller>();
        let user =
            caller.ok_or_else(|| Problem::unauthenticated("the request has no token that is known"))?;
        Ok(Self(Some(Granted { policy, user: user.user.clone(), service: service.clone() })))
    }

    /// The name of the caller, if it is known.
    pub(crate) fn user(&self) -> Option<Arc<str>> {
        self.0.as_ref().map(|it| it.user.clone())
    }

    /// Whether the caller has a permission, which is written without its service, for a resource, or for a collection by the
    /// name of its parent.
    pub(crate) fn has(&self, permission: &str, resource: &str) -> bool {
        self.0.as_ref().is_none_or(|it| it.has(&it.service, permission, resource))
    }

    /// Refuses new references to resources that the caller may not attach.
    pub(crate) fn check_attached(
        &self,
        api: &Api,
        key: &Key,
        old: &Value,
        new: &Value,
    ) -> Result<(), Problem> {
        let Some(granted) = &self.0 else { return Ok(()) };
        let targets = |value: &Value| -> BTreeSet<Key> {
            let links = api.transactions().rules().links(key, value).into_iter();
            links.filter(|it| matches!(it.via, Via::Field { .. })).map(|it| it.target).collect()
        };
        let before = targets(old);
        for target in targets(new).difference(&before) {
            let Some(collection) = collection(api, &target.kind) else { continue };
            let permission = format!("{collection}!attach");
            if !granted.has(&target.kind.namespace, &permission, &target.id) {
                return Err(self.refusal(&permission, &target.id));
            }
        }
        Ok(())
    }

    /// Whether the caller may get a resource, and may therefore know that it exists.
    pub(crate) fn sees(&self, api: &Api, key: &Key) -> bool {
        self.0.as_ref().is_none_or(|granted| {
            collection(api, &key.kind)
                .is_some_and(|it| granted.has(&key.kind.namespace, &format!("{it}.get"), &key.id))
        })
    }

    /// Refuses a request for what the caller has no permission for. What is said does not depend on what is stored.
    pub(crate) fn require(&self, permission: &str, resource: &str) -> Result<(), Problem> {
        if self.has(permission, resource) {
            return Ok(());
        }
        Err(self.refusal(permission, resource))
    }

    fn refusal(&self, permission: &str, resource: &str) -> Problem {
        let user = self.0.as_ref().map_or("", |it| &*it.user);
        let place = if resource.is_empty() { "the root" } else { resource };
        let detail = format!("`{user}` has no role with the permission `{permission}` for `{place}`");
        let violation = Violation::new(resource, CODE, format!("`{permission}` is missing"));
        let help = "ask for a role with this permission, in this scope or above it";
        Problem::permission_denied(detail).with(violation.help(help))
    }
}

/// The collection of a kind, which its permissions begin with.
fn collection<'a>(api: &'a Api, stored: &Kind) -> Option<&'a str> {
    let kinds = api.services.kinds();
    let found = kinds.filter(|(id, _)| stored_kind(&api.services, *id).as_ref() == Some(stored)).last();
    found.map(|(_, kind)| &*kind.collection)
}

/// The fields of a kind that need permissions of their own, for one caller.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldPermissions {
    permissions: Permissions,
    read: Vec<FieldCheck>,
    set: Vec<FieldCheck>,
}

#[derive(Clone, Debug)]
struct FieldCheck {
    permission: Arc<str>,
    fields: FieldMask,
}

impl FieldPermissions {
    pub(crate) fn of(permissions: &Permissions, served: Served<'_>) -> Self {
        if permissions.0.is_none() {
            return Self::default();
        }
        let checks = |them: &[AuthCheck]| them.iter().filter_map(check).collect();
        let of_kind = &served.kind.auth_checks;
        let (read, set) = (checks(&of_kind.read_checks), checks(&of_kind.set_checks));
        Self { permissions: permissions.clone(), read, set }
    }

    /// Takes out of a resource what the caller may not read.
    pub(crate) fn hide(&self, name: &str, resource: &mut Value) {
        for check in self.lacking(&self.read, name) {
            check.fields.copy(&Value::Object(Map::new()), resource);
        }
    }

    /// Keeps what the caller may not read, and has therefore not sent.
    pub(crate) fn keep_hidden(&self, name: &str, old: &Value, new: &mut Value) {
        for check in self.lacking(&self.read, name) {
            let unset = check.fields.paths().filter(|it| it.is_default(new)).cloned();
            if let Ok(unset) = FieldMask::new(unset.collect::<Vec<_>>()) {
                unset.copy(old, new);
            }
        }
    }

    /// Refuses a change of what the caller may not set.
    pub(crate) fn check_set(&self, name: &str, old: &Value, new: &Value) -> Result<(), Problem> {
        for check in self.lacking(&self.set, name) {
            if check.fields.project(old) != check.fields.project(new) {
                self.permissions.require(&check.permission, name)?;
            }
        }
        Ok(())
    }

    /// Refuses conditions about what the caller may not read: their results would tell it.
    pub(crate) fn check_read<'p>(
        &self,
        parent: &str,
        paths: impl IntoIterator<Item = &'p FieldPath>,
    ) -> Result<(), Problem> {
        for path in paths {
            for check in self.lacking(&self.read, parent).filter(|it| it.fields.touches(path)) {
                self.permissions.require(&check.permission, parent)?;
            }
        }
        Ok(())
    }

    /// Refuses a comparison with fields of which the caller may not read some: its result would tell them.
    pub(crate) fn check_compared(&self, name: &str, compared: &FieldMask) -> Result<(), Problem> {
        let compares = |it: &&FieldCheck| it.fields.paths().any(|path| compared.touches(path));
        match self.lacking(&self.read, name).find(compares) {
            Some(check) => self.permissions.require(&check.permission, name),
            None => Ok(()),
        }
    }

    /// Refuses a request that sets what the caller may neither set nor read: whether it would change anything tells what is
    /// stored.
    pub(crate) fn check_sent(&self, name: &str, sent: &Value) -> Result<(), Problem> {
        let nothing = Value::Object(Map::new());
        for check in self.lacking(&self.set, name) {
            let is_hidden =
                |path: &FieldPath| self.lacking(&self.read, name).any(|it| it.fields.touches(path));
            let is_sent = check.fields.project(sent) != check.fields.project(&nothing);
            if is_sent && check.fields.paths().any(is_hidden) {
                self.permissions.require(&check.permission, name)?;
            }
        }
        Ok(())
    }

    /// Whether there is anything that the caller may not read of a resource, or of a collection.
    pub(crate) fn hides(&self, name: &str) -> bool {
        self.lacking(&self.read, name).next().is_some()
    }

    fn lacking<'s>(
        &'s self,
        checks: &'s [FieldCheck],
        name: &'s str,
    ) -> impl Iterator<Item = &'s FieldCheck> {
        checks.iter().filter(move |it| !self.permissions.has(&it.permission, name))
    }
}

/// Paths that are none are reported where the specification is checked.
fn check(it: &AuthCheck) -> Option<FieldCheck> {
    let paths = it.paths.iter().filter_map(|it| FieldPath::parse(&it.value).ok());
    let fields = FieldMask::new(paths).ok()?;
    Some(FieldCheck { permission: it.permission.value.clone(), fields })
}
