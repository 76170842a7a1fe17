//! The meaning of a text: the name of a resource, or the path of a request.

use api::{Match, Miss, Router};
use diag::{Code, Sources};
use fields::schema::Schema;
use http::Method as HttpMethod;
use spec::{Service, Services};
use workspace::{
    capability::location,
    view::{NameProblemView, NameView, TriedMethodView, TriedTextView},
};

use crate::{codes, name, parameters};

const METHODS: [HttpMethod; 5] =
    [HttpMethod::GET, HttpMethod::POST, HttpMethod::PUT, HttpMethod::PATCH, HttpMethod::DELETE];

/// A text as a name, or as a request: `GET /v1/books`, `/v1/books`, `https://host/v1/books`.
pub(crate) fn read(services: &Services, schemas: &[Schema], sources: &Sources, text: &str) -> TriedTextView {
    let start = text.len() - text.trim_start().len();
    let text = text.trim();
    let mut answer = match full_name(services, text).or_else(|| request(services, schemas, sources, text)) {
        Some(answer) => answer,
        None => {
            let it = name::read(services, text);
            TriedTextView { names: it.names, problem: it.problem, ..TriedTextView::default() }
        }
    };
    shift(&mut answer, start);
    answer
}

/// `//service/name`, which names the service too.
fn full_name(services: &Services, text: &str) -> Option<TriedTextView> {
    let (service, name) = text.strip_prefix("//")?.split_once('/')?;
    let mut answer = name::read(services, name);
    answer.names.retain(|it| it.type_name.split_once('/').is_some_and(|(domain, _)| domain == service));
    let is_known = services.services.iter().any(|it| &*it.name == service);
    let problem = match answer.problem {
        _ if !is_known => Some(unknown_service(service)),
        None if answer.names.is_empty() => Some(of_other_service(service)),
        it => it,
    };
    let mut answer = TriedTextView { names: answer.names, problem, ..TriedTextView::default() };
    let before = if is_known { text.len() - name.len() } else { 2 };
    shift(&mut answer, before);
    Some(answer)
}

fn request(services: &Services, schemas: &[Schema], sources: &Sources, text: &str) -> Option<TriedTextView> {
    let (method, rest) = method_of(text);
    let at = path_start(rest)?;
    let target = rest.get(at..)?.split('#').next()?;
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let before = text.len() - rest.len() + at;
    let (mut answer, mut others) = (TriedTextView::default(), Vec::new());
    let router = Router::new(services);
    for http in METHODS.iter().filter(|it| method.is_none_or(|method| method == it.as_str())) {
        match router.find(http, path) {
            Ok(found) if has_names(services, &found) => {
                if answer.methods.is_empty() {
                    answer.parameters = parameters::read(services, schemas, &found, query);
                }
                add(&mut answer, services, sources, &found);
            }
            // The server refuses what is no name, whatever method it is for.
            Ok(_) => {}
            Err(Miss::HttpMethod(allowed)) => others = allowed,
            Err(Miss::Path | Miss::Encoding) => {}
        }
    }
    if answer.methods.is_empty() {
        answer.problem = Some(match (method, &others[..]) {
            (Some(method), [_, ..]) => other_method(method, &others),
            _ => {
                let mut problem = no_method(services, path);
                problem.byte += u32::try_from(before).unwrap_or(0);
                problem
            }
        });
    }
    Some(answer)
}

/// The method of HTTP before a path, and the rest.
fn method_of(text: &str) -> (Option<&str>, &str) {
    match text.split_once(' ') {
        Some((method, rest)) if METHODS.iter().any(|it| it.as_str() == method) => (Some(method), rest),
        _ => (None, text),
    }
}

/// The byte at which the path begins: at once, or behind the host of an address.
fn path_start(text: &str) -> Option<usize> {
    if text.starts_with('/') {
        return Some(0);
    }
    let host = text.find("://")? + 3;
    Some(host + text.get(host..)?.find('/')?)
}

/// True if every text in the path that has the form of a name is one.
fn has_names(services: &Services, found: &Match) -> bool {
    let mut names = found.fields.iter().filter(|(_, value)| value.contains('/'));
    names.all(|(_, value)| !name::read(services, value).names.is_empty())
}

fn add(answer: &mut TriedTextView, services: &Services, sources: &Sources, found: &Match) {
    let service = services.services.get(found.service);
    let api = service.and_then(|it| it.apis.get(found.api));
    let Some((api, method)) = api.and_then(|it| Some((it, it.methods.get(found.method)?))) else { return };
    let Some(route) = method.routes.get(found.route) else { return };
    answer.methods.push(TriedMethodView {
        http: route.method.to_string(),
        method: format!("{}/{}", api.name, method.name),
        path: route.path.to_string(),
        permission: method.permission.to_string(),
        location: location(sources, method.span),
    });
    let names = found.fields.iter().flat_map(|(_, value)| name::read(services, value).names);
    let names: Vec<NameView> = names.filter(|it| !answer.names.contains(it)).collect();
    answer.names.extend(names);
}

/// The reason why no method has a path: it names no resource, or it has another verb.
fn no_method(services: &Services, path: &str) -> NameProblemView {
    let prefixes: Vec<String> = services.services.iter().map(prefix).collect();
    let Some(prefix) = prefixes.iter().find(|it| path.starts_with(&***it)) else {
        let all = prefixes.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(" or ");
        return problem(
            codes::NO_PREFIX,
            0,
            format!("no method has the path `{path}`"),
            format!("paths begin with {all}"),
        );
    };
    let rest = path.get(prefix.len()..).unwrap_or_default();
    let (named, verb) = rest.rsplit_once(':').filter(|(_, it)| !it.contains('/')).unwrap_or((rest, ""));
    match name::read(services, named).problem {
        Some(mut it) if it.code != names::codes::INCOMPLETE.as_str() || verb.is_empty() => {
            it.byte += u32::try_from(prefix.len()).unwrap_or(0);
            it
        }
        _ if verb.is_empty() => {
            problem(codes::NO_METHOD, 0, format!("no method has the path `{path}`"), String::new())
        }
        _ => {
            let message = format!("no method has the verb `{verb}` there");
            problem(
                codes::NO_VERB,
                path.len() - verb.len(),
                message,
                "choose the kind to see its methods".into(),
            )
        }
    }
}

/// The beginning of all paths of a service.
fn prefix(service: &Service) -> String {
    let before = service.http_prefix.as_ref().map(|it| format!("/{it}")).unwrap_or_default();
    format!("{before}/{}/", service.version)
}

fn other_method(method: &str, others: &[String]) -> NameProblemView {
    let message = format!("no method has this path by `{method}`");
    problem(codes::HTTP_METHOD, 0, message, format!("it is for {}", others.join(", ")))
}

fn unknown_service(service: &str) -> NameProblemView {
    let message = format!("no specification of `{service}` is given");
    problem(codes::UNKNOWN_SERVICE, 0, message, "add its specification, or leave the service out".into())
}

fn of_other_service(service: &str) -> NameProblemView {
    let message = format!("this is not a name of a resource of `{service}`, but of another service");
    problem(codes::OTHER_SERVICE, 0, message, "name the service that has it".into())
}

fn problem(code: Code, at: usize, message: String, help: String) -> NameProblemView {
    let byte = u32::try_from(at).unwrap_or(u32::MAX);
    NameProblemView { code: code.to_string(), byte, message, help }
}

fn shift(answer: &mut TriedTextView, by: usize) {
    if let Some(problem) = &mut answer.problem {
        problem.byte = problem.byte.saturating_add(u32::try_from(by).unwrap_or(0));
    }
}
