//! Fields that need permissions of their own (`authChecks` of Goten's guide).

use std::sync::Arc;

use fields::{
    FieldMask, FieldPath, MessageType,
    schema::{Field, lower_camel},
};
use serde_json::{Map, Value};
use spec::{Kind, skeleton::AuthCheck};

use crate::{Problem, kinds::Served, permissions::Permissions, versions::Versions};

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
    /// The permissions for the fields of a kind. The checks of one version of the kind hold in the others, too, if they have
    /// the field.
    pub(crate) fn of(permissions: &Permissions, served: Served<'_>, versions: &Versions) -> Self {
        if permissions.are_all() {
            return Self::default();
        }
        let mut own = Self::of_kind(permissions, served.kind);
        for other in versions.others(served.id).filter_map(|it| served.services.kind(it)) {
            let other = Self::of_kind(permissions, other);
            own.read.extend(other.read.into_iter().filter_map(|it| it.of_fields(served.message())));
            own.set.extend(other.set.into_iter().filter_map(|it| it.of_fields(served.message())));
        }
        own
    }

    fn of_kind(permissions: &Permissions, kind: &Kind) -> Self {
        let checks = |them: &[AuthCheck]| them.iter().filter_map(check).collect();
        let (read, set) = (checks(&kind.auth_checks.read_checks), checks(&kind.auth_checks.set_checks));
        Self { permissions: permissions.clone(), read, set }
    }

    /// Removes from a resource the fields that the caller may not read.
    pub(crate) fn hide(&self, name: &str, resource: &mut Value) {
        for check in self.lacking(&self.read, name) {
            check.fields.copy(&Value::Object(Map::new()), resource);
        }
    }

    /// Keeps the fields that the caller may not read or set, and has left out of the body.
    ///
    /// # Errors
    /// 403 if a list is changed whose elements have fields that the caller may not read: which element keeps which is not
    /// known.
    pub(crate) fn keep(&self, name: &str, old: &Value, sent: &Value, new: &mut Value) -> Result<(), Problem> {
        for check in self.lacking(&self.read, name) {
            for path in check.fields.paths().filter(|it| is_absent(it, sent)) {
                if !keep(path, old, new) {
                    return Err(self.permissions.refusal_of_field(&check.permission, name, &pointer(path)));
                }
            }
        }
        for check in self.lacking(&self.set, name) {
            for path in check.fields.paths().filter(|it| is_absent(it, sent)) {
                let _refused_later = keep(path, old, new);
            }
        }
        Ok(())
    }

    /// Refuses a change of fields that the caller may not set.
    pub(crate) fn check_set(&self, name: &str, old: &Value, new: &Value) -> Result<(), Problem> {
        for check in self.lacking(&self.set, name) {
            let mut paths = check.fields.paths();
            if let Some(path) = paths.find(|it| part(it, old) != part(it, new)) {
                return Err(self.permissions.refusal_of_field(&check.permission, name, &pointer(path)));
            }
        }
        Ok(())
    }

    /// Refuses conditions about fields that the caller may not read: their results would reveal the values.
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

    /// Refuses a request that sets what the caller may neither set nor read, or clears it by its mask: whether it would change
    /// anything tells what is stored.
    pub(crate) fn check_sent(
        &self,
        name: &str,
        sent: &Value,
        mask: Option<&FieldMask>,
    ) -> Result<(), Problem> {
        for check in self.lacking(&self.set, name) {
            let is_hidden =
                |path: &&FieldPath| self.lacking(&self.read, name).any(|it| it.fields.touches(path));
            let mut sent = check.fields.paths().filter(|it| is_sent(it, sent, mask));
            if let Some(path) = sent.find(is_hidden) {
                return Err(self.permissions.refusal_of_field(&check.permission, name, &pointer(path)));
            }
        }
        Ok(())
    }

    /// Refuses to set what can never change and the caller may not read: the answer would tell whether it is the value.
    pub(crate) fn check_immutable<'f>(
        &self,
        name: &str,
        sent: &Value,
        mask: Option<&FieldMask>,
        fields: impl IntoIterator<Item = &'f Field>,
    ) -> Result<(), Problem> {
        let fixed = fields.into_iter().filter(|it| it.immutable);
        let paths: Vec<FieldPath> = fixed.map(|it| FieldPath::of_names([&*it.name])).collect();
        self.check_read(name, paths.iter().filter(|it| is_sent(it, sent, mask)))
    }

    /// True if there are fields that the caller may not read of a resource, or of a collection.
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

impl FieldCheck {
    /// With the fields only that a message has; `None` without any.
    fn of_fields(self, message: Option<MessageType<'_>>) -> Option<Self> {
        let Some(message) = message else { return Some(self) };
        let known = self.fields.paths().filter(|it| it.field(message).is_ok()).cloned();
        let fields = FieldMask::new(known).ok().filter(|it| !it.is_empty())?;
        Some(Self { fields, ..self })
    }
}

/// Paths that are none are reported where the specification is checked.
fn check(it: &AuthCheck) -> Option<FieldCheck> {
    let paths = it.paths.iter().filter_map(|it| FieldPath::parse(&it.value).ok());
    let fields = FieldMask::new(paths).ok()?;
    Some(FieldCheck { permission: it.permission.value.clone(), fields })
}

/// True if a request sets a field, or clears it by its mask.
fn is_sent(path: &FieldPath, sent: &Value, mask: Option<&FieldMask>) -> bool {
    !is_absent(path, sent) || mask.is_some_and(|it| it.touches(path))
}

/// True if a body has no value for a field; null is none.
fn is_absent(path: &FieldPath, sent: &Value) -> bool {
    path.get_all(sent).iter().all(|it| it.value.is_null())
}

/// Gives a field the value that it had. Of elements of a list only if the rest of the list is as before; false if it is not,
/// and there was something to keep.
fn keep(path: &FieldPath, old: &Value, new: &mut Value) -> bool {
    let Ok(one) = FieldMask::new([path.clone()]) else { return true };
    let Some(list) = list_above(path, new) else {
        one.copy(old, new);
        return true;
    };
    if path.get_all(old).is_empty() {
        return true;
    }
    let mut shown = old.clone();
    path.clear(&mut shown);
    let is_same = list.get(&shown) == list.get(new);
    if is_same {
        one.copy(old, new);
    }
    is_same
}

/// The first list that a path passes through.
fn list_above(path: &FieldPath, value: &Value) -> Option<FieldPath> {
    let above = (1..path.len()).map(|count| FieldPath::of_names(path.names().take(count)));
    above.into_iter().find(|it| it.get(value).is_some_and(Value::is_array))
}

/// The part of a value at a path. Absent, null and defaults of proto3 are the same.
fn part(path: &FieldPath, value: &Value) -> Option<Value> {
    let one = FieldMask::new([path.clone()]).ok()?;
    (!path.is_default(value)).then(|| one.project(value))
}

fn pointer(path: &FieldPath) -> String {
    path.names().map(|it| format!("/{}", lower_camel(it))).collect()
}
