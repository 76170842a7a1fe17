//! Methods with their options.

use std::sync::Arc;

use spec::{
    Method, RoutingRule,
    skeleton::{Paths, Text, Transaction},
};

use super::{aggregate::Aggregate, file::File, layout::Layout, types};
use crate::Definition;

/// The declaration of a method in a service.
pub(super) fn rpc(file: &mut File, method: &Method, it: Definition<'_>, layout: &Layout) -> String {
    let request = types::message(file, "", &method.request, it, layout);
    let response = types::message(file, "", &method.response, it, layout);
    let (in_stream, out_stream) = (stream(method.client_streaming), stream(method.server_streaming));
    let mut text =
        format!("  rpc {}({in_stream}{request}) returns ({out_stream}{response}) {{\n", method.name);
    let options = [
        ("goten.annotations.method", resource(method, it)),
        ("goten.annotations.tx", transaction(method)),
        ("goten.annotations.multi_region_routing", routing(&method.routing)),
        ("google.api.http", http(method)),
    ];
    for (name, value) in options {
        text += &format!("    option ({name}) = {};\n", value.print("    "));
    }
    text + "  }\n"
}

const fn stream(streams: bool) -> &'static str {
    if streams { "stream " } else { "" }
}

fn resource(method: &Method, it: Definition<'_>) -> Aggregate {
    let mut own = Aggregate::default();
    if let Some(id) = method.kind {
        own.text("resource", &it.name_of(id));
    }
    own.text("verb", &method.verb);
    own.flag("is_collection", method.is_collection);
    own.flag("is_plural", method.is_plural);
    for (key, value) in [("request_paths", &method.request_paths), ("response_paths", &method.response_paths)]
    {
        let paths = paths(value);
        if !paths.is_empty() {
            own.message(key, paths);
        }
    }
    own
}

fn paths(paths: &Paths) -> Aggregate {
    let mut own = Aggregate::default();
    let texts = |it: &'_ [Text]| it.iter().map(|it| it.value.clone()).collect::<Vec<Arc<str>>>();
    let all = [
        ("resource_name", texts(&paths.resource_name)),
        ("resource_body", texts(&paths.resource_body)),
        ("resource_parent", texts(&paths.resource_parent)),
    ];
    all.iter().for_each(|(key, it)| own.texts(key, it.iter().map(|it| &**it)));
    own
}

fn transaction(method: &Method) -> Aggregate {
    let mut own = Aggregate::default();
    own.flag("read_only", method.read_only);
    if method.transaction != Transaction::None {
        own.word("transaction", method.transaction.as_str());
    }
    own
}

fn routing(rule: &RoutingRule) -> Aggregate {
    let mut own = Aggregate::default();
    own.flag("skip_code_gen_based_routing", rule.skip_generated);
    own.flag("execute_on_owning_region", rule.execute_on_owning_region);
    let paths = [
        ("resource_field_paths", &rule.resource_paths),
        ("scope_field_paths", &rule.scope_paths),
        ("region_id_field_paths", &rule.region_paths),
    ];
    paths.iter().for_each(|(key, it)| own.texts(key, it.iter().map(|it| &**it)));
    own
}

/// The primary route, and the others in it.
fn http(method: &Method) -> Aggregate {
    let mut rules = method.routes.iter().map(|route| {
        let mut rule = Aggregate::default();
        rule.text(&route.method.to_ascii_lowercase(), &route.path);
        if !route.body.is_empty() {
            rule.text("body", &route.body);
        }
        rule
    });
    let mut own = rules.next().unwrap_or_default();
    rules.for_each(|it| own.message("additional_bindings", it));
    own
}
