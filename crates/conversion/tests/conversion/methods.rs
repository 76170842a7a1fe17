//! Methods that specifications add.

use std::{pin::Pin, rc::Rc};

use api::{Hook, HookRequest, Hooks};
use http::{Response, header::CONTENT_TYPE};
use serde_json::{Value, json};

use crate::{
    server::{api, api_with, sent},
    vault::vault,
};

/// Methods that respond with what they were sent, in a resource of the new version.
struct Echo;

impl Hooks for Echo {
    fn find(&self, _: &str, method: &str) -> Option<Rc<dyn Hook>> {
        assert_eq!(method, "SecretService/RollSecret");
        Some(Rc::new(Self))
    }
}

impl Hook for Echo {
    fn call(&self, request: HookRequest) -> Pin<Box<dyn Future<Output = Response<Vec<u8>>>>> {
        let secret =
            json!({"name": request.request["name"], "cipher": {"data": "rolled"}, "phase": "INACTIVE"});
        let body = json!({"secret": secret, "reason": request.request["reason"]});
        let response = Response::builder().header(CONTENT_TYPE, "application/json");
        Box::pin(async move { response.body(body.to_string().into_bytes()).unwrap() })
    }
}

#[test]
fn a_method_is_executed_by_that_of_the_new_version() {
    let request = "POST /v1/projects/p/secrets/s:rotate";
    let rotated = sent(&api_with(vault(), Rc::new(Echo)), request, &json!({"reason": "old"}), 200);
    let secret =
        json!({"name": "projects/p/secrets/s", "encData": "rolled", "state": "SHUT", "kind": "SECRET"});
    assert_eq!(rotated, json!({"secret": secret, "reason": "old"}));
    let problem = sent(&api(vault()), request, &Value::Null, 501);
    assert_eq!(problem["detail"], "nothing executes `SecretService/RollSecret`: it needs a hook");
}
