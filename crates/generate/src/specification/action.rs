//! Methods that are not standard ones.

use serde_json::Value;
use spec::skeleton::Transaction;

use super::{choice, flag, object, reference, resource, text, texts, upper_camel};

pub(super) fn schema() -> Value {
    object(
        "A method.",
        &["name", "withStoreHandle"],
        &[
            ("name", upper_camel("Its name: `RotateSecret`.")),
            ("verb", text("Its verb in paths and permissions; by default its name in lowerCamelCase.")),
            ("opResourceInfo", operated()),
            ("requestName", text("The type of requests; by default `NAMERequest`.")),
            ("responseName", text("The type of responses; by default `NAMEResponse`.")),
            ("skipRequestMsgGen", flag("The type of requests is written by hand.")),
            ("skipResponseMsgGen", flag("The type of responses is written by hand.")),
            ("streamingRequest", flag("The client sends a stream.")),
            ("streamingResponse", flag("The server sends a stream.")),
            ("withStoreHandle", store()),
            ("multiRegionRouting", routing()),
            ("grpcTranscoding", http()),
            ("versioning", resource::versioning()),
        ],
    )
}

fn store() -> Value {
    object(
        "How it uses the store.",
        &["transaction"],
        &[
            (
                "transaction",
                choice("The transaction that it is executed in.", Transaction::NAMES.map(|(name, _)| name)),
            ),
            ("readOnly", flag("It only reads.")),
        ],
    )
}

fn operated() -> Value {
    object(
        "The resources that it operates on.",
        &[],
        &[
            ("name", text("The resource; by default the one that has the action.")),
            ("isCollection", flag("It reads or changes which resources there are.")),
            ("isPlural", flag("It operates on several.")),
            ("skipResourceInRequest", flag("The request names no resource.")),
            ("requestPaths", reference("paths")),
            ("responsePaths", reference("paths")),
        ],
    )
}

/// The fields in which messages name resources.
pub(super) fn paths() -> Value {
    object(
        "Fields of a message.",
        &[],
        &[
            ("resourceName", texts("Fields with names of resources.")),
            ("resourceBody", texts("Fields with resources.")),
            ("resourceParent", texts("Fields with names of parents.")),
        ],
    )
}

fn routing() -> Value {
    object(
        "Which region executes it.",
        &[],
        &[
            ("executeOnOwningRegion", flag("The region that owns the resource.")),
            ("skipCodeGenBasedRouting", flag("Requests are not routed by generated code.")),
            ("resourceFieldPaths", texts("Fields of the request with names of resources.")),
            ("scopeFieldPaths", texts("Fields of the request with names of scopes.")),
            ("regionIdFieldPaths", texts("Fields of the request with ids of regions.")),
        ],
    )
}

fn http() -> Value {
    object(
        "Its form over HTTP.",
        &[],
        &[
            (
                "httpMethod",
                text("The method: get, post, put, patch or delete, in any case. By default post."),
            ),
            ("isBasic", flag("The path has no verb.")),
            ("httpBodyField", text("The field of the request that is the body; `*` for all of it.")),
            ("httpPathOverrides", texts("The paths, with the version.")),
        ],
    )
}
