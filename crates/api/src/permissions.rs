//! The permissions of the caller of a request (source: Goten's guide).

use std::{collections::BTreeSet, rc::Rc, sync::Arc};

use authorization::Policy;
use http::Extensions;
use integrity::Via;
use serde_json::Value;
use store::{Key, Kind};

use crate::{Api, Problem, Violation, codes, stored_kind};

const CODE: &str = codes::PERMISSION.as_str();

/// The sender of a request. Hosts that know it put it among the extensions of the request.
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
        policy: Option<Rc<Policy>>,
        service: &Arc<str>,
        extensions: &Extensions,
    ) -> Result<Self, Problem> {
        let Some(policy) = policy else { return Ok(Self::default()) };
        let caller = extensions.get::<Caller>();
        let user =
            caller.ok_or_else(|| Problem::unauthenticated("the request has no token that is known"))?;
        Ok(Self(Some(Granted { policy, user: user.user.clone(), service: service.clone() })))
    }

    /// True if they are of the access policy that is in force now.
    pub(crate) fn are_in_force(&self, api: &Api) -> bool {
        match (&self.0, api.policy()) {
            (None, None) => true,
            (Some(granted), Some(policy)) => Rc::ptr_eq(&granted.policy, &policy),
            _ => false,
        }
    }

    /// The name of the caller, if it is known.
    pub(crate) fn user(&self) -> Option<Arc<str>> {
        self.0.as_ref().map(|it| it.user.clone())
    }

    /// True if the caller has a permission, which is written without its service, for a resource, or for a collection by the
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

    /// True if the caller may get a resource, and may therefore know that it exists.
    pub(crate) fn sees(&self, api: &Api, key: &Key) -> bool {
        self.0.as_ref().is_none_or(|granted| {
            collection(api, &key.kind)
                .is_some_and(|it| granted.has(&key.kind.namespace, &format!("{it}.get"), &key.id))
        })
    }

    /// Refuses a request for which the caller has no permission. The text does not depend on the stored resources.
    pub(crate) fn require(&self, permission: &str, resource: &str) -> Result<(), Problem> {
        if self.has(permission, resource) {
            return Ok(());
        }
        Err(self.refusal(permission, resource))
    }

    /// True if all callers may do everything, because there is no access policy.
    pub(crate) const fn are_all(&self) -> bool {
        self.0.is_none()
    }

    /// The refusal of a request that sets a field at a pointer into the body.
    pub(crate) fn refusal_of_field(&self, permission: &str, resource: &str, pointer: &str) -> Problem {
        let mut problem = self.refusal(permission, resource);
        let message = format!("setting it needs the permission `{permission}`");
        let help = "leave the field out, which keeps its value, or ask for a role with this permission";
        problem.violations = vec![Violation::new(&format!("#{pointer}"), CODE, message).help(help)];
        problem
    }

    fn refusal(&self, permission: &str, resource: &str) -> Problem {
        let user = self.0.as_ref().map_or("", |it| &*it.user);
        let place = if resource.is_empty() { "the root".to_owned() } else { format!("`{resource}`") };
        let detail = format!("`{user}` has no role with the permission `{permission}` for {place}");
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
