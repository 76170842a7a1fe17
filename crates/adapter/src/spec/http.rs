use super::SpecValue;

/// A request that shows whether a service is ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http {
    /// The port of the service.
    pub port: u16,
    /// The path and the query; begins with `/`.
    pub path: String,
    /// The expected status; any status from 200 to 399 if omitted.
    pub status: Option<u16>,
}

/// Reads `{port, path, status}`; the default port is that of the first proxy. `None` only if an error was
/// reported.
pub fn http(place: &SpecValue<'_>, first: Option<u16>) -> Option<Http> {
    place.reject_other_keys(&["port", "path", "status"]);
    let port = match place.key("port") {
        Some(port) => port.port(),
        None => first,
    };
    if port.is_none() {
        place.report("the port to probe is not set, and no port is proxied");
    }
    let path = place.key("path").and_then(|it| it.text()).unwrap_or_else(|| "/".into());
    if !path.starts_with('/') || path.bytes().any(|byte| !byte.is_ascii_graphic()) {
        place.report("a path begins with `/` and holds no spaces");
    }
    let status = place.key("status").and_then(|it| it.integer(100, 599)).and_then(|it| it.try_into().ok());
    Some(Http { port: port?, path, status })
}

#[cfg(test)]
mod tests {
    use protocol::Code;
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::spec::SpecErrors;

    #[track_caller]
    fn check(written: Json, first: Option<u16>, expected: Option<(u16, &str, Option<u16>)>, wrong: &[&str]) {
        let faults = SpecErrors::default();
        let read = http(&SpecValue::root(&written, &faults), first);
        let expected = expected.map(|(port, path, status)| Http { port, path: path.into(), status });
        assert_eq!(read, expected);
        let violations =
            faults.into_result(Code::InvalidSpec).err().map(|it| it.violations).unwrap_or_default();
        assert_eq!(violations.iter().map(|it| &*it.pointer).collect::<Vec<_>>(), wrong);
    }

    #[test]
    fn a_request_says_where_and_what() {
        check(
            json!({"port": 80, "path": "/a?b=c", "status": 204}),
            None,
            Some((80, "/a?b=c", Some(204))),
            &[],
        );
        check(json!({}), Some(8000), Some((8000, "/", None)), &[]);
        check(json!({}), None, None, &[""]);
        check(json!({"path": "a b"}), Some(1), Some((1, "a b", None)), &[""]);
        check(json!({"status": 99, "prot": 1}), Some(1), Some((1, "/", None)), &["/prot", "/status"]);
    }
}
