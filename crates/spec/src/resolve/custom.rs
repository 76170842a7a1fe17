use std::sync::Arc;

use diag::{Diagnostic, Diagnostics};

use super::{
    http_path,
    kinds::check_form,
    parents, paths,
    routes::{self, Form},
};
use crate::{
    Kind, KindId, Method, RoutingRule, Services,
    codes::{BODY, MISSING_KEY, PATHS_NO_PARENT, PATHS_NONE, PATHS_PARENT, PATHS_TWO, UNKNOWN_VALUE, VERB},
    skeleton::{Action, OperatedResource, Paths, Text, Transaction, is_set},
    words::lower_camel,
};

/// A method of the specification. `kind` is the resource that has it.
pub(super) fn method(
    service: usize,
    kind: Option<usize>,
    action: &Action,
    services: &Services,
    prefix: &str,
    report: &mut Diagnostics,
) -> Option<Method> {
    let name = action.name.as_ref()?;
    check_form(Some(name), report);
    let id = operated(service, kind, action, services, report);
    let kind = id.and_then(|it| services.kind(it));
    let verb = verb(action, name, kind, report);
    let modes = Modes::of(action.operated.as_ref());
    let request_paths = request_paths(action, kind, modes, report);
    let form = Form {
        http: &http_method(action, report),
        prefix,
        verb: (!is_set(&action.http.is_basic)).then_some(&*verb),
        body: body(action, &request_paths, report),
        kind,
        is_collection: modes.is_collection,
        is_plural: modes.is_plural,
        skips_resource: modes.skips_resource,
        request: &request_paths,
        overrides: &action.http.paths,
    };
    http_path::check(&action.http.paths, report);
    let routes = routes::of(&form);
    let transaction =
        action.store.as_ref().and_then(|it| it.transaction).map(|it| it.value).unwrap_or_default();
    Some(Method {
        name: name.value.clone(),
        standard: None,
        request: given_or(action.request_name.as_ref(), || format!("{}Request", name.value)),
        response: given_or(action.response_name.as_ref(), || format!("{}Response", name.value)),
        client_streaming: is_set(&action.streaming_request),
        server_streaming: is_set(&action.streaming_response),
        kind: id,
        is_collection: modes.is_collection,
        is_plural: modes.is_plural,
        response_paths: action.operated.as_ref().and_then(|it| it.response_paths.clone()).unwrap_or_default(),
        transaction,
        read_only: action.store.as_ref().is_some_and(|it| is_set(&it.read_only)),
        routing: routing(action, id.is_some(), transaction),
        permission: kind.map_or_else(|| verb.clone(), |it| format!("{}.{verb}", it.collection)).into(),
        replacement: action.versioning.replacement.clone(),
        span: name.span,
        request_paths,
        routes,
        verb: verb.into(),
    })
}

#[derive(Clone, Copy, Default)]
struct Modes {
    is_collection: bool,
    is_plural: bool,
    skips_resource: bool,
}

impl Modes {
    fn of(operated: Option<&OperatedResource>) -> Self {
        operated.map_or_else(Self::default, |it| Self {
            is_collection: is_set(&it.is_collection),
            is_plural: is_set(&it.is_plural),
            skips_resource: is_set(&it.skip_resource_in_request),
        })
    }
}

/// The kind that an action operates on: the one it names, or the resource that has it.
fn operated(
    service: usize,
    kind: Option<usize>,
    action: &Action,
    services: &Services,
    report: &mut Diagnostics,
) -> Option<KindId> {
    let own = kind.map(|kind| KindId { service, kind });
    let Some(operated) = &action.operated else { return own };
    match &operated.name {
        Some(name) => parents::find(service, name, services, report),
        None if own.is_none() => {
            let message = "`opResourceInfo` of an action that belongs to no resource has no `name`";
            report.push(
                Diagnostic::error(MISSING_KEY, operated.span, message).help("add `name:` with the resource"),
            );
            None
        }
        None => own,
    }
}

fn verb(action: &Action, name: &Text, kind: Option<&Kind>, report: &mut Diagnostics) -> String {
    let verb = lower_camel(action.verb.as_ref().map_or(&name.value, |it| &it.value));
    if let Some(written) = action.verb.as_ref().filter(|_| !http_path::is_verb(&verb)) {
        let message = match &*written.value {
            "" => "the verb is empty".to_owned(),
            it => format!("`{it}` is not a verb: it is the end of a path and of a permission"),
        };
        let help = "write letters and digits, beginning with a letter, as in `rotate`, or leave `verb` out: it is then the \
                    name in lowerCamelCase";
        report.push(Diagnostic::error(VERB, written.span, message).help(help));
    }
    if kind.is_some() && verb == "list" && is_collection(action) {
        let span = action.verb.as_ref().map_or(name.span, |it| it.span);
        let message =
            "the verb `list` belongs to the standard method, whose implementation this action would get";
        report.push(Diagnostic::warning(VERB, span, message).help("use `query`"));
    }
    verb
}

fn is_collection(action: &Action) -> bool {
    action.operated.as_ref().is_some_and(|it| is_set(&it.is_collection))
}

/// The paths as written, or by default. Written ones are checked against the resources that the action operates on (source:
/// Goten's guide).
fn request_paths(action: &Action, kind: Option<&Kind>, modes: Modes, report: &mut Diagnostics) -> Paths {
    let Some(kind) = kind else { return Paths::default() };
    let written = action.operated.as_ref().and_then(|it| it.request_paths.as_ref());
    match written {
        Some(written) => {
            report.extend(check(written, kind, modes));
            written.clone()
        }
        None if modes.skips_resource || !kind.features.name_field => Paths::default(),
        None => paths::of_custom(modes.is_collection, modes.is_plural, kind, action.span),
    }
}

fn check(paths: &Paths, kind: &Kind, modes: Modes) -> Option<Diagnostic> {
    let span = paths.span?;
    let error = |code, message: &str, help: &str| Some(Diagnostic::error(code, span, message).help(help));
    let named = (!paths.resource_name.is_empty(), !paths.resource_body.is_empty());
    match (modes.is_collection, paths.resource_parent.first()) {
        (true, None) if !modes.skips_resource && paths::has_parents(kind) => error(
            PATHS_NO_PARENT,
            "a method of a collection has no `resourceParent`",
            "name the field with the parent, `resourceParent: [parent]`",
        ),
        (false, Some(_)) if !modes.skips_resource => error(
            PATHS_PARENT,
            "`resourceParent` is only for methods of a collection",
            "add `isCollection: true`, or name the resource with `resourceName`",
        ),
        (false, _) if !modes.skips_resource && named == (false, false) => error(
            PATHS_NONE,
            "the request names no resource",
            "add `resourceName: [name]`, or `skipResourceInRequest: true`",
        ),
        (false, _) if named == (true, true) => error(
            PATHS_TWO,
            "the request names the resource by `resourceName` and by `resourceBody`",
            "leave one of them out",
        ),
        _ => None,
    }
}

fn http_method(action: &Action, report: &mut Diagnostics) -> String {
    const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
    let Some(written) = &action.http.method else { return "POST".to_owned() };
    let method = written.value.to_ascii_uppercase();
    if !METHODS.contains(&&*method) {
        let message = format!("`{}` is not an HTTP method of an API", written.value);
        report.push(
            Diagnostic::error(UNKNOWN_VALUE, written.span, message)
                .help("write get, post, put, patch or delete"),
        );
    }
    method
}

fn body<'a>(action: &'a Action, request: &'a Paths, report: &mut Diagnostics) -> &'a str {
    let Some(written) = &action.http.body_field else {
        return request.resource_body.first().map_or("", |it| &it.value);
    };
    let reads = action.http.method.as_ref().is_some_and(|it| it.value.eq_ignore_ascii_case("get"));
    if reads {
        let message = "a request by GET has no body";
        report.push(
            Diagnostic::error(BODY, written.span, message)
                .help("leave `httpBodyField` out, or use another method"),
        );
    }
    &written.value
}

/// The owning region executes what writes a resource in a transaction, unless something else is written
/// (source: Goten's tools).
fn routing(action: &Action, has_resource: bool, transaction: Transaction) -> RoutingRule {
    let texts = |it: &[Text]| it.iter().map(|it| it.value.clone()).collect::<Vec<Arc<str>>>();
    let written = &action.routing;
    let skip_generated = is_set(&written.skip_generated);
    let implied = has_resource
        && transaction != Transaction::None
        && !skip_generated
        && written.region_paths.is_empty();
    RoutingRule {
        execute_on_owning_region: is_set(&written.execute_on_owning_region) || implied,
        skip_generated,
        resource_paths: texts(&written.resource_paths),
        scope_paths: texts(&written.scope_paths),
        region_paths: texts(&written.region_paths),
    }
}

fn given_or(given: Option<&Text>, default: impl FnOnce() -> String) -> Arc<str> {
    given.map_or_else(|| default().into(), |it| it.value.clone())
}
