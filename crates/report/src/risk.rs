//! The actions of a plan that destroy something, and the lines that caused them.

use workspace::view::{ActionView, ChangeView, CheckoutView, LocationView, OriginView, PlanView};

use crate::{
    finding::{Finding, Level, placed},
    place::{Place, named},
};

/// The origin of a pointer into the merged document.
type OriginOf<'o> = dyn FnMut(&str) -> Option<OriginView> + 'o;

/// A finding for each of them, in the order of the plan.
pub(crate) fn risks(
    plan: &PlanView,
    first: Option<&str>,
    checkout: &CheckoutView,
    origin: &mut OriginOf<'_>,
) -> Vec<Finding> {
    let dangerous: Vec<&ActionView> = plan.actions.iter().filter(|it| it.action.destroys()).collect();
    let whole = || Some(Place { file: named(checkout, first?)?, region: None });
    let finding = |action: &&ActionView| {
        let location = cause(action, origin);
        Finding {
            code: format!("plan/{}", action.action),
            level: Level::Warning,
            message: message(action),
            help: None,
            place: location.as_ref().and_then(|it| placed(it, checkout)).or_else(whole),
            related: related(action, location.as_ref(), plan, checkout, origin),
            fixes: Vec::new(),
            subject: action.address.clone(),
        }
    };
    dangerous.iter().map(finding).collect()
}

/// `` `services.db` will be destroyed: no file describes it any more ``
fn message(action: &ActionView) -> String {
    let what = format!("`{}` {}", action.address, action.action.words().future);
    match &action.reason {
        Some(reason) => format!("{what}: {}", reason.sentence),
        None => what,
    }
}

/// The line that caused an action: the value that forces a rebuild, the place where a value of another resource is taken,
/// the declaration, or where a resource was declared that is not described any more.
fn cause(action: &ActionView, origin: &mut OriginOf<'_>) -> Option<LocationView> {
    let written = |it: &ChangeView| Some(it.origin.as_ref()?.location.clone());
    let forcing = || action.changes.iter().filter(|it| it.forces_rebuild);
    // A value that is removed or not known yet has the place of something else.
    let set = forcing().filter(|it| !it.unknown && !it.desired.is_null()).find_map(written);
    let via = action.reason.as_ref().and_then(|it| it.via.as_ref());
    set.or_else(|| origin(&via?.path).map(|it| it.location))
        .or_else(|| forcing().find_map(written))
        .or_else(|| action.changes.iter().find_map(written))
        .or_else(|| action.origin.clone())
        .or_else(|| pointers(&action.address).iter().find_map(|it| origin(it)).map(|it| start(it.location)))
}

/// The start of a place: a whole collection would be marked otherwise.
fn start(location: LocationView) -> LocationView {
    LocationView { end_line: location.line, end_column: location.column, ..location }
}

/// The action that caused this one, and the declaration of the resource, if they are elsewhere.
fn related(
    action: &ActionView,
    primary: Option<&LocationView>,
    plan: &PlanView,
    checkout: &CheckoutView,
    origin: &mut OriginOf<'_>,
) -> Vec<(Place, String)> {
    let mut found = Vec::new();
    let id = action.reason.as_ref().and_then(|it| it.cause.as_ref());
    if let Some(by) = id.and_then(|id| plan.actions.iter().find(|it| it.id == *id))
        && let Some(location) = cause(by, origin)
    {
        found.push((location, format!("`{}` {}", by.address, by.action.words().future)));
    }
    let declared =
        action.origin.iter().map(|it| (it.clone(), format!("`{}` is declared here", action.address)));
    found.extend(declared);
    let elsewhere = found.into_iter().filter(|(it, _)| Some(it) != primary);
    elsewhere.filter_map(|(it, said)| Some((placed(&it, checkout)?, said))).collect()
}

/// The pointers to a resource that is, or was, in the merged document: itself, then its collection.
fn pointers(address: &str) -> Vec<String> {
    let Some((collection, name)) = address.split_once('.') else { return Vec::new() };
    let name = name.strip_suffix(']').and_then(|it| it.rsplit_once('[')).map_or(name, |(name, _)| name);
    let collection = format!("/{}", escaped(collection));
    vec![format!("{collection}/{}", escaped(name)), collection]
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_pointer() {
        assert_eq!(pointers("services.web[0]"), ["/services/web", "/services"]);
        assert_eq!(pointers("services.a/b.c"), ["/services/a~1b.c", "/services"]);
        assert_eq!(pointers("app"), [""; 0]);
    }
}
