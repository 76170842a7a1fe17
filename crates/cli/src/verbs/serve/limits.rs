//! The limits on the number of resources of each kind in a served API.

use report::codes;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use integrity::{LimitScope, LimitsPlugin};
use spec::{KindId, Services};
use store::{Key, Kind};
use workspace::view::DiagnosticView;

use crate::problem::problem;

/// The limits of options like `Book=1000`; `None` without any.
pub(super) fn limits(
    options: &[String],
    services: &Services,
) -> Result<Option<LimitsPlugin>, Box<DiagnosticView>> {
    let limits: BTreeMap<Kind, u64> =
        options.iter().map(|it| limit(it, services)).collect::<Result<_, _>>()?;
    if limits.is_empty() {
        return Ok(None);
    }
    Ok(Some(LimitsPlugin::by_key(scope, move |scope| limits.get(&scope.kind).copied())))
}

fn limit(option: &str, services: &Services) -> Result<(Kind, u64), Box<DiagnosticView>> {
    let refused = |message: String, help: &str| Box::new(problem(codes::LIMIT, None, message, help));
    let Some((name, number)) = option.split_once('=') else {
        return Err(refused(format!("`{option}` is not a limit"), "write it as `Book=1000`"));
    };
    let number = number.parse().map_err(|_| {
        refused(format!("`{number}` is not a number of resources"), "write a whole number: `Book=1000`")
    })?;
    let is_named = |id: &KindId| {
        services.kind(*id).is_some_and(|it| &*it.name == name) || services.type_name(*id) == name
    };
    let found = services.kinds().map(|(id, _)| id).filter(is_named);
    // Several versions of a service have the same kind.
    let found: BTreeSet<Kind> = found.filter_map(|it| api::stored_kind(services, it)).collect();
    let kind = found.first().filter(|_| found.len() == 1);
    kind.map(|kind| (kind.clone(), number)).ok_or_else(|| match found.is_empty() {
        true => refused(format!("there is no kind `{name}`"), "`planloom spec expand` lists the kinds"),
        false => refused(
            format!("several services have a kind `{name}`"),
            "write it with its service: `SERVICE/KIND`",
        ),
    })
}

/// The scope in which a resource counts: its project and region, if its name has them.
fn scope(key: &Key) -> Option<LimitScope> {
    let segments: Vec<&str> = key.id.split('/').collect();
    let project = segments.first().filter(|it| **it == "projects").and(segments.get(1));
    let region = segments.chunks(2).find(|it| it.first() == Some(&"regions")).and_then(|it| it.get(1));
    Some(LimitScope {
        project: project.copied().unwrap_or_default().into(),
        region: region.map(|it| Arc::from(*it)),
        kind: key.kind.clone(),
    })
}
