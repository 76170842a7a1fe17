//! Lints for text that is valid and hardly meant, or that works otherwise than it seems to.

mod methods;
mod routes;
mod tenancy;

use diag::{Diagnostic, Diagnostics};

use crate::{
    Services,
    codes::NAME_FORM,
    resolve::{Input, header::is_segment},
    version,
};

pub(crate) fn check(inputs: &[&Input], services: &Services, report: &mut Diagnostics) {
    for (at, (input, service)) in inputs.iter().zip(&services.services).enumerate() {
        methods::check(service, report);
        version_form(input, report);
        if service.is_import {
            continue;
        }
        routes::check(service, report);
        tenancy::check(at, services, report);
    }
}

/// A version of another form is the oldest of all, and stands in paths as it is. One that cannot is an error of its own.
fn version_form(input: &Input, report: &mut Diagnostics) {
    let Some(version) = &input.skeleton.package.current_version else { return };
    if !version::is_version(&version.value) && is_segment(&version.value) {
        let message = format!("`{}` does not have the form of a version", version.value);
        let help = "write `v1`, `v2alpha` or `v2beta1`";
        report.push(Diagnostic::warning(NAME_FORM, version.span, message).help(help));
    }
}
