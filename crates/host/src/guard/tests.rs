use http::{Request, StatusCode};

use super::*;

const OURS: (&str, &str) = ("host", "127.0.0.1:7070");

fn guard() -> Guard {
    Guard::new(7070).allow("https://planloom.example").unwrap()
}

fn entry_of(guard: &Guard, method: &str, target: &str, headers: &[(&str, &str)]) -> Entry {
    let request = Request::builder().method(method).uri(target);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    guard.entry(&request.body(()).unwrap().into_parts().0)
}

/// The status of the refusal; `None` if the request is allowed.
fn refused(headers: &[(&str, &str)]) -> Option<u16> {
    refused_at("/", headers)
}

fn refused_at(target: &str, headers: &[(&str, &str)]) -> Option<u16> {
    match entry_of(&guard(), "GET", target, headers) {
        Entry::Admitted(_) => None,
        Entry::Answered(response) => {
            assert!(!response.headers().contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN));
            assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
            Some(response.status().as_u16())
        }
    }
}

#[test]
fn only_loopback_names_with_our_port_are_us() {
    for host in ["127.0.0.1:7070", "localhost:7070", "LocalHost:7070", "[::1]:7070"] {
        assert_eq!(refused(&[("host", host)]), None, "{host}");
    }
    for host in [
        "",
        "localhost",
        "localhost:7071",
        "localhost:07070",
        "localhost.:7070",
        "evil.example:7070",
        "evil.example",
        "localhost.evil.example:7070",
        "127.0.0.1.evil.example:7070",
        "127.0.0.2:7070",
        "127.1:7070",
        "0.0.0.0:7070",
        "[::]:7070",
        "::1:7070",
        "user@localhost:7070",
        "localhost:7070, evil.example",
    ] {
        assert_eq!(refused(&[("host", host)]), Some(421), "{host}");
    }
    assert_eq!(refused(&[]), Some(421));
    assert_eq!(refused(&[OURS, OURS]), Some(421));
    assert_eq!(refused(&[OURS, ("host", "evil.example")]), Some(421));
}

#[test]
fn the_first_line_has_to_name_us_too() {
    assert_eq!(refused_at("http://localhost:7070/v1", &[OURS]), None);
    assert_eq!(refused_at("http://evil.example/v1", &[OURS]), Some(421));
    assert_eq!(refused_at("http://localhost:7070/v1", &[("host", "evil.example")]), Some(421));
}

#[test]
fn on_port_80_the_port_may_be_left_out() {
    let guard = Guard::new(80);
    for host in ["localhost", "localhost:80"] {
        let headers = [("host", host), ("origin", "http://localhost")];
        assert!(matches!(entry_of(&guard, "GET", "/", &headers), Entry::Admitted(_)), "{host}");
    }
    let headers = [("host", "localhost"), ("origin", "http://localhost:80")];
    assert!(matches!(entry_of(&guard, "GET", "/", &headers), Entry::Answered(_)));
}

#[test]
fn only_pages_that_are_allowed_get_in() {
    for origin in
        ["http://127.0.0.1:7070", "http://localhost:7070", "http://[::1]:7070", "https://planloom.example"]
    {
        assert_eq!(refused(&[OURS, ("origin", origin)]), None, "{origin}");
    }
    for origin in [
        "null",
        "",
        "*",
        "http://planloom.example",
        "https://planloom.example:443",
        "https://planloom.example/",
        "https://planloom.example.evil.example",
        "https://evil.planloom.example",
        "https://PLANLOOM.example",
        "http://localhost:7071",
        "https://localhost:7070",
        "file://",
    ] {
        assert_eq!(refused(&[OURS, ("origin", origin)]), Some(403), "{origin}");
    }
    let twice = [OURS, ("origin", "https://planloom.example"), ("origin", "https://planloom.example")];
    assert_eq!(refused(&twice), Some(403));
}

#[test]
fn cross_site_embeds_are_refused_and_links_allowed() {
    let requested = |site, mode| refused(&[OURS, ("sec-fetch-site", site), ("sec-fetch-mode", mode)]);
    assert_eq!(requested("cross-site", "no-cors"), Some(403));
    assert_eq!(requested("same-site", "no-cors"), Some(403));
    assert_eq!(requested("cross-site", "navigate"), None);
    assert_eq!(requested("same-origin", "cors"), None);
    assert_eq!(requested("none", "navigate"), None);
    let allowed = [OURS, ("origin", "https://planloom.example"), ("sec-fetch-site", "cross-site")];
    assert_eq!(refused(&allowed), None);
}

fn preflight(origin: &str) -> Option<Response<Vec<u8>>> {
    let headers = [OURS, ("origin", origin), ("access-control-request-method", "PUT")];
    match entry_of(&guard(), "OPTIONS", "/adapters/process/v1", &headers) {
        Entry::Answered(response) => Some(response),
        Entry::Admitted(_) => None,
    }
}

#[test]
fn preflight_responses_list_what_is_allowed() {
    let response = preflight("https://planloom.example").unwrap();
    assert_eq!(response.status(), StatusCode::NO_CONTENT);
    let said = |name: &str| response.headers()[name].to_str().unwrap().to_ascii_lowercase();
    let list = |name| said(name).split(',').map(|it| it.trim().to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(said("access-control-allow-origin"), "https://planloom.example");
    for method in ["get", "put", "patch", "post", "delete"] {
        assert!(list("access-control-allow-methods").contains(method), "{method}");
    }
    for name in [
        "authorization",
        "content-type",
        "idempotency-key",
        "if-match",
        "adapter-protocol",
        "traceparent",
        "origin-identity",
        "prefer",
    ] {
        assert!(list("access-control-allow-headers").contains(name), "{name}");
    }
    for name in ["etag", "location", "retry-after", "idempotency-replayed"] {
        assert!(list("access-control-expose-headers").contains(name), "{name}");
    }
    assert_eq!(said("access-control-max-age"), "7200");
    assert_eq!(said("access-control-allow-private-network"), "true");
    assert_eq!(said("vary"), "origin");
    assert!(!response.headers().contains_key("access-control-allow-credentials"));
}

#[test]
fn preflights_of_other_origins_get_no_cors_headers() {
    let response = preflight("https://evil.example").unwrap();
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
    assert!(!response.headers().keys().any(|name| name.as_str().starts_with("access-control")));
}

#[test]
fn other_options_are_for_the_handler() {
    for headers in [&[OURS][..], &[OURS, ("access-control-request-method", "PUT")]] {
        assert!(matches!(entry_of(&guard(), "OPTIONS", "/", headers), Entry::Admitted(_)));
    }
}

#[test]
fn each_response_varies_by_origin() {
    let Entry::Admitted(visitor) = entry_of(&guard(), "GET", "/", &[OURS]) else { panic!("it is refused") };
    assert_eq!(visitor.origin(), None);
    let answer = Response::builder().header("vary", "Accept").body(Vec::<u8>::new()).unwrap();
    let answer = visitor.add_cors_headers(answer);
    let again = visitor.add_cors_headers(answer.clone());
    assert_eq!(again.headers(), answer.headers());
    let vary: Vec<_> = answer.headers().get_all("vary").iter().collect();
    assert_eq!(vary, ["Accept", "Origin"]);
    assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
    assert!(!answer.headers().contains_key("access-control-allow-origin"));
}

#[test]
fn allowed_values_must_be_origins() {
    for origin in ["https://a.example", "http://localhost:8080", "http://[::1]:8080", "https://a.example:80"]
    {
        assert!(Guard::new(1).allow(origin).is_ok(), "{origin}");
    }
    for origin in [
        "",
        "*",
        "null",
        "a.example",
        "https://",
        "https://a.example/",
        "https://a.example/x",
        "https://a.example?x",
        "https://a.example#x",
        "https://a.example:443",
        "http://a.example:80",
        "https://a.example:",
        "https://A.example",
        "https://u@a.example",
        "ftp://a.example",
        "https://*.example ",
    ] {
        assert!(Guard::new(1).allow(origin).is_err(), "{origin}");
    }
}
