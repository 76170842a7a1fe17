use diag::Span;

use super::{paths, routes};
use crate::{
    Features, Kind, KindId, Method, Route, RoutingRule, StandardMethod, opt_out,
    resolve::routes::Form,
    skeleton::{Paths, Resource, Transaction},
};

/// The standard methods of a kind, without those that it opts out of.
pub(super) fn methods(id: KindId, kind: &Kind, resource: &Resource, prefix: &str) -> Vec<Method> {
    let has = |it: &StandardMethod| offers(*it, &kind.features);
    let kept = |it: &StandardMethod| {
        let name = name(*it, kind);
        !resource.opt_outs.basic_actions.iter().any(|pattern| opt_out::matches(&pattern.value, &name))
    };
    let methods = StandardMethod::ALL.into_iter().filter(|it| has(it) && kept(it));
    methods.map(|it| method(it, id, kind, resource, prefix)).collect()
}

fn offers(method: StandardMethod, features: &Features) -> bool {
    features.standard_access
        && features.name_field
        && match method {
            StandardMethod::Watch | StandardMethod::WatchCollection => features.resource_change,
            StandardMethod::Search => features.searchable,
            StandardMethod::Get
            | StandardMethod::BatchGet
            | StandardMethod::List
            | StandardMethod::Create
            | StandardMethod::Update
            | StandardMethod::Delete => true,
        }
}

/// The name of a standard method of a kind.
pub(super) fn name(method: StandardMethod, kind: &Kind) -> String {
    let (one, many) = (&kind.name, &kind.plural);
    match method {
        StandardMethod::Get => format!("Get{one}"),
        StandardMethod::BatchGet => format!("BatchGet{many}"),
        StandardMethod::List => format!("List{many}"),
        StandardMethod::Watch => format!("Watch{one}"),
        StandardMethod::WatchCollection => format!("Watch{many}"),
        StandardMethod::Create => format!("Create{one}"),
        StandardMethod::Update => format!("Update{one}"),
        StandardMethod::Delete => format!("Delete{one}"),
        StandardMethod::Search => format!("Search{many}"),
    }
}

fn method(it: StandardMethod, id: KindId, kind: &Kind, resource: &Resource, prefix: &str) -> Method {
    let name = name(it, kind);
    let (is_collection, is_plural) = modes(it);
    let writes = matches!(it, StandardMethod::Create | StandardMethod::Update | StandardMethod::Delete);
    let transaction = if writes { Transaction::Snapshot } else { Transaction::None };
    let skip_generated =
        resource.multi_region.skip_routing.iter().any(|it| opt_out::matches(&it.value, &name));
    let request_paths = paths::of_request(it, kind);
    Method {
        verb: it.verb().into(),
        standard: Some(it),
        request: format!("{name}Request").into(),
        response: response(it, &name, kind).into(),
        client_streaming: false,
        server_streaming: matches!(it, StandardMethod::Watch | StandardMethod::WatchCollection),
        kind: Some(id),
        is_collection,
        is_plural,
        routes: routes(it, kind, &request_paths, prefix),
        response_paths: paths::of_response(it, kind),
        request_paths,
        transaction,
        read_only: !writes,
        routing: RoutingRule {
            execute_on_owning_region: writes && !skip_generated,
            skip_generated,
            ..RoutingRule::default()
        },
        permission: format!("{}.{}", kind.collection, it.verb()).into(),
        replacement: None,
        span: span(kind),
        name: name.into(),
    }
}

const fn span(kind: &Kind) -> Span {
    kind.span
}

/// True if it is a method of the collection, and true if of several resources.
const fn modes(method: StandardMethod) -> (bool, bool) {
    match method {
        StandardMethod::Get | StandardMethod::Watch | StandardMethod::Update | StandardMethod::Delete => {
            (false, false)
        }
        StandardMethod::BatchGet => (false, true),
        StandardMethod::Create => (true, false),
        StandardMethod::List | StandardMethod::WatchCollection | StandardMethod::Search => (true, true),
    }
}

fn response(method: StandardMethod, name: &str, kind: &Kind) -> String {
    match method {
        StandardMethod::Get | StandardMethod::Create | StandardMethod::Update => kind.name.to_string(),
        StandardMethod::Delete => "google.protobuf.Empty".to_owned(),
        StandardMethod::BatchGet
        | StandardMethod::List
        | StandardMethod::Watch
        | StandardMethod::WatchCollection
        | StandardMethod::Search => format!("{name}Response"),
    }
}

fn routes(method: StandardMethod, kind: &Kind, request: &Paths, prefix: &str) -> Vec<Route> {
    let (is_collection, is_plural) = modes(method);
    let (http, verb) = match method {
        StandardMethod::Get | StandardMethod::List => ("GET", None),
        StandardMethod::BatchGet | StandardMethod::Search => ("GET", Some(method.verb())),
        StandardMethod::Watch | StandardMethod::WatchCollection => ("POST", Some(method.verb())),
        StandardMethod::Create => ("POST", None),
        StandardMethod::Update => ("PUT", None),
        StandardMethod::Delete => ("DELETE", None),
    };
    let body = request.resource_body.first().map_or("", |it| &it.value);
    routes::of(&Form {
        http,
        prefix,
        verb,
        body,
        kind: Some(kind),
        is_collection,
        is_plural,
        skips_resource: false,
        request,
        overrides: &[],
    })
}
