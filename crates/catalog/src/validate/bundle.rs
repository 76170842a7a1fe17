use std::collections::BTreeMap;

use diag::Diagnostic;

use crate::{Bundle, Package, codes, findings::Findings, quote::quote, version::Release};

/// Checks that names and releases match, and that no version is repeated.
pub(super) fn bundles(package: &Package, findings: &mut Findings) {
    package.bundles.values().for_each(|bundle| release(bundle, findings));
    let mut versions: BTreeMap<String, Vec<&Bundle>> = BTreeMap::new();
    for bundle in package.bundles.values() {
        versions.entry(version(bundle)).or_default().push(bundle);
    }
    versions.retain(|_, bundles| bundles.len() > 1);
    if !versions.is_empty() {
        findings.push(duplicates(&versions));
    }
}

/// The version with its release, as upstream compares them.
fn version(bundle: &Bundle) -> String {
    match &bundle.release {
        Some(release) => format!("{}-{release}", bundle.version),
        None => bundle.version.to_string(),
    }
}

fn duplicates(versions: &BTreeMap<String, Vec<&Bundle>>) -> Diagnostic {
    let names = |bundles: &[&Bundle]| bundles.iter().map(|it| &*it.name).collect::<Vec<_>>().join(", ");
    let shown: Vec<_> =
        versions.iter().map(|(version, bundles)| format!("{{{version}: [{}]}}", names(bundles))).collect();
    let message = format!("duplicate versions found in bundles: [{}]", shown.join(" "));
    let mut places = versions.values().flatten().map(|bundle| bundle.origin);
    let found = Diagnostic::error(codes::DUPLICATE_VERSION, places.next(), message);
    places.fold(found, |found, place| found.related(place, "one of them"))
}

fn release(bundle: &Bundle, findings: &mut Findings) {
    let Some(release) = &bundle.release else { return };
    let mut push =
        |message: String| findings.push(Diagnostic::error(codes::INVALID_RELEASE, bundle.origin, message));
    if let Err(error) = Release::parse(release) {
        return push(error);
    }
    let normal = format!("{}-v{}-{release}", bundle.package, bundle.version);
    if *bundle.name != *normal {
        push(format!("name {} does not match normalized name {}", quote(&bundle.name), quote(&normal)));
    }
    if !bundle.version.build.is_empty() {
        push("cannot use build metadata in version with a release version".to_owned());
    }
}
