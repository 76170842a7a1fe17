use super::{
    keys::{Keys, listed},
    resource::read_versioning,
};
use crate::skeleton::{Action, HttpOverrides, OperatedResource, Paths, Routing, StoreHandle, Transaction};

pub(super) fn read(mut keys: Keys<'_>) -> Action {
    let action = Action {
        span: keys.span,
        name: keys.required("name", "an action"),
        verb: keys.text("verb"),
        operated: keys.map("opResourceInfo").map(read_operated),
        request_name: keys.text("requestName"),
        response_name: keys.text("responseName"),
        skip_request_message: keys.flag("skipRequestMsgGen"),
        skip_response_message: keys.flag("skipResponseMsgGen"),
        streaming_request: keys.flag("streamingRequest"),
        streaming_response: keys.flag("streamingResponse"),
        store: read_store(&mut keys),
        routing: keys.map("multiRegionRouting").map(read_routing).unwrap_or_default(),
        http: keys.map("grpcTranscoding").map(read_http).unwrap_or_default(),
        versioning: keys.map("versioning").map(read_versioning).unwrap_or_default(),
    };
    keys.finish("an action");
    action
}

fn read_store(keys: &mut Keys<'_>) -> Option<StoreHandle> {
    let Some(mut store) = keys.map("withStoreHandle") else {
        let help = || {
            let names: Vec<&str> = Transaction::NAMES.iter().map(|it| it.0).collect();
            format!("add `withStoreHandle: {{transaction: …}}` with one of {}", listed(&names))
        };
        keys.missing_with("withStoreHandle", "an action", help);
        return None;
    };
    let transaction = store.choice("transaction", &Transaction::NAMES);
    if transaction.is_none() {
        store.missing_choice("transaction", "`withStoreHandle`", &Transaction::NAMES);
    }
    let handle = StoreHandle { span: store.span, transaction, read_only: store.flag("readOnly") };
    store.finish("`withStoreHandle`");
    Some(handle)
}

fn read_operated(mut keys: Keys<'_>) -> OperatedResource {
    let operated = OperatedResource {
        span: keys.span,
        name: keys.text("name"),
        is_collection: keys.flag("isCollection"),
        is_plural: keys.flag("isPlural"),
        skip_resource_in_request: keys.flag("skipResourceInRequest"),
        request_paths: keys.map("requestPaths").map(|it| read_paths(it, "`requestPaths`")),
        response_paths: keys.map("responsePaths").map(|it| read_paths(it, "`responsePaths`")),
    };
    keys.finish("`opResourceInfo`");
    operated
}

fn read_paths(mut keys: Keys<'_>, what: &str) -> Paths {
    let paths = Paths {
        span: Some(keys.span),
        resource_name: keys.texts("resourceName"),
        resource_body: keys.texts("resourceBody"),
        resource_parent: keys.texts("resourceParent"),
    };
    keys.finish(what);
    paths
}

fn read_routing(mut keys: Keys<'_>) -> Routing {
    let routing = Routing {
        execute_on_owning_region: keys.flag("executeOnOwningRegion"),
        skip_generated: keys.flag("skipCodeGenBasedRouting"),
        resource_paths: keys.texts("resourceFieldPaths"),
        scope_paths: keys.texts("scopeFieldPaths"),
        region_paths: keys.texts("regionIdFieldPaths"),
    };
    keys.finish("`multiRegionRouting`");
    routing
}

fn read_http(mut keys: Keys<'_>) -> HttpOverrides {
    let http = HttpOverrides {
        method: keys.text("httpMethod"),
        is_basic: keys.flag("isBasic"),
        body_field: keys.text("httpBodyField"),
        paths: keys.texts("httpPathOverrides"),
    };
    keys.finish("`grpcTranscoding`");
    http
}
