use std::{cmp::Ordering, collections::BTreeMap};

use diag::{Diagnostic, Diagnostics, Span};

use super::Input;
use crate::{
    Services,
    codes::{DUPLICATE, IMPORT_CYCLE, IMPORT_MISSING, IMPORT_SELF},
    skeleton::Text,
    version,
};

/// Those that have a name, each service and version once, imports last.
pub(super) fn select<'a>(inputs: &'a [Input], report: &mut Diagnostics) -> Vec<&'a Input> {
    let mut seen: BTreeMap<(&str, &str), &Text> = BTreeMap::new();
    let mut kept = Vec::new();
    let sorted = inputs.iter().filter(|it| !it.is_import).chain(inputs.iter().filter(|it| it.is_import));
    for input in sorted {
        let Some(name) = &input.skeleton.name else { continue };
        let version = input.skeleton.package.current_version.as_ref().map_or("", |it| &it.value);
        match seen.get(&(&*name.value, version)) {
            Some(first) => report.push(given_twice(name, version, first)),
            None => {
                seen.insert((&name.value, version), name);
                kept.push(input);
            }
        }
    }
    kept
}

fn given_twice(name: &Text, version: &str, first: &Text) -> Diagnostic {
    Diagnostic::error(DUPLICATE, name.span, format!("`{}` {version} is given twice", name.value))
        .related(first.span, "it is given here first")
        .help("leave one of the files out")
}

/// Finds the service of each import.
pub(super) fn link(inputs: &[&Input], services: &mut Services, report: &mut Diagnostics) {
    let found: Vec<Vec<(usize, Span)>> =
        inputs.iter().enumerate().map(|(at, it)| imports_of(at, it, services, report)).collect();
    for (service, imports) in services.services.iter_mut().zip(found) {
        (service.imports, service.import_spans) = imports.into_iter().unzip();
    }
    cycles(inputs, services, report);
}

fn imports_of(at: usize, input: &Input, services: &Services, report: &mut Diagnostics) -> Vec<(usize, Span)> {
    let mut found: Vec<(usize, Span)> = Vec::new();
    for import in &input.skeleton.imports {
        match find(at, &import.value, services) {
            Some(service) if service == at => report.push(of_itself(import)),
            Some(service) if found.iter().any(|(it, _)| *it == service) => report.push(twice(import)),
            Some(service) => found.push((service, import.span)),
            None => report.push(missing(import)),
        }
    }
    found
}

/// The service of that name: in the version of the one that imports it, or else the newest.
fn find(importer: usize, name: &str, services: &Services) -> Option<usize> {
    let own = services.services.get(importer)?;
    let named = services.services.iter().enumerate().filter(|(_, it)| &*it.name == name);
    let best = named.max_by(|(_, a), (_, b)| match (a.version == own.version, b.version == own.version) {
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        _ => version::compare(&a.version, &b.version),
    });
    best.map(|(at, _)| at)
}

fn of_itself(import: &Text) -> Diagnostic {
    Diagnostic::error(IMPORT_SELF, import.span, "the service imports itself")
        .help("leave it out: its own resources are named without service")
}

fn twice(import: &Text) -> Diagnostic {
    Diagnostic::warning(DUPLICATE, import.span, format!("`{}` is imported twice", import.value))
        .help("leave one of them out")
}

fn missing(import: &Text) -> Diagnostic {
    let message = format!("the specification of `{}`, which is imported, was not given", import.value);
    Diagnostic::error(IMPORT_MISSING, import.span, message)
        .help("give the files of all imported services too, also of those that they import")
}

/// Reports each cycle of imports once, at the import that closes it.
fn cycles(inputs: &[&Input], services: &Services, report: &mut Diagnostics) {
    let mut done = vec![false; services.services.len()];
    for start in 0..services.services.len() {
        let mut path = Vec::new();
        visit(start, &mut path, &mut done, inputs, services, report);
    }
}

/// More services than any real one is above, and not so many that a hostile set of files overflows the stack.
const MAX_DEPTH: usize = 256;

/// Depth first; a chain that is longer than the limit is not followed further.
fn visit(
    at: usize,
    path: &mut Vec<usize>,
    done: &mut [bool],
    inputs: &[&Input],
    services: &Services,
    report: &mut Diagnostics,
) {
    if let Some(begin) = path.iter().position(|it| *it == at) {
        let cycle = path.get(begin..).unwrap_or_default();
        report.extend(closed(cycle, inputs, services));
        return;
    }
    if path.len() == MAX_DEPTH || done.get(at).copied().unwrap_or(true) {
        return;
    }
    path.push(at);
    let imports = services.services.get(at).map(|it| it.imports.clone()).unwrap_or_default();
    imports.into_iter().for_each(|it| visit(it, path, done, inputs, services, report));
    path.pop();
    if let Some(done) = done.get_mut(at) {
        *done = true;
    }
}

fn closed(cycle: &[usize], inputs: &[&Input], services: &Services) -> Option<Diagnostic> {
    let (first, last) = (cycle.first()?, cycle.last()?);
    let name = |it: &usize| services.services.get(*it).map(|it| it.name.to_string());
    let names: Vec<String> = cycle.iter().chain([first]).filter_map(name).collect();
    let closing = services.services.get(*first)?.name.clone();
    let import = inputs.get(*last)?.skeleton.imports.iter().find(|it| it.value == closing)?;
    let message = format!("services import each other: {}", names.join(" → "));
    let help = "move what both need to a service that imports neither";
    Some(Diagnostic::error(IMPORT_CYCLE, import.span, message).help(help))
}
