use std::collections::BTreeMap;

use diag::{Diagnostic, Diagnostics, Span};

use crate::{Api, Service, codes::DUPLICATE};

/// No two methods of an API, and no two APIs of a service, have one name.
pub(super) fn check(service: &Service, report: &mut Diagnostics) {
    let mut apis: BTreeMap<&str, Span> = BTreeMap::new();
    for api in &service.apis {
        let Some(span) = api.methods.first().map(|it| it.span) else { continue };
        if let Some(first) = apis.insert(&api.name, span) {
            let message = format!("two APIs are called `{}`", api.name);
            report.push(
                Diagnostic::error(DUPLICATE, span, message)
                    .related(first, "the other one")
                    .help("rename one of them"),
            );
        }
        of_api(api, report);
    }
}

fn of_api(api: &Api, report: &mut Diagnostics) {
    let mut names: BTreeMap<&str, Span> = BTreeMap::new();
    for method in &api.methods {
        if let Some(first) = names.insert(&method.name, method.span) {
            let message = format!("`{}` has two methods `{}`", api.name, method.name);
            let help = "rename the action, or leave the standard method out with `optOuts.basicActions`";
            report.push(
                Diagnostic::error(DUPLICATE, method.span, message).related(first, "the other one").help(help),
            );
        }
    }
}
