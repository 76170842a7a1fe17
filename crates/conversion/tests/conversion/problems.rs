//! Problems of requests to the old version.

use serde_json::{Value, json};

use crate::{
    served::{S, stored},
    server::sent,
};

#[test]
fn problems_are_in_the_words_of_the_old_version() {
    let api = stored();
    let problem = |request: &str, body: Value, status: u16| {
        let problem = sent(&api, request, &body, status);
        let violation = &problem["violations"][0];
        (
            problem["detail"].as_str().unwrap().to_owned(),
            violation["field"].as_str().unwrap_or_default().to_owned(),
            violation["code"].as_str().unwrap_or_default().to_owned(),
        )
    };
    for (request, body, status, detail, field, code) in [
        (
            "GET /v1/projects/p/secrets/none",
            Value::Null,
            404,
            "`projects/p/secrets/none` does not exist",
            "",
            "",
        ),
        (
            "POST /v1/projects/p/secrets",
            json!({"name": S}),
            409,
            "`projects/p/secrets/s` exists already",
            "",
            "",
        ),
        (
            "GET /v1/projects/p/secrets/a%20b",
            Value::Null,
            400,
            "`name`: `a b` is not an id of `secret`: it does not match `[\\w][\\w.-]{0,127}`",
            "name",
            "names/id",
        ),
        (
            "GET /v1/projects/p/secrets?filter=cipher.data=1",
            Value::Null,
            400,
            "`filter`: there is no field `cipher` in `Secret`",
            "filter",
            "fields/unknown-field",
        ),
        (
            "GET /v1/projects/p/secrets?filter=state%3EOPEN",
            Value::Null,
            400,
            "`filter`: `state` cannot be tested in this way: its values are converted, and their order is not",
            "filter",
            "conversion/condition",
        ),
        (
            "GET /v1/projects/p/secrets?orderBy=state",
            Value::Null,
            400,
            "`orderBy`: resources are not stored in the order of `state`",
            "orderBy",
            "conversion/order",
        ),
        (
            "POST /v1/projects/p/secrets",
            json!({"kind": "OTHER"}),
            400,
            "`#/kind`: it is always \"SECRET\" in this version, and is not stored",
            "#/kind",
            "conversion/constant",
        ),
        (
            "POST /v1/projects/p/secrets",
            json!({"phase": "ACTIVE"}),
            400,
            "the `Secret` is not valid",
            "#/phase",
            "fields/unknown-field",
        ),
        (
            "POST /v1/projects/p/secrets",
            json!({"copyOf": "projects/p/secrets/none"}),
            409,
            "the resource refers to what does not exist or is being deleted",
            "copy_of",
            "integrity/broken-references",
        ),
        (
            "POST /v1/projects/p/secrets",
            json!({"encData": "longer than twenty bytes"}),
            400,
            "the `Secret` is not valid",
            "#/encData",
            "fields/rule-limit",
        ),
        (
            "POST /v1/projects/p/secrets",
            json!({"items": [{}, {"name": "longer than twenty bytes"}]}),
            400,
            "the `Secret` is not valid",
            "#/items/1/name",
            "fields/rule-limit",
        ),
        (
            "PATCH /v1/projects/p/secrets/s",
            Value::Null,
            405,
            "`/v1/projects/p/secrets/s` is for DELETE, GET, PUT, not PATCH",
            "",
            "",
        ),
    ] {
        let found = problem(request, body, status);
        assert_eq!((&*found.0, &*found.1, &*found.2), (detail, field, code), "{request}");
    }
}
