//! The rules for a catalog as a whole, with upstream's messages (source: operator-registry).

use diag::{Diagnostic, Diagnostics, is_invisible};

use crate::{Catalog, Package, codes, findings::Findings, quote::quote};

mod bundle;
mod channel;

/// Checks a catalog that has been read, package by package.
///
/// Errors that [`read`](crate::read()) reports are not reported again. An error in one package does not
/// affect others.
pub fn validate(catalog: &Catalog) -> Diagnostics {
    let mut findings = Findings::default();
    catalog.packages.values().for_each(|it| package(it, &mut findings));
    findings.finish()
}

fn package(package: &Package, findings: &mut Findings) {
    name(package, findings);
    invisible(package, findings);
    if package.channels.is_empty() {
        let message = "package must contain at least one channel";
        findings.push(Diagnostic::error(codes::EMPTY, package.origin, message));
    }
    default_channel(package, findings);
    package.channels.values().for_each(|it| channel::channel(package, it, findings));
    channel::entries(package, findings);
    bundle::bundles(package, findings);
}

/// Checks that the name is a DNS label.
fn name(package: &Package, findings: &mut Findings) {
    let name = &*package.name;
    let is_part = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit();
    let has_ends = [name.bytes().next(), name.bytes().next_back()].iter().all(|it| it.is_some_and(is_part));
    let mut reasons = Vec::new();
    if name.len() > 63 {
        reasons.push("must be no more than 63 characters");
    }
    if !has_ends || !name.bytes().all(|it| is_part(it) || it == b'-') {
        reasons.push(LABEL);
    }
    if !reasons.is_empty() {
        let message = format!("invalid package name {}: [{}]", quote(name), reasons.join(" "));
        findings.push(Diagnostic::error(codes::INVALID_NAME, package.origin, message));
    }
}

/// Upstream allows any name for channels and bundles; warns of names that look like others.
fn invisible(package: &Package, findings: &mut Findings) {
    let channels = package.channels.values().map(|it| (&it.name, it.origin));
    let bundles = package.bundles.values().map(|it| (&it.name, it.origin));
    for (name, origin) in channels.chain(bundles) {
        let Some(hidden) = name.chars().find(|it| is_invisible(*it)) else { continue };
        let code = u32::from(hidden);
        let message = format!("the name `{name}` has the character U+{code:04X} in it, which cannot be seen");
        let found = Diagnostic::warning(codes::INVISIBLE_CHARACTER, origin, message);
        findings.push(found.help("remove it here and everywhere the name is used"));
    }
}

/// The message of Kubernetes.
const LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must \
                     start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for \
                     validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

fn default_channel(package: &Package, findings: &mut Findings) {
    let default = &package.default_channel;
    if package.channels.is_empty() || package.channels.contains_key(default) {
        return;
    }
    let message = match &**default {
        "" => "default channel must be set".to_owned(),
        name => format!("default channel {} not found in channels list", quote(name)),
    };
    let names: Vec<_> = package.channels.keys().map(|name| format!("`{name}`")).collect();
    let found = Diagnostic::error(codes::DEFAULT_CHANNEL, package.origin, message);
    findings.push(found.help(format!("set `defaultChannel` to one of {}", names.join(", "))));
}

#[cfg(test)]
mod tests;
