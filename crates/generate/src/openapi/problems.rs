//! Errors: `application/problem+json` (RFC 9457).

use serde_json::{Map, Value, json};
use spec::{Method, StandardMethod};

/// The name of the schema of problems. Names of messages begin with a capital letter and have no `-`.
pub(super) const SCHEMA: &str = "problem-details";

/// Status, name of the response, and when it is sent.
const PROBLEMS: [(&str, &str, &str); 14] = [
    ("400", "BadRequest", "The request is not valid."),
    ("401", "Unauthenticated", "The request has no token, or an invalid one."),
    ("403", "PermissionDenied", "The caller does not have the permission."),
    ("404", "NotFound", "The resource, or its parent, does not exist."),
    ("406", "NotAcceptable", "None of the accepted media types can be sent."),
    (
        "409",
        "Conflict",
        "The resource exists already, references to it block the deletion, or it was changed meanwhile.",
    ),
    ("412", "PreconditionFailed", "The resource has another version than `If-Match`."),
    ("413", "TooLarge", "The request is too long."),
    ("415", "UnsupportedMediaType", "The body has another media type."),
    ("429", "ResourceExhausted", "Too many requests, or a limit is reached."),
    ("500", "Internal", "An error of the server."),
    ("501", "Unimplemented", "The server does not implement the method."),
    ("502", "BadGateway", "What executes the method has failed."),
    ("503", "Unavailable", "The server cannot answer now."),
];

/// References to the problems that a method can have.
pub(super) fn of(method: &Method, has_body: bool) -> Map<String, Value> {
    let applies = PROBLEMS.iter().filter(|(status, ..)| applies(status, method, has_body));
    let reference = |name: &str| json!({"$ref": format!("#/components/responses/{name}")});
    applies.map(|(status, name, _)| ((*status).to_owned(), reference(name))).collect()
}

fn applies(status: &str, method: &Method, has_body: bool) -> bool {
    use StandardMethod::{BatchGet, Create, Delete, Update};
    match (status, method.standard) {
        ("404", Some(BatchGet)) => false,
        ("404", _) => method.kind.is_some(),
        ("406", _) => method.server_streaming,
        ("413" | "415", _) => has_body,
        ("409", Some(standard)) => matches!(standard, Create | Update | Delete),
        ("409", None) => !method.read_only,
        ("412", Some(standard)) => matches!(standard, Update | Delete),
        ("412", None) => false,
        ("501" | "502", standard) => standard.is_none(),
        _ => true,
    }
}

/// All problems, for `components.responses`.
pub(super) fn responses() -> Map<String, Value> {
    PROBLEMS.iter().map(|(status, name, text)| ((*name).to_owned(), response(status, text))).collect()
}

fn response(status: &str, text: &str) -> Value {
    let schema = json!({"$ref": format!("{}{SCHEMA}", super::REFS)});
    let mut response =
        json!({"description": text, "content": {"application/problem+json": {"schema": schema}}});
    let header = match status {
        "401" => Some(("WWW-Authenticate", json!({"schema": {"type": "string"}}))),
        "429" | "503" => {
            let text = "After how many seconds to try again.";
            Some(("Retry-After", json!({"description": text, "schema": {"type": "integer", "minimum": 0}})))
        }
        _ => None,
    };
    if let (Some(object), Some((name, header))) = (response.as_object_mut(), header) {
        object.insert("headers".to_owned(), json!({name: header}));
    }
    response
}

/// The schema of problems.
pub(super) fn schema() -> Value {
    let text = |text: &str| json!({"type": "string", "description": text});
    json!({
        "description": "An error (RFC 9457).",
        "type": "object",
        "properties": {
            "status": {"type": "integer", "minimum": 100, "maximum": 599},
            "title": text("What kind of error it is, in words."),
            "code": text("What kind of error it is, for programs, after the codes of gRPC: `invalid_argument`, `not_found`."),
            "detail": text("What is wrong with this request."),
            "violations": {
                "type": "array",
                "description": "What is wrong with which part of the request, or which resource prevents it.",
                "items": violation(),
            },
        },
        "required": ["status", "title", "code", "detail"],
    })
}

fn violation() -> Value {
    let text = |text: &str| json!({"type": "string", "description": text});
    json!({
        "type": "object",
        "properties": {
            "field": text("A parameter; `#` with a JSON pointer for a place in the body; or the name of a resource."),
            "code": text("The name of the mistake, for programs."),
            "byte": {"type": "integer", "minimum": 0, "description": "The byte of a text at which it was found."},
            "message": text("What is wrong."),
            "help": text("What to do."),
        },
        "required": ["field", "code", "message"],
    })
}
