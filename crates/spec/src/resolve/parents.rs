use diag::{Diagnostic, Diagnostics, nearest};

use super::{Input, kinds::is_upper_camel};
use crate::{
    KindId, Service, Services,
    codes::{DUPLICATE, NOT_IMPORTED, UNKNOWN_KIND},
    skeleton::Text,
};

/// Finds the parents of all kinds. No parent, `""`, is moved to the front; the others keep their order
/// (source: Goten's tools).
pub(super) fn link(inputs: &[&Input], services: &mut Services, report: &mut Diagnostics) {
    let mut found = Vec::new();
    for (service, input) in inputs.iter().enumerate() {
        let resources = &input.skeleton.resources;
        found.push(
            resources.iter().map(|it| parents(service, &it.parents, services, report)).collect::<Vec<_>>(),
        );
    }
    for (service, found) in services.services.iter_mut().zip(found) {
        for (kind, parents) in service.kinds.iter_mut().zip(found) {
            kind.parents = parents;
        }
    }
}

fn parents(
    service: usize,
    written: &[Text],
    services: &Services,
    report: &mut Diagnostics,
) -> Vec<Option<KindId>> {
    let mut parents: Vec<Option<KindId>> = Vec::new();
    for parent in written {
        let found = match parent.value.is_empty() {
            true => None,
            false => match find(service, parent, services, report) {
                Some(found) => Some(found),
                None => continue,
            },
        };
        match parents.contains(&found) {
            true => report.push(twice(parent)),
            false => parents.push(found),
        }
    }
    parents.sort_by_key(Option::is_some);
    parents
}

fn twice(parent: &Text) -> Diagnostic {
    Diagnostic::warning(DUPLICATE, parent.span, format!("the parent `{}` is listed twice", parent.value))
        .help("leave one of them out")
}

/// A kind that a specification names, or a diagnostic.
pub(crate) fn find(
    service: usize,
    name: &Text,
    services: &Services,
    report: &mut Diagnostics,
) -> Option<KindId> {
    let found = services.find(service, &name.value);
    if found.is_none() {
        report.push(not_found(services.services.get(service)?, name, services));
    }
    found
}

/// The error for a kind that a service cannot name: its service is not imported, or has no such kind.
pub(crate) fn not_found(own: &Service, name: &Text, services: &Services) -> Diagnostic {
    let (domain, kind) = name.value.rsplit_once('/').unwrap_or(("", &name.value));
    let imported = |it: &&usize| services.services.get(**it).is_some_and(|it| &*it.name == domain);
    let service = match domain.is_empty() || domain == &*own.name {
        true => Some(own),
        false => own.imports.iter().find(imported).and_then(|it| services.services.get(*it)),
    };
    let Some(service) = service else {
        let message = format!("`{}` is a resource of `{domain}`, which is not imported", name.value);
        return Diagnostic::error(NOT_IMPORTED, name.span, message)
            .help(format!("add `{domain}` to `imports`, and give its specification"));
    };
    let message = format!("`{}` has no resource `{kind}`", service.name);
    let diagnostic = Diagnostic::error(UNKNOWN_KIND, name.span, message);
    // A name that is wrong itself is no help.
    match nearest(kind, service.kinds.iter().map(|it| &*it.name).filter(|it| is_upper_camel(it))) {
        Some(near) => {
            let fixed = if domain.is_empty() { near.to_owned() } else { format!("{domain}/{near}") };
            diagnostic.replace(format!("Write `{fixed}`"), name.span, fixed)
        }
        None => match elsewhere(kind, own, services) {
            Some(full) => diagnostic.replace(format!("Write `{full}`"), name.span, full),
            None => diagnostic.help("declare it under `resources`, or name the service that has it"),
        },
    }
}

/// The full name of a kind that an imported service has.
fn elsewhere(kind: &str, own: &Service, services: &Services) -> Option<String> {
    let mut imports = own.imports.iter().filter_map(|it| services.services.get(*it));
    let service = imports.find(|it| it.places.contains_key(kind))?;
    Some(format!("{}/{kind}", service.name))
}
