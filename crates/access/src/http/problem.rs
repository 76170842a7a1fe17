//! The reason why a server refused a request, in any of the forms in which servers report it.

use std::time::Duration;

use http::{Response, StatusCode, header::RETRY_AFTER};
use serde_json::Value;

use crate::{AccessError, ErrorKind, FieldViolation};

/// The longest time that a server is waited for.
const LONGEST_WAIT: u64 = 60;

/// The failure that a response reports.
pub(super) fn read(response: &Response<Vec<u8>>) -> AccessError {
    let status = response.status();
    let body: Value = serde_json::from_slice(response.body()).unwrap_or_default();
    // `google.rpc.Status`, as Google's servers wrap it and as gateways of gRPC do not.
    let said = body.get("error").filter(|it| it.is_object()).unwrap_or(&body);
    let kind = kind_said(said).unwrap_or_else(|| of_status(status));
    AccessError {
        status: Some(status.as_u16()),
        violations: violations(said),
        retry_after: retry_after(response),
        ..AccessError::new(kind, detail(said, response, status))
    }
}

fn kind_said(said: &Value) -> Option<ErrorKind> {
    let texts = ["code", "status"].iter().filter_map(|it| said.get(it)?.as_str());
    let mut named = texts.filter_map(ErrorKind::named);
    // A number is one of gRPC, or the status of HTTP once more.
    named.next().or_else(|| said.get("code")?.as_u64().filter(|it| *it < 100).and_then(ErrorKind::of_grpc))
}

fn of_status(status: StatusCode) -> ErrorKind {
    match status.as_u16() {
        401 => ErrorKind::Unauthenticated,
        403 => ErrorKind::PermissionDenied,
        404 | 410 => ErrorKind::NotFound,
        409 => ErrorKind::FailedPrecondition,
        412 => ErrorKind::Aborted,
        429 => ErrorKind::ResourceExhausted,
        405 | 501 => ErrorKind::Unimplemented,
        502..=504 => ErrorKind::Unavailable,
        300..=399 => ErrorKind::Unreadable,
        400..=499 => ErrorKind::InvalidArgument,
        _ => ErrorKind::Internal,
    }
}

fn detail(said: &Value, response: &Response<Vec<u8>>, status: StatusCode) -> String {
    let texts = ["detail", "message", "title", "error_description", "error"];
    if let Some(text) = texts.iter().find_map(|it| said.get(it)?.as_str().filter(|it| !it.is_empty())) {
        return text.to_owned();
    }
    let text = String::from_utf8_lossy(response.body());
    let first = text.lines().map(str::trim).find(|it| !it.is_empty()).unwrap_or_default();
    match first.starts_with(['<', '{', '[']) || first.is_empty() {
        true => format!("the server answered with {status}"),
        false => first.to_owned(),
    }
}

fn violations(said: &Value) -> Vec<FieldViolation> {
    let own = said.get("violations").and_then(Value::as_array);
    let details = said.get("details").and_then(Value::as_array).into_iter().flatten();
    let listed = details.filter_map(|it| {
        it.get("fieldViolations").or_else(|| it.get("violations")).and_then(Value::as_array)
    });
    own.into_iter().chain(listed).flatten().take(100).map(violation).collect()
}

fn violation(it: &Value) -> FieldViolation {
    let text = |names: &[&str]| {
        let found = names.iter().find_map(|name| it.get(name)?.as_str());
        protocol::line(found.unwrap_or_default())
    };
    FieldViolation {
        field: text(&["field", "pointer", "subject"]),
        message: text(&["message", "description", "detail"]),
        help: text(&["help"]),
    }
}

/// Seconds; dates are not read.
fn retry_after(response: &Response<Vec<u8>>) -> Option<Duration> {
    let seconds: u64 = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds.min(LONGEST_WAIT)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_read_in_every_form() {
        let rows = [
            (
                409,
                r#"{"status":409,"code":"already_exists","title":"t","detail":"it is there"}"#,
                ErrorKind::AlreadyExists,
                "it is there",
            ),
            (
                409,
                r#"{"error":{"code":409,"message":"exists","status":"ALREADY_EXISTS"}}"#,
                ErrorKind::AlreadyExists,
                "exists",
            ),
            (409, r#"{"code":10,"message":"try again","details":[]}"#, ErrorKind::Aborted, "try again"),
            (400, r#"{"code":9,"message":"referred to"}"#, ErrorKind::FailedPrecondition, "referred to"),
            (412, r#"{"code":"version_mismatch","detail":"d"}"#, ErrorKind::Aborted, "d"),
            (404, "no such page\n", ErrorKind::NotFound, "no such page"),
            (409, "", ErrorKind::FailedPrecondition, "the server answered with 409 Conflict"),
            (503, "<html>", ErrorKind::Unavailable, "the server answered with 503 Service Unavailable"),
            (418, r#"{"error":"teapot"}"#, ErrorKind::InvalidArgument, "teapot"),
        ];
        for (status, body, kind, detail) in rows {
            let mut response = Response::new(body.as_bytes().to_vec());
            *response.status_mut() = StatusCode::from_u16(status).unwrap_or_default();
            let error = read(&response);
            assert_eq!((error.kind, &*error.detail, error.status), (kind, detail, Some(status)), "{body}");
        }
    }

    #[test]
    fn violations_are_read_in_both_forms() {
        let ours = r##"{"code":"invalid_argument","detail":"d","violations":[{"field":"#/title","code":"c","message":"m","help":"h"}]}"##;
        let google = r#"{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"d","details":[{"@type":"x","fieldViolations":[{"field":"title","description":"m"}]}]}}"#;
        for (body, field, help) in [(ours, "#/title", "h"), (google, "title", "")] {
            let mut response = Response::new(body.as_bytes().to_vec());
            *response.status_mut() = StatusCode::BAD_REQUEST;
            response.headers_mut().insert(RETRY_AFTER, 7.into());
            let error = read(&response);
            let expected = FieldViolation { field: field.into(), message: "m".into(), help: help.into() };
            assert_eq!((error.violations, error.retry_after), (vec![expected], Some(Duration::from_secs(7))));
        }
    }
}
