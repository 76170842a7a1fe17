//! References to kinds that are not served: their targets cannot be checked, and nothing happens when those are deleted.

use std::{collections::BTreeSet, sync::Arc};

use fields::schema::{DeleteBehavior, Schema};
use integrity::FieldPath;
use serde_json::Value;
use spec::{KindId, Services};

use crate::{Problem, Violation, codes, rules::declared_references};

const CODE: &str = codes::UNSERVED_REFERENCE.as_str();

/// A reference field of a served kind, to a kind that is not served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnservedReference {
    /// The kind that has the field.
    pub kind: KindId,
    /// The field: `spec.image_pull_secrets[].name`.
    pub path: FieldPath,
    /// The kind that it refers to, as the specification has it.
    pub target: Arc<str>,
}

/// The treatment of a write that sets a reference to a kind that is not served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnservedPolicy {
    /// It is accepted, and its response names the fields in the header `Planloom-Unchecked-References`.
    #[default]
    Accept,
    /// It is refused, unless the resource had the reference before.
    Refuse,
}

/// The reference fields of served kinds whose targets are not served, by kind and field. Those that may dangle are left
/// out, because they are not checked anywhere, and so are kinds without constraints.
pub fn unserved_references(services: &Services, schemas: &[Schema]) -> Vec<UnservedReference> {
    let is_served = |id: KindId| services.services.get(id.service).is_some_and(|it| !it.is_import);
    let served = services.kinds().filter(|(id, kind)| is_served(*id) && kind.features.constraints);
    let of_kind = |(id, _): (KindId, &spec::Kind)| {
        let declared = schemas.get(id.service).map(|it| declared_references(services, id, it));
        let unserved = declared.unwrap_or_default().into_iter().filter(|(_, target, behavior)| {
            let is_checked = *behavior != DeleteBehavior::AllowDangling;
            is_checked && services.find(id.service, target).is_none_or(|it| !is_served(it))
        });
        let reference = |(path, target, _): (String, Arc<str>, _)| {
            Some(UnservedReference { kind: id, path: path.parse().ok()?, target })
        };
        unserved.filter_map(reference).collect::<Vec<_>>()
    };
    served.flat_map(of_kind).collect()
}

/// The places of references in a resource that cannot be checked and were not in it before.
///
/// # Errors
/// 409 that names each place, if such references are refused.
pub(crate) fn check(
    all: &[UnservedReference],
    policy: UnservedPolicy,
    kind: KindId,
    old: &Value,
    new: &Value,
) -> Result<Vec<String>, Problem> {
    let mut found = Vec::new();
    for reference in all.iter().filter(|it| it.kind == kind) {
        let before: BTreeSet<&str> = reference.path.texts(old).into_iter().map(|(_, text)| text).collect();
        let set = reference.path.texts(new).into_iter().filter(|(_, text)| !before.contains(text));
        found.extend(set.map(|(place, text)| (place, text, &*reference.target)));
    }
    if policy == UnservedPolicy::Refuse && !found.is_empty() {
        return Err(refusal(&found));
    }
    Ok(found.into_iter().map(|(place, ..)| place).collect())
}

fn refusal(found: &[(String, &str, &str)]) -> Problem {
    let violation = |(place, text, target): &(String, &str, &str)| {
        let message = format!("`{text}` is of the kind `{target}`, which this server does not serve");
        let help = "leave the reference out, or ask who runs the server to serve the kind or to accept such references";
        Violation::new(place, CODE, message).help(help)
    };
    let detail =
        "the resource refers to a kind that this server does not serve: nothing would check the reference";
    Problem { violations: found.iter().map(violation).collect(), ..Problem::failed_precondition(detail) }
}
