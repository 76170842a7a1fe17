use serde_json::{Map, Value as Json, json};

use super::content;
use crate::{
    Code, Endpoint,
    headers::{JSON, PROBLEM},
};

/// The responses of an endpoint, by status. Every error is a problem.
pub(super) fn responses(endpoint: Endpoint) -> Json {
    let mut all = Map::new();
    for (status, doc, schema) in successes(endpoint) {
        let mut response = json!({ "description": doc });
        if let Some(schema) = schema {
            response["content"] = content(JSON, schema);
        }
        if *schema == Some("Resource") {
            response["headers"] = json!({ "ETag": { "schema": { "type": "string" } } });
        }
        all.insert(status.to_string(), response);
    }
    for status in statuses(endpoint) {
        all.insert(
            status.to_string(),
            json!({ "description": named(status), "content": content(PROBLEM, "Problem") }),
        );
    }
    all.insert(
        "default".into(),
        json!({ "description": "A problem", "content": content(PROBLEM, "Problem") }),
    );
    all.into()
}

type Success = (u16, &'static str, Option<&'static str>);

const fn successes(endpoint: Endpoint) -> &'static [Success] {
    const ACCEPTED: Success = (202, "The operation continues", Some("Operation"));
    match endpoint {
        Endpoint::Describe => &[(200, "The adapter", Some("Description"))],
        Endpoint::OpenApi => &[(200, "An OpenAPI 3.1 document", Some("Document"))],
        Endpoint::Read => &[(200, "The resource", Some("Resource"))],
        Endpoint::Create => &[
            (201, "It was created", Some("Resource")),
            (200, "It exists already, created from the same spec", Some("Resource")),
            ACCEPTED,
        ],
        Endpoint::Update => &[(200, "It was changed", Some("Resource")), ACCEPTED],
        Endpoint::Destroy => &[(204, "It no longer exists", None), ACCEPTED],
        Endpoint::BatchRead => &[(200, "The resources that exist, and the ids that do not", Some("Batch"))],
        Endpoint::List => &[(200, "A page of the list", Some("Page"))],
        Endpoint::Operation => &[(200, "The progress", Some("Operation"))],
        Endpoint::Cancel => &[(204, "It is being cancelled", None)],
    }
}

fn statuses(endpoint: Endpoint) -> Vec<u16> {
    let mut all: Vec<u16> = codes(endpoint).iter().map(|code| code.status()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

const fn codes(endpoint: Endpoint) -> &'static [Code] {
    use Code as C;
    match endpoint {
        Endpoint::Describe | Endpoint::OpenApi => &[C::Unauthorized, C::UnsupportedProtocol],
        Endpoint::Read => &[C::Unauthorized, C::UnsupportedProtocol, C::NotFound, C::Gone, C::UnknownKind],
        Endpoint::Create => &[
            C::Unauthorized,
            C::UnsupportedProtocol,
            C::KeyMissing,
            C::OtherLineage,
            C::ExistsDifferently,
            C::TooLarge,
            C::InvalidSpec,
            C::Busy,
        ],
        Endpoint::Update => &[
            C::Unauthorized,
            C::Stale,
            C::KeyMissing,
            C::NotFound,
            C::Gone,
            C::OtherLineage,
            C::RebuildRequired,
            C::TooLarge,
            C::InvalidSpec,
            C::Busy,
        ],
        Endpoint::Destroy => &[
            C::Unauthorized,
            C::Stale,
            C::KeyMissing,
            C::OtherLineage,
            C::NotFound,
            C::Gone,
            C::OperationPending,
            C::Busy,
        ],
        Endpoint::BatchRead => &[C::Unauthorized, C::UnsupportedProtocol, C::BadRequest, C::TooLarge],
        Endpoint::List => &[C::Unauthorized, C::UnsupportedProtocol, C::BadRequest],
        Endpoint::Operation => &[C::Unauthorized, C::UnsupportedProtocol, C::NotFound],
        Endpoint::Cancel => &[C::Unauthorized, C::UnsupportedProtocol, C::NotFound, C::NotCancellable],
    }
}

/// The codes that are used with a status.
fn named(status: u16) -> String {
    let codes =
        Code::ALL.iter().filter(|code| code.status() == status).map(|code| format!("`{}`", code.as_str()));
    codes.collect::<Vec<_>>().join(", ")
}
