use names::{IdPattern, Name, ParentName, generate_id};
use serde_json::Value;

use super::{
    Call,
    written::{Refusal, Written},
};
use crate::{Problem, Violation, codes, regions::Region, values};

/// Bytes of an id that the server gives.
const ID_LENGTH: usize = 20;

/// A new resource, with the name of the body or one that is given to it.
pub(crate) fn create(call: &mut Call<'_>) -> Result<Written, Problem> {
    let mut resource = call.body()?;
    let parent = parent(call)?;
    let name = match super::sent_name(&resource)? {
        Some(text) => named(call, text, &parent)?,
        None => generated(call, &parent)?,
    };
    std::mem::take(&mut call.parameters).finish()?;
    if let Some(object) = resource.as_object_mut() {
        object.insert("name".to_owned(), Value::String(name.as_str().to_owned()));
    }
    let resource = values::checked(call.api, call.served, resource, None)?;
    #[cfg(feature = "neighbors")]
    crate::regional::check_policy(call, &Value::Null, &resource)?;
    call.field_permissions().check_set(name.as_str(), &Value::Null, &resource)?;
    let key = call.key(&name);
    call.permissions.check_attached(call.api, &key, &Value::Null, &resource)?;
    let unchecked = call.api.check_unserved(call.served.id, &Value::Null, &resource)?;
    let region = Region::of(call, &name);
    let submitted = call.transactions().submit_agreed(call.agreements, |commit| -> Result<(), Refusal> {
        region.map_or(Ok(()), |it| it.check(commit))?;
        Ok(commit.create(&key, resource)?)
    });
    Ok(Written::resource(call, submitted, key, unchecked))
}

/// The parent of the new resource; the root where the path has no parent.
fn parent(call: &Call<'_>) -> Result<ParentName, Problem> {
    let parent = call.served.kind.patterns.parse_parent(call.parent_text());
    let parent = parent.map_err(|error| Problem::parameter(Violation::of_name("parent", &error)))?;
    if parent.is_wildcard() {
        let violation = Violation::new(
            "parent",
            codes::WILDCARD.as_str(),
            "a resource cannot be created in several parents",
        );
        return Err(Problem::parameter(violation.help("name one parent, without `-`")));
    }
    Ok(parent)
}

fn named(call: &Call<'_>, text: &str, parent: &ParentName) -> Result<Name, Problem> {
    let name = call.concrete("#/name", text)?;
    if name.parent().as_ref().map_or("", Name::as_str) != parent.as_str() {
        let message = format!("`{text}` is not in `{}`", parent.as_str());
        let violation = Violation::new("#/name", codes::PARENT.as_str(), message);
        return Err(Problem::parameter(violation.help("leave the name out, or send it to its parent")));
    }
    let pattern = creation_pattern(call);
    if call.api.transactions.flags().strict_naming && !pattern.matches(name.last_id()) {
        let message = format!("new ids have to match `{}`", pattern.as_str());
        let byte = text.len() - name.last_id().len() + pattern.mismatch(name.last_id());
        let violation = Violation::new("#/name", codes::CREATION_ID.as_str(), message).at(byte);
        return Err(Problem::parameter(violation.help("use another id, or leave the name out")));
    }
    Ok(name)
}

/// The pattern that ids of new resources match: the written one, for new ones or for all; otherwise Goten's default for new
/// ones, which is stricter than that for all.
fn creation_pattern(call: &Call<'_>) -> IdPattern {
    let kind = call.served.kind;
    match &kind.creation_id_pattern {
        Some(pattern) => pattern.clone(),
        None if kind.id_pattern == IdPattern::default_of_names() => IdPattern::default_of_creation(),
        None => kind.id_pattern.clone(),
    }
}

fn generated(call: &Call<'_>, parent: &ParentName) -> Result<Name, Problem> {
    let pattern = creation_pattern(call);
    let id = generate_id(&[&*call.served.kind.name], || (call.api.ids)(), &pattern, ID_LENGTH);
    let name = id.and_then(|it| parent.child(&it).ok());
    name.ok_or_else(|| {
        let message = format!("no id can be given that matches `{}`", pattern.as_str());
        Problem::parameter(Violation::new("#/name", codes::CREATION_ID.as_str(), message).help("send a name"))
    })
}
