use http::Method as HttpMethod;
use names::Pattern;
use planloom_api::{Miss, Router};
use spec::{Method, Services};

use crate::support::{real, real_services, services};

const NAMES: [&str; 13] = [
    "ai-v1",
    "alerting-v1",
    "applications-v1",
    "applications-v1alpha2",
    "audit-v1",
    "audit-v1alpha2",
    "cellular-api-v1",
    "limits-v1",
    "limits-v1alpha2",
    "logging-v1",
    "logging-v1alpha2",
    "meta-v1alpha2",
    "ztp-v1",
];

/// A name by a pattern, of ids that match.
fn sample(pattern: &Pattern) -> String {
    let id = |it: &names::Segment| {
        let ids = ["a1", "ab", "aa/bb", "ab/cd/Ef", "abcdefgh", "1234567890123456789"];
        ids.into_iter().find(|id| it.id.matches(id)).unwrap_or_else(|| panic!("no id for {}", it.id.as_str()))
    };
    let parts = pattern.segments().iter().map(|it| format!("{}/{}", it.collection, id(it)));
    parts.collect::<Vec<_>>().join("/")
}

/// A path of a route, and the texts of its fields.
pub(crate) fn path(template: &str, method: &Method, services: &Services) -> (String, Vec<(String, String)>) {
    let kind = method.kind.and_then(|it| services.kind(it));
    let patterns: Vec<Pattern> = kind.into_iter().flat_map(|it| it.patterns.0.iter().cloned()).collect();
    let parents = patterns.iter().filter_map(Pattern::parent);
    let all: Vec<Pattern> = patterns.iter().cloned().chain(parents).collect();
    let (mut path, mut fields, mut rest) = (String::new(), Vec::new(), template);
    while let Some((head, tail)) = rest.split_once('{') {
        let (variable, after) = tail.split_once('}').expect("it is closed");
        let (field, of) = variable.split_once('=').expect("it has a template");
        let pattern = all.iter().find(|it| it.http() == of);
        let text = pattern.map_or_else(|| of.replace('*', "a1"), sample);
        path.push_str(head);
        path.push_str(&text);
        fields.push((field.to_owned(), text));
        rest = after;
    }
    path.push_str(rest);
    (path, fields)
}

#[test]
fn all_routes_of_real_services_are_found() {
    let Some(folder) = real() else { return };
    let (mut found, mut shared) = (0, Vec::new());
    for name in NAMES {
        let services = real_services(&folder, name);
        let router = Router::new(&services);
        let service = &services.services[0];
        for (api_at, api) in service.apis.iter().enumerate() {
            for (method_at, method) in api.methods.iter().enumerate() {
                for (route_at, route) in method.routes.iter().enumerate() {
                    let (path, fields) = path(&route.path, method, &services);
                    let http: HttpMethod = route.method.parse().expect("a method");
                    let answer =
                        router.find(&http, &path).unwrap_or_else(|miss| panic!("{name} {path}: {miss:?}"));
                    if (answer.api, answer.method, answer.route) == (api_at, method_at, route_at) {
                        assert_eq!(answer.fields, fields, "{name} {path}");
                        found += 1;
                    } else {
                        let other = &service.apis[answer.api].methods[answer.method];
                        shared.push(format!("{name} {} {}", other.name, method.name));
                    }
                }
            }
        }
    }
    // Two methods of audit lie on one route (source: Goten's tools).
    assert_eq!(
        shared,
        [
            "audit-v1 CreatePreCommittedResourceChangeLogs SetResourceChangeLogsCommitState",
            "audit-v1alpha2 CreatePreCommittedResourceChangeLogs SetResourceChangeLogsCommitState"
        ]
    );
    assert_eq!(found, 718);
}

const LIBRARY: &str = "
name: library.example.com
proto: {package: {name: example.library, currentVersion: v1}}
resources:
- name: Publisher
- name: Book
  parents: [Publisher]
  idPattern: '[a-z:]{1,20}'
- name: File
  parents: [Publisher, '']
  idPattern: '[a-z/]{1,20}'
";

fn check(http: &str, path: &str, expected: &str) {
    let services = services(&[(LIBRARY, false)]);
    let router = Router::new(&services);
    let http: HttpMethod = http.parse().expect("a method");
    let found = match router.find(&http, path) {
        Ok(found) => {
            let method = &services.services[0].apis[found.api].methods[found.method];
            let fields: Vec<String> =
                found.fields.iter().map(|(name, text)| format!("{name}={text}")).collect();
            format!("{} {}", method.name, fields.join(" "))
        }
        Err(Miss::Path) => "nothing".to_owned(),
        Err(Miss::Encoding) => "wrong encoding".to_owned(),
        Err(Miss::HttpMethod(others)) => others.join(" "),
    };
    assert_eq!(found.trim_end(), expected, "{http} {path}");
}

#[test]
fn paths_are_read_by_patterns() {
    let rows = [
        ("GET", "/v1/publishers", "ListPublishers"),
        ("GET", "/v1/publishers/a", "GetPublisher name=publishers/a"),
        ("GET", "/v1/publishers/a/books", "ListBooks parent=publishers/a"),
        ("GET", "/v1/publishers/-/books", "ListBooks parent=publishers/-"),
        ("POST", "/v1/publishers/a/books", "CreateBook parent=publishers/a"),
        ("POST", "/v1/publishers/a/books:watch", "WatchBooks parent=publishers/a"),
        ("POST", "/v1/publishers/a/books/b:watch", "WatchBook name=publishers/a/books/b"),
        // An id with a colon is not a verb.
        ("GET", "/v1/publishers/a/books/b:c", "GetBook name=publishers/a/books/b:c"),
        ("PUT", "/v1/publishers/a/books/b", "UpdateBook book.name=publishers/a/books/b"),
        ("GET", "/v1/books:batchGet", "BatchGetBooks"),
        // Ids with slashes.
        ("GET", "/v1/files/a/b/c", "GetFile name=files/a/b/c"),
        ("GET", "/v1/publishers/a/files/b/c", "GetFile name=publishers/a/files/b/c"),
        ("GET", "/v1/publishers/a/files", "ListFiles parent=publishers/a"),
        // Percent-encoding.
        ("GET", "/v1/publishers/a%20b", "GetPublisher name=publishers/a b"),
        ("GET", "/v1/publishers/%zz", "wrong encoding"),
        // Nothing.
        ("GET", "/", "nothing"),
        ("GET", "/v1", "nothing"),
        ("GET", "/v2/publishers", "nothing"),
        ("GET", "/v1/publishers/", "nothing"),
        ("GET", "/v1//publishers", "nothing"),
        ("GET", "/v1/publishers/a/b", "nothing"),
        ("GET", "/v1/publishers:nothing", "nothing"),
        ("PATCH", "/v1/publishers/a", "DELETE GET PUT"),
        ("DELETE", "/v1/publishers", "GET POST"),
    ];
    rows.into_iter().for_each(|(http, path, expected)| check(http, path, expected));
}
