//! Reads a specification as it is written.

mod action;
mod fields;
mod keys;
mod resource;
mod rules;
mod storage;

use std::cell::RefCell;

use diag::{Diagnostic, Diagnostics, Span};
use syntax::{Document, Node};

use crate::{
    Skeleton,
    codes::{EMPTY, TYPE},
    skeleton::{Api, Package, ServiceHeader},
};
use keys::Keys;

/// Reads a specification. `file` is where the document was read from, for what it lacks altogether.
///
/// Never fails: a value that cannot be read is reported and absent. `None` if the file has no map at all.
pub fn read(document: &Document, file: Span) -> (Option<Skeleton>, Diagnostics) {
    let report = RefCell::default();
    let skeleton = read_root(document.root.as_ref(), file, &report);
    (skeleton, report.into_inner())
}

fn read_root(root: Option<&Node>, file: Span, report: &RefCell<Diagnostics>) -> Option<Skeleton> {
    let Some(root) = root else {
        let message = "the specification is empty";
        report.borrow_mut().push(Diagnostic::error(EMPTY, file, message).help("write `name:` and `proto:`"));
        return None;
    };
    let Some(mapping) = root.as_mapping() else {
        let message = "a specification is a map";
        report
            .borrow_mut()
            .push(Diagnostic::error(TYPE, root.span, message).help("write `name:` and `proto:`"));
        return None;
    };
    Some(read_skeleton(Keys::of(mapping, root.span, report)))
}

fn read_skeleton(mut keys: Keys<'_>) -> Skeleton {
    let name = keys.required("name", "the specification");
    let (package, service) = read_proto(&mut keys);
    let skeleton = Skeleton {
        span: keys.span,
        name,
        package,
        service,
        imports: keys.texts("imports"),
        disable_multi_region: keys.flag("disableMultiRegion"),
        resources: keys.list("resources").into_iter().map(resource::read).collect(),
        apis: keys.list("apis").into_iter().map(read_api).collect(),
    };
    keys.finish("a specification");
    skeleton
}

fn read_proto(keys: &mut Keys<'_>) -> (Package, ServiceHeader) {
    let Some(mut proto) = keys.map("proto") else {
        keys.missing("proto", "the specification");
        return Default::default();
    };
    let package = match proto.map("package") {
        Some(package) => read_package(package),
        None => {
            proto.missing("package", "`proto`");
            Package::default()
        }
    };
    let service = proto.map("service").map(read_service).unwrap_or_default();
    proto.finish("`proto`");
    (package, service)
}

fn read_package(mut keys: Keys<'_>) -> Package {
    let package = Package {
        name: keys.required("name", "`package`"),
        current_version: keys.required("currentVersion", "`package`"),
        next_version: keys.text("nextVersion"),
        go_package: keys.text("goPackage"),
        proto_import_path_prefix: keys.text("protoImportPathPrefix"),
    };
    keys.finish("`package`");
    package
}

fn read_service(mut keys: Keys<'_>) -> ServiceHeader {
    let service = ServiceHeader {
        name: keys.text("name"),
        default_host: keys.text("defaultHost"),
        oauth_scopes: keys.text("oauthScopes"),
        http_namespace_prefix: keys.text("httpNamespacePrefix"),
    };
    keys.finish("`service`");
    service
}

fn read_api(mut keys: Keys<'_>) -> Api {
    let api = Api {
        span: keys.span,
        name: keys.required("name", "an API"),
        actions: keys.list("actions").into_iter().map(action::read).collect(),
    };
    keys.finish("an API");
    api
}
