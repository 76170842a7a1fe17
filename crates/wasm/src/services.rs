//! Services in memory. JavaScript has a class for them and keeps their numbers.

use wasm_bindgen::prelude::*;

use crate::{
    answer::{self, Answer},
    argument, failure, parts,
};

/// The response of an open service to a request, which is JSON text.
///
/// # Errors
/// `wasm/bad-argument` for what is no request or no open service, `capability/not-loaded` where its part is not loaded.
#[wasm_bindgen(skip_typescript, js_name = sendRequest)]
pub fn send_request(number: u32, request: JsValue) -> Answer {
    let request = argument::text(&request, "request")?;
    let response = parts::services()?.send(number, &request);
    match response.map_err(|error| failure::bad_argument(&format!("`request`: {error}")))? {
        Some(response) => answer::parsed(&response),
        None => Err(failure::bad_argument("the service is closed")),
    }
}

/// Closes a service in memory.
///
/// # Errors
/// `capability/not-loaded` where its part is not loaded.
#[wasm_bindgen(skip_typescript, js_name = closeService)]
pub fn close_service(number: u32) -> Result<(), JsValue> {
    parts::services()?.close(number);
    Ok(())
}
