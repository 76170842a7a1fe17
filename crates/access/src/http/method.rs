//! Finding the method of a specification for a standard operation.

use names::Pattern;
use serde_json::Value;
use spec::{Kind, KindId, Method, Services, StandardMethod};

use crate::{AccessError, ErrorKind};

/// The standard method of a kind, or one that the specification writes out under its name.
pub(super) fn find(
    services: &Services,
    id: KindId,
    standard: StandardMethod,
) -> Result<&Method, AccessError> {
    let kind = services.kind(id).ok_or_else(unknown)?;
    let service = services.services.get(id.service).ok_or_else(unknown)?;
    let mut methods = service.apis.iter().flat_map(|it| &it.methods);
    let name = name(standard, kind);
    let is_it = |it: &&Method| {
        it.kind == Some(id) && (it.standard == Some(standard) || it.standard.is_none() && *it.name == *name)
    };
    methods.find(is_it).ok_or_else(|| {
        AccessError::new(ErrorKind::Unimplemented, format!("the specification has no method `{name}`"))
    })
}

fn unknown() -> AccessError {
    AccessError::new(ErrorKind::Unimplemented, "the specification has no such kind")
}

fn name(method: StandardMethod, kind: &Kind) -> String {
    let (one, many) = (&kind.name, &kind.plural);
    match method {
        StandardMethod::Get => format!("Get{one}"),
        StandardMethod::BatchGet => format!("BatchGet{many}"),
        StandardMethod::List => format!("List{many}"),
        StandardMethod::Watch => format!("Watch{one}"),
        StandardMethod::WatchCollection => format!("Watch{many}"),
        StandardMethod::Create => format!("Create{one}"),
        StandardMethod::Update => format!("Update{one}"),
        StandardMethod::Delete => format!("Delete{one}"),
        StandardMethod::Search => format!("Search{many}"),
    }
}

/// The patterns that variables of paths can have: names of a kind and of their parents.
pub(super) fn patterns(kind: &Kind) -> Vec<Pattern> {
    kind.patterns.0.iter().flat_map(|it| [it.parent(), Some(it.clone())]).flatten().collect()
}

/// The name of what a new resource is in, by its own name.
pub(crate) fn parent_of(services: &Services, id: KindId, resource: &Value) -> Result<String, AccessError> {
    let kind = services.kind(id).ok_or_else(unknown)?;
    let invalid = |detail: String| AccessError::new(ErrorKind::InvalidArgument, detail);
    let name = resource.get("name").and_then(Value::as_str).filter(|it| !it.is_empty());
    let name = name.ok_or_else(|| invalid(format!("a new `{}` has no name", kind.name)))?;
    let name = kind.patterns.parse_concrete(name).map_err(|error| invalid(error.to_string()))?;
    Ok(name.parent().map(|it| it.as_str().to_owned()).unwrap_or_default())
}
