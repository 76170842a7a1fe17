//! `.proto` files of a service.

mod aggregate;
mod field;
mod file;
mod layout;
mod message;
mod method;
mod resource;
mod storage;
mod types;
mod validation;

use spec::Api;

use crate::{Definition, text::snake};
use aggregate::Aggregate;
use file::{File, Files};
use layout::Layout;

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtoFile {
    /// Its path among the files that import each other: `edgelq/applications/proto/v1/pod.proto`.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The `.proto` files of a service, sorted by path, as Goten lays them out: for each resource `<resource>.proto` and
/// `<resource>_change.proto`, for each group of methods `<api>_service.proto` and, where it has requests of its own,
/// `<api>_custom.proto`; `common.proto` for messages that belong to none of them, and a file with the service's package.
///
/// They have the annotations of `google.api` and of Goten that the specification determines: types, validation rules,
/// resources, methods, transactions, routing and HTTP rules. Storage, caches, audit and Go packages of servers are not among
/// them. The files of annotations that are imported are not generated.
pub fn proto(it: Definition<'_>) -> Vec<ProtoFile> {
    let layout = Layout::of(it);
    let mut files = Files::default();
    for name in layout.tops() {
        let file = files.get(layout.place(name), it);
        message::write(file, name, it, &layout);
    }
    for api in &it.service.apis {
        add_service(files.get(&layout.service(api), it), api, it, &layout);
    }
    add_package(files.get(&layout.package(), it), it);
    files.finish()
}

fn add_service(file: &mut File, api: &Api, it: Definition<'_>, layout: &Layout) {
    file.import("google/api/annotations.proto");
    file.import("google/api/client.proto");
    file.import("goten/annotations/service.proto");
    file.import("goten/annotations/multi_region.proto");
    let mut text = format!("service {} {{\n", api.name);
    text +=
        &format!("  option (google.api.default_host) = {};\n", aggregate::quoted(&it.service.default_host));
    if !it.service.oauth_scopes.is_empty() {
        let scopes = aggregate::quoted(&it.service.oauth_scopes);
        text += &format!("  option (google.api.oauth_scopes) = {scopes};\n");
    }
    for rpc in &api.methods {
        text += &method::rpc(file, rpc, it, layout);
    }
    text.push_str("}\n");
    file.declare(&text);
}

/// The file of the package: which service it is, and what it imports.
fn add_package(file: &mut File, it: Definition<'_>) {
    file.import("goten/annotations/service.proto");
    let mut package = Aggregate::default();
    package.text("name", &it.service.short_name);
    package.text("domain", &it.service.name);
    package.text("version", &it.service.version);
    for import in it.service.imports.iter().filter_map(|at| it.services.services.get(*at)) {
        let mut imported = Aggregate::default();
        imported.text("domain", &import.name);
        imported.text("proto_pkg", &import.package);
        imported.text("version", &import.version);
        package.message("imported_services", imported);
    }
    file.option(&format!("option (goten.annotations.service_pkg) = {};", package.print("")));
}

/// `PodService` as `pod`.
fn api_name(api: &Api) -> String {
    snake(api.name.strip_suffix("Service").unwrap_or(&api.name))
}
