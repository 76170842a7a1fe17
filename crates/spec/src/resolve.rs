//! Specifications as they are written to services as they are meant.

mod apis;
mod custom;
pub(crate) mod header;
mod http_path;
mod imports;
mod kinds;
pub(crate) mod parents;
pub(crate) mod paths;
mod patterns;
mod routes;
mod standard;

use std::collections::BTreeMap;

use diag::{Diagnostic, Diagnostics};

use crate::{Service, Services, Skeleton, lints};

/// A specification among those that are resolved together.
#[derive(Clone, Debug)]
pub struct Input {
    /// The specification.
    pub skeleton: Skeleton,
    /// It is only there to be imported.
    pub is_import: bool,
}

/// Resolves specifications that import each other.
///
/// Services that were given twice in the same version are reported and left out. A specification names its imports
/// without version: if several versions were given, it gets its own version, or else the newest.
pub fn resolve(inputs: &[Input]) -> (Services, Diagnostics) {
    let mut report = Diagnostics::new();
    let kept = imports::select(inputs, &mut report);
    let mut services = Services { services: kept.iter().map(|it| header(it)).collect() };
    header::check(&kept, &mut report);
    imports::link(&kept, &mut services, &mut report);
    kinds::declare(&kept, &mut services, &mut report);
    parents::link(&kept, &mut services, &mut report);
    patterns::compute(&kept, &mut services, &mut report);
    apis::build(&kept, &mut services, &mut report);
    lints::check(&kept, &services, &mut report);
    sort(&mut report);
    (services, report)
}

fn header(input: &Input) -> Service {
    let skeleton = &input.skeleton;
    let text = |it: &Option<crate::skeleton::Text>| it.as_ref().map(|it| it.value.clone());
    let version = text(&skeleton.package.current_version).unwrap_or_default();
    let package = text(&skeleton.package.name).unwrap_or_default();
    let name = text(&skeleton.name).unwrap_or_default();
    Service {
        package: format!("{package}.{version}").into(),
        short_name: text(&skeleton.service.name).unwrap_or_default(),
        default_host: text(&skeleton.service.default_host).unwrap_or_else(|| name.clone()),
        oauth_scopes: text(&skeleton.service.oauth_scopes).unwrap_or_default(),
        go_package: text(&skeleton.package.go_package).unwrap_or_default(),
        proto_folder: text(&skeleton.package.proto_import_path_prefix)
            .unwrap_or_else(|| format!("{}/proto", package.replace('.', "/")).into()),
        http_prefix: text(&skeleton.service.http_namespace_prefix),
        next_version: text(&skeleton.package.next_version),
        imports: Vec::new(),
        import_spans: Vec::new(),
        kinds: Vec::new(),
        places: BTreeMap::new(),
        apis: Vec::new(),
        is_import: input.is_import,
        span: skeleton.name.as_ref().map_or(skeleton.span, |it| it.span),
        name,
        version,
    }
}

/// By place, as a reader of the files meets them.
fn sort(report: &mut [Diagnostic]) {
    report.sort_by_key(|it| it.span.map(|span| (span.file, span.start, span.end)));
}
