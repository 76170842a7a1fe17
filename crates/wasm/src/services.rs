//! Questions about services, and services in memory. JavaScript has a class for them and keeps their numbers.

use wasm_bindgen::prelude::*;

use crate::{
    Workspace,
    answer::{self, Answer},
    argument, failure, parts,
};

/// A question about services: its name, and its argument where it has one. One function for all of them, because each export
/// makes the core larger. JavaScript has a method for each question.
///
/// # Errors
/// `wasm/bad-argument` if there is no such question or argument, `capability/not-loaded` where its part is not loaded.
#[wasm_bindgen(skip_typescript, js_name = askServices)]
pub fn ask_services(workspace: &mut Workspace, question: &str, argument: JsValue) -> Answer {
    let argument = argument::text(&argument, "argument")?;
    match parts::services()?.ask(workspace.ready(), question, &argument) {
        Some(answer) => answer::parsed(&answer),
        None => Err(failure::bad_argument("`argument` is unknown")),
    }
}

/// The response of an open service to a request, which is JSON text; without a request it is closed.
///
/// # Errors
/// `wasm/bad-argument` for what is no request or no open service, `capability/not-loaded` where its part is not loaded.
#[wasm_bindgen(skip_typescript, js_name = sendRequest)]
pub fn send_request(number: u32, request: JsValue) -> Answer {
    let services = parts::services()?;
    if request.is_undefined() {
        services.close(number);
        return Ok(request);
    }
    match services.send(number, &argument::text(&request, "request")?) {
        Some(response) => answer::parsed(&response),
        None => Err(failure::bad_argument("`request` is no request, or the service is closed")),
    }
}
