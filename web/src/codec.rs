//! Messages between page and worker travel as JSON text: the views flatten and skip fields, which a format that does
//! not describe itself cannot read back.

use gloo_worker::Codec;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

/// JSON text.
#[derive(Debug)]
pub struct Json;

impl Codec for Json {
    #[expect(clippy::expect_used, reason = "our own plain data always has a JSON form")]
    fn encode<I: Serialize>(input: I) -> JsValue {
        JsValue::from_str(&serde_json::to_string(&input).expect("a message has a JSON form"))
    }

    #[expect(clippy::expect_used, reason = "both sides are one build and send nothing else")]
    fn decode<O: for<'de> Deserialize<'de>>(input: JsValue) -> O {
        let text = input.as_string().expect("a message is text");
        serde_json::from_str(&text).expect("a message is what the other side sends")
    }
}
