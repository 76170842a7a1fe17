use fields::{FieldMask, normalize};
use serde_json::Value;

use super::{
    Call,
    written::{Refusal, Written},
};
use crate::{
    Problem, Violation, codes,
    etag::{self, Expected},
    regions::Region,
    values,
};

/// A changed resource: all of it, or the fields of `updateMask`.
pub(crate) fn update(call: &mut Call<'_>) -> Result<Written, Problem> {
    let name = call.name()?;
    let mut resource = call.body()?;
    check_name(&resource, name.as_str())?;
    let mask = call.parameters.mask("updateMask")?;
    let allow_missing = call.parameters.flag("allowMissing")?;
    let condition = Condition::of(call)?;
    std::mem::take(&mut call.parameters).finish()?;
    if let (Some(mask), Some(message)) = (&mask, call.served.message()) {
        let typed = mask.typed(message);
        let checked = typed.and_then(|it| it.check_copy(message));
        checked.map_err(|error| Problem::parameter(Violation::of_text("updateMask", &error)))?;
    }
    if mask.is_some() {
        // Without a mask, all of the body is checked as what the resource becomes.
        values::check_names(call.served, &resource)?;
    }
    if let Some(object) = resource.as_object_mut() {
        object.insert("name".to_owned(), Value::String(name.as_str().to_owned()));
    }
    let key = call.key(&name);
    let region = Region::of(call, &name);
    let permissions = call.field_permissions();
    permissions.check_sent(name.as_str(), &resource, mask.as_ref())?;
    if let Some(message) = call.served.checked_message() {
        let fields = &message.message().fields;
        permissions.check_immutable(name.as_str(), &resource, mask.as_ref(), fields)?;
    }
    let mut unchecked = Vec::new();
    let submitted = call.transactions().submit_agreed(call.agreements, |commit| -> Result<(), Refusal> {
        let Some(old) = commit.get(&key) else {
            if allow_missing && condition.allows_absence() {
                let new = values::checked(call.api, call.served, resource, None)?;
                #[cfg(feature = "neighbors")]
                crate::regional::check_policy(call, &Value::Null, &new)?;
                permissions.check_set(name.as_str(), &Value::Null, &new)?;
                call.permissions.check_attached(call.api, &key, &Value::Null, &new)?;
                unchecked = call.api.check_unserved(call.served.id, &Value::Null, &new)?;
                region.map_or(Ok(()), |it| it.check(commit))?;
                return Ok(commit.create(&key, new)?);
            }
            return Err(super::not_found(name.as_str()).into());
        };
        condition.check(name.as_str(), &old)?;
        let old_fields = values::current(call.served.message(), &old);
        #[cfg_attr(not(feature = "conversions"), expect(unused_mut, reason = "only conversions complete it"))]
        let mut new = match &mask {
            Some(mask) => masked(&old_fields, &resource, mask),
            None => {
                let mut new = resource.clone();
                permissions.keep(name.as_str(), &old, &resource, &mut new)?;
                new
            }
        };
        #[cfg(feature = "conversions")]
        if let Some(completion) = &call.completion {
            completion.complete(&old_fields, &mut new);
        }
        let new = values::checked(call.api, call.served, new, Some(&old))?;
        #[cfg(feature = "neighbors")]
        crate::regional::check_policy(call, &old, &new)?;
        permissions.check_set(name.as_str(), &old, &new)?;
        call.permissions.check_attached(call.api, &key, &old, &new)?;
        unchecked = call.api.check_unserved(call.served.id, &old, &new)?;
        Ok(commit.update(&key, new)?)
    });
    Ok(Written::resource(call, submitted, key, unchecked))
}

/// The resource after an update by a mask.
fn masked(old: &Value, new: &Value, mask: &FieldMask) -> Value {
    let mut changed = old.clone();
    mask.copy(new, &mut changed);
    changed
}

fn check_name(resource: &Value, name: &str) -> Result<(), Problem> {
    match super::sent_name(resource)?.filter(|it| *it != name) {
        None => Ok(()),
        Some(other) => {
            let message = format!("the path names `{name}`, the body `{other}`");
            let violation = Violation::new("#/name", codes::NAME.as_str(), message);
            Err(Problem::parameter(
                violation.help("a resource cannot be renamed; leave the name out of the body"),
            ))
        }
    }
}

/// Without messages that have no fields: those that fields are compared in need not be there.
fn without_empty(mut value: Value) -> Value {
    if let Some(object) = value.as_object_mut() {
        let fields = std::mem::take(object).into_iter().map(|(name, it)| (name, without_empty(it)));
        *object = fields.filter(|(_, it)| it.as_object().is_none_or(|it| !it.is_empty())).collect();
    }
    value
}

/// The conditions that a resource has to meet before it is changed.
pub(crate) struct Condition {
    expected: Option<Expected>,
    /// It must not be there at all.
    is_absent: bool,
    /// Fields, and the values that they have.
    compared: Option<(FieldMask, Value)>,
}

impl Condition {
    /// The condition in `If-Match`, `If-None-Match: *` and `cas`; the latter is `{"conditionalState": {…}, "fieldMask": "…"}`.
    pub(crate) fn of(call: &mut Call<'_>) -> Result<Self, Problem> {
        let expected = Expected::of(call.headers)?;
        let is_absent = etag::is_absence_required(call.headers)?;
        let Some(cas) = call.parameters.json("cas")? else {
            return Ok(Self { expected, is_absent, compared: None });
        };
        let state = cas.get("conditionalState").filter(|it| it.is_object());
        let mask = cas.get("fieldMask").and_then(Value::as_str).and_then(|it| FieldMask::parse_json(it).ok());
        match (state, mask) {
            (Some(state), Some(mask)) if !mask.is_empty() => {
                call.field_permissions().check_compared(call.name()?.as_str(), &mask)?;
                // Defaults are absent in what is stored.
                let state = call.served.message().map_or_else(|| state.clone(), |it| normalize(state, it));
                Ok(Self { expected, is_absent, compared: Some((mask, state)) })
            }
            _ => {
                let violation = Violation::new(
                    "cas",
                    codes::CAS.as_str(),
                    "it has no `conditionalState` or no `fieldMask`",
                );
                Err(Problem::parameter(violation.help("send both, the mask as `specField,statusField`")))
            }
        }
    }

    /// True if it holds for a resource that does not exist.
    pub(crate) fn allows_absence(&self) -> bool {
        self.expected.is_none() && self.compared.is_none()
    }

    pub(crate) fn check(&self, name: &str, stored: &Value) -> Result<(), Problem> {
        if self.is_absent {
            let message = format!("`{name}` exists");
            let violation = Violation::new("If-None-Match", codes::EXISTS.as_str(), &*message);
            return Err(Problem::version_mismatch(message).with(violation.help("update it with its version")));
        }
        if let Some(expected) = &self.expected {
            expected.check(name, stored)?;
        }
        let Some((mask, state)) = &self.compared else { return Ok(()) };
        let [expected, found] = [state, stored].map(|it| without_empty(mask.project(it)));
        if expected == found {
            return Ok(());
        }
        let message = format!("fields of `{name}` differ from `conditionalState`");
        let violation = Violation::new("cas", codes::CAS.as_str(), &*message).help("read the resource again");
        Err(Problem::version_mismatch(message).with(violation))
    }
}
