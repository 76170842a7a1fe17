//! Routes that two methods of a service share, and bodies that only the first route has.

use std::collections::BTreeMap;

use diag::{Diagnostic, Diagnostics};

use crate::{
    Method, Service,
    codes::{AMBIGUOUS_ROUTE, BODY},
};

pub(super) fn check(service: &Service, report: &mut Diagnostics) {
    let mut seen: BTreeMap<(&str, String), &Method> = BTreeMap::new();
    for method in service.apis.iter().flat_map(|it| &it.methods) {
        for route in &method.routes {
            if let Some(first) = seen.insert((&route.method, shape(&route.path)), method) {
                report.push(shared(first, method, &route.method, &route.path));
            }
        }
    }
    let lost = service.apis.iter().flat_map(|it| &it.methods).filter(|it| loses_body(it)).collect::<Vec<_>>();
    report.extend(bodies(service, &lost));
}

/// A path without the names of its variables: those do not tell routes apart.
fn shape(path: &str) -> String {
    let mut shape = String::with_capacity(path.len());
    let mut rest = path;
    while let Some((head, tail)) = rest.split_once('{') {
        shape.push_str(head);
        let (variable, after) = tail.split_once('}').unwrap_or((tail, ""));
        shape.push_str(variable.split_once('=').map_or("*", |(_, pattern)| pattern));
        rest = after;
    }
    shape.push_str(rest);
    shape
}

fn shared(first: &Method, second: &Method, http: &str, path: &str) -> Diagnostic {
    let message = format!("`{}` and `{}` have one route, `{http} {path}`", first.name, second.name);
    Diagnostic::warning(AMBIGUOUS_ROUTE, second.span, message)
        .related(first.span, "the other method")
        .help("give one of them another verb or path; the server takes the first")
}

fn loses_body(method: &Method) -> bool {
    method.routes.len() > 1 && method.routes.first().is_some_and(|it| !it.body.is_empty())
}

/// One for the service: the rule is that of Goten's tools, not of the specification.
fn bodies(service: &Service, lost: &[&Method]) -> Option<Diagnostic> {
    let first = lost.first()?;
    let rule = "by the rules of google.api.http the others read it from the query";
    let message = match lost.len() {
        1 => format!("`{}` has a body in its first route only: {rule}", first.name),
        many => format!(
            "`{}` and {} other methods have a body in their first route only: {rule}",
            first.name,
            many - 1
        ),
    };
    let help = "this is how Goten generates them; Planloom's server reads the body in all of them";
    Some(Diagnostic::hint(BODY, service.span, message).help(help))
}
